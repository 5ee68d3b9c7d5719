import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { VOICES } from "../../../src/contract/choices.ts";
import { LEDGER_HEADER } from "../../../src/engine/outgoing/ledger.ts";
import type { Environment } from "../../../src/engine/outgoing/local-only.ts";
import { RELAY_VARIABLE } from "../../../src/engine/outgoing/send-request.ts";
import { heardVoices } from "../../../src/engine/voice/heard-voices.ts";
import { sexOfName } from "../../../src/engine/voice/natural-speakers.ts";
import { OpenAiSpeechVoice } from "../../../src/engine/voice/openai-speech.ts";
import { namesOnServer } from "../../../src/engine/voice/speech-server.ts";
import { spokenFromBytes } from "../../../src/engine/voice/spoken-from-bytes.ts";
import { findPiperVoices, findRhvoiceVoices } from "../../../src/engine/voice/system/found-voices.ts";
import { engineSpeaker, engineVoice, OPENAI_VOICES, type VoiceNames } from "../../../src/engine/voice/voice-names.ts";
import { openVoice, voiceConfiguration, voiceFor } from "../../../src/engine/voice/voice-settings.ts";
import { waveHeader } from "../../../src/formats/wave/write-wave.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const of = (settings: Record<string, string>) =>
  voiceConfiguration(
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ASIDE_VOICE_${name}`, value])),
  );
const FOUND = JSON.stringify({
  command: ["say", "{voice}"],
  voices: [
    { id: "s1", name: "Samantha", language: "en-US", gender: "female" },
    { id: "a1", name: "Alex", language: "en-US", gender: "male" },
    { id: "n1", name: "Anna", language: "de-DE", gender: "female" },
    { id: "y1", name: "Yannick", language: "de-DE", gender: "male" },
  ],
});

describe("a choice of voices", () => {
  test("is read to its last name, language and voice", () => {
    expect(of({ COMMAND: '["speak"]', NAMES: "Kore=a, Puck=b,Leda=c", LANGUAGES: "en, de ,fr" })).toMatchObject({
      settings: { names: { own: { Kore: "a", Puck: "b", Leda: "c" }, languages: ["en", "de", "fr"] } },
    });
    expect(of({ NAMES: "Kore=a,Puck" })).toMatchObject({ kind: "incomplete" });
    expect(of({ RECORDINGS: "/lines", COMMAND: '["a"]', SYSTEM: "on" })).toEqual({
      kind: "incomplete",
      reason: expect.stringMatching(/ASIDE_VOICE_\w+ and ASIDE_VOICE_\w+ and ASIDE_VOICE_\w+ are both set/),
    });
  });

  test("of the system's has the named ones first, in their order, and the others for their languages", () => {
    const idsOf = (asked: string) => {
      const configuration = of({ SYSTEM: asked, SYSTEM_FOUND: FOUND });
      if (configuration.kind !== "command") return configuration;
      return configuration.settings.names.byLanguage?.map(({ id }) => id);
    };
    expect(idsOf("on")).toEqual(["s1", "a1", "n1", "y1"]);
    expect(idsOf("Yannick, a1")).toEqual(["y1", "a1"]);
    expect(idsOf("Yannick")).toEqual(["y1", "s1", "a1"]);
    expect(idsOf("Alex,Otto")).toMatchObject({ kind: "incomplete", reason: expect.stringContaining('"Otto"') });
  });

  test("by itself is the first that speaks the language, and the built-in voice for what nobody else does", async () => {
    const configuration = of({ SYSTEM_FOUND: FOUND });
    if (configuration.kind === "incomplete") throw new Error(configuration.reason);
    expect(["en-GB", "de-DE", "fr-FR"].map((language) => voiceFor(configuration, language).kind)).toEqual([
      "command",
      "command",
      "espeak",
    ]);
    const all = await openVoice(configuration);
    expect(all.name).toBe((await openVoice(configuration, "de-DE")).name);
    expect(all.speaker?.("de-DE", "Charon").title).toBe("Yannick");
    expect(all.speaker?.("fr-FR", "Charon").title).toBe("Built in");
    expect(() => all.check("tlh-QO", "Charon")).toThrow();
  });

  test("is told with every voice that is heard, the built-in one last", async () => {
    const heard = await heardVoices({ ASIDE_VOICE_SYSTEM_FOUND: FOUND });
    expect(heard.map(({ title }) => title)).toEqual(["Samantha", "Alex", "Anna", "Yannick", "Built in", "Built in"]);
    expect(heard.find(({ title }) => title === "Yannick")?.languages).toEqual(["de-DE"]);
  });

  test("of a system has the models of every folder, and what each description tells", async () => {
    const [one, other] = [await temporaryFolder(), await temporaryFolder()];
    const put = async (path: string, text: string) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    };
    const putModel = async (path: string, code: string) => {
      await put(`${path}.onnx`, "");
      await put(`${path}.onnx.json`, JSON.stringify({ language: { code } }));
    };
    for (const [folder, name, code] of [
      [one, "b", "de_DE"],
      [one, "a/c", "fr_FR"],
      [other, "d", "en_US"],
    ] as const) {
      await putModel(join(folder, "piper", name), code);
    }
    await put(join(one, "piper", "untold.onnx"), "");
    const context = (environment: Environment) => ({
      environment,
      locate: async (name: string) => `/programs/${name}`,
      run: () => Promise.reject(new Error("nothing is run")),
    });
    const piper = await findPiperVoices(context({ HOME: one, LOCALAPPDATA: other }));
    expect(piper?.voices.map(({ name, language }) => [name, language]).sort()).toEqual([
      ["b", "de-DE"],
      ["c", "fr-FR"],
      ["d", "en-US"],
    ]);
    expect(["thorsten", "en_GB-alba-medium", "mira", "amy-and-joe"].map(sexOfName)).toEqual([
      "male",
      "female",
      null,
      null,
    ]);
    // As packages and the voices' own page have them: a language, its dialect, a speaker, a quality.
    const home = await temporaryFolder();
    await putModel(join(home, "piper-voices/fi/fi_FI/harri/low/fi_FI-harri-low"), "fi_FI");
    await putModel(join(home, "piper-voices/fi/fi_FI/harri/low/old/deeper"), "fi_FI");
    const packaged = await findPiperVoices(context({ HOME: home }));
    expect(packaged?.voices.map(({ name }) => name)).toEqual(["fi_FI-harri-low"]);
    for (const [name, language, gender] of [
      ["Anna", "Russian", "female"],
      ["Alan", "English", "male"],
    ] as const) {
      await put(join(one, name, "voice.info"), `format=5\nname=${name}\n language = ${language}\ngender=${gender}\n`);
    }
    const rhvoice = await findRhvoiceVoices(context({ RHVOICE_VOICES: one }));
    expect(rhvoice?.voices.map(({ name, language, gender }) => [name, language, gender]).sort()).toEqual([
      ["Alan", "en", "male"],
      ["Anna", "ru", "female"],
    ]);
  });

  test("of recordings has a voice for every name", async () => {
    const folder = await temporaryFolder();
    const heard = await heardVoices({ ASIDE_VOICE_RECORDINGS: folder, ASIDE_VOICE_NAMES: "Kore=k,Puck=p" });
    expect(heard.map(({ voice, title }) => [voice, title])).toEqual([
      ["Kore", "Kore"],
      ["Puck", "Puck"],
    ]);
    expect(await heardVoices({ ASIDE_VOICE_RECORDINGS: join(folder, "gone") })).toEqual([]);
  });
});

describe("the voice behind a name", () => {
  const names = (more: Partial<VoiceNames>): VoiceNames => ({
    ...{ own: {}, byGender: { female: ["f1", "f2"], male: ["m1", "m2"] }, languages: null },
    ...more,
  });

  test("is one of its sex, and the names of one sex take turns", () => {
    for (const gender of ["female", "male"] as const) {
      const own = VOICES.filter((voice) => voice.gender === gender).map(({ name }) => name);
      const spoken = own.map((name) => engineVoice(names({}), "en-US", name, "It"));
      expect(spoken).toEqual(own.map((_, index) => `${gender[0]}${1 + (index % 2)}`));
    }
  });

  test("is there for every language that was set, and for no other", () => {
    const some = names({ languages: ["en", "de-DE"] });
    for (const language of ["en-US", "en", "de-DE"]) expect(engineVoice(some, language, "Kore", "It")).toMatch(/^f/);
    for (const language of ["de-AT", "fr-FR", "eng"]) expect(() => engineVoice(some, language, "Kore", "It")).toThrow();
  });

  test("on a server is Kokoro's by language and sex, one that it describes, or one of its sex", () => {
    const plain = names({});
    const on = (...voices: readonly Parameters<typeof namesOnServer>[0][number][]) => namesOnServer(voices, plain);
    const voice = (id: string, more = {}) => ({ id, name: id, language: null, gender: null, ...more });
    const kokoro = on(voice("af_v0sky"), voice("af_sky"), voice("bm_george"), voice("other"));
    expect(kokoro.byLanguage?.map(({ id, gender }) => [id, gender])).toEqual([
      ["af_sky", "female"],
      ["bm_george", "male"],
    ]);
    const described = on(voice("a", { language: "de_DE" }), voice("b", { language: "fr-FR" }));
    expect(described.byLanguage?.map(({ id, language }) => [id, language])).toEqual([
      ["a", "de-DE"],
      ["b", "fr-FR"],
    ]);
    const sexes = on(voice("x"), voice("y", { gender: "female" }), voice("z", { gender: "female" }), voice("w"));
    expect(sexes.byGender).toEqual({ female: ["y", "z"], male: ["x", "w"] });
    const openAi = on(voice("mira"), voice("shimmer"), voice("nova"), voice("echo"));
    expect(openAi.byGender).toEqual({ female: ["nova", "shimmer"], male: ["echo"] });
  });
});

/** A WAV file of 16 bits: a square wave in each channel, as loud as is said. */
function wave(seconds: number, levels: readonly number[], sampleRate = 8_000): Buffer {
  const sampleCount = seconds * sampleRate;
  const data = Buffer.alloc(2 * sampleCount * levels.length);
  for (let at = 0; at < sampleCount; at++) {
    for (const [channel, level] of levels.entries()) {
      data.writeInt16LE(Math.round((at % 20 < 10 ? level : -level) * 32_767), 2 * (at * levels.length + channel));
    }
  }
  const format = { channels: levels.length, sampleRate, encoding: "integer", bits: 16, channelMask: 0 } as const;
  return Buffer.concat([waveHeader({ format, sampleCount }), data]);
}

describe("what an engine gave", () => {
  const secondsOf = async (bytes: Buffer) => {
    const { samples, sampleRate } = await spokenFromBytes(bytes, "It");
    return { seconds: samples.length / sampleRate, middle: Math.abs(samples[Math.floor(samples.length / 2)] ?? 0) };
  };

  test("is heard to the last of its files, and the mean of its channels", async () => {
    expect((await secondsOf(Buffer.concat([1, 2, 3].map((length) => wave(length / 2, [0.5]))))).seconds).toBe(3);
    const { seconds, middle } = await secondsOf(wave(1, [0.5, 0.25, 0]));
    expect([seconds, Number(middle.toFixed(3))]).toEqual([1, 0.25]);
    await expect(secondsOf(Buffer.concat([wave(1, [0.5]), wave(1, [0.5]), wave(1, [0.5], 16_000)]))).rejects.toThrow(
      "in pieces of different kinds",
    );
  });

  test("is no louder for what stands behind it, and silent below what a voice has", async () => {
    const list = Buffer.concat([Buffer.from("LIST\x08\0\0\0INFOabcd", "latin1"), Buffer.from("id3 \x02\0\0\0ab", "latin1")]); // biome-ignore format: two chunks
    expect((await secondsOf(Buffer.concat([wave(1, [0.5]), list]))).seconds).toBe(1);
    // Samples of an odd number of bytes are filled up before it.
    const format = { channels: 1, sampleRate: 9_003, encoding: "integer", bits: 8, channelMask: 0 } as const;
    const odd = Buffer.concat([waveHeader({ format, sampleCount: 9_003 }), Buffer.alloc(9_003, 0xc0), Buffer.alloc(1)]);
    expect((await secondsOf(Buffer.concat([odd, list]))).seconds).toBe(1);
    expect((await secondsOf(wave(1, [0.0002]))).seconds).toBe(0);
    expect((await secondsOf(wave(1, [0.0005]))).seconds).toBe(1);
  });
});

describe.skipIf(process.platform === "win32")("a speech server", () => {
  /** A voice at a server that gives one answer. It stands where the relay of a job does, and sees what that is told. */
  async function asked(status: number, answer: string | Buffer, price?: number) {
    const seen: { readonly plan: unknown; readonly input: unknown }[] = [];
    const server = createServer(async (request, response) => {
      const plan = JSON.parse(String(request.headers[LEDGER_HEADER] ?? "null"));
      seen.push({ plan, input: JSON.parse(String(await buffer(request))).input });
      response.writeHead(status, { "content-type": "audio/wav" }).end(answer);
    });
    const path = join(await temporaryFolder(), "relay");
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const before = process.env[RELAY_VARIABLE];
    process.env[RELAY_VARIABLE] = path;
    onTestFinished(async () => {
      if (before === undefined) delete process.env[RELAY_VARIABLE];
      else process.env[RELAY_VARIABLE] = before;
      await new Promise((resolve) => server.close(resolve));
    });
    const voice = new OpenAiSpeechVoice({
      ...{ baseUrl: "http://speech.example/v1", model: "m", apiKey: "none", timeoutSeconds: 20 },
      ...(price === undefined ? {} : { price }),
      names: { own: {}, byGender: OPENAI_VOICES, languages: null },
    });
    const speak = () => voice.speak({ text: "A woman sits.", language: "en-US", voice: "Kore", rate: 1 });
    return { seen, speak };
  }

  test("that answers with words in place of a sound is told by them, whatever stands before", async () => {
    const { speak } = await asked(200, '\n  {"error": {"message": "no such model"}}');
    await expect(speak()).rejects.toMatchObject({
      code: "speech_refused",
      message: expect.stringContaining("“no such model”"),
    });
  });

  test("costs its price by the million characters, and nothing that is known where none is stated", async () => {
    const { seen, speak } = await asked(200, wave(1, [0.5]), 15);
    await speak();
    expect(seen).toEqual([{ plan: expect.objectContaining({ cost: 0.000195 }), input: "A woman sits." }]);
    const free = await asked(200, wave(1, [0.5]));
    await free.speak();
    expect(free.seen).toEqual([{ plan: null, input: "A woman sits." }]);
  });
});

test("who speaks is told by name and by what is known of the voice", () => {
  const names = (more: Partial<VoiceNames>): VoiceNames => ({
    ...{ own: {}, byGender: { female: ["nova", "both"], male: ["onyx", "both"] }, languages: null },
    ...more,
  });
  const speaker = (voice: string, more: Partial<VoiceNames> = {}) =>
    engineSpeaker(names({ own: { Kore: voice }, ...more }), "en-US", "Kore", "It");
  expect(speaker("nova")).toEqual({ id: "nova", title: "nova", gender: "female" });
  expect(speaker("onyx")).toEqual({ id: "onyx", title: "onyx", gender: "male" });
  // Nobody can say of one that is in both lists, or in none.
  for (const id of ["both", "stranger"]) expect(speaker(id)).toEqual({ id, title: id, gender: null });
  expect(speaker("default")).toEqual({ id: "default", title: "The program's voice", gender: null });
  const byLanguage = [
    { id: "amy", name: "Amy", language: "en-US", gender: "female" },
    { id: "joe", language: "en-US", gender: null },
  ] as const;
  expect(speaker("amy", { byLanguage })).toEqual({ id: "amy", title: "Amy", gender: "female" });
  expect(speaker("joe", { byLanguage })).toEqual({ id: "joe", title: "joe", gender: null });
});
