import type { SmallModel } from "../../models/presets.ts";
import type { AnswerSchema, PromptPart } from "../../models/question.ts";

// What a small model needs of the same questions: answers with an end, words that fit into its room, and repair of what it loses.

/** Instructions of a small model's conversation; those of the question stand last in its message. */
export const SMALL_SYSTEM = "You help to make audio description for blind people. Answer with JSON only.";

/**
 * The same shape with an end to every text and list of it: a model that repeats itself comes to it.
 */
export function boundedSchema(schema: AnswerSchema, small: SmallModel): AnswerSchema {
  // It stays an object: only members are added.
  return { ...schema, schema: bounded(schema.schema, small) as AnswerSchema["schema"] };
}

function bounded(schema: unknown, small: SmallModel): unknown {
  if (Array.isArray(schema)) return schema.map((one) => bounded(one, small));
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, bounded(value, small)]));
  if (inner["type"] === "string" && inner["enum"] === undefined) return { ...inner, maxLength: small.textCharacters };
  if (inner["type"] === "array") {
    const { items } = inner;
    const isOfNumbers = typeof items === "object" && items !== null && "type" in items && items.type === "number";
    return { ...inner, ...(isOfNumbers ? { items: COUNTED } : {}), maxItems: small.listEntries };
  }
  if (typeof inner["properties"] !== "object" || inner["properties"] === null) return inner;
  const properties = Object.entries(inner["properties"]).map(([name, of]) => [name, NUMBERED.has(name) ? COUNTED : of]);
  return { ...inner, properties: Object.fromEntries(properties) };
}

/** Members that say the number of something that was given with one. */
const NUMBERED: ReadonlySet<string> = new Set(["shot", "picture", "line"]);

/** Such a number: without an end to its digits, one that repeats itself writes the same for ever. */
const COUNTED = { type: "integer", minimum: 0, maximum: 9999 } as const;

/** Bytes of UTF-8 that a token has at the least, on the average of a text; JSON and names have fewer than prose. */
const BYTES_PER_TOKEN = 3;

/** Tokens of a context that the form of a conversation takes. */
const FORM_TOKENS = 200;

/**
 * The parts of a question with as many words as there is room for beside its pictures and its answer. Lines of material go, most
 * of all where there are most: never those that are asked about.
 *
 * @param room Tokens of a picture and of the answer.
 */
export function withinRoom(
  parts: readonly PromptPart[],
  system: string,
  { contextTokens }: SmallModel,
  room: { readonly pictureTokens: number; readonly answerTokens: number },
): PromptPart[] {
  const pictures = parts.filter((part) => "jpeg" in part).length;
  const tokens = contextTokens - FORM_TOKENS - room.answerTokens - pictures * room.pictureTokens;
  const words = parts.flatMap((part) => ("text" in part ? [part.text] : []));
  const bytes = [system, ...words].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const tooMuch = bytes - BYTES_PER_TOKEN * tokens;
  const longest = Math.max(0, ...words.map((text) => text.length));
  if (tooMuch <= 0) return [...parts];
  let isShortened = false;
  return parts.map((part) => {
    if (!("text" in part) || isShortened || part.text.length < longest) return part;
    isShortened = true;
    return { text: shortened(part.text, Buffer.byteLength(part.text) - tooMuch) };
  });
}

/** What is asked about, as the blocks of it begin. */
const ASKED_ABOUT = /^(?:The lines?|The log|Seen):? ?.*<<<$/;

function shortened(text: string, mostBytes: number): string {
  const lines = text.split("\n");
  let bytes = Buffer.byteLength(text);
  while (bytes > mostBytes) {
    const blocks = dispensableBlocks(lines);
    const largest = blocks.reduce((one, other) => (other.bytes > one.bytes ? other : one), {
      first: 0,
      last: 0,
      bytes: 0,
    });
    if (largest.bytes === 0) break;
    // What was said or spoken longest ago explains least.
    bytes -= Buffer.byteLength(lines[largest.first] ?? "") + 1;
    lines.splice(largest.first, 1);
  }
  return lines.join("\n");
}

/** Where the lines of each block of material are, but for those that are asked about. */
function dispensableBlocks(lines: readonly string[]): { first: number; last: number; bytes: number }[] {
  const blocks: { first: number; last: number; bytes: number }[] = [];
  for (const [index, line] of lines.entries()) {
    if (!line.endsWith("<<<") || ASKED_ABOUT.test(line)) continue;
    const end = lines.indexOf(">>>", index);
    const inside = lines.slice(index + 1, end < 0 ? lines.length : end);
    const bytes = inside.reduce((sum, one) => sum + Buffer.byteLength(one) + 1, 0);
    blocks.push({ first: index + 1, last: index + inside.length, bytes });
  }
  return blocks;
}

/** Times that a phrase stands in a row before it is taken for a loop. */
const LOOP = /(.{4,120}?)\1{3,}/gsu;

/** Lengths of an answer in which loops are looked for. */
const MOST_CHARACTERS = 20_000;

/** A model's words with each phrase once that it repeats without end. */
export function withoutLoops(words: string): string {
  return words.slice(0, MOST_CHARACTERS).replace(LOOP, "$1");
}

/**
 * JSON that broke off, closed: behind what is there, where that is JSON then, and behind its last whole entry. What was whole, or is
 * none, is given as it is.
 *
 * @returns At least one text, the one that loses least first.
 */
export function closedJson(words: string): string[] {
  const from = words.indexOf("{");
  if (from < 0) return [words];
  const open: string[] = [];
  let isText = false;
  let lastWhole: { readonly at: number; readonly open: readonly string[] } | null = null;
  for (let at = from; at < words.length; at++) {
    const sign = words[at] ?? "";
    if (isText) {
      if (sign === "\\") at++;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === "{" || sign === "[") open.push(sign === "{" ? "}" : "]");
    else if (sign === "}" || sign === "]") {
      open.pop();
      if (open.length === 0) return [words];
      lastWhole = { at: at + 1, open: [...open] };
    }
  }
  const closing = (of: readonly string[]) => [...of].reverse().join("");
  const here = `${words.slice(from).trimEnd()}${isText ? '"' : ""}${closing(open)}`;
  const closed = [
    ...(isJson(here) ? [here] : []),
    ...(lastWhole === null ? [] : [`${words.slice(from, lastWhole.at)}${closing(lastWhole.open)}`]),
  ];
  return closed.length === 0 ? [words] : closed;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
