/** Least confidence, 0 to 100, of every word of a line: half a name is worse than none. */
const WORD_CONFIDENCE = 55;

/** Least mean confidence of a line. */
const LINE_CONFIDENCE = 75;

/** Letters and digits that a line has at least; less is a speck or a leaf. */
const LEAST_CHARACTERS = 3;

/** Confidence from which a word of a line that cannot be trusted shows that there are words at all. */
const SEEN_CONFIDENCE = 80;

/** Letters that such a word has at least. */
const SEEN_LETTERS = 2;

/** Confidence from which a word of at least {@link LEAST_CHARACTERS} letters may be one; leaves and hair are read below it. */
const MAYBE_CONFIDENCE = 25;

/** What a picture says. */
export interface ReadLines {
  /** Lines that can be trusted, in reading order. */
  readonly lines: readonly string[];
  /** Lines with words that may be there, and cannot be trusted. */
  readonly doubtful: readonly string[];
  /** Whether there is more that is certain to be text, and cannot be trusted. */
  readonly isPartial: boolean;
}

/** A picture that says nothing. */
export const NOTHING_SEEN: ReadLines = { lines: [], doubtful: [], isPartial: false };

/** Column of each value in Tesseract's tab-separated output. */
const COLUMN = { level: 0, block: 2, paragraph: 3, line: 4, confidence: 10, text: 11 };

/** Rows of words have this level. */
const WORD_LEVEL = "5";

/**
 * Reads a recognised picture, from Tesseract's tab-separated output. A line with one doubtful word is left out as a
 * whole: who listens cannot tell a misread word from a right one.
 */
export function readLines(tsv: string): ReadLines {
  const found = new Map<string, { text: string; confidence: number }[]>();
  for (const row of tsv.split("\n")) {
    const cells = row.split("\t");
    const text = (cells[COLUMN.text] ?? "").trim();
    if (cells[COLUMN.level] !== WORD_LEVEL || text === "") continue;
    const key = [COLUMN.block, COLUMN.paragraph, COLUMN.line].map((column) => cells[column]).join(" ");
    const words = found.get(key) ?? [];
    words.push({ text, confidence: Number(cells[COLUMN.confidence]) });
    found.set(key, words);
  }
  const all = [...found.values()];
  const rest = all.filter((words) => !isTrusted(words));
  return {
    lines: all.filter(isTrusted).map(textOf),
    doubtful: rest.filter((words) => words.some(isMaybeText)).map(textOf),
    isPartial: rest.some((words) => words.some(isSeen)),
  };
}

interface Word {
  readonly text: string;
  readonly confidence: number;
}

function isSeen({ text, confidence }: Word): boolean {
  return confidence >= SEEN_CONFIDENCE && lettersIn(text) >= SEEN_LETTERS;
}

function isMaybeText({ text, confidence }: Word): boolean {
  return confidence >= MAYBE_CONFIDENCE && lettersIn(text) >= LEAST_CHARACTERS;
}

function lettersIn(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}

function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(" ");
}

function isTrusted(words: readonly Word[]): boolean {
  const spoken = words.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const text = spoken.map((word) => word.text).join(" ");
  const characters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (characters < LEAST_CHARACTERS || characters < 0.6 * text.replace(/\s/g, "").length) return false;
  const mean = spoken.reduce((sum, { confidence }) => sum + confidence, 0) / spoken.length;
  return mean >= LINE_CONFIDENCE && spoken.every(({ confidence }) => confidence >= WORD_CONFIDENCE);
}
