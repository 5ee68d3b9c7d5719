import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { VOICES } from "../../../src/contract/choices.ts";
import { runIsolated } from "../../../src/engine/tasks/run-isolated.ts";
import { heardVoices } from "../../../src/engine/voice/heard-voices.ts";
import { findLocalSpeech, voicesOfServer } from "../../../src/engine/voice/speech-server.ts";
import type { Voice } from "../../../src/engine/voice/voice.ts";
import { openVoice, voiceConfiguration } from "../../../src/engine/voice/voice-settings.ts";
import { spokenWave } from "../../fakes/spoken-wave.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";

/** Voices of Kokoro as its server lists them, those of its first version among them. */
const KOKORO = (
  "af_alloy af_aoede af_bella af_heart af_jessica af_kore af_nicole af_nova af_river af_sarah af_sky af_v0bella am_adam am_echo " +
  "am_eric am_fenrir am_liam am_michael am_onyx am_puck am_santa am_v0adam bf_alice bf_emma bf_isabella bf_lily bm_daniel " +
  "bm_fable bm_george bm_lewis ff_siwis jf_alpha zf_xiaobei zm_yunxi"
).split(" ");

/** What a server is made of: its models, its voices if it lists them, and parameters that it refuses. */
interface Made {
  readonly models: readonly object[];
  readonly voices?: unknown;
  readonly refuses?: RegExp;
}

interface Speaking {
  readonly baseUrl: string;
  readonly asked: Record<string, unknown>[];
}

const running: Server[] = [];
afterEach(() => {
  for (const server of running.splice(0)) server.close();
});

