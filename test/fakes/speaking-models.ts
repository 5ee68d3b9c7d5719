import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import type { SpokenLine } from "../../src/engine/spoken-line.ts";
import { MANIFEST } from "../../src/engine/store/installed.ts";
import { type ElementType, OnnxModel } from "./onnx-model.ts";

// Voices that sound a tone for every token they are given: small real models, which the real library loads and runs.

const require = createRequire(import.meta.url);

/** Samples per second of the voices. */
const RATE = 24_000;

/** Samples that a token sounds for at the normal speed. */
const TOKEN_SAMPLES = 1_440;

/** Frequency of a speaker in Hz: what tells who speaks. */
export function speakerHz(speaker: number): number {
  return 200 + 40 * speaker;
}

/** Frequency of a tone in Hz. */
export function frequencyOf({ samples, sampleRate }: SpokenLine): number {
  let crossings = 0;
  for (let at = 1; at < samples.length; at++) {
    if ((samples[at - 1] ?? 0) < 0 !== (samples[at] ?? 0) < 0) crossings++;
  }
  return (crossings / 2 / samples.length) * sampleRate;
}

/** A store's folder with the engine and voices in it. */
export interface SpeakingStore {
  readonly folder: string;
  /** What a service is told it by, and what its processes are. */
  readonly environment: { readonly ASIDE_MODELS: string; readonly ASIDE_MODELS_FOUND: string };
}

/** One model, as it stands in the store. */
interface MadeModel {
  readonly id: string;
  /** Default: a voice. */
  readonly kind?: string;
  readonly title: string;
  readonly form: string;
  readonly files: Readonly<Record<string, string>>;
  readonly languages: readonly string[];
}

/** Makes a store with the library of this project's tests and the models. */
export async function speakingStore(folder: string, make: readonly ModelMaker[]): Promise<SpeakingStore> {
  const id = "sherpa-onnx";
  const module = relative(await ownFolder(folder, id), require.resolve("sherpa-onnx-node"));
  const engine = { id, title: id, kind: "engine", form: id, files: { module }, languages: [] };
  const models = await Promise.all(make.map(async (maker) => ({ kind: "voice", ...(await maker(folder)) })));
  const installed = [engine, ...models];
  for (const one of installed) await writeFile(join(folder, one.id, MANIFEST), JSON.stringify(one));
  const found = installed.map((one) => ({ ...one, folder: join(folder, one.id) }));
  return { folder, environment: { ASIDE_MODELS: folder, ASIDE_MODELS_FOUND: JSON.stringify(found) } };
}

/** Writes the files of a model below the store's folder. */
export type ModelMaker = (store: string) => Promise<MadeModel>;

/** Kokoro in its first form, of English: eleven speakers. */
export const kokoro =
  (id = "kokoro-en", { nodes = 0 }: { readonly nodes?: number } = {}): ModelMaker =>
  async (store) => {
    const folder = await ownFolder(store, id);
    const [lengths, width, speakers] = [511, 256, 11];
    const model = new OnnxModel({
      ...{ model_type: "kokoro", language: "English", has_espeak: 1, sample_rate: RATE, version: 1, voice: "en-us" },
      ...{ n_speakers: speakers, style_dim: `${lengths},1,${width}`, speaker_names: "any" },
    });
    const tokens = model.input("tokens", "int64", [1, "length"]);
    const style = model.input("style", "float", [1, width]);
    const speed = model.input("speed", "float", [1]);
    const hz = model.node("Gather", [style, model.constant("int64", [0])], { axis: 1 });
    const perToken = model.node("Div", [model.constant("float", [TOKEN_SAMPLES]), speed]);
    tones(model, { tokens, hz, perToken, nodes, output: "audio" });
    await writeFile(join(folder, "model.onnx"), model.bytes());
    const styles = new Float32Array(lengths * width * speakers);
    for (let at = 0; at < styles.length; at++) styles[at] = speakerHz(Math.floor(at / (lengths * width)));
    await writeFile(join(folder, "voices.bin"), Buffer.from(styles.buffer));
    const files = { model: "model.onnx", voices: "voices.bin", ...(await spellingFiles(folder)) };
    return { id, title: "Kokoro English", form: "kokoro", files, languages: ["en"] };
  };

