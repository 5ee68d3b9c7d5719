import promises from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { replaceCalls } from "./replaced-calls.ts";

/** What changes a disk. */
const CHANGES = ["copyFile", "mkdir", "rename", "rm", "rmdir", "unlink", "utimes", "writeFile"] as const;

/** How long each change takes longer than it would, in milliseconds. */
const SLOWER_MS = 5;

/**
 * Does some work over a disk on which every change takes a while.
 *
 * @param folder What lies in it is looked at; what else the process does is not.
 * @returns The changes that nobody waited for, as `rmdir out`: they were under way when the next one began, or when the work said
 *   that it had ended. A process that ends then loses them.
 */
export async function unawaitedChanges(folder: string, work: () => Promise<unknown>): Promise<readonly string[]> {
  const underWay = new Map<symbol, string>();
  const unawaited = new Set<string>();
  const look = () => {
    for (const change of underWay.values()) unawaited.add(change);
  };
  const slow = (name: string, change: (...given: unknown[]) => Promise<unknown>) =>
    async function changed(...given: unknown[]): Promise<unknown> {
      const path = String(given[0]);
      if (!path.startsWith(folder)) return change(...given);
      look();
      const token = Symbol(name);
      underWay.set(token, `${name} ${basename(path)}`);
      try {
        await sleep(SLOWER_MS);
        return await change(...given);
      } finally {
        underWay.delete(token);
      }
    };
  const restore = replaceCalls(
    promises,
    Object.fromEntries(CHANGES.map((name) => [name, slow(name, promises[name] as never)])),
  );
  try {
    await work();
    look();
    return [...unawaited];
  } finally {
    restore();
  }
}
