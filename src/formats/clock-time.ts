import { defined } from "../core/objects.ts";
import { twoDigits } from "../core/timecode.ts";

/** A clock time as files in the wild write it; groups: sign, hours, minutes, seconds, fraction. */
const CLOCK = /^(-?)(?:(\d{1,9})\s*:\s*)?(\d{1,4})\s*:\s*(\d{1,2})(?:\s*[.,:]\s*(\d{1,9}))?$/;

/**
 * Reads `HH:MM:SS.mmm` in every form found in the wild: with or without hours and fraction, `,` or `.` before it, one
 * digit for two. The fraction is a decimal fraction whatever its length (`,04` is 40 ms), except after a third `:`, where
 * three digits are milliseconds. Minutes may pass 59 where no hours are given. Seconds; `null` when it is no such time.
 */
export function parseClockTime(text: string): number | null {
  const parts = CLOCK.exec(text.trim());
  if (parts === null) return null;
  const minutes = Number(parts[3]);
  const seconds = Number(parts[4]);
  if (seconds > 59 || (parts[2] !== undefined && minutes > 59)) return null;
  const whole = (Number(parts[2] ?? 0) * 60 + minutes) * 60 + seconds;
  const fraction = parts[5];
  // A decimal read as a whole is the nearest double; seconds plus fraction would be off by a bit.
  const value = fraction === undefined ? whole : Number(`${whole}.${fraction}`);
  return parts[1] === "-" ? 0 - value : value;
}

/** How {@link formatClockTime} writes. */
export interface ClockStyle {
  /** What stands before the milliseconds; default `.`. */
  readonly decimal?: "." | ",";
  /** Digits of the hours; default 2. */
  readonly hourDigits?: number;
}

/** `HH:MM:SS.mmm`, rounded to the millisecond; hours grow past two digits where needed. `seconds` is not negative. */
export function formatClockTime(seconds: number, style: ClockStyle = {}): string {
  return formatMilliseconds(millisecondsFrom(seconds), style);
}

/** A time in whole milliseconds, halves up. */
export function millisecondsFrom(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** As {@link formatClockTime}, of whole milliseconds. */
export function formatMilliseconds(milliseconds: number, style: ClockStyle = {}): string {
  const whole = Math.floor(milliseconds / 1000);
  const hours = String(Math.floor(whole / 3600)).padStart(style.hourDigits ?? 2, "0");
  const fraction = String(milliseconds % 1000).padStart(3, "0");
  return `${hours}:${twoDigits(Math.floor(whole / 60) % 60)}:${twoDigits(whole % 60)}${style.decimal ?? "."}${fraction}`;
}

/** A label with a frame number, to be read on a frame grid. */
export interface LabelTime {
  readonly kind: "label";
  readonly label: string;
  readonly frames: number;
  readonly isDropFrame: boolean;
  /** Frames, or parts of one, that the time lies behind the label. */
  readonly further?: number;
  /** Where it stands, if not in the line of its row. */
  readonly line?: number;
}

/**
 * A time as a text gives it: clock time in seconds, a label, or seconds since the start that the text states (`elapsed`). A clock
 * time that is written as a label is above 100 frames per second has its text too.
 */
export type TimeText =
  | {
      readonly kind: "clock";
      readonly seconds: number;
      readonly label?: string;
      /** Whether it is a number that does not say what it counts. */
      readonly isNumber?: true;
      /** Whether two digits stand behind a point, which may be frames: `4.22`, `1.04.22`. */
      readonly mayHoldFrames?: true;
    }
  | LabelTime
  | {
      readonly kind: "elapsed";
      readonly seconds: number;
      /** Whether parts of a second are left out, as its clock shows none. */
      readonly isCutOff?: true;
    };

/** `HH:MM:SS:FF`; `;` before the frames says drop-frame. Three digits behind a colon are milliseconds below 100 fps. */
const LABEL = /^\d{1,3}[:;]\d\d[:;]\d\d(?::(\d\d|1[01]\d)|;(\d{2,3}))$/;

/** Three digits behind a colon: milliseconds, or a frame above 100 fps. */
const THREE_DIGITS = /^\d{1,3}:\d\d:\d\d:\d{3}$/;

const SECONDS = /^(\d{1,9}(?:[.,]\d{1,9})?)\s*s?$/;

/** Reads one time: a label, a clock time, or plain seconds (`12.5`, `12.5s`). `null` when it is none. */
export function parseTimeText(text: string): TimeText | null {
  const label = LABEL.exec(text);
  if (label !== null) {
    return { kind: "label", label: text, frames: Number(label[1] ?? label[2]), isDropFrame: label[2] !== undefined };
  }
  const clock = parseClockTime(text);
  if (clock !== null) return { kind: "clock", seconds: clock, ...(THREE_DIGITS.test(text) ? { label: text } : {}) };
  const seconds = parseMinutes(text) ?? parseSeconds(text);
  if (seconds === null) return null;
  if (text.trimEnd().endsWith("s")) return { kind: "clock", seconds };
  const mayHoldFrames = /\d[.,]\d\d$/.test(text.trim());
  return { kind: "clock", seconds, isNumber: true, ...(mayHoldFrames ? { mayHoldFrames } : {}) };
}

/** The time on a grid above 100 frames per second, where three digits count frames. */
export function onFastGrid<Time extends TimeText | null>(time: Time): Time | TimeText {
  if (time?.kind !== "clock" || time.label === undefined) return time;
  const { label } = time;
  return { kind: "label", label, frames: Number(label.slice(-3)), isDropFrame: false };
}

/** Minutes, seconds and hundredths or frames, parted by points: `1.04.22`. `01.04.22` is a clock time, or a day. */
function parseMinutes(text: string): number | null {
  const [, minutes, seconds] = /^(\d|[1-9]\d)\.([0-5]\d\.\d\d)$/.exec(text.trim()) ?? [];
  return minutes === undefined ? null : Number(minutes) * 60 + Number(seconds);
}

function parseSeconds(text: string): number | null {
  const match = SECONDS.exec(text.trim());
  return match?.[1] === undefined ? null : Number(match[1].replace(",", "."));
}

/** A label that is known for one by where it stands, in a line of its own if one is given; drop-frame where a semicolon parts it anywhere. */
export function labelTime(label: string, line?: number): LabelTime {
  const frames = Number(/\d+$/.exec(label)?.[0]);
  return { kind: "label", label, frames, isDropFrame: label.includes(";"), ...defined({ line }) };
}

/** What the labels among `times` say about themselves. */
export function labelEvidence(
  times: Iterable<TimeText | null>,
): { highestFrame: number; isDropFrame: boolean | null } | null {
  let highestFrame = -1;
  let isDropFrame = false;
  for (const time of times) {
    if (time?.kind !== "label") continue;
    highestFrame = Math.max(highestFrame, time.frames);
    isDropFrame ||= time.isDropFrame;
  }
  // Colons alone say nothing: drop-frame labels are written with them too.
  return highestFrame < 0 ? null : { highestFrame, isDropFrame: isDropFrame ? true : null };
}
