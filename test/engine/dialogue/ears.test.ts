import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DialogueOrder, dialogueOf } from "../../../src/engine/dialogue/dialogue.ts";
import { linesOf } from "../../../src/engine/dialogue/ears.ts";
import { planPieces } from "../../../src/engine/dialogue/transcribe.ts";
import { speechEngine } from "../../../src/engine/local/speech-engine.ts";
import { earsIn } from "../../../src/engine/local/speech-setup.ts";
import type { Environment } from "../../../src/engine/outgoing/local-only.ts";
import { FRAME_SECONDS, type HeardToken, parakeet } from "../../fakes/hearing-models.ts";
import { speakingStore } from "../../fakes/speaking-models.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const TOKENS: readonly HeardToken[] = [
  [" Who", 4],
  [" is", 3],
  [" th", 2],
  ["ere", 3],
  ["?", 1],
];

/** What was heard in a film of two minutes: one stretch with doubt, in which nothing is written down. */
const HEARD = [
  { start: 4, end: 6.5, confidence: 0.9 },
  { start: 60, end: 62, confidence: 0.6 },
];

let environment: Environment = {};
beforeAll(async () => {
  ({ environment } = await speakingStore(await temporaryFolder(), [parakeet(TOKENS)]));
});
afterAll(async () => {
  const library = earsIn(environment)?.setup.library;
  if (library !== undefined) await speechEngine(library).close();
});

async function dialogue(more: Partial<DialogueOrder> = {}) {
  const order: DialogueOrder = {
    mediaPath: sharedMedia("constructed/placed-speech-silence.mp4"),
    mediaFolder: await temporaryFolder(),
    durationSeconds: 120,
    heard: HEARD,
    captions: [],
    language: "en-US",
    mayAsk: true,
    environment,
    findLocal: async () => null,
    ...more,
  };
  return await dialogueOf(order, new AbortController().signal);
}

describe("an installed model that writes down what is said", () => {
  test("is used where nothing is set, and told by its name", async () => {
    const { transcript, notes } = await dialogue();
    expect(transcript.map(({ text }) => text)).toEqual(["Who is there?", "Who is there?"]);
    const [first] = transcript;
    // Half a second before what was heard is listened to as well.
    expect(first?.start).toBeCloseTo(3.5, 3);
    expect(first?.words?.map(({ text }) => text)).toEqual(["Who", "is", "there?"]);
    expect(first?.words?.[2]?.start).toBeCloseTo(3.5 + 7 * FRAME_SECONDS, 3);
    expect(notes).toEqual(["What is said was transcribed by Parakeet v3 on this computer: 2 lines, 2 requests."]);
  });

  test("never takes away what was heard as speech, however little of it is written down", async () => {
    const { speech } = await dialogue();
    const without = await dialogue({ environment: { ASIDE_TRANSCRIPTION_URL: "off" } });
    for (const { start, end } of without.speech) {
      expect(speech.some((range) => range.start <= start && range.end >= end)).toBe(true);
    }
  });

  test("is asked for nothing where captions tell what is said, and where it is switched off", async () => {
    const captions = [{ start: 4, end: 6, text: "Hello." }];
    expect((await dialogue({ captions })).transcript).toEqual(captions);
    const off = { ...environment, ASIDE_TRANSCRIPTION_URL: "off" };
    expect((await dialogue({ environment: off })).transcript).toEqual([]);
  });

  test("that is named and not installed is told, and a damaged one leaves the programme without words, not the job", async () => {
    const missing = { ...environment, ASIDE_TRANSCRIPTION_URL: "here", ASIDE_TRANSCRIPTION_MODEL: "parakeet-v9" };
    expect((await dialogue({ environment: missing })).notes).toEqual([
      expect.stringContaining("no model “parakeet-v9” is installed on this computer"),
    ]);
    const broken = await speakingStore(await temporaryFolder(), [parakeet(TOKENS)]);
    await truncate(join(broken.folder, "parakeet-v3", "encoder.onnx"), 100);
    const { transcript, notes } = await dialogue({ environment: broken.environment });
    expect(transcript).toEqual([]);
    expect(notes).toEqual([expect.stringContaining("Parakeet v3 cannot be loaded: its files are damaged.")]);
  });
});

