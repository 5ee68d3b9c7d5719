import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, test } from "vitest";
import { parseXml } from "../../../src/formats/xml/parse-xml.ts";
import { packageFaults, packagePanel } from "../../../tools/build/package-panel.ts";
import { SCRIPT_CEILING_BYTES } from "../../../webpack.config.js";
import { uxpLimitsSuite } from "../../suites/uxp-limits.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** Largest first script in bytes: what is read before Premiere is told of the panel. */
const START_CEILING_BYTES = 6_000;

/** The identity that a Marketplace issued. */
const ISSUED = "a1b2c3d4";

const files: Record<string, Uint8Array> = {};
let folder = "";
let path = "";
/** The package for the Marketplace, and what is in it. */
let marketPath = "";
const marketFiles: Record<string, Uint8Array> = {};
beforeAll(async () => {
  folder = await temporaryFolder();
  path = (await packagePanel(folder)).path;
  Object.assign(files, unzipSync(await readFile(path)));
  marketPath = (await packagePanel(folder, { edition: "marketplace", id: ISSUED })).path;
  Object.assign(marketFiles, unzipSync(await readFile(marketPath)));
}, 240_000);

const text = (name: string) => Buffer.from(files[name] ?? []).toString();
const changed = (change: (manifest: Record<string, unknown>) => object) => ({
  ...files,
  "manifest.json": Buffer.from(JSON.stringify(change(JSON.parse(text("manifest.json"))))),
});

describe("the package", () => {
  test("is named by the version it was built as and holds the manifest at its root", async () => {
    const { version } = JSON.parse(await readFile("package.json", "utf8"));
    expect((await readdir(folder)).sort()).toEqual([`aside-${version}-marketplace.ccx`, `aside-${version}.ccx`]);
    expect(JSON.parse(text("manifest.json"))).toMatchObject({ manifestVersion: 5, version });
  });

  test("is for one host, as one object, from the first version whose rules the panel keeps", () => {
    expect(JSON.parse(text("manifest.json")).host).toEqual({ app: "premierepro", minVersion: "25.6.0" });
  });

  test("has scripts within what the build accepts, and a small one that is read before all else", () => {
    expect(files["index.js"]?.byteLength).toBeLessThanOrEqual(SCRIPT_CEILING_BYTES);
    expect(files["start.js"]?.byteLength).toBeLessThanOrEqual(START_CEILING_BYTES);
  });

  test("holds what it needs and nothing else", () => {
    expect(
      Object.keys(files)
        .filter((name) => !name.endsWith("/"))
        .sort(),
    ).toEqual([
      "NOTICES.txt",
      "controls.css",
      "diagnostics.js",
      "icons/LICENSE-Spectrum.txt",
      "icons/panel-dark-theme@1x.png",
      "icons/panel-dark-theme@2x.png",
      "icons/panel-light-theme@1x.png",
      "icons/panel-light-theme@2x.png",
      "icons/plugin-list@1x.png",
      "icons/plugin-list@2x.png",
      "index.html",
      "index.js",
      "manifest.json",
      "presets/aside-proxy-h264.epr",
      "presets/aside-sound-wav.epr",
      "start.js",
      "views.css",
    ]);
  });
});

uxpLimitsSuite(files);

describe("the package for the Marketplace", () => {
  const manifest = () => JSON.parse(Buffer.from(marketFiles["manifest.json"] ?? []).toString());
  const script = () => Buffer.from(marketFiles["index.js"] ?? []).toString();

  test("is one that can be installed, with the identity that was issued", async () => {
    expect(await packageFaults(marketFiles)).toEqual([]);
    expect(manifest()).toEqual({
      ...JSON.parse(text("manifest.json")),
      id: ISSUED,
      requiredPermissions: expect.anything(),
    });
  });

  test("may launch nothing, and tries nothing of the kind", () => {
    const { launchProcess, ...others } = JSON.parse(text("manifest.json")).requiredPermissions;
    expect(launchProcess).toBeDefined();
    expect(manifest().requiredPermissions).toEqual(others);
    expect(text("index.js")).toContain(".openPath(");
    expect(script()).not.toMatch(/openPath|openExternal/);
  });

  test("shows no tools for developers: neither probes nor their view are in its script", () => {
    const marks = ["run-probes", "try-everything", "aside-trial", "Reading past 4 GB", "Mouse told on body"];
    for (const mark of marks) {
      expect(text("diagnostics.js").includes(mark), mark).toBe(true);
      expect(script().includes(mark), mark).toBe(false);
    }
  });

  test("holds the same files as the direct one but its tools, and its page loads none", () => {
    const others = Object.keys(files).filter((name) => name !== "diagnostics.js");
    expect(Object.keys(marketFiles).sort()).toEqual(others.sort());
    const page = Buffer.from(marketFiles["index.html"] ?? []).toString();
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="start.js">', '<script src="index.js">']);
  });
});

test.each(["direct", "marketplace"])(
  "every entry of the %s package is as made on Unix, with its mode, and every folder has an entry before what is in it",
  async (edition) => {
    const entries = centralDirectory(await readFile(edition === "direct" ? path : marketPath));
    const isFolder = ({ name }: Entry) => name.endsWith("/");
    expect(entries.filter(isFolder).map(({ name }) => name)).toEqual(["icons/", "presets/"]);
    for (const entry of entries) {
      expect(entry, entry.name).toMatchObject({ madeOn: 3, mode: isFolder(entry) ? 0o040755 : 0o100644 });
      const folder = entry.name.replace(/[^/]*$/, "");
      const before = entries.slice(0, entries.indexOf(entry) + 1).map(({ name }) => name);
      expect(folder === "" || before.includes(folder), entry.name).toBe(true);
    }
  },
);

