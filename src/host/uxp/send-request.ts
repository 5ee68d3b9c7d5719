import { ConnectionError } from "../../core/error.ts";
import { routed } from "./loopback.ts";
import type { UxpRequest, UxpRequestConstructor } from "./runtime.ts";

/** One request. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** Whether an address of this computer is asked by the very name in it, and not by the one that is known to work. */
  readonly isAsGiven?: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | ArrayBuffer;
  readonly signal: AbortSignal;
  /** How the reply's body comes. */
  readonly replyAs: "text" | "bytes";
  /** Bytes of the body that have left, or of the reply that have come. */
  readonly onSent?: (bytes: number) => void;
  readonly onReceived?: (bytes: number) => void;
}

/** Its reply, whatever the status. */
export interface HttpReply {
  readonly status: number;
  header(name: string): string | null;
  /** Empty when bytes were asked for and came. */
  readonly text: string;
  /** Empty when text was asked for. */
  readonly bytes: ArrayBuffer;
}

/** How a reply in bytes is asked for: UXP's reference spells it one way, its samples the other. */
const BYTES_TYPES = ["arraybuffer", "arrayBuffer"] as const;

/** Which spelling worked with a kind of requests; the first one is tried first. */
const KNOWN_TYPES = new WeakMap<UxpRequestConstructor, string>();

/**
 * Sends a request by `XMLHttpRequest`: UXP's `fetch` has no upload progress, loses 308 replies and may ignore an abort
 * (`premiere-uxp.md` 4.2). Where a good reply to a GET comes without the bytes that were asked for, it is asked for again in the
 * other spelling, which is kept to from then on.
 *
 * @throws ConnectionError when no answer comes, or never in bytes; the signal's reason when it aborts.
 */
export async function sendRequest(Requests: UxpRequestConstructor, request: HttpRequest): Promise<HttpReply> {
  if (request.replyAs === "text") return (await exchange(Requests, request, "text")).reply;
  const known = KNOWN_TYPES.get(Requests);
  let last: SentRequest | null = null;
  for (const type of known === undefined ? BYTES_TYPES : [known]) {
    last = await exchange(Requests, request, type);
    const isGood = last.reply.status >= 200 && last.reply.status < 300;
    if (last.hasBytes && isGood) KNOWN_TYPES.set(Requests, type);
    if (last.hasBytes || !isGood || request.method !== "GET") return last.reply;
  }
  throw new ConnectionError("the reply did not come in bytes", { mayHaveArrived: true });
}

/** Whether a reply to a GET comes in bytes, by the way they are asked for. */
export async function spellingsOfBytes(Requests: UxpRequestConstructor, request: HttpRequest): Promise<string> {
  const found: string[] = [];
  for (const type of BYTES_TYPES) {
    const { reply, hasBytes } = await exchange(Requests, request, type);
    found.push(`${type}: ${hasBytes ? `${reply.bytes.byteLength} bytes` : "no bytes"}, status ${reply.status}`);
  }
  return found.join("; ");
}

interface SentRequest {
  readonly reply: HttpReply;
  /** Whether the reply's body is a buffer. */
  readonly hasBytes: boolean;
}

function exchange(Requests: UxpRequestConstructor, request: HttpRequest, type: string): Promise<SentRequest> {
  return new Promise((resolve, reject) => {
    const { signal } = request;
    if (signal.aborted) return reject(signal.reason);
    const sender = new Requests();
    const stop = () => {
      signal.removeEventListener("abort", abort);
      sender.upload.onprogress = null;
      sender.onprogress = null;
    };
    const abort = () => {
      stop();
      sender.abort();
      reject(signal.reason);
    };
    const fail = (what: string) => () => {
      stop();
      if (!signal.aborted) reject(new ConnectionError(what, { mayHaveArrived: true }));
    };
    sender.onload = () => {
      stop();
      resolve({ reply: replyOf(sender), hasBytes: isArrayBuffer(sender.response) });
    };
    sender.onerror = fail("the other side could not be reached, or the line broke");
    sender.ontimeout = fail("the other side did not answer in time");
    sender.onabort = fail("the request was broken off");
    sender.upload.onprogress = (event) => request.onSent?.(event.loaded);
    sender.onprogress = (event) => request.onReceived?.(event.loaded);
    signal.addEventListener("abort", abort, { once: true });
    start(Requests, sender, request, type, (error) => {
      stop();
      // Nothing left this computer: the address cannot be used at all.
      reject(new ConnectionError("the request could not be made", { mayHaveArrived: false, cause: error }));
    });
  });
}

function start(
  Requests: UxpRequestConstructor,
  sender: UxpRequest,
  request: HttpRequest,
  type: string,
  refuse: (error: unknown) => void,
): void {
  try {
    sender.open(request.method, request.isAsGiven === true ? request.url : routed(Requests, request.url));
    sender.responseType = type;
    for (const [name, value] of Object.entries(request.headers)) sender.setRequestHeader(name, value);
    if (request.body === undefined) sender.send();
    else sender.send(request.body);
  } catch (error) {
    refuse(error);
  }
}

function replyOf(sender: UxpRequest): HttpReply {
  const { response } = sender;
  return {
    status: sender.status,
    header: (name) => sender.getResponseHeader(name),
    text: typeof response === "string" ? response : "",
    // A buffer of our own: what the host hands out may only stand for one.
    bytes: isArrayBuffer(response) ? response.slice(0) : new ArrayBuffer(0),
  };
}

/** Whether a value is a raw buffer, of this realm or of the host's. */
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === "[object ArrayBuffer]";
}
