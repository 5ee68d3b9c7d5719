import { describe, expect, test } from "vitest";
import { EMPTY_BIBLE } from "../../../../src/core/film-bible.ts";
import { type LineToRead, readingLines, readThrough } from "../../../../src/engine/describe/vision/last-reading.ts";
import { secondsPerWord } from "../../../../src/engine/describe/vision/scenes.ts";
import { linesIn, type StageRules, startDescribingModel } from "../../../fakes/describing-model.ts";
import { describeRequest } from "../describe-request.ts";
import { askerOf } from "./asker-of.ts";

const linesOf = (count: number): LineToRead[] =>
  Array.from({ length: count }, (_, index) => {
    return { id: `c${index + 1}`, start: 10 * index, text: `Line of ${index}.`, mostWords: 5 };
  });

async function read(lines: readonly LineToRead[], changes: NonNullable<StageRules["changes"]>, language = "en-US") {
  const model = await startDescribingModel([], { changes });
  const transcript = [12, 19, 30, 30.5].map((start) => ({ start, end: start + 1, text: `Who is at ${start}?` }));
  const request = describeRequest({ transcript, durationSeconds: 5000, language });
  const bible = { ...EMPTY_BIBLE, story: "She hides." };
  const asker = await askerOf(model, request);
  const result = await readThrough(lines, { request, knowledge: { bible, category: "" }, asker });
  return { result, asked: model.of("changes") };
}

test("the last reading is given every line with its time, the bible and what is heard between them", async () => {
  const { asked, result } = await read(linesOf(3), () => undefined);
  expect(result).toEqual([]);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.prompt).toContain(
    "  Line 1, 0.0 s, at most 5 words: Line of 0.\n  Line 2, 10.0 s, at most 5 words: Line of 1.\n  Line 3, 20.0 s",
  );
  expect(asked[0]?.prompt).toContain("Story: She hides.");
  // Up to ten seconds after the last line.
  expect(asked[0]?.prompt).toContain(
    "  12.0 s to 13.0 s Who is at 12?\n  19.0 s to 20.0 s Who is at 19?\n  30.0 s to 31.0 s Who is at 30?\n>>>",
  );
});

test("it names lines by number: other words, none to leave one out; what is the same, much longer, or no line, is no change", async () => {
  const { result } = await read(linesOf(4), () => ({
    changes: [
      { line: 1, text: " A  better line. ", why: " unclear " },
      { line: 2, text: "" },
      { line: 3, text: "Line of 2." },
      { line: 4, text: "A line of nine words, which is too many.", fault: "place" },
      { line: 0, text: "No." },
      { line: 5, text: "No." },
    ],
  }));
  expect(result).toEqual([
    { id: "c1", text: "A better line.", why: "unclear", isMild: false },
    { id: "c2", text: null, why: "", isMild: false },
  ]);
});

test("words that there is no room for are asked for again; a place that is missing is the one mild fault", async () => {
  const answers = ["A line of seven words, no less.", "In snow, a better line."];
  const { result, asked } = await read(linesOf(4), ({ askedBack }) => ({
    changes: [
      { line: 2, text: "It is one." },
      { line: 4, fault: "place", text: answers[askedBack.length] },
    ],
  }));
  expect(asked.at(-1)?.askedBack).toEqual([expect.stringContaining("is longer than 5 words")]);
  expect(result).toEqual([
    { id: "c2", text: "It is one.", why: "", isMild: false },
    { id: "c4", text: "In snow, a better line.", why: "", isMild: true },
  ]);
});

test("a line mended in another language is asked for again, and stays as it was", async () => {
  const lines = [{ id: "c1", start: 0, text: "Sie öffnet die Tür.", mostWords: 9 }];
  const changes = () => ({
    changes: [
      { line: 2, fault: "unclear", text: "" },
      { line: 1, fault: "unclear", text: "The woman opens the door." },
    ],
  });
  const { result, asked } = await read([...lines, { ...lines[0], id: "c2", start: 9 } as LineToRead], changes, "de-DE");
  expect(asked.at(-1)?.askedBack).toEqual([expect.stringContaining("is not in German (Germany).")]);
  expect(result).toEqual([{ id: "c2", text: null, why: "", isMild: false }]);
});

const pause = (start: number, end: number) => ({ start, end, sound: "ambience" as const });

describe("the words that a line may have where it stands", () => {
  const request = describeRequest({ durationSeconds: 60, gaps: [pause(0, 20), pause(30, 60)] });
  const words = (seconds: number) => Math.floor(seconds / secondsPerWord(request));
  const read = (...lines: [start: number, end: number, text: string, seen?: number][]) => {
    const spoken = lines.map(([start, end, text], index) => ({ id: `c${index}`, start, end, text }));
    const pictures = new Map(lines.map(([start, , , seen = start], index) => [`c${index}`, { start: seen, end: 60 }]));
    return readingLines(spoken, pictures, request).map(({ mostWords }) => mostWords);
  };

  test("reach from its neighbour, or half a second before its picture, to its neighbour", () => {
    const [first, second, third] = read([1, 2, "She runs."], [2.5, 3.5, "He runs."], [5.2, 6, "They run."]);
    expect(first).toBe(words(2.25 - 0.5));
    expect(second).toBe(words(4.95 - 2.25));
    expect(third).toBe(2 + 5);
  });

  test("end before somebody speaks, and are never fewer than it has", () => {
    expect(read([18.5, 19.6, "She runs."])).toEqual([Math.max(2, words(19.65 - 18))]);
    expect(read([1, 2, "She runs."], [2.1, 3, "And now he runs away fast."], [3.1, 4, "Yes."])[1]).toBe(6);
  });

  test("are those of its own pause, whichever of the film's that is", () => {
    expect(read([1, 2, "She runs."], [32, 33, "And now he runs away fast."])).toEqual([2 + 5, 6 + 5]);
    expect(read([58, 59.5, "He runs."])).toEqual([words(60 - 57.5)]);
  });

  test("are in extended AD, where the film is held for them, as many as any line may gain", () => {
    const held = { ...request, type: "extended" as const };
    const spoken = [{ id: "c0", start: 1, end: 2, text: "She runs." }];
    expect(readingLines(spoken, new Map(), held)[0]?.mostWords).toBe(2 + 5);
  });
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
