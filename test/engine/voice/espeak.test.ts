import { beforeAll, describe, expect, test } from "vitest";
import { LANGUAGES, LISTED_LANGUAGES, VOICES } from "../../../src/contract/choices.ts";
import { countWords } from "../../../src/core/speaking-time.ts";
import { spokenSeconds } from "../../../src/engine/spoken-line.ts";
import { EspeakVoice } from "../../../src/engine/voice/espeak.ts";
import { EspeakEngine } from "../../../src/engine/voice/espeak-engine.ts";
import { ESPEAK_LANGUAGES, ESPEAK_TIMBRES } from "../../../src/engine/voice/espeak-tables.ts";
import { VoiceUnavailableError } from "../../../src/engine/voice/voice.ts";
import { voiceSuite } from "../../suites/voice.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";
import { SENTENCES } from "./sentences.ts";
import { soundOf } from "./voice-measures.ts";

const voice = new EspeakVoice();

voiceSuite("espeak-ng", {
  open: async () => voice,
  speaks: { language: "en-US", voice: "Achernar" },
  lacks: { language: "ja-JP", voice: "Achernar" },
});

describe("languages of espeak-ng", () => {
  let engine: EspeakEngine;
  beforeAll(async () => {
    engine = await EspeakEngine.load();
  });
  const say = (text: string, identifier: string) =>
    engine.speak({ text, voice: identifier, wordsPerMinute: 128, pitch: 50, range: 50 });

  test.each(LANGUAGES)("LANG-01: %s is pronounced as that language, or refused with a reason", async (language) => {
    const [text, heard] = SENTENCES[language];
    const entry = ESPEAK_LANGUAGES[language];
    if ("unavailable" in entry) {
      expect(heard).toBeNull();
      expect(entry.unavailable.length).toBeGreaterThan(20);
      expect(() => voice.check(language, "Achernar")).toThrow(VoiceUnavailableError);
      return;
    }
    const { phonemes } = say(text, entry.identifier);
    expect(phonemes).toContain(heard);
    expect(phonemes).not.toContain("(");
    // Its pace is that of all languages, which one in eight shows.
    if (!IS_THOROUGH && LANGUAGES.indexOf(language) % 8 !== 0) return;
    const line = await voice.speak({ text, language, voice: "Achernar", rate: 1 });
    expect(spokenSeconds(line)).toBeGreaterThan(2);
    expect(spokenSeconds(line)).toBeLessThan(6.5);
  });

  test("LANG-01: 35 of the 38 listed codes are spoken", () => {
    const refused = LISTED_LANGUAGES.filter((language) => "unavailable" in ESPEAK_LANGUAGES[language]);
    expect(refused).toEqual(["ja-JP", "ar-XA", "th-TH"]);
  });

  test("what is refused is unintelligible: kanji named in English, vowels left out", () => {
    expect(say(SENTENCES["ja-JP"][0], "jpx/ja").phonemes).toContain("(en)tʃˈaɪniːz(ja)lˈe̞tə");
    expect(say(SENTENCES["ar-XA"][0], "sem/ar").phonemes).toContain("tdʒls");
    expect(say(SENTENCES["he-IL"][0], "sem/he").phonemes).toContain("jvʃvt");
    expect(say(SENTENCES["th-TH"][0], "tai/th").phonemes).toContain("ths");
  });

  test("a code outside the table is refused, as is a name outside the catalogue", () => {
    expect(() => voice.check("xx-QQ", "Achernar")).toThrow(VoiceUnavailableError);
    expect(() => voice.check("toString", "Achernar")).toThrow(VoiceUnavailableError);
    expect(() => voice.check("en-US", "Nobody")).toThrow(VoiceUnavailableError);
    expect(() => voice.check("en-US", "constructor")).toThrow(VoiceUnavailableError);
  });
});

