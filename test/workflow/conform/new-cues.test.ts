import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import type { DescribedStretch } from "../../../src/workflow/conform/describe-stretches.ts";
import { takeNewCues } from "../../../src/workflow/conform/new-cues.ts";

const cue = (id: string, start: number, end: number, text = `Words of ${id}.`): Cue => ({ id, start, end, text });

/** A stretch from 20 to 40 that is new from 25 to 35, and its cues on its own clock. */
function described(cues: readonly Cue[], inside = [{ start: 25, end: 35 }]): DescribedStretch {
  const run = { result: { cues, offsetSeconds: 20 } } as unknown as DescribedStretch["run"];
  return { stretch: { start: 20, end: 40, inside }, run };
}

const taken = (stretches: readonly DescribedStretch[], there: readonly Cue[] = [], ids = there.map(({ id }) => id)) =>
  takeNewCues(stretches, there, ids).map(({ cue: { id, start } }) => [id, start]);

describe("the cues that new stretches bring", () => {
  test("those over new picture come in, on the sequence clock; those over known picture do not", () => {
    const brought = described([cue("a", 1, 3), cue("b", 6, 8), cue("c", 14, 16), cue("d", 14.9, 18)]);
    expect(taken([brought])).toEqual([["b", 26], ["c", 34]]); // biome-ignore format: pairs
  });

  test("where none lies over new picture, those around it do", () => {
    expect(taken([described([cue("a", 1, 3), cue("b", 16, 18)])])).toEqual([["a", 21], ["b", 36]]); // biome-ignore format: pairs
  });

  test("none comes over a cue that is there, nor over another new one", () => {
    const there = [cue("old", 27, 29)];
    expect(taken([described([cue("a", 6, 7.5), cue("b", 9.02, 11)])], there)).toEqual([["b", 29.02]]);
    expect(taken([described([cue("a", 16, 18)]), described([cue("b", 16, 18)])])).toEqual([["a", 36]]);
  });

  test("ids never collide with one that was ever in use, nor with each other", () => {
    const both = [described([cue("cue-0001", 6, 7)]), described([cue("cue-0001", 8, 9)])];
    expect(taken(both, [], ["cue-0001", "cue-0001-2"]).map(([id]) => id)).toEqual(["cue-0001-3", "cue-0001-4"]);
  });

  test("a refused stretch brings none, an empty one neither", () => {
    expect(taken([{ ...described([]), run: null }, described([])])).toEqual([]);
  });
});
