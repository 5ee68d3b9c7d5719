import { expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { scriptDescriber } from "../../../src/engine/describe/script.ts";

const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };

async function read(script: string) {
  const request = { durationSeconds: 60 } as Parameters<ReturnType<typeof scriptDescriber>["describe"]>[0]; // all it uses
  return scriptDescriber(script, GRID).describe(request, new AbortController().signal);
}

test("tells in sentences what of a script could not be taken as it stands", async () => {
  const { descriptions, notes, late } = await read(
    "WEBVTT\n\n00:01.000 --> 00:01.000\nA door.\n\n01:30.000 --> 01:31.000\nToo late.\n",
  );
  expect(descriptions.map(({ wordings }) => wordings)).toEqual([["A door."]]);
  expect(notes).toEqual([
    'Script, line 3: the end is not after the start; it was estimated from the length of the text ("A door.").',
  ]);
  expect(late).toMatchObject([{ wordings: ["Too late."], picture: { start: 90, end: 91 } }]);
});

test("does not tell every line of a script that is wrong throughout", async () => {
  const lines = Array.from({ length: 50 }, (_, second) => `00:${10 + second}.000 --> 00:${10 + second}.000\nLine.\n`);
  const { notes } = await read(`WEBVTT\n\n${lines.join("\n")}`);
  expect(notes).toHaveLength(21);
  expect(notes.at(-1)).toBe("The script has 30 more places like these.");
});
