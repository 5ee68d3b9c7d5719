import { ConnectionError } from "../../core/error.ts";
import type { Clock } from "../../core/ports.ts";
import { everyName, keepName, routed } from "./loopback.ts";
import type { UxpRequestConstructor } from "./runtime.ts";
import { type HttpReply, sendRequest } from "./send-request.ts";

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

/** How long this computer may stay silent under one of its names before the other is asked, in milliseconds. */
const SILENT_MS = 2000;

/**
 * A `fetch` for requests with small text replies, by way of {@link sendRequest}. Fits the client's port. An installed plugin may
 * be denied its first connections for a moment: a request that changes something waits until a harmless one to the same origin
 * was answered, so that it is never sent twice. This computer is asked by both of its names, one of which may be refused or stay
 * silent, before nothing is said to answer.
 */
export function httpFetch(
  Requests: UxpRequestConstructor,
  clock: Pick<Clock, "sleep">,
): (address: string, init: SmallRequest) => Promise<SmallReply> {
  const answered = new Set<string>();
  /** An answer; `null` where it is not there soon, and is waited for no longer. */
  const soon = async <Answer>(answer: Promise<Answer>): Promise<Answer | null> => {
    const over = new AbortController();
    const silence = clock.sleep(SILENT_MS, over.signal).then(
      () => null,
      () => null,
    );
    try {
      return await Promise.race([answer, silence]);
    } finally {
      over.abort();
    }
  };
  /** Whether a harmless request to an origin is answered, by whichever name; the one that is counts from then on. */
  const isReached = async (origin: string, signal: AbortSignal) => {
    const urls = everyName(routed(Requests, `${origin}/`));
    for (const url of urls) {
      const asked = { method: "GET", url, isAsGiven: true, headers: {}, signal, replyAs: "text" } as const;
      try {
        const answer = sendRequest(Requests, asked);
        if ((await (urls.length > 1 ? soon(answer) : answer)) === null) continue;
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
  /** Sends what changes nothing, and sends it again by the other name of this computer where the first leads nowhere. */
  const sendByEither = async (send: () => Promise<HttpReply>, origin: string, signal: AbortSignal) => {
    const first = routed(Requests, origin);
    const sent = send();
    try {
      const reply = await soon(sent);
      if (reply !== null) return reply;
    } catch (error) {
      if (!(error instanceof ConnectionError) || !(await isReached(origin, signal))) throw error;
      return send();
    }
    return (await isReached(origin, signal)) && routed(Requests, origin) !== first ? send() : sent;
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
    const hasOther = isNew && init.method === "GET" && everyName(address).length > 1;
    const reply = await (hasOther ? sendByEither(send, origin, init.signal) : send());
    answered.add(origin);
    return { status: reply.status, headers: { get: (name) => reply.header(name) }, text: async () => reply.text };
  };
}

/** The bytes of a view as a buffer of their own: UXP sends whole buffers only. */
function exactBuffer(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}
