import { type Agent, type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { LEDGER_HEADER, type PaidPlan } from "./ledger.ts";

/** One request to a server. */
export interface OutgoingRequest {
  /** An http or https address. */
  readonly url: string;
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  /** Whole, or as it arrives; absent for none. */
  readonly body?: Uint8Array | Readable;
  /** What it may cost: said to the relay alone. */
  readonly plan?: PaidPlan;
  /** Who opens its connections, by a proxy for instance; a relay uses none. Default: Node's own. */
  readonly agent?: Agent;
  /** Aborts the request and what is still to come of its answer. */
  readonly signal: AbortSignal;
}

/** Environment variable that names the socket of the relay, in a process that asks nobody by itself (`relay.ts`). */
export const RELAY_VARIABLE = "ASIDE_RELAY";

/** Whether this process asks others through a relay. */
export function hasRelay(): boolean {
  return process.env[RELAY_VARIABLE] !== undefined;
}

/**
 * Sends a request, through the relay where this process has one, and gives the answer as soon as its head is there. Node's
 * `fetch` is not used: it gives up after 300 s without an answer, and a model on a processor may think longer than that.
 * Redirects are not followed.
 *
 * @throws the network's error, or the signal's reason.
 */
export async function sendRequest({
  url,
  method,
  headers: own,
  body,
  plan,
  agent,
  signal,
}: OutgoingRequest): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const socketPath = process.env[RELAY_VARIABLE];
  const headers =
    plan === undefined || socketPath === undefined ? own : { ...own, [LEDGER_HEADER]: JSON.stringify(plan) };
  const options = { method, headers, signal };
  const request =
    socketPath === undefined
      ? (url.startsWith("https:") ? requestHttps : requestHttp)(
          url,
          agent === undefined ? options : { ...options, agent },
        )
      : // The whole address is the path, as it is for a proxy.
        requestHttp({ ...options, socketPath, path: new URL(url).href });
  return await new Promise((resolve, reject) => {
    request.on("error", (error) => reject(signal.aborted ? signal.reason : error));
    request.once("response", resolve);
    // What breaks it off is said by the request.
    if (body instanceof Readable) pipeline(body, request).catch(() => undefined);
    else request.end(body);
  });
}

/** Statuses of answers that have no body, to which `Response` takes none. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * `fetch` for those who are asked through {@link sendRequest}: without a time limit of its own, and without redirects, whose
 * answer is given as it is. The body of the request is sent whole.
 *
 * @param plan What it may cost: said to the relay alone.
 * @throws the network's error, or the signal's reason.
 */
export async function serverFetch(
  input: string | URL | Request,
  init?: RequestInit,
  plan?: PaidPlan,
): Promise<Response> {
  const { url, method, headers, body, signal: following } = new Request(input, init);
  // A request's own signal follows the given one only as long as nobody collects the request, which nothing here keeps.
  const signal = init?.signal ?? following;
  const sent = body === null ? undefined : await buffer(body);
  const reply = await sendRequest({
    url,
    method,
    headers: { ...Object.fromEntries(headers), ...(sent === undefined ? {} : { "content-length": sent.length }) },
    ...(sent === undefined ? {} : { body: sent }),
    ...(plan === undefined ? {} : { plan }),
    signal,
  });
  const status = reply.statusCode ?? 0;
  const answer = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) answer.set(name, String(value));
  if (WITHOUT_BODY.has(status)) reply.resume();
  // Node's streams and those of the web's types differ in name alone.
  const stream = WITHOUT_BODY.has(status) ? null : (Readable.toWeb(reply) as ReadableStream<Uint8Array>);
  return new Response(stream, { status, headers: answer });
}
