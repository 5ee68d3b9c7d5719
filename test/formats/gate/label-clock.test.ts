import { expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { labelTime } from "../../../src/formats/clock-time.ts";
import type { FilmReading } from "../../../src/formats/gate/film-reading.ts";
import { LabelClock } from "../../../src/formats/gate/label-clock.ts";
import { IssueList } from "../../../src/formats/parse-issue.ts";

const AT_25 = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
const NTSC = { rate: frameRate(30_000, 1001), isDropFrame: false, startFrame: 0 };

function clockOf(reading: FilmReading, highestFrame = 0, isDropFrame: boolean | null = null) {
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
  expect(clock.format).toEqual({ rate, isDropFrame: isDropFrame === true });
  const [[code, line, text, detail] = []] = told();
  expect([code, line, text]).toEqual(["assumed-rate", 0, ""]);
  expect(detail).toContain(name);
});

test("a grid that is given counts, and nothing is told", () => {
  const { clock, told } = clockOf({ grid: AT_25 }, 49, null);
  expect([clock.format, told()]).toEqual([{ rate: AT_25.rate, isDropFrame: false }, []]);
});

test("what the text states of rate and counting comes before the film's, and nothing is told", () => {
  const issues = new IssueList();
  const format = { rate: NTSC.rate, isDropFrame: true };
  const clock = new LabelClock({ grid: AT_25 }, { format, highestFrame: 49, isDropFrame: null }, issues);
  expect([clock.format, issues.finish()]).toEqual([format, []]);
});

test("the text's way of counting is taken where the rate has it, and told where the grid says another", () => {
  const formatOf = (grid: typeof AT_25, isDropFrame: boolean | null) => {
    const { clock, told } = clockOf({ grid }, 0, isDropFrame);
    return [clock.format.isDropFrame, ...told().map(([code, line, , detail]) => `${code}@${line} ${detail}`)];
  };
  expect([formatOf(NTSC, null), formatOf(NTSC, false)]).toEqual([[false], [false]]);
  expect(formatOf(NTSC, true)).toEqual([true, "frame-mode-conflict@0 the text's drop-frame was taken"]);
  expect(formatOf({ ...NTSC, isDropFrame: true }, false)).toEqual([
    false,
    "frame-mode-conflict@0 the text's non-drop was taken",
  ]);
  expect([formatOf({ ...NTSC, isDropFrame: true }, null), formatOf({ ...NTSC, isDropFrame: true }, true)]).toEqual([
    [true],
    [true],
  ]);
  expect(formatOf(AT_25, true)).toEqual([
    false,
    expect.stringMatching(/^frame-mode-conflict@0 25.* has no drop-frame$/),
  ]);
});

test("a label that does not exist becomes the next that does, which is told once a line; what is no label is none", () => {
  const { clock, told } = clockOf({ grid: { ...NTSC, isDropFrame: true } });
  expect(clock.frame(labelTime("00:01:00;00"), 3)).toBe(1800);
  expect(clock.frame({ ...labelTime("00:01:00;00"), further: 2.5 }, 3)).toBe(1802.5);
  expect(clock.frame(labelTime("00:00:60;00"), 4)).toBe(1800);
  expect(clock.frame(labelTime("00:01:00;00", 6), 5)).toBe(1800);
  expect(clock.frame(labelTime("soon"), 5)).toBeNull();
  expect(told().map(([code, line, text]) => `${code}@${line} ${text}`)).toEqual([
    "dropped-label@3 00:01:00;00",
    "label-out-of-range@4 00:00:60;00",
    "dropped-label@4 00:00:60;00",
    "dropped-label@6 00:01:00;00",
  ]);
});
