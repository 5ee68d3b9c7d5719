import { ConnectionError } from "../../core/connection-error.ts";
import type { UxpRequest, UxpRequestConstructor } from "./runtime.ts";

/** One request. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
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
  /** Empty when bytes were asked for. */
  readonly text: string;
  /** Empty when text was asked for. */
  readonly bytes: ArrayBuffer;
}

/**
 * Sends a request by `XMLHttpRequest`: UXP's `fetch` has no upload progress, loses 308 replies and may ignore an abort
 * (`premiere-uxp.md` 4.2).
 *
 * @throws ConnectionError when no answer comes; the signal's reason when it aborts.
 */
export function sendRequest(Requests: UxpRequestConstructor, request: HttpRequest): Promise<HttpReply> {
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
      resolve(replyOf(sender));
    };
    sender.onerror = fail("the other side could not be reached, or the line broke");
    sender.ontimeout = fail("the other side did not answer in time");
    sender.onabort = fail("the request was broken off");
    sender.upload.onprogress = (event) => request.onSent?.(event.loaded);
    sender.onprogress = (event) => request.onReceived?.(event.loaded);
    signal.addEventListener("abort", abort, { once: true });
    start(sender, request, (error) => {
      stop();
      // Nothing left this computer: the address cannot be used at all.
      reject(new ConnectionError("the request could not be made", { mayHaveArrived: false, cause: error }));
    });
  });
}

function start(sender: UxpRequest, request: HttpRequest, refuse: (error: unknown) => void): void {
  try {
    sender.open(request.method, request.url);
    // UXP's reference spells it "arrayBuffer", its samples "arraybuffer"; what comes is looked at, not trusted.
    sender.responseType = request.replyAs === "bytes" ? "arraybuffer" : "text";
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
    bytes: isArrayBuffer(response) ? response : new ArrayBuffer(0),
  };
}

/** Whether a value is a raw buffer, of this realm or of the host's. */
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === "[object ArrayBuffer]";
}
