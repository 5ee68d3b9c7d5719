import type { WritingSystem } from "./writing-net.ts";

/** Least confidence, 0 to 100, of every word of a line: half a name is worse than none. */
const WORD_CONFIDENCE = 55;

/** Least mean confidence of a line. */
const LINE_CONFIDENCE = 75;

/** Least confidence of every word, and mean, of a line that only a treated picture shows: what stood behind may have grown on to it. */
const SURE = { word: 88, line: 93 };

/** Least confidence of a word, and mean of a line, for it to bear out another reading. */
const BEARS_OUT = 60;

/** Letters and digits that a line has at least; less is a speck or a leaf. */
const LEAST_CHARACTERS = 3;

/** Confidence from which a word of a line that cannot be trusted shows that there are words at all. */
const SEEN_CONFIDENCE = 80;

/** Letters that such a word has at least. */
const SEEN_LETTERS = 2;

/** Confidence from which a word of at least {@link LEAST_CHARACTERS} letters may be one; leaves and hair are read below it. */
const MAYBE_CONFIDENCE = 25;

/** Confidence from which a word of at least {@link LEAST_CHARACTERS} signs is worth another reading. */
const WORTH_CONFIDENCE = 50;

/** What a picture says. */
export interface ReadLines {
  /** Lines that can be trusted, in reading order. */
  readonly lines: readonly string[];
  /** Lines with words that may be there, and cannot be trusted. */
  readonly doubtful: readonly string[];
  /** Whether there is more that is certain to be text, and cannot be trusted. */
  readonly isPartial: boolean;
  /** What there is more of, where that can be told: letters of a writing system. */
  readonly unread: WritingSystem | null;
}

/** Lines as they stand in a picture. */
export interface AgreedLines extends Omit<ReadLines, "unread"> {
  /** Those that can be trusted, each by itself. */
  readonly believed: readonly ReadLine[];
}

/** A picture that says nothing. */
export const NOTHING_SEEN: ReadLines = { lines: [], doubtful: [], isPartial: false, unread: null };

/** A line as it was read once, its place in pixels of the whole picture. */
export interface ReadLine {
  readonly words: readonly Word[];
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Whether it was read in the picture as it is; `false` for one of lettering alone. */
  readonly isUntreated: boolean;
}

/** A word, its confidence 0 to 100, its place in pixels of the whole picture. */
interface Word {
  readonly text: string;
  readonly confidence: number;
  readonly left: number;
  readonly right: number;
}

/** Column of each value in Tesseract's tab-separated output. */
const COLUMN = {
  level: 0,
  block: 2,
  paragraph: 3,
  line: 4,
  left: 6,
  top: 7,
  width: 8,
  height: 9,
  confidence: 10,
  text: 11,
};

/** Rows of words have this level. */
const WORD_LEVEL = "5";

/**
 * The lines of a recognised picture, from Tesseract's tab-separated output, in its order.
 *
 * @param times How many times smaller than the whole picture it was.
 */
export function linesOf(tsv: string, times: number, isUntreated: boolean): ReadLine[] {
  const found = new Map<string, ReadLine & { words: Word[] }>();
  for (const row of tsv.split("\n")) {
    const cells = row.split("\t");
    const text = (cells[COLUMN.text] ?? "").trim();
    if (cells[COLUMN.level] !== WORD_LEVEL || text === "") continue;
    const key = [COLUMN.block, COLUMN.paragraph, COLUMN.line].map((column) => cells[column]).join(" ");
    const value = (column: number) => times * Number(cells[column]);
    const [left, top] = [value(COLUMN.left), value(COLUMN.top)];
    const [right, bottom] = [left + value(COLUMN.width), top + value(COLUMN.height)];
    const line = found.get(key);
    const word = { text, confidence: Number(cells[COLUMN.confidence]), left, right };
    found.set(key, {
      words: [...(line?.words ?? []), word],
      left: Math.min(left, line?.left ?? left),
      right: Math.max(right, line?.right ?? right),
      top: Math.min(top, line?.top ?? top),
      bottom: Math.max(bottom, line?.bottom ?? bottom),
      isUntreated,
    });
  }
  return [...found.values()];
}

