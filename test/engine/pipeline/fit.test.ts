import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { countWords } from "../../../src/core/speaking-time.ts";
import { type FitRequest, fitDescriptions } from "../../../src/engine/pipeline/fit.ts";
import { Narrator } from "../../../src/engine/voice/narrator.ts";
import type { Voice, VoiceRequest } from "../../../src/engine/voice/voice.ts";

/** A voice that takes the same time for every word, and remembers what it was asked for. */
class EvenVoice implements Voice {
  readonly id = "even";
  readonly name = "The even voice";
  readonly isCharged: boolean;
  readonly asked: string[] = [];
  readonly #secondsPerWord: number;

  constructor(isCharged: boolean, secondsPerWord = 0.4) {
    this.isCharged = isCharged;
    this.#secondsPerWord = secondsPerWord;
  }

  check(): void {}

  async speak({ text, rate }: VoiceRequest) {
    this.asked.push(text);
    const samples = new Float32Array(Math.round((1000 * countWords(text) * this.#secondsPerWord) / rate));
    return { samples, sampleRate: 1000 };
  }
}

const words = (count: number, name: string) => Array.from({ length: count }, (_, word) => `${name}${word}`).join(" ");

/** Eight descriptions of 12, 8 and 4 words; a gap of four seconds for each but the last two. */
const REQUEST: FitRequest = {
  descriptions: Array.from({ length: 8 }, (_, index) => ({
    id: `cue-${index}`,
    wordings: [words(12, `a${index}x`), words(8, `b${index}x`), words(4, `c${index}x`)],
    picture: { start: 10 * index, end: 10 * index + 6 },
    importance: 0.8,
  })),
  settings: { ...DEFAULT_SETTINGS, type: "standard", autoFit: true },
  gaps: Array.from({ length: 6 }, (_, index) => ({ start: 10 * index, end: 10 * index + 4, sound: "ambience" })),
  speech: [
    ...Array.from({ length: 6 }, (_, index) => ({ start: 10 * index + 4, end: 10 * index + 10 })),
    { start: 60, end: 80 },
  ],
  cuts: [],
  phraseEnds: [],
  durationSeconds: 80,
};

async function fittedBy(voice: EvenVoice, more: Partial<FitRequest> = {}) {
  const narrator = new Narrator(voice, null, { language: "en-US", voice: "Achernar" });
  const fractions: number[] = [];
  const { signal } = new AbortController();
  const fitting = await fitDescriptions({ ...REQUEST, ...more }, narrator, signal, (done) => fractions.push(done));
  return { fitting, fractions };
}

test("tells of every line that was placed the other ways to say it, with their times", async () => {
  const { fitting } = await fittedBy(new EvenVoice(false));
  for (const { id, text, others = [] } of fitting.cues) {
    const { wordings } = REQUEST.descriptions.find((one) => one.id === id) ?? { wordings: [] };
    expect([text, ...others.map((other) => other.text)].sort()).toEqual([...wordings].sort());
    expect(others.map(({ seconds }) => seconds)).toEqual(
      [...others.map(({ seconds }) => seconds)].sort((a, b) => b - a),
    );
  }
  const script = REQUEST.descriptions.map((one) => ({ ...one, wordings: one.wordings.slice(-1) }));
  const { fitting: alone } = await fittedBy(new EvenVoice(false), { descriptions: script });
  expect(alone.cues.length).toBeGreaterThan(0);
  for (const cue of alone.cues) expect(cue.others).toBeUndefined();
});

test.each(["standard", "extended"] as const)(
  "%s: a line without a word is not placed, and the result says why",
  async (type) => {
    const [first, second] = REQUEST.descriptions;
    if (first === undefined || second === undefined) throw new Error("two descriptions are there");
    const descriptions = [
      { ...first, wordings: ["...", "♪"] },
      { ...second, wordings: ["—", ...second.wordings] },
    ];
    const { fitting } = await fittedBy(new EvenVoice(false), { descriptions, settings: { ...REQUEST.settings, type } });
    expect(fitting.cues.map(({ id }) => id)).toEqual([second.id]);
    expect(fitting.cues[0]?.text).not.toBe("—");
    expect(fitting.unplaced).toEqual([{ id: first.id, text: "...", seconds: 0, reason: "nothing-to-say" }]);
  },
);

test("a line that is spoken faster ends where its sound ends, however little faster the voice really is", async () => {
  // 12 words of 0.4 s want 4.8 s and have 4: the voice takes half of the pace that it is asked for.
  class SluggishVoice extends EvenVoice {
    override async speak({ text, rate, ...rest }: VoiceRequest) {
      return super.speak({ text, ...rest, rate: 1 + (rate - 1) / 2 });
    }
  }
  const descriptions = REQUEST.descriptions.map((one) => ({ ...one, wordings: [words(10, one.id)] }));
  const { fitting } = await fittedBy(new SluggishVoice(false, 0.42), { descriptions });
  const faster = fitting.cues.filter(({ rate }) => rate !== 1);
  expect(faster.length).toBeGreaterThan(0);
  for (const { start, end, narrationSeconds, rate } of faster) {
    expect(narrationSeconds).toBeCloseTo(4.2 / (1 + (rate - 1) / 2), 2);
    expect(end).toBeCloseTo(start + narrationSeconds, 9);
    expect(narrationSeconds).not.toBeCloseTo(4.2 / rate, 2);
  }
});

describe("a voice that may be paid by the line", () => {
  test("speaks little more than what is placed, and places the same as one that speaks every wording", async () => {
    const [charged, free] = [new EvenVoice(true), new EvenVoice(false)];
    const [some, all] = [await fittedBy(charged), await fittedBy(free)];
    expect(some.fitting).toEqual(all.fitting);
    expect(some.fitting.cues).toHaveLength(6);
    expect(free.asked).toHaveLength(24);
    expect(new Set(charged.asked).size).toBeLessThanOrEqual(12);
    for (const { text } of some.fitting.cues) expect(charged.asked).toContain(text);
  });

  test.each([0.2, 0.4, 0.9])("lays nothing over speech, whatever its pace: %s s a word", async (secondsPerWord) => {
    const { fitting } = await fittedBy(new EvenVoice(true, secondsPerWord));
    expect(fitting.cues.length).toBeGreaterThan(3);
    for (const { start, end, text, rate } of fitting.cues) {
      expect(end - start).toBeCloseTo((countWords(text) * secondsPerWord) / rate, 2);
      expect(REQUEST.speech.every((line) => line.end <= start || line.start >= end)).toBe(true);
    }
  });

  test("is asked for nothing twice at one pace, and its progress never falls", async () => {
    const voice = new EvenVoice(true, 0.9);
    const { fractions } = await fittedBy(voice, { settings: { ...REQUEST.settings, type: "extended" } });
    expect(new Set(voice.asked).size).toBe(voice.asked.length);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBeLessThanOrEqual(1);
  });

  test("holds the programme for as long as the words really take", async () => {
    const { fitting } = await fittedBy(new EvenVoice(true, 0.7), {
      settings: { ...REQUEST.settings, type: "extended", script: "given" },
    });
    expect(fitting.cues).toHaveLength(8);
    for (const { text, narrationSeconds } of fitting.cues) {
      expect(narrationSeconds).toBeCloseTo(countWords(text) * 0.7, 2);
    }
  });
});