describe("what a model heard becomes lines", () => {
  const heard = (tokens: readonly (readonly [string, number, number?])[], text = "") => ({
    text,
    tokens: tokens.map(([token]) => token),
    starts: tokens.map(([, start]) => start),
    lengths: tokens.some(([, , length]) => length !== undefined) ? tokens.map(([, , length = 0]) => length) : [],
  });

  test("of a sentence each, with the times of its words; signs belong to the word before", () => {
    const lines = linesOf(
      heard([
        [" Go", 0.1],
        [" !", 0.3],
        [" No", 0.5],
        [",", 0.7],
        [" n", 0.8],
        ["ever", 0.9],
        [".", 1.2],
      ]),
      3,
    );
    expect(lines.map(({ text }) => text)).toEqual(["Go!", "No, never."]);
    expect(lines[1]).toMatchObject({ start: 0.5 });
    expect(lines[1]?.words?.map(({ text }) => text)).toEqual(["No,", "never."]);
  });

  test("of twenty-four words at the most, where no sentence ends", () => {
    const spoken = Array.from({ length: 49 }, (_, index) => [` w${index}`, index / 4] as const);
    expect(linesOf(heard(spoken), 15).map(({ words }) => words?.length)).toEqual([24, 24, 1]);
  });

  test("parted where nobody speaks for a second; a word never sounds until the next one after a pause", () => {
    const lines = linesOf(
      heard([
        [" one", 0],
        [" two", 4],
      ]),
      6,
    );
    expect(lines.map(({ start, end, text }) => [start, end, text])).toEqual([
      [0, 0.6, "one"],
      [4, 4.6, "two"],
    ]);
  });

  test("parted behind what ends a sentence, in quotation marks or brackets too, and by no sign inside a word", () => {
    const texts = (...words: readonly string[]) =>
      linesOf(heard(words.map((word, index) => [` ${word}`, index / 4] as const)), 9).map(({ text }) => text);
    expect(texts("What?”", "he", "asked.", "Mr.Fox", "(Yes!)", "then", "a…b", "c")).toEqual([
      ...["What?”", "he asked.", "Mr.Fox (Yes!)", "then a…b c"],
    ]);
  });

  test("not parted where the pause is a second to the letter", () => {
    const apart = (start: number) => linesOf(heard([[" one", 0, 0.5], [" two", start, 0.5]]), 6).length; // biome-ignore format: one line
    expect([apart(1.5), apart(1.51)]).toEqual([1, 2]);
  });

  test("of the whole piece where the model tells no times; of silence none", () => {
    expect(linesOf(heard([], " Hello  there. "), 2)).toEqual([{ start: 0, end: 2, text: "Hello there." }]);
    expect(linesOf(heard([]), 2)).toEqual([]);
    expect(linesOf(heard([[" <unk>", 0.2]]), 2)).toEqual([]);
  });
});

test("long speech is cut at a dip of the sound where there is one, and into pieces that a model takes at once", () => {
  const limits = { longest: 28, skipped: 1.5 };
  expect(planPieces([{ start: 10, end: 70 }], 100, { ...limits, dips: [12, 30, 36, 52, 68] })).toEqual([
    { start: 9.5, end: 36 },
    { start: 36, end: 52 },
    { start: 52, end: 70.5 },
  ]);
  expect(planPieces([{ start: 0.5, end: 60 }], 60.5, limits).map(({ start, end }) => [start, end])).toEqual([
    [0, 28],
    [28, 56],
    [56, 60.5],
  ]);
});
