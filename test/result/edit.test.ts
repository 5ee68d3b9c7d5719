import { describe, expect, test } from "vitest";
import type { Cue } from "../../src/core/cue.ts";
import { changeCue, deleteCues, joinCues, splitCue } from "../../src/result/edit.ts";

const CUES: readonly Cue[] = [
  { id: "a", start: 1, end: 3, text: "She sits down." },
  { id: "b", start: 5, end: 9, text: "He waits. The door opens." },
];

describe("PANEL-27: changing a cue", () => {
  test("replaces words, in or out, keeps the id, and folds white space", () => {
    expect(changeCue(CUES, "a", { text: " She\nstands  up. ", end: 2.5 })[0]).toEqual({
      id: "a",
      start: 1,
      end: 2.5,
      text: "She stands up.",
    });
    expect(CUES[0]?.text).toBe("She sits down.");
  });

  test("keeps the list in order of time", () => {
    expect(changeCue(CUES, "a", { start: 10, end: 12 }).map(({ id }) => id)).toEqual(["b", "a"]);
  });

  test.each([{ text: " " }, { start: -1 }, { end: 1 }, { start: Number.NaN }, { end: Number.POSITIVE_INFINITY }])(
    "refuses %j",
    (change) => {
      expect(() => changeCue(CUES, "a", change)).toThrow(RangeError);
    },
  );

  test("of an unknown id changes nothing", () => {
    expect(changeCue(CUES, "x", { text: "y" })).toEqual(CUES);
  });
});

describe("PANEL-27: splitting, joining and deleting", () => {
  test("a split shares the time by the words", () => {
    const [, first, second] = splitCue(CUES, "b", 9);
    expect(first).toMatchObject({ id: "b", start: 5, text: "He waits." });
    expect(second).toMatchObject({ id: "b-2", end: 9, text: "The door opens." });
    expect(first?.end).toBeCloseTo(6.5, 5);
    expect(second?.start).toBe(first?.end);
  });

  test.each([[0], [100]])("a split at %i would leave a side without words", (position) => {
    expect(() => splitCue(CUES, "b", position)).toThrow(RangeError);
  });

  test("a second part gets an id that nobody has", () => {
    const again = splitCue(splitCue(CUES, "b", 9), "b", 3);
    expect(again.map(({ id }) => id)).toEqual(["a", "b", "b-3", "b-2"]);
  });

  test("joining takes both texts in order of time, whichever is named first", () => {
    expect(joinCues(CUES, "b", "a")).toEqual([
      { id: "b", start: 1, end: 9, text: "She sits down. He waits. The door opens." },
    ]);
    expect(joinCues(CUES, "a", "x")).toEqual(CUES);
    expect(joinCues(CUES, "a", "a")).toEqual(CUES);
  });

  test("deleting takes one out", () => {
    expect(deleteCues(CUES, ["a"]).map(({ id }) => id)).toEqual(["b"]);
  });
});
