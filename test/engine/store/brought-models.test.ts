import fs from "node:fs";
import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { CatalogModel, Source } from "../../../src/engine/store/catalog-row.ts";
import {
  arrivedBytes,
  bytesOf,
  checkModel,
  type ModelOrder,
  orderModels,
  removeModel,
  stateInStore,
} from "../../../src/engine/store/install.ts";
import { readInstalled } from "../../../src/engine/store/installed.ts";
import { diskJournal } from "../../fakes/disk-journal.ts";
import { passedPauses } from "../../fakes/passed-pauses.ts";
import { replaceCalls } from "../../fakes/replaced-calls.ts";
import { unawaitedChanges } from "../../fakes/slow-disk.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { modelOf, sha256, tarGz, zip } from "./archives.ts";

// Orders from a folder of this computer, small ones: what a store keeps and clears away, without a server.

const { signal } = new AbortController();
const FILES = { "model.onnx": "weights", "tokens.txt": "a b" };

let stick: string;
let folder: string;
let engine: CatalogModel;
let voice: CatalogModel;
beforeEach(async () => {
  [stick, folder] = [await temporaryFolder(), await temporaryFolder()];
  const source = async (name: string, bytes: Buffer | string, into: string, more: Partial<Source> = {}) => {
    await writeFile(join(stick, name), bytes);
    const url = `https://hub.example/${name}`;
    return { url, bytes: Buffer.from(bytes).length, sha256: sha256(bytes), into, ...more };
  };
  const library = await tarGz({ "package/package.json": "{}", "package/lib/index.js": "module.exports = 1;" });
  const program = zip({ server: "run", "ggml.so": "library" });
  engine = modelOf(
    [
      await source("library.tgz", library, "node_modules/library", { archive: { kind: "tar.gz", strip: 1, mostBytes: 1_000 } }), // biome-ignore format: a source a row
      await source("program.zip", program, "", { archive: { kind: "zip", strip: 0, mostBytes: 1_000 } }),
    ],
    { module: "node_modules/library/lib/index.js", program: /^server$/ },
    { id: "engine", kind: "engine" },
  );
  voice = modelOf(
    [
      await source("model.onnx", FILES["model.onnx"], "model.onnx"),
      await source("tokens.txt", FILES["tokens.txt"], "data/tokens.txt"),
    ],
    { model: "model.onnx", data: "data" },
  );
});

const options = (more: Partial<ModelOrder> = {}): ModelOrder => ({
  ...{ folder, environment: {}, signal, onProgress: () => {}, from: stick },
  ...more,
});
const order = (models: readonly CatalogModel[] = [engine, voice], more: Partial<ModelOrder> = {}) =>
  orderModels(models, options(more));
const textOf = (...path: string[]) => readFile(join(folder, ...path), "utf8");

describe("models that were brought", () => {
  test("are there with all of their archives and files, each at its place, and nothing else is left", async () => {
    const seen: string[] = [];
    await order([engine, voice], {
      onProgress: ({ completedBytes, totalBytes }) => seen.push(`${completedBytes}/${totalBytes}`),
    });
    expect((await readInstalled(folder)).map(({ id, files }) => [id, files])).toEqual([
      ["engine", { module: "node_modules/library/lib/index.js", program: "server" }],
      ["tones", { model: "model.onnx", data: "data" }],
    ]);
    expect(await textOf("engine", "node_modules", "library", "lib", "index.js")).toBe("module.exports = 1;");
    expect([await textOf("engine", "server"), await textOf("engine", "ggml.so")]).toEqual(["run", "library"]);
    expect([await textOf("tones", "model.onnx"), await textOf("tones", "data", "tokens.txt")]).toEqual(["weights", "a b"]); // biome-ignore format: two files
    const contents = async (id: string) => JSON.parse(await textOf(id, "installed.json")).contents;
    const { sources } = JSON.parse(await textOf("tones", "installed.json"));
    expect(sources).toEqual(voice.sources.map(({ url, sha256: sum }) => ({ url, sha256: sum, sum_from: "pinned" })));
    expect(await contents("engine")).toEqual({
      "node_modules/library/package.json": { bytes: 2, sha256: sha256("{}") },
      "node_modules/library/lib/index.js": { bytes: 19, sha256: sha256("module.exports = 1;") },
      server: { bytes: 3, sha256: sha256("run") },
      "ggml.so": { bytes: 7, sha256: sha256("library") },
    });
    expect(await contents("tones")).toEqual({
      "model.onnx": { bytes: 7, sha256: sha256("weights") },
      "data/tokens.txt": { bytes: 3, sha256: sha256("a b") },
    });
    expect((await readdir(folder)).sort()).toEqual([".arriving", "engine", "tones"]);
    expect(await readdir(join(folder, ".arriving"))).toEqual([]);
    const total = [...engine.sources, ...voice.sources].reduce((sum, { bytes }) => sum + bytes, 0);
    expect(seen.at(-1)).toBe(`${total}/${total}`);
    // How much it will be is known from the first byte on.
    expect(new Set(seen.map((one) => one.split("/")[1]))).toEqual(new Set([String(total)]));
    expect((await readdir(stick)).sort()).toEqual(["library.tgz", "model.onnx", "program.zip", "tokens.txt"]);
  });

  test("outlast a power cut: every file is on the disk before the model has its name, and its manifest at last", async () => {
    const inStore = (path: string) =>
      path.startsWith(folder) ? relative(folder, path).replace(/\.[\w-]{36}\./, ".*.") : null;
    const { lines, hasty } = diskJournal(inStore);
    await order();
    const named = lines.indexOf("rename .engine.*.new engine");
    const before = lines.slice(0, named).filter((line) => line.startsWith("sync .engine"));
    expect(before.map((line) => line.split("/").at(-1)).sort()).toEqual([
      "ggml.so",
      "index.js",
      "package.json",
      "server",
    ]);
    for (const id of ["engine", "tones"]) {
      const placed = lines.indexOf(`rename .${id}.*.new ${id}`);
      expect(placed).toBeGreaterThan(0);
      expect(lines.slice(placed)).toContain(`sync ${id}/installed.json`);
    }
    expect(hasty).toEqual([]);
  });
});

