import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, parsedJson } from "../../core/objects.ts";
import { StoreError } from "./fetch-file.ts";

/** How often a holder shows that it is alive, and after how long without a sign it counts as gone, in milliseconds. */
const [SIGN_EVERY_MS, GONE_AFTER_MS] = [5_000, 60_000];

/** How often a lock that somebody holds is tried again, in milliseconds. */
const TRY_AGAIN_MS = 250;

/** Locks that this process holds: an earlier process may have had the same number. */
const held = new Set<string>();

/** What only one process at a time may change. It ends with `Symbol.asyncDispose`. */
export type HeldLock = AsyncDisposable;

/**
 * Holds one model of a store, among all processes that use it. One whose process ended, or fell silent, is taken over.
 *
 * @param waits Whether to wait for whoever holds it. Default: refuse.
 * @throws StoreError `model_refused` while somebody else holds it; the signal's reason.
 */
export async function holdModel(
  folder: string,
  id: string,
  { signal, waits = false }: { readonly signal: AbortSignal; readonly waits?: boolean },
): Promise<HeldLock> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `.${id}.lock`);
  const own = randomUUID();
  for (;;) {
    signal.throwIfAborted();
    if (await written(path, own)) break;
    if (await isGone(path)) {
      await rm(path, { force: true });
    } else if (waits) {
      await sleep(TRY_AGAIN_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    } else {
      throw new StoreError(
        "model_refused",
        `Another process of Aside is working on ${id}. Wait until it is done, then try again.`,
      );
    }
  }
  held.add(own);
  const signs = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, SIGN_EVERY_MS);
  signs.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(signs);
      held.delete(own);
      // Whoever took it over has another name in it.
      if ((await readHolder(path)).own === own) await rm(path, { force: true });
    },
  };
}

async function written(path: string, own: string): Promise<boolean> {
  try {
    const file = await open(path, "wx");
    await file.writeFile(JSON.stringify({ process: process.pid, own })).finally(() => file.close());
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<{ readonly process: number | null; readonly own: string | null }> {
  const kept = parsedJson(await readFile(path, "utf8").catch(() => ""));
  const { process: holder, own } = isObject(kept) ? kept : {};
  return { process: typeof holder === "number" ? holder : null, own: typeof own === "string" ? own : null };
}

/** Whether nobody holds a lock any more. One that was made this moment may still be empty. */
async function isGone(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null) return true;
  if (Date.now() - found.mtimeMs > GONE_AFTER_MS) return true;
  const { process: holder, own } = await readHolder(path);
  if (holder === null) return false;
  if (holder === process.pid) return own !== null && !held.has(own);
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
