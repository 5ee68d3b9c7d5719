import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { sendRequest } from "./send-request.ts";

/** Statuses of answers that have no body, to which `Response` takes none. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * `fetch` for those who are asked through {@link sendRequest}: without a time limit of its own, and without redirects, whose
 * answer is given as it is. The body of the request is sent whole.
 *
 * @throws the network's error, or the signal's reason.
 */
export async function serverFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { url, method, headers, body, signal: following } = new Request(input, init);
  // A request's own signal follows the given one only as long as nobody collects the request, which nothing here keeps.
  const signal = init?.signal ?? following;
  const sent = body === null ? undefined : await buffer(body);
  const reply = await sendRequest({
    url,
    method,
    headers: { ...Object.fromEntries(headers), ...(sent === undefined ? {} : { "content-length": sent.length }) },
    ...(sent === undefined ? {} : { body: sent }),
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
