import { parseClockTime } from "./clock-time.ts";

/**
 * A time as a text gives it: clock time in seconds, or a label with a frame number, to be read on a frame grid. A clock
 * time that is written as a label is above 100 frames per second has its text too.
 */
export type TimeText =
  | { readonly kind: "clock"; readonly seconds: number; readonly label?: string }
  | { readonly kind: "label"; readonly label: string; readonly frames: number; readonly isDropFrame: boolean };

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
  const clock = parseClockTime(text) ?? parseSeconds(text);
  if (clock === null) return null;
  return { kind: "clock", seconds: clock, ...(THREE_DIGITS.test(text) ? { label: text } : {}) };
}

/** The time on a grid above 100 frames per second, where three digits count frames. */
export function onFastGrid<Time extends TimeText | null>(time: Time): Time | TimeText {
  if (time?.kind !== "clock" || time.label === undefined) return time;
  const { label } = time;
  return { kind: "label", label, frames: Number(label.slice(-3)), isDropFrame: false };
}

function parseSeconds(text: string): number | null {
  const match = SECONDS.exec(text.trim());
  return match?.[1] === undefined ? null : Number(match[1].replace(",", "."));
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
