import type { UxpRequest, UxpRequestConstructor } from "../../../src/host/uxp/runtime.ts";

/** One exchange as the wire sees it. */
interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** Its answer; header names in lower case. */
interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What carries requests: a real network, or a function in a test. Rejects when no answer comes. */
export type Wire = (request: WireRequest) => Promise<WireReply>;

/** What the double of `XMLHttpRequest` needs. */
export interface RequestOptions {
  readonly wire: Wire;
  /** Origins the manifest allows, or all. */
  readonly domains: "all" | readonly string[];
  /** Spelling of the response type for bytes that this build understands. */
  readonly bytesType?: "arraybuffer" | "arrayBuffer";
  /** How many connections an installed plugin is denied before it may make any; nothing of them leaves the computer. */
  readonly deniesFirst?: number;
  /** Whether the system refuses addresses of plain `http`, as Premiere's documentation says of macOS. */
  readonly refusesPlainHttp?: boolean;
  /** A name of this computer by which the system reaches nothing: one was seen to refuse `localhost`, another `127.0.0.1`. */
  readonly deniesName?: "127.0.0.1" | "localhost";
  /** A name of this computer under which nothing ever answers. */
  readonly silentName?: "127.0.0.1" | "localhost";
}

/** Headers that a plugin may not set. */
const FORBIDDEN = /^(content-length|host|transfer-encoding|expect|connection|cookie|origin|referer)$/i;

/** Makes `XMLHttpRequest`: buffers only, listed origins only, forbidden headers refused. */
export function makeRequests(options: RequestOptions): UxpRequestConstructor {
  const decoder = new TextDecoder();
  let denials = options.deniesFirst ?? 0;
  return class implements UxpRequest {
    status = 0;
    response: unknown = "";
    responseType = "";
    readonly upload: UxpRequest["upload"] = { onprogress: null };
    onload: (() => void) | null = null;
    onerror: (() => void) | null = null;
    onabort: (() => void) | null = null;
    ontimeout: (() => void) | null = null;
    onprogress: ((event: { readonly loaded: number }) => void) | null = null;
    readonly #headers: Record<string, string> = {};
    readonly #controller = new AbortController();
    #replyHeaders: Readonly<Record<string, string>> = {};
    #target = { method: "", url: "" };

    open(method: string, url: string): void {
      this.#target = { method, url };
    }

    setRequestHeader(name: string, value: string): void {
      if (FORBIDDEN.test(name)) throw new Error(`the header ${name} cannot be set`);
      this.#headers[name] = value;
    }

    getResponseHeader(name: string): string | null {
      return this.#replyHeaders[name.toLowerCase()] ?? null;
    }

    send(body?: string | ArrayBuffer): void {
      void this.#run(bytesOf(body));
    }

    abort(): void {
      this.#controller.abort(new Error("aborted"));
      this.onabort?.();
    }

    async #run(body: Uint8Array | null): Promise<void> {
      try {
        if (!isListed(options.domains, this.#target.url)) throw new Error("Permission denied");
        if (options.refusesPlainHttp === true && this.#target.url.startsWith("http:")) throw new Error("Not allowed");
        if (options.deniesName !== undefined && this.#target.url.includes(`//${options.deniesName}:`)) {
          throw new Error("Permission denied");
        }
        if (options.silentName !== undefined && this.#target.url.includes(`//${options.silentName}:`)) {
          await new Promise(() => undefined);
        }
        if (denials > 0) {
          denials -= 1;
          throw new Error("Permission denied");
        }
        const reply = await options.wire({
          ...this.#target,
          headers: this.#headers,
          body,
          onSent: (loaded) => this.upload.onprogress?.({ loaded }),
          signal: this.#controller.signal,
        });
        if (this.#controller.signal.aborted) return;
        this.onprogress?.({ loaded: reply.body.byteLength });
        this.status = reply.status;
        this.#replyHeaders = reply.headers;
        const isBytes = this.responseType === (options.bytesType ?? "arraybuffer");
        this.response = isBytes ? new Uint8Array(reply.body).buffer : decoder.decode(reply.body);
        this.onload?.();
      } catch {
        if (!this.#controller.signal.aborted) this.onerror?.();
      }
    }
  };
}

/** A body of any other kind, a Blob for one, is sent empty. */
function bytesOf(body: string | ArrayBuffer | undefined): Uint8Array | null {
  if (body === undefined) return null;
  if (typeof body === "string") return new TextEncoder().encode(body);
  const isBuffer = Object.prototype.toString.call(body) === "[object ArrayBuffer]";
  return isBuffer ? new Uint8Array(body) : new Uint8Array(0);
}

function isListed(domains: "all" | readonly string[], url: string): boolean {
  const origin = /^[a-z]+:\/\/[^/]+/.exec(url)?.[0] ?? "";
  return domains === "all" || domains.includes(origin);
}
