import { expect, test } from "vitest";
import { KeyStore } from "../../../src/host/uxp/key-store.ts";
import { uxpProbes } from "../../../src/host/uxp/probes.ts";
import { UxpFiles } from "../../../src/host/uxp/work-folder.ts";
import { makeFs } from "../../fakes/uxp/fs.ts";
import { MemoryDisk } from "../../fakes/uxp/memory-disk.ts";
import { makeSecureStorage } from "../../fakes/uxp/storage.ts";

test("every probe of UXP is answered, and what it made is gone afterwards", async () => {
  const disk = new MemoryDisk();
  disk.folders.add("/data");
  const schemes = { "plugin-data:": "/data" };
  const { module, openDescriptors } = makeFs({ disk, schemes, hasFullAccess: false, random: () => 0.5 });
  const secure = makeSecureStorage();
  const probes = uxpProbes({
    files: new UxpFiles(module),
    secrets: new KeyStore(secure.module),
    folder: async () => "/data",
    globals: { AbortController, performance },
  });
  const answers = new Map<string, string>();
  for (const { name, run } of probes) answers.set(name, await run());
  expect(Object.fromEntries(answers)).toMatchObject({
    "Abort tells its listeners": "true",
    "Secure storage": "keeps",
    "Reading at a position": "52 53 54 (wanted 52 53 54)",
    "Reading past 4 GB": "0 bytes (wanted 0)",
    "Renaming over a file": "works",
  });
  expect(answers.get("Globals")).toContain("performance there, requestAnimationFrame missing");
  expect(disk.files.size).toBe(0);
  expect(secure.contents.size).toBe(0);
  expect(openDescriptors()).toBe(0);
});

test("a secure storage that loses what it is given is told", async () => {
  const { module: secure, contents } = makeSecureStorage();
  const setItem: typeof secure.setItem = async (...given) => {
    await secure.setItem(...given);
    contents.clear();
  };
  const secrets = new KeyStore({
    getItem: (key) => secure.getItem(key),
    setItem,
    removeItem: (key) => secure.removeItem(key),
  });
  const disk = new MemoryDisk();
  const { module } = makeFs({ disk, schemes: {}, hasFullAccess: true, random: () => 0.5 });
  const probes = uxpProbes({ files: new UxpFiles(module), secrets, folder: async () => "/data", globals: {} });
  const probe = probes.find(({ name }) => name === "Secure storage");
  expect([await probe?.run(), probe?.code]).toEqual(["loses", "src/host/uxp/key-store.ts"]);
});

test("a file system that does not write over a file is told, and the file of the probes has a name of its own", async () => {
  const disk = new MemoryDisk();
  disk.folders.add("/data");
  const { module } = makeFs({ disk, schemes: {}, hasFullAccess: true, random: () => 0.5 });
  const paths = new Set<string>();
  const files = new UxpFiles(module);
  const writeText = files.writeText.bind(files);
  files.writeText = async (path, text) => {
    paths.add(path);
    if (text !== "new") await writeText(path, text);
  };
  const { module: secure } = makeSecureStorage();
  const probes = uxpProbes({ files, secrets: new KeyStore(secure), folder: async () => "/data", globals: {} });
  const answers = new Map<string, string>();
  for (const { name, run } of probes) answers.set(name, await run().catch(() => "raised"));
  expect(answers.get("Renaming over a file")).not.toBe("works");
  expect([...paths]).toEqual(["/data/probe.txt"]);
});
