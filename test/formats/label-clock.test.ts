import { describe, expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { LabelClock, type LabelReading, onOwnGrid } from "../../src/formats/label-clock.ts";
import { IssueList } from "../../src/formats/parse-issue.ts";

const AT_25 = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
const NTSC = { rate: frameRate(30_000, 1001), isDropFrame: false, startFrame: 0 };
const HOUR = 90_000;

function clockOf(reading: LabelReading, highestFrame = 0, isDropFrame: boolean | null = null) {
  const issues = new IssueList();
  const clock = new LabelClock(reading, { highestFrame, isDropFrame }, issues);
  return {
    clock,
    told: () => issues.finish().map(({ code, line, text, message }) => [code, line, text, message.split(": ")[1]]),
  };
}

test.each([
  [0, null, frameRate(24), "24"],
  [23, false, frameRate(24), "24"],
  [24, null, frameRate(25), "25"],
  [25, null, frameRate(30), "30"],
  [29, null, frameRate(30), "30"],
  [30, null, frameRate(50), "50"],
  [49, null, frameRate(50), "50"],
  [50, null, frameRate(60), "60"],
  [119, null, frameRate(60), "60"],
  [29, true, frameRate(30_000, 1001), "29.97"],
  [30, true, frameRate(60_000, 1001), "59.94"],
  [59, true, frameRate(60_000, 1001), "59.94"],
  [60, true, frameRate(120_000, 1001), "119.88"],
])("labels up to frame %i, drop-frame %s, are read at the rate that has them", (highest, isDropFrame, rate, name) => {
  const { clock, told } = clockOf({}, highest, isDropFrame);
  expect(clock.grid).toEqual({ rate, isDropFrame: isDropFrame === true, startFrame: 0 });
  const [[code, line, text, detail] = []] = told();
  expect([code, line, text]).toEqual(["assumed-rate", 0, ""]);
  expect(detail).toContain(name);
});

test("a grid that is given counts, and nothing is told", () => {
  const { clock, told } = clockOf({ grid: AT_25 }, 49, true);
  expect([clock.grid, told()]).toEqual([AT_25, []]);
});

test("the text's way of counting is taken where the rate has it, and told where the grid says another", () => {
  const formatOf = (grid: typeof AT_25, isDropFrame: boolean | null) => {
    const { clock, told } = clockOf({ grid });
    return [
      clock.formatFor(isDropFrame, 7).isDropFrame,
      ...told().map(([code, line, , detail]) => `${code}@${line} ${detail}`),
    ];
  };
  expect([formatOf(NTSC, null), formatOf(NTSC, false)]).toEqual([[false], [false]]);
  expect(formatOf(NTSC, true)).toEqual([true, "frame-mode-conflict@7 the text's drop-frame was taken"]);
  expect(formatOf({ ...NTSC, isDropFrame: true }, false)).toEqual([
    false,
    "frame-mode-conflict@7 the text's non-drop was taken",
  ]);
  expect([formatOf({ ...NTSC, isDropFrame: true }, null), formatOf({ ...NTSC, isDropFrame: true }, true)]).toEqual([
    [true],
    [true],
  ]);
  expect(formatOf(AT_25, true)).toEqual([
    false,
    expect.stringMatching(/^frame-mode-conflict@7 25.* has no drop-frame$/),
  ]);
});

test("a label that does not exist becomes the next that does, which is told; what is no label is none", () => {
  const { clock, told } = clockOf({ grid: { ...NTSC, isDropFrame: true } });
  expect(clock.frame("00:01:00;00", clock.grid, 3)).toBe(1800);
  expect(clock.frame("00:00:60;00", clock.grid, 4)).toBe(1800);
  expect(clock.frame("soon", clock.grid, 5)).toBeNull();
  expect(told().map(([code, line, text]) => `${code}@${line} ${text}`)).toEqual([
    "dropped-label@3 00:01:00;00",
    "label-out-of-range@4 00:00:60;00",
    "dropped-label@4 00:00:60;00",
  ]);
  expect(clock.seconds(60, 30)).toBeCloseTo(1.001, 9);
});

describe("programme time 0 is", () => {
  const startOf = (reading: LabelReading, first: number, last: number, durationSeconds?: number) => {
    const { clock, told } = clockOf(reading);
    return [clock.startFrame(first, last, durationSeconds) / HOUR, told().length];
  };
  const grid = AT_25;

  test("the start that a person gave, wherever the labels lie", () => {
    expect(startOf({ grid, isStartGiven: true }, 0, 5)).toEqual([1, 0]);
    expect(startOf({ grid, isStartGiven: true }, 9 * HOUR, 9 * HOUR, 60)).toEqual([1, 0]);
  });

  test("the grid's where the first label lies in its hour, else the hour of that label", () => {
    expect(startOf({ grid }, HOUR, HOUR)).toEqual([1, 0]);
    expect(startOf({ grid }, 2 * HOUR - 1, 5 * HOUR)).toEqual([1, 0]);
    expect(startOf({ grid }, HOUR - 1, HOUR)).toEqual([0, 1]);
    expect(startOf({ grid }, 2 * HOUR, 2 * HOUR)).toEqual([2, 1]);
    expect(startOf({ grid: { ...grid, startFrame: HOUR / 2 } }, HOUR / 4, HOUR)).toEqual([0, 1]);
    expect(startOf({ grid: { ...grid, startFrame: HOUR / 2 } }, HOUR * 1.25, HOUR * 2)).toEqual([0.5, 0]);
  });

  test("of a programme whose length is known, the first that all labels fit behind: the grid's, midnight, the hour", () => {
    expect(startOf({ grid }, HOUR, HOUR + 1500, 60)).toEqual([1, 0]);
    // A second more than the programme is allowed.
    expect(startOf({ grid }, HOUR, HOUR + 1525, 60)).toEqual([1, 0]);
    expect(startOf({ grid }, 0, 1525, 60)).toEqual([0, 1]);
    expect(startOf({ grid }, HOUR - 1, HOUR + 5, 3700)).toEqual([0, 1]);
    expect(startOf({ grid }, 3 * HOUR + 5, 3 * HOUR + 9, 60)).toEqual([3, 1]);
    expect(startOf({ grid }, 3 * HOUR + 5, 3 * HOUR + 9000, 60)).toEqual([1, 0]);
    expect(startOf({ grid }, HOUR - 5, HOUR + 9000, 60)).toEqual([0, 1]);
    expect(startOf({ grid }, HOUR, HOUR + 1526, 60)).toEqual([1, 0]);
  });

  test("told with both labels where it is not the grid's", () => {
    const { clock, told } = clockOf({ grid });
    clock.startFrame(2 * HOUR + 5, 2 * HOUR + 5);
    expect(told()).toEqual([
      ["assumed-start", 0, "02:00:00:05", "counted from 02:00:00:00, the sequence from 01:00:00:00"],
    ]);
  });
});

test("a text with a rate of its own is read on it, from the start that was given, else that which it names", () => {
  const own = { rate: frameRate(50), isDropFrame: false };
  const started = (startFrame: number) => ({ ...own, startFrame });
  expect(onOwnGrid({}, own, null)).toEqual({ grid: started(0), isStartGiven: false });
  expect(onOwnGrid({}, own, 0)).toEqual({ grid: started(0), isStartGiven: false });
  expect(onOwnGrid({}, own, 7)).toEqual({ grid: started(7), isStartGiven: true });
  expect(onOwnGrid({ grid: AT_25 }, own, 7)).toEqual({ grid: started(7), isStartGiven: true });
  expect(onOwnGrid({ grid: AT_25, isStartGiven: true, durationSeconds: 9 }, own, 7)).toEqual({
    ...{ grid: started(180_000), isStartGiven: true, durationSeconds: 9 },
  });
  expect(onOwnGrid({ isStartGiven: true, durationSeconds: 0 }, own, null)).toEqual({
    ...{ grid: started(0), isStartGiven: false, durationSeconds: 0 },
  });
  // Frame 40 of a second is none at 25.
  const fast = { rate: frameRate(50), isDropFrame: false, startFrame: 40 };
  expect(onOwnGrid({ grid: fast, isStartGiven: true }, { rate: frameRate(25), isDropFrame: false }, 7)).toEqual({
    grid: { rate: frameRate(25), isDropFrame: false, startFrame: 7 },
    isStartGiven: true,
  });
});
