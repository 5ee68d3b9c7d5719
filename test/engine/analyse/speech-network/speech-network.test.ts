import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { InferenceSession, Tensor } from "onnxruntime-web";
import { expect, test } from "vitest";
import {
  NETWORK_FRAME,
  type NetworkVersion,
  SpeechNetwork,
} from "../../../../src/engine/analyse/speech-network/speech-network.ts";
import { EspeakVoice } from "../../../../src/engine/voice/espeak.ts";

const RATE = 16_000;
const CONTEXT = 64;

/** A voice at 16 kHz with half a second of nothing before it, over noise. */
async function spoken(text: string, noise: number): Promise<Float32Array> {
  const line = await new EspeakVoice().speak({ text, language: "en-US", voice: "Achernar", rate: 1 });
  const step = line.sampleRate / RATE;
  let state = 1;
  return Float32Array.from({ length: Math.floor(line.samples.length / step) + RATE / 2 }, (_, i) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (line.samples[Math.round((i - RATE / 2) * step)] ?? 0) + noise * (state / 2 ** 31 - 1);
  });
}

/** What the runtime that the network was made for finds, frame by frame. */
async function byRuntime(sound: Float32Array, version: NetworkVersion): Promise<number[]> {
  const path = createRequire(import.meta.url).resolve(`@ricky0123/vad-web/dist/silero_vad_${version}.onnx`);
  const session = await InferenceSession.create(await readFile(path));
  const sr = new Tensor("int64", BigInt64Array.of(BigInt(RATE)), []);
  let state = new Tensor("float32", new Float32Array(256), [2, 1, 128]);
  const found: number[] = [];
  const padded = Float32Array.from([...new Float32Array(CONTEXT), ...sound]);
  for (let from = 0; from + NETWORK_FRAME <= sound.length; from += NETWORK_FRAME) {
    const seen = padded.slice(from, from + CONTEXT + NETWORK_FRAME);
    const results = await session.run({ input: new Tensor("float32", seen, [1, seen.length]), state, sr });
    const [output, next] = [results["output"], results["stateN"]];
    if (output === undefined || next === undefined) throw new Error("the model has other outputs");
    found.push(Number(output.data[0]));
    state = new Tensor("float32", Float32Array.from(next.data as Float32Array), [2, 1, 128]); // the model's own type
  }
  return found;
}

test.each(["v6", "v5"] as const)(
  "the speech network %s finds what an inference runtime finds, in sounds side by side",
  async (version) => {
    const sounds = [await spoken("The sea lies still.", 0.0003), await spoken("Somebody knocks.", 0.02)];
    const found = (await SpeechNetwork.load(version)).probabilities(sounds);
    for (const [index, sound] of sounds.entries()) {
      const expected = await byRuntime(sound, version);
      const differences = expected.map((value, frame) => Math.abs(value - (found[index]?.[frame] ?? Number.NaN)));
      expect(Math.max(...differences)).toBeLessThan(0.001);
      expect(Math.max(...expected) - Math.min(...expected)).toBeGreaterThan(0.5);
    }
  },
);
