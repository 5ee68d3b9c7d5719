import { ConnectionError } from "../../core/error.ts";
import type { Clock } from "../../core/ports.ts";
import { everyName, keepName, routed } from "./loopback.ts";
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
 * was answered, so that it is never sent twice. This computer is asked by both of its names before nothing is said to answer.
 */
export function httpFetch(
  Requests: UxpRequestConstructor,
  clock: Pick<Clock, "sleep">,
): (address: string, init: SmallRequest) => Promise<SmallReply> {
  const answered = new Set<string>();
  /** Whether a harmless request to an origin is answered, by whichever name; the one that is counts from then on. */
  const isReached = async (origin: string, signal: AbortSignal) => {
    for (const url of everyName(routed(Requests, `${origin}/`))) {
      try {
        await sendRequest(Requests, { method: "GET", url, isAsGiven: true, headers: {}, signal, replyAs: "text" });
        keepName(Requests, url);
        return true;
      } catch (error) {
        if (!(error instanceof ConnectionError)) signal.throwIfAborted();
      }
    }
    return false;
  };
  const reach = async (origin: string, signal: AbortSignal) => {
    for (const pauseMs of [...FIRST_PAUSES_MS, null]) {
      // Where nothing answers, the request itself tells what is wrong.
      if ((await isReached(origin, signal)) || pauseMs === null) return;
      await clock.sleep(pauseMs, signal);
    }
  };
  return async (address, init) => {
    const { body } = init;
    const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(address)?.[0] ?? "";
    const isNew = !answered.has(origin);
    if (isNew && init.method !== "GET") await reach(origin, init.signal);
    const send = () =>
      sendRequest(Requests, {
        method: init.method,
        url: address,
        headers: init.headers,
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : exactBuffer(body) }),
        signal: init.signal,
        replyAs: "text",
      });
    const reply = await send().catch(async (error: unknown) => {
      // Asking again changes nothing: by the other name of this computer, where it has one.
      const hasOther = isNew && init.method === "GET" && everyName(address).length > 1;
      if (!hasOther || !(error instanceof ConnectionError) || !(await isReached(origin, init.signal))) throw error;
      return send();
    });
    answered.add(origin);
    return { status: reply.status, headers: { get: (name) => reply.header(name) }, text: async () => reply.text };
  };
}

/** The bytes of a view as a buffer of their own: UXP sends whole buffers only. */
function exactBuffer(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}
