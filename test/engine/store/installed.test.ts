import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type InstalledModel,
  installedModels,
  MANIFEST,
  voicesBestFirst,
  withInstalledModels,
} from "../../../src/engine/store/installed.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const model = (id: string, kind: InstalledModel["kind"], ...languages: readonly string[]): InstalledModel => ({
  ...{ id, title: id, kind, form: "piper", files: { model: "model.onnx" }, languages: [...languages] },
  folder: `/models/${id}`,
});

test("of installed voices each is there, that of the fewest languages first and one of any language last", () => {
  const models = [
    model("any", "voice"),
    model("three", "voice", "de", "en", "fr"),
    model("eyes", "eyes"),
    model("one", "voice", "de"),
    model("two", "voice", "de", "en"),
  ];
  expect(voicesBestFirst(models).map(({ id }) => id)).toEqual(["one", "two", "three", "any"]);
});

test("what is whole in the folder is known to a process by its variables, and nothing that is on its way", async () => {
  const folder = await temporaryFolder();
  for (const name of ["b", "a", ".c.new"]) {
    await mkdir(join(folder, name));
    const { folder: _, ...manifest } = model(name, "voice", "de");
    await writeFile(join(folder, name, MANIFEST), JSON.stringify(manifest));
  }
  await mkdir(join(folder, "half"));
  const known = installedModels(await withInstalledModels({}, folder));
  expect(known.map(({ id, folder: at }) => [id, at])).toEqual(["a", "b"].map((name) => [name, join(folder, name)]));
  expect([await withInstalledModels({}, null), installedModels({})]).toEqual([{}, []]);
});
