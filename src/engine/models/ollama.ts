import * as z from "zod/mini";
import { exchange } from "./exchange.ts";
import type { Preset } from "./presets.ts";
import type { Question, Turn, WireAnswer } from "./question.ts";

/** What Ollama knows of one of its models. */
export interface OllamaModel {
  readonly sees: boolean;
  /** Whether it thinks before it answers, unless told not to. */
  readonly thinks: boolean;
  /** Tokens it can hold at the most; `null` where Ollama does not say. */
  readonly contextTokens: number | null;
  /** Where it runs when that is not on the server itself. */
  readonly runsAt: string | null;
}

const Shown = z.object({
  capabilities: z.optional(z.array(z.string())),
  model_info: z.optional(z.record(z.string(), z.unknown())),
  remote_model: z.optional(z.string()),
  remote_host: z.optional(z.string()),
});

/**
 * Asks Ollama about a model.
 *
 * @param root Address of the server, without the path of its OpenAI-compatible endpoint.
 * @returns What it knows; `null` when it has no such model, `undefined` when its answer cannot be read.
 * @throws the network's error or the signal's reason.
 */
export async function showOllamaModel(
  root: string,
  model: string,
  signal: AbortSignal,
): Promise<OllamaModel | null | undefined> {
  const { status, body } = await exchange({ url: `${root}/api/show`, body: { model }, signal });
  if (status === 404) return null;
  const shown = Shown.safeParse(body);
  if (status !== 200 || !shown.success) return undefined;
  const { capabilities = [], model_info = {}, remote_model = "", remote_host } = shown.data;
  const length = Object.entries(model_info).find(([key]) => key.endsWith(".context_length"))?.[1];
  return {
    sees: capabilities.includes("vision"),
    thinks: capabilities.includes("thinking"),
    contextTokens: typeof length === "number" && length > 0 ? length : null,
    runsAt: remote_model === "" ? null : (remote_host ?? "another computer"),
  };
}

/** Tokens that models take for one picture at least: Qwen-VL; others take fewer. */
export const OLLAMA_PICTURE_TOKENS = 1024;

/** Bytes of UTF-8 that make one token, rather too few: English has four, Chinese three. */
const BYTES_PER_TOKEN = 3;

/** Contexts are asked for in such steps: every other size has Ollama load the model anew. */
const CONTEXT_STEP = 4096;
const LEAST_CONTEXT = 8192;

/** How long the model stays in memory after an answer: the next question comes when pictures are ready. */
const KEEP_ALIVE = "15m";

/**
 * Tokens that a question and its answer take, rounded up to a step; never more than the model can hold.
 *
 * @param atLeast Tokens asked for before, so that the model is not loaded anew.
 */
export function ollamaContext(
  { system, turns }: Question,
  answerTokens: number,
  contextTokens: number | null,
  atLeast: number,
): number {
  let tokens = answerTokens + Buffer.byteLength(system) / BYTES_PER_TOKEN;
  for (const turn of turns) {
    if (turn.from === "model") tokens += Buffer.byteLength(turn.words) / BYTES_PER_TOKEN;
    else
      for (const part of turn.parts)
        tokens += "text" in part ? Buffer.byteLength(part.text) / BYTES_PER_TOKEN : OLLAMA_PICTURE_TOKENS;
  }
  const rounded = Math.ceil(tokens / CONTEXT_STEP) * CONTEXT_STEP;
  return Math.min(Math.max(rounded, LEAST_CONTEXT, atLeast), contextTokens ?? Number.POSITIVE_INFINITY);
}

/** A question in the form of Ollama's own `/api/chat`, which alone can make the context large enough. */
export function ollamaBody(
  model: string,
  { system, turns, schema }: Question,
  preset: Preset,
  answerTokens: number,
  { facts, context }: { readonly facts: OllamaModel | null; readonly context: number },
): Record<string, unknown> {
  const isThinking = facts?.thinks === true;
  return {
    model,
    stream: false,
    messages: [{ role: "system", content: system }, ...turns.flatMap(messagesOf)],
    options: { ...preset.parameters, num_ctx: context, num_predict: answerTokens },
    keep_alive: KEEP_ALIVE,
    // What does not fit is an error then, in place of pictures that are left out without a word.
    truncate: false,
    shift: false,
    // Ollama ignores the form, or the order not to think, when it is given both.
    ...(isThinking ? { think: false } : { format: schema.schema }),
  };
}

/** Ollama puts the pictures of a message before its words: a message each keeps every picture beside its own. */
function messagesOf(turn: Turn): object[] {
  if (turn.from === "model") return [{ role: "assistant", content: turn.words }];
  const messages: object[] = [];
  let words: string[] = [];
  for (const part of turn.parts) {
    if ("text" in part) {
      words.push(part.text);
      continue;
    }
    messages.push({ role: "user", content: words.join("\n"), images: [Buffer.from(part.jpeg).toString("base64")] });
    words = [];
  }
  return words.length === 0 ? messages : [...messages, { role: "user", content: words.join("\n") }];
}

const Chat = z.object({
  model: z.optional(z.string()),
  message: z.object({ content: z.optional(z.string()), thinking: z.optional(z.string()) }),
  done_reason: z.optional(z.string()),
  prompt_eval_count: z.optional(z.number()),
  eval_count: z.optional(z.number()),
});

/** Reads an answer of `/api/chat`; `null` for what is none. */
export function readOllamaAnswer(body: unknown): WireAnswer | null {
  const read = Chat.safeParse(body);
  if (!read.success) return null;
  const { message, done_reason, prompt_eval_count, eval_count, model } = read.data;
  return {
    words: message.content ?? "",
    thoughts: message.thinking ?? "",
    isCut: done_reason === "length",
    isBlocked: false,
    inputTokens: prompt_eval_count ?? null,
    outputTokens: eval_count ?? 0,
    model: model ?? null,
  };
}
