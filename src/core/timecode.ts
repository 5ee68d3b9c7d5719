import { type FrameRate, frameRate, framesFromSeconds, framesPerSecond } from "./frame-rate.ts";
import type { FrameGrid } from "./settings.ts";

/** How frames are labelled: the rate, and whether labels are dropped to stay near the clock. Never inferred. */
export interface TimecodeFormat {
  readonly rate: FrameRate;
  readonly isDropFrame: boolean;
}

/** The whole rate labels count to: 30 at 30000/1001, 24 at 24000/1001, 13 at 25/2. */
export function nominalFrameRate(rate: FrameRate): number {
  return Math.floor((rate.numerator + rate.denominator - 1) / rate.denominator);
}

/**
 * Whether drop-frame labels exist at a rate: multiples of 30000/1001 (SMPTE ST 12-1 and its high-rate forms), and of
 * exactly 30, where film work uses the same count.
 */
export function canDropFrames(rate: FrameRate): boolean {
  return (
    (rate.denominator === 1001 && rate.numerator % 30000 === 0) || (rate.denominator === 1 && rate.numerator % 30 === 0)
  );
}

/** What stands before the frames of a label. */
export type FrameSeparator = ":" | ";" | "." | ",";

/**
 * The label of a frame counted from 00:00:00:00, `HH:MM:SS:FF`, with `;` before FF when drop-frame unless `separator`
 * says otherwise. Hours are not wrapped at 24; a negative frame is written with a leading `-`. FF has three digits above
 * 100 frames per second.
 *
 * @throws RangeError when `frame` is not a whole number, or drop-frame is asked for at a rate that has none.
 */
export function formatTimecode(frame: number, format: TimecodeFormat, separator?: FrameSeparator): string {
  if (!Number.isSafeInteger(frame)) throw new RangeError(`frame number ${frame} is not a whole number`);
  const nominal = nominalFrameRate(format.rate);
  const count = Math.abs(frame);
  const label = format.isDropFrame ? labelFromDropFrame(count, nominal, droppedLabels(format.rate)) : count;
  const frames = String(label % nominal).padStart(frameDigits(nominal), "0");
  const seconds = Math.floor(label / nominal);
  const clock = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  return `${frame < 0 ? "-" : ""}${clock}${separator ?? (format.isDropFrame ? ";" : ":")}${frames}`;
}

/** The label of a time in seconds, on the clock whose 0 is the grid's first frame: of a programme, or of a sequence. */
export function timecodeAt(grid: FrameGrid, seconds: number): string {
  return formatTimecode(grid.startFrame + framesFromSeconds(seconds, grid.rate), grid);
}

/**
 * Labels that drop-frame skips at the start of each minute but every tenth: 2 at 29.97, 4 at 59.94, 8 at 119.88.
 *
 * @throws RangeError when the rate has no drop-frame labels.
 */
function droppedLabels(rate: FrameRate): number {
  if (!canDropFrames(rate)) throw new RangeError(`no drop-frame labels at ${rate.numerator}/${rate.denominator}`);
  return nominalFrameRate(rate) / 15;
}

/** Frames that 24 hours of labels count: 2 589 408 at 29.97 drop-frame, 2 592 000 without. */
export function framesPerDay(format: TimecodeFormat): number {
  const nominal = nominalFrameRate(format.rate);
  return nominal * 86400 - (format.isDropFrame ? droppedLabels(format.rate) * 9 * 144 : 0);
}

/** Digits that the frames of a label are written with: 2, and 3 above 100 frames per second. */
function frameDigits(nominal: number): number {
  return Math.max(2, String(nominal - 1).length);
}

function labelFromDropFrame(frame: number, nominal: number, dropped: number): number {
  const perMinute = nominal * 60 - dropped;
  const perTenMinutes = nominal * 600 - 9 * dropped;
  const tens = Math.floor(frame / perTenMinutes);
  const rest = frame % perTenMinutes;
  const minutes = rest < nominal * 60 ? 0 : 1 + Math.floor((rest - nominal * 60) / perMinute);
  return frame + dropped * (9 * tens + minutes);
}