test("damage of any file is found, whatever stands before it, and a model that is mended is loaded again", async () => {
  await order();
  const check = (model: CatalogModel) => checkModel(model, options());
  expect([await check(engine), await check(voice)]).toEqual([[], []]);
  await writeFile(join(folder, "tones", "data", "tokens.txt"), "a B");
  await writeFile(join(folder, "engine", "ggml.so"), "1ibrary");
  await writeFile(join(folder, "engine", "node_modules", "library", "package.json"), "longer");
  expect(await check(voice)).toEqual(["data/tokens.txt"]);
  expect(await check(engine)).toEqual(["node_modules/library/package.json", "ggml.so"]);
  expect(await readInstalled(folder)).toEqual([]);
  expect([await stateInStore(folder, engine), await stateInStore(folder, voice)]).toEqual(["damaged", "damaged"]);
  await writeFile(join(folder, "tones", "data", "tokens.txt"), "a b");
  expect(await check(voice)).toEqual([]);
  expect((await readInstalled(folder)).map(({ id }) => id)).toEqual(["tones"]);
  await order();
  expect(await stateInStore(folder, engine)).toBe("installed");
  // A file of another size is seen without being read.
  await writeFile(join(folder, "engine", "ggml.so"), "a longer library");
  expect(await stateInStore(folder, engine)).toBe("damaged");
});

test("removing gives back the room of all files, and of all that arrived", async () => {
  await order([voice]);
  const whole = await bytesOf(join(folder, "tones"));
  const manifest = (await textOf("tones", "installed.json")).length;
  expect(whole).toBe(7 + 3 + manifest);
  expect(await removeModel(voice, folder, signal)).toBe(whole);
  expect((await readdir(folder)).sort()).toEqual([".arriving"]);
  // As an order leaves what came before its line broke.
  const third = { url: "https://hub.example/third.txt", bytes: 1, sha256: sha256("x"), into: "third.txt" };
  await writeFile(join(stick, "third.txt"), "y");
  const larger = { ...voice, sources: [...voice.sources, third] };
  await expect(order([larger])).rejects.toMatchObject({ code: "model_wrong" });
  expect([await stateInStore(folder, larger), await arrivedBytes(folder, larger)]).toEqual(["partial", 10]);
  expect(await removeModel(larger, folder, signal)).toBe(10);
  expect([await readdir(folder), await readdir(join(folder, ".arriving"))]).toEqual([[".arriving"], []]);
});

test("an order clears away what killed ones left of its model, however many, and what was unpacked more than a day ago", async () => {
  const hours = async (name: string, ago: number) => {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "model.onnx"), "half");
    const then = Date.now() / 1000 - 3600 * ago;
    await utimes(join(folder, name), then, then);
  };
  for (const name of [".tones.1.new", ".tones.2.old", ".tones.3.new", ".other.4.new"]) await hours(name, 0);
  await hours(".given.1", 25);
  await hours(".given.2", 23);
  await hours(".given.3", 25);
  await order([voice]);
  expect((await readdir(folder)).sort()).toEqual([".arriving", ".given.2", ".other.4.new", "tones"]);
});