/**
 * What several readings of one picture say together. A line is believed where each of its words was read twice; one with a doubtful
 * word is left out as a whole: who listens cannot tell a misread word from a right one. What was read in the picture as it is goes
 * before what was read in its lettering alone, which may have lost the tail of a letter.
 *
 * @param isCertain Whether a line that readings agree on may be what stands there: all of them are made with the same data.
 */
export function agreedLines(
  readings: readonly (readonly ReadLine[])[],
  isCertain: (line: ReadLine, all: readonly ReadLine[]) => boolean = () => true,
): AgreedLines {
  const all = readings.flat();
  const votesFor = (line: ReadLine) => {
    const others = readings
      .filter((reading) => !reading.includes(line))
      .map((reading) => reading.filter((other) => overlap(other, line)));
    if (others.some((found) => found.some((other) => saysTheSame(other, line)))) return others.length;
    const heard = others.map(
      (found) => new Set(found.flatMap(({ words }) => words.filter(bearsOut).map(({ text }) => bare(text)))),
    );
    return Math.min(
      ...line.words.filter(isSpoken).map(({ text }) => heard.filter((words) => words.has(bare(text))).length),
    );
  };
  const borneOut = all
    .filter((line) => isTrusted(line) || isRepeated(line, readings))
    .map((line) => ({ line, votes: votesFor(line) }))
    .filter(({ line, votes }) => votes > 0 && (line.isUntreated || !all.some((other) => contradicts(other, line))))
    .sort(
      (a, b) =>
        Number(b.line.isUntreated) - Number(a.line.isUntreated) ||
        b.votes - a.votes ||
        meanConfidence(b.line) - meanConfidence(a.line),
    );
  const whole = borneOut.filter(({ line }) => !borneOut.some((other) => isPartOf(line, other.line)));
  const chosen: ReadLine[] = [];
  for (const { line } of whole) if (!chosen.some((other) => overlap(other, line))) chosen.push(line);
  const unbroken = chosen.filter((line) => !all.some((other) => goesOnInRow(line, other, chosen)));
  const believed = unbroken.filter((line) => isCertain(line, unbroken));
  const rest = all.filter((line) => !believed.some((other) => overlap(other, line)));
  return {
    believed,
    lines: joined(believed.filter((line) => !isCounter(line)).sort((a, b) => a.top - b.top || a.left - b.left)),
    // Lettering alone is made of leaves and hair as well: what it may say, and the picture as it is does not, is nothing.
    doubtful: [...new Set(rest.filter(({ isUntreated, words }) => isUntreated && words.some(isMaybeText)).map(textOf))],
    isPartial:
      believed.length < unbroken.length ||
      rest.some((line) => line.words.some((word) => isSeen(word) && isSeenTwice(word, line, all))),
  };
}

/** Whether a reading is worth another one: what has no word at all is leaves, or a wall. */
export function mayHoldWords(reading: readonly ReadLine[]): boolean {
  return holdsWordOf(reading, WORTH_CONFIDENCE);
}

/** Whether a reading holds a word that could bear out another reading: where none does, further ones find nothing to agree with. */
export function mayBearOut(reading: readonly ReadLine[]): boolean {
  return holdsWordOf(reading, BEARS_OUT);
}

function holdsWordOf(reading: readonly ReadLine[], least: number): boolean {
  return reading.some(({ words }) =>
    words.some(({ text, confidence }) => confidence >= least && charactersIn(text) >= LEAST_CHARACTERS),
  );
}

/** Readings that say the same for a line in which one of them is in doubt to be believed. */
const REPEATED = 3;

/** Whether a line of the picture as it is comes out the same so often that each of its words is sure in one reading or another. */
function isRepeated(line: ReadLine, readings: readonly (readonly ReadLine[])[]): boolean {
  if (!line.isUntreated || charactersIn(textOf(line)) < LEAST_CHARACTERS || meanConfidence(line) < BEARS_OUT)
    return false;
  const same = readings.flatMap((reading) => {
    const one = reading.find((other) => overlap(other, line) && keyOf(other) === keyOf(line));
    return one === undefined || one.words.length !== line.words.length ? [] : [one];
  });
  const isSure = (at: number) => same.some(({ words }) => (words[at]?.confidence ?? 0) >= SURE.word);
  return same.length >= REPEATED && line.words.every((word, at) => !isSpoken(word) || isSure(at));
}

