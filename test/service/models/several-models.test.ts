import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { CatalogModel } from "../../../src/engine/store/catalog-row.ts";
import { thisComputer } from "../../../src/engine/store/this-computer.ts";
import { ModelStore } from "../../../src/service/models/model-store.ts";
import { modelOf, sha256 } from "../../engine/store/archives.ts";
import { silentAfter, startFileServer } from "../../fakes/file-server.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// A store with more than one of everything: models, engines, files, what an earlier list had, and what Ollama keeps.

const { signal } = new AbortController();
const FILE = Buffer.alloc(1_000, "weights ");

/** A store over a server that has each file of two models and two engines. */
async function storeOfSeveral() {
  const server = await startFileServer(
    Object.fromEntries(["a1", "a2", "b1", "speech", "speech2", "eyes"].map((name) => [`/${name}`, FILE])),
  );
  const sources = (...names: readonly string[]) =>
    names.map((into) => ({ url: `${server.origin}/${into}`, bytes: FILE.length, sha256: sha256(FILE), into }));
  const engine = (id: "sherpa-onnx" | "llama-server", ...names: readonly string[]) =>
    modelOf(sources(...names), { module: names[0] ?? "" }, { id, form: id, kind: "engine", title: id });
  const engines = {
    "sherpa-onnx": engine("sherpa-onnx", "speech", "speech2"),
    "llama-server": engine("llama-server", "eyes"),
  };
  const catalog: readonly CatalogModel[] = [
    modelOf(sources("a1", "a2"), { model: "a1", tokens: "a2" }, { id: "a", title: "A", remark: "The first." }),
    modelOf(sources("b1"), { model: "b1" }, { id: "b", title: "B", remark: "The second." }),
  ];
  const folder = await temporaryFolder();
  const store = new ModelStore({
    variables: async () => ({ ASIDE_VISION_URL: "http://127.0.0.1:1", ASIDE_VISION_PRESET: "ollama" }),
    folder,
    offer: { catalog, engineFor: (form) => engines[form as keyof typeof engines] ?? null, computer: thisComputer },
  });
  onTestFinished(() => store.cancel());
  const rows = async () => (await store.look(signal)).models;
  const ordered = async (id: string) => {
    await store.start(id);
    expect(await store.settled()).toBeNull();
  };
  /** Lays what an earlier list had installed. */
  const lay = async (id: string, more: object = {}) => {
    await mkdir(join(folder, id));
    await writeFile(join(folder, id, "weights"), FILE);
    const manifest = { ...modelOf([], { model: "weights" }), id, title: `Old ${id}`, contents: {}, ...more };
    await writeFile(join(folder, id, "installed.json"), JSON.stringify(manifest));
  };
  return { server, store, folder, rows, ordered, lay };
}

test("each model is listed with what it still takes, its engine too, from every address, and is told by itself once it is there", async () => {
  const { server, rows, ordered } = await storeOfSeveral();
  const addresses = (...names: readonly string[]) => names.map((name) => `${server.origin}/${name}`);
  expect(await rows()).toMatchObject([
    {
      id: "a",
      bytes: 4_000,
      state: "absent",
      remark: "The first.",
      addresses: addresses("speech", "speech2", "a1", "a2"),
    },
    { id: "b", bytes: 3_000, state: "absent", remark: "The second.", addresses: addresses("speech", "speech2", "b1") },
  ]);
  await ordered("b");
  const [a, b] = await rows();
  expect([a, b]).toMatchObject([
    { id: "a", bytes: 2_000, state: "absent", addresses: addresses("a1", "a2") },
    { id: "b", state: "installed", addresses: [] },
  ]);
  expect(b?.bytes).toBeGreaterThan(FILE.length);
});

test("what an earlier list had is told, each with its room, and can be checked and removed by its name", async () => {
  const { rows, ordered, lay, store, folder } = await storeOfSeveral();
  await ordered("b");
  for (const id of ["old1", "old2"]) await lay(id);
  const others = (await rows()).slice(2);
  expect(others.map(({ id, title, state }) => [id, title, state])).toEqual([
    ["old1", "Old old1", "installed"],
    ["old2", "Old old2", "installed"],
  ]);
  for (const { bytes } of others) expect(bytes).toBeGreaterThan(FILE.length);
  expect(await store.remove("old2", signal)).toBe(others[1]?.bytes);
  expect((await readdir(folder)).filter((name) => name.startsWith("old"))).toEqual(["old1"]);
});

