import { expect, test } from "vitest";
import { checkToldFindings } from "../../../src/workflow/check/check-hearing.ts";
import { checkOrder } from "../../../src/workflow/check/check-script.ts";

const cue = (id: string, text = "A dog runs.") => ({ id, start: 0, end: 1, text });

test("what the service found is told of every description in these words, and of each finding", () => {
  const cues = [cue("a"), cue("b", "A cat."), cue("c", " A dog  runs."), cue("d")];
  const told = [
    { rule: "voice-length", severity: "warn", message: "it is long", said: "A dog runs." },
    { rule: "no-sound", severity: "fail", message: "it is silent", said: "Gone.", start: 3, end: 4 },
    { rule: "song", severity: "note", message: "somebody sings" },
  ] as const;
  expect(checkToldFindings(cues, told).map(({ rule, cueIds, range }) => [rule, cueIds, range])).toEqual([
    ["voice-length", ["a", "c", "d"], undefined],
    ["no-sound", [], { start: 3, end: 4 }],
    ["song", [], undefined],
  ]);
});

test("the number that a misplaced description stands behind is the nearest higher one before it, in every series", () => {
  const order = (...ids: readonly string[]) => checkOrder(ids.map((id) => cue(id))).map(({ cueIds, message }) => [cueIds[0], message.replace(/^number \d+ of the script stands /, "")]); // biome-ignore format: one step
  expect(order("a1", "a2", "a9", "b1", "a3", "b7", "a4", "b2", "b3")).toEqual([
    ["a9", "before lower numbers"],
    ["b7", "before lower numbers"],
  ]);
  expect(order("a1", "a5", "a6", "a2", "a7")).toEqual([["a2", "behind number 6"]]);
  expect(order("a3", "a5", "a4x", "a1", "a6")).toEqual([["a1", "behind number 5"]]);
  // The one just before it may be lower.
  expect(order("a4", "a5", "a6", "a1", "a2", "a7", "a8")).toEqual([
    ["a1", "behind number 6"],
    ["a2", "behind number 6"],
  ]);
});
