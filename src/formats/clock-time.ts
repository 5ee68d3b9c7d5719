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

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
