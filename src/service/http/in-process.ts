import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";

/** Statuses whose replies have no body by definition (the web's `Response` insists). */
const WITHOUT_BODY = [101, 204, 205, 304];

/** Answers a web `Request` by a server that need not listen, streaming both ways. */
export async function answerInProcess(server: FastifyInstance, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const response = await server.inject({
    // Fastify refuses what it does not know, as it does over a network.
    method: request.method as "GET",
    url: url.pathname + url.search,
    headers: { ...Object.fromEntries(request.headers), host: url.host },
    // The web's stream type and Node's describe the same object.
    ...(request.body === null ? {} : { payload: Readable.fromWeb(request.body as never) }),
    payloadAsStream: true,
    signal: request.signal,
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    for (const item of [value ?? []].flat()) headers.append(name, String(item));
  }
  const body = WITHOUT_BODY.includes(response.statusCode) ? null : Readable.toWeb(response.stream());
  return new Response(body as ReadableStream<Uint8Array> | null, { status: response.statusCode, headers }); // as above
}
