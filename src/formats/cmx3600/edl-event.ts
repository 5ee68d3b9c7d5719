/** What an event line says. Labels are as they stand. */
export interface EdlEventLine {
  readonly number: string;
  readonly reel: string;
  /** Channels in capitals: `V`, `A2`, `AA/V`, `NONE`. */
  readonly channels: string;
  readonly sourceIn: string;
  readonly sourceOut: string;
  readonly recordIn: string;
  readonly recordOut: string;
}

const LABEL = /^\d{1,3}[:;.,]\d{1,2}[:;.,]\d{1,2}[:;.,]\d{1,3}$/;
const NUMBER = /^\d{1,9}[A-Za-z]?$/;
/**
 * Reel, channels, transition with its length: the reel may be of any length, blanks included. Some lists leave the letter of a
 * dissolve out and keep its length.
 */
const MIDDLE = /^(?:(.*) )?(NONE|B\d?|[AV][AV\d/,+]{0,63}) (?:(?:C|D|W\d{0,3}|K ?[BO]?)(?: \d{1,5}F?)?|\d{3}F?)$/i;

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
  const [sourceIn = "", sourceOut = "", recordIn = "", recordOut = ""] = labels;
  const middle = MIDDLE.exec(words.slice(1, -4).join(" "));
  if (middle === null || !labels.every(isEdlLabel)) return null;
  const [, reel = "", channels = ""] = middle;
  return { number, reel, channels: channels.toUpperCase(), sourceIn, sourceOut, recordIn, recordOut };
}

/** Whether a line shows an EDL: an event, or its head. */
export function isEdlLine(line: string): boolean {
  return isEdlHead(line) || isEdlEvent(line);
}

/** Whether a line is one of the head of an EDL. */
export function isEdlHead(line: string): boolean {
  return /^\s*(?:TITLE|FCM)\s*:/i.test(line);
}

/** Whether a line is an event of an EDL. */
export function isEdlEvent(line: string): boolean {
  return /^\s*\d/.test(line) && parseEdlEventLine(line) !== null;
}
