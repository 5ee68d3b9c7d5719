import { z } from "zod/mini";

/** One description as a model returns it. */
const VisionDescription = z.object({
  at: z.number(),
  long: z.string(),
  medium: z.string(),
  short: z.string(),
  importance: z.number(),
});

/** What a model is asked to return. */
export const VisionReply = z.object({ descriptions: z.array(VisionDescription) });

/** A validated reply. */
export type VisionReply = z.infer<typeof VisionReply>;

/** The same shape as a JSON Schema, for servers that hold a model to one. */
export const VISION_REPLY_SCHEMA = {
  name: "descriptions",
  strict: true,
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["descriptions"],
    properties: {
      descriptions: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["at", "long", "medium", "short", "importance"],
          properties: {
            at: { type: "number" },
            long: { type: "string" },
            medium: { type: "string" },
            short: { type: "string" },
            importance: { type: "number" },
          },
        },
      },
    },
  },
} as const;

/** What was made of a model's words. */
export type ReadReply =
  | { readonly ok: true; readonly reply: VisionReply }
  /** Why it cannot be used, as a sentence to the model. */
  | { readonly ok: false; readonly fault: string };

/**
 * Reads a model's words as a reply: JSON alone, in a fenced block or in prose, behind what it thought aloud, with or
 * without the object around the list. Servers differ in how well they hold a model to a schema.
 */
export function readReply(words: string): ReadReply {
  let fault: string | null = null;
  for (const value of jsonValues(withoutThoughts(words))) {
    const parsed = VisionReply.safeParse(asReply(value));
    if (parsed.success) return { ok: true, reply: parsed.data };
    const where = parsed.error.issues[0]?.path.join(".") ?? "";
    fault ??= `Your JSON is not in the shape asked for${where === "" ? "" : ` (at ${where})`}.`;
  }
  return { ok: false, fault: fault ?? "Your answer held no JSON object." };
}

/** Whether words that hold no reply say that the model will not describe this. */
export function isRefusal(words: string): boolean {
  return REFUSAL.test(withoutThoughts(words));
}

/** What chat models begin a refusal with, whatever language they were asked for. */
const REFUSAL =
  /\bI(?:['’]m| am) (?:sorry|unable|not able)\b|\bI (?:can(?:['’]t|not| not)|won['’]t|will not|must decline)\b|\bas an AI\b/i;

/** Models that reason aloud do it between these marks. */
function withoutThoughts(words: string): string {
  return words.replace(/^[\s\S]*<\/think(?:ing)?>/i, "");
}

/** A bare list, or one description alone, is meant as the list. */
function asReply(value: unknown): unknown {
  if (Array.isArray(value)) return { descriptions: value };
  const isOne = typeof value === "object" && value !== null && "long" in value && "short" in value;
  return isOne ? { descriptions: [value] } : value;
}

/** Beginnings of JSON that are tried in one answer: prose may hold any number of brackets. */
const MOST_BEGINNINGS = 50;

/** The JSON objects and lists in a text, in order, none of them inside another. */
function* jsonValues(text: string): Generator<unknown> {
  const beginnings = /[{[]/g;
  for (let tried = 0; tried < MOST_BEGINNINGS; tried++) {
    const found = beginnings.exec(text);
    if (found === null) return;
    const end = endOfJson(text, found.index);
    if (end === null) continue;
    try {
      yield JSON.parse(text.slice(found.index, end));
      beginnings.lastIndex = end;
    } catch {
      // Brackets of prose: what follows may still be an answer.
    }
  }
}

/** Where the brackets that open at `start` are closed, outside of strings; `null` where they never are. */
function endOfJson(text: string, start: number): number | null {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isString && character === "\\") at++;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

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
