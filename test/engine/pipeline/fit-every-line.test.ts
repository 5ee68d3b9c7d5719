import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { countWords } from "../../../src/core/speaking-time.ts";
import { type FitRequest, fitDescriptions, rehearse } from "../../../src/engine/pipeline/fit.ts";
import { Narrator } from "../../../src/engine/voice/narrator.ts";
import { SpeechError, type Voice, type VoiceRequest } from "../../../src/engine/voice/voice.ts";

const { signal } = new AbortController();

/** A voice of 0.4 s a word, which has no recording of some texts and gives no sound for others. */
class ChoosyVoice implements Voice {
  readonly id = "choosy";
  readonly name = "The choosy voice";
  readonly isCharged = false;
  readonly #missing: RegExp;
  readonly #silent: RegExp;

  constructor({ missing = /^$/, silent = /^$/ }: { readonly missing?: RegExp; readonly silent?: RegExp } = {}) {
    this.#missing = missing;
    this.#silent = silent;
  }

  check(): void {}

  async speak({ text, rate }: VoiceRequest) {
    if (this.#missing.test(text)) throw new SpeechError("recording_missing", `There is no recording of "${text}".`);
    const seconds = this.#silent.test(text) ? 0 : countWords(text) * 0.4;
    return { samples: new Float32Array(Math.round((1000 * seconds) / rate)).fill(0.1), sampleRate: 1000 };
  }
}

/** Six pictures of ten seconds; the first four have a pause of three seconds, the others have none. */
const PAUSES = [0, 1, 2, 3].map((index) => ({ start: 10 * index, end: 10 * index + 3 }));
const description = (index: number, ...wordings: string[]) => ({
  id: `cue-${index}`,
  wordings,
  picture: { start: 10 * index, end: 10 * index + 4 },
  importance: 0.8,
});
const request = (descriptions: FitRequest["descriptions"], more: Partial<FitRequest> = {}): FitRequest => ({
  descriptions,
  settings: { ...DEFAULT_SETTINGS, type: "standard", autoFit: true },
  gaps: PAUSES.map((pause) => ({ ...pause, sound: "ambience" as const })),
  speech: [
    { start: 3, end: 10 },
    { start: 13, end: 20 },
    { start: 23, end: 30 },
    { start: 33, end: 60 },
  ],
  cuts: [],
  phraseEnds: [],
  durationSeconds: 60,
  ...more,
});
const fitted = (asked: FitRequest, voice: Voice | null = new ChoosyVoice()) =>
  fitDescriptions(asked, narratorOf(voice), signal, () => {});
const narratorOf = (voice: Voice | null) =>
  voice === null ? null : new Narrator(voice, null, { language: "en-US", voice: "Achernar" });

const SIX = [0, 1, 2, 3, 4, 5].map((index) =>
  description(index, `The dog number ${index} runs far.`, `Dog ${index} runs.`),
);

describe("every line that was written", () => {
  test("is placed or told of, with its reason and the seconds of its shortest wording", async () => {
    const { cues, unplaced } = await fitted(request(SIX));
    expect(cues.map(({ id }) => id)).toEqual(["cue-0", "cue-1", "cue-2", "cue-3"]);
    expect(unplaced).toMatchObject([
      { id: "cue-4", seconds: 1.2, reason: "no-gap-near" },
      { id: "cue-5", seconds: 1.2, reason: "no-gap-near" },
    ]);
  });

  test("has its other wordings with it, whichever was chosen", async () => {
    const { cues } = await fitted(request(SIX));
    expect(cues.map(({ text, others }) => [text, others])).toEqual(
      [0, 1, 2, 3].map((index) => [
        `The dog number ${index} runs far.`,
        [{ text: `Dog ${index} runs.`, seconds: 1.2 }],
      ]),
    );
  });

  test("is rehearsed as it would be placed", async () => {
    const { spoken, unspoken } = await rehearse(request(SIX), narratorOf(new ChoosyVoice()), signal);
    expect(spoken.map(({ id, start, end }) => [id, Math.round(100 * (end - start)), start < 34])).toEqual(
      [0, 1, 2, 3].map((index) => [`cue-${index}`, 240, true]),
    );
    expect(unspoken).toEqual(["cue-4", "cue-5"]);
  });

  test("holds the programme in extended descriptions; those for which no time may be added are told of", async () => {
    const settings = { ...DEFAULT_SETTINGS, type: "extended" as const, describing: { maximumAddedShare: 0 } };
    const { cues, unplaced } = await fitted(request(SIX, { settings }));
    expect(cues.map(({ id, rate }) => [id, rate])).toEqual([0, 1, 2, 3].map((index) => [`cue-${index}`, 1]));
    expect(unplaced.map(({ id, text, reason }) => [id, text, reason])).toEqual([
      ["cue-4", "The dog number 4 runs far.", "added-time"],
      ["cue-5", "The dog number 5 runs far.", "added-time"],
    ]);
  });

  test("is told of where it has no word, or the voice gave no sound for any of its wordings", async () => {
    const lines = [
      description(0, "..."),
      description(1, "—", "Mute cat."),
      description(2, "The dog runs."),
      description(3, "♪"),
    ];
    const { cues, unplaced } = await fitted(request(lines), new ChoosyVoice({ silent: /Mute/ }));
    expect(cues.map(({ id }) => id)).toEqual(["cue-2"]);
    expect(unplaced).toEqual([
      { id: "cue-0", text: "...", seconds: 0, reason: "nothing-to-say" },
      { id: "cue-1", text: "—", seconds: 0, reason: "no-sound" },
      { id: "cue-3", text: "♪", seconds: 0, reason: "nothing-to-say" },
    ]);
  });
});

describe("a voice that lacks lines", () => {
  const lines = [
    description(0, "The dog runs."),
    description(1, "A long lost line.", "Lost line."),
    description(2, "...", "Found line."),
    description(3, "Lost as well."),
  ];

  test("is told every recording that is missing at once, by the shortest wording", async () => {
    const fitting = fitted(request(lines), new ChoosyVoice({ missing: /lost|Lost/ }));
    await expect(fitting).rejects.toMatchObject({
      code: "recording_missing",
      message: 'There are no recordings of 2 descriptions, in any of their wordings: "Lost line.", "Lost as well.".',
    });
    await expect(fitted(request(lines), new ChoosyVoice({ missing: /Lost as/ }))).rejects.toMatchObject({
      message: 'There is no recording of "Lost as well." in any of its wordings.',
    });
  });

  test("speaks another wording where one is missing or has no sound", async () => {
    for (const lacks of [{ missing: /long lost/ }, { silent: /long lost/ }]) {
      const { cues, unplaced } = await fitted(request(lines), new ChoosyVoice(lacks));
      expect([cues.map(({ text }) => text), unplaced]).toEqual([
        ["The dog runs.", "Lost line.", "Found line.", "Lost as well."],
        [],
      ]);
    }
  });

  test("that is silent throughout fails, and says for how many lines", async () => {
    await expect(fitted(request(lines), new ChoosyVoice({ silent: /./ }))).rejects.toMatchObject({
      code: "speech_silent",
      message: expect.stringMatching(/gave no sound for “.+”\. Nor for 3 other lines/),
    });
    await expect(fitted(request(lines.slice(0, 2)), new ChoosyVoice({ silent: /./ }))).rejects.toMatchObject({
      message: expect.stringContaining("Nor for 1 other line:"),
    });
  });
});
