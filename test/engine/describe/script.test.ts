import { expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { scriptDescriber } from "../../../src/engine/describe/script.ts";

const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };

async function read(script: string, language = "en-US") {
  const request = { durationSeconds: 60, language } as Parameters<ReturnType<typeof scriptDescriber>["describe"]>[0]; // all it uses
  return scriptDescriber(script, { grid: GRID }).describe(request, new AbortController().signal);
}

test("tells in sentences what of a script could not be taken as it stands", async () => {
  const { descriptions, notes, late } = await read(
    "WEBVTT\n\n00:01.000 --> 00:01.000\nA door.\n\n01:00.000 --> 01:01.000\nToo late.\n\n01:30.000 --> 01:31.000\nLater.\n",
  );
  expect(descriptions.map(({ wordings }) => wordings)).toEqual([["A door."]]);
  expect(notes).toEqual([
    'Script, line 3: the end is not after the start; it was estimated from the length of the text ("A door.").',
  ]);
  expect(late).toMatchObject([
    { wordings: ["Too late."], picture: { start: 60, end: 61 } },
    { wordings: ["Later."], picture: { start: 90, end: 91 } },
  ]);
});

test("finds that a script is in another language than is spoken, and takes names and single lines for none", async () => {
  const script = (...lines: string[]) =>
    `WEBVTT\n\n${lines.map((line, at) => `00:${10 + 2 * at}.000 --> 00:${11 + 2 * at}.000\n${line}\n`).join("\n")}`;
  const german = ["Eine Frau öffnet die Tür.", "Er sieht auf die Uhr.", "München."];
  const { findings, descriptions } = await read(script(...german));
  expect(descriptions).toHaveLength(3);
  expect(findings).toEqual([
    {
      rule: "other-language",
      severity: "warn",
      message:
        "The script is in German for the most part, and a voice for American English speaks it: order the language that it is written in",
    },
  ]);
  expect((await read(script(...german), "de-DE")).findings).toEqual([]);
  // Of several other languages the one with the most lines is told, wherever they stand.
  const mixed = await read(
    script("Une femme ouvre la porte.", ...german.slice(0, 2), "Sie lacht und geht nach Hause."),
  );
  expect(mixed.findings).toMatchObject([{ message: expect.stringContaining("The script is in German") }]);
  expect((await read(script("She opens the door.", "Er sieht auf die Uhr.", "Night."))).findings).toEqual([]);
});

test("does not tell every line of a script that is wrong throughout", async () => {
  const lines = Array.from({ length: 50 }, (_, second) => `00:${10 + second}.000 --> 00:${10 + second}.000\nLine.\n`);
  const { notes } = await read(`WEBVTT\n\n${lines.join("\n")}`);
  expect(notes).toHaveLength(21);
  expect(notes.at(-1)).toBe("The script has 30 more places like these.");
});
