import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  hasOllamaModel,
  type PullProgress,
  pullModel,
  removeOllamaModel,
} from "../../../src/engine/models/pull-model.ts";

const { signal } = new AbortController();

/** An Ollama whose answers to `/api/pull` are written by hand, one writer for each request; its root address. */
async function pulling(writers: readonly ((reply: ServerResponse) => unknown)[], shown: object = {}) {
  let pulls = 0;
  const server = createServer(async (request, reply) => {
    for await (const _ of request);
    if (request.url === "/api/version") return void reply.end('{"version": "0.40.12"}');
    if (request.url === "/api/show") return void reply.end(JSON.stringify({ capabilities: ["vision"], ...shown }));
    await writers[Math.min(pulls++, writers.length - 1)]?.(reply);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pulls: () => pulls };
}

const line = (reply: ServerResponse, value: object) => reply.write(`${JSON.stringify(value)}\n`);

test("adds the parts up, each by its digest, whatever of them is absent", async () => {
  const { root } = await pulling([
    async (reply) => {
      line(reply, { status: "pulling manifest" });
      line(reply, { status: "pulling aaa", digest: "a", total: 100 });
      line(reply, { status: "pulling aaa", digest: "a", total: 100, completed: 40 });
      line(reply, { status: "pulling bbb", digest: "b", total: 20, completed: 20 });
      // A line that arrives in two pieces, in the middle of a letter.
      const whole = Buffer.from(`${JSON.stringify({ status: "vérifie", digest: "a", completed: 100 })}\n`);
      reply.write(whole.subarray(0, 13));
      await sleep(20);
      reply.write(whole.subarray(13));
      line(reply, { status: "verifying sha256 digest" });
      reply.end('{"status":"success"}');
    },
  ]);
  const seen: PullProgress[] = [];
  await pullModel(root, "m", signal, (progress) => seen.push(progress));
  expect(seen.map(({ completedBytes, totalBytes }) => `${completedBytes}/${totalBytes}`)).toEqual([
    "0/0",
    "0/100",
    "40/100",
    "60/120",
    "120/120",
    "120/120",
  ]);
  expect(seen[4]?.state).toBe("vérifie");
});

test("goes on after a break, and after a stream that ends without saying that all is there", async () => {
  const { root, pulls } = await pulling([
    async (reply) => {
      line(reply, { digest: "a", total: 100, completed: 40 });
      await sleep(20);
      reply.destroy();
    },
    (reply) => {
      line(reply, { digest: "a", total: 100 });
      line(reply, { digest: "a", total: 100, completed: 70 });
      reply.end('{"status":"pul');
    },
    (reply) => reply.end('{"digest":"a","total":100,"completed":100}\n{"status":"success"}\n'),
  ]);
  const seen: number[] = [];
  const from = performance.now();
  await pullModel(root, "m", signal, ({ completedBytes }) => seen.push(completedBytes));
  expect(pulls()).toBe(3);
  // Half a second before each: what broke the line may be over by then.
  expect(performance.now() - from).toBeGreaterThan(990);
  expect(seen).toEqual([40, 40, 70, 100]);
});

test("goes on as often as the line breaks, while something arrives", async () => {
  const breaking = (completed: number) => (reply: ServerResponse) => {
    line(reply, { digest: "a", total: 9, completed });
    reply.end();
  };
  const { root, pulls } = await pulling([
    ...[1, 2, 3, 4, 5].map(breaking),
    (reply) => reply.end('{"status":"success"}\n'),
  ]);
  await pullModel(
    root,
    "m",
    signal,
    () => undefined,
    () => 1,
  );
  expect(pulls()).toBe(6);
});

test("an error in the middle of a good stream ends it, in Ollama's words", async () => {
  const { root, pulls } = await pulling([
    (reply) => {
      line(reply, { status: "pulling manifest" });
      reply.end('{"error":"pull model manifest: file does not exist"}\n');
    },
  ]);
  const asked = pullModel(root, "m", signal, () => undefined);
  await expect(asked).rejects.toMatchObject({ code: "vision_pull_failed" });
  await expect(asked).rejects.toThrow("(pull model manifest: file does not exist). Check the name");
  expect(pulls()).toBe(1);
});

test("a status without a line of Ollama's own ends it too", async () => {
  const { root, pulls } = await pulling([(reply) => void reply.writeHead(400).end()]);
  const asked = pullModel(root, "m", signal, () => undefined);
  await expect(asked).rejects.toMatchObject({ code: "vision_pull_failed" });
  await expect(asked).rejects.toThrow("status 400");
  expect(pulls()).toBe(1);
});

test("a line that breaks without progress is given up, and told", async () => {
  const { root, pulls } = await pulling([(reply) => reply.destroy()]);
  const pauses: number[] = [];
  const pauseMs = (tries: number) => pauses.push(tries);
  const asked = pullModel(root, "m", signal, () => undefined, pauseMs);
  await expect(asked).rejects.toMatchObject({ code: "vision_unreachable" });
  await expect(asked).rejects.toThrow("m continues where it stopped");
  expect(pulls()).toBe(4);
  expect(pauses).toEqual([1, 2, 3]);
});

test("a download that is silent for ten minutes goes on anew, and one that says something is waited for", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const replies: ServerResponse[] = [];
  const { root, pulls } = await pulling([
    (reply) => {
      replies.push(reply);
      line(reply, { status: "one" });
    },
    (reply) => reply.end('{"status":"success"}\n'),
  ]);
  const states: string[] = [];
  const asked = pullModel(root, "m", signal, ({ state }) => states.push(state));
  const heard = async (count: number) => {
    while (states.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  await heard(1);
  vi.advanceTimersByTime(9 * 60_000);
  for (const reply of replies) line(reply, { status: "two" });
  await heard(2);
  vi.advanceTimersByTime(10 * 60_000 - 1);
  for (const reply of replies) line(reply, { status: "three" });
  await heard(3);
  expect(pulls()).toBe(1);
  vi.advanceTimersByTime(10 * 60_000);
  await asked;
  expect(pulls()).toBe(2);
});

test("can be stopped, and then lets go of the line", async () => {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const { root } = await pulling([
    (reply) => {
      reply.once("close", letGo);
      line(reply, { status: "pulling manifest" });
    },
  ]);
  const stop = new AbortController();
  const asked = pullModel(root, "m", stop.signal, () => stop.abort(new Error("cancelled by the user")));
  await expect(asked).rejects.toThrow("cancelled by the user");
  await gone;
});

test("a model that does not see is told of", async () => {
  const { root } = await pulling([(reply) => reply.end('{"status":"success"}\n')], { capabilities: ["completion"] });
  await expect(pullModel(root, "m", signal, () => undefined)).rejects.toMatchObject({ code: "vision_blind" });
});

test("where no Ollama is, a sentence says where to get it", async () => {
  await expect(hasOllamaModel("http://127.0.0.1:9", "m", signal)).rejects.toThrow("Install it from ollama.com");
  const { root } = await pulling([]);
  expect(await hasOllamaModel(root, "m", signal)).toBe(true);
  await expect(removeOllamaModel("http://127.0.0.1:9", "m", signal)).rejects.toThrow("Install it from ollama.com");
});

test("a model is removed by its name, and what Ollama says is not waited for to its end", async () => {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const asked: unknown[] = [];
  const server = createServer(async (request, reply) => {
    let body = "";
    for await (const piece of request) body += piece;
    asked.push([request.method, request.url, JSON.parse(body)]);
    reply.once("close", letGo);
    reply.writeHead(body.includes("none such") ? 404 : 200);
    reply.write("deleting");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await removeOllamaModel(root, "m", signal);
  await gone;
  await expect(removeOllamaModel(root, "none such", signal)).rejects.toMatchObject({
    code: "vision_pull_failed",
    message: "Ollama did not remove none such (status 404).",
  });
  expect(asked).toEqual(["m", "none such"].map((model) => ["DELETE", "/api/delete", { model }]));
});
