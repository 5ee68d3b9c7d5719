import { type FrameRate, frameRate, framesPerSecond } from "../../core/frame-rate.ts";
import { childAt, type XmlElement } from "../xml/xml-element.ts";

/** Rates of media as `conform-rate` names them; the others are whole numbers (FCPXML DTD, `srcFrameRate`). */
const NAMED_RATES: ReadonlyMap<string, FrameRate> = new Map([
  ["23.98", frameRate(24000, 1001)],
  ["29.97", frameRate(30000, 1001)],
  ["47.95", frameRate(48000, 1001)],
  ["59.94", frameRate(60000, 1001)],
  ["119.88", frameRate(120000, 1001)],
]);

/** How far rates may be apart, as a share, for media to be shown frame for frame; 24 and 25 are. */
const SAME_FRAMES = 0.05;

/** A clip's own seconds for each second of the sequence. */
export interface ConformPace {
  readonly numerator: number;
  readonly denominator: number;
}

/**
 * The pace of a clip whose media has another rate than its sequence (`conform-rate`). Rates that are close, or close to half or
 * double, are shown frame for frame, so that 25 fps in a sequence of 24 runs at 24/25; others keep their speed, as do those with
 * `scaleEnabled="0"`.
 *
 * @returns `null` where the clip keeps its speed.
 */
export function conformPace(clip: XmlElement, sequence: FrameRate): ConformPace | null {
  const conform = childAt(clip, "conform-rate");
  const name = conform?.attributes.get("srcFrameRate") ?? "";
  const whole = /^\d{1,3}$/.test(name) && Number(name) > 0 ? frameRate(Number(name)) : undefined;
  const source = NAMED_RATES.get(name) ?? whole;
  if (source === undefined || conform?.attributes.get("scaleEnabled") === "0") return null;
  const ratio = framesPerSecond(sequence) / framesPerSecond(source);
  const steps = [1, 2, 0.5].find((step) => Math.abs(ratio * step - 1) < SAME_FRAMES);
  if (steps === undefined || ratio * steps === 1) return null;
  return {
    numerator: sequence.numerator * source.denominator * (steps === 2 ? 2 : 1),
    denominator: sequence.denominator * source.numerator * (steps === 0.5 ? 2 : 1),
  };
}
