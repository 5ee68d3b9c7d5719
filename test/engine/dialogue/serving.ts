import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server of this machine, for the length of a test, that answers the listed paths, and others with 404. @returns Its origin. */
export async function serving(replies: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer((request, reply) => {
    const answer = replies[request.url ?? ""];
    reply.writeHead(answer === undefined ? 404 : 200).end(answer ?? "");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server on TCP has a port
}
