import { expect, test } from "vitest";
import { spokenSeconds } from "../../../src/engine/spoken-line.ts";
import { EspeakVoice } from "../../../src/engine/voice/espeak.ts";
import { isTooShort, oddLengths, type VoicedLength } from "../../../src/engine/voice/voice-length.ts";

const LINES = [
  "He sits on a bed and looks at it.",
  "Extraordinary architectural ornaments surround the magnificent conservatory.",
  "Night. One window is lit.",
  "On a dark blue card: The Harbour.",
  "NASA HQ, 1969.",
  "A white boat, its sail bright red, glides past a long row of lanterns.",
  "Go!",
  "A letter on a table: Meet me, at noon.",
];

const voice = new EspeakVoice();
const spoken = async (text: string, rate = 1, language = "en-US"): Promise<VoicedLength> => {
  const line = await voice.speak({ text, language, voice: "Kore", rate });
  return { text, rate, seconds: spokenSeconds(line) };
};

test("finds nothing in lines as a voice speaks them, short and long words, slow and fast, in several languages", async () => {
  for (const rate of [0.8, 1, 1.25]) {
    expect(oddLengths(await Promise.all(LINES.map((text) => spoken(text, rate))))).toEqual([]);
  }
  const german = ["Das Donaudampfschiff legt ab.", "Ein Mann im Mantel steht an der Tür und wartet.", "Nacht."];
  expect(oddLengths(await Promise.all(german.map((text) => spoken(text, 1, "de-DE"))))).toEqual([]);
});

test("six words in 0.57 s are too short whoever speaks; one word may be as short as it likes", () => {
  expect(isTooShort({ text: "A red train passes slowly by.", seconds: 0.57, rate: 1 })).toBe(true);
  expect(isTooShort({ text: "Go!", seconds: 0.12, rate: 1 })).toBe(false);
  expect(oddLengths([{ text: "A red train passes slowly by.", seconds: 0.57, rate: 1 }])).toEqual([
    {
      text: "A red train passes slowly by.",
      kind: "short",
      message: "6 words sound for 0.57 s: the voice has left some of them out",
    },
  ]);
});

test("a line of which half is missing is told from the others of its voice, unless it is one of very short words", async () => {
  const lines = await Promise.all(LINES.map((text) => spoken(text)));
  for (const [index, line] of lines.entries()) {
    if (line.text.length < 35) continue;
    const cut = lines.with(index, { ...line, seconds: line.seconds / 2.1 });
    expect(oddLengths(cut).map(({ text }) => text)).toEqual([line.text]);
  }
});

test("a voice that goes on and on is found, but not where numbers and letters are spoken out", () => {
  expect(oddLengths([{ text: "A dog barks.", seconds: 9, rate: 1 }])).toMatchObject([{ kind: "long" }]);
  expect(oddLengths([{ text: "Flight LH 4711, 12:45.", seconds: 9, rate: 1 }])).toEqual([]);
});
