import { expect, test } from "vitest";
import { cuesHash, signOff, signOffState } from "../../src/result/sign-off.ts";

const CUES = [
  { id: "one", start: 1, end: 2, text: "A woman sits." },
  { id: "two", start: 4, end: 5, text: "Rain." },
];
const SIGNED = signOff(CUES, " Kim Lind ", "2026-11-22T10:00:00.000Z");

test("a sign-off carries name and date, and counts for the very cues that were signed, in whatever order", () => {
  expect(SIGNED).toMatchObject({ name: "Kim Lind", signedAt: "2026-11-22T10:00:00.000Z" });
  expect(signOffState(SIGNED, [...CUES].reverse())).toBe("valid");
  expect(signOffState(undefined, CUES)).toBe("none");
});

test.each([
  ["a word", [{ ...CUES[0], text: "A man sits." }, CUES[1]]],
  ["a time by a frame", [{ ...CUES[0], start: 1.04 }, CUES[1]]],
  ["a length", [{ ...CUES[0], end: 2.04 }, CUES[1]]],
  ["a cue more", [...CUES, { id: "three", start: 8, end: 9, text: "Snow." }]],
  ["a cue less", [CUES[0]]],
])("%s makes it void", (_, changed) => {
  expect(signOffState(SIGNED, changed as typeof CUES)).toBe("void");
});

test("words cannot move from one cue into the next unnoticed, and less than a millisecond is nothing", () => {
  const [one, two] = CUES as [(typeof CUES)[0], (typeof CUES)[0]];
  expect(
    cuesHash([
      { ...one, text: "A woman" },
      { ...two, text: "sits. Rain." },
    ]),
  ).not.toBe(cuesHash(CUES));
  expect(cuesHash([{ ...one, start: 1.0001 }, two])).toBe(cuesHash(CUES));
});
