import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { batchDisplay } from "../../../../src/cli/commands/batch/batch-display.ts";

// Of several films at once, by the clock of the process.

const RESET = "\r\u001b[2K";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function shown(atOnce: number, isTTY: boolean) {
  const pieces: string[] = [];
  return { pieces, display: batchDisplay({ isTTY, write: (text) => void pieces.push(text) }, atOnce) };
}

test("a line on a terminal is drawn each second, each step with its own time, and no more once all have ended", () => {
  const { pieces, display } = shown(2, true);
  const [one, two] = [display.of("[1/2]"), display.of("[2/2]")];
  one.update({ step: "upload", state: "begun" });
  vi.advanceTimersByTime(999);
  expect(pieces).toHaveLength(1);
  vi.advanceTimersByTime(1);
  // Each of the two draws the one line.
  expect(pieces.slice(1)).toEqual(Array(2).fill(`${RESET}● [1/2] Upload  0:01`));
  vi.advanceTimersByTime(60_000);
  two.update({ step: "wait", state: "begun" });
  vi.advanceTimersByTime(2_000);
  expect(pieces.at(-1)).toBe(`${RESET}● [1/2] Upload  1:03   [2/2] Describe  0:02`);
  one.end();
  two.end();
  const { length } = pieces;
  expect(pieces.at(-1)).toBe(RESET);
  vi.advanceTimersByTime(10_000);
  expect(pieces).toHaveLength(length);
});

test.each([
  [1, "", true],
  [1, "", false],
  [2, "[2/3] ", false],
])("of %i at once each step says how long it took", (atOnce, label, isTTY) => {
  const { pieces, display } = shown(atOnce, isTTY);
  const one = display.of("[2/3]");
  one.update({ step: "upload", state: "begun" });
  vi.advanceTimersByTime(67_000);
  one.update({ step: "upload", state: "done" });
  one.end();
  expect(pieces.at(-1)).toBe(isTTY ? `${RESET}✓ Upload  1:07\n` : `${label}Upload: done, 1:07\n`);
});