async function speakingServer({ models, voices, refuses }: Made): Promise<Speaking> {
  const asked: Record<string, unknown>[] = [];
  const server = createServer(async (request, reply) => {
    if (request.url === "/v1/models") return reply.end(JSON.stringify({ data: models }));
    if (request.url === "/v1/audio/voices" && voices !== undefined) return reply.end(JSON.stringify(voices));
    if (request.url !== "/v1/audio/speech") return reply.writeHead(404).end();
    // What the adapter under test sent.
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    asked.push(body);
    const refused = Object.keys(body).find((name) => refuses?.test(name));
    if (refused !== undefined) return reply.writeHead(422).end(JSON.stringify({ detail: `unknown: ${refused}` }));
    return reply.setHeader("content-type", "audio/wav").end(await spokenWave(String(body["input"]), 1));
  });
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { baseUrl: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`, asked };
}

const at = ({ baseUrl }: Speaking, more: Readonly<Record<string, string>> = {}) => ({
  ASIDE_VOICE_URL: baseUrl,
  ASIDE_VOICE_MODEL: "kokoro",
  ...more,
});

async function open(environment: Readonly<Record<string, string>>): Promise<Voice> {
  const configuration = voiceConfiguration(environment);
  if (configuration.kind === "incomplete") throw new Error(configuration.reason);
  return openVoice(configuration);
}

describe("a server with Kokoro's voices", () => {
  test.each([
    ["as plain words", { voices: KOKORO }],
    ["as objects", { voices: KOKORO.map((id) => ({ id, name: id })) }],
    ["as a bare list", KOKORO],
  ])("gives each of the 31 names a voice of its sex and language, listed %s", async (_, voices) => {
    const voice = await open(at(await speakingServer({ models: [], voices })));
    for (const { name, gender } of VOICES) {
      const [american, british] = ["en-US", "en-GB"].map((language) => voice.speaker?.(language, name));
      const letter = gender === "female" ? "f" : "m";
      expect(
        [american?.id, british?.id].map((id) => id?.slice(0, 3)),
        name,
      ).toEqual([`a${letter}_`, `b${letter}_`]);
      expect(american?.gender).toBe(gender);
      expect(american?.id).not.toContain("v0");
      expect(voice.speaker?.("fr-FR", name).id).toBe("ff_siwis");
    }
    expect(() => voice.check("de-DE", "Achernar")).toThrow(/The speech server at 127.0.0.1:\d+ has no voice for de-DE/);
  });

  test("is told the language and not to stream", async () => {
    const server = await speakingServer({ models: [], voices: { voices: KOKORO } });
    const voice = await open(at(server));
    await voice.speak({ text: "Une femme.", language: "fr-FR", voice: "Charon", rate: 1 });
    expect(server.asked).toEqual([
      expect.objectContaining({ voice: "ff_siwis", lang_code: "f", stream: false, response_format: "wav" }),
    ]);
  });

  test("is listed with the voices that it has, each once", async () => {
    const heard = await heardVoices(at(await speakingServer({ models: [], voices: { voices: KOKORO } })));
    const american = heard.filter(({ languages }) => languages.includes("en-US"));
    expect(american.map(({ title }) => title)).toContain("Heart");
    expect(new Set(american.map(({ title }) => title)).size).toBe(american.length);
  });

  thoroughTest("refuses a voice that it lacks before anything is spoken, in a job's process as well", async () => {
    const server = await speakingServer({ models: [], voices: { voices: KOKORO } });
    const environment = at(server, { ASIDE_VOICE_NAMES: "Charon=Charon, Kore=af_sky+af_bella" });
    const voice = await open(environment);
    expect(() => voice.check("en-US", "Charon")).toThrow('has no voice "Charon", which Charon is set to');
    expect(voice.speaker?.("en-US", "Kore").id).toBe("af_sky+af_bella");
    const order = { text: "One.", voice: "Charon", kept: {}, narrationFolder: await temporaryFolder() };
    const signal = AbortSignal.timeout(20_000);
    const line = (language: string, more: object = {}) =>
      runIsolated("voiceLine", { ...order, language }, { signal, environment: { ...at(server), ...more } });
    await expect(line("en-US", environment)).rejects.toMatchObject({ code: "voice_unavailable" });
    await expect(line("de-DE")).rejects.toMatchObject({
      code: "voice_unavailable",
      message: expect.stringContaining("has no voice for de-DE"),
    });
    expect(server.asked).toEqual([]);
    expect((await line("en-US"))?.seconds).toBeGreaterThan(0);
    expect(server.asked.at(-1)).toMatchObject({ voice: "am_michael" });
  });
});

describe("other servers", () => {
  test("one that refuses what it does not know is asked again without it, once", async () => {
    const server = await speakingServer({ models: [], voices: ["vivian", "ryan"], refuses: /^(?:stream|language)$/ });
    const voice = await open(at(server));
    await voice.speak({ text: "One.", language: "en-US", voice: "Achernar", rate: 1 });
    await voice.speak({ text: "Two.", language: "en-US", voice: "Charon", rate: 1 });
    expect(server.asked.map(({ voice: id, language, stream }) => [id, language, stream])).toEqual([
      ["vivian", "en", false],
      ["vivian", undefined, undefined],
      ["ryan", undefined, undefined],
    ]);
  });

  test("one that lists the voices of all its models is asked for those of this one, in their languages", async () => {
    const voices = [
      { voice_id: "thorsten", model_id: "kokoro", language: "de_DE", gender: "male" },
      { voice_id: "amy", model_id: "other", language: "en_US" },
    ];
    const voice = await open(at(await speakingServer({ models: [], voices: { voices } })));
    expect(voice.speaker?.("de-DE", "Achernar")).toEqual({ id: "thorsten", title: "thorsten", gender: "male" });
    expect(() => voice.check("en-US", "Achernar")).toThrow("has no voice for en-US");
  });

  test("one without a list is asked for the voices that OpenAI had first", async () => {
    const voice = await open(at(await speakingServer({ models: [] })));
    const ids = new Set(VOICES.map(({ name }) => voice.speaker?.("en-US", name).id));
    expect([...ids].sort()).toEqual(["alloy", "echo", "fable", "nova", "onyx", "shimmer"]);
  });

  test("one that does not answer is no reason to wait or to fail before it is to speak", async () => {
    const server = await speakingServer({ models: [], voices: 7 });
    expect((await open(at(server))).speaker?.("en-US", "Achernar").id).toBe("nova");
    running.splice(0).at(0)?.close();
    expect((await open({ ...at(server), ASIDE_VOICE_URL: "http://127.0.0.1:9/v1" })).name).toContain("127.0.0.1:9");
  });

  test("one is asked for its voices again after half a minute, and when it had none", async () => {
    const voices = ["vivian"];
    const server = { ...(await speakingServer({ models: [], voices })), apiKey: "none", model: "kokoro" };
    const idsAt = async (now: number) => (await voicesOfServer(server, now))?.map(({ id }) => id);
    expect(await idsAt(5_000)).toEqual(["vivian"]);
    voices.push("ryan");
    expect(await idsAt(34_999)).toEqual(["vivian"]);
    expect(await idsAt(35_000)).toEqual(["vivian", "ryan"]);
    voices.length = 0;
    expect(await idsAt(65_000)).toBeUndefined();
    voices.push("ryan");
    expect(await idsAt(65_001)).toEqual(["ryan"]);
  });

  test("one with endless voices and models shows the first 2,000 and eight", async () => {
    const voices = Array.from({ length: 2_001 }, (_, index) => `voice ${index}`);
    const models = Array.from({ length: 9 }, (_, index) => ({ id: `tts-of-${index}` }));
    const { baseUrl } = await speakingServer({ models, voices });
    const found = await findLocalSpeech([{ title: "One", baseUrl }]);
    expect(found.map(({ model, voices: count }) => [model, count])).toEqual(
      models.slice(0, 8).map(({ id }) => [id, 2_000]),
    );
  });

  test("those of this computer are found with their models and how many voices they have", async () => {
    const kokoro = await speakingServer({
      models: ["tts-1", "tts-1-hd", "kokoro"].map((id) => ({ id, owned_by: "kokoro" })),
      voices: { voices: KOKORO },
    });
    const speaches = await speakingServer({
      models: [
        { id: "Systran/faster-whisper-small", task: "automatic-speech-recognition" },
        { id: "speaches-ai/piper-en_US-ryan-high", task: "text-to-speech" },
      ],
    });
    const openedAi = await speakingServer({ models: [{ id: "tts-1" }, { id: "tts-1-hd" }] });
    const seeing = await speakingServer({ models: [{ id: "qwen3-vl" }, { id: "whisper-1" }] });
    const places = [kokoro, speaches, openedAi, seeing].map(({ baseUrl }, at) => ({ title: `Server ${at}`, baseUrl }));
    const gone = { title: "Gone", baseUrl: "http://127.0.0.1:9/v1" };
    expect(await findLocalSpeech([...places, gone])).toEqual([
      { ...places[0], model: "kokoro", voices: KOKORO.length },
      { ...places[1], model: "speaches-ai/piper-en_US-ryan-high", voices: null },
      { ...places[2], model: "tts-1", voices: null },
    ]);
  });
});
