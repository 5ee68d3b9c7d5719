import { describe, expect, test } from "vitest";
import { Gate, type Precedence } from "../../../src/engine/models/question.ts";

const never = new AbortController().signal;

/** A gate for one request at a time, and what went through it, in order. */
function oneAtATime() {
  const gate = new Gate(1);
  const gone: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = gate.run(() => promise, never);
  const go = (name: string, precedence?: Precedence, signal = never) =>
    gate.run(async () => void gone.push(name), signal, precedence);
  const open = async () => {
    resolve();
    await first;
  };
  return { gone, go, open };
}

describe("who waits for a gate", () => {
  test("goes before what may come later, and else in the order in which it came", async () => {
    const { gone, go, open } = oneAtATime();
    const all = [go("check 1", "later"), go("scene 1"), go("check 2", "later"), go("scene 2", "now")];
    await open();
    await Promise.all(all);
    expect(gone).toEqual(["scene 1", "scene 2", "check 1", "check 2"]);
  });

  test("and gives up in the middle of others holds up none of them, and nobody goes twice", async () => {
    const { gone, go, open } = oneAtATime();
    const leaving = new AbortController();
    const before = [go("scene 1"), go("scene 2")];
    const left = go("left", "now", leaving.signal);
    const behind = [go("scene 3"), go("check", "later")];
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await open();
    await Promise.all([...before, ...behind]);
    expect(gone).toEqual(["scene 1", "scene 2", "scene 3", "check"]);
  });

  test("and is told to stop before it asks, asks nothing and takes no place", async () => {
    const { gone, go, open } = oneAtATime();
    await expect(go("never", "now", AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
    const next = go("scene");
    await open();
    await next;
    expect(gone).toEqual(["scene"]);
  });

  test.each(["now", "later"] as const)("and gives up (%s) holds up nobody", async (precedence) => {
    const { gone, go, open } = oneAtATime();
    const leaving = new AbortController();
    const left = go("left", precedence, leaving.signal);
    const rest = [go("scene"), go("check", "later")];
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await open();
    await Promise.all(rest);
    expect(gone).toEqual(["scene", "check"]);
  });

  test("and is stopped once it was let in takes nobody's place", async () => {
    const { gone, go, open } = oneAtATime();
    const stopping = new AbortController();
    const first = go("scene 1", "now", stopping.signal).then(() => stopping.abort(new Error("too late")));
    const others = [go("scene 2"), go("scene 3")];
    await open();
    await first;
    await Promise.all(others);
    expect(gone).toEqual(["scene 1", "scene 2", "scene 3"]);
  });

  test("and for a server lets all else go on meanwhile, until the last that was told", async () => {
    const gate = new Gate(1);
    gate.close(60);
    gate.close(20);
    const from = performance.now();
    let others = 0;
    const timer = setInterval(() => others++, 5);
    await gate.opened(never);
    clearInterval(timer);
    expect(performance.now() - from).toBeGreaterThan(50);
    expect(others).toBeGreaterThan(1);
  });
});
