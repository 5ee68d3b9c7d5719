/** Openings that talk about the film instead of telling it. */
const FILM_TALK =
  /^(?:we (?:can )?see|(?:the|this) (?:scene|image|picture|frame|shot|video) (?:shows|depicts)|the camera (?:shows|pans (?:to|over)|zooms in on))\s+/i;

/** A wording without what a describer never says, with a capital first letter and a full stop. */
export function tidyWording(wording: string, language = "en"): string {
  const told = wording.replace(/\s+/g, " ").trim().replace(FILM_TALK, "");
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
