import { describe, expect, test } from "vitest";
import { batchDisplay } from "../../../src/cli/commands/batch/batch-display.ts";
import { clock, SILENT, STEP_NAMES, showingProgress, showProgress } from "../../../src/cli/shell/progress.ts";
import { STEPS } from "../../../src/workflow/describe/run.ts";

function display(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  let now = 0;
  const progress = showProgress({ isTTY, columns, write: (text) => written.push(text) }, () => now);
  return {
    progress,
    written,
    at(seconds: number) {
      now = seconds * 1000;
      return progress;
    },
  };
}

describe("on a terminal", () => {
  test("one line changes: step, percentage, detail and elapsed time; a finished step stays", () => {
    const { written, at } = display(true);
    at(0).update({ step: "upload", state: "begun" });
    at(7).update({ step: "upload", state: "under-way", fraction: 0.456, detail: "12 of 27 MB" });
    at(15).update({ step: "upload", state: "done" });
    expect(written).toEqual([
      "\r\u001b[2K● Upload  0:00",
      "\r\u001b[2K● Upload  45 %  12 of 27 MB  0:07",
      "\r\u001b[2K✓ Upload  0:15\n",
    ]);
  });

  test("a line never wraps, and the end leaves none behind", () => {
    const { written, at, progress } = display(true, 30);
    at(0).update({ step: "wait", state: "under-way", detail: "x".repeat(100) });
    progress.end();
    expect(written[0]?.replace("\r\u001b[2K", "")).toHaveLength(29);
    expect(written.at(-1)).toBe("\r\u001b[2K");
  });
});

test("work is shown as long as it goes on: its display has ended before anything else is written, whether it failed or not", async () => {
  for (const fails of [false, true]) {
    const written: string[] = [];
    const ended = showingProgress({ isTTY: true, write: (text) => written.push(text) }, async (progress) => {
      progress.update({ step: "upload", state: "begun" });
      if (fails) throw new Error("no line");
      return "sent";
    });
    expect(await ended.catch((error: Error) => error.message)).toBe(fails ? "no line" : "sent");
    expect(written).toEqual(["\r\u001b[2K● Upload  0:00", "\r\u001b[2K"]);
  }
  expect(await showingProgress(null, async (progress) => progress)).toBe(SILENT);
});

describe("elsewhere", () => {
  test("plain lines: each step's beginning and end, and one every ten seconds in between", () => {
    const { written, at } = display(false);
    at(0).update({ step: "wait", state: "begun" });
    at(4).update({ step: "wait", state: "under-way", fraction: 0.1, detail: "speak" });
    at(11).update({ step: "wait", state: "under-way", fraction: 0.5, detail: "speak" });
    at(65).update({ step: "wait", state: "done" });
    expect(written).toEqual(["Describe ...\n", "Describe  50 %  speak  0:11\n", "Describe: done, 1:05\n"]);
    expect(written.join("")).not.toContain("\u001b");
  });

  test("with --json nothing is shown", () => {
    SILENT.update({ step: "wait", state: "begun" });
    SILENT.end();
  });
});

test("every step of the workflow has a name", () => {
  for (const step of STEPS) expect(STEP_NAMES[step]).toMatch(/^[A-Z]/);
});

test("elapsed time counts minutes and seconds", () => {
  expect([0, 59.9, 60, 3_671].map(clock)).toEqual(["0:00", "0:59", "1:00", "61:11"]);
});

describe("of several at once", () => {
  function several(isTTY: boolean) {
    const written: string[] = [];
    const shown = batchDisplay({ isTTY, columns: 80, write: (text) => written.push(text) }, 2, () => 0);
    const [one, two] = [shown.of("[1/2]"), shown.of("[2/2]")];
    one.update({ step: "upload", state: "begun" });
    two.update({ step: "wait", state: "under-way", fraction: 0.4 });
    return { written, shown, one, two };
  }

  test("one line on a terminal holds the step of each; a line that stays goes above it", () => {
    const { written, shown, one, two } = several(true);
    expect(written.at(-1)).toBe("\r\u001b[2K● [1/2] Upload  0:00   [2/2] Describe  40 %  0:00");
    one.end();
    expect(written.at(-1)).toBe("\r\u001b[2K● [2/2] Describe  40 %  0:00");
    shown.tell("[1/2] done");
    expect(written.slice(-2)).toEqual(["\r\u001b[2K[1/2] done\n", "\r\u001b[2K● [2/2] Describe  40 %  0:00"]);
    two.end();
    expect(written.at(-1)).toBe("\r\u001b[2K");
  });

  test.each([
    [undefined, 79],
    [80, 79],
    [40, 39],
    [21, 20],
    [5, 20],
  ])("of a terminal of %s columns the last stays free", (columns, longest) => {
    const written: string[] = [];
    const terminal = { isTTY: true, ...(columns === undefined ? {} : { columns }) };
    const shown = batchDisplay({ ...terminal, write: (text) => written.push(text) }, 9, () => 0);
    const all = Array.from({ length: 9 }, (_, index) => shown.of(`[${index + 1}/9]`));
    for (const one of all) one.update({ step: "upload", state: "begun" });
    expect(written.at(-1)?.replace("\r\u001b[2K", "")).toHaveLength(longest);
    for (const one of all) one.end();
  });

  test("plain lines elsewhere carry their label", () => {
    expect(several(false).written).toEqual(["[1/2] Upload ...\n", "[2/2] Describe ...\n"]);
  });
});
