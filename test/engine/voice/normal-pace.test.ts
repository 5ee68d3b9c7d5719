import { describe, expect, test } from "vitest";
import { countWords } from "../../../src/core/speaking-time.ts";
import type { SpokenLine } from "../../../src/engine/spoken-line.ts";
import { Narrator, openNarrator } from "../../../src/engine/voice/narrator.ts";
import { normalRate, paceSample } from "../../../src/engine/voice/normal-pace.ts";
import type { Voice, VoiceRequest } from "../../../src/engine/voice/voice.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const LINES = [
  "The man in the grey coat walks down the empty corridor and stops at a door.",
  "Rain streaks the window of the night train as the city lights fade.",
  "A detective studies the scattered documents on the desk.",
  "Inside the kitchen, steam rises from a copper pot.",
  "He turns the photograph over. On the back, a date is written in pencil.",
  "Two children race their bicycles along the harbour wall.",
];

/** Speaks so many letters a second, whatever they are. */
class EvenVoice implements Voice {
  readonly id = "even/1";
  readonly name = "The even voice";
  readonly isCharged = false;
  readonly isMeasured: boolean;
  readonly rates: number[] = [];
  readonly #lettersPerSecond: number;

  constructor(lettersPerSecond: number, isMeasured = true) {
    this.#lettersPerSecond = lettersPerSecond;
    this.isMeasured = isMeasured;
  }

  check(): void {}

  speak({ text, rate }: VoiceRequest): Promise<SpokenLine> {
    this.rates.push(rate);
    const seconds = (text.match(/\p{L}/gu) ?? []).length / this.#lettersPerSecond / rate;
    return Promise.resolve({ samples: new Float32Array(Math.round(seconds * 1_000)).fill(0.1), sampleRate: 1_000 });
  }
}

async function paceOf(narrator: Narrator): Promise<number> {
  let [words, seconds] = [0, 0];
  for (const line of LINES) {
    words += countWords(line);
    seconds += (await narrator.speak(line)).seconds;
  }
  return (60 * words) / seconds;
}

describe("the pace of a voice", () => {
  test.each(["Achernar", "Charon", "Narrator"])("is 165 words a minute for the built-in one: %s", async (voice) => {
    const order = { language: "en-US", voice, cacheFolder: await temporaryFolder(), environment: {} };
    const { narrator } = await openNarrator(order);
    const pace = await paceOf(narrator);
    expect(pace).toBeGreaterThan(160);
    expect(pace).toBeLessThan(170);
  });

  test.each([10, 14])("is 165 words a minute for one that speaks %i letters a second by itself", async (letters) => {
    const voice = new EvenVoice(letters);
    const narrator = new Narrator(voice, null, { language: "en-US", voice: "Achernar" });
    expect(await paceOf(narrator)).toBeGreaterThan(160);
    expect(await paceOf(narrator)).toBeLessThan(170);
    // Measured once, with its own rate; what is told is relative to the normal pace.
    expect(voice.rates.filter((rate) => rate === 1)).toHaveLength(1);
    expect((await narrator.speak("A door opens.", undefined, 1.1)).rate).toBe(1.1);
    expect(voice.rates.at(-1)).toBeCloseTo((1.1 * 11.8) / letters, 1);
  });

  test("is its own where it is not to be measured", async () => {
    const voice = new EvenVoice(10, false);
    await paceOf(new Narrator(voice, null, { language: "en-US", voice: "Achernar" }));
    expect(new Set(voice.rates)).toEqual(new Set([1]));
  });

  test("is changed within what still sounds natural, and not where letters tell no time", () => {
    const seconds = (language: string, lettersPerSecond: number) =>
      (paceSample(language)?.match(/[\p{L}\p{N}]/gu)?.length ?? 0) / lettersPerSecond;
    expect(normalRate(paceSample("fi-FI") ?? "", seconds("fi-FI", 11.8))).toBe(1);
    expect(normalRate(paceSample("fi-FI") ?? "", seconds("fi-FI", 4))).toBe(1.25);
    expect(normalRate(paceSample("el-GR") ?? "", seconds("el-GR", 40))).toBe(0.8);
    for (const language of ["cmn-CN", "ja-JP", "hi-IN", "ar-XA"]) {
      expect(normalRate(paceSample(language) ?? "", seconds(language, 4)), language).toBe(1);
    }
  });
});
