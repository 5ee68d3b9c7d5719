import * as z from "zod/mini";
import { parsedJson } from "../../core/objects.ts";

/** A piece of a chat completion, or of Ollama's answer, as it is streamed. */
const Piece = z.looseObject({
  model: z.optional(z.nullable(z.string())),
  choices: z.optional(
    z.array(
      z.object({
        finish_reason: z.optional(z.unknown()),
        delta: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
      }),
    ),
  ),
  message: z.optional(z.record(z.string(), z.unknown())),
  usage: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
});
type Piece = z.infer<typeof Piece>;

const ToolCalls = z.array(z.object({ function: z.optional(z.object({ arguments: z.optional(z.string()) })) }));

/**
 * What a server has streamed as one answer in the form that it has unstreamed: events of chat completions, or Ollama's lines.
 * Some stream though nobody asked for it, some can do nothing else.
 *
 * @param text A whole answer.
 * @returns The answer, or the piece that carries an error; `null` for what is no stream of either.
 */
export function streamedAnswer(text: string): unknown {
  const isEvents = /^(?:\uFEFF?\s*)(?:data|event|id|retry)?:/.test(text);
  const values = (isEvents ? eventsIn(text) : linesIn(text)).flatMap((line) => pieceOf(line));
  if (values.length === 0 || (!isEvents && values.length < 2)) return null;
  const fault = values.find(({ error }) => error !== undefined && error !== null);
  if (fault !== undefined) return fault;
  return values.some(({ choices }) => choices !== undefined) ? completionOf(values) : chatOf(values);
}

/** The data of each event, without the mark at the end of the stream. */
function eventsIn(text: string): string[] {
  return text.split(/\r?\n\r?\n|\r\r/).flatMap((event) => {
    const data = event.split(/\r?\n|\r/).flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trim()] : []));
    return data.length === 0 || data[0] === "[DONE]" ? [] : [data.join("\n")];
  });
}

/** The lines of a text of which each is an object; none where one is not. */
function linesIn(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.every((line) => /^\s*\{.*\}\s*$/.test(line)) ? lines : [];
}

function pieceOf(line: string): Piece[] {
  const read = Piece.safeParse(parsedJson(line));
  return read.success ? [read.data] : [];
}

function completionOf(pieces: readonly Piece[]): unknown {
  const first = pieces.flatMap(({ choices }) => choices?.slice(0, 1) ?? []);
  const deltas = first.map(({ delta }) => delta ?? {});
  const called = deltas.flatMap(({ tool_calls: calls }) => {
    const read = ToolCalls.safeParse(calls);
    return read.success ? read.data.map((call) => call.function?.arguments ?? "") : [];
  });
  const message = {
    content: joined(deltas, "content"),
    refusal: joined(deltas, "refusal"),
    reasoning_content: joined(deltas, "reasoning_content"),
    reasoning: joined(deltas, "reasoning"),
    ...(called.length === 0 ? {} : { tool_calls: [{ function: { arguments: called.join("") } }] }),
  };
  const finish_reason = first.findLast(
    ({ finish_reason: reason }) => reason !== undefined && reason !== null,
  )?.finish_reason;
  const { usage } = pieces.findLast(({ usage }) => usage !== undefined && usage !== null) ?? {};
  return { model: modelOf(pieces), choices: [{ message, finish_reason }], ...(usage === undefined ? {} : { usage }) };
}

function chatOf(pieces: readonly Piece[]): unknown {
  const messages = pieces.flatMap(({ message }) => (message === undefined ? [] : [message]));
  if (messages.length === 0) return null;
  const message = { content: joined(messages, "content"), thinking: joined(messages, "thinking") };
  return { ...pieces.at(-1), model: modelOf(pieces), message };
}

function modelOf(pieces: readonly Piece[]): string | undefined {
  return pieces.find(({ model }) => typeof model === "string")?.model ?? undefined;
}

/** The text that a member has over all pieces. */
function joined(pieces: readonly Readonly<Record<string, unknown>>[], member: string): string {
  return pieces.map((piece) => (typeof piece[member] === "string" ? piece[member] : "")).join("");
}
