import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { putSettingsAside, readSettingsFile, writeSettingsFile } from "../../../src/service/settings/settings-file.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder, "settings.json");
});

const AT = new Date("2026-01-02T03:04:05.678Z");

test("what was written is there when that is done, and is read as it was", async () => {
  const settings = { voice: { languages: "en" }, keys: { voice: { server: "openai", key: "sk-1" } } };
  await writeSettingsFile(file, settings);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ version: 2, ...settings });
  expect(await readSettingsFile(file)).toEqual(settings);
});

test("a file that is put aside stands beside, whole and under a name with its time, when that is done", async () => {
  await writeFile(file, "{");
  const name = await putSettingsAside(file, AT);
  expect(name).toBe("settings-damaged-2026-01-02T03-04-05-678Z.json");
  expect(await readdir(folder)).toEqual([name]);
  expect(await readFile(join(folder, name), "utf8")).toBe("{");
});

test("a file that can neither be read, written nor moved is said to be that, and nothing of it is changed", async () => {
  await expect(putSettingsAside(file, AT)).rejects.toMatchObject({ code: "settings_unusable" });
  await mkdir(join(file, "inner"), { recursive: true });
  await expect(readSettingsFile(file)).rejects.toMatchObject({ code: "settings_unusable" });
  await expect(writeSettingsFile(file, {})).rejects.toMatchObject({ code: "settings_unusable" });
  expect([await readdir(folder), await readdir(file)]).toEqual([["settings.json"], ["inner"]]);
});
