import { countWords } from "../../core/speaking-time.ts";
import { toThousandth } from "../../core/time-range.ts";
import { parseClockTime } from "../clock-time.ts";

/** What is looked at of a caption: its end in seconds, and its text with markup and line breaks. */
interface RollingCaption {
  readonly end: number;
  readonly text: string;
}

/** Seconds that a word is heard from its start on, at the most: the last of a caption has no end of its own. */
const LAST_WORD_SECONDS = 1;

/** A time inside a text, at which the word behind it is spoken. */
const INNER_TIME = /<((?:\d+:)?\d\d:\d\d\.\d{3})>/g;

/**
 * Captions as YouTube and others write them while somebody speaks: each phrase rolls up, stands in up to three cues, and brings
 * times of its words. Each phrase once, from its first word to its last.
 *
 * @param wordsOf The words of a line, without tags.
 * @returns `null` for captions that do not roll.
 */
export function unrolled<Caption extends RollingCaption>(
  entries: readonly Caption[],
  wordsOf: (line: string) => string,
): { readonly phrases: readonly Caption[]; readonly repeated: number } | null {
  const phrases: Caption[] = [];
  let before: readonly string[] = [];
  let repeated = 0;
  let timed = 0;
  for (const entry of entries) {
    const lines = entry.text.split("\n").filter((line) => wordsOf(line) !== "");
    const said = lines.map(wordsOf);
    // What stood at the end of the cue before is not said again.
    const fresh = lines.filter((line, index) => hasTimes(line) || !before.includes(said[index] ?? ""));
    if (fresh.length < lines.length) repeated += 1;
    before = said;
    if (fresh.length === 0) continue;
    const text = fresh.join("\n");
    if (hasTimes(text)) timed += 1;
    phrases.push({ ...entry, text, end: hasTimes(text) ? lastWordEnd(text, entry) : entry.end });
  }
  return timed > 1 && repeated > 1 ? { phrases, repeated } : null;
}

function hasTimes(text: string): boolean {
  return text.search(INNER_TIME) !== -1;
}

function lastWordEnd(text: string, { end }: RollingCaption): number {
  const last = [...text.matchAll(INNER_TIME)].at(-1);
  const start = parseClockTime(last?.[1] ?? "");
  if (last === undefined || start === null) return end;
  const words = Math.max(1, countWords(text.slice(last.index).replace(/<[^>]*>/g, " ")));
  return Math.min(end, toThousandth(start + words * LAST_WORD_SECONDS));
}
