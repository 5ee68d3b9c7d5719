import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { Learnt } from "../../../src/host/learnt.ts";
import { proxyPreset } from "../../../src/host/preset-files.ts";
import { PresetFiles } from "../../../src/host/uxp/preset-files.ts";
import { UxpFiles } from "../../../src/host/uxp/work-folder.ts";
import { makeFs } from "../../fakes/uxp/fs.ts";
import { MemoryDisk } from "../../fakes/uxp/memory-disk.ts";
import { makeStorage } from "../../fakes/uxp/storage.ts";
import { posixPath, WindowsDisk } from "../../fakes/uxp/windows-disk.ts";

describe("presets", () => {
  const WINDOWS_H264 = "C:\\Program Files\\Adobe\\Adobe Premiere Pro 2026\\MediaIO\\systempresets\\4E49434B_48323634";

  /** A computer with Windows, ours among the presets, and Premiere's own in a folder. */
  async function openWindows(
    folder: string,
    names: readonly string[],
    more: { applicationPath?: string; learnt?: Learnt } = {},
  ) {
    const memory = new MemoryDisk();
    const disk = new WindowsDisk(memory);
    const { module } = makeFs({ disk, schemes: {}, hasFullAccess: true, random: Math.random });
    const files = new UxpFiles(module);
    const source = await readFile("panel/presets/aside-proxy-h264.epr", "utf8");
    const put = async (path: string, text: string) => {
      const parts = posixPath(path).split("/").slice(1, -1);
      for (const [index] of parts.entries()) memory.folders.add(`/${parts.slice(0, index + 1).join("/")}`);
      await files.writeText(path, text);
    };
    const two = source.replace(
      /(ADBEVideoBitrateEncoding<[\s\S]*?<ParamValue>)1</,
      (_, before: string) => `${before}2<`,
    );
    const large = two.replaceAll(">640<", ">1920<").replaceAll(">360<", ">1080<").replace(">1.<", ">10.<");
    for (const name of names) await put(`${folder}\\${name}`, large);
    await put("C:\\plugin\\presets\\aside-proxy-h264.epr", source);
    await put("C:\\mine\\own.epr", source);
    await put("C:\\data\\there", "x");
    const storage = makeStorage({
      disk,
      dataPath: "C:\\data",
      temporaryPath: "C:\\temp",
      pluginPath: "C:\\plugin",
      pick: async () => null,
    });
    const { learnt, ...rest } = more;
    const runtime = { storage, platform: "win10", homeFolder: "C:\\Users\\ed", ...rest };
    const chosen = ["C:\\mine\\own.epr", "C:\\mine\\gone.epr"];
    const dataFolder = async () => "C:\\data";
    const search = { runtime, files, chosen, dataFolder, ...(learnt === undefined ? {} : { learnt }) };
    return { files, presets: new PresetFiles(search) };
  }

  const names = async ({ presets }: { presets: PresetFiles }) => (await presets.list()).map(({ name }) => name);
  const OURS = "Aside proxy (H.264, 640 wide)";
  const MADE = "Aside proxy (from Premiere's own)";

  test("come in order: the user's own, one made from Premiere's, Premiere's by size, ours by hand", async () => {
    const opened = await openWindows(WINDOWS_H264, [
      "03 - Match Source - Low bitrate.epr",
      "00 - Match Source - High bitrate.epr",
    ]);
    expect(await names(opened)).toEqual([
      "own.epr",
      MADE,
      "match source - low bitrate",
      "match source - high bitrate",
      OURS,
    ]);
  });

  test("where Premiere's own are not to be found, ours is left", async () => {
    expect(await names(await openWindows("C:\\elsewhere", []))).toEqual(["own.epr", OURS]);
  });

  test("Premiere on another drive says since 26.5 where it lies", async () => {
    const folder = "D:\\Adobe\\Premiere\\MediaIO\\systempresets\\4E49434B_48323634";
    const applicationPath = "\\\\?\\D:\\Adobe\\Premiere\\Adobe Premiere Pro.exe";
    const opened = await openWindows(folder, ["01 - Match Source - Medium bitrate.epr"], { applicationPath });
    expect(await names(opened)).toContain("match source - medium bitrate");
  });

  test("the one that is made is small and takes one pass; it is written once and anew when Premiere's changes", async () => {
    const { files, presets } = await openWindows(WINDOWS_H264, ["02 - Match Source - Low bitrate.epr"]);
    const made = (await presets.list()).find(({ name }) => name === MADE);
    expect(made).toMatchObject({ path: "C:\\data\\aside-proxy-made.epr", origin: "ours", bitsPerSecond: 1_128_000 });
    const text = await files.readText(made?.path ?? "");
    const value = (id: string) => new RegExp(`<ParamIdentifier>${id}<[\\s\\S]*?<ParamValue>([^<]*)<`).exec(text)?.[1];
    expect(["ADBEVideoWidth", "ADBEVideoHeight", "ADBEVideoBitrateEncoding"].map(value)).toEqual(["640", "360", "1"]);
    expect(text).toContain(`<PresetName>${MADE}</PresetName>`);
    const written: string[] = [];
    const writeText = files.writeText.bind(files);
    files.writeText = async (path, content) => {
      written.push(path);
      await writeText(path, content);
    };
    expect((await presets.list()).find(({ name }) => name === OURS)?.origin).toBe("ours");
    expect(written).toEqual([]);
    await writeText(made?.path ?? "", "an older one");
    await presets.list();
    expect(written).toEqual([made?.path]);
    expect(await files.readText(made?.path ?? "")).toBe(text);
  });

  test("are looked for where they were the last time, and their bit rate is told where a preset has one", async () => {
    const learnt = new Learnt();
    const opened = await openWindows(WINDOWS_H264, ["02 - Match Source - Low bitrate.epr"], { learnt });
    const listed = await opened.presets.list();
    const root = WINDOWS_H264.slice(0, WINDOWS_H264.lastIndexOf("\\"));
    expect(learnt.recall("presets")?.toLowerCase()).toBe(root.toLowerCase());
    expect(listed.map((preset) => ("bitsPerSecond" in preset ? "told" : preset.name))).toEqual(
      listed.map(() => "told"),
    );
    await opened.files.writeText("C:\\mine\\own.epr", "no preset");
    expect(Object.keys((await opened.presets.list())[0] ?? {})).not.toContain("bitsPerSecond");
  });

  test("are looked for in the folder that is known before any other, and elsewhere where nothing is in it any more", async () => {
    const known = "E:\\moved\\systempresets";
    for (const [folder, wanted] of [
      [`${known}\\4E49434B_48323634`, known],
      [WINDOWS_H264, WINDOWS_H264.slice(0, WINDOWS_H264.lastIndexOf("\\"))],
    ] as const) {
      const learnt = new Learnt();
      learnt.keep("presets", known);
      const opened = await openWindows(folder, ["02 - Match Source - Low bitrate.epr"], { learnt });
      const paths = (await opened.presets.list()).filter(({ origin }) => origin === "system").map(({ path }) => path);
      expect(paths).toHaveLength(1);
      expect(paths[0]?.toLowerCase().startsWith(wanted.toLowerCase())).toBe(true);
      expect(learnt.recall("presets")?.toLowerCase()).toBe(wanted.toLowerCase());
    }
  });

  test("that have worked are kept once each", async () => {
    const { files, presets } = await openWindows(WINDOWS_H264, []);
    await presets.worked("a.epr");
    await files.remove("C:\\data\\presets-that-worked.json");
    for (const path of ["b.epr", "c.epr", "b.epr"]) await presets.worked(path);
    expect(JSON.parse(await files.readText("C:\\data\\presets-that-worked.json"))).toEqual(["c.epr", "b.epr"]);
  });

  test("what an export has succeeded with comes first the next time, behind the user's own", async () => {
    const opened = await openWindows(WINDOWS_H264, ["02 - Match Source - Low bitrate.epr"]);
    await opened.presets.worked("C:\\plugin\\presets\\aside-proxy-h264.epr");
    expect((await opened.presets.list()).map(({ name, isProven }) => [name, isProven]).slice(0, 3)).toEqual([
      ["own.epr", true],
      [OURS, true],
      [MADE, false],
    ]);
  });

  test("a text that is no preset of H.264 is not made into one", () => {
    expect(proxyPreset("<PremiereData/>", "x")).toBeNull();
  });
});
