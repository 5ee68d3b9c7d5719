import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { XMLValidator } from "fast-xml-parser";
import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { COMPANION } from "../../../src/cli/commands/companion/companion.ts";
import { desktopEntry, logInEntry } from "../../../src/cli/commands/companion/log-in-start.ts";
import {
  readPairingFile,
  removePairingFile,
  writePairingFile,
} from "../../../src/cli/commands/companion/page-opener.ts";
import { parseArguments } from "../../../src/cli/shell/command.ts";
import { faultsOf } from "../../../tools/companion/check-package.ts";
import { launchersOf, layoutOf } from "../../../tools/companion/launchers.ts";
import { PLATFORMS } from "../../../tools/companion/platforms.ts";
import { packagesNeeded, pruneInstallation } from "../../../tools/companion/prune.ts";
import { writeZip } from "../../../tools/companion/write-zip.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const NAMES = Object.keys(PLATFORMS);

async function put(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((path) => path.slice(folder.length + 1)).sort();
}

/** Heads of programs, as their systems look at them. */
function headOf(os: string, cpu: string): Uint8Array {
  const head = Buffer.alloc(128);
  if (os === "linux") {
    head.writeUInt32BE(0x7f454c46, 0);
    head.writeUInt16LE(cpu === "x64" ? 62 : 183, 18);
  } else if (os === "darwin") {
    head.writeUInt32LE(0xfeedfacf, 0);
    head.writeUInt32LE(cpu === "x64" ? 0x01000007 : 0x0100000c, 4);
  } else {
    head.write("MZ", 0);
    head.writeUInt32LE(64, 60);
    head.writeUInt16LE(cpu === "x64" ? 0x8664 : 0xaa64, 68);
  }
  return head;
}

