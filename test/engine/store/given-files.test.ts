import fs from "node:fs";
import { type FileHandle, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { CatalogModel } from "../../../src/engine/store/catalog-row.ts";
import { GivenFiles } from "../../../src/engine/store/given-files.ts";
import { orderModels } from "../../../src/engine/store/install.ts";
import { replaceCalls } from "../../fakes/replaced-calls.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { modelOf, sha256, tarGz, zip } from "./archives.ts";

// What a person brings in whichever form, for a model of two files.

const { signal } = new AbortController();

let brought: string;
let folder: string;
let voice: CatalogModel;
beforeEach(async () => {
  [brought, folder] = [await temporaryFolder(), await temporaryFolder()];
  const source = (name: string, text: string) => {
    return { url: `https://hub.example/${name}`, bytes: text.length, sha256: sha256(text), into: name };
  };
  const sources = [source("model.onnx", "weights"), source("tokens.txt", "a b")];
  voice = modelOf(sources, { model: "model.onnx", tokens: "tokens.txt" });
});

const orderFrom = (from: string | readonly { readonly name: string; readonly path: string }[]) =>
  orderModels([voice], { folder, environment: {}, signal, onProgress: () => undefined, from });
const textOf = (name: string) => readFile(join(folder, "tones", name), "utf8");

test("of what was brought all is told by name where something is missing, and what was unpacked of it is gone", async () => {
  await writeFile(join(brought, "one.tgz"), await tarGz({ "a/model.onnx": "weights" }));
  await writeFile(join(brought, "notes.txt"), "nothing");
  const given = ["notes.txt", "one.tgz"].map((name) => ({ name, path: join(brought, name) }));
  await expect(orderFrom(given)).rejects.toThrow(
    /^What was brought \(notes\.txt, one\.tgz\) does not have this file\. .*:\n {2}https:\/\/hub\.example\/tokens\.txt$/,
  );
  expect(await readdir(folder)).toEqual([]);
  // Nor of one that cannot be unpacked behind one that can.
  await writeFile(join(brought, "two.zip"), zip({ "tokens.txt": "a b".repeat(100) }).subarray(0, 45));
  const broken = ["one.tgz", "two.zip"].map((name) => ({ name, path: join(brought, name) }));
  await expect(orderFrom(broken)).rejects.toMatchObject({ code: "model_wrong" });
  expect(await readdir(folder)).toEqual([]);
});

test("of two files of a name the one nearer to the top is meant, or the one that lies as a mirror has it", async () => {
  const lying = async (path: string, text: string) => {
    await mkdir(join(brought, path, ".."), { recursive: true });
    await writeFile(join(brought, path), text);
  };
  await lying("a/deep/model.onnx", "another");
  await lying("z/model.onnx", "weights");
  await lying("tokens.txt", "c d");
  await lying("other.example/tokens.txt", "e f");
  await lying("hub.example/tokens.txt", "a b");
  await orderFrom(brought);
  expect([await textOf("model.onnx"), await textOf("tokens.txt")]).toEqual(["weights", "a b"]);
});

test("a copy of what was brought goes on with nothing that a server sent before", async () => {
  await writeFile(join(brought, "model.onnx"), "weights");
  const given = await GivenFiles.open(brought, folder, signal);
  const to = join(folder, "part");
  await writeFile(to, "the first half");
  await writeFile(`${to}.json`, JSON.stringify({ mark: '"of a server"' }));
  const [source] = voice.sources;
  expect(source && (await given.copy(source, to, () => undefined))).toBe(sha256("weights"));
  expect([await readFile(to, "utf8"), await readdir(folder)]).toEqual(["weights", ["part"]]);
});

test("no file stays open, whatever becomes of what was brought", async () => {
  const handles: FileHandle[] = [];
  const { open } = fs.promises;
  const noted = async (...given: Parameters<typeof open>) => {
    const handle = await open(...given);
    handles.push(handle);
    return handle;
  };
  onTestFinished(replaceCalls(fs.promises, { open: noted }));
  await writeFile(join(brought, "one.tgz"), await tarGz({ "a/model.onnx": "weights" }));
  await writeFile(join(brought, "notes.txt"), "nothing");
  const given = ["notes.txt", "one.tgz"].map((name) => ({ name, path: join(brought, name) }));
  await expect(orderFrom(given)).rejects.toMatchObject({ code: "model_unknown" });
  await writeFile(join(brought, "two.zip"), zip({ "tokens.txt": "a b" }));
  await orderFrom(["one.tgz", "two.zip"].map((name) => ({ name, path: join(brought, name) })));
  expect(handles.length).toBeGreaterThan(2);
  // A handle that is closed has no number.
  expect(handles.filter(({ fd }) => fd !== -1)).toEqual([]);
});

test("of a folder fifty thousand files are looked at, and none behind them", async () => {
  const { readdir } = fs.promises;
  let before = 0;
  // A file of the model behind so many others.
  const crowded = async (place: string, ...more: readonly unknown[]) => {
    if (place !== brought) return (readdir as (...given: readonly unknown[]) => Promise<unknown>)(place, ...more);
    const names = [...Array.from({ length: before }, (_, index) => `${index}.txt`), "model.onnx"];
    return ["tokens.txt", ...names].map((name) => ({ name, parentPath: brought, isFile: () => true }));
  };
  onTestFinished(replaceCalls(fs.promises, { readdir: crowded as typeof readdir }));
  const given = async (count: number) => {
    before = count;
    return (await GivenFiles.open(brought, folder, signal)).require([voice]);
  };
  expect(await given(49_998)).toBeInstanceOf(GivenFiles);
  await expect(given(49_999)).rejects.toThrow(/does not have this file\. .*:\n {2}\S+model\.onnx$/);
});
