import { expect, test } from "vitest";
import { dialogueLines, MOST_DIALOGUE_LINES } from "../../src/core/dialogue.ts";

const line = (start: number, text: string) => ({ start, end: start + 1, text });

test("what is said is listed in order of time; sounds in brackets, and nothing at all, are not", () => {
  expect(dialogueLines([line(4, " Run!\n Now. "), line(1, "Who is there?"), line(2, "[steps] ♪")])).toEqual([
    line(1, "Who is there?"),
    line(4, "Run! Now."),
  ]);
  expect(dialogueLines([line(2, "(sighs)")])).toBeUndefined();
  expect(dialogueLines([])).toBeUndefined();
});

test("the longest list is bounded, in lines and in the length of a line", () => {
  const many = Array.from({ length: MOST_DIALOGUE_LINES + 5 }, (_, index) =>
    line(index, index % 1000 === 0 ? `Line ${"very ".repeat(400)}` : "Line"),
  );
  const listed = dialogueLines(many) ?? [];
  expect(listed).toHaveLength(MOST_DIALOGUE_LINES);
  expect(listed.at(-1)?.start).toBe(MOST_DIALOGUE_LINES - 1);
  expect(Math.max(...listed.map(({ text }) => text.length))).toBe(1_000);
});
