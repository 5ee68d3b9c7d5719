import { describe, expect, test } from "vitest";
import {
  type HearingLibrary,
  openRecognizer,
  openTagger,
  type Recognizer,
  type Tagger,
  tagPiece,
  transcribePiece,
} from "../../../src/engine/local/hear.ts";
import { openVoiceModel, PartMissing, type SpeechLibrary, say } from "../../../src/engine/local/say.ts";
import type { OrderedModel } from "../../../src/engine/local/speech-orders.ts";

// The library itself is asked in `real-engine.test.ts` and `hearing.test.ts`; here, what it is asked.

function model(form: OrderedModel["form"], parts: readonly string[]): OrderedModel {
  const files = Object.fromEntries(parts.map((part) => [part, `/models/${part}`]));
  return { id: "m", title: "M", form, files, version: "1" };
}

/** Calls of a library that answers each with the same. */
function recorded<Answer>(answer: Answer) {
  const calls: unknown[] = [];
  const call = (order: unknown) => {
    calls.push(order);
    return answer;
  };
  return { calls, call };
}

describe("a voice", () => {
  const SUPERTONIC = [
    ...["duration_predictor", "text_encoder", "vector_estimator", "vocoder"],
    ...["tts_json", "unicode_indexer", "voice_style"],
  ];

  async function opened(form: OrderedModel["form"], parts: readonly string[]) {
    const { calls, call } = recorded({} as Awaited<ReturnType<SpeechLibrary["OfflineTts"]["createAsync"]>>);
    await openVoiceModel({ OfflineTts: { createAsync: async (config) => call(config) } }, model(form, parts), 3);
    return calls[0];
  }

  test("is loaded with all files of its form, each by the name that the library has for it", async () => {
    expect(await opened("supertonic", SUPERTONIC)).toEqual({
      maxNumSentences: 1,
      model: {
        supertonic: {
          durationPredictor: "/models/duration_predictor",
          textEncoder: "/models/text_encoder",
          vectorEstimator: "/models/vector_estimator",
          vocoder: "/models/vocoder",
          ttsJson: "/models/tts_json",
          unicodeIndexer: "/models/unicode_indexer",
          voiceStyle: "/models/voice_style",
        },
        ...{ numThreads: 3, provider: "cpu", debug: false },
      },
    });
    expect(await opened("piper", ["model", "tokens", "data_dir"])).toMatchObject({
      model: { vits: { model: "/models/model", tokens: "/models/tokens", dataDir: "/models/data_dir" } },
    });
  });

  test("of Kokoro has its lexicon, or else a language, without which it would end the process", async () => {
    const parts = ["model", "voices", "tokens", "data_dir"];
    const kokoro = {
      model: "/models/model",
      voices: "/models/voices",
      tokens: "/models/tokens",
      dataDir: "/models/data_dir",
    };
    expect(await opened("kokoro", parts)).toMatchObject({ model: { kokoro: { ...kokoro, lang: "en-us" } } });
    const spelt = (await opened("kokoro", [...parts, "lexicon"])) as { model: { kokoro: unknown } };
    expect(spelt.model.kokoro).toEqual({ ...kokoro, lexicon: "/models/lexicon" });
  });

  test("that lacks a part, or is no voice, is not loaded", () => {
    const library = { OfflineTts: { createAsync: () => Promise.reject(new Error("asked")) } } satisfies SpeechLibrary;
    for (const missing of SUPERTONIC) {
      const parts = SUPERTONIC.filter((part) => part !== missing);
      expect(() => openVoiceModel(library, model("supertonic", parts), 1)).toThrow(new PartMissing(missing));
    }
    expect(() => openVoiceModel(library, model("whisper", ["encoder"]), 1)).toThrow('"whisper" is no form of a voice');
  });

  test("speaks as ordered, from the same noise each time, into memory that can be sent", async () => {
    const { calls, call } = recorded({ samples: Float32Array.of(0.5, -0.5), sampleRate: 44_100, more: 1 });
    const voice = { generateAsync: async (order: unknown) => call(order) };
    const order = { kind: "say", model: model("supertonic", []), text: "A door.", speaker: 7, speed: 1.2 } as const;
    expect(await say(voice, { ...order, language: "de" })).toEqual({
      ...{ samples: Float32Array.of(0.5, -0.5), sampleRate: 44_100 },
    });
    await say(voice, { ...order, language: "" });
    const common = { sid: 7, speed: 1.2, numSteps: 8 };
    expect(calls).toEqual([
      ...[{ seed: 1, lang: "de" }, { seed: 1 }].map((extra) => ({
        ...{ text: "A door.", enableExternalBuffer: false, generationConfig: { ...common, extra } },
      })),
    ]);
  });
});

