import { expect, test } from "vitest";
import { EMPTY_BIBLE } from "../../../../src/core/film-bible.ts";
import { readThrough, type SpokenLine } from "../../../../src/service/describe/vision/last-reading.ts";
import { linesIn, type StageRules, startDescribingModel } from "../../../fakes/describing-model.ts";
import { describeRequest } from "../describe-request.ts";
import { askerOf } from "./asker-of.ts";

const linesOf = (count: number): SpokenLine[] =>
  Array.from({ length: count }, (_, index) => ({ id: `c${index + 1}`, start: 10 * index, text: `Line of ${index}.` }));

async function read(lines: readonly SpokenLine[], changes: NonNullable<StageRules["changes"]>) {
  const model = await startDescribingModel([], { changes });
  const transcript = [{ start: 12, end: 13, text: "Who is there?" }];
  const request = describeRequest({ transcript, durationSeconds: 5000 });
  const bible = { ...EMPTY_BIBLE, story: "She hides." };
  const asker = await askerOf(model, request);
  const result = await readThrough(lines, { request, knowledge: { bible, category: "" }, asker });
  return { result, asked: model.of("changes") };
}

test("the last reading is given every line with its time, the bible and what is heard between them", async () => {
  const { asked, result } = await read(linesOf(3), () => undefined);
  expect(result).toEqual([]);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.prompt).toContain("  Line 1, 0.0 s: Line of 0.\n  Line 2, 10.0 s: Line of 1.\n  Line 3, 20.0 s");
  expect(asked[0]?.prompt).toContain("Story: She hides.");
  expect(asked[0]?.prompt).toContain("12.0 s to 13.0 s Who is there?");
});

test("it names lines by number: other words, none to leave one out; what is the same, or no line, is no change", async () => {
  const { result } = await read(linesOf(4), () => ({
    changes: [
      { line: 1, text: " A  better line. ", why: " unclear " },
      { line: 2, text: "" },
      { line: 3, text: "Line of 2." },
      { line: 0, text: "No." },
      { line: 5, text: "No." },
    ],
  }));
  expect(result).toEqual([
    { id: "c1", text: "A better line.", why: "unclear" },
    { id: "c2", text: null, why: "" },
  ]);
});

test("a long script is read in parts, each with the end of the one before, of which nothing is changed again", async () => {
  const { asked, result } = await read(linesOf(320), ({ prompt }) => ({
    changes: linesIn(prompt).map(({ line }) => ({ line, text: `Changed ${line}.` })),
  }));
  const numbers = asked.map(({ prompt }) => linesIn(prompt).map(({ line }) => line));
  expect(numbers.map((part) => [part[0], part.at(-1)])).toEqual([
    [1, 150],
    [136, 300],
    [286, 320],
  ]);
  expect(result.map(({ id, text }) => [id, text])).toEqual(
    Array.from({ length: 320 }, (_, index) => [`c${index + 1}`, `Changed ${index + 1}.`]),
  );
});

test.each(["I cannot assist.", "Red."])("after %s nothing is changed", async (words) => {
  expect((await read(linesOf(3), () => words)).result).toEqual([]);
});
