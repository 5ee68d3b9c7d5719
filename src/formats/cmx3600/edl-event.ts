/** How one edit follows the one before. */
interface EdlTransition {
  /** `K` is a key: background (`B`), foreground (none) or out (`O`). */
  readonly kind: "cut" | "dissolve" | "wipe" | "key" | "key-background" | "key-out";
  /** Number of a wipe's pattern. */
  readonly wipe?: number;
  /** Frames it lasts; 0 for a cut. */
  readonly frames: number;
}

/** One line of an event: what is recorded where. Labels are as they stand. */
export interface EdlEdit {
  readonly reel: string;
  /** `V`, `A1`, `A2`, ... */
  readonly channels: readonly string[];
  readonly transition: EdlTransition;
  readonly sourceIn: string;
  readonly sourceOut: string;
  readonly recordIn: string;
  readonly recordOut: string;
  /** Whether the event lies under `FCM: DROP FRAME`; `null` when the text has no such line before it. */
  readonly isDropFrame: boolean | null;
  readonly line: number;
}

/** An event line taken apart: its number and its edit. */
export interface EdlEventLine {
  readonly number: string;
  readonly edit: Omit<EdlEdit, "line" | "isDropFrame">;
}

const LABEL = /^\d{1,3}[:;.,]\d{1,2}[:;.,]\d{1,2}[:;.,]\d{1,3}$/;
const NUMBER = /^\d{1,9}[A-Za-z]?$/;
const CHANNELS = /^(?:NONE|B\d?|[AV][AV\d/,+]{0,63})$/i;
const DURATION = /^\d{1,5}F?$/i;
const TRANSITION = /^(?:C|D|W\d{0,3}|K[BO]?)$/i;

/** Whether a word is a timecode label, whatever its separators. */
export function isEdlLabel(word: string): boolean {
  return LABEL.test(word);
}

/**
 * Takes an event line apart: number, reel (of any length, blanks included), channels, transition with its length, source
 * in and out, record in and out. Columns may be parted by any white space. `null` when it is no event line.
 */
export function parseEdlEventLine(line: string): EdlEventLine | null {
  const words = line.trim().split(/\s+/);
  const number = words[0] ?? "";
  if (words.length < 7 || !NUMBER.test(number)) return null;
  const labels = words.slice(-4);
  const [sourceIn, sourceOut, recordIn, recordOut] = labels;
  if (sourceIn === undefined || sourceOut === undefined || recordIn === undefined || recordOut === undefined)
    return null;
  if (!labels.every(isEdlLabel)) return null;
  const middle = words.slice(1, -4);
  const found = transitionAt(middle);
  if (found === null) return null;
  const channels = middle[found.start - 1] ?? "";
  if (!CHANNELS.test(channels)) return null;
  const reel = middle.slice(0, found.start - 1).join(" ");
  const edit = {
    reel,
    channels: channelsOf(channels),
    transition: found.transition,
    sourceIn,
    sourceOut,
    recordIn,
    recordOut,
  };
  return { number, edit };
}

/** The transition at the end of the words before the labels, and where it starts. */
function transitionAt(words: readonly string[]): { readonly transition: EdlTransition; readonly start: number } | null {
  const last = words.at(-1) ?? "";
  const hasDuration = DURATION.test(last) && words.length > 2;
  const frames = hasDuration ? Number.parseInt(last, 10) : 0;
  let start = words.length - (hasDuration ? 2 : 1);
  let code = (words[start] ?? "").toUpperCase();
  if ((code === "B" || code === "O") && (words[start - 1] ?? "").toUpperCase() === "K") {
    start -= 1;
    code = `K${code}`;
  }
  if (!TRANSITION.test(code)) return null;
  return { transition: transitionOf(code, frames), start };
}

function transitionOf(code: string, frames: number): EdlTransition {
  if (code === "C") return { kind: "cut", frames };
  if (code === "D") return { kind: "dissolve", frames };
  if (code === "K") return { kind: "key", frames };
  if (code === "KB") return { kind: "key-background", frames };
  if (code === "KO") return { kind: "key-out", frames };
  return { kind: "wipe", wipe: Number(code.slice(1)), frames };
}

/** The channels of a column: `B` is `A1 V`, `AA/V` is `A1 A2 V`. */
function channelsOf(column: string): string[] {
  const code = column.toUpperCase();
  if (code === "NONE") return [];
  if (code.startsWith("B")) return ["A1", "V"];
  const found: string[] = [];
  for (const part of code.match(/AA|[AV]\d*/g) ?? []) {
    if (part === "AA") found.push("A1", "A2");
    else found.push(part === "A" ? "A1" : part);
  }
  return [...new Set(found)];
}