test("an engine goes with the last model that takes it, and no sooner; each of the two engines does", async () => {
  const { ordered, lay, store, folder } = await storeOfSeveral();
  const there = async () => (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
  await lay("eyes-of-before", { kind: "eyes" });
  await lay("llama-server", { kind: "engine" });
  for (const id of ["a", "b"]) await ordered(id);
  expect(await there()).toEqual(["a", "b", "eyes-of-before", "llama-server", "sherpa-onnx"]);
  await store.remove("a", signal);
  expect(await there()).toEqual(["b", "eyes-of-before", "llama-server", "sherpa-onnx"]);
  await store.remove("b", signal);
  expect(await there()).toEqual(["eyes-of-before", "llama-server"]);
  await store.remove("eyes-of-before", signal);
  expect(await there()).toEqual([]);
});

test("a check is told by the model's title, and finds what is damaged of the model as of its engine", async () => {
  const { ordered, store, folder } = await storeOfSeveral();
  await ordered("a");
  await store.check("a");
  expect(store.download).toMatchObject({ model: "a", message: "A: beginning." });
  expect(await store.settled()).toBeNull();
  expect(store.download).toMatchObject({ state: "done", message: "A is ready." });
  await writeFile(join(folder, "a", "a2"), "damaged");
  await store.check("a");
  expect(await store.settled()).toMatchObject({ code: "model_wrong", message: expect.stringMatching(/^A is damaged/) });
});

test("whether somebody forbids an order is looked at once a second while it goes on, and never again", async () => {
  const server = await startFileServer({ "/model": FILE });
  server.answer("/model", silentAfter(500));
  let asked = 0;
  const model = modelOf([{ url: `${server.origin}/model`, bytes: FILE.length, sha256: sha256(FILE), into: "model" }], {
    model: "model",
  });
  const store = new ModelStore({
    variables: async () => {
      asked++;
      return {};
    },
    folder: await temporaryFolder(),
    offer: { catalog: [model], engineFor: () => ({ ...model, id: "engine", kind: "engine" }), computer: thisComputer },
  });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  await store.start("tones");
  expect(asked).toBe(1);
  vi.advanceTimersByTime(999);
  expect(asked).toBe(1);
  vi.advanceTimersByTime(2_001);
  expect(asked).toBe(4);
  await store.cancel();
  vi.advanceTimersByTime(60_000);
  expect(asked).toBe(4);
});

describe("what Ollama keeps", () => {
  /** An Ollama that has one model, and takes and gives others up. */
  async function storeOverOllama(has: readonly string[]) {
    const names = new Set(has);
    const server = await startModelServer(({ path, body }) => {
      const { model = "" } = (body ?? {}) as { model?: string };
      if (path === "/api/version") return { body: { version: "0.40.12" } };
      if (path === "/api/show") return names.has(model) ? { body: { capabilities: ["vision"] } } : undefined;
      if (path === "/api/delete") return names.delete(model) ? { body: {} } : undefined;
      if (path !== "/api/pull") return undefined;
      names.add(model);
      return { body: '{"status":"success"}\n' };
    });
    const variables = { ASIDE_VISION_URL: server.origin, ASIDE_VISION_PRESET: "ollama", ASIDE_VISION_MODEL: "m" };
    const store = new ModelStore({ variables: async () => variables, folder: null });
    onTestFinished(() => store.cancel());
    return { names, store };
  }

  test("is listed, each model as it is there, fetched by its name, and given back by as much as it took", async () => {
    const { names, store } = await storeOverOllama(["qwen3-vl:4b-instruct"]);
    const states = async () => (await store.look(signal)).models.map(({ title, state }) => [title, state]);
    expect(await states()).toEqual([
      ["qwen3-vl:2b-instruct", "absent"],
      ["qwen3-vl:4b-instruct", "installed"],
      ["qwen3-vl:8b-instruct", "absent"],
      ["gemma4:e4b", "absent"],
    ]);
    await store.start("ollama:gemma4:e4b");
    expect(store.download).toMatchObject({ model: "ollama:gemma4:e4b", message: "gemma4:e4b: beginning." });
    expect(await store.settled()).toBeNull();
    expect([...names]).toEqual(["qwen3-vl:4b-instruct", "gemma4:e4b"]);
    expect(await store.remove("ollama:gemma4:e4b", signal)).toBe(9.6e9);
    expect([...names]).toEqual(["qwen3-vl:4b-instruct"]);
  });
});
