import { expect, test } from "vitest";
import { formatTimecode, framesPerDay, parseTimecode, type TimecodeFormat } from "../../src/core/timecode.ts";
import { FORMATS } from "./timecode-formats.ts";

const named = (format: TimecodeFormat) =>
  `${format.rate.numerator}/${format.rate.denominator}${format.isDropFrame ? " drop" : ""}`;

/** Frames of a day that are looked at: all with `ASIDE_THOROUGH=1`, else its ends and what surrounds each minute. */
function* framesOf(format: TimecodeFormat): Generator<number> {
  const day = framesPerDay(format);
  const isThorough = process.env["ASIDE_THOROUGH"] === "1";
  const minute = day / (24 * 60);
  for (let frame = 0; frame < day; frame++) {
    const isNearMinute = Math.min(frame % minute, minute - (frame % minute)) < AROUND_MINUTE;
    if (isThorough || frame < WHOLE_MINUTES * minute || frame >= day - WHOLE_MINUTES * minute || isNearMinute)
      yield frame;
  }
}

/** Minutes of which every frame is looked at: drop-frame does the same every ten. */
const WHOLE_MINUTES = 11;

/** Frames before and after a minute; a drop-frame minute is up to half a second longer or shorter than the mean. */
const AROUND_MINUTE = 70;

test.each(FORMATS.map((format) => [named(format), format] as const))(
  "labels of a day at %s there and back, each one later than the one before",
  (_, format) => {
    let before = "";
    for (const frame of framesOf(format)) {
      const label = formatTimecode(frame, format);
      const parsed = parseTimecode(label, format);
      // One comparison a frame: an expectation for each of ten million would take minutes.
      if (!parsed.ok || parsed.frame !== frame || !(label > before)) expect({ frame, label, parsed }).toBeNull();
      before = label;
    }
    expect(before.slice(0, 8)).toBe("23:59:59");
  },
);
