import * as z from "zod/mini";
import { DEEPEST_JSON, defined, eachBracket } from "../../../core/objects.ts";
import type { AnswerSchema } from "../../models/question.ts";
import { withoutThoughts } from "../../models/thoughts.ts";

/** What was made of a model's words. */
export type ReadAnswer<Shape> =
  | { readonly ok: true; readonly answer: Shape }
  /** Why it cannot be used, as a sentence to the model. */
  | { readonly ok: false; readonly fault: string };

/** The shape of one kind of answer: read leniently here, and stated strictly to servers that hold a model to it. */
export interface AnswerShape<Shape> {
  /** The list that a bare JSON array stands for, where the shape has one. */
  readonly list?: string;
  readonly parser: z.ZodMiniType<Shape>;
  readonly schema: AnswerSchema;
}

/** Makes a shape of a parser; what the parser gives defaults for is asked for all the same. */
export function answerShape<Shape>(name: string, parser: z.ZodMiniType<Shape>, list?: string): AnswerShape<Shape> {
  const { $schema: _, ...schema } = z.toJSONSchema(parser, { io: "output" });
  return { parser, schema: { name, strict: true, schema }, ...defined({ list }) };
}

/**
 * Reads a model's words as an answer: JSON alone, in a fenced block or in prose, behind what it thought aloud, with or
 * without the object around the list. Of several the last that fits counts: a draft comes before its answer. Servers differ in
 * how well they hold a model to a schema, and some hold its thoughts to it.
 *
 * @param thoughts What the server gives apart as the model's thoughts: read where the words hold no JSON.
 */
export function readAnswer<Shape>(words: string, shape: AnswerShape<Shape>, thoughts = ""): ReadAnswer<Shape> {
  if (words.length > MOST_CHARACTERS) return { ok: false, fault: "Your answer was far too long." };
  const said = lastFitting(withoutThoughts(words), shape);
  if (said.ok || said.fault !== NO_JSON) return said;
  const thought = lastFitting(thoughts.slice(-MOST_CHARACTERS), shape);
  return thought.ok ? thought : said;
}

/** Characters of an answer at the most: ten times what the longest that is asked for takes. */
const MOST_CHARACTERS = 200_000;

const NO_JSON = "Your answer held no JSON object.";

function lastFitting<Shape>(text: string, { parser, schema, list }: AnswerShape<Shape>): ReadAnswer<Shape> {
  let read: ReadAnswer<Shape> = { ok: false, fault: NO_JSON };
  const members = Object.keys(schema.schema["properties"] ?? {});
  for (const value of jsonValues(text)) {
    const whole: unknown = Array.isArray(value) && list !== undefined ? { [list]: value } : value;
    // What has defaults alone would fit any object.
    if (typeof whole === "object" && whole !== null && !members.some((name) => name in whole) && read.ok) continue;
    const parsed = parser.safeParse(withNumbers(whole));
    if (parsed.success) read = { ok: true, answer: parsed.data };
    else if (!read.ok) {
      const where = parsed.error.issues[0]?.path.join(".") ?? "";
      read = { ok: false, fault: `Your JSON is not in the shape asked for${where === "" ? "" : ` (at ${where})`}.` };
    }
  }
  return read;
}

/** Members that are numbers; some models write `"12.5 s"`. */
const NUMBERS = new Set([
  "at",
  "until",
  "importance",
  "confidence",
  "event",
  "line",
  "nameFrom",
  "pictureAt",
  "shot",
  "picture",
]);

/** Deeper than any shape that is asked for: what lies there is nothing that is read. */
const DEEPEST = 12;

function withNumbers(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((member) => withNumbers(member, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      NUMBERS.has(name) && typeof member === "string" ? numberIn(member) : withNumbers(member, depth + 1),
    ]),
  );
}

function numberIn(text: string): unknown {
  const number = /^\s*(-?\d+(?:\.\d+)?)\s*s?\s*$/.exec(text)?.[1];
  return number === undefined ? text : Number(number);
}

/** Whether words that hold no reply say that the model will not describe this. */
export function isRefusal(words: string): boolean {
  return REFUSAL.test(withoutThoughts(words));
}

/** What chat models begin a refusal with, whatever language they were asked for. */
const REFUSAL =
  /\bI(?:['’]m| am) (?:sorry|unable|not able)\b|\bI (?:can(?:['’]t|not| not)|won['’]t|will not|must decline)\b|\bas an AI\b/i;

/** Beginnings of JSON that are tried in one answer, the first and the last: prose may hold any number of brackets. */
const MOST_BEGINNINGS = 100;

/** The JSON objects and lists in a text, in order, none of them inside another. */
function* jsonValues(text: string): Generator<unknown> {
  const all = [...text.matchAll(/[{[]/g)].map(({ index }) => index);
  const tried =
    all.length > 2 * MOST_BEGINNINGS ? [...all.slice(0, MOST_BEGINNINGS), ...all.slice(-MOST_BEGINNINGS)] : all;
  let after = 0;
  for (const start of tried) {
    const end = start < after ? null : endOfJson(text, start);
    if (end === null) continue;
    try {
      yield JSON.parse(text.slice(start, end));
      after = end;
    } catch {
      // Brackets of prose: what follows may still be an answer.
    }
  }
}

/** Where the brackets that open at `start` are closed, outside of strings; `null` where they never are, or nest too deep. */
function endOfJson(text: string, start: number): number | null {
  let end: number | null = null;
  eachBracket(text, start, (depth, at) => {
    if (depth === 0) end = at + 1;
    return depth > 0 && depth <= DEEPEST_JSON;
  });
  return end;
}
