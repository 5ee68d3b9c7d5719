import fc from "fast-check";
import { expect, test } from "vitest";
import { isObject } from "../../src/core/objects.ts";
import { formatTimecode, framesPerDay, startLabel } from "../../src/core/timecode.ts";
import { FORMATS } from "./timecode-formats.ts";

test("a label stands for its frame, with drop-frame where it is written so and the rate has it", () => {
  fc.assert(
    fc.property(fc.constantFrom(...FORMATS), fc.nat(2_000_000), (format, frame) => {
      const startFrame = frame % framesPerDay(format);
      expect(startLabel(formatTimecode(startFrame, format), format.rate)).toEqual({
        isDropFrame: format.isDropFrame,
        startFrame,
      });
    }),
  );
});

test("a semicolon at a rate without drop-frame is a colon; a label that is skipped or too high is the next that there is", () => {
  const [pal, film] = [
    { numerator: 25, denominator: 1 },
    { numerator: 30_000, denominator: 1001 },
  ];
  expect(startLabel("00:00:01;00", pal)).toEqual({ isDropFrame: false, startFrame: 25 });
  expect(startLabel("00:01:00;00", film)).toEqual({ isDropFrame: true, startFrame: 1800 });
  expect(startLabel("00:00:00:30", pal)).toEqual({ isDropFrame: false, startFrame: 30 });
  for (const label of [null, "", "soon", "1:2"])
    expect(startLabel(label, pal)).toEqual({ isDropFrame: false, startFrame: 0 });
});

test("an object is neither nothing nor a list", () => {
  expect([{}, { a: 1 }, new Map()].map(isObject)).toEqual([true, true, true]);
  for (const other of [null, undefined, [], "x", 0, true, () => 1]) expect(isObject(other)).toBe(false);
});
