import type { Clock } from "../../core/clock.ts";
import { ConnectionError } from "../../core/connection-error.ts";
import type { UxpRequestConstructor } from "./runtime.ts";
import { sendRequest } from "./send-request.ts";

/** What a client asks of a `fetch`; the part of it that this one reads. */
interface SmallRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
}

/** What a client reads of a reply. */
interface SmallReply {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** Pauses between the tries of a first connection, in milliseconds: five tries within 3 s. */
const FIRST_PAUSES_MS = [250, 500, 1000, 1250];

/**
 * A `fetch` for requests with small text replies, by way of {@link sendRequest}. Fits the client's port. An installed plugin may
 * be denied its first connections for a moment: a request that changes something waits until a harmless one to the same origin
 * was answered, so that it is never sent twice.
 */
export function httpFetch(
  Requests: UxpRequestConstructor,
  clock: Pick<Clock, "sleep">,
): (address: string, init: SmallRequest) => Promise<SmallReply> {
  const answered = new Set<string>();
  const ask = (url: string, signal: AbortSignal) =>
    sendRequest(Requests, { method: "GET", url, headers: {}, signal, replyAs: "text" });
  const reach = async (origin: string, signal: AbortSignal) => {
    for (const pauseMs of [...FIRST_PAUSES_MS, null]) {
      try {
        return await ask(`${origin}/`, signal);
      } catch (error) {
        // The request itself then tells what is wrong.
        if (!(error instanceof ConnectionError) || pauseMs === null) return signal.throwIfAborted();
        await clock.sleep(pauseMs, signal);
      }
    }
  };
  return async (address, init) => {
    const { body } = init;
    const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(address)?.[0] ?? "";
    if (!answered.has(origin) && init.method !== "GET") await reach(origin, init.signal);
    const reply = await sendRequest(Requests, {
      method: init.method,
      url: address,
      headers: init.headers,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : exactBuffer(body) }),
      signal: init.signal,
      replyAs: "text",
    });
    answered.add(origin);
    return { status: reply.status, headers: { get: (name) => reply.header(name) }, text: async () => reply.text };
  };
}

/** The bytes of a view as a buffer of their own: UXP sends whole buffers only. */
function exactBuffer(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}
