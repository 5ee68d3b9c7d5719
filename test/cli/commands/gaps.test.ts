import { expect, onTestFinished, test } from "vitest";
import { GAPS } from "../../../src/cli/commands/gaps.ts";
import { parseArguments } from "../../../src/cli/shell/command.ts";
import { type DetectedSpeech, engine, openEngine } from "../../../src/engine/index.ts";
import { sharedMedia } from "../../shared-media.ts";

const FILM = sharedMedia("containers/sintel-5s.mp4");

/** What is said of a film in which this is heard. */
async function said(heard: Partial<DetectedSpeech> & Pick<DetectedSpeech, "heard">, ...options: readonly string[]) {
  const facts = { durationSeconds: 60, statedSeconds: null, soundChoice: null, unreadSound: null };
  Object.assign(engine, { detectSpeech: async () => ({ ...facts, ...heard }) });
  onTestFinished(() => void Object.assign(engine, openEngine()));
  const printed: string[] = [];
  const code = await GAPS.run(parseArguments(GAPS, [FILM, ...options]), {
    output: { print: (line) => void printed.push(line), tell: () => undefined },
    screen: { write: () => undefined },
    env: {},
    signal: new AbortController().signal,
  });
  return { code, printed: printed.join("\n") };
}

const speech = [0, 20, 40].map((start) => ({ start, end: start + 10, confidence: 1 }));
const rest = { music: [], silence: [] };

test("every pause has a row, every kind its credits", async () => {
  const { code, printed } = await said({ heard: { ...rest, speech } });
  expect(code).toBe(0);
  const rows = [...printed.matchAll(/^(\d+\.\d\d) +(\d+\.\d\d) +(\d+)$/gm)];
  expect(rows.map(([, from]) => Math.round(Number(from)))).toEqual([10, 30, 50]);
  expect(printed).toMatch(/^3 pauses, /m);
  expect(printed).toMatch(/credits of the hosted service: \d+\.\d\d as \w+, \d+\.\d\d as \w+/);
});

test("every stretch that nobody knows of is told, and a film that ends before it says it does", async () => {
  const unknown = [
    { start: 12, end: 15 },
    { start: 52, end: 56 },
  ];
  const { code, printed } = await said({ heard: { ...rest, speech, unknown }, statedSeconds: 90 });
  expect(code).toBe(3);
  expect(printed).toContain("whether people speak from 12.00 to 15.00 s, from 52.00 to 56.00 s:");
  expect(printed).toContain("The file ends after 60 of 90 s");
});

test("pauses are left empty that are shorter than was asked for, from 0.75 to 5 s", async () => {
  const heard = { ...rest, speech };
  for (const length of ["0.75", "5"]) expect((await said({ heard }, "--min-cue-length", length)).code).toBe(0);
  for (const length of ["0.7", "5.5", "long"]) {
    await expect(said({ heard }, "--min-cue-length", length)).rejects.toMatchObject({ code: "usage" });
  }
});
