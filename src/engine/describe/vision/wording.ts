import { spokenWords } from "../../../core/speaking-time.ts";
import { foldedWords } from "../../../core/text.ts";
import type { DescribeRequest, WrittenDescription } from "../describer.ts";
import type { Scene } from "./scenes.ts";

/** Openings that talk about the film instead of telling it. */
const FILM_TALK =
  /^(?:we (?:can )?see|(?:the|this) (?:scene|image|picture|frame|shot|video) (?:shows|depicts)|the camera (?:shows|pans (?:to|over)|zooms in on))\s+/i;

/** A wording without what a describer never says, with a capital first letter and a full stop. */
export function tidyWording(wording: string, language = "en"): string {
  const told = foldedWords(wording).replace(FILM_TALK, "");
  if (!/[\p{L}\p{N}]/u.test(told)) return "";
  const [first = "", ...rest] = told;
  const capital = first.toLocaleUpperCase(language) + rest.join("");
  return /[.!?…。！？।۔؟]["'”’»)」』]?$/u.test(capital) ? capital : `${capital}${fullStop(capital, language)}`;
}

/** What ends a sentence that begins like this one. */
function fullStop(sentence: string, language: string): string {
  if (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(sentence)) return "。";
  if (/\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Gurmukhi}/u.test(sentence) && !language.startsWith("mr"))
    return "।";
  if (/\p{Script=Thai}/u.test(sentence)) return "";
  return language.startsWith("ur") ? "۔" : ".";
}

/** Whether a wording talks about the film. */
export function isFilmTalk(wording: string): boolean {
  return FILM_TALK.test(wording.trim());
}

/**
 * The longest beginning of a wording, in whole sentences, of at most `words` words by `count`; empty when its first
 * sentence is longer. A point behind an abbreviation or inside a number ends no sentence.
 */
export function shortenToSentences(
  wording: string,
  words: number,
  count: (text: string) => number,
  language = "en",
): string {
  if (count(wording) <= words) return wording.trim();
  let kept = "";
  for (const sentence of sentencesOf(wording, language)) {
    if (count(kept + sentence) > words) break;
    kept += sentence;
  }
  return kept.trim();
}

/** Abbreviations that stand before something: `Dr. Jones`, `No. 5`, `z. B.`, an initial. */
const BEFORE_MORE =
  /(?<![\p{L}\p{N}])(?:\p{L}|Mr|Mrs|Ms|Dr|Dres|Prof|St|Sgt|Lt|Col|Capt|Gen|Rev|Gov|Sen|No|Nos|Nr|vs|approx|ca|Hr|Fr|Mme|Mlle|Sr|Sra|Srta|Dra|Sig|Dott|dhr|mevr|bzw|usw|etc|Jr)\.\s*$/iu;

function sentencesOf(text: string, language: string): string[] {
  const sentences: string[] = [];
  let open = "";
  for (const { segment } of new Intl.Segmenter(language, { granularity: "sentence" }).segment(text)) {
    open += segment;
    if (BEFORE_MORE.test(open)) continue;
    sentences.push(open);
    open = "";
  }
  return open === "" ? sentences : [...sentences, open];
}

/** Lines told to the writer of a scene word for word: the last ones, and older ones that speak of the same. */
export const LATEST_LINES = 40;
const RELATED_LINES = 20;

/** Lines whose place can still change when later ones come. */
const OPEN_LINES = 40;

/** What is spoken of what was written so far: a line that found no place tells nobody anything. */
export class SpokenSoFar {
  readonly #request: DescribeRequest;
  readonly #signal: AbortSignal;
  readonly #settled: string[] = [];
  #open: WrittenDescription[] = [];
  #spoken: string[] = [];

  constructor(request: DescribeRequest, signal: AbortSignal) {
    this.#request = request;
    this.#signal = signal;
  }

  /** Takes the lines of the next scene over. @throws the signal's reason. */
  async add(descriptions: readonly WrittenDescription[]): Promise<void> {
    this.#open.push(...descriptions);
    if (this.#open.length === 0) return;
    const { spoken } = await this.#request.rehearse(this.#open, this.#signal);
    this.#spoken = spoken.map(({ text }) => text);
    if (this.#open.length <= 2 * OPEN_LINES) return;
    const ids = new Set(this.#open.slice(0, -OPEN_LINES).map(({ id }) => id));
    this.#settled.push(...spoken.filter(({ id }) => ids.has(id)).map(({ text }) => text));
    this.#open = this.#open.slice(-OPEN_LINES);
    this.#spoken = spoken.filter(({ id }) => !ids.has(id)).map(({ text }) => text);
  }

  /** Whether something is spoken in these words. */
  has(text: string): boolean {
    const words = spokenWords(text);
    return [...this.#settled, ...this.#spoken].some((line) => spokenWords(line) === words);
  }

  /** The latest lines, and before them those older ones that share words with what is seen in a scene. */
  before({ beats }: Scene): string[] {
    const all = [...this.#settled, ...this.#spoken];
    const latest = all.slice(-LATEST_LINES);
    const seen = new Set(beats.flatMap(({ events }) => events.flatMap(({ what }) => longWords(what))));
    const related = all
      .slice(0, -LATEST_LINES)
      .map((text, index) => ({ text, index, shared: longWords(text).filter((word) => seen.has(word)).length }))
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => b.shared - a.shared)
      .slice(0, RELATED_LINES)
      .sort((a, b) => a.index - b.index);
    return [...related.map(({ text }) => text), ...latest];
  }
}

/** Words that say something, cut to their stem's length, so that "yawns" and "yawning" meet. */
function longWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).map((word) => word.slice(0, 4));
}
