import { fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { askedDirectly, Eyes, eyesOutlet } from "../../../src/engine/local/llama-server.ts";
import { VisionModel } from "../../../src/engine/models/ask-model.ts";
import { plainJpeg } from "../../../src/engine/models/picture-count.ts";
import type { Question } from "../../../src/engine/models/question.ts";
import { VisionError } from "../../../src/engine/models/refusal.ts";
import { visionConfiguration } from "../../../src/engine/models/vision-settings.ts";
import type { Ledger } from "../../../src/engine/outgoing/ledger.ts";
import { openRelay } from "../../../src/engine/outgoing/relay.ts";
import { RELAY_VARIABLE } from "../../../src/engine/outgoing/send-request.ts";
import type { LlamaServerBehaviour } from "../../fakes/llama-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";
import { installStandIn, isThere, type StoredEyes } from "./installed-eyes.ts";

const SENTENCE = {
  name: "sentence",
  strict: true,
  schema: { type: "object", properties: { sentence: { type: "string" } } },
} as const;
const QUESTION: Question = {
  system: "You describe.",
  turns: [{ from: "user", parts: [{ jpeg: plainJpeg([100, 100, 100]) }, { text: "What is there?" }] }],
  schema: SENTENCE,
};
const ANSWER = { words: '{"sentence":"A man walks."}', inputTokens: 1200, outputTokens: 40 };
const { signal } = new AbortController();

function eyesFor(times: ConstructorParameters<typeof Eyes>[0] = {}): Eyes {
  const eyes = new Eyes({ startSeconds: 20, ...times });
  onTestFinished(() => eyes.end());
  return eyes;
}

/** The installed model, as a process of this program that is behind no relay asks it. */
function modelOf({ environment }: StoredEyes, eyes: Eyes): VisionModel {
  const configuration = visionConfiguration(environment);
  if (configuration.kind !== "configured") throw new TypeError(configuration.kind);
  return new VisionModel(askedDirectly(configuration.settings, environment, eyes));
}

async function failureOf(behaviour: LlamaServerBehaviour, times: ConstructorParameters<typeof Eyes>[0] = {}) {
  const store = await installStandIn(behaviour);
  const eyes = eyesFor(times);
  const model = modelOf(store, eyes);
  const error = await model.ask(QUESTION, signal).catch((reason: unknown) => reason);
  if (!(error instanceof VisionError)) throw new TypeError(`it ended otherwise: ${error}`);
  return { error, store, model, eyes, starts: await store.starts() };
}

test("the first question starts the installed program, with bounded memory and a key of its own, and others find it warm", async () => {
  const store = await installStandIn();
  const eyes = eyesFor();
  const model = modelOf(store, eyes);
  process.env["ASIDE_VISION_KEY"] = "somebody-elses-key";
  onTestFinished(() => void delete process.env["ASIDE_VISION_KEY"]);
  expect(eyes.isLoaded).toBe(false);
  expect(await model.ask(QUESTION, signal)).toMatchObject(ANSWER);
  expect(await model.ask(QUESTION, signal)).toMatchObject(ANSWER);
  const [start, ...more] = await store.starts();
  expect(more).toEqual([]);
  const flags = start?.args.join(" ") ?? "";
  for (const flag of ["--ctx-size 8192", "--parallel 1", "--cache-type-v q8_0", "--host 127.0.0.1", "--cache-ram 0"]) {
    expect(flags).toContain(flag);
  }
  expect(flags).toContain("--image-min-tokens 256 --image-max-tokens 512");
  expect(flags).not.toMatch(/api-key/);
  expect(start?.variables).toContain("LLAMA_API_KEY");
  expect(start?.variables.filter((name) => name.startsWith("ASIDE_"))).toEqual([]);
  await eyes.end();
  expect(isThere(start?.pid ?? 0)).toBe(false);
});

thoroughTest("a model that loads slowly is waited for, and one that was idle gives its memory back", async () => {
  const store = await installStandIn({ loadMs: 700 });
  const eyes = eyesFor({ idleSeconds: 0.05 });
  expect(await modelOf(store, eyes).ask(QUESTION, signal)).toMatchObject(ANSWER);
  const [start] = await store.starts();
  await expect.poll(() => isThere(start?.pid ?? 0)).toBe(false);
  expect(eyes.isLoaded).toBe(false);
  expect(await modelOf(store, eyes).ask(QUESTION, signal)).toMatchObject(ANSWER);
  expect(await store.starts()).toHaveLength(2);
});

thoroughTest("a port that is taken is left to whoever has it", async () => {
  const store = await installStandIn({ portsTaken: 2 });
  expect(await modelOf(store, eyesFor()).ask(QUESTION, signal)).toMatchObject(ANSWER);
  const ports = (await store.starts()).map(({ args }) => args[args.indexOf("--port") + 1]);
  expect(new Set(ports).size).toBe(3);
});

thoroughTest("where every port is taken, that is said, and nothing is tried without end", async () => {
  const { error, starts } = await failureOf({ portsTaken: 99 });
  expect(error.message).toMatch(/other programs kept taking its port\. Try again/);
  expect(starts).toHaveLength(3);
});

const VULKAN = "ggml_vulkan: Found 1 Vulkan devices\nvk::Queue::submit: ErrorDeviceLost";

/** Words of a driver by which it is known. */
const DRIVER_SAYS: (readonly [string, NonNullable<LlamaServerBehaviour["dies"]>])[] = [
  ["says so", { says: VULKAN }],
  [
    "has too little memory of its own",
    { says: "ggml_vulkan: Device memory allocation failed: ErrorOutOfDeviceMemory" },
  ],
];

test.each<readonly [string, NonNullable<LlamaServerBehaviour["dies"]>]>([
  ["takes the program down without a word", { says: "", signal: "SIGSEGV" }],
  ...(IS_THOROUGH ? DRIVER_SAYS : []),
])("where the driver of the graphics card %s, the processor does it, from then on", async (_how, dies) => {
  const store = await installStandIn({ dies });
  const eyes = eyesFor({ idleSeconds: 0.02 });
  expect(await modelOf(store, eyes).ask(QUESTION, signal)).toMatchObject(ANSWER);
  await expect.poll(() => eyes.isLoaded).toBe(false);
  expect(await modelOf(store, eyes).ask(QUESTION, signal)).toMatchObject(ANSWER);
  const devices = (await store.starts()).map(({ args }) => args.includes("--device"));
  expect(devices.at(-1)).toBe(true);
  expect(devices.filter((onProcessor) => !onProcessor).length).toBeLessThanOrEqual(1);
  expect(eyes.isOnProcessor(store.eyes)).toBe(true);
});

test.each([
  [
    "the model is damaged",
    { says: "gguf_init_from_file: invalid magic characters: 'ABCD', expected 'GGUF'" },
    1,
    /file is damaged.*Install Qwen3-VL 4B again: aside models remove qwen3-vl-4b, then aside models install qwen3-vl-4b/,
  ],
  [
    "memory is short everywhere",
    { says: "ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 4e9", onProcessorToo: true },
    2,
    /too little memory free.*smaller model/,
  ],
  [
    "the driver fails and the processor too",
    { says: VULKAN, onProcessorToo: true },
    2,
    /on the processor too\. Update the driver of the graphics card.*Ollama/,
  ],
  [
    "its program cannot be run",
    { says: "llama-server: error while loading shared libraries: libgomp.so.1", code: 127 },
    1,
    /does not run here.*Install llama\.cpp again/,
  ],
])("%s: it says so and what to do, and is not started again in the same job", async (_what, dies, tries, sentence) => {
  const { error, starts, model, store } = await failureOf({ dies });
  expect(error).toMatchObject({ code: "vision_engine_failed", jobCode: "model_unreachable" });
  expect(error.message).toMatch(sentence);
  expect(starts).toHaveLength(tries);
  await expect(model.ask(QUESTION, signal)).rejects.toThrow(error.message);
  expect(await store.starts()).toHaveLength(tries);
});

thoroughTest("one that never gets ready is given up, and gone", async () => {
  const { error, starts } = await failureOf({ loadMs: Number.POSITIVE_INFINITY }, { startSeconds: 3 });
  expect(error.message).toMatch(/^Qwen3-VL 4B on this computer was not ready within 3 s\. Close other programs/);
  expect(starts.map(({ pid }) => isThere(pid))).toEqual([false]);
});

thoroughTest("one that ends in the middle of an answer is started once more", async () => {
  const store = await installStandIn({ diesAnswering: 1 });
  expect(await modelOf(store, eyesFor()).ask(QUESTION, signal)).toMatchObject(ANSWER);
  expect(await store.starts()).toHaveLength(2);
});

thoroughTest("one that keeps ending is given up after the second time", async () => {
  const { error, starts } = await failureOf({ diesAnswering: 99 });
  expect(error.message).toMatch(/ended twice while it was asked \(signal SIGABRT\)\. Use a smaller model/);
  expect(starts).toHaveLength(2);
});

thoroughTest("a cancel in the middle of a picture ends the program, where that would go on with it", async () => {
  const store = await installStandIn({ pictureMs: 60_000 });
  const eyes = eyesFor({ stopMs: 100 });
  const cancel = new AbortController();
  const asked = modelOf(store, eyes).ask(QUESTION, cancel.signal);
  await expect.poll(() => readFile(join(store.modelFolder, "asked.jsonl")).catch(() => null)).not.toBeNull();
  cancel.abort(new Error("cancelled"));
  await expect(asked).rejects.toThrow("cancelled");
  await expect.poll(async () => (await store.starts()).map(({ pid }) => isThere(pid))).toEqual([false]);
});

test("a cancel between pictures leaves it warm", async () => {
  const store = await installStandIn({ hangs: true });
  const eyes = eyesFor();
  const cancel = new AbortController();
  const asked = modelOf(store, eyes).ask(QUESTION, cancel.signal);
  await expect.poll(() => readFile(join(store.modelFolder, "asked.jsonl")).catch(() => null)).not.toBeNull();
  cancel.abort(new Error("cancelled"));
  await expect(asked).rejects.toThrow("cancelled");
  const next = new AbortController();
  const again = modelOf(store, eyes).ask(QUESTION, next.signal);
  await expect
    .poll(async () => (await readFile(join(store.modelFolder, "asked.jsonl"), "utf8")).split("\n").length)
    .toBe(3);
  next.abort(new Error("cancelled too"));
  await expect(again).rejects.toThrow("cancelled too");
  expect(await store.starts()).toHaveLength(1);
});

test("who is asking as it is ended on purpose is told so, and does not start it again", async () => {
  const store = await installStandIn({ hangs: true });
  const eyes = eyesFor();
  const model = modelOf(store, eyes);
  const [asking, waiting] = [model.ask(QUESTION, signal), modelOf(store, eyes).ask(QUESTION, signal)];
  const both = Promise.allSettled([asking, waiting]);
  await expect.poll(() => readFile(join(store.modelFolder, "asked.jsonl")).catch(() => null)).not.toBeNull();
  await eyes.end();
  for (const ended of await both) {
    expect(ended).toMatchObject({
      reason: { code: "vision_engine_failed", message: expect.stringMatching(/was ended/) },
    });
  }
  expect((await store.starts()).map(({ pid }) => isThere(pid))).toEqual([false]);
});

thoroughTest("jobs take turns at one program, and another model takes its place", async () => {
  const [store, other] = [await installStandIn({ pictureMs: 30 }), await installStandIn({}, "qwen3-vl-2b")];
  const eyes = eyesFor();
  const [one, two] = [modelOf(store, eyes), modelOf(store, eyes)];
  const order: string[] = [];
  const asks = async (name: string, model: VisionModel) => {
    for (let time = 0; time < 2; time++) {
      await model.ask(QUESTION, signal);
      order.push(name);
    }
  };
  await Promise.all([asks("one", one), asks("two", two)]);
  expect(order).toEqual(["one", "two", "one", "two"]);
  expect(await modelOf(other, eyes).ask(QUESTION, signal)).toMatchObject(ANSWER);
  const [start] = await store.starts();
  expect([isThere(start?.pid ?? 0), (await other.starts()).length]).toEqual([false, 1]);
});

test("a process without a network reaches it by its relay, and nothing is charged", async () => {
  const store = await installStandIn();
  const eyes = eyesFor();
  const charges: string[] = [];
  const ledger: Ledger = {
    reserve: async (kind) => {
      charges.push(kind);
      return "entry";
    },
    settle: async () => undefined,
    judge: async () => undefined,
    totals: async () => ({ requests: 0, inputTokens: 0, outputTokens: 0, cost: 0, uselessInARow: 0 }),
  };
  const outlets = [eyesOutlet(store.environment, "qwen3-vl-4b", eyes)];
  const relay = await openRelay(outlets, await temporaryFolder(), () => ledger);
  onTestFinished(() => relay[Symbol.dispose]());
  process.env[RELAY_VARIABLE] = relay.path;
  onTestFinished(() => void delete process.env[RELAY_VARIABLE]);
  const configuration = visionConfiguration(store.environment);
  if (configuration.kind !== "configured") throw new TypeError(configuration.kind);
  expect(await new VisionModel(configuration.settings).ask(QUESTION, signal)).toMatchObject(ANSWER);
  expect(charges).toEqual([]);
});

test("such a process is told in whole sentences why it does not run", async () => {
  const store = await installStandIn({ dies: { says: "error loading model: invalid magic" } });
  const relay = await openRelay([eyesOutlet(store.environment, "qwen3-vl-4b", eyesFor())], await temporaryFolder());
  onTestFinished(() => relay[Symbol.dispose]());
  process.env[RELAY_VARIABLE] = relay.path;
  onTestFinished(() => void delete process.env[RELAY_VARIABLE]);
  const configuration = visionConfiguration(store.environment);
  if (configuration.kind !== "configured") throw new TypeError(configuration.kind);
  const asked = new VisionModel(configuration.settings).ask(QUESTION, signal);
  await expect(asked).rejects.toMatchObject({
    code: "vision_engine_failed",
    message: expect.stringMatching(/file is damaged/),
  });
  expect(await store.starts()).toHaveLength(1);
});

test.runIf(process.platform !== "win32")(
  "it ends with the process that started it, also where that is killed",
  async () => {
    const store = await installStandIn();
    const parent = fork(fileURLToPath(new URL("./loads-eyes.ts", import.meta.url)), [
      JSON.stringify(store.environment),
    ]);
    onTestFinished(() => void parent.kill("SIGKILL"));
    await once(parent, "message");
    const [start] = await store.starts();
    expect(isThere(start?.pid ?? 0)).toBe(true);
    parent.kill("SIGKILL");
    await expect.poll(() => isThere(start?.pid ?? 0)).toBe(false);
  },
);