/** A whole number from 0 with two digits at least: hours, minutes, seconds, frames. */
export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** What becomes of a label that does not exist at the rate. Every choice defaults to `refuse`. */
export interface LabelRepair {
  /**
   * A label that drop-frame skips (00:01:00;00 at 29.97): `next` is the first label after the skipped ones (;02),
   * `previous` the last before them (00:00:59;29), `formula` what the counting formula gives (00:00:59;28), as some
   * software reads it.
   */
  readonly dropped?: "refuse" | "next" | "previous" | "formula";
  /**
   * A part above its range (frame 24 at 24 fps, second 60): `carry` counts it into the next part, `clamp` takes the
   * highest value the part can have.
   */
  readonly overflow?: "refuse" | "carry" | "clamp";
}

/** What is wrong with a label. */
type LabelFault =
  /** Not four numbers parted by `:` `;` `.` or `,`. */
  | "not-a-label"
  /** Drop-frame skips it. */
  | "dropped-label"
  /** Frames, seconds or minutes are above their range. */
  | "part-out-of-range";

/** A label read: its frame counted from 00:00:00:00, and what was repaired on the way; or why it was refused. */
export type ParsedTimecode =
  | { readonly ok: true; readonly frame: number; readonly repaired: readonly LabelFault[] }
  | { readonly ok: false; readonly fault: LabelFault };

const LABEL = /^\s*([+-]?)(\d{1,9})[:;.,](\d{1,2})[:;.,](\d{1,2})[:;.,](\d{1,3})\s*$/;

/**
 * Reads a label `HH:MM:SS:FF` of the given format; `;`, `.` and `,` are taken for `:` anywhere, since devices and editors
 * differ in them, and say nothing about drop-frame. Hours may pass 24. A leading `-` gives a negative frame.
 *
 * @throws RangeError when drop-frame is asked for at a rate that has none.
 */
export function parseTimecode(text: string, format: TimecodeFormat, repair: LabelRepair = {}): ParsedTimecode {
  const parts = LABEL.exec(text);
  if (parts === null) return { ok: false, fault: "not-a-label" };
  const magnitude = frameFromLabel(
    { hours: Number(parts[2]), minutes: Number(parts[3]), seconds: Number(parts[4]), frames: Number(parts[5]) },
    format,
    repair,
  );
  if (!magnitude.ok || parts[1] !== "-") return magnitude;
  return { ...magnitude, frame: 0 - magnitude.frame };
}

/** The four numbers of a label, all whole and not negative. */
interface LabelParts {
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly frames: number;
}

/**
 * The frame of a label given as numbers, counted from 00:00:00:00, under the same rules as {@link parseTimecode}.
 *
 * @throws RangeError when drop-frame is asked for at a rate that has none.
 */
function frameFromLabel(parts: LabelParts, format: TimecodeFormat, repair: LabelRepair = {}): ParsedTimecode {
  const nominal = nominalFrameRate(format.rate);
  const repaired: LabelFault[] = [];
  let { minutes, seconds, frames } = parts;
  if (frames >= nominal || seconds > 59 || minutes > 59) {
    if (repair.overflow === undefined || repair.overflow === "refuse") return { ok: false, fault: "part-out-of-range" };
    repaired.push("part-out-of-range");
    if (repair.overflow === "clamp") {
      frames = Math.min(frames, nominal - 1);
      seconds = Math.min(seconds, 59);
      minutes = Math.min(minutes, 59);
    }
  }
  let label = ((parts.hours * 60 + minutes) * 60 + seconds) * nominal + frames;
  if (!format.isDropFrame) return { ok: true, frame: label, repaired };
  const dropped = droppedLabels(format.rate);
  const minute = Math.floor(label / (nominal * 60));
  const intoMinute = label % (nominal * 60);
  if (minute % 10 !== 0 && intoMinute < dropped) {
    if (repair.dropped === undefined || repair.dropped === "refuse") return { ok: false, fault: "dropped-label" };
    repaired.push("dropped-label");
    if (repair.dropped === "next") label += dropped - intoMinute;
    if (repair.dropped === "previous")
      return { ok: true, frame: countedFrames(label - intoMinute - 1, nominal, dropped), repaired };
  }
  return { ok: true, frame: countedFrames(label, nominal, dropped), repaired };
}

