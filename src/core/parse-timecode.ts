import { droppedLabels, nominalFrameRate, type TimecodeFormat } from "./timecode.ts";

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
