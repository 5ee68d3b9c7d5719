import { SeededRandom } from "./seeded-random.ts";

// A model that sees, in the shape of Qwen3-VL, small enough to be made for a test: random weights, so that it says nonsense. The
// engine loads it, looks at pictures and obeys grammars as it would with weights that were trained.

/** A model and what turns pictures into its tokens, as files of the GGUF form (version 3). */
export interface TinyModel {
  readonly model: Uint8Array;
  readonly projector: Uint8Array;
}

/** Sizes: all that matters is that they go into each other as the engine wants them. */
const LANGUAGE = { width: 64, layers: 2, heads: 4, groups: 2, headWidth: 32, inner: 128 } as const;
const EYES = { width: 64, layers: 2, heads: 4, inner: 128, patch: 16, picture: 256, merged: 2 } as const;

/** Types of values and of tensors, as the form numbers them. */
const VALUE = { u32: 4, i32: 5, f32: 6, bool: 7, text: 8, list: 9 } as const;
const SINGLES = 0;
const HALVES = 1;

/** Bytes at whose multiples tensors begin. */
const ALIGNMENT = 32;

type Scalar = "u32" | "i32" | "f32" | "bool" | "text";

/** A number as so many bytes, the lowest first. */
function bytesOf(value: number | boolean | string, type: Scalar | "u64"): Buffer {
  switch (type) {
    case "text": {
      const text = Buffer.from(String(value));
      return Buffer.concat([bytesOf(text.length, "u64"), text]);
    }
    case "u64": {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt(Number(value)));
      return bytes;
    }
    case "bool":
      return Buffer.from([value === true ? 1 : 0]);
    default: {
      const bytes = Buffer.alloc(4);
      if (type === "f32") bytes.writeFloatLE(Number(value));
      else bytes.writeInt32LE(Number(value));
      return bytes;
    }
  }
}

