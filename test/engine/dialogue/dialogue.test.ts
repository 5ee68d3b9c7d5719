import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type DialogueOrder, dialogueOf } from "../../../src/engine/dialogue/dialogue.ts";
import { findLocalTranscription } from "../../../src/engine/dialogue/transcription-settings.ts";
import {
  type AskedTranscription,
  type TranscriptionAnswer,
  TranscriptionServer,
} from "../../fakes/transcription-server.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { serving } from "./serving.ts";

/** What was heard in a film of two minutes: two far apart stretches, the second with doubt. */
const HEARD = [
  { start: 4, end: 6.5, confidence: 0.9 },
  { start: 60, end: 62, confidence: 0.7 },
];

const said = (text: string, start: number, end: number) => ({
  segments: [{ start, end, text }],
  words: text.split(" ").map((word, index, all) => {
    const step = (end - start) / all.length;
    return { word, start: start + index * step, end: start + (index + 1) * step };
  }),
});

async function transcribing(answers: (asked: AskedTranscription, index: number) => TranscriptionAnswer) {
  const server = new TranscriptionServer(answers);
  const origin = await server.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, origin };
}

async function dialogue(more: Partial<DialogueOrder> = {}, signal = new AbortController().signal) {
  const order: DialogueOrder = {
    mediaPath: sharedMedia("constructed/placed-speech-silence.mp4"),
    mediaFolder: await temporaryFolder(),
    durationSeconds: 120,
    heard: HEARD,
    captions: [],
    language: "en-US",
    mayAsk: true,
    environment: { ASIDE_TRANSCRIPTION_URL: "off" },
    ...more,
  };
  return await dialogueOf(order, signal);
}

const configured = (origin: string, more: Readonly<Record<string, string>> = {}) => ({
  ASIDE_TRANSCRIPTION_URL: `${origin}/v1`,
  ASIDE_TRANSCRIPTION_MODEL: "whisper-1",
  ASIDE_TRANSCRIPTION_KEY: "sk-secret",
  ...more,
});

