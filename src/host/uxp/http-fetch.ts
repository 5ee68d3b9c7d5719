import type { UxpRequestConstructor } from "./runtime.ts";
import { sendRequest } from "./send-request.ts";

/** What a client asks of a `fetch`; the part of it that this one reads. */
interface FetchInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
}

/** What a client reads of a reply. */
interface FetchReply {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** A `fetch` for requests with small text replies, by way of {@link sendRequest}. Fits the client's port. */
export function httpFetch(Requests: UxpRequestConstructor): (address: string, init: FetchInit) => Promise<FetchReply> {
  return async (address, init) => {
    const { body } = init;
    const reply = await sendRequest(Requests, {
      method: init.method,
      url: address,
      headers: init.headers,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : exactBuffer(body) }),
      signal: init.signal,
      replyAs: "text",
    });
    return { status: reply.status, headers: { get: (name) => reply.header(name) }, text: async () => reply.text };
  };
}

/** The bytes of a view as a buffer of their own: UXP sends whole buffers only. */
function exactBuffer(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}