describe("timbres of espeak-ng", () => {
  test("GEN-11: each of the 31 catalogue names has one", () => {
    expect(Object.keys(ESPEAK_TIMBRES).sort()).toEqual(VOICES.map(({ name }) => name).sort());
  });

  thoroughTest(
    "no two voices sound alike, and every woman's voice lies above every man's",
    { timeout: 120_000 },
    async () => {
      const sounds: { name: string; gender: string; pitchHz: number; brightnessHz: number }[] = [];
      for (const { name, gender } of VOICES) {
        const line = await voice.speak({ text: SENTENCES["en-US"][0], language: "en-US", voice: name, rate: 1 });
        sounds.push({ name, gender, ...soundOf(line) });
      }
      const pitches = (wanted: string) => sounds.filter((s) => s.gender === wanted).map((s) => s.pitchHz);
      expect(Math.min(...pitches("female"))).toBeGreaterThan(Math.max(...pitches("male")));
      const alike: string[] = [];
      for (const [index, a] of sounds.entries()) {
        for (const b of sounds.slice(index + 1)) {
          // Differences of 3 % in pitch or 5 % in brightness are heard side by side.
          const pitch = Math.abs(Math.log(a.pitchHz / b.pitchHz)) / Math.log(1.03);
          const brightness = Math.abs(Math.log(a.brightnessHz / b.brightnessHz)) / Math.log(1.05);
          if (Math.hypot(pitch, brightness) < 1) alike.push(`${a.name} ${b.name}`);
        }
      }
      expect(alike).toEqual([]);
    },
  );
});

describe("speaking with espeak-ng", () => {
  test("keeps an editor's pace at rate 1", async () => {
    const text = "The man in the grey coat walks down the empty corridor and stops at a door.";
    for (const name of ["Achernar", "Charon", "Narrator"]) {
      const line = await voice.speak({ text, language: "en-US", voice: name, rate: 1 });
      const wordsPerMinute = (countWords(text) * 60) / spokenSeconds(line);
      expect(wordsPerMinute).toBeGreaterThan(145);
      expect(wordsPerMinute).toBeLessThan(180);
    }
  });

  test("says lines of short words and of long ones at nearly one pace, and none so fast that the check warns", async () => {
    const paces = await Promise.all(
      [
        "A big gray rabbit climbs out of a burrow in a meadow.",
        "He ticks a hammock and clicks the shopping cart.",
        "The branch snaps off.",
        "The animal on the branch watches, then slips away.",
      ].map(async (text) => {
        const line = await voice.speak({ text, language: "en-US", voice: "Achernar", rate: 1 });
        return (countWords(text) * 60) / spokenSeconds(line);
      }),
    );
    expect(Math.max(...paces)).toBeLessThan(163);
    expect(Math.min(...paces)).toBeGreaterThan(130);
  });

  test.each([0.9, 1.1])("says a line of short words at %s times its own pace where that is asked for", async (rate) => {
    const seconds = async (at: number) =>
      spokenSeconds(
        await voice.speak({
          text: "A big gray rabbit climbs out of a burrow in a meadow.",
          language: "en-US",
          voice: "Achernar",
          rate: at,
        }),
      );
    expect((await seconds(1)) / (await seconds(rate))).toBeCloseTo(rate, 1);
  });

  test("takes no character for a command", async () => {
    const say = async (text: string) =>
      spokenSeconds(await voice.speak({ text, language: "en-US", voice: "Achernar", rate: 1 }));
    expect(await say('Stop <break time="20s"/> here')).toBeLessThan(8);
    expect(await say("Stop [[h@'loU]] here")).toBeLessThan(8);
    expect(await say("Stop &lt; here")).toBeGreaterThan(await say("Stop here"));
    expect(await say("Stop\0here now")).toBeGreaterThan(await say("Stop"));
  });

  test("speaks on after a voice that does not exist", async () => {
    const engine = await EspeakEngine.load();
    const utterance = { text: "Hello.", voice: "gmw/en-US+f2", wordsPerMinute: 128, pitch: 50, range: 50 };
    const before = engine.speak(utterance).pcm;
    expect(() => engine.speak({ ...utterance, voice: "no/such" })).toThrow(RangeError);
    expect(() => engine.speak({ ...utterance, text: "x".repeat(70_000) })).toThrow(RangeError);
    expect(engine.speak(utterance).pcm).toEqual(before);
  });

  test("sounds the same from every instance", async () => {
    const utterance = { text: "Rain falls.", voice: "gmw/en-US+f5", wordsPerMinute: 128, pitch: 40, range: 45 };
    const first = (await EspeakEngine.load()).speak(utterance);
    const second = (await EspeakEngine.load()).speak(utterance);
    expect(second.pcm).toEqual(first.pcm);
  });
});
