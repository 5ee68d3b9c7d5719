import { readdirSync } from "node:fs";
import { setTimeout as setTimeoutOfNode } from "node:timers/promises";
import { afterAll, expect, vi } from "vitest";
import { makeTestFolders } from "./temporary-folder.ts";

// Runs around every test file: what lies in its temporary folder at the end, a test or the product has left behind. The files
// after it in the same process find the globals as they were: one that stayed changed fails the file that changed it. And they
// have the process for themselves: what goes on and on fails the file that began it.
const { temporary, remove } = makeTestFolders();

/** Chromium's own folders, which its processes leave now and then when they end. */
const CHROMIUM = ".org.chromium.";

/** How long timers are listened for at the end of a file, in milliseconds: longer than one that goes round and round takes. */
const WATCHED_MS = 15;

const GLOBALS = [
  ...["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "queueMicrotask"],
  ...["Date", "performance", "fetch", "navigator", "URL", "Math"],
];
/** Who sets timers while it is listened for, each by its stack. */
interface Timers {
  isHeard: boolean;
  readonly set: string[];
}
const TIMERS = Symbol.for("aside.timers");
const BORN = Symbol.for("aside.globals-as-born");
const globals = globalThis as Record<string | symbol, unknown>;
globals[TIMERS] ??= listenToTimers();
globals[BORN] ??= Object.fromEntries(GLOBALS.map((name) => [name, globals[name]]));
const born = globals[BORN] as Record<string, unknown>;

/** Has a process tell who sets its timers. */
function listenToTimers(): Timers {
  const timers: Timers = { isHeard: false, set: [] };
  for (const name of ["setTimeout", "setImmediate"] as const) {
    const set = globalThis[name] as (...given: readonly unknown[]) => unknown;
    const told = (...given: readonly unknown[]) => {
      if (timers.isHeard) timers.set.push(new Error(name).stack ?? name);
      return set(...given);
    };
    globals[name] = Object.defineProperties(told, Object.getOwnPropertyDescriptors(set));
  }
  return timers;
}

/** Who sets timers within a while that is too short for what looks now and then. */
async function whoGoesOn(): Promise<readonly string[]> {
  const timers = globals[TIMERS] as Timers;
  timers.set.length = 0;
  timers.isHeard = true;
  await setTimeoutOfNode(WATCHED_MS);
  timers.isHeard = false;
  return timers.set.slice(0, 2);
}

/** The names of globals that are not as the process was born with them; all are put back. */
function putBackGlobals(): string[] {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  const changed = GLOBALS.filter((name) => globals[name] !== born[name]);
  for (const name of changed) {
    Object.defineProperty(globals, name, { value: born[name], configurable: true, writable: true });
  }
  return changed;
}

// Vitest restores what was spied on between two files, over what was put back before.
putBackGlobals();
afterAll(async () => {
  const changed = putBackGlobals();
  const left = () => readdirSync(temporary).filter((name) => !name.startsWith(CHROMIUM));
  try {
    // A process that a test has ended may still be removing what is its own.
    await vi.waitFor(() => expect(left(), "left in the temporary folder").toEqual([]), 30_000);
    await vi.waitFor(async () => expect(await whoGoesOn(), "goes on after the tests").toEqual([]), 5000);
  } finally {
    await remove();
  }
  expect(changed, "globals that stayed changed").toEqual([]);
});
