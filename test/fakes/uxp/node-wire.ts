import { request as sendHttp } from "node:http";
import type { Wire } from "./xml-http-request.ts";

/** Carries requests over real HTTP on this computer. */
export const nodeWire: Wire = (request) =>
  new Promise((resolve, reject) => {
    const { method, headers, body, signal } = request;
    const length = body === null ? {} : { "Content-Length": String(body.byteLength) };
    const sender = sendHttp(request.url, { method, headers: { ...headers, ...length }, signal }, (reply) => {
      const pieces: Uint8Array[] = [];
      reply.on("data", (piece: Uint8Array) => pieces.push(piece));
      reply.on("error", reject);
      reply.on("end", () => {
        const texts = Object.entries(reply.headers).map(([name, value]) => [name, String(value)] as const);
        resolve({ status: reply.statusCode ?? 0, headers: Object.fromEntries(texts), body: Buffer.concat(pieces) });
      });
    });
    sender.on("error", reject);
    if (body === null) sender.end();
    else sender.end(body, () => request.onSent(body.byteLength));
  });