/** Whether another reading of a line says the same, wherever it parts the words. */
function saysTheSame(other: ReadLine, line: ReadLine): boolean {
  return meanConfidence(other) >= BEARS_OUT && keyOf(other) === keyOf(line);
}

/** Whether the picture as it is says something else for sure where a line was read. */
function contradicts(other: ReadLine, line: ReadLine): boolean {
  return (
    other.isUntreated &&
    overlap(other, line) &&
    isTrusted(other) &&
    meanConfidence(other) >= SURE.word &&
    !keyOf(line).includes(keyOf(other))
  );
}

/** Whether a line says some of what another reading of its place says. */
function isPartOf(line: ReadLine, other: ReadLine): boolean {
  const [key, otherKey] = [keyOf(line), keyOf(other)];
  return key !== otherKey && otherKey.includes(key) && overlap(other, line);
}

/** Heights of a line within which what stands beside it belongs to it. */
const IN_ROW = 8;

/** Whether some of a line's row was read that cannot be believed: half a title says something else than all of it. */
function goesOnInRow(line: ReadLine, other: ReadLine, believed: readonly ReadLine[]): boolean {
  const height = line.bottom - line.top;
  const down = Math.min(line.bottom, other.bottom) - Math.max(line.top, other.top);
  if (down <= 0.5 * Math.min(height, other.bottom - other.top)) return false;
  // In the same line of another reading a word may be as good as unread.
  const least = overlap(line, other) ? MAYBE_CONFIDENCE : BEARS_OUT;
  return other.words.some((word) => {
    const across = Math.max(line.left - word.right, word.left - line.right);
    if (word.confidence < least || lettersIn(word.text) < LEAST_CHARACTERS || across <= 0 || across > IN_ROW * height)
      return false;
    return !believed.some(
      ({ left, right, top, bottom }) =>
        word.left < right && word.right > left && other.top < bottom && other.bottom > top,
    );
  });
}

function keyOf({ words }: ReadLine): string {
  return words.map(({ text }) => bare(text)).join("");
}

function bearsOut({ confidence }: Word): boolean {
  return confidence >= BEARS_OUT;
}

/** A word without the signs at its ends; a sign of money is part of it, and so are points and commas inside. */
function bare(word: string): string {
  return word.toLowerCase().replace(/^[^\p{L}\p{N}\p{Sc}]+|[^\p{L}\p{N}\p{Sc}%]+$/gu, "");
}

/** Whether two lines stand in one place. */
function overlap(a: ReadLine, b: ReadLine): boolean {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return across > 0 && down > 0.5 * Math.min(a.bottom - a.top, b.bottom - b.top);
}

/** Whether a line is burnt-in timecode or counts milliseconds or frames: it changes with every picture, and tells nothing. */
function isCounter(line: ReadLine): boolean {
  return /^(?:\d+[:;.]\d+[:;.][\d:;.]+|\d+\.\d{3,})$/.test(textOf(line));
}

/** Heights of a sentence's lines differ up to this, and the next begins no further below than this, in heights. */
const WRAPPED = { heights: 1.5, distance: 1 };

/** Lines one below the other that go on in the next become one: where a card breaks its lines, nobody pauses. */
function joined(lines: readonly ReadLine[]): string[] {
  const texts: string[] = [];
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    const last = texts.at(-1);
    if (before !== undefined && last !== undefined && goesOn(before, line))
      texts[texts.length - 1] = `${last} ${textOf(line)}`;
    else texts.push(textOf(line));
  }
  return texts;
}

function goesOn(line: ReadLine, next: ReadLine): boolean {
  const [height, nextHeight] = [line.bottom - line.top, next.bottom - next.top];
  const isClose = next.top - line.bottom <= WRAPPED.distance * Math.min(height, nextHeight);
  const isAcross = Math.min(line.right, next.right) > Math.max(line.left, next.left);
  const areAlike = Math.max(height, nextHeight) <= WRAPPED.heights * Math.min(height, nextHeight);
  if (!isClose || !isAcross || !areAlike || /[.!?:;,…]$/.test(textOf(line))) return false;
  // Lines of several words that each begin with a capital are entries of a list; a single word, or one in capitals, tells nothing.
  return !(isEntry(line) && isEntry(next));
}

