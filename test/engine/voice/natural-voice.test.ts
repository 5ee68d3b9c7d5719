import { readFile, truncate, utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { VOICES } from "../../../src/contract/choices.ts";
import { closeSpeechEngines, speechEngine } from "../../../src/engine/local/speech-engine.ts";
import { speechSetup } from "../../../src/engine/local/speech-setup.ts";
import { runIsolated } from "../../../src/engine/tasks/run-isolated.ts";
import { heardVoices } from "../../../src/engine/voice/heard-voices.ts";
import type { Voice } from "../../../src/engine/voice/voice.ts";
import { CATALOGUE_ROWS } from "../../../src/engine/voice/voice-names.ts";
import { openVoice, voiceConfiguration, voiceFor } from "../../../src/engine/voice/voice-settings.ts";
import {
  frequencyOf,
  kokoro,
  piper,
  type SpeakingStore,
  speakerHz,
  speakingStore,
  supertonic,
} from "../../fakes/speaking-models.ts";
import { voiceSuite } from "../../suites/voice.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";

let store: SpeakingStore;
let everything: Readonly<Record<string, string>>;
beforeAll(async () => {
  store = await speakingStore(await temporaryFolder(), [kokoro(), piper("piper-fr-siwis", "fr", "fr"), supertonic()]);
  everything = store.environment;
});
afterAll(() => closeSpeechEngines());

const named = (models: string) => ({ ...everything, ASIDE_VOICE_NATURAL: models });

async function open(environment: Readonly<Record<string, string>>, language?: string): Promise<Voice> {
  const configuration = voiceConfiguration(environment);
  if (configuration.kind === "incomplete") throw new Error(configuration.reason);
  return openVoice(configuration, language);
}

for (const [model, language, lacked] of [
  ["kokoro-en", "en-US", "de-DE"],
  ["piper-fr-siwis", "fr-FR", "en-US"],
  ["supertonic-3", "de-DE", "cmn-CN"],
] as const) {
  voiceSuite(model, {
    open: () => open(named(model)),
    speaks: { language, voice: "Achernar" },
    lacks: { language: lacked, voice: "Achernar" },
  });
}

describe("which voice speaks", () => {
  test("with nothing set it is an installed one that speaks the language, else the built-in one", async () => {
    const configuration = voiceConfiguration(everything);
    expect(voiceFor(configuration, "en-GB")).toMatchObject({ kind: "natural" });
    expect(voiceFor(configuration, "pl-PL")).toEqual({ kind: "espeak" });
    expect((await open(everything, "pl-PL")).name).toBe("The built-in voice");
    expect((await open(everything, "de-DE")).name).toContain("Supertonic 3");
    const whole = await open(everything);
    for (const language of ["en-US", "pl-PL"]) whole.check(language, "Charon");
    expect(() => whole.check("ja-JP", "Charon")).toThrow("do not speak ja-JP");
  });

  test("on asks for it, off takes it out, and nothing is chosen twice", () => {
    expect(voiceConfiguration(named("on"))).toMatchObject({ kind: "by-language" });
    expect(voiceConfiguration(named("off"))).toEqual({ kind: "espeak" });
    expect(voiceConfiguration({ ...named("on"), ASIDE_VOICE_SYSTEM: "on" })).toMatchObject({
      reason: "ASIDE_VOICE_SYSTEM and ASIDE_VOICE_NATURAL are both set",
    });
    const both = { ...named("off"), ASIDE_VOICE_SYSTEM: "off" };
    expect(voiceConfiguration(both)).toEqual({ kind: "espeak" });
  });

  test("what is asked for and not there is told, with what to do", () => {
    const reasonOf = (environment: Readonly<Record<string, string>>) => voiceConfiguration(environment);
    expect(reasonOf(named("kokoro-xx"))).toMatchObject({
      reason: 'ASIDE_VOICE_NATURAL names "kokoro-xx", which is not installed: aside models install kokoro-xx',
    });
    expect(reasonOf({ ASIDE_VOICE_NATURAL: "on" })).toMatchObject({
      reason: expect.stringContaining("aside models install"),
    });
  });

  test("GEN-12: one that is named refuses what it cannot speak by its name, before a job", async () => {
    const voice = await open(named("kokoro-en"));
    expect(() => voice.check("fr-FR", "Achernar")).toThrow(
      "Kokoro English does not speak fr-FR. Install a voice that does",
    );
    const two = await open(named("kokoro-en, piper-fr-siwis"));
    two.check("fr-FR", "Achernar");
    expect(() => two.check("de-DE", "Achernar")).toThrow("Kokoro English and Piper fr do not speak de-DE");
  });

  test("natural voices are listed first, each once with the sex that is heard, and the built-in one for the rest", async () => {
    const heard = await heardVoices(named("kokoro-en"));
    expect(heard.map(({ title }) => title)).toContain("Kokoro English, Bella");
    for (const { voice, gender, languages } of heard) {
      expect(gender).toBe(VOICES.find(({ name }) => name === voice)?.gender);
      expect(languages.every((language) => language.startsWith("en"))).toBe(true);
    }
    const all = await heardVoices(everything);
    expect(all[0]?.title).toMatch(/^Kokoro English/);
    expect(all.slice(-2).map(({ title }) => title)).toEqual(["Built in", "Built in"]);
    expect(all.slice(-2).flatMap(({ languages }) => languages)).not.toContain("en-US");
  });

  test("a voice that has the sex of the name goes before one that has not", async () => {
    const voice = await open(named("piper-fr-siwis, supertonic-3"));
    expect(voice.speaker?.("fr-FR", "Achernar")).toMatchObject({
      id: "piper-fr-siwis/piper-fr-siwis",
      gender: "female",
    });
    expect(voice.speaker?.("fr-FR", "Charon")).toMatchObject({ id: "supertonic-3/M3", gender: "male" });
  });

  test("a person's own choice of a voice for a name goes before the table", async () => {
    const voice = await open({ ...named("supertonic-3, kokoro-en"), ASIDE_VOICE_NAMES: "Charon=am_adam,Kore=nobody" });
    expect(voice.speaker?.("en-US", "Charon").id).toBe("kokoro-en/am_adam");
    expect(voice.speaker?.("de-DE", "Charon").id).toBe("supertonic-3/M3");
    expect(voice.speaker?.("en-US", "Kore").id).toBe("supertonic-3/F3");
  });

  test.each([53, 54])("has women and men of both sides of the ocean in Kokoro 1.0, with %i voices", async (count) => {
    const other = await speakingStore(await temporaryFolder(), [kokoro()]);
    // As large as so many voices; nobody speaks here.
    await truncate(join(other.folder, "kokoro-en", "voices.bin"), 0);
    await truncate(join(other.folder, "kokoro-en", "voices.bin"), count * 510 * 1_024);
    const voice = await open({ ...other.environment, ASIDE_VOICE_NATURAL: "kokoro-en" });
    for (const language of ["en-US", "en-GB"]) {
      const speakers = ["Charon", "Kore", "Puck", "Leda"].map((name) => voice.speaker?.(language, name));
      expect(speakers.map((speaker) => speaker?.gender)).toEqual(["male", "female", "male", "female"]);
      const letter = language === "en-US" ? "a" : "b";
      for (const speaker of speakers) expect(speaker?.id).toMatch(new RegExp(`/${letter}[fm]_`));
    }
  });

  test("Norwegian and Chinese have two codes each, and Cantonese is not Chinese", async () => {
    const folder = await temporaryFolder();
    const others = await speakingStore(folder, [piper("piper-no", "no", "en"), piper("piper-zh", "zh", "en")]);
    const configuration = voiceConfiguration(others.environment);
    for (const language of ["nb-NO", "cmn-CN"])
      expect(voiceFor(configuration, language)).toMatchObject({ kind: "natural" });
    expect(voiceFor(configuration, "yue-HK")).toEqual({ kind: "espeak" });
  });

  test("the identity of the voice changes with its files, not with what else is set", async () => {
    const before = (await open(named("supertonic-3"))).id;
    expect((await open({ ...named("supertonic-3"), ASIDE_VOICE_TIMEOUT: "7" })).id).toBe(before);
    expect((await open(named("kokoro-en"))).id).not.toBe(before);
    await utimes(join(store.folder, "supertonic-3", "vocoder.onnx"), new Date(), new Date(0));
    expect((await open(named("supertonic-3"))).id).not.toBe(before);
  });
});

describe("the 31 names", () => {
  test.each([
    ["supertonic-3", "de-DE"],
    ["kokoro-en", "en-US"],
    ["kokoro-en", "en-GB"],
  ])("each is a voice of its sex on %s in %s", async (model, language) => {
    const voice = await open(named(model));
    for (const { name, gender } of VOICES) expect(voice.speaker?.(language, name).gender, name).toBe(gender);
  });

  test("each has a row in the table, whose voices have its sex", () => {
    expect(Object.keys(CATALOGUE_ROWS).sort()).toEqual(VOICES.map(({ name }) => name).sort());
    for (const { name, gender } of VOICES) {
      const {
        supertonic: style,
        american,
        british,
      } = CATALOGUE_ROWS[name] ?? { supertonic: "", american: "", british: "" };
      const [letter, sign] = gender === "female" ? ["F", "f_"] : ["M", "m_"];
      expect([style.startsWith(letter), american.startsWith(`a${sign}`), british.startsWith(`b${sign}`)], name).toEqual(
        [true, true, true],
      );
    }
  });

  test.each([
    ["supertonic-3", "de-DE", "Charon", 7],
    ["supertonic-3", "de-DE", "Achernar", 4],
    ["kokoro-en", "en-GB", "Charon", 9],
    ["kokoro-en", "en-US", "Autonoe", 1],
  ])("is heard as it stands there: on %s in %s, %s", async (model, language, name, speaker) => {
    const line = await (await open(named(model))).speak({ text: "The view moves.", language, voice: name, rate: 1 });
    expect(frequencyOf(line)).toBeCloseTo(speakerHz(speaker), -1);
  });
});

describe("a job's process", () => {
  thoroughTest(
    "has its line spoken by the one engine of its parent, two of them at the same time as well",
    async () => {
      const library = speechSetup(everything)?.library ?? "";
      const narrationFolder = await temporaryFolder();
      const line = (text: string, more: object = {}) =>
        runIsolated(
          "voiceLine",
          { text, language: "en-US", voice: "Charon", kept: {}, narrationFolder },
          { signal: AbortSignal.timeout(20_000), environment: { ...everything, ...more } },
        );
      const [first, second] = await Promise.all([line("The view moves to the left."), line("The picture goes black.")]);
      expect(first?.seconds).toBeGreaterThan(0.5);
      expect(second?.wave.length).toBeGreaterThan(1_000);
      const { pid } = speechEngine(library);
      expect(pid).not.toBeNull();
      await line("And again.");
      expect(speechEngine(library).pid).toBe(pid);
    },
    30_000,
  );

  thoroughTest(
    "that is cancelled in the middle of a line ends the engine with it, and the next line is spoken",
    async () => {
      const slow = await speakingStore(await temporaryFolder(), [kokoro("kokoro-slow", { nodes: 300 })]);
      const one = speechEngine(speechSetup(slow.environment)?.library ?? "");
      await one.close();
      const stop = new AbortController();
      const order = { language: "en-US", voice: "Achernar", kept: {}, narrationFolder: await temporaryFolder() };
      const text = "The view moves to the left, and then to the right, and then back again. ".repeat(10);
      const line = runIsolated("voiceLine", { ...order, text }, { signal: stop.signal, environment: slow.environment });
      const outcome = expect(line).rejects.toThrow("enough");
      const pid = await vi.waitUntil(() => one.pid, { timeout: 30_000 });
      stop.abort(new Error("enough"));
      await outcome;
      await vi.waitUntil(() => one.pid === null, { interval: 5, timeout: 15_000 });
      // Nobody counts on it from the moment on that it is told to end; it is gone a little later.
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/), { interval: 5, timeout: 15_000 });
      const next = { signal: AbortSignal.timeout(20_000), environment: everything };
      expect((await runIsolated("voiceLine", { ...order, text: "One." }, next))?.seconds).toBeGreaterThan(0);
    },
    40_000,
  );

  test("is told what is wrong with a model, by name", async () => {
    const broken = await speakingStore(await temporaryFolder(), [kokoro()]);
    await truncate(join(broken.folder, "kokoro-en", "voices.bin"), 511 * 1_024);
    const order = {
      text: "One.",
      language: "en-US",
      voice: "Achernar",
      kept: {},
      narrationFolder: await temporaryFolder(),
    };
    const line = runIsolated("voiceLine", order, {
      signal: AbortSignal.timeout(20_000),
      environment: broken.environment,
    });
    await expect(line).rejects.toMatchObject({
      code: "voice_unusable",
      message: expect.stringMatching(/^Kokoro English cannot be loaded.*aside models check kokoro-en/),
    });
  }, 30_000);
});

test("the documentation has the table as it is", async () => {
  const text = await readFile(new URL("../../../docs/command-line.md", import.meta.url), "utf8");
  for (const { name, gender } of VOICES) {
    const { character, supertonic: style, american, british, openai } = CATALOGUE_ROWS[name] ?? {};
    const cells = [name, `${gender}, ${character}`, style, `\`${american}\``, `\`${british}\``, openai];
    expect(text).toContain(`| ${cells.join(" | ")} |`);
  }
});
