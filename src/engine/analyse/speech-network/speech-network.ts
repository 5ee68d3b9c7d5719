import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PowerSpectrum } from "../power-spectrum.ts";
import { Convolution, LANES, MemoryCell, sigmoid } from "./network-layer.ts";
import { readOnnxTensors } from "./onnx-tensors.ts";
import { SimdKernel } from "./simd-kernel.ts";

/** Samples of one frame at 16 kHz: 32 ms. */
export const NETWORK_FRAME = 512;

/** Samples of the end of the frame before that the network sees again. */
const CONTEXT = 64;

/** The four spectra taken of each frame: length, distance, and how many frequencies each holds. */
const SPECTRUM = { size: 256, step: 128, count: 4, bins: 129 };

/** Samples mirrored onto the end of a frame, so that the last spectrum is full. */
const MIRRORED = 64;

/** Columns of input that each layer of the encoder takes per column of output. */
const ENCODER_STEPS = [1, 2, 2, 1];

/** Numbers that weights and intermediate results take up together. */
const KERNEL_FLOATS = 400_000;

/** Weights of the network, by their makers' versions: the older ones hear more of speech under music, the newer ones all else better. */
export type NetworkVersion = "v5" | "v6";

/** Branch of the model's graph that is for 16 kHz; the other one is for 8 kHz. */
const BRANCH = "then_branch__Inline_0__";

/**
 * The speech network: Silero VAD (MIT), whose weights come with the package `@ricky0123/vad-web`. It gives the
 * probability of speech for frames of 32 ms at 16 kHz.
 *
 * It is small (310 000 weights), so it is run here, without an inference runtime: several times as fast (see
 * `docs/benchmarks.md`), ready at once, and in 10 MB instead of 250. A test holds it equal to the runtime.
 */
export class SpeechNetwork {
  readonly #spectrum: PowerSpectrum;
  readonly #spectra: Float32Array;
  readonly #encoder: readonly Convolution[];
  readonly #memory: MemoryCell;
  readonly #weights: Float32Array;
  readonly #bias: number;
  readonly #seen = new Float32Array(CONTEXT + NETWORK_FRAME + MIRRORED);
  readonly #power = new Float64Array(SPECTRUM.bins);

  private constructor(tensors: ReadonlyMap<string, Float32Array>) {
    const values = (name: string) => {
      const found = [...tensors].find(([key]) => key.endsWith(`${BRANCH}${name}`));
      if (found === undefined) throw new Error(`the speech network lacks ${name}`);
      return found[1];
    };
    // The first row of the Fourier basis is the window: its frequency is 0, so its cosine is 1.
    this.#spectrum = new PowerSpectrum(SPECTRUM.size, values("stft.forward_basis_buffer").subarray(0, SPECTRUM.size));
    const kernel = new SimdKernel(KERNEL_FLOATS);
    this.#spectra = kernel.allocate(SPECTRUM.bins * SPECTRUM.count * LANES);
    let columns = SPECTRUM.count;
    this.#encoder = ENCODER_STEPS.map((step, index) => {
      const name = `encoder.${index}.reparam_conv`;
      const layer = new Convolution(kernel, values(`${name}.weight`), values(`${name}.bias`), step, columns);
      columns = layer.outputColumns;
      return layer;
    });
    const memoryBias = values("decoder.rnn.bias_hh");
    const bias = values("decoder.rnn.bias_ih").map((value, i) => value + (memoryBias[i] ?? 0));
    this.#memory = new MemoryCell(kernel, values("decoder.rnn.weight_ih"), values("decoder.rnn.weight_hh"), bias);
    this.#weights = values("decoder.decoder.2.weight");
    this.#bias = values("decoder.decoder.2.bias")[0] ?? 0;
  }

  /** Reads the weights. */
  static async load(version: NetworkVersion = "v6"): Promise<SpeechNetwork> {
    const file = createRequire(import.meta.url).resolve(`@ricky0123/vad-web/dist/silero_vad_${version}.onnx`);
    return new SpeechNetwork(readOnnxTensors(await readFile(file)));
  }

  /**
   * Probabilities of speech in sounds that are heard side by side, each from its beginning.
   *
   * @param sounds At most {@link LANES}, 16 kHz, full scale ±1.
   * @returns One probability per begun frame of each sound.
   */
  probabilities(sounds: readonly Float32Array[]): Float32Array[] {
    if (sounds.length > LANES) throw new RangeError(`${sounds.length} sounds side by side`);
    const found = sounds.map((sound) => new Float32Array(Math.ceil(sound.length / NETWORK_FRAME)));
    const frames = Math.max(0, ...found.map((values) => values.length));
    this.#memory.reset();
    for (let frame = 0; frame < frames; frame++) {
      this.#measure(sounds, frame);
      let values = this.#spectra;
      for (const layer of this.#encoder) values = layer.run(values);
      const remembered = this.#memory.run(values);
      for (const [lane, into] of found.entries())
        if (frame < into.length) into[frame] = this.#probability(remembered, lane);
    }
    return found;
  }

  /** Magnitudes of the spectra of one frame: frequency by frequency, spectrum by spectrum, lane beside lane. */
  #measure(sounds: readonly Float32Array[], frame: number): void {
    const power = this.#power;
    for (const [lane, sound] of sounds.entries()) {
      seeFrame(sound, frame, this.#seen);
      for (let index = 0; index < SPECTRUM.count; index++) {
        this.#spectrum.measure(this.#seen, index * SPECTRUM.step, power);
        for (let bin = 0; bin < SPECTRUM.bins; bin++) {
          this.#spectra[(bin * SPECTRUM.count + index) * LANES + lane] = Math.sqrt(power[bin] ?? 0);
        }
      }
    }
  }

  #probability(remembered: Float32Array, lane: number): number {
    let sum = this.#bias;
    for (const [i, weight] of this.#weights.entries()) sum += weight * Math.max(0, remembered[i * LANES + lane] ?? 0);
    return sigmoid(sum);
  }
}

/** Writes the end of the frame before, the frame, and the frame's end mirrored; silence before the sound and after it. */
function seeFrame(sound: Float32Array, frame: number, seen: Float32Array): void {
  const from = frame * NETWORK_FRAME - CONTEXT;
  const part = sound.subarray(Math.max(0, from), (frame + 1) * NETWORK_FRAME);
  const start = Math.max(0, -from);
  seen.fill(0, 0, start);
  seen.set(part, start);
  seen.fill(0, start + part.length);
  const last = CONTEXT + NETWORK_FRAME - 1;
  for (let i = 1; i <= MIRRORED; i++) seen[last + i] = seen[last - i] ?? 0;
}