function isEntry(line: ReadLine): boolean {
  const text = textOf(line);
  return /^\p{Lu}/u.test(text) && /\p{Ll}/u.test(text) && text.includes(" ");
}

function isSeen({ text, confidence }: Word): boolean {
  return confidence >= SEEN_CONFIDENCE && lettersIn(text) >= SEEN_LETTERS;
}

/** Whether a word was read in its place more than once; one in the picture as it is that has letters enough counts by itself. */
function isSeenTwice(word: Word, line: ReadLine, all: readonly ReadLine[]): boolean {
  if (line.isUntreated && lettersIn(word.text) > LEAST_CHARACTERS) return true;
  return all.some(
    (other) =>
      other !== line &&
      overlap(other, line) &&
      other.words.some((one) => bearsOut(one) && bare(one.text) === bare(word.text)),
  );
}

function isMaybeText({ text, confidence }: Word): boolean {
  return confidence >= MAYBE_CONFIDENCE && lettersIn(text) >= LEAST_CHARACTERS;
}

/** Characters that say as much as several letters: a word of two of them is a whole one. */
const FULL_CHARACTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** How many letters one of {@link FULL_CHARACTERS} counts for. */
const LETTERS_OF_ONE = 3;

function lettersIn(text: string): number {
  return (text.match(/\p{L}/gu)?.length ?? 0) + fullCharactersIn(text);
}

function charactersIn(text: string): number {
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + fullCharactersIn(text);
}

function fullCharactersIn(text: string): number {
  return (LETTERS_OF_ONE - 1) * (text.match(FULL_CHARACTERS)?.length ?? 0);
}

/** The words from the first to the last that is more than a sign, with what closes behind it; without spaces where none are written. */
function textOf({ words }: Pick<ReadLine, "words">): string {
  const first = Math.max(0, words.findIndex(isSpoken));
  let end = words.findLastIndex(isSpoken) + 1;
  let text = "";
  for (const [index, word] of words.slice(first, end).entries()) {
    text += index > 0 && !isUnspaced(text, word.text) ? ` ${word.text}` : word.text;
  }
  for (let next = words[end]; next !== undefined && closes(next, text); next = words[++end]) text += ` ${next.text}`;
  return text;
}

/** Whether a sign behind the last word is part of what was read: it closes what was opened, or ends a sentence. */
function closes({ text, confidence }: Word, before: string): boolean {
  if (confidence < BEARS_OUT) return false;
  return /^[!?…]+$/.test(text) || (CLOSES[text] !== undefined && before.includes(CLOSES[text]));
}

const CLOSES: Readonly<Record<string, string>> = { "»": "«", "”": "“", ")": "(", "]": "[", "›": "‹", "“": "„" };

/** Whether no space is written between two words: both ends are of scripts that do not part them. */
function isUnspaced(before: string, after: string): boolean {
  return UNSPACED_END.test(before) && UNSPACED_START.test(after);
}

const UNSPACED = String.raw`\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Thai}`;
const UNSPACED_END = new RegExp(`[${UNSPACED}，。！？：；（）]$`, "u");
const UNSPACED_START = new RegExp(`^[${UNSPACED}，。！？：；（）]`, "u");

function isSpoken({ text }: Word): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function meanConfidence({ words }: ReadLine): number {
  const spoken = words.filter(isSpoken);
  return spoken.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, spoken.length);
}

function isTrusted(line: ReadLine): boolean {
  const text = textOf(line);
  const signs = text.match(/[\p{L}\p{M}\p{N}]/gu)?.length ?? 0;
  if (charactersIn(text) < LEAST_CHARACTERS || signs < 0.6 * text.replace(/\s/g, "").length) return false;
  const [word, mean] = line.isUntreated ? [WORD_CONFIDENCE, LINE_CONFIDENCE] : [SURE.word, SURE.line];
  return meanConfidence(line) >= mean && line.words.filter(isSpoken).every(({ confidence }) => confidence >= word);
}
