import { EventEmitter } from "node:events";
import type { FastifyReply, FastifyRequest } from "fastify";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Caller } from "../../../src/service/http/authenticate.ts";
import { AwaitedWork, BodyTurns } from "../../../src/service/http/awaited-work.ts";
import { setCaller } from "../../../src/service/http/service-parts.ts";
import { SetClock, turns } from "../../fakes/set-clock.ts";

let clock: SetClock;
let work: AwaitedWork;
let begun: string[];
beforeEach(() => {
  clock = new SetClock();
  work = new AwaitedWork({ name: "lines", ofTeam: 3, seconds: 60 }, clock);
  begun = [];
});
afterEach(() => {
  vi.useRealTimers();
});

/** A request's reply, whose client can go. */
function client() {
  const raw = new EventEmitter() as unknown as FastifyReply["raw"];
  return { raw, go: () => void (raw as unknown as EventEmitter).emit("close") };
}

/** Asks for work that goes on until it is ended, or its signal is. */
function ask(team: string, name: string, reply = client()) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const taken = work.take(team, reply, (signal) => {
    begun.push(name);
    signal.throwIfAborted();
    return new Promise<string>((done, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      void promise.then(done);
    });
  });
  taken.catch(() => undefined);
  return { taken, end: () => resolve(name), go: reply.go };
}

describe("work that people wait for", () => {
  test("goes on one piece of a team at a time, and as many as may wait are taken; one more is refused", async () => {
    const asked = ["1", "2", "3"].map((name) => ask("a", name));
    await expect(ask("a", "4").taken).rejects.toMatchObject({ code: "concurrency_limit_exceeded" });
    const other = ask("b", "other");
    await turns();
    expect(begun).toEqual(["1", "other"]);
    asked[0]?.end();
    expect(await asked[0]?.taken).toBe("1");
    await turns();
    expect(begun).toEqual(["1", "other", "2"]);
    // Who was answered left a place.
    const next = ask("a", "5");
    for (const { end } of [...asked, other, next]) end();
    expect(await next.taken).toBe("5");
  });

  test("goes on for two teams at a time; a third waits until one of them was answered", async () => {
    const [first, second, third] = ["a", "b", "c"].map((team) => ask(team, team));
    await turns();
    expect(begun).toEqual(["a", "b"]);
    second?.end();
    await second?.taken;
    await turns();
    expect(begun).toEqual(["a", "b", "c"]);
    for (const one of [first, third]) one?.end();
    expect(await Promise.all([first?.taken, third?.taken])).toEqual(["a", "c"]);
  });

  test("of somebody who goes, in the middle of those that wait too, leaves their place at once and holds nobody up", async () => {
    const [first, second, third] = ["1", "2", "3"].map((name) => ask("a", name));
    await turns();
    second?.go();
    const fourth = ask("a", "4");
    await expect(ask("a", "5").taken).rejects.toMatchObject({ code: "concurrency_limit_exceeded" });
    for (const one of [first, third, fourth]) one?.end();
    expect(await Promise.all([first?.taken, third?.taken, fourth.taken])).toEqual(["1", "3", "4"]);
    await expect(second?.taken).rejects.toThrow("the client is gone");
  });

  test("under way for somebody who goes is ended, and the next begins", async () => {
    const [first, second] = ["1", "2"].map((name) => ask("a", name));
    await turns();
    first?.go();
    await expect(first?.taken).rejects.toThrow("the client is gone");
    await turns();
    expect(begun).toEqual(["1", "2"]);
    second?.end();
    await second?.taken;
  });

  test("ends at its time limit, which is told as that, and the next one has a whole one of its own", async () => {
    const [first, second] = ["1", "2"].map((name) => ask("a", name));
    await clock.pass(59_999);
    expect(begun).toEqual(["1"]);
    await clock.pass(1);
    await expect(first?.taken).rejects.toMatchObject({
      code: "internal_error",
      status: 504,
      message: expect.stringContaining("60 s"),
    });
    await clock.pass(59_999);
    expect(begun).toEqual(["1", "2"]);
    second?.end();
    expect(await second?.taken).toBe("2");
    expect(clock.sleeping).toBe(0);
  });

  test("that fails gives its own reason, and its place back", async () => {
    for (let count = 0; count < 5; count++) {
      await expect(work.take("a", client(), () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    }
    expect(clock.sleeping).toBe(0);
  });
});

describe("a long body", () => {
  const LONG = { "content-length": "16385" };

  /** Asks to read a body of a team; `name` is noted when it may be read. */
  function arrive(bodies: BodyTurns, name: string, headers: Readonly<Record<string, string>> = LONG) {
    const request = { headers } as unknown as FastifyRequest; // what the turns look at
    setCaller(request, { id: name.slice(0, 1) } as Caller);
    const raw = new EventEmitter();
    void bodies.take(request, { raw } as unknown as FastifyReply).then(() => begun.push(name));
    return { answer: () => raw.emit("finish"), go: () => raw.emit("close") };
  }

  test("is not read before one of two of its team was answered, or its sender is gone", async () => {
    const bodies = new BodyTurns();
    const [first, second] = ["a1", "a2", "a3", "a4", "b1"].map((name) => arrive(bodies, name));
    await turns();
    expect(begun).toEqual(["a1", "a2", "b1"]);
    first?.answer();
    await turns();
    expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
    second?.go();
    await turns();
    expect(begun).toEqual(["a1", "a2", "b1", "a3", "a4"]);
  });

  test("is one of more than 16 384 bytes, or of a length that nobody states; any other waits for none", async () => {
    const bodies = new BodyTurns();
    for (const name of ["a1", "a2"]) arrive(bodies, name);
    await turns();
    arrive(bodies, "a-short", { "content-length": "16384" });
    arrive(bodies, "a-none", {});
    arrive(bodies, "a-long");
    arrive(bodies, "a-unknown", { "transfer-encoding": "chunked" });
    await turns();
    expect(begun).toEqual(["a1", "a2", "a-short", "a-none"]);
  });

  test("keeps others from being read for a minute at most", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    // Of the timers of a minute alone: others of this process are nobody's here.
    const minutes: unknown[] = [];
    const [begin, end] = [setTimeout, clearTimeout];
    vi.stubGlobal("setTimeout", (run: () => void, ms: number) => {
      const timer = begin(run, ms);
      if (ms === 60_000) minutes.push(timer);
      return timer;
    });
    const ended: unknown[] = [];
    vi.stubGlobal("clearTimeout", (timer: NodeJS.Timeout) => {
      ended.push(timer);
      end(timer);
    });
    const bodies = new BodyTurns();
    const first = arrive(bodies, "a1");
    for (const name of ["a2", "a3", "a4"]) arrive(bodies, name);
    await turns();
    first.answer();
    await turns();
    expect(begun).toEqual(["a1", "a2", "a3"]);
    // One that was answered leaves no timer.
    expect(minutes.map((timer) => ended.includes(timer))).toEqual([true, false, false]);
    vi.unstubAllGlobals();
    await vi.advanceTimersByTimeAsync(59_999);
    await turns();
    expect(begun).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1);
    await turns();
    expect(begun).toEqual(["a1", "a2", "a3", "a4"]);
  });
});
