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
 * Reads a model's words as a reply: JSON alone, in a fenced block, or the first object in prose. Servers differ in how
 * well they hold a model to a schema.
 */
export function readReply(words: string): ReadReply {
  const json = firstObject(words);
  if (json === null) return { ok: false, fault: "Your answer held no JSON object." };
  const parsed = VisionReply.safeParse(json);
  if (parsed.success) return { ok: true, reply: parsed.data };
  const where = parsed.error.issues[0]?.path.join(".") ?? "";
  return { ok: false, fault: `Your JSON is not in the shape asked for${where === "" ? "" : ` (at ${where})`}.` };
}

function firstObject(words: string): unknown {
  const start = words.indexOf("{");
  const end = words.lastIndexOf("}");
  if (start < 0 || end <= start) return null;
  try {
    return JSON.parse(words.slice(start, end + 1));
  } catch {
    return null;
  }
}

/** Openings that talk about the film instead of telling it. */
const FILM_TALK =
  /^(?:we (?:can )?see|(?:the|this) (?:scene|image|picture|frame|shot|video) (?:shows|depicts)|the camera (?:shows|pans (?:to|over)|zooms in on))\s+/i;

/** A wording without what a describer never says, with a capital first letter and a full stop. */
export function tidyWording(wording: string): string {
  const told = wording.replace(/\s+/g, " ").trim().replace(FILM_TALK, "");
  if (told === "") return "";
  const capital = told.charAt(0).toLocaleUpperCase() + told.slice(1);
  return /[.!?…。।]["'”’»)]?$/u.test(capital) ? capital : `${capital}.`;
}

/** Whether a wording talks about the film. */
export function isFilmTalk(wording: string): boolean {
  return FILM_TALK.test(wording.trim());
}

/**
 * The longest beginning of a wording, in whole sentences, of at most `words` words by `count`; empty when its first
 * sentence is longer.
 */
export function shortenToSentences(wording: string, words: number, count: (text: string) => number): string {
  const sentences = wording.match(/[^.!?…。।]+[.!?…。।]+["'”’»)]*\s*/gu) ?? [wording];
  let kept = "";
  for (const sentence of sentences) {
    if (count(kept + sentence) > words) break;
    kept += sentence;
  }
  return kept.trim();
}