/** Frames up to a label, counted as if none were dropped, less those that are. */
function countedFrames(label: number, nominal: number, dropped: number): number {
  const minutes = Math.floor(label / (nominal * 60));
  return label - dropped * (minutes - Math.floor(minutes / 10));
}

/**
 * The frame that a file's own first label stands for: drop-frame only where the label is written so and the rate has it; 0
 * where there is no label, or none that can be read.
 */
export function startLabel(label: string | null, rate: FrameRate): { isDropFrame: boolean; startFrame: number } {
  const isDropFrame = label?.includes(";") === true && canDropFrames(rate);
  const parsed =
    label === null ? null : parseTimecode(label, { rate, isDropFrame }, { dropped: "next", overflow: "carry" });
  return { isDropFrame, startFrame: parsed?.ok === true ? parsed.frame : 0 };
}

/** Rates that are written as decimals, with the fraction they stand for. */
const NTSC_MULTIPLE = 1000 / 1001;

/** Frames a second by which a rate may lie beside a whole one and be meant as it: rates are written to six places. */
const WHOLE_TOLERANCE = 1e-6;

/** How far a written decimal may lie from a multiple of 1000/1001: 23.98 is 0.004 above 24000/1001. */
const DECIMAL_TOLERANCE = 0.0051;

/**
 * The fraction a decimal rate stands for: 23.98 and 23.976 are 24000/1001, 29.97 is 30000/1001, 25 is 25. A decimal near
 * no multiple of 1000/1001 and not whole is taken as it is, to six places.
 *
 * @throws RangeError when `decimal` is not a positive number below a million.
 */
export function rateFromDecimal(decimal: number): FrameRate {
  if (!(decimal > 0 && decimal < 1e6)) throw new RangeError(`frame rate ${decimal}`);
  const nearest = Math.round(decimal);
  if (nearest > 0 && Math.abs(decimal - nearest) < WHOLE_TOLERANCE) return frameRate(nearest);
  const above = Math.ceil(decimal);
  const isNtsc = above % 24 === 0 || above % 25 === 0 || above % 30 === 0;
  if (isNtsc && Math.abs(decimal - above * NTSC_MULTIPLE) < DECIMAL_TOLERANCE) return frameRate(above * 1000, 1001);
  return frameRate(Math.max(1, Math.round(decimal * 1e6)), 1e6);
}

const RATE_NAME =
  /^\s*(?:(\d{1,9})\s*\/\s*(\d{1,9})|(\d{1,6}(?:\.\d{1,9})?))\s*(?:fps|p)?\s*(ndf|df|d|drop|non-?drop)?\s*$/i;

/**
 * Reads a rate as editors write it: `25`, `23.976`, `23.98`, `29.97df`, `29.97 DF`, `59.94 ndf`, `30000/1001`. Without a
 * mark it is non-drop. `null` for anything else, and for drop-frame at a rate that has none.
 */
export function parseRateName(name: string): TimecodeFormat | null {
  const parts = RATE_NAME.exec(name);
  if (parts === null) return null;
  const numerator = Number(parts[1] ?? parts[3]);
  const denominator = Number(parts[2] ?? 1);
  if (!(numerator > 0 && denominator > 0)) return null;
  const rate = parts[1] === undefined ? rateFromDecimal(numerator) : frameRate(numerator, denominator);
  const isDropFrame = /^(?:d|df|drop)$/i.test(parts[4] ?? "");
  return isDropFrame && !canDropFrames(rate) ? null : { rate, isDropFrame };
}

/** The rate as editors write it: `25`, `23.976`, `29.97 DF`, `59.94`; other fractions as `37/2`. */
export function formatRateName(format: TimecodeFormat): string {
  const { numerator, denominator } = format.rate;
  const decimal = Number(framesPerSecond(format.rate).toFixed(3));
  const name = denominator === 1 || denominator === 1001 ? String(decimal) : `${numerator}/${denominator}`;
  return format.isDropFrame ? `${name} DF` : name;
}
