import { readdirSync } from "node:fs";
import { afterAll, expect, vi } from "vitest";
import { makeTestFolders } from "./temporary-folder.ts";

// Runs around every test file: what lies in its temporary folder at the end, a test or the product has left behind.
const { temporary, remove } = makeTestFolders();

/** Chromium's own folders, which its processes leave now and then when they end. */
const CHROMIUM = ".org.chromium.";

afterAll(async () => {
  vi.useRealTimers();
  const left = () => readdirSync(temporary).filter((name) => !name.startsWith(CHROMIUM));
  try {
    // A process that a test has ended may still be removing what is its own.
    await vi.waitFor(() => expect(left(), "left in the temporary folder").toEqual([]), 30_000);
  } finally {
    await remove();
  }
});
