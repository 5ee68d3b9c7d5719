import { execFile } from "node:child_process";
import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CompanionPlatform } from "./platforms.ts";

/** Modules that the host of the panel has, and Node's own. */
const NOT_IN_PACKAGES = /^(?:node:|\.|premierepro$|@adobe\/premierepro$|uxp$|fs$|os$|AppKit$)/;

/** Where a specifier stands in a source; imports of types alone are gone when it runs. */
const IMPORTS = /^(?:import|export) (?!type\b)[^;]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;

/**
 * Holds a package against what it runs on: every module that our sources load is found in it, and its natives are there, of
 * its kind of computer.
 *
 * @param inside Folder with `src` and `node_modules`.
 * @returns What is missing or wrong; empty where nothing is.
 */
export async function faultsOf(inside: string, platform: CompanionPlatform): Promise<readonly string[]> {
  return [...(await unresolvedModules(inside)), ...(await wrongNatives(inside, platform))];
}

async function unresolvedModules(inside: string): Promise<string[]> {
  const specifiers = new Set<string>();
  for (const entry of await readdir(join(inside, "src"), { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith(".ts") || entry.name.endsWith(".d.ts")) continue;
    const text = await readFile(join(entry.parentPath, entry.name), "utf8");
    for (const [, ...found] of text.matchAll(IMPORTS)) {
      for (const one of found) if (one !== undefined && !NOT_IN_PACKAGES.test(one)) specifiers.add(one);
    }
  }
  const script = `import { statSync } from "node:fs";
    for (const one of ${JSON.stringify([...specifiers])}) {
      try { statSync(new URL(import.meta.resolve(one))); } catch { console.log(one); }
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    cwd: inside,
  });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((one) => `the module ${one} is not found`);
}

async function wrongNatives(inside: string, { media, node, keyStore, os, cpu }: CompanionPlatform): Promise<string[]> {
  const faults: string[] = [];
  for (const path of [node, `${media}/node-av.node`, keyStore]) {
    const found = await kindOf(join(inside, "node_modules", path)).catch(() => null);
    if (found === null) faults.push(`${path} is not there`);
    else if (found !== `${os} ${cpu}`) faults.push(`${path} is of ${found}`);
  }
  return faults;
}

/** The kind of computer that a program or library is of, by its head. */
async function kindOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4_096), 0, 4_096, 0);
    if (buffer.readUInt32BE(0) === 0x7f454c46) return `linux ${buffer.readUInt16LE(18) === 62 ? "x64" : "arm64"}`;
    if (buffer.readUInt32LE(0) === 0xfeedfacf)
      return `darwin ${buffer.readUInt32LE(4) === 0x01000007 ? "x64" : "arm64"}`;
    if (buffer.toString("latin1", 0, 2) !== "MZ") return "nothing known";
    return `win32 ${buffer.readUInt16LE(buffer.readUInt32LE(60) + 4) === 0x8664 ? "x64" : "arm64"}`;
  } finally {
    await file.close();
  }
}
