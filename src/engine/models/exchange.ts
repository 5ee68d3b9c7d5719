import type { IncomingMessage } from "node:http";
import * as z from "zod/mini";
import { defined, nestsTooDeep } from "../../core/objects.ts";
import type { PaidPlan } from "../outgoing/ledger.ts";
import { type OutgoingRequest, sendRequest } from "../outgoing/send-request.ts";
import type { Preset } from "./presets.ts";
import { streamedAnswer } from "./streamed-answer.ts";

/** One request to a model server. */
export interface ServerRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly body?: unknown;
  /** What it may cost, for the book of the work. */
  readonly plan?: PaidPlan;
  /** Aborts the request and what is still to come of its answer. */
  readonly signal: AbortSignal;
  /** Sends it; default: {@link sendRequest}. */
  readonly send?: SendRequest;
}

/** An answer whose head is there. */
export type OpenedReply = Pick<IncomingMessage, "statusCode" | "headers"> & AsyncIterable<Buffer>;

/** Sends a request, and gives the answer as soon as its head is there. */
export type SendRequest = (request: OutgoingRequest) => Promise<OpenedReply>;

/** A whole answer of a server. */
export interface ServerReply {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** Its JSON as far as it is some, else its text. An event stream that nobody asked for is one answer by then. */
  readonly body: unknown;
  /** Whether it is an error that came under a status of success; `status` is then what the error stands for. */
  readonly isHidden?: boolean;
}

/** Most bytes taken as one answer in words: a model writes a few kilobytes, ten minutes of speech with the times of all words less than one megabyte. */
const MAX_REPLY_BYTES = 16 * 2 ** 20;

/** An answer has no end in sight: it was broken off, and asking again brings the same. */
export class AnswerTooLong extends Error {}

/**
 * Reads an answer that has an end in sight.
 *
 * @param mostBytes Default: what an answer in words may have.
 * @throws AnswerTooLong for a longer one, which is broken off; and what the reading raises.
 */
export async function readWithin(reply: AsyncIterable<Uint8Array>, mostBytes = MAX_REPLY_BYTES): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of reply) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new AnswerTooLong(`more than ${mostBytes / 2 ** 20} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Sends a request and gives the answer as soon as its head is there.
 *
 * @throws the network's error, or the signal's reason.
 */
export function openReply({
  url,
  headers,
  body,
  signal,
  plan,
  send = sendRequest,
}: ServerRequest): Promise<OpenedReply> {
  const accepting = { accept: "application/json", ...headers };
  if (body === undefined) return send({ url, method: "GET", headers: accepting, signal });
  const sent = Buffer.from(JSON.stringify(body));
  const sending = { ...accepting, "content-type": "application/json", "content-length": sent.length };
  return send({ url, method: "POST", headers: sending, body: sent, signal, ...defined({ plan }) });
}

/**
 * Sends a request and reads its whole answer.
 *
 * @throws the network's error, {@link AnswerTooLong}, or the signal's reason.
 */
export async function exchange(request: ServerRequest): Promise<ServerReply> {
  const reply = await openReply(request);
  let text: string;
  try {
    text = (await readWithin(reply)).toString("utf8");
  } catch (error) {
    request.signal.throwIfAborted();
    throw error;
  }
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: streamedAnswer(text) ?? jsonOf(text) };
}

/** The header that carries a key. */
export function keyHeaders({ keyHeader }: Preset, apiKey: string): Readonly<Record<string, string>> {
  return keyHeader === "api-key" ? { "api-key": apiKey } : { authorization: `Bearer ${apiKey}` };
}

/** An address with more path; what follows a question mark stays behind it. */
export function below(baseUrl: string, path: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
  return url.href;
}

function jsonOf(text: string): unknown {
  if (nestsTooDeep(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    // Proxies and servers that are starting answer in plain words or HTML.
    return text;
  }
}

/** What a server says about an error. */
export interface ServerFault {
  /** Its own words; empty where there are none. */
  readonly message: string;
  /** Its codes for it in one text, such as `insufficient_quota`. */
  readonly codes: string;
  /** The parameter it names, where it names one. */
  readonly parameter: string;
}

const Said = z.object({
  message: z.optional(z.unknown()),
  code: z.optional(z.unknown()),
  type: z.optional(z.unknown()),
  param: z.optional(z.unknown()),
  detail: z.optional(z.unknown()),
});
const Wrapped = z.object({ error: z.unknown() });

/** Reads an error in the forms that servers have for it: an object or a text, below `error` or not, alone or in a list. */
export function faultOf({ body }: Pick<ServerReply, "body">): ServerFault {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const wrapped = Wrapped.safeParse(first);
  const inner = wrapped.success && wrapped.data.error !== undefined ? wrapped.data.error : first;
  if (typeof inner === "string") return { message: plainWords(inner), codes: "", parameter: "" };
  const said = Said.safeParse(inner);
  if (!said.success) return { message: "", codes: "", parameter: "" };
  const { message, detail, code, type, param } = said.data;
  return {
    message: wordsOf(message) || wordsOf(detail) || complaintsOf(detail),
    codes: [code, type].map(wordsOf).join(" ").trim(),
    parameter: wordsOf(param),
  };
}

/** Whether a provider's filter, not its server, refused: for what is shown or said. */
export function isContentRefusal(reply: Pick<ServerReply, "body">): boolean {
  return /content_(?:filter|policy)|safety|moderation/i.test(faultOf(reply).codes);
}

/** Characters kept of what a server says. */
const KEPT_CHARACTERS = 200;

/** A server's words on one line, short, without the key. */
export function spokenReason(message: string, apiKey: string): string {
  return (apiKey === "" ? message : message.replaceAll(apiKey, "…"))
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, KEPT_CHARACTERS);
}

/** What a page of a proxy or a gateway says, without its markup. */
function plainWords(text: string): string {
  if (!/^\s*</.test(text)) return text;
  const shown = text.replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>|<!--[\s\S]*?-->/gi, " ");
  return shown
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&amp;", "&");
}

/** What FastAPI complains of, one after the other: `max_tokens: Input should be an integer`. */
function complaintsOf(detail: unknown): string {
  const read = z.array(z.object({ msg: z.string(), loc: z.optional(z.array(z.unknown())) })).safeParse(detail);
  if (!read.success) return "";
  return read.data.map(({ msg, loc = [] }) => [loc.at(-1), msg].filter(Boolean).join(": ")).join("; ");
}

function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
