import { describe, expect, test } from "vitest";
import { mostTold } from "../../../../tools/bench/telling/bound.ts";
import type { Fact } from "../../../../tools/bench/telling/facts.ts";

/** A fact seen from `start` to `end`, told in one word of a second. */
function factAt(start: number, end: number, short: string): Fact {
  const words = `${short} is seen by all of them there`;
  return {
    id: short,
    start,
    end,
    words,
    short,
    kind: "action",
    who: [],
    importance: 3,
    needsMotion: false,
    accept: [],
  };
}

const secondsOf = async (words: string) => words.split(" ").filter((word) => word !== "and").length;
const most = (facts: readonly Fact[], durationSeconds: number, speech: { start: number; end: number }[] = []) =>
  mostTold({ facts, durationSeconds, speech, secondsOf });

describe("the most that can be told of a film", () => {
  test("is all of it where there is time, and nothing where somebody speaks throughout", async () => {
    const facts = [factAt(1, 2, "one"), factAt(5, 6, "two"), factAt(9, 10, "three")];
    expect(await most(facts, 20)).toBe(3);
    expect(await most(facts, 20, [{ start: 0, end: 20 }])).toBe(0);
  });

  test("leaves out what a pause is too short for, in whatever order it is given", async () => {
    const facts = [factAt(0, 0.5, "one"), factAt(0, 0.5, "two"), factAt(0, 0.5, "three"), factAt(0, 0.5, "four")];
    // The last word begins 2 s after the end of what it tells, and each takes nearly a second.
    const speech = [{ start: 2.5, end: 20 }];
    expect(await most(facts, 20, speech)).toBe(2);
    expect(await most([...facts].reverse(), 20, speech)).toBe(2);
  });

  test("counts nothing that is told before it is seen, or long after", async () => {
    expect(await most([factAt(10, 11, "one")], 20, [{ start: 9.4, end: 14 }])).toBe(0);
    expect(await most([factAt(10, 11, "one")], 20, [{ start: 10.6, end: 14 }])).toBe(1);
    expect(await most([factAt(10, 11, "one")], 20, [{ start: 9.4, end: 12.5 }])).toBe(1);
  });

  test("tells what is seen together in one line", async () => {
    const facts = [factAt(1, 1.2, "one"), factAt(1, 1.2, "two"), factAt(1, 1.2, "three")];
    // Apart they would need two breaths between them.
    expect(await most(facts, 3.6)).toBe(3);
  });
});
