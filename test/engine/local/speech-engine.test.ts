import { execFile } from "node:child_process";
import { readFile, rm, truncate, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { SpeechEngine } from "../../../src/engine/local/speech-engine.ts";
import type { SayOrder } from "../../../src/engine/local/speech-orders.ts";
import { orderedModel } from "../../../src/engine/local/speech-setup.ts";
import { installedModels } from "../../../src/engine/store/installed.ts";
import {
  frequencyOf,
  kokoro,
  type ModelMaker,
  piper,
  speakerHz,
  speakingStore,
  supertonic,
} from "../../fakes/speaking-models.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";

const LIBRARY = createRequire(import.meta.url).resolve("sherpa-onnx-node");

let shared: Awaited<ReturnType<typeof storeOf>>;
beforeAll(async () => {
  shared = await storeOf([kokoro(), piper("piper-de", "de", "de"), supertonic()]);
});

const opened: SpeechEngine[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
});

describe("the process of the speech library", () => {
  test.each([
    ["kokoro-en", 5, "en-us"],
    ["piper-de", 0, ""],
    ["supertonic-3", 6, "de"],
  ])("speaks with the real library and a real model file: %s", async (id, speaker, language) => {
    const { samples, sampleRate } = await engine().run(say(id, { speaker, language }), { isAwaited: true });
    expect(sampleRate).toBe(24_000);
    expect(samples.length / sampleRate).toBeGreaterThan(1);
    expect(frequencyOf({ samples, sampleRate })).toBeCloseTo(speakerHz(speaker), -1);
  });

  test("speaks twice as fast where that is ordered", async () => {
    const one = engine();
    const lines = [1, 2].map((speed) => one.run(say("supertonic-3", { speed, language: "en" }), { isAwaited: true }));
    const [normal = 0, fast = 0] = (await Promise.all(lines)).map(({ samples }) => samples.length);
    expect(normal / fast).toBeCloseTo(2, 1);
  });

  test("gives equal samples for equal orders, in another process as well", async () => {
    const takes = await Promise.all(
      [engine(), engine()].map((one) => one.run(say("supertonic-3", { language: "en" }), { isAwaited: true })),
    );
    expect(takes[0]?.samples).toEqual(takes[1]?.samples);
  });

  test("is one for all orders, and does those first that somebody waits for", async () => {
    const one = engine();
    const done: string[] = [];
    const order = (name: string, isAwaited: boolean) =>
      one.run(say("kokoro-en"), { isAwaited }).then(() => done.push(name));
    const first = order("first of a job", false);
    const pid = vi.waitUntil(() => one.pid);
    await Promise.all([first, order("second of a job", false), order("of a person", true)]);
    expect(done).toEqual(["first of a job", "of a person", "second of a job"]);
    expect(one.pid).toBe(await pid);
  });

  test("ends when nobody has asked for a while, and starts again for the next", async () => {
    const one = engine({ idleMs: 20 });
    await one.run(say("kokoro-en"), { isAwaited: true });
    const pid = Number(one.pid);
    await vi.waitUntil(() => one.pid === null && !isRunning(pid));
    await one.run(say("kokoro-en"), { isAwaited: true });
  });

  thoroughTest("is gone after a cancel in the middle of a line, and the next line is spoken", async () => {
    const slow = await storeOf([kokoro("kokoro-slow", { nodes: 300 })]);
    const one = engine();
    await one.run(say("kokoro-en"), { isAwaited: true });
    const pid = Number(one.pid);
    const stop = new AbortController();
    const text = "The view moves to the left, and then to the right, and then back again. ".repeat(20);
    const spoken = one.run({ ...say("kokoro-slow", {}, slow), text }, { isAwaited: true, signal: stop.signal });
    // The library works, which nothing else in that process does.
    const before = await processorTicks(pid);
    await vi.waitUntil(async () => (await processorTicks(pid)) > before + 20, { timeout: 15_000 });
    stop.abort(new Error("enough"));
    await expect(spoken).rejects.toThrow("enough");
    await vi.waitUntil(() => !isRunning(pid), { interval: 5, timeout: 15_000 });
    await one.run(say("kokoro-en"), { isAwaited: true });
  });

  test("forgets an order that is cancelled while it waits, and lets the one before it go on", async () => {
    const one = engine();
    const stop = new AbortController();
    const first = one.run(say("kokoro-en"), { isAwaited: false });
    const second = one.run(say("kokoro-en"), { isAwaited: false, signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
    expect((await first).samples.length).toBeGreaterThan(0);
  });

  test("names the model that ends it and what to do, tries it no second time, and speaks on with others", async () => {
    const store = await storeOf([kokoro()]);
    // The library ends its process on a file of voices that has another length than the model says.
    await truncate(join(store.folder, "kokoro-en", "voices.bin"), 200);
    const one = engine();
    const broken = () => one.run(say("kokoro-en", {}, store), { isAwaited: true });
    const sentence =
      "Kokoro English cannot be loaded: its files are damaged. Check it with aside models check kokoro-en, or remove it and install it again.";
    await expect(broken()).rejects.toMatchObject({ code: "model_unusable", message: sentence });
    await vi.waitUntil(() => one.pid === null);
    await expect(broken()).rejects.toThrow(sentence);
    expect(one.pid).toBeNull();
    await one.run(say("supertonic-3"), { isAwaited: true });
  });

  test("tries a model again that was installed anew", async () => {
    const store = await storeOf([kokoro()]);
    const path = join(store.folder, "kokoro-en", "model.onnx");
    const whole = await readFile(path);
    await writeFile(path, "no model");
    const one = engine();
    await expect(one.run(say("kokoro-en", {}, store), { isAwaited: true })).rejects.toThrow("damaged");
    await writeFile(path, whole);
    await one.run(say("kokoro-en", {}, store), { isAwaited: true });
  });

  test("says which part of a model is missing", async () => {
    const store = await storeOf([kokoro()]);
    await rm(join(store.folder, "kokoro-en", "tokens.txt"));
    const one = engine();
    await expect(one.run(say("kokoro-en", {}, store), { isAwaited: true })).rejects.toThrow(
      'its file "tokens" is missing',
    );
    const { model } = say("supertonic-3");
    const { vocoder: _, ...files } = model.files;
    const order = { ...say("supertonic-3"), model: { ...model, files } };
    await expect(one.run(order, { isAwaited: true })).rejects.toThrow('its file "vocoder" is missing');
  });

  test("says what to do where the library itself cannot be loaded", async () => {
    const one = engine({}, join(shared.folder, "kokoro-en", "tokens.txt"));
    await expect(one.run(say("kokoro-en"), { isAwaited: true })).rejects.toMatchObject({ code: "engine_unusable" });
  });

  test("ends itself over its memory, and says so", async () => {
    const one = engine({ memoryLimitBytes: 10_000_000 });
    const store = await storeOf([kokoro("kokoro-slow", { nodes: 300 })]);
    const text = "The view moves to the left, and then to the right, and then back again. ".repeat(20);
    const order = one.run({ ...say("kokoro-slow", {}, store), text }, { isAwaited: true });
    await expect(order).rejects.toThrow("took more than 0.0 GB of memory");
  });

  test.skipIf(process.platform !== "linux")("has neither a key, a network, nor a priority above a job's", async () => {
    vi.stubEnv("ASIDE_VOICE_KEY", "secret");
    const one = engine();
    await one.run(say("kokoro-en"), { isAwaited: false });
    const of = (name: string) => readFile(`/proc/${one.pid}/${name}`, "utf8");
    expect(await of("environ")).not.toContain("secret");
    const links = (await of("net/dev"))
      .split("\n")
      .slice(2)
      .filter((line) => line.trim() !== "");
    expect(links.map((line) => line.trim().split(":")[0])).toEqual(["lo"]);
    expect(Number((await of("stat")).split(" ")[18])).toBeGreaterThan(0);
    vi.unstubAllEnvs();
  });

  thoroughTest(
    "keeps a process until its order is done and it is closed, and no longer",
    async () => {
      const module = new URL("../../../src/engine/local/speech-engine.ts", import.meta.url).href;
      const program = (last: string) => `import { SpeechEngine } from ${JSON.stringify(module)};
      const engine = new SpeechEngine(${JSON.stringify(LIBRARY)});
      await engine.run(${JSON.stringify(say("kokoro-en"))}, { isAwaited: true });
      ${last}
      console.log("done");`;
      for (const last of ["", "await engine.close();"]) {
        const args = ["--input-type=module", "-e", program(last)];
        expect((await promisify(execFile)(process.execPath, args, { timeout: 10_000 })).stdout).toBe("done\n");
      }
    },
    20_000,
  );

  test("tells who waits that the service is ending", async () => {
    const one = engine();
    const lines = [1, 2].map(() => one.run(say("kokoro-en"), { isAwaited: true }));
    await vi.waitUntil(() => one.pid !== null);
    const ends = Promise.allSettled(lines);
    await one.close();
    const closed = { status: "rejected", reason: { code: "engine_closed" } };
    expect(await ends).toMatchObject([closed, closed]);
    expect(one.pid).toBeNull();
  });
});

function engine(options: ConstructorParameters<typeof SpeechEngine>[1] = {}, library = LIBRARY): SpeechEngine {
  const one = new SpeechEngine(library, options);
  opened.push(one);
  return one;
}

async function storeOf(makers: readonly ModelMaker[]) {
  const { folder, environment } = await speakingStore(await temporaryFolder(), makers);
  return { folder, models: installedModels(environment) };
}

function say(id: string, more: Partial<SayOrder> = {}, { models } = shared): SayOrder {
  const model = models.find((one) => one.id === id);
  if (model === undefined) throw new Error(`no model ${id}`);
  const plain = { text: "The view moves to the left.", speaker: 0, speed: 1, language: id === "piper-de" ? "" : "en" };
  return { kind: "say", ...plain, model: orderedModel(model), ...more };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function processorTicks(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(" ");
  return Number(fields[13]) + Number(fields[14]);
}
