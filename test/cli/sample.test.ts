import { expect, test } from "vitest";
import { SAMPLE_TRUTH, sampleNote } from "../../src/cli/sample.ts";

test("each description of the sample that lies over one of its lines is counted", () => {
  const { speech, durationSeconds } = SAMPLE_TRUTH;
  const [first, last] = [speech[0], speech.at(-1)];
  if (first === undefined || last === undefined) throw new Error("the sample has no dialogue");
  const apart = { start: durationSeconds, end: durationSeconds + 1 };
  expect(sampleNote([apart])).toMatch(
    /^The sample has \d+ lines of dialogue at known times; no description lies over any/,
  );
  expect(sampleNote([apart, first, apart, last])).toContain("; 2 of 4 descriptions lie over one.");
});
