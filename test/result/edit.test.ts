import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cue, compareCues } from "../../src/core/cue.ts";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";
import { changeCue, deleteCues, joinCues, middleOfWords, splitCue, timedIdsOf } from "../../src/result/edit.ts";
import type { Result } from "../../src/result/result.ts";
import { voicedCues } from "../../src/result/stale.ts";
import { placedResult } from "../fakes/placed-result.ts";

const FIRST: Cue = { id: "a", start: 1, end: 3, text: "She sits down." };

const CUES: readonly Cue[] = [FIRST, { id: "b", start: 5, end: 9, text: "He waits. The door opens." }];

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
  test("a split shares the time by how long each side takes to say", () => {
    const [, first, second] = splitCue(CUES, "b", 9);
    expect(first).toMatchObject({ id: "b", start: 5, text: "He waits." });
    expect(second).toMatchObject({ id: "b-2", end: 9, text: "The door opens." });
    // Two words of five.
    expect(first?.end).toBeCloseTo(6.6, 5);
    expect(second?.start).toBe(first?.end);
  });

  test.each([
    ["On screen: THE HARBOUR", 13, ["On screen: THE", "HARBOUR"]],
    ["On screen: THE HARBOUR", 11, ["On screen:", "THE HARBOUR"]],
    ["On screen: THE HARBOUR", 21, ["On screen: THE", "HARBOUR"]],
    ["Mid-air she turns.", 4, ["Mid-air", "she turns."]],
    ["A 🙂🙂 sign.", 5, ["A 🙂🙂", "sign."]],
    ["雨が降る。門の前。", 5, ["雨が降る。", "門の前。"]],
    ["雨が降る。門の前。", 4, ["雨が降る。", "門の前。"]],
  ])("“%s” cut at %i is cut between words", (text, position, parts) => {
    const cut = splitCue([{ id: "a", start: 0, end: 4, text }], "a", position);
    expect(cut.map((cue) => cue.text)).toEqual(parts);
  });

  test("one word is not split, and the middle of a text is between words", () => {
    expect(() => splitCue([{ id: "a", start: 0, end: 4, text: "HARBOUR" }], "a", 3)).toThrow("One word");
    expect("On screen: THE HARBOUR".slice(middleOfWords("On screen: THE HARBOUR"))).toBe("THE HARBOUR");
  });

  test.each<readonly [string, Partial<Result>, readonly string[]]>([
    ["nothing was changed", {}, []],
    ["a line begins elsewhere", { cues: [{ ...FIRST, start: 1.5 }] }, ["a"]],
    ["a line ends elsewhere", { cues: [{ ...FIRST, end: 3.5 }] }, ["a"]],
    [
      "a line is as long as its voice",
      { cues: [{ ...FIRST, end: 3.5 }], voiced: voicedCues([{ ...FIRST, end: 3.5 }], DEFAULT_SETTINGS) },
      [],
    ],
    ["a line was made by hand", { cues: [{ ...FIRST, id: "own" }] }, ["own"]],
    [
      "a line fills the pause that it was written for",
      { cues: [{ ...FIRST, id: "p" }], toWrite: [{ ...FIRST, id: "p", words: 3, hints: [] }] },
      [],
    ],
    ["nobody knows what the service wrote", { generated: null }, ["a"]],
    ["the result says it", { generated: null, timedIds: [] }, []],
  ])("in an older result, where %s, times count as set by a person: %j", (_, change, timed) => {
    expect(timedIdsOf(placedResult([FIRST], { generated: [FIRST], ...change }))).toEqual(timed);
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

describe("the laws of editing by hand", () => {
  const lists = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 6 })
    .map((rows) =>
      rows
        .map(
          ([start, length], index): Cue => ({ id: `c${index}`, start, end: start + length, text: `one two ${index}` }),
        )
        .sort(compareCues),
    );
  const ids = fc.constantFrom("c0", "c1", "c2", "c5");
  const expectOrdered = (cues: readonly Cue[]) => expect(cues).toEqual([...cues].sort(compareCues));

  test("no edit touches another cue, and each leaves the list in order of time", () => {
    fc.assert(
      fc.property(lists, ids, ids, fc.integer({ min: 0, max: 12 }), (cues, id, other, start) => {
        const without = (list: readonly Cue[], ...gone: readonly string[]) =>
          list.filter((cue) => !gone.includes(cue.id));
        const edits = [
          changeCue(cues, id, { start, end: start + 1 }),
          splitCue(cues, id, 4),
          joinCues(cues, id, other),
          deleteCues(cues, [id]),
        ];
        for (const edited of edits) {
          expectOrdered(edited);
          expect(without(edited, id, other, `${id}-2`)).toEqual(without(cues, id, other));
        }
        if (!cues.some((cue) => cue.id === id)) for (const edited of edits) expect(edited).toEqual(cues);
      }),
    );
  });

  test("what is split and joined again is the same cue", () => {
    fc.assert(
      fc.property(lists, ids, fc.constantFrom(4, 8), (cues, id, position) => {
        const [cue] = cues.filter((one) => one.id === id);
        fc.pre(cue !== undefined);
        const split = splitCue(cues, id, position);
        const parts = split.filter((one) => [id, `${id}-2`].includes(one.id));
        expect(parts.reduce((sum, { start, end }) => sum + end - start, 0)).toBeCloseTo(cue.end - cue.start, 9);
        expect(joinCues(split, id, `${id}-2`)).toEqual(cues);
        expect(joinCues(split, `${id}-2`, id).find((one) => one.id === `${id}-2`)).toEqual({ ...cue, id: `${id}-2` });
      }),
    );
  });

  test("joined, two cues say both and last from the first beginning to the last end, whichever is named first", () => {
    fc.assert(
      fc.property(lists, ids, ids, (cues, firstId, secondId) => {
        const [first, second] = [firstId, secondId].map((id) => cues.find((cue) => cue.id === id));
        fc.pre(first !== undefined && second !== undefined && firstId !== secondId);
        const [earlier, later] = [first, second].sort(compareCues) as [Cue, Cue];
        const joined = joinCues(cues, firstId, secondId);
        expect(joined).toHaveLength(cues.length - 1);
        expect(joined.find(({ id }) => id === firstId)).toEqual({
          id: firstId,
          start: earlier.start,
          end: Math.max(first.end, second.end),
          text: `${earlier.text} ${later.text}`,
        });
      }),
    );
  });

  test("a cue may begin with the programme and be as short as a frame at 24, and no shorter", () => {
    const frame = 1 / 24;
    expect(changeCue(CUES, "a", { start: 0, end: frame })[0]).toMatchObject({ start: 0, end: frame });
    expect(() => changeCue(CUES, "a", { start: 0, end: frame * 0.99 })).toThrow(RangeError);
  });
});
