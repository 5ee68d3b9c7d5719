import type { EngineSound, OrderedModel, SayOrder } from "./speech-orders.ts";

/** What is used of the speech library, `sherpa-onnx-node`. */
export interface SpeechLibrary {
  readonly OfflineTts: {
    createAsync(config: {
      readonly model: Readonly<Record<string, unknown>>;
      readonly maxNumSentences: number;
    }): Promise<VoiceModel>;
  };
}

/** A voice model that is loaded. */
export interface VoiceModel {
  generateAsync(request: {
    readonly text: string;
    readonly enableExternalBuffer: boolean;
    readonly generationConfig: {
      readonly sid: number;
      readonly speed: number;
      readonly numSteps: number;
      readonly extra: Readonly<Record<string, string | number>>;
    };
  }): Promise<EngineSound>;
}

/**
 * Steps in which Supertonic takes the noise out of a line: what its makers show, where fewer sound rougher and more take
 * longer.
 */
const STEPS = 8;

/** Where the noise begins that a line is made of: the same one each time, so that equal lines sound equal. */
const SEED = 1;

/** What each form calls the files that it is made of, by the part that they play in the store. */
const FORMS: Readonly<Record<string, { readonly key: string; readonly files: Readonly<Record<string, string>> }>> = {
  supertonic: {
    key: "supertonic",
    files: {
      duration_predictor: "durationPredictor",
      text_encoder: "textEncoder",
      vector_estimator: "vectorEstimator",
      vocoder: "vocoder",
      tts_json: "ttsJson",
      unicode_indexer: "unicodeIndexer",
      voice_style: "voiceStyle",
    },
  },
  kokoro: { key: "kokoro", files: { model: "model", voices: "voices", tokens: "tokens", data_dir: "dataDir" } },
  piper: { key: "vits", files: { model: "model", tokens: "tokens", data_dir: "dataDir" } },
};

/** A part of a model is not there; the message is its name. */
export class PartMissing extends Error {}

/** Whole path of a part of a model. @throws PartMissing where it has none of that name. */
export function partOf({ files }: OrderedModel, part: string): string {
  const path = files[part];
  if (path === undefined) throw new PartMissing(part);
  return path;
}

/** Loads a voice. Rejects, or ends this process, where its files are not what they should be. */
export function openVoiceModel(library: SpeechLibrary, model: OrderedModel, threads: number): Promise<VoiceModel> {
  const form = FORMS[model.form];
  if (form === undefined) throw new Error(`"${model.form}" is no form of a voice`);
  const config: Record<string, string> = {};
  for (const [part, name] of Object.entries(form.files)) config[name] = partOf(model, part);
  if (model.form === "kokoro") {
    const { lexicon } = model.files;
    if (lexicon !== undefined) config["lexicon"] = lexicon;
    // Later ones end the process without a lexicon or a language; each line names its own.
    else config["lang"] = "en-us";
  }
  return library.OfflineTts.createAsync({
    model: { [form.key]: config, numThreads: threads, provider: "cpu", debug: false },
    maxNumSentences: 1,
  });
}

/**
 * Speaks a line. Equal orders give equal samples with Supertonic; in the models of Kokoro and Piper themselves is noise that
 * nothing seeds, so that two takes of a line differ in what nobody hears.
 */
export async function say(model: VoiceModel, { text, speaker, speed, language }: SayOrder): Promise<EngineSound> {
  const { samples, sampleRate } = await model.generateAsync({
    text,
    // Memory of the library's own cannot be sent to the parent.
    enableExternalBuffer: false,
    generationConfig: {
      sid: speaker,
      speed,
      numSteps: STEPS,
      extra: { seed: SEED, ...(language === "" ? {} : { lang: language }) },
    },
  });
  return { samples, sampleRate };
}
