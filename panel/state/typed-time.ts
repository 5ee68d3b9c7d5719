import { framesFromSeconds, secondsFromFrames } from "../../src/core/frame-rate.ts";
import type { FrameGrid } from "../../src/core/settings.ts";
import { nominalFrameRate, parseTimecode, timecodeAt } from "../../src/core/timecode.ts";

/** Fields of a label, or of its end: `01:00:09:20`, `9:20`, `920`. */
const FIELDS = /^\d{1,9}(?:[:;.,]\d{1,3}){0,3}$/;

/** So much later, or earlier. */
const SIGN = /^[+\-−]/;

/** Whether a distance was typed, such as `+10`: a time that many cues can have in their own way. */
export function isDistance(text: string): boolean {
  return SIGN.test(text.trim());
}

/**
 * A time as editors type it into a timecode field, in seconds on the programme clock: a whole label; the end of one, whose
 * beginning stays as it is (`9:20`, or `920` without marks); or so much later or earlier (`+10` frames, `-1:00` a second).
 * `null` where it is none of these.
 *
 * @param current The time that stands in the field, in seconds.
 */
export function secondsFromTyped(text: string, grid: FrameGrid, current: number): number | null {
  const typed = text.trim();
  const fields = fieldsIn(typed.replace(SIGN, ""));
  if (fields === null) return null;
  if (isDistance(typed)) {
    const frames = framesIn(fields, nominalFrameRate(grid.rate));
    const from = framesFromSeconds(current, grid.rate);
    return secondsFromFrames(typed.startsWith("+") ? from + frames : from - frames, grid.rate);
  }
  const standing = timecodeAt(grid, current).split(/[:;]/);
  const label = [...standing.slice(0, standing.length - fields.length), ...fields].join(":");
  const parsed = parseTimecode(label, grid, { dropped: "next" });
  return parsed.ok ? secondsFromFrames(parsed.frame - grid.startFrame, grid.rate) : null;
}

/** Hours, minutes, seconds and frames, as many of the last of them as were typed; `null` where it is no such thing. */
function fieldsIn(text: string): readonly string[] | null {
  if (!FIELDS.test(text)) return null;
  const fields = text.split(/[:;.,]/);
  const [only = ""] = fields;
  if (fields.length > 1 || only.length <= 2) return fields;
  // Without marks, two digits are a field, counted from the frames.
  return only.length <= 8
    ? (only
        .padStart(8, "0")
        .match(/\d\d/g)
        ?.slice(-Math.ceil(only.length / 2)) ?? null)
    : null;
}

function framesIn(fields: readonly string[], framesPerSecond: number): number {
  const [frames = 0, seconds = 0, minutes = 0, hours = 0] = fields.map(Number).reverse();
  return ((hours * 60 + minutes) * 60 + seconds) * framesPerSecond + frames;
}
