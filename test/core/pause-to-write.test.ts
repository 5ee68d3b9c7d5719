import fc from "fast-check";
import { expect, test } from "vitest";
import { markerComment, markerTag } from "../../src/core/cue.ts";
import {
  isPauseName,
  isPlaceholder,
  openPauses,
  type PauseToWrite,
  pauseIdAt,
  pauseName,
} from "../../src/core/pause-to-write.ts";
import { numbersBetween } from "../numbers-between.ts";

const PAUSE: PauseToWrite = { id: "pause-0002", start: 10, end: 15.2, words: 13, hints: [] };

test("the name of a pause says what it offers, and is known again", () => {
  expect(pauseName(PAUSE)).toBe("To write: 13 words, 5.2 s");
  expect(pauseName({ ...PAUSE, words: 1 })).toBe("To write: 1 word, 5.2 s");
  expect(pauseName({ ...PAUSE, words: 25, unit: "characters" })).toBe("To write: 25 characters, 5.2 s");
  const pauses = fc.record({
    words: fc.nat(),
    seconds: numbersBetween(0, 12),
    index: fc.nat(20_000),
  });
  fc.assert(
    fc.property(pauses, ({ words, seconds, index }) => {
      const id = pauseIdAt(index);
      const name = pauseName({ ...PAUSE, id, words, start: 0, end: seconds });
      expect(isPauseName(name)).toBe(true);
      for (const text of [name, markerTag(id), `${name} ${markerTag(id)}`, markerComment(id, "").trim()]) {
        expect(isPlaceholder(text)).toBe(true);
      }
    }),
  );
});

test("a text with a word of a person's is no placeholder", () => {
  for (const text of [
    "",
    "To write: 13 words, 5.2 s. He waves.",
    "He waves. AD·pause-0002",
    "To write: a letter",
    "AD·cue-0001",
  ]) {
    expect(isPlaceholder(text)).toBe(false);
  }
});

test("a pause is written once a description has its id or lies in it; one that touches it by a frame does not count", () => {
  const cue = { id: "cue-0001", start: 15.16, end: 18 };
  expect(openPauses([PAUSE], [cue])).toEqual([PAUSE]);
  expect(openPauses([PAUSE], [{ ...cue, start: 14 }])).toEqual([]);
  expect(openPauses([PAUSE], [{ ...cue, id: PAUSE.id, start: 30, end: 31 }])).toEqual([]);
  const other = { ...PAUSE, id: "pause-0003", start: 40, end: 44 };
  const last = { ...PAUSE, id: "pause-0004", start: 50, end: 54 };
  const written = [
    { id: other.id, start: 60, end: 61 },
    { id: "cue-0002", start: 51, end: 53 },
  ];
  expect(openPauses([PAUSE, other, last], [cue, ...written])).toEqual([PAUSE]);
});
