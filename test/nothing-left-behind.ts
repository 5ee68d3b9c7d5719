import { readdirSync } from "node:fs";
import { afterAll, expect, vi } from "vitest";
import { makeTestFolders } from "./temporary-folder.ts";

// Runs around every test file: what lies in its temporary folder at the end, a test or the product has left behind. The files
// after it in the same process find the globals as they were: one that stayed changed fails the file that changed it.
const { temporary, remove } = makeTestFolders();

/** Chromium's own folders, which its processes leave now and then when they end. */
const CHROMIUM = ".org.chromium.";

const GLOBALS = [
  ...["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "queueMicrotask"],
  ...["Date", "performance", "fetch", "navigator", "URL", "Math"],
];
const BORN = Symbol.for("aside.globals-as-born");
const globals = globalThis as Record<string | symbol, unknown>;
globals[BORN] ??= Object.fromEntries(GLOBALS.map((name) => [name, globals[name]]));
const born = globals[BORN] as Record<string, unknown>;

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
  } finally {
    await remove();
  }
  expect(changed, "globals that stayed changed").toEqual([]);
});