/** A voice of Piper, of one language. */
export const piper =
  (id: string, language: string, espeak: string): ModelMaker =>
  async (store) => {
    const folder = await ownFolder(store, id);
    const model = new OnnxModel({
      ...{ model_type: "vits", comment: "piper", language: "any", voice: espeak, has_espeak: 1 },
      ...{ add_blank: 0, n_speakers: 1, sample_rate: RATE },
    });
    const tokens = model.input("input", "int64", [1, "length"]);
    model.input("input_lengths", "int64", [1]);
    const scales = model.input("scales", "float", [3]);
    const lengthScale = model.node("Gather", [scales, model.constant("int64", [1])], { axis: 0 });
    // Half of the tokens are blanks.
    const perToken = model.node("Mul", [model.constant("float", [TOKEN_SAMPLES / 2]), lengthScale]);
    tones(model, { tokens, hz: model.constant("float", [speakerHz(0)]), perToken, nodes: 0, output: "output" });
    await writeFile(join(folder, "model.onnx"), model.bytes());
    const files = { model: "model.onnx", ...(await spellingFiles(folder)) };
    return { id, title: `Piper ${language}`, form: "piper", files, languages: [language] };
  };

/** Supertonic: ten speakers, languages as they are given. */
export const supertonic =
  (id = "supertonic-3", languages: readonly string[] = ["en", "de", "fr"]): ModelMaker =>
  async (store) => {
    const folder = await ownFolder(store, id);
    const chunk = 512;
    const common = (model: OnnxModel) => {
      const ids = model.input("text_ids", "int64", [1, "length"]);
      const style = model.input("style", "float", [1, "rows", "columns"]);
      const mask = model.input("text_mask", "float", [1, 1, "length"]);
      return { ids, style, mask };
    };
    const duration = new OnnxModel();
    const { mask } = common(duration);
    const count = duration.node("ReduceSum", [mask, duration.constant("int64", [1, 2])], { keepdims: 0 });
    duration.node("Mul", [count, duration.constant("float", [TOKEN_SAMPLES / RATE])], {}, "duration");
    duration.output("duration", "float", [1]);
    const encoder = new OnnxModel();
    encoder.node("Identity", [common(encoder).mask], {}, "text_emb");
    encoder.output("text_emb", "float", [1, 1, "length"]);
    const estimator = new OnnxModel();
    const value = (name: string, dims: readonly (number | string)[], type: ElementType = "float") =>
      estimator.input(name, type, dims);
    const noise = value("noisy_latent", [1, 1, "frames"]);
    value("text_emb", [1, 1, "length"]);
    const style = value("style_ttl", [1, "rows", "columns"]);
    value("latent_mask", [1, 1, "frames"]);
    value("text_mask", [1, 1, "length"]);
    value("current_step", [1]);
    value("total_step", [1]);
    // What is left of the noise tells one run from another; without it, all would be the same whatever was drawn.
    const left = estimator.node("Mul", [noise, estimator.constant("float", [1e-3])]);
    const hz = estimator.node("ReduceMean", [style], { keepdims: 1 });
    estimator.node("Add", [left, hz], {}, "latent");
    estimator.output("latent", "float", [1, 1, "frames"]);
    const vocoder = new OnnxModel();
    const latent = vocoder.input("latent", "float", [1, 1, "frames"]);
    const frames = vocoder.node("Gather", [vocoder.node("Shape", [latent]), vocoder.constant("int64", [2], [])]);
    const samples = vocoder.node("Mul", [frames, vocoder.constant("int64", [chunk], [])]);
    const spoken = vocoder.node("ReduceMean", [latent], { keepdims: 0 });
    const sound = sine(vocoder, samples, spoken);
    vocoder.node("Reshape", [sound, vocoder.constant("int64", [1, -1])], {}, "wav");
    vocoder.output("wav", "float", [1, "samples"]);
    const models = { duration_predictor: duration, text_encoder: encoder, vector_estimator: estimator, vocoder };
    for (const [name, model] of Object.entries(models)) await writeFile(join(folder, `${name}.onnx`), model.bytes());
    const settings = {
      ae: { sample_rate: RATE, base_chunk_size: chunk },
      ttl: { chunk_compress_factor: 1, latent_dim: 1 },
    };
    await writeFile(join(folder, "tts.json"), JSON.stringify(settings));
    const index = new Int32Array(65_536).map((_, code) => code % 100);
    await writeFile(join(folder, "unicode_indexer.bin"), Buffer.from(index.buffer));
    const speakers = Array.from({ length: 10 }, (_, speaker) => speakerHz(speaker));
    const dims = new BigInt64Array([10n, 1n, 1n, 10n, 1n, 1n]);
    const styles = new Float32Array([...speakers, ...speakers]);
    const voice = Buffer.concat([Buffer.from(dims.buffer), Buffer.from(styles.buffer)]);
    await writeFile(join(folder, "voice.bin"), voice);
    const files = {
      ...Object.fromEntries(Object.keys(models).map((name) => [name, `${name}.onnx`])),
      ...{ tts_json: "tts.json", unicode_indexer: "unicode_indexer.bin", voice_style: "voice.bin" },
    };
    return { id, title: "Supertonic 3", form: "supertonic", files, languages };
  };

