/** What the client asks of a `fetch`. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
  /** Redirects are not followed: they would carry the API key to wherever they point. */
  readonly redirect: "manual";
}

/** What the client reads of a reply. */
export interface FetchReply {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/**
 * The one way the client reaches the network. Node's and UXP's own `fetch` fit, and so does a service's handler in a
 * test. It may ignore the signal: the client stops waiting by itself.
 */
export type Fetch = (address: string, init: FetchInit) => Promise<FetchReply>;
