import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { VisionModel } from "../../../src/engine/models/ask-model.ts";
import { completionOf, startModelServer } from "../../fakes/model-server.ts";
import { chats, question, settings } from "./asked-model.ts";

const { signal } = new AbortController();

describe("waiting", () => {
  const gemini = {
    status: 429,
    body: [{ error: { code: 429, status: "RESOURCE_EXHAUSTED", details: [{}, { retryDelay: "1.2s" }] } }],
  };

  test.each([
    ["retry-after-ms", { status: 429, headers: { "retry-after-ms": "400", "retry-after": "9" }, body: {} }, 400],
    ["retry-after", { status: 503, headers: { "retry-after": "1" }, body: "<html>loading</html>" }, 1000],
    ["a detail of Gemini's", gemini, 1200],
    ["nothing", { status: 529, body: { error: { type: "overloaded_error" } } }, 500],
  ])("the server's time counts, told by %s", async (_name, later, leastMs) => {
    const server = await startModelServer((_, number) => (number === 1 ? later : completionOf("yes")));
    await new VisionModel(settings(server, "gemini")).ask(question(), signal);
    const [first, second] = chats(server);
    const waited = (second?.at ?? 0) - (first?.at ?? 0);
    expect(waited).toBeGreaterThanOrEqual(leastMs - 5);
    // Long before the nine seconds that another header says.
    expect(waited).toBeLessThan(leastMs + 5_000);
  });

  test("while one request waits, all do, and no more are under way than are allowed", async () => {
    const server = await startModelServer((_, number) =>
      number === 1
        ? { status: 429, headers: { "retry-after-ms": "500" }, body: {} }
        : { ...completionOf("yes"), delayMs: 20 },
    );
    const model = new VisionModel(settings(server, "openai", { parallel: 2 }));
    const first = model.ask(question(), signal);
    await sleep(150);
    await Promise.all([first, ...Array.from({ length: 5 }, () => model.ask(question(), signal))]);
    const times = chats(server).map((one) => one.at - (chats(server)[0]?.at ?? 0));
    expect(times).toHaveLength(7);
    expect(Math.min(...times.slice(1))).toBeGreaterThanOrEqual(495);
    expect(server.mostAtOnce()).toBe(2);
  });

  test("a wait is not longer than a person would have patience for", async () => {
    const server = await startModelServer(() => ({ status: 429, headers: { "retry-after": "86400" }, body: {} }));
    const asked = new VisionModel(settings(server, "openai")).ask(question(), signal);
    await expect(asked).rejects.toThrow("status 429. Go on later, or lower ASIDE_VISION_PARALLEL.");
    expect(chats(server)).toHaveLength(1);
  });

  test("money is waited for by nobody", async () => {
    const body = { error: { message: "You exceeded your current quota", code: "insufficient_quota" } };
    const server = await startModelServer(() => ({ status: 429, headers: { "retry-after": "1" }, body }));
    await expect(new VisionModel(settings(server, "openai")).ask(question(), signal)).rejects.toThrow("no credit left");
    expect(chats(server)).toHaveLength(1);
  });

  test("who waits for the server, or for a turn, can be stopped", async () => {
    const server = await startModelServer(() => ({ status: 429, headers: { "retry-after": "60" }, body: {} }));
    const model = new VisionModel(settings(server, "openai", { parallel: 1 }));
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("cancelled by the user")), 100);
    const both = await Promise.allSettled([model.ask(question(), stop.signal), model.ask(question(), stop.signal)]);
    for (const one of both) expect(one).toMatchObject({ reason: { message: "cancelled by the user" } });
    expect(chats(server)).toHaveLength(1);
  });

  test("an answer that takes longer than fetch waits for its head is taken, and asked for once", async () => {
    vi.stubGlobal("fetch", async () => {
      await sleep(100);
      throw new TypeError("fetch failed: HeadersTimeoutError");
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const server = await startModelServer(() => ({ ...completionOf("slowly"), delayMs: 400 }));
    const model = new VisionModel(settings(server, "vllm", { timeoutSeconds: 5 }));
    expect((await model.ask(question(), signal)).words).toBe("slowly");
    expect(chats(server)).toHaveLength(1);
  });

  test("a time limit that has passed is not tried again: the next try would take as long", async () => {
    const server = await startModelServer(() => ({ ...completionOf("late"), delayMs: 600 }));
    const asked = new VisionModel(settings(server, "openai", { timeoutSeconds: 0.2 })).ask(question(), signal);
    await expect(asked).rejects.toThrow(/no answer within 0.2 s.*ASIDE_VISION_TIMEOUT/);
    await sleep(700);
    expect(chats(server)).toHaveLength(1);
  });
});
