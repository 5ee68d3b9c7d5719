import type { IncomingMessage } from "node:http";
import { sendRequest } from "../outgoing/send-request.ts";
import type { Preset } from "./presets.ts";

/** One request to a model server. */
export interface ServerRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly body?: unknown;
  /** Aborts the request and what is still to come of its answer. */
  readonly signal: AbortSignal;
}

/** A whole answer of a server. */
export interface ServerReply {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** Its JSON as far as it is some, else its text. */
  readonly body: unknown;
}

/** Most bytes taken as one answer: a model writes a few kilobytes, and a list of models is not much longer. */
const MAX_REPLY_BYTES = 16 * 2 ** 20;

/**
 * Sends a request and gives the answer as soon as its head is there.
 *
 * @throws the network's error, or the signal's reason.
 */
export function openReply({ url, headers, body, signal }: ServerRequest): Promise<IncomingMessage> {
  const accepting = { accept: "application/json", ...headers };
  if (body === undefined) return sendRequest({ url, method: "GET", headers: accepting, signal });
  const sent = Buffer.from(JSON.stringify(body));
  const sending = { ...accepting, "content-type": "application/json", "content-length": sent.length };
  return sendRequest({ url, method: "POST", headers: sending, body: sent, signal });
}

/**
 * Sends a request and reads its whole answer.
 *
 * @throws the network's error, `Error` for an answer that is far too long, or the signal's reason.
 */
export async function exchange(request: ServerRequest): Promise<ServerReply> {
  const reply = await openReply(request);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of reply as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_REPLY_BYTES) throw new Error("the answer is too long");
      chunks.push(chunk);
    }
  } catch (error) {
    request.signal.throwIfAborted();
    throw error;
  }
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: jsonOf(text) };
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
  try {
    return JSON.parse(text);
  } catch {
    // Proxies and servers that are starting answer in plain words or HTML.
    return text;
  }
}
