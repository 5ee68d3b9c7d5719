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
});
