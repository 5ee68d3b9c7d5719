import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Readable } from "node:stream";
import { ConnectionError } from "../../core/connection-error.ts";

/** Time without a single byte in either direction after which a line counts as dead, in milliseconds. */
const IDLE_MS = 120_000;

/** Longest part of an error reply that is kept, in bytes. */
const KEPT_REPLY_BYTES = 8_192;

/** One exchange with storage. */
export interface Exchange {
  readonly method: "GET" | "PUT";
  readonly url: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly signal: AbortSignal;
  /** Sent as it is read; the caller's to close. */
  readonly body?: Readable;
}

/**
 * Sends a request and hands back its reply as soon as its head is there, body unread. Where the other side answers
 * before the whole body is sent, sending stops: it has made up its mind.
 *
 * @throws ConnectionError without the address; the signal's reason when it aborts; what reading the body raises.
 */
export function exchange(options: Exchange): Promise<IncomingMessage> {
  const { method, url, headers, signal, body } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    let sent: ClientRequest;
    try {
      const start = url.startsWith("https:") ? requestHttps : requestHttp;
      sent = start(url, { method, headers });
    } catch (error) {
      reject(new ConnectionError("the address of storage cannot be used", { mayHaveArrived: false, cause: error }));
      return;
    }
    const abort = () => sent.destroy();
    signal.addEventListener("abort", abort, { once: true });
    sent.setTimeout(IDLE_MS, () =>
      sent.destroy(Object.assign(new Error("no byte for too long"), { code: "ETIMEDOUT" })),
    );
    sent.once("close", () => signal.removeEventListener("abort", abort));
    sent.once("response", (reply) => {
      body?.unpipe(sent);
      resolve(reply);
    });
    sent.on("error", (error) => reject(signal.aborted ? signal.reason : broken(error)));
    if (body === undefined) {
      sent.end();
      return;
    }
    body.once("error", (error) => {
      reject(error);
      sent.destroy();
    });
    body.pipe(sent);
  });
}

/** The beginning of a reply's body as text; the rest is thrown away. Ends the exchange. */
export async function readBriefly(reply: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of reply) {
      pieces.push(piece);
      length += piece.length;
      if (length >= KEPT_REPLY_BYTES) break;
    }
  } catch {
    // The status has arrived; what is missing of its explanation changes nothing.
  }
  reply.destroy();
  return Buffer.concat(pieces).subarray(0, KEPT_REPLY_BYTES).toString("utf8");
}

/** A line that broke, by the system's word for it; never by its address. */
export function broken(cause: unknown): ConnectionError {
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : "";
  return new ConnectionError(`the connection to storage broke${code}`, { mayHaveArrived: true, cause });
}
