import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { type Outlet, openRelay, serverOutlet } from "../../../src/engine/outgoing/relay.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const KEY = { standIn: "ASIDE_VISION_KEY", secret: "$&-the-secret" };

type Rule = (request: IncomingMessage, response: ServerResponse) => void;

/** A server for the length of a test. @returns Its origin. */
async function listening(rule: Rule): Promise<string> {
  const server = createServer(rule);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server on TCP has a port
}

async function relayTo(...outlets: readonly Outlet[]): Promise<string> {
  const relay = await openRelay(outlets, await temporaryFolder());
  onTestFinished(() => relay[Symbol.dispose]());
  return relay.path;
}

/** Begins a request as a process without a network sends it. */
function ask(socketPath: string, path: string, more: { method?: string; headers?: Record<string, string> } = {}) {
  return request({ socketPath, path, agent: false, ...more });
}

async function answerOf(asked: ReturnType<typeof ask>): Promise<IncomingMessage> {
  const [reply] = await once(asked, "response");
  return reply;
}

const outletOf = (origin: string) => serverOutlet({ kind: "model", origin, paths: /\/chat\/completions$/, key: KEY });

test("a request reaches the server as it was sent, with the key in place of its name, and so does the answer", async () => {
  let seen: object = {};
  const origin = await listening(async (incoming, response) => {
    const { authorization, host, "content-type": type } = incoming.headers;
    seen = { method: incoming.method, path: incoming.url, authorization, host, type, body: await text(incoming) };
    response.writeHead(429, { "retry-after": "7", "x-request-id": "r1" }).end("later");
  });
  const headers = { authorization: "Bearer ASIDE_VISION_KEY", "content-type": "text/plain", "content-length": "5" };
  const url = `${origin}/v1/chat/completions?api-version=1`;
  const reply = await answerOf(ask(await relayTo(outletOf(origin)), url, { method: "POST", headers }).end("words"));
  expect(seen).toEqual({
    ...{ method: "POST", path: "/v1/chat/completions?api-version=1", authorization: `Bearer ${KEY.secret}` },
    ...{ host: new URL(origin).host, type: "text/plain", body: "words" },
  });
  expect(reply).toMatchObject({ statusCode: 429, headers: { "retry-after": "7", "x-request-id": "r1" } });
  expect(await text(reply)).toBe("later");
});

test("nobody else is asked: no other server, path or method, and no address that is none", async () => {
  let asked = 0;
  const count: Rule = (_, response) => {
    asked++;
    response.end();
  };
  const [origin, elsewhere] = [await listening(count), await listening(count)];
  const path = await relayTo(outletOf(origin));
  const refused = [
    [`${elsewhere}/v1/chat/completions`, "POST"],
    [`${origin}/v1/files`, "POST"],
    [`${origin}/v1/chat/completions/../../files`, "POST"],
    [`${origin}/v1/chat/completions`, "DELETE"],
    [origin.replace("127.0.0.1", "127.0.0.1.example.org"), "GET"],
    [`${origin.replace("http:", "https:")}/v1/chat/completions`, "POST"],
    ["/v1/chat/completions", "GET"],
    ["http://", "GET"],
  ] as const;
  for (const [url, method] of refused) {
    const reply = await answerOf(ask(path, url, { method, headers: { authorization: KEY.standIn } }).end());
    expect([url, reply.statusCode, await text(reply)]).toEqual([url, 403, expect.not.stringContaining(KEY.secret)]);
  }
  expect(asked).toBe(0);
});

test("a key goes to its own server alone, although two have one address", async () => {
  const seen: unknown[] = [];
  const origin = await listening((incoming, response) => {
    seen.push(incoming.headers.authorization);
    response.end();
  });
  const speech = {
    kind: "voice" as const,
    origin,
    paths: /\/audio\/speech$/,
    key: { standIn: "ASIDE_VOICE_KEY", secret: "speaking" },
  };
  const path = await relayTo(outletOf(origin), serverOutlet(speech));
  for (const end of ["chat/completions", "audio/speech"]) {
    const headers = { authorization: "ASIDE_VISION_KEY ASIDE_VOICE_KEY" };
    await answerOf(ask(path, `${origin}/v1/${end}`, { headers }).end());
  }
  expect(seen).toEqual([`${KEY.secret} ASIDE_VOICE_KEY`, "ASIDE_VISION_KEY speaking"]);
});

test("bodies pass through in blocks, in either direction, while more is still to come", async () => {
  const origin = await listening((incoming, response) => {
    incoming.pipe(response);
  });
  const asked = ask(await relayTo(outletOf(origin)), `${origin}/chat/completions`, { method: "POST" });
  asked.write("first");
  const reply = await answerOf(asked);
  const [first] = await once(reply, "data");
  expect(String(first)).toBe("first");
  const rest = buffer(reply);
  const large = Buffer.alloc(20_000_000, "picture");
  asked.end(large);
  expect((await rest).equals(large)).toBe(true);
});

test("a request ends at the server as soon as nobody waits for its answer", async () => {
  const [arrived, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const origin = await listening((_, response) => {
    arrived.resolve();
    response.once("close", isOver.resolve);
  });
  const asked = ask(await relayTo(outletOf(origin)), `${origin}/chat/completions`, { method: "POST" });
  asked.on("error", () => undefined).end("question");
  await arrived.promise;
  asked.destroy();
  await isOver.promise;
});

test("a server that is not there, or breaks off, breaks the line of whoever asks", async () => {
  const gone = "http://127.0.0.1:9";
  const halves = await listening((_, response) => {
    response.writeHead(200, { "content-length": "10" }).write("half");
    setImmediate(() => response.destroy());
  });
  const path = await relayTo(outletOf(gone), outletOf(halves));
  await expect(answerOf(ask(path, `${gone}/chat/completions`).end())).rejects.toThrow("socket hang up");
  await expect(answerOf(ask(path, `${halves}/chat/completions`).end()).then(text)).rejects.toThrow("aborted");
});

test("with the relay goes what is under way", async () => {
  const origin = await listening(() => undefined);
  const relay = await openRelay([outletOf(origin)], await temporaryFolder());
  const asked = answerOf(ask(relay.path, `${origin}/chat/completions`).end());
  asked.catch(() => undefined);
  relay[Symbol.dispose]();
  await expect(asked).rejects.toThrow();
});