test("an installer that keeps to the archive's modes and folders, and needs the manifest at its root, installs a panel", async () => {
  const bytes = await readFile(path);
  const into = join(await temporaryFolder(), JSON.parse(text("manifest.json")).id);
  await mkdir(into);
  for (const { name, mode } of centralDirectory(bytes)) {
    // A folder is made by its own entry alone, and a file keeps the rights that its entry states.
    if (name.endsWith("/")) await mkdir(join(into, name), { mode: mode & 0o777 });
    else await writeFile(join(into, name), files[name] ?? "", { mode: mode & 0o777 });
  }
  const manifest = JSON.parse(await readFile(join(into, "manifest.json"), "utf8"));
  const page = await readFile(join(into, manifest.main), "utf8");
  const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name ?? "");
  const icons = [manifest, ...manifest.entrypoints].flatMap(({ icons }) =>
    icons.map((icon: { path: string }) => icon.path),
  );
  for (const name of [...loaded, ...icons.map((icon) => icon.replace(/\.png$/, "@2x.png"))]) {
    const { size, mode } = await stat(join(into, name));
    expect([name, size > 0, mode & 0o444]).toEqual([name, true, 0o444]);
  }
  expect((await readdir(into, { recursive: true })).length).toBe(centralDirectory(bytes).length);
});

interface Entry {
  readonly name: string;
  readonly madeOn: number;
  readonly mode: number;
}

/** The central directory of a zip archive (APPNOTE 4.3.12, 4.3.16). */
function centralDirectory(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06"));
  const entries: Entry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    expect(zip.readUInt32LE(at)).toBe(0x02014b50);
    const lengths = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    entries.push({
      name: zip.toString("utf8", at + 46, at + 46 + (lengths[0] ?? 0)),
      madeOn: zip.readUInt8(at + 5),
      mode: zip.readUInt32LE(at + 38) >>> 16,
    });
    at += 46 + lengths.reduce((sum, length) => sum + length, 0);
  }
  return entries;
}

test("the package names whose code it holds, with the licence", () => {
  const notices = Buffer.from(files["NOTICES.txt"] ?? []).toString();
  expect(notices).toMatch(/^@noble\/hashes \S+: MIT$/m);
  expect(notices).toContain("The MIT License");
});

describe("a package is refused", () => {
  test("when hosts are a list, which an installed plugin may not have", async () => {
    const faults = await packageFaults(changed((manifest) => ({ ...manifest, host: [manifest["host"]] })));
    expect(faults).toEqual(["manifest/host must be object."]);
  });

  test("when an icon is missing or of another size", async () => {
    const { "icons/plugin-list@2x.png": _gone, ...rest } = files;
    const small = files["icons/plugin-list@1x.png"] ?? new Uint8Array();
    expect(await packageFaults(rest)).toEqual(["The package has no icons/plugin-list@2x.png."]);
    expect(await packageFaults({ ...files, "icons/plugin-list@2x.png": small })).toEqual([
      "icons/plugin-list@2x.png is 48 by 48 pixels.",
    ]);
  });

  test("when its page loads what is not there", async () => {
    const { "index.js": _gone, ...rest } = files;
    expect(await packageFaults(rest)).toEqual(["index.html loads index.js, which is not there."]);
  });

  test("when it asks for a permission that UXP does not know", async () => {
    const faults = await packageFaults(changed((manifest) => ({ ...manifest, requiredPermissions: { network: 1 } })));
    expect(faults).toContain("manifest/requiredPermissions must have required property 'localFileSystem'.");
  });
});

describe("our export presets", () => {
  test.each([
    ["presets/aside-proxy-h264.epr", "1313424203", "1211250228", "true"],
    ["presets/aside-sound-wav.epr", "1061109567", "1463899717", "false"],
  ])("%s is a tree without loose ends, for the right exporter", (name, exporter, fileType, hasVideo) => {
    const preset = text(name);
    expect(parseXml(preset).faults).toEqual([]);
    expect(preset).toContain(`<ExporterClassID>${exporter}</ExporterClassID>`);
    expect(preset).toContain(`<ExporterFileType>${fileType}</ExporterFileType>`);
    expect(preset).toContain(`<DoVideo>${hasVideo}</DoVideo>`);
    const numbers = (attribute: string) =>
      [...preset.matchAll(new RegExp(`${attribute}="(\\d+)"`, "g"))].map((match) => match[1]).sort();
    expect(numbers("ObjectRef")).toEqual(numbers("ObjectID"));
  });

  test("the proxy is small: about a megabit a second", () => {
    const preset = text("presets/aside-proxy-h264.epr");
    const value = (identifier: string) =>
      new RegExp(`<ParamIdentifier>${identifier}</ParamIdentifier>[^]*?<ParamValue>([^<]*)<`).exec(preset)?.[1];
    expect([value("ADBEVideoWidth"), value("ADBEVideoHeight")]).toEqual(["640", "360"]);
    expect([value("ADBEVideoTargetBitrate"), value("ADBEAudioBitrate")]).toEqual(["1.", "128"]);
    // One pass: two take twice as long.
    expect(value("ADBEVideoBitrateEncoding")).toBe("1");
  });

  test("they name no path of any computer", () => {
    for (const name of ["presets/aside-proxy-h264.epr", "presets/aside-sound-wav.epr"]) {
      expect(text(name)).not.toMatch(/SameAsProject|[A-Z]:\\|\/Users\/|\/Applications\//);
    }
  });
});
