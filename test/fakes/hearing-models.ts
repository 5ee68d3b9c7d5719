import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OnnxModel } from "./onnx-model.ts";
import { type ModelMaker, ownFolder } from "./speaking-models.ts";

// Ears that hear the same in whatever they are given: small real models, which the real library loads and runs.

/** Seconds of a frame of the encoder: eight of ten milliseconds. */
export const FRAME_SECONDS = 0.08;

/** Bands of sound that Parakeet is given. */
const BANDS = 128;

/** Frames that a token may take at most. */
const MOST_FRAMES = 40;

/** Decibels between sound and silence, as the mean of the bands that CED is given, with the sign turned. */
const LOUD_BANDS = 60;

/** A part of a word, with a blank before it where it begins one, and the frames until the next. */
export type HeardToken = readonly [token: string, frames: number];

/** Parakeet: writes down these tokens, each once, from the start of a piece on. */
export const parakeet =
  (tokens: readonly HeardToken[], id = "parakeet-v3"): ModelMaker =>
  async (store) => {
    const folder = await ownFolder(store, id);
    const [count, durations] = [tokens.length, MOST_FRAMES + 1];
    const blank = count;
    const width = count + 1 + durations;
    const encoder = new OnnxModel({
      ...{ vocab_size: count, subsampling_factor: 8, normalize_type: "per_feature", pred_rnn_layers: 1 },
      ...{ pred_hidden: 1, feat_dim: BANDS, url: "parakeet-tdt", model_type: "EncDecRNNTBPEModel" },
    });
    const sound = encoder.input("audio_signal", "float", [1, BANDS, "frames"]);
    encoder.input("length", "int64", [1]);
    const level = encoder.node("ReduceMean", [sound, encoder.constant("int64", [1])].slice(0, 1), { keepdims: 1 });
    const frames = encoder.node("Gather", [encoder.node("Shape", [sound]), encoder.constant("int64", [2])], {
      axis: 0,
    });
    const eighth = encoder.node("Div", [frames, encoder.constant("int64", [8])]);
    const one = encoder.constant("int64", [1]);
    const shape = encoder.node("Concat", [one, one, eighth], { axis: 0 });
    encoder.node("Expand", [level, shape], {}, "outputs");
    encoder.output("outputs", "float", [1, 1, "encoded"]);
    encoder.node("Identity", [eighth], {}, "encoded_lengths");
    encoder.output("encoded_lengths", "int64", [1]);
    const decoder = new OnnxModel();
    const target = decoder.input("targets", "int32", [1, 1]);
    decoder.input("target_length", "int32", [1]);
    // What comes after each token: the next one and its frames; after the last, and where it ends, nothing.
    const rows = Array.from({ length: count + 1 }, (_, last) => {
      const next = last === blank ? 0 : last + 1;
      const row = new Array<number>(width).fill(-10);
      row[next < count ? next : blank] = 10;
      row[count + 1 + (next < count ? (tokens[next]?.[1] ?? 1) : 1)] = 10;
      return row;
    });
    const table = decoder.constant("float", rows.flat(), [count + 1, width]);
    const row = decoder.node("Gather", [table, target], { axis: 0 });
    decoder.node("Reshape", [row, decoder.constant("int64", [1, width, 1])], {}, "outputs");
    decoder.output("outputs", "float", [1, width, 1]);
    decoder.node("Identity", ["target_length"], {}, "prednet_lengths");
    decoder.output("prednet_lengths", "int32", [1]);
    for (const state of [1, 2]) {
      decoder.input(`states_${state}`, "float", [1, 1, 1]);
      decoder.node("Identity", [`states_${state}`], {}, `next_states_${state}`);
      decoder.output(`next_states_${state}`, "float", [1, 1, 1]);
    }
    const joiner = new OnnxModel();
    const encoded = joiner.input("encoder_outputs", "float", [1, 1, 1]);
    const decoded = joiner.input("decoder_outputs", "float", [1, width, 1]);
    const nothing = joiner.node("Mul", [encoded, joiner.constant("float", [0])]);
    const both = joiner.node("Add", [decoded, nothing]);
    joiner.node("Reshape", [both, joiner.constant("int64", [1, 1, 1, width])], {}, "outputs");
    joiner.output("outputs", "float", [1, 1, 1, width]);
    const models = { encoder, decoder, joiner };
    for (const [name, model] of Object.entries(models)) await writeFile(join(folder, `${name}.onnx`), model.bytes());
    const listed = [...tokens.map(([token]) => token.replace(/^ /, "▁")), "<blk>"];
    await writeFile(join(folder, "tokens.txt"), `${listed.map((token, index) => `${token} ${index}`).join("\n")}\n`);
    const files = {
      ...Object.fromEntries(Object.keys(models).map((name) => [name, `${name}.onnx`])),
      tokens: "tokens.txt",
    };
    return { id, title: "Parakeet v3", kind: "ears", form: "parakeet", files, languages: ["en", "de"] };
  };

/**
 * CED: hears these kinds of sound everywhere, each as likely as is said.
 *
 * @param louder What is heard in sound above silence alone.
 */
export const ced =
  (kinds: Readonly<Record<string, number>>, louder: readonly string[] = [], id = "ced-mini"): ModelMaker =>
  async (store) => {
    const folder = await ownFolder(store, id);
    const names = Object.keys(kinds);
    const model = new OnnxModel();
    const sound = model.input("feat", "float", [1, 64, "frames"]);
    const level = model.node("ReduceMean", [sound], { keepdims: 0 });
    const told = model.constant("float", Object.values(kinds), [1, names.length]);
    // 1 where there is sound, 0 in silence, whose bands lie far below.
    const isLoud = model.node("Sigmoid", [model.node("Add", [level, model.constant("float", [LOUD_BANDS])])]);
    const weights = model.constant(
      "float",
      names.map((name) => (louder.includes(name) ? 1 : 0)),
      [1, names.length],
    );
    const missing = model.node("Sub", [isLoud, model.constant("float", [1])]);
    const factor = model.node("Add", [model.constant("float", [1]), model.node("Mul", [weights, missing])]);
    model.node("Mul", [told, factor], {}, "prob");
    model.output("prob", "float", [1, names.length]);
    await writeFile(join(folder, "model.onnx"), model.bytes());
    const rows = names.map((name, index) => `${index},/m/${index},"${name}"`);
    await writeFile(join(folder, "labels.csv"), `index,mid,display_name\n${rows.join("\n")}\n`);
    const files = { model: "model.onnx", labels: "labels.csv" };
    return { id, title: "CED mini", kind: "sounds", form: "ced", files, languages: [] };
  };