describe("what is said", () => {
  test("comes from the captions that were given, before anything else", async () => {
    const { server, origin } = await transcribing(() => ({ body: said("No.", 0, 1) }));
    const captions = [{ start: 4, end: 7, text: "Who goes there?" }];
    const found = await dialogue({
      captions,
      mediaPath: sharedMedia("speech/nasa_13013.mp4"),
      environment: configured(origin),
    });
    expect(found.transcript).toEqual(captions);
    expect(found.notes).toEqual([]);
    expect(found.speech).toEqual(HEARD.map(({ start, end }) => ({ start, end })));
    expect(server.asked).toEqual([]);
  });

  test("ends phrases where words do, and where the sound dips far from any of them, in order of time", async () => {
    const captions = [
      { start: 4, end: 7, text: "Who goes there?" },
      { start: 28, end: 30, text: "Nobody." },
    ];
    const ends = async (...dips: readonly number[]) => (await dialogue({ captions, dips })).phraseEnds;
    // Half a second after its last word.
    expect(await ends()).toEqual([7.5, 30.5]);
    expect(await ends(40, 15.5, 1, 15.4, 22.6, 38.4)).toEqual([7.5, 15.5, 30.5, 40]);
  });

  test("comes from subtitles in the file, and the note says so", async () => {
    const { server, origin } = await transcribing(() => ({ body: said("No.", 0, 1) }));
    const found = await dialogue({ mediaPath: sharedMedia("speech/nasa_13013.mp4"), environment: configured(origin) });
    expect(found.transcript).toHaveLength(4);
    expect(found.notes).toEqual(["What is said was taken from subtitles in the file (eng)."]);
    expect(server.asked).toEqual([]);
  });

  test("comes from a transcription server, which is sent the sound of what was heard alone", async () => {
    const { server, origin } = await transcribing((_, index) => ({
      body: index === 0 ? said("Who goes there?", 0.5, 2.5) : { segments: [], words: [] },
    }));
    const found = await dialogue({ environment: configured(origin) });
    expect(server.faults).toEqual([]);
    expect(server.asked.map(({ seconds }) => seconds)).toEqual([3.5, 3]);
    expect(server.asked[0]?.peak).toBeGreaterThan(0.05);
    expect(server.asked[0]).toMatchObject({
      path: "/v1/audio/transcriptions",
      authorization: "Bearer sk-secret",
      fields: { model: ["whisper-1"], "timestamp_granularities[]": ["word", "segment"] },
    });
    // In the piece that begins at 3.5 s.
    expect(found.transcript).toMatchObject([{ start: 4, end: 6, text: "Who goes there?" }]);
    expect(found.transcript[0]?.words?.map(({ text }) => text)).toEqual(["Who", "goes", "there?"]);
    expect(found.phraseEnds).toEqual([6.5]);
    // What was heard with doubt, and has no word in it, is none.
    expect(found.speech).toEqual([{ start: 4, end: 6.5 }]);
    expect(found.notes.join(" ")).toMatch(
      /^What is said was transcribed by whisper-1 at 127\.0\.0\.1:\d+: 1 lines, 2 requests\.$/,
    );
  });

  thoroughTest(
    "is asked for once: the answers lie beside the media, and a run that was broken off goes on",
    async () => {
      const mediaFolder = await temporaryFolder();
      const { server, origin } = await transcribing((_, index) =>
        index === 1 ? { status: 500 } : { body: said("Who goes there?", 0.5, 2.5) },
      );
      const order = { mediaFolder, environment: configured(origin) };
      const broken = await dialogue(order);
      expect(broken.transcript).toHaveLength(1);
      expect(broken.speech).toHaveLength(2);
      expect(broken.notes.join(" ")).toContain("The rest of what is said was not transcribed.");
      expect(broken.notes.join(" ")).toContain("status 500");
      const whole = await dialogue(order);
      expect(server.asked).toHaveLength(3);
      expect(whole.transcript).toHaveLength(2);
      const again = await dialogue(order);
      expect(again.transcript).toEqual(whole.transcript);
      expect(server.asked).toHaveLength(3);
      expect(await readdir(join(mediaFolder, "transcription"))).toHaveLength(2);
    },
  );

  test("loses lines under which nobody is heard", async () => {
    const { origin } = await transcribing((_, index) =>
      index === 0
        ? {
            body: {
              segments: [
                { start: 0, end: 0.1, text: "Thank you!" },
                { start: 0.5, end: 2, text: "Who goes?" },
              ],
            },
          }
        : { body: { segments: [] } },
    );
    const found = await dialogue({ environment: configured(origin) });
    expect(found.transcript.map(({ text }) => text)).toEqual(["Who goes?"]);
    expect(found.notes.join(" ")).toContain("1 left out because nobody is heard there");
    // Without times of words, nothing that was heard is freed.
    expect(found.speech).toHaveLength(2);
  });

  test("of a model that tells speakers has them", async () => {
    const { server, origin } = await transcribing(() => ({
      body: { segments: [{ start: 0.5, end: 2, text: "Who goes?", speaker: "A" }] },
    }));
    const environment = configured(origin, { ASIDE_TRANSCRIPTION_MODEL: "gpt-4o-transcribe-diarize" });
    const found = await dialogue({ environment });
    expect(server.faults).toEqual([]);
    expect(found.transcript[0]?.speaker).toBe("A");
  });

  test.each<[string, TranscriptionAnswer, string]>([
    ["gives no times", { body: { text: "Who goes?" } }, "gave no times with its words"],
    ["refuses the key", { status: 401 }, "status 401. Check ASIDE_TRANSCRIPTION_MODEL and ASIDE_TRANSCRIPTION_KEY"],
    ["does not answer", "silence", "gave no answer within 0.3 s"],
  ])("is told in a note to be missing where a server %s", async (_, answer, note) => {
    const { origin } = await transcribing(() => answer);
    const found = await dialogue({ environment: configured(origin, { ASIDE_TRANSCRIPTION_TIMEOUT: "0.3" }) });
    expect(found.transcript).toEqual([]);
    expect(found.speech).toHaveLength(2);
    expect(found.notes).toHaveLength(1);
    expect(found.notes[0]).toContain("What is said was not transcribed.");
    expect(found.notes[0]).toContain(note);
    expect(found.notes[0]).not.toContain("sk-secret");
  });

  test("is told in a note to be missing where nothing listens at the address, or the settings do not suffice", async () => {
    const gone = await dialogue({ environment: configured("http://127.0.0.1:9") });
    expect(gone.notes.join(" ")).toContain("The transcription server at 127.0.0.1:9 could not be reached.");
    const half = await dialogue({ environment: { ASIDE_TRANSCRIPTION_URL: "http://127.0.0.1:9/v1" } });
    expect(half.notes.join(" ")).toContain("ASIDE_TRANSCRIPTION_MODEL is not");
  });

  test("is asked of nobody where it may not, or where nothing was heard", async () => {
    const { server, origin } = await transcribing(() => ({ body: { segments: [] } }));
    const environment = configured(origin);
    expect((await dialogue({ environment, mayAsk: false })).notes).toEqual([]);
    expect((await dialogue({ environment, heard: [] })).notes).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  test("stops with the signal's own reason", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped by a person");
    const { origin } = await transcribing(() => {
      controller.abort(reason);
      return "silence";
    });
    await expect(dialogue({ environment: configured(origin) }, controller.signal)).rejects.toBe(reason);
  });
});

describe("a server of this machine", () => {
  const nowhere = "http://127.0.0.1:9";

  test("is found by its models, and asked without a key", async () => {
    const speaches = await serving({
      "/v1/models": JSON.stringify({
        data: [
          { id: "kokoro", task: "text-to-speech" },
          { id: "Systran/small", task: "automatic-speech-recognition" },
        ],
      }),
    });
    const found = await findLocalTranscription(60, { speaches, localAi: nowhere });
    expect(found).toEqual({ baseUrl: `${speaches}/v1`, model: "Systran/small", apiKey: "", timeoutSeconds: 60 });
    const localAi = await serving({
      "/v1/models": JSON.stringify({ data: [{ id: "llama" }, { id: "whisper-base" }] }),
    });
    expect((await findLocalTranscription(60, { speaches: nowhere, localAi }))?.model).toBe("whisper-base");
    const page = await serving({ "/": "<title>Whisper.cpp Server</title>" });
    expect((await findLocalTranscription(60, { speaches: nowhere, localAi: page }))?.baseUrl).toBe(`${page}/inference`);
    const other = await serving({ "/v1/models": JSON.stringify({ data: [{ id: "llama" }] }), "/": "<p>Hello</p>" });
    expect(await findLocalTranscription(60, { speaches: other, localAi: other })).toBeNull();
    expect(await findLocalTranscription(60, { speaches: nowhere, localAi: nowhere })).toBeNull();
  });

  test("is used where nothing is configured, whisper.cpp's at its own path", async () => {
    const { server, origin } = await transcribing(() => ({ body: said("Who goes there?", 0.5, 2.5) }));
    const local = { baseUrl: `${origin}/inference`, model: "", apiKey: "", timeoutSeconds: 20 };
    const found = await dialogue({ environment: {}, findLocal: async () => local });
    expect(server.faults).toEqual([]);
    expect(server.asked[0]).toMatchObject({
      path: "/inference",
      authorization: undefined,
      fields: { language: ["auto"] },
    });
    expect(found.transcript).toHaveLength(2);
  });
});

test("takes dips of the sound for ends of phrases where no words tell for long, and nowhere else", async () => {
  const captions = [{ start: 4, end: 6.4, text: "Come in." }];
  const { phraseEnds } = await dialogue({ captions, dips: [9, 40.5, 61] });
  expect(phraseEnds).toEqual([expect.closeTo(6.9, 5), 40.5, 61]);
  expect((await dialogue()).phraseEnds).toEqual([]);
});

test("keeps captions over music at their own times", async () => {
  const captions = [{ start: 3.5, end: 8, text: "Come in and sit down by the fire" }];
  const music = [{ start: 0, end: 20 }];
  expect((await dialogue({ captions })).speech[0]).toEqual({ start: 4, end: 6.5 });
  expect((await dialogue({ captions, music })).speech[0]).toEqual({ start: 3.5, end: 8 });
});
