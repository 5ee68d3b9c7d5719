import { truncate } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterEach, beforeAll, expect, test } from "vitest";
import { SpeechEngine } from "../../../src/engine/local/speech-engine.ts";
import { orderedModel } from "../../../src/engine/local/speech-setup.ts";
import { installedModels } from "../../../src/engine/store/installed.ts";
import { ced, FRAME_SECONDS, parakeet } from "../../fakes/hearing-models.ts";
import { speakingStore } from "../../fakes/speaking-models.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const LIBRARY = createRequire(import.meta.url).resolve("sherpa-onnx-node");

const TOKENS = [
  [" A", 5],
  [" wom", 4],
  ["an", 4],
  [" smiles", 8],
  [".", 1],
] as const;

let models: readonly ReturnType<typeof orderedModel>[];
beforeAll(async () => {
  models = await storeOf();
});

async function storeOf() {
  const makers = [parakeet(TOKENS), ced({ Speech: 0.1, Singing: 0.7, Music: 0.6 })];
  const { environment } = await speakingStore(await temporaryFolder(), makers);
  return installedModels(environment)
    .filter(({ kind }) => kind !== "engine")
    .map(orderedModel);
}

const opened: SpeechEngine[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
});

function engine(): SpeechEngine {
  const one = new SpeechEngine(LIBRARY);
  opened.push(one);
  return one;
}

const modelOf = (form: string, among = models) => {
  const found = among.find((model) => model.form === form);
  if (found === undefined) throw new Error(form);
  return found;
};

/** Two seconds of a tone. */
const samples = Float32Array.from({ length: 32_000 }, (_, at) => 0.3 * Math.sin(at / 10));

test("the real library writes down what a real Parakeet says is heard, with the times of its tokens", async () => {
  const order = { kind: "transcribe", model: modelOf("parakeet"), samples } as const;
  const heard = await engine().run(order, { isAwaited: false });
  expect(heard.text).toBe("A woman smiles.");
  expect(heard.tokens).toEqual([" A", " wom", "an", " smiles", "."]);
  let at = 0;
  for (const [index, [, frames]] of TOKENS.entries()) {
    expect(heard.starts[index]).toBeCloseTo(at * FRAME_SECONDS, 5);
    expect(heard.lengths[index]).toBeCloseTo(frames * FRAME_SECONDS, 5);
    at += frames;
  }
});

test("the real library names the kinds of sound that a real CED hears, the likeliest first", async () => {
  const order = { kind: "tag", model: modelOf("ced"), samples } as const;
  const kinds = await engine().run(order, { isAwaited: false });
  expect(kinds.map(({ name }) => name)).toEqual(["Singing", "Music", "Speech"]);
  expect(kinds[0]?.probability).toBeCloseTo(0.7, 5);
});

test("a damaged model of ears ends the process of the library alone, and the sentence names it and what to do", async () => {
  const own = await storeOf();
  const model = modelOf("parakeet", own);
  await truncate(model.files["encoder"] ?? "", 200);
  const one = engine();
  const failed = one.run({ kind: "transcribe", model, samples }, { isAwaited: false });
  await expect(failed).rejects.toMatchObject({
    code: "model_unusable",
    message: expect.stringContaining("Parakeet v3 cannot be loaded: its files are damaged."),
  });
  const kinds = await one.run({ kind: "tag", model: modelOf("ced", own), samples }, { isAwaited: false });
  expect(kinds).toHaveLength(3);
});
