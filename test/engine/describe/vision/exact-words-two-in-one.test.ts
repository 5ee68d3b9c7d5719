import { describe, expect, test } from "vitest";
import type { LineToCheck } from "../../../../src/engine/describe/vision/check.ts";
import { linesIn, type StageRules, startDescribingModel } from "../../../fakes/describing-model.ts";
import { describeRequest } from "../describe-request.ts";
import { askedFor, description, exact, spokenAt } from "./asked-to-fit.ts";
import { askerOf } from "./asker-of.ts";
import { exactWordsAt } from "./at-pace.ts";

/** A model that has this sentence for every two lines that it is asked to tell in one, and none for a line alone. */
const joinedAs =
  (sentence: string): NonNullable<StageRules["wordings"]> =>
  ({ prompt }) => ({
    wordings: linesIn(prompt).flatMap(({ line, text }) => (text.includes(" + ") ? [{ line, text: sentence }] : [])),
  });

describe("two lines in one", () => {
  /** Two moments half a second apart in a pause of 4.5 s: too little for two lines. */
  const a = description("a", 0, 12, { confidence: 0.9, importance: 0.6 });
  const b = description("b", 0.5, 5, { confidence: 0.5, importance: 0.9, doubt: "too dark" });
  const rehearsal = { spoken: [spokenAt("a", 0, 4.5)], unspoken: ["b"] };
  const pauses = [[0, 4.5]] as const;

  test("are asked for together, and told once both are seen", async () => {
    const { result, asked } = await exact([a, b], rehearsal, joinedAs("Both in one."), pauses);
    expect(askedFor(asked).map(([, text]) => text)).toContain(`${a.wordings[0]} + ${b.wordings[0]}`);
    expect(result).toHaveLength(1);
    expect(result[0]).toMatchObject({
      id: "a",
      picture: b.picture,
      importance: 0.9,
      confidence: 0.5,
      doubt: "too dark",
    });
    expect(result[0]?.wordings[0]).toBe("Both in one.");
  });

  test("are asked for in the words that the one with the place keeps, and two more for the other at the least", async () => {
    const counts = async (importance: number) => {
      const { asked } = await exact([a, { ...b, importance }], rehearsal, undefined, pauses);
      return askedFor(asked).flatMap(([count, text]) => (text.includes(" + ") ? [count] : []));
    };
    // Three words and three, five words and one.
    expect(await counts(0.9)).toEqual([6]);
    expect(await counts(0.5)).toEqual([7]);
  });

  const joined = joinedAs("Both in one.");

  test("are asked for together wherever in the film two are", async () => {
    const later = [a, b].map((line) => {
      const { start, end } = line.picture;
      return { ...line, id: `${line.id}2`, picture: { start: start + 20, end: end + 20 } };
    });
    const spoken = [...rehearsal.spoken, spokenAt("a2", 20, 4.5)];
    const { result } = await exact([a, b, ...later], { spoken, unspoken: ["b", "b2"] }, joined, [
      [0, 4.5],
      [20, 24.5],
    ]);
    expect(result.map(({ id, wordings }) => [id, wordings[0]])).toEqual([
      ["a", "Both in one."],
      ["a2", "Both in one."],
    ]);
  });

  test("are as sure as the less sure of them, whichever that is", async () => {
    for (const [one, other, sure] of [
      [0.9, 0.5, 0.5],
      [0.5, 0.9, 0.5],
      [undefined, 0.7, 0.7],
    ]) {
      const lines = [a, b].map(({ confidence: _, ...line }, index) => {
        const own = [one, other][index];
        return own === undefined ? line : { ...line, confidence: own };
      });
      expect((await exact(lines, rehearsal, joined, pauses)).result[0]?.confidence).toBe(sure);
    }
  });

  test("are held against the pictures of both", async () => {
    const model = await startDescribingModel([], { wordings: joined });
    const request = describeRequest({ gaps: [{ start: 0, end: 4.5, sound: "ambience" }] });
    const held: LineToCheck[] = [];
    const areShown = async (lines: readonly LineToCheck[]) => {
      held.push(...lines);
      return lines.map(() => false);
    };
    const asker = await askerOf(model, request);
    expect(await exactWordsAt(0.5, [a, b], rehearsal, { request, asker, areShown })).toEqual([a, b]);
    expect(held).toEqual([{ text: "Both in one.", moments: [b.picture, a.picture] }]);
  });

  test("are told with the one whose moment is nearest, before it or behind it", async () => {
    const together = async (before: number, after: number) => {
      const lines = [
        description("x", before, 12),
        { ...b, picture: { start: 2, end: 3 } },
        description("z", after, 12),
      ];
      const spoken = [spokenAt("x", before, 1), spokenAt("z", after, 1)];
      const { asked } = await exact(lines, { spoken, unspoken: ["b"] }, undefined, [[0, 9]]);
      return askedFor(asked).flatMap(([, text]) => (text.includes(" + ") ? [text.slice(0, 1)] : []));
    };
    expect(await together(1, 3.4)).toEqual(["x"]);
    expect(await together(0.6, 3)).toEqual(["z"]);
    expect(await together(0.4, 3.5)).toEqual(["z"]);
  });

  test("keep the shorter words of the one that had the place, as the way back", async () => {
    const two = { ...a, wordings: [...a.wordings, "A sits."] };
    const { result } = await exact([two, b], rehearsal, joinedAs("Both are told in one."), pauses);
    expect(result.map(({ wordings }) => wordings)).toEqual([["Both are told in one.", "A sits."]]);
  });

  test("stay two where the sentence for both is empty", async () => {
    const { result } = await exact(
      [a, b],
      rehearsal,
      ({ prompt }) => ({ wordings: linesIn(prompt).map(({ line }) => ({ line, text: "" })) }),
      pauses,
    );
    expect(result).toEqual([a, b]);
  });

  test("stay two where their moments are far apart", async () => {
    const later = { ...b, picture: { start: 3, end: 4 } };
    const { asked } = await exact([a, later], rehearsal, undefined, pauses);
    for (const [, text] of askedFor(asked)) expect(text).not.toContain(" + ");
  });
});
