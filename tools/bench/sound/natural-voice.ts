import { mkdtemp, readFile, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../../../src/core/time-range.ts";
import { SpeechEngine } from "../../../src/engine/local/speech-engine.ts";
import { orderedModel, speechSetup } from "../../../src/engine/local/speech-setup.ts";
import { kokoro, type ModelMaker, piper, speakingStore, supertonic } from "../../../test/fakes/speaking-models.ts";

// What the process of the speech library costs beside the model: how long the first line takes from nothing (process, library,
// model, line), how long the next one, and what memory it holds. The models are small ones that sound a tone for every token, so
// that nearly all of it is the process and the library.

const TIMES = 7;
const write = (line: string) => process.stdout.write(`${line}\n`);
const TEXT = "The view moves to the left. The picture goes black.";
const MODELS: readonly (readonly [ModelMaker, language: string])[] = [
  [kokoro(), "en-us"],
  [piper("piper-de", "de", "de"), ""],
  [supertonic(), "en"],
];

const folder = await mkdtemp(join(tmpdir(), "aside-natural-voice-"));
const { environment } = await speakingStore(
  folder,
  MODELS.map(([maker]) => maker),
);
const setup = speechSetup(environment);
if (setup === null) throw new Error("the library of this project's tests is not installed");
write(`load ${loadavg()[0]?.toFixed(1)}`);
for (const [index, model] of setup.models.filter(({ kind }) => kind === "voice").entries()) {
  const [cold, warm, resident]: [number[], number[], number[]] = [[], [], []];
  for (let time = 0; time < TIMES; time++) {
    const engine = new SpeechEngine(setup.library);
    const language = MODELS[index]?.[1] ?? "";
    const order = { kind: "say", model: orderedModel(model), text: TEXT, speaker: 0, speed: 1, language } as const;
    for (const into of [cold, warm]) {
      const begun = performance.now();
      await engine.run(order, { isAwaited: true });
      into.push((performance.now() - begun) / 1000);
    }
    const status = await readFile(`/proc/${engine.pid}/status`, "utf8").catch(() => "");
    resident.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000);
    await engine.close();
  }
  const [first, next, memory] = [cold, warm, resident].map(median);
  write(`${model.title}: first line ${first?.toFixed(2)} s, next ${next?.toFixed(3)} s, ${memory?.toFixed(0)} MB`);
}
await rm(folder, { recursive: true, force: true });