/** A piece of sound, and what of it a model is given. */
const samples = Float32Array.of(0.1, 0.2);
function stream(given: unknown[]) {
  return { acceptWaveform: (sound: unknown) => void given.push(sound) };
}

describe("a model that hears", () => {
  function library(calls: unknown[]): HearingLibrary {
    class AudioTagging {
      constructor(config: unknown) {
        calls.push(config);
      }
    }
    return {
      OfflineRecognizer: {
        createAsync: async (config) => {
          calls.push(config);
          return {} as Recognizer;
        },
      },
      AudioTagging: AudioTagging as unknown as HearingLibrary["AudioTagging"], // what is asked of it
    };
  }

  test("is loaded with the files of its form, for sound at 16 kHz", async () => {
    const calls: unknown[] = [];
    await openRecognizer(library(calls), model("whisper", ["encoder", "decoder", "tokens"]), 2);
    await openRecognizer(library(calls), model("parakeet", ["encoder", "decoder", "joiner", "tokens"]), 2);
    openTagger(library(calls), model("ced", ["model", "labels"]), 4);
    const common = { tokens: "/models/tokens", numThreads: 2, provider: "cpu", debug: 0 };
    const featConfig = { sampleRate: 16_000, featureDim: 80 };
    const coders = { encoder: "/models/encoder", decoder: "/models/decoder" };
    expect(calls).toEqual([
      { featConfig, modelConfig: { whisper: { ...coders, language: "", task: "transcribe" }, ...common } },
      {
        featConfig,
        modelConfig: { transducer: { ...coders, joiner: "/models/joiner" }, modelType: "nemo_transducer", ...common },
      },
      {
        model: { ced: "/models/model", numThreads: 4, provider: "cpu", debug: 0 },
        ...{ labels: "/models/labels", topK: 12 },
      },
    ]);
    expect(() => openTagger(library([]), model("ced", ["model"]), 1)).toThrow(new PartMissing("labels"));
    expect(() => openRecognizer(library([]), model("whisper", ["encoder", "decoder"]), 1)).toThrow("tokens");
  });

  test("tells what is said, and when, where it tells that of every part", async () => {
    const given: unknown[] = [];
    const heard = { text: " A door", tokens: [" A", " door"], timestamps: [0.1, 0.4], durations: [0.2, 0.5] };
    const hear = (some: Partial<typeof heard>) => {
      const recognizer: Recognizer = {
        createStream: () => stream(given),
        decodeAsync: async () => ({ ...heard, ...some }),
      };
      return transcribePiece(recognizer, { kind: "transcribe", model: model("whisper", []), samples });
    };
    expect(await hear({})).toEqual({
      ...{ text: " A door", tokens: [" A", " door"], starts: [0.1, 0.4], lengths: [0.2, 0.5] },
    });
    expect(given).toEqual([{ samples, sampleRate: 16_000 }]);
    expect(await hear({ durations: [] })).toMatchObject({ starts: [0.1, 0.4], lengths: [] });
    expect(await hear({ timestamps: [0.1] })).toEqual({ text: " A door", tokens: [], starts: [], lengths: [] });
  });

  test("names the kinds of sound that it hears, twelve at the most", () => {
    const given: unknown[] = [];
    const tagger: Tagger = {
      createStream: () => stream(given),
      compute: (_, count) => Array.from({ length: count }, (_, at) => ({ name: `kind ${at}`, prob: 1 / (at + 1) })),
    };
    const kinds = tagPiece(tagger, { kind: "tag", model: model("ced", []), samples });
    expect(kinds).toHaveLength(12);
    expect(kinds.slice(0, 2)).toEqual([
      { name: "kind 0", probability: 1 },
      { name: "kind 1", probability: 0.5 },
    ]);
    expect(given).toEqual([{ samples, sampleRate: 16_000 }]);
  });
});
