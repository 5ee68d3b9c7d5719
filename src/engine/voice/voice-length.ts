import { countWords, estimateSpeakingSeconds } from "../../core/speaking-time.ts";

/** A line as it was voiced. */
export interface VoicedLength {
  readonly text: string;
  readonly seconds: number;
  /** Rate it was spoken at, relative to the voice's normal one. */
  readonly rate: number;
}

/** What is wrong with the length of a voiced line. */
export interface OddLength {
  readonly text: string;
  readonly kind: "short" | "long";
  /** A sentence for people. */
  readonly message: string;
}

/**
 * How many times faster than descriptions are spoken (165 words a minute) nobody speaks: 400 words a minute. And how many
 * seconds must be missing: a word by itself may be as short as it likes.
 */
const FASTEST = { times: 2.4, missingSeconds: 0.6 };

/** How many times slower nobody speaks, however long the words of a language are; and by how many seconds at the least. */
const SLOWEST = { times: 4, moreSeconds: 3 };

/**
 * How many times faster than the same voice in the middle line of a film no line is: letters a second lie within a third of each
 * other, a line of which half is missing is twice as fast. Fewer lines, and shorter ones, tell nothing.
 */
const UNLIKE_OTHERS = { times: 1.6, missingSeconds: 0.8, leastLines: 4, leastSeconds: 1.5 };

/** Letters that take as long as a sign of a script without spaces. */
const LETTERS_OF_A_SIGN = 3;

/** Whether a line is so short that words of it must be missing, whoever speaks. */
export function isTooShort({ text, seconds, rate }: VoicedLength): boolean {
  const expected = estimateSpeakingSeconds(text) / rate;
  return expected > FASTEST.times * seconds && expected - seconds > FASTEST.missingSeconds;
}

/** The lines of a film whose sound cannot be all of their words, or not those alone. */
export function oddLengths(lines: readonly VoicedLength[]): OddLength[] {
  const usual = usualPace(lines);
  return lines.flatMap((line): OddLength[] => {
    const { text, seconds } = line;
    const said = `${countWords(text)} words sound for ${seconds.toFixed(2)} s`;
    if (isTooShort(line) || isUnlikeOthers(line, usual)) {
      return [{ text, kind: "short", message: `${said}: the voice has left some of them out` }];
    }
    return isTooLong(line) ? [{ text, kind: "long", message: `${said}: the voice has said more than the words` }] : [];
  });
}

function isTooLong({ text, seconds, rate }: VoicedLength): boolean {
  // Numbers and letters by themselves are spoken as more words than they are written as.
  if (/\p{N}|\b\p{Lu}{2,}\b/u.test(text)) return false;
  const expected = estimateSpeakingSeconds(text) / rate;
  return seconds > SLOWEST.times * expected && seconds - expected > SLOWEST.moreSeconds;
}

function isUnlikeOthers(line: VoicedLength, usual: number | null): boolean {
  if (usual === null || !isLongEnough(line)) return false;
  const expected = lettersOf(line.text) / usual / line.rate;
  return expected > UNLIKE_OTHERS.times * line.seconds && expected - line.seconds > UNLIKE_OTHERS.missingSeconds;
}

/** Letters a second at the normal rate in the middle line; `null` where too few lines tell. */
function usualPace(lines: readonly VoicedLength[]): number | null {
  const paces = lines
    .filter((line) => isLongEnough(line) && line.seconds > 0)
    .map(({ text, seconds, rate }) => lettersOf(text) / (seconds * rate))
    .sort((a, b) => a - b);
  return paces.length < UNLIKE_OTHERS.leastLines ? null : (paces[Math.floor(paces.length / 2)] ?? null);
}

function isLongEnough({ text }: VoicedLength): boolean {
  return estimateSpeakingSeconds(text) >= UNLIKE_OTHERS.leastSeconds;
}

function lettersOf(text: string): number {
  const all = text.match(/[\p{L}\p{M}\p{N}]/gu)?.length ?? 0;
  const signs = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return all + signs * (LETTERS_OF_A_SIGN - 1);
}