describe("the companion for every kind of computer", () => {
  test.each(NAMES)(
    "%s has its own Node, FFmpeg and key store of all natives there are, and no engine that nothing loads",
    async (name) => {
      const platform = PLATFORMS[name];
      if (platform === undefined) throw new Error(name);
      const { packages } = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8"));
      const needed = [...packagesNeeded(packages, platform)].map((place) => place.replace("node_modules/", ""));
      const natives = needed.filter((one) =>
        /^(?:@seydx\/node-av-|@napi-rs\/|node-(?:bin-)?(?:linux|darwin|win))/.test(one),
      );
      const { media, node, keyStore } = platform;
      expect(natives.sort()).toEqual(["@napi-rs/keyring", dirname(keyStore), media, node.split("/")[0]].sort());
      for (const unused of ["onnxruntime-web", "werift", "vitest", "esbuild"]) expect(needed).not.toContain(unused);
      for (const used of ["fastify", "node-av", "tesseract.js-core", "@tesseract.js-data/eng", "pg-boss", "zod"]) {
        expect(needed).toContain(used);
      }
    },
  );

  test("what no program reads is taken out, and nothing else", async () => {
    const folder = await temporaryFolder();
    const lock = {
      packages: {
        "": { dependencies: { one: "1", "@ricky0123/vad-web": "1" } },
        "node_modules/one": { dependencies: { two: "1" } },
        "node_modules/one/node_modules/two": {},
        "node_modules/two": {},
        "node_modules/@ricky0123/vad-web": { dependencies: { "onnxruntime-web": "1" } },
        "node_modules/onnxruntime-web": {},
      },
    };
    const kept = [
      "node_modules/@ricky0123/vad-web/LICENSE",
      "node_modules/@ricky0123/vad-web/dist/silero_vad_v6.onnx",
      "node_modules/@ricky0123/vad-web/package.json",
      "node_modules/one/LICENSE.txt",
      "node_modules/one/index.js",
      "node_modules/one/node_modules/two/index.js",
      "node_modules/one/package.json",
    ];
    const gone = [
      "node_modules/@ricky0123/vad-web/dist/bundle.js",
      "node_modules/one/README.md",
      "node_modules/one/index.d.ts",
      "node_modules/one/index.js.map",
      "node_modules/one/test/index.js",
      // The other one is nearer.
      "node_modules/two/index.js",
      "node_modules/onnxruntime-web/ort.js",
    ];
    await put(folder, Object.fromEntries([...kept, ...gone].map((path) => [path, "x"])));
    await put(folder, { "package-lock.json": JSON.stringify(lock), "src/own.d.ts": "x" });
    const linux = PLATFORMS["linux-x64"];
    if (linux !== undefined) await pruneInstallation(folder, linux);
    expect(await filesIn(folder)).toEqual([...kept, "package-lock.json", "src/own.d.ts"].sort());
  });

  test.each(NAMES)("%s is refused without its natives, with another computer's, and without a module", async (name) => {
    const platform = PLATFORMS[name];
    if (platform === undefined) throw new Error(name);
    const folder = await temporaryFolder();
    const { node, media, keyStore, os, cpu } = platform;
    await put(folder, {
      "src/a.ts": 'import { b } from "there";\nimport type { C } from "types-alone";\nawait import("./b.ts");\n',
      "node_modules/there/package.json": '{"name": "there", "main": "index.js"}',
      "node_modules/there/index.js": "",
      [`node_modules/${node}`]: headOf(os, cpu),
      [`node_modules/${media}/node-av.node`]: headOf(os, cpu),
      [`node_modules/${keyStore}`]: headOf(os, cpu),
    });
    expect(await faultsOf(folder, platform)).toEqual([]);
    const [other] = Object.values(PLATFORMS).filter((one) => one !== platform);
    await put(folder, {
      "src/c.ts": 'import d from "gone";\n',
      [`node_modules/${node}`]: headOf(other?.os ?? "", other?.cpu ?? ""),
      [`node_modules/${media}/node-av.node`]: "no library",
      [`node_modules/${keyStore}`]: "no library",
    });
    expect(await faultsOf(folder, platform)).toEqual([
      "the module gone is not found",
      `${node} is of ${other?.os} ${other?.cpu}`,
      `${media}/node-av.node is of nothing known`,
      `${keyStore} is of nothing known`,
    ]);
  });

  test.each(NAMES)(
    "%s is started by a double click, without a console and with options that the command takes",
    (name) => {
      const platform = PLATFORMS[name];
      if (platform === undefined) throw new Error(name);
      const files = launchersOf(platform, { version: "1.2.3", ...layoutOf(platform) });
      const text = files.map((file) => file.text).join("\n");
      expect(text).toContain(platform.os === "win32" ? platform.node.replaceAll("/", "\\") : platform.node);
      expect(text).toContain("ASIDE_CODE_CACHE");
      for (const [, options = ""] of text.matchAll(/\bcompanion( --(?:launcher|remove))?/g)) {
        expect(() => parseArguments(COMPANION, [...options.split(" ").filter(Boolean), "x"].slice(0, 2))).not.toThrow();
      }
      for (const file of files) {
        if (file.path.endsWith(".plist")) expect(XMLValidator.validate(file.text)).toBe(true);
        expect(file.isProgram === true).toBe(platform.os !== "win32" && !file.path.endsWith(".plist"));
        // Windows' command host reads lines that end as its own do.
        expect(/[^\r]\n/.test(file.text)).toBe(platform.os !== "win32");
      }
    },
  );

  test("an archive keeps permissions, and has folders as entries of their own", async () => {
    const folder = join(await temporaryFolder(), "Aside 1");
    await put(folder, { "bin/run.sh": "#!/bin/sh\n", "data/ü.txt": "words", "data/large": new Uint8Array(3_000_000) });
    await chmod(join(folder, "bin/run.sh"), 0o700);
    const archive = `${folder}.zip`;
    await writeZip(folder, archive);
    const bytes = await readFile(archive);
    const content = unzipSync(bytes);
    expect(Object.keys(content).filter((name) => name.endsWith("/"))).toEqual([
      "Aside 1/",
      "Aside 1/bin/",
      "Aside 1/data/",
    ]);
    expect(Buffer.from(content["Aside 1/data/ü.txt"] ?? []).toString()).toBe("words");
    expect(content["Aside 1/data/large"]?.length).toBe(3_000_000);
    // The central directory, by the specification of PKWARE.
    const modes: Record<string, number> = {};
    let at = bytes.readUInt32LE(bytes.length - 22 + 16);
    while (bytes.readUInt32LE(at) === 0x02014b50) {
      const [length, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
      const name = bytes.toString("utf8", at + 46, at + 46 + (length ?? 0));
      expect(bytes[at + 5]).toBe(3);
      modes[name] = bytes.readUInt32LE(at + 38) >>> 16;
      at += 46 + (length ?? 0) + (extra ?? 0) + (comment ?? 0);
    }
    expect(modes["Aside 1/bin/run.sh"]).toBe(0o100755);
    expect(modes["Aside 1/data/ü.txt"]).toBe(0o100644);
    expect(modes["Aside 1/data/"]).toBe(0o040755);
  });
});

describe("started at log-in", () => {
  const command = ["/opt/Aside & Co/node", "/opt/Aside & Co/aside.mjs", "companion", "--no-page"] as const;

  test("on macOS by a launch agent of the user, whose paths are whole and escaped", () => {
    const { file, on } = logInEntry(command, { platform: "darwin", home: "/Users/e", uid: 501 });
    expect(file?.path).toBe("/Users/e/Library/LaunchAgents/app.aside.companion.plist");
    expect(file?.content).toContain("<string>/opt/Aside &amp; Co/node</string>");
    expect(XMLValidator.validate(file?.content ?? "")).toBe(true);
    expect(on).toEqual([["launchctl", "bootstrap", "gui/501", file?.path]]);
  });

  test("on Windows by the user's Run key, quoted", () => {
    const { file, on, off } = logInEntry(["C:\\Aside\\node.exe", "x"], { platform: "win32", home: "C:\\", uid: 0 });
    expect(file).toBeUndefined();
    expect(on[0]).toContain('"C:\\Aside\\node.exe" "x"');
    expect(off.slice(0, 2)).toEqual(["reg", "delete"]);
  });

  test("on Linux by a unit of the user's systemd, quoted as it reads it", () => {
    const { file } = logInEntry(["/o/50% $HOME", 'a"b'], { platform: "linux", home: "/home/e", uid: 1 });
    expect(file?.path).toBe("/home/e/.config/systemd/user/aside-companion.service");
    expect(file?.content).toContain('ExecStart="/o/50%% $$HOME" "a\\"b"');
  });

  test("a desktop is told how the panel starts it", () => {
    const linux = desktopEntry("/opt/As ide/aside.sh", { platform: "linux", home: "/home/e" });
    expect(linux.file?.content).toContain('Exec="/opt/As ide/aside.sh"');
    expect(linux.file?.content).toContain("MimeType=x-scheme-handler/aside;");
    const windows = desktopEntry("C:\\Aside\\Aside.cmd", { platform: "win32", home: "C:\\" });
    expect(windows.commands.flat()).toContain('"C:\\Aside\\Aside.cmd"');
    expect(desktopEntry("x", { platform: "darwin", home: "/" })).toEqual({ commands: [] });
    // What Windows is told goes again whole.
    expect(windows.back).toEqual(["reg", "delete", windows.commands[0]?.[2], "/f"]);
  });
});

describe("a pairing", () => {
  const pairing = { address: "http://127.0.0.1:8420", key: "k", version: "1.0.0", pid: 7 };

  test("is its user's alone, and goes with the process that left it", async () => {
    const path = join(await temporaryFolder(), "deep", "companion.json");
    expect(await readPairingFile(path)).toBeNull();
    await writePairingFile(pairing, path);
    expect(await readPairingFile(path)).toEqual(pairing);
    if (process.platform !== "win32") {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await stat(dirname(path))).mode & 0o077).toBe(0);
    }
    await removePairingFile(8, path);
    expect(await readPairingFile(path)).toEqual(pairing);
    await removePairingFile(7, path);
    expect(await filesIn(dirname(path))).toEqual([]);
  });

  test("of an earlier process is replaced whole", async () => {
    const path = join(await temporaryFolder(), "companion.json");
    await writePairingFile(pairing, path);
    await writePairingFile({ ...pairing, pid: 9, key: "other" }, path);
    expect((await readPairingFile(path))?.key).toBe("other");
    expect(await filesIn(dirname(path))).toEqual(["companion.json"]);
  });
});
