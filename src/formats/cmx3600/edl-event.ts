/** What an event line says of the recording. Labels are as they stand. */
export interface EdlEventLine {
  readonly number: string;
  readonly recordIn: string;
  readonly recordOut: string;
}

const LABEL = /^\d{1,3}[:;.,]\d{1,2}[:;.,]\d{1,2}[:;.,]\d{1,3}$/;
const NUMBER = /^\d{1,9}[A-Za-z]?$/;
/** Reel, channels, transition with its length: the reel may be of any length, blanks included. */
const MIDDLE = /(?:^| )(?:NONE|B\d?|[AV][AV\d/,+]{0,63}) (?:C|D|W\d{0,3}|K ?[BO]?)(?: \d{1,5}F?)?$/i;

/** Whether a word is a timecode label, whatever its separators. */
export function isEdlLabel(word: string): boolean {
  return LABEL.test(word);
}

/**
 * Takes an event line apart: number, reel, channels, transition, source in and out, record in and out. Columns may be
 * parted by any white space. `null` when it is no event line.
 */
export function parseEdlEventLine(line: string): EdlEventLine | null {
  const words = line.trim().split(/\s+/);
  const number = words[0] ?? "";
  if (words.length < 7 || !NUMBER.test(number)) return null;
  const labels = words.slice(-4);
  const [, , recordIn = "", recordOut = ""] = labels;
  if (!labels.every(isEdlLabel) || !MIDDLE.test(words.slice(1, -4).join(" "))) return null;
  return { number, recordIn, recordOut };
}
