import type { Fetch, FetchInit, FetchReply } from "../../src/client/request.ts";

/** A reply to be given, or an error to be raised in its place; `hang` never answers. */
export type Scripted =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | Error
  | "hang";

/** A request that left. */
export interface SentRequest {
  readonly address: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FetchInit["body"];
}

/** Body of a sent request as JSON. */
export function sentJson(request: SentRequest | undefined): unknown {
  if (typeof request?.body !== "string") throw new Error("no JSON was sent");
  return JSON.parse(request.body);
}

/**
 * A `fetch` that gives prepared replies in order and keeps what was asked. A body that is a text is sent as it stands,
 * anything else as JSON. Asking more often than replies were prepared is an error of the test.
 */
export function scriptedFetch(...script: Scripted[]): { readonly fetch: Fetch; readonly sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const rest = [...script];
  const fetch: Fetch = async (address, init) => {
    sent.push({ address, method: init.method, headers: init.headers, body: init.body });
    const next = rest.shift();
    if (next === undefined) throw new Error(`unexpected request ${sent.length}: ${init.method} ${address}`);
    if (next instanceof Error) throw next;
    if (next === "hang") return new Promise<FetchReply>(() => undefined);
    const text = typeof next.body === "string" ? next.body : JSON.stringify(next.body ?? {});
    const headers = new Headers(next.headers);
    return { status: next.status ?? 200, headers, text: async () => text };
  };
  return { fetch, sent };
}

/** A network failure as Node's `fetch` raises it. */
export function networkError(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(`connect ${code}`), { code }) });
}