test("whatever an order changes on the disk is done before the next change, and before it ends", async () => {
  await order([voice]);
  await writeFile(join(folder, "tones", "model.onnx"), "of another length");
  for (const name of [".tones.1.new", ".tones.2.old"]) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "model.onnx"), "weights");
  }
  const unawaited = await unawaitedChanges(folder, () => order([voice]));
  // What has arrived of several files may go at once.
  expect(unawaited.filter((change) => !/^rm [0-9a-f]{16}-/.test(change))).toEqual([]);
  const lacking = { ...voice, id: "other", files: { extra: "extra.bin" } };
  const failing = () => order([lacking]).catch(() => undefined);
  expect((await unawaitedChanges(folder, failing)).filter((change) => change.includes("other"))).toEqual([]);
});

test("what an order cannot be made of leaves nothing beside what was there", async () => {
  const lacking = { ...engine, files: { ...engine.files, extra: "extra.bin" } };
  await expect(order([lacking])).rejects.toMatchObject({ code: "model_wrong" });
  expect((await readdir(folder)).filter((name) => name !== ".arriving")).toEqual([]);
  let released = 0;
  await order();
  await writeFile(join(folder, "tones", "model.onnx"), "other");
  await order([voice], { release: async () => (released += 1) });
  expect([released, await textOf("tones", "model.onnx")]).toEqual([1, "weights"]);
});

test("all files that were not brought are told at once, and nothing is copied before", async () => {
  for (const name of ["tokens.txt", "program.zip"]) await rm(join(stick, name));
  const failed = order();
  await expect(failed).rejects.toMatchObject({ code: "model_unknown" });
  await expect(failed).rejects.toThrow(
    /does not have these files\. .*\n +https:\/\/hub\.example\/program\.zip\n +https:\/\/hub\.example\/tokens\.txt$/,
  );
  expect(await readdir(folder)).toEqual([]);
});

test("several archives serve as a folder does, and what was unpacked of them is gone afterwards", async () => {
  const brought = await temporaryFolder();
  await writeFile(join(brought, "one.tgz"), await tarGz({ "a/model.onnx": "weights" }));
  await writeFile(join(brought, "two.zip"), zip({ "tokens.txt": "a b" }));
  const given = ["one.tgz", "two.zip"].map((name) => ({ name, path: join(brought, name) }));
  await order([voice], { from: given });
  expect((await readInstalled(folder)).map(({ id }) => id)).toEqual(["tones"]);
  expect((await readdir(folder)).sort()).toEqual([".arriving", "tones"]);
});

test("a file of several blocks is copied, and checked, to its last byte", async () => {
  const weights = Buffer.alloc(2_500_000, "weights of a model ");
  await writeFile(join(stick, "large.onnx"), weights);
  const url = "https://hub.example/large.onnx";
  const source = { url, bytes: weights.length, sha256: sha256(weights), into: "large.onnx" };
  const large = modelOf([source], { model: "large.onnx" });
  const told: number[] = [];
  await order([large], { onProgress: ({ completedBytes }) => told.push(completedBytes) });
  expect(told.at(-1)).toBe(weights.length);
  expect(await readFile(join(folder, "tones", "large.onnx"))).toEqual(weights);
  const checked: number[] = [];
  const onProgress = ({ completedBytes }: { readonly completedBytes: number }) => checked.push(completedBytes);
  expect(await checkModel(large, options({ onProgress }))).toEqual([]);
  expect(checked.at(-1)).toBe(weights.length);
  weights[weights.length - 1] = 0;
  await writeFile(join(folder, "tones", "large.onnx"), weights);
  expect(await checkModel(large, options())).toEqual(["large.onnx"]);
});

test("an archive that a model is made of is not looked into for other files", async () => {
  const inner = zip({ server: "run", "model.onnx": "of the program" });
  const archive = { kind: "zip", strip: 0, mostBytes: 1_000 } as const;
  const url = "https://hub.example/program.zip";
  const program = { url, bytes: inner.length, sha256: sha256(inner), into: "", archive };
  const own = { ...engine, sources: [...engine.sources.slice(0, 1), program] };
  await writeFile(join(stick, "program.zip"), inner);
  await writeFile(join(stick, "rest.tgz"), await tarGz({ "m/model.onnx": "weights", "m/tokens.txt": "a b" }));
  const from = ["library.tgz", "program.zip", "rest.tgz"].map((name) => ({ name, path: join(stick, name) }));
  await order([own, voice], { from });
  expect(await textOf("tones", "model.onnx")).toBe("weights");
});

test("a file that another program holds for a moment is waited for", async () => {
  const pauses = passedPauses();
  const { rename } = fs.promises;
  let refusals = 3;
  const held = async (...given: Parameters<typeof rename>) => {
    if (refusals-- > 0) throw Object.assign(new Error("resource busy"), { code: "EBUSY" });
    return rename(...given);
  };
  onTestFinished(replaceCalls(fs.promises, { rename: held }));
  await order([voice]);
  expect(pauses).toEqual([20, 40, 80]);
  expect((await readInstalled(folder)).map(({ id }) => id)).toEqual(["tones"]);
});
