import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { nodeFetch } from "../../../src/cli/service-run/service-run.ts";

/** A server that answers with so many bytes, in pieces that cut letters apart. */
async function answering(bytes: Buffer, pieces: number) {
  const server = createServer((_request, reply) => {
    // Whoever has had enough closes the line.
    pipeline(Readable.from(new Array(pieces).fill(bytes)), reply, () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const ask = async (address: string) => (await nodeFetch(address, { method: "GET", headers: {} } as never)).text();

test("a long reply is read whole, letters that lie across two pieces too", async () => {
  const piece = Buffer.from("é".repeat(1_001));
  const address = await answering(Buffer.concat([piece.subarray(1), piece.subarray(0, 1)]), 600);
  const text = await ask(address);
  expect([text.length, text.slice(-2_000)]).toEqual([600 * 1_001 + 1, expect.stringMatching(/^é+\ufffd?$/)]);
});

test("a reply that no memory should hold is not read to its end", async () => {
  const address = await answering(Buffer.alloc(4 * 1024 * 1024, "a"), 17);
  await expect(ask(address)).rejects.toThrow("too long");
});
