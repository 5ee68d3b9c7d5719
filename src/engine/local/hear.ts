import { partOf } from "./say.ts";
import type { HeardKind, HeardWords, HearOrder, OrderedModel } from "./speech-orders.ts";

/** What is used of the speech library, `sherpa-onnx-node`, to hear. */
export interface HearingLibrary {
  readonly OfflineRecognizer: {
    createAsync(config: {
      readonly featConfig: { readonly sampleRate: number; readonly featureDim: number };
      readonly modelConfig: Readonly<Record<string, unknown>>;
    }): Promise<Recognizer>;
  };
  readonly AudioTagging: new (config: Readonly<Record<string, unknown>>) => Tagger;
}

/** A piece of sound as the library takes it. */
interface Stream {
  acceptWaveform(sound: { readonly samples: Float32Array; readonly sampleRate: number }): void;
}

/** A model that writes down what is said, loaded. */
export interface Recognizer {
  createStream(): Stream;
  decodeAsync(stream: Stream): Promise<{
    readonly text: string;
    readonly tokens: readonly string[];
    readonly timestamps: readonly number[];
    readonly durations: readonly number[];
  }>;
}

/** A model that names kinds of sound, loaded. */
export interface Tagger {
  createStream(): Stream;
  compute(stream: Stream, count: number): readonly { readonly name: string; readonly prob: number }[];
}

/** Samples per second of what these models hear. */
const SAMPLE_RATE = 16_000;

/** Bands of the sound that a model of the forms here is given; models that take others say so themselves. */
const BANDS = 80;

/** Loads a model that writes down what is said. Rejects, or ends this process, where its files are not what they should be. */
export function openRecognizer(library: HearingLibrary, model: OrderedModel, threads: number): Promise<Recognizer> {
  const part = (name: string) => partOf(model, name);
  const files =
    model.form === "whisper"
      ? { whisper: { encoder: part("encoder"), decoder: part("decoder"), language: "", task: "transcribe" } }
      : {
          transducer: { encoder: part("encoder"), decoder: part("decoder"), joiner: part("joiner") },
          modelType: "nemo_transducer",
        };
  return library.OfflineRecognizer.createAsync({
    featConfig: { sampleRate: SAMPLE_RATE, featureDim: BANDS },
    modelConfig: { ...files, tokens: part("tokens"), numThreads: threads, provider: "cpu", debug: 0 },
  });
}

/** Writes down what is said in a piece of sound. */
export async function transcribePiece(
  recognizer: Recognizer,
  { samples }: HearOrder<"transcribe">,
): Promise<HeardWords> {
  const stream = recognizer.createStream();
  stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE });
  const { text, tokens, timestamps, durations } = await recognizer.decodeAsync(stream);
  const areTimed = timestamps.length === tokens.length;
  return {
    text,
    tokens: areTimed ? tokens : [],
    starts: areTimed ? timestamps : [],
    lengths: areTimed && durations.length === tokens.length ? durations : [],
  };
}

/** Most kinds that are told of a piece of sound, the likeliest first. */
const MOST_KINDS = 12;

/** Loads a model that names kinds of sound. Ends this process where its files are not what they should be. */
export function openTagger(library: HearingLibrary, model: OrderedModel, threads: number): Tagger {
  const ced = partOf(model, "model");
  const config = { model: { ced, numThreads: threads, provider: "cpu", debug: 0 }, labels: partOf(model, "labels") };
  return new library.AudioTagging({ ...config, topK: MOST_KINDS });
}

/** Names what is heard in a piece of sound. */
export function tagPiece(tagger: Tagger, { samples }: HearOrder<"tag">): readonly HeardKind[] {
  const stream = tagger.createStream();
  stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE });
  return tagger.compute(stream, MOST_KINDS).map(({ name, prob }) => ({ name, probability: prob }));
}
