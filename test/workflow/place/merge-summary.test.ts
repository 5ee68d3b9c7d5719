import { expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import { mergeCues } from "../../../src/core/merge-cues.ts";
import { countMerge, describeMerge } from "../../../src/workflow/place/merge-result.ts";

const cue = (id: string, text: string, start = 1): Cue => ({ id, start, end: start + 1, text });
/** What is told of one description, from the three versions of it. */
const told = (base: Cue | null, mine: Cue | null, theirs: Cue | null, choice?: "mine" | "theirs") => {
  const of = (one: Cue | null) => (one === null ? [] : [one]);
  const choices = new Map(choice === undefined ? [] : [["a", choice] as const]);
  const { entries } = mergeCues({ base: of(base), mine: of(mine), theirs: of(theirs), choices });
  const [line] = describeMerge(entries);
  return [line?.message, line?.isDisputed ?? false, countMerge(entries)];
};

test.each([
  ["nothing new", cue("a", "A."), cue("a", "A."), cue("a", "A."), undefined, false, "Nothing changes"],
  ["new words", cue("a", "A."), cue("a", "A."), cue("a", "B."), "“B.”: It takes the new result.", false, "1 updated"],
  [
    "own words",
    cue("a", "A."),
    cue("a", "C."),
    cue("a", "A."),
    "“C.”: It stays as you changed it.",
    false,
    "1 kept as you changed them",
  ],
  ["an own one", null, cue("a", "A."), null, "“A.”: It is yours and stays.", false, "1 kept as you changed them"],
  ["a new one", null, null, cue("a", "A."), "“A.”: It is new.", false, "1 added"],
  [
    "one that is gone",
    cue("a", "A."),
    cue("a", "A."),
    null,
    "“A.”: The new result has it no more: it goes.",
    false,
    "1 removed",
  ],
  [
    "a deleted one",
    cue("a", "A."),
    null,
    cue("a", "A."),
    "“A.”: It was deleted and stays so.",
    false,
    "1 stay deleted",
  ],
  [
    "two new wordings",
    cue("a", "A."),
    cue("a", "C."),
    cue("a", "B."),
    "“C.”: Both you and the new result changed the words. Yours stays.",
    true,
    "1 kept as you changed them, 1 to decide",
  ],
  [
    "two new times",
    cue("a", "A.", 1),
    cue("a", "A.", 3),
    cue("a", "A.", 5),
    "“A.”: Both you and the new result moved it. Yours stays.",
    true,
    "1 kept as you changed them, 1 to decide",
  ],
  [
    "a deleted one with new words",
    cue("a", "A."),
    null,
    cue("a", "B."),
    "“B.”: You deleted it, and the new result changed it. It stays deleted.",
    true,
    "1 stay deleted, 1 to decide",
  ],
  [
    "an own wording of one that is gone",
    cue("a", "A."),
    cue("a", "C."),
    null,
    "“C.”: You changed it, and the new result has it no more. Yours stays.",
    true,
    "1 kept as you changed them, 1 to decide",
  ],
] as const)("%s is told", (_, base, mine, theirs, message, isDisputed, count) => {
  expect(told(base, mine, theirs)).toEqual([message, isDisputed, count]);
});

test("what was decided for the new result is told as it will be", () => {
  const was = cue("a", "A.");
  expect(told(was, null, cue("a", "B."), "theirs")[0]).toBe(
    "“B.”: You deleted it, and the new result changed it. It comes back, as the new result has it.",
  );
  expect(told(was, cue("a", "C."), cue("a", "B."), "theirs")[0]).toBe(
    "“B.”: Both you and the new result changed the words. It takes the new result.",
  );
});

test("long words are cut with a sign of it, and a description without words goes by its id", () => {
  const long = `${"word ".repeat(9)}and more of them.`;
  const [line] = describeMerge(mergeCues({ base: [], mine: [], theirs: [cue("a", long)] }).entries);
  expect(line?.message).toBe(`“${long.slice(0, 47)}…”: It is new.`);
  expect(describeMerge(mergeCues({ base: [], mine: [], theirs: [cue("a", "x".repeat(48))] }).entries)[0]?.message).toBe(
    `“${"x".repeat(48)}”: It is new.`,
  );
  expect(describeMerge([{ cueId: "a", outcome: "removed", conflicts: [] }])[0]?.message).toBe(
    "a: The new result has it no more: it goes.",
  );
  expect(line).toMatchObject({ cueId: "a", conflicts: [] });
});