/** A tone for every token, so long, joined to one sound. `nodes` more operations change nothing, and take their time. */
function tones(
  model: OnnxModel,
  { tokens, hz, perToken, nodes, output }: Record<"tokens" | "hz" | "perToken" | "output", string> & { nodes: number },
): void {
  const count = model.node("Cast", [model.node("Size", [tokens])], { to: 1 });
  const length = model.node("Mul", [model.node("Reshape", [perToken, model.constant("int64", [], [0])]), count]);
  const samples = model.node("Cast", [length], { to: 7 });
  let sound = sine(model, samples, hz);
  for (let more = 0; more < nodes; more++) sound = model.node("Asin", [model.node("Sin", [sound])]);
  model.node("Reshape", [sound, model.constant("int64", [1, -1])], {}, output);
  model.output(output, "float", [1, "samples"]);
}

/** So many samples of a tone, at half of full scale. */
function sine(model: OnnxModel, samples: string, hz: string): string {
  const [zero, one] = [model.constant("int64", [0], []), model.constant("int64", [1], [])];
  const at = model.node("Cast", [model.node("Range", [zero, samples, one])], { to: 1 });
  const step = model.node("Mul", [hz, model.constant("float", [(2 * Math.PI) / RATE])]);
  const wave = model.node("Sin", [model.node("Mul", [at, step])]);
  return model.node("Mul", [wave, model.constant("float", [0.5])]);
}

/** Makes the folder of a model in a store. */
export async function ownFolder(store: string, id: string): Promise<string> {
  const folder = join(store, id);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** What letters and their sounds are read by: tokens, and the data of espeak-ng out of the package that speaks here. */
async function spellingFiles(folder: string): Promise<{ tokens: string; data_dir: string }> {
  const sounds = [..." _^$!\"',-.:;?abcdefghijklmnopqrstuvwxyzæçðøŋœɐɑɒɔəɛɜɡɪɫɬɹɾʁʃʊʌʒʔˈˌːθβχ̩"];
  const tokens = sounds.map((sound, id) => `${sound} ${id}`).join("\n");
  await writeFile(join(folder, "tokens.txt"), `${tokens}\n`);
  const data = join(folder, "espeak-ng-data");
  const packaged = dirname(require.resolve("@echogarden/espeak-ng-emscripten/package.json"));
  const [list, bytes] = await Promise.all([
    readFile(join(packaged, "espeak-ng.js"), "utf8"),
    readFile(join(packaged, "espeak-ng.data")),
  ]);
  const wanted = /^(?:phontab|phonindex|phondata|intonations|(?:en|de|fr|es)_dict|lang\/(?:gmw|roa)\/.+)$/;
  for (const [, name = "", start, end] of list.matchAll(
    /filename:"\/usr\/share\/espeak-ng-data\/([^"]+)",start:(\d+),end:(\d+)/g,
  )) {
    if (!wanted.test(name)) continue;
    await mkdir(dirname(join(data, name)), { recursive: true });
    await writeFile(join(data, name), bytes.subarray(Number(start), Number(end)));
  }
  return { tokens: "tokens.txt", data_dir: "espeak-ng-data" };
}