/** One file while it is put together. */
class Gguf {
  readonly #facts: Buffer[] = [];
  readonly #tensors: { readonly head: Buffer; readonly data: Buffer }[] = [];
  readonly #random: SeededRandom;
  #bytes = 0;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  fact(name: string, type: Scalar, value: number | boolean | string): this {
    this.#facts.push(Buffer.concat([bytesOf(name, "text"), bytesOf(VALUE[type], "u32"), bytesOf(value, type)]));
    return this;
  }

  facts(under: string, type: Scalar, values: Readonly<Record<string, number | boolean | string>>): this {
    for (const [name, value] of Object.entries(values)) this.fact(`${under}.${name}`, type, value);
    return this;
  }

  list(name: string, type: Scalar, values: readonly (number | string)[]): this {
    const head = [bytesOf(name, "text"), bytesOf(VALUE.list, "u32"), bytesOf(VALUE[type], "u32")];
    this.#facts.push(
      Buffer.concat([...head, bytesOf(values.length, "u64"), ...values.map((value) => bytesOf(value, type))]),
    );
    return this;
  }

  /** Random numbers around zero, as halves; `sides` as the engine counts them, the innermost first. */
  weights(name: string, sides: readonly number[], scale = 1 / Math.sqrt(sides[0] ?? 1)): this {
    const data = Buffer.alloc(2 * product(sides));
    for (let at = 0; at < data.length; at += 2) data.writeUInt16LE(halfOf(scale * (2 * this.#random.next() - 1)), at);
    return this.#add(name, sides, HALVES, data);
  }

  /** The same number throughout, as singles. */
  filled(name: string, sides: readonly number[], value: number): this {
    const data = Buffer.alloc(4 * product(sides));
    for (let at = 0; at < data.length; at += 4) data.writeFloatLE(value, at);
    return this.#add(name, sides, SINGLES, data);
  }

  /** A layer of weights with what is added to it. */
  layer(name: string, inside: number, outside: number): this {
    return this.weights(`${name}.weight`, [inside, outside]).filled(`${name}.bias`, [outside], 0);
  }

  /** What evens out its input: ones, with zeros to be added. */
  norm(name: string, width: number, hasBias = true): this {
    this.filled(`${name}.weight`, [width], 1);
    return hasBias ? this.filled(`${name}.bias`, [width], 0) : this;
  }

  file(): Uint8Array {
    const counts = [bytesOf(this.#tensors.length, "u64"), bytesOf(this.#facts.length, "u64")];
    const heads = this.#tensors.map(({ head }) => head);
    const before = Buffer.concat([Buffer.from("GGUF"), bytesOf(3, "u32"), ...counts, ...this.#facts, ...heads]);
    return Buffer.concat([aligned(before), ...this.#tensors.map(({ data }) => data)]);
  }

  #add(name: string, sides: readonly number[], type: number, data: Buffer): this {
    const shape = [bytesOf(sides.length, "u32"), ...sides.map((side) => bytesOf(side, "u64"))];
    const head = [bytesOf(name, "text"), ...shape, bytesOf(type, "u32"), bytesOf(this.#bytes, "u64")];
    const padded = aligned(data);
    this.#tensors.push({ head: Buffer.concat(head), data: padded });
    this.#bytes += padded.length;
    return this;
  }
}

function product(sides: readonly number[]): number {
  return sides.reduce((all, side) => all * side, 1);
}

function aligned(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT)]);
}

/** A number in sixteen bits, good enough for numbers far below one and not near the smallest. */
function halfOf(value: number): number {
  const size = Math.abs(value);
  const sign = value < 0 ? 0x8000 : 0;
  if (size < 2 ** -14) return sign;
  const exponent = Math.floor(Math.log2(size));
  return sign | ((exponent + 15) << 10) | Math.min(1023, Math.floor((size / 2 ** exponent - 1) * 1024));
}

/** Marks of Qwen's conversations and of pictures in them. */
const MARKS = [
  ...["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
  ...["<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>"],
];

/** How vocabularies of this kind write each byte: printable ones as they are, the others from 256 on. */
function letters(): string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCodePoint(isPrintable ? byte : next++);
  });
}

/** The form of a conversation: each turn between its marks, with a place for each picture. */
const TEMPLATE = [
  "{% for message in messages %}<|im_start|>{{ message.role }}\n",
  "{% if message.content is string %}{{ message.content }}{% else %}{% for part in message.content %}",
  "{% if part.type == 'text' %}{{ part.text }}{% else %}<|vision_start|><|image_pad|><|vision_end|>{% endif %}",
  "{% endfor %}{% endif %}<|im_end|>\n{% endfor %}",
  "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}",
].join("");

function languageModel(seed: number): Uint8Array {
  const { width, layers, heads, groups, headWidth, inner } = LANGUAGE;
  const merges = ["t h", "i n"];
  const words = [...letters(), ...merges.map((pair) => pair.replace(" ", "")), ...MARKS];
  const unused = (32 - (words.length % 32)) % 32;
  const tokens = [...words, ...Array.from({ length: unused }, (_, index) => `<|unused${index}|>`)];
  const kinds = tokens.map((_, index) => {
    if (index < words.length - MARKS.length) return 1;
    return index < words.length ? 3 : 5;
  });
  const gguf = new Gguf(seed)
    .facts("general", "text", { architecture: "qwen3vl", name: "random weights for tests" })
    .fact("general.file_type", "u32", HALVES)
    .facts("qwen3vl", "u32", { block_count: layers, context_length: 32_768, embedding_length: width })
    .facts("qwen3vl", "u32", { feed_forward_length: inner, n_deepstack_layers: 1 })
    .facts("qwen3vl.attention", "u32", { head_count: heads, head_count_kv: groups })
    .facts("qwen3vl.attention", "u32", { key_length: headWidth, value_length: headWidth })
    .fact("qwen3vl.attention.layer_norm_rms_epsilon", "f32", 1e-6)
    .fact("qwen3vl.rope.freq_base", "f32", 5e6)
    .list("qwen3vl.rope.dimension_sections", "i32", [6, 5, 5, 0])
    .facts("tokenizer.ggml", "text", { model: "gpt2", pre: "qwen2" })
    .list("tokenizer.ggml.tokens", "text", tokens)
    .list("tokenizer.ggml.token_type", "i32", kinds)
    .list("tokenizer.ggml.merges", "text", merges)
    .fact("tokenizer.ggml.eos_token_id", "u32", tokens.indexOf("<|im_end|>"))
    .fact("tokenizer.ggml.padding_token_id", "u32", tokens.indexOf("<|endoftext|>"))
    .fact("tokenizer.ggml.add_bos_token", "bool", false)
    .fact("tokenizer.chat_template", "text", TEMPLATE)
    .weights("token_embd.weight", [width, tokens.length])
    .norm("output_norm", width, false);
  for (let layer = 0; layer < layers; layer++) {
    const name = (part: string) => `blk.${layer}.${part}`;
    for (const part of ["attn_norm", "ffn_norm"]) gguf.norm(name(part), width, false);
    for (const part of ["attn_q_norm", "attn_k_norm"]) gguf.norm(name(part), headWidth, false);
    gguf.weights(name("attn_q.weight"), [width, heads * headWidth]);
    for (const part of ["attn_k", "attn_v"]) gguf.weights(name(`${part}.weight`), [width, groups * headWidth]);
    gguf.weights(name("attn_output.weight"), [heads * headWidth, width]);
    for (const part of ["ffn_gate", "ffn_up"]) gguf.weights(name(`${part}.weight`), [width, inner]);
    gguf.weights(name("ffn_down.weight"), [inner, width]);
  }
  return gguf.file();
}

function projector(seed: number): Uint8Array {
  const { width, layers, heads, inner, patch, picture, merged } = EYES;
  const wide = width * merged ** 2;
  const gguf = new Gguf(seed)
    .facts("general", "text", { architecture: "clip", type: "mmproj", name: "random eyes for tests" })
    .fact("general.file_type", "u32", HALVES)
    .facts("clip", "bool", { has_vision_encoder: true, use_gelu: true })
    .fact("clip.projector_type", "text", "qwen3vl_merger")
    .facts("clip.vision", "u32", { image_size: picture, patch_size: patch, spatial_merge_size: merged })
    .facts("clip.vision", "u32", { embedding_length: width, feed_forward_length: inner, block_count: layers })
    .facts("clip.vision", "u32", { projection_dim: LANGUAGE.width, "attention.head_count": heads })
    .fact("clip.vision.attention.layer_norm_epsilon", "f32", 1e-6)
    .list("clip.vision.image_mean", "f32", [0.5, 0.5, 0.5])
    .list("clip.vision.image_std", "f32", [0.5, 0.5, 0.5])
    .weights("v.patch_embd.weight", [patch, patch, 3, width], 0.03)
    .weights("v.patch_embd.weight.1", [patch, patch, 3, width], 0.03)
    .filled("v.patch_embd.bias", [width], 0)
    .filled("v.position_embd.weight", [width, (picture / patch) ** 2], 0.01)
    .norm("v.post_ln", width);
  for (let layer = 0; layer < layers; layer++) {
    const name = (part: string) => `v.blk.${layer}.${part}`;
    gguf.norm(name("ln1"), width).norm(name("ln2"), width);
    gguf.layer(name("attn_qkv"), width, 3 * width).layer(name("attn_out"), width, width);
    gguf.layer(name("ffn_up"), width, inner).layer(name("ffn_down"), inner, width);
  }
  return gguf
    .norm("v.deepstack.0.norm", wide)
    .layer("v.deepstack.0.fc1", wide, wide)
    .layer("v.deepstack.0.fc2", wide, LANGUAGE.width)
    .layer("mm.0", wide, wide)
    .layer("mm.2", wide, LANGUAGE.width)
    .file();
}

/** Makes a model that sees: a megabyte in all, the same from the same seed. */
export function tinyModel(seed = 1): TinyModel {
  return { model: languageModel(seed), projector: projector(seed + 1) };
}
