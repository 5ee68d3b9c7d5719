import fc from "fast-check";
import { expect, test } from "vitest";
import { dialogueInCues } from "../../src/core/dialogue.ts";

const said = (start: number, end: number, text: string, speaker?: string) => ({
  start,
  end,
  text,
  ...(speaker === undefined ? {} : { speaker }),
});
const cue = (start: number) => ({ start, end: start + 1 });

test("an in-cue is the end of what is said last before a description", () => {
  const dialogue = [
    said(0, 2, "Come in."),
    said(2, 4, "One two three four five six seven eight nine.", "Ann"),
    said(7, 9, "Go!"),
  ];
  expect(dialogueInCues([cue(5.5)], dialogue)).toEqual([
    { text: "… two three four five six seven eight nine.", speaker: "Ann", secondsBefore: 1.5 },
  ]);
  // In the middle of a line: its words are the cue, and there is no time after it.
  expect(dialogueInCues([cue(8)], dialogue)).toEqual([{ text: "Go!", secondsBefore: 0 }]);
  expect(dialogueInCues([cue(0)], dialogue)).toEqual([null]);
});

test("a description that follows on another without a word between has none", () => {
  expect(dialogueInCues([cue(3), cue(4.2), cue(9)], [said(0, 2, "Wait."), said(6, 7, "Now.")])).toEqual([
    { text: "Wait.", secondsBefore: 1 },
    null,
    { text: "Now.", secondsBefore: 2 },
  ]);
});

test("no in-cue is said after its description", () => {
  const times = fc.array(fc.nat(1000), { maxLength: 20 }).map((list) => list.sort((a, b) => a - b));
  fc.assert(
    fc.property(times, times, (starts, lines) => {
      const dialogue = lines.map((start) => said(start, start + 3, `at ${start}`));
      for (const [index, found] of dialogueInCues(starts.map(cue), dialogue).entries()) {
        if (found === null) continue;
        const start = Number(found.text.slice(3));
        expect(start).toBeLessThan(starts[index] ?? 0);
        expect(lines.every((line) => line <= start || line >= (starts[index] ?? 0))).toBe(true);
      }
    }),
  );
});
