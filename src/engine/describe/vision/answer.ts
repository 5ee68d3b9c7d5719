import * as z from "zod/mini";
import { defined } from "../../../core/objects.ts";
import type { AnswerSchema } from "../../models/question.ts";

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
 * without the object around the list. Servers differ in how well they hold a model to a schema.
 */
export function readAnswer<Shape>(words: string, { parser, list }: AnswerShape<Shape>): ReadAnswer<Shape> {
  let fault: string | null = null;
  for (const value of jsonValues(withoutThoughts(words))) {
    const whole = Array.isArray(value) && list !== undefined ? { [list]: value } : value;
    const parsed = parser.safeParse(withNumbers(whole));
    if (parsed.success) return { ok: true, answer: parsed.data };
    const where = parsed.error.issues[0]?.path.join(".") ?? "";
    fault ??= `Your JSON is not in the shape asked for${where === "" ? "" : ` (at ${where})`}.`;
  }
  return { ok: false, fault: fault ?? "Your answer held no JSON object." };
}

/** Members that are numbers; some models write `"12.5 s"`. */
const NUMBERS = new Set(["at", "until", "importance", "confidence", "event", "line", "nameFrom", "pictureAt"]);

function withNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      NUMBERS.has(name) && typeof member === "string" ? numberIn(member) : withNumbers(member),
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

/** Words without what comes before them: models that reason aloud do it between these marks. */
export function withoutThoughts(words: string): string {
  return words.replace(/^[\s\S]*<\/think(?:ing)?>/i, "");
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
