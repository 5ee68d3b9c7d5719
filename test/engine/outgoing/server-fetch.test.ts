import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { serverFetch } from "../../../src/engine/outgoing/send-request.ts";

async function listening(rule: RequestListener): Promise<string> {
  const server = createServer(rule);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // a server on TCP has a port
}

test("sends a form as fetch does, with its length, and gives status, headers and body", async () => {
  let seen: object = {};
  const url = await listening(async (request, response) => {
    const { "content-type": type, "content-length": length } = request.headers;
    const body = await text(request);
    seen = { type, isWhole: Number(length) === Buffer.byteLength(body), body };
    response.writeHead(418, { "x-kind": "pot" }).end('{"short": true}');
  });
  const form = new FormData();
  form.append("model", "whisper-1");
  const reply = await serverFetch(url, { method: "POST", body: form, headers: { authorization: "Bearer k" } });
  expect(seen).toMatchObject({ type: expect.stringContaining("multipart/form-data; boundary="), isWhole: true });
  expect(seen).toMatchObject({ body: expect.stringMatching(/name="model"\r\n\r\nwhisper-1\r\n/) });
  expect([reply.status, reply.ok, reply.headers.get("x-kind"), await reply.json()]).toEqual([
    ...[418, false, "pot"],
    { short: true },
  ]);
});

test("follows no redirect, and takes an answer without a body", async () => {
  const url = await listening((request, response) => {
    response.writeHead(request.method === "GET" ? 302 : 204, { location: "/elsewhere" }).end();
  });
  expect((await serverFetch(url)).status).toBe(302);
  expect((await serverFetch(url, { method: "POST" })).body).toBeNull();
});

test("ends with the signal's reason, before the answer and within it", async () => {
  const url = await listening((request, response) => {
    if (request.method === "GET") response.write("first");
  });
  const before = new AbortController();
  const asked = serverFetch(url, { method: "POST", body: "", signal: before.signal });
  before.abort(new Error("enough"));
  await expect(asked).rejects.toThrow("enough");
  const within = new AbortController();
  const reply = await serverFetch(url, { signal: within.signal });
  within.abort(new Error("enough"));
  await expect(reply.text()).rejects.toThrow();
});

test("ends with the signal's reason however much garbage was collected meanwhile", async () => {
  const asked = Promise.withResolvers<void>();
  const url = await listening(() => asked.resolve());
  const stop = new AbortController();
  const reply = serverFetch(url, { method: "POST", body: "", signal: AbortSignal.any([stop.signal]) });
  await asked.promise;
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  for (let turn = 0; turn < 5; turn++) {
    collect();
    await setImmediate();
  }
  stop.abort(new Error("enough"));
  await expect(reply).rejects.toThrow("enough");
});
