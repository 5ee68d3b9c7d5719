import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

/** A package that is passed on. */
export interface PassedOn {
  /** As npm names it. */
  readonly name: string;
  readonly version: string;
  /** Its licence as it states it, an SPDX expression mostly. */
  readonly licence: string;
  /** Files of its licence, one after the other; empty where it holds none, or is not installed on this system. */
  readonly text: string;
  /** What else is inside, and what follows from that; empty where a package is what it says. */
  readonly inside: string;
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i;

/**
 * The packages that an installation without development tools has, with all that they need: those of this system, and
 * those of others by name.
 *
 * @param project Folder with `package-lock.json` and `node_modules`.
 * @param isWanted Which of them, by their place in the project (`node_modules/fastify`); all of them when absent.
 * @throws Error when FFmpeg, which is inside one of them, does not say what it was made of.
 */
export async function productionPackages(
  project = PROJECT,
  isWanted: (path: string) => boolean = () => true,
): Promise<PassedOn[]> {
  const { packages }: { packages: Record<string, LockedPackage> } = await readJson(join(project, "package-lock.json"));
  // A link leads to a folder of the project, whose own entry says whether it is passed on.
  const isPassedOn = (path: string) => path !== "" && packages[path]?.dev !== true && packages[path]?.link !== true;
  const paths = Object.keys(packages).filter((path) => isPassedOn(path) && isWanted(path));
  return Promise.all(paths.map((path) => packageAt(project, path, packages[path] ?? {})));
}

async function packageAt(project: string, path: string, locked: LockedPackage): Promise<PassedOn> {
  const folder = join(project, path);
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const manifest = await readJson<{ version?: string; license?: unknown }>(join(folder, "package.json")).catch(
    () => null,
  );
  const stated = manifest?.license ?? locked.license;
  const files = (await readdir(folder).catch(() => [])).filter((file) => LICENCE_FILE.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8").catch(() => "")));
  return {
    name,
    version: manifest?.version ?? locked.version ?? "",
    licence: typeof stated === "string" ? stated : "as its text says",
    text: texts.map((text) => text.replaceAll("\r\n", "\n").trim()).join("\n\n"),
    inside: name.startsWith("@seydx/node-av-") ? await ffmpegInside(manifest !== null) : (INSIDE[name] ?? ""),
  };
}

/** What packages hold beside their own code, where their own statement says less. */
const INSIDE: Readonly<Record<string, string>> = {
  "@echogarden/espeak-ng-emscripten": sourceOffer("eSpeak NG", "GNU General Public License, version 3 or later", [
    "https://github.com/espeak-ng/espeak-ng",
    "https://github.com/echogarden-project/espeak-ng-emscripten (how it was compiled)",
  ]),
  "@tesseract.js-data/eng":
    "Its data are Tesseract's: https://github.com/tesseract-ocr/tessdata_best, Apache License 2.0, whatever the package states.",
  "tesseract.js-core":
    "Tesseract, Apache License 2.0 (https://github.com/tesseract-ocr/tesseract), with Leptonica, BSD 2-Clause (http://www.leptonica.org).",
  "@electric-sql/pglite":
    "PostgreSQL, compiled to WebAssembly (https://github.com/electric-sql/postgres-pglite). Portions Copyright (c) 1996-2025, PostgreSQL Global " +
    "Development Group; Portions Copyright (c) 1994, The Regents of the University of California. PostgreSQL License: Permission to use, copy, modify, " +
    "and distribute this software and its documentation for any purpose, without fee, and without a written agreement is hereby granted, provided that the " +
    "above copyright notice and this paragraph and the following two paragraphs appear in all copies. IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE " +
    "LIABLE TO ANY PARTY FOR DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR CONSEQUENTIAL DAMAGES, INCLUDING LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE " +
    "AND ITS DOCUMENTATION, EVEN IF THE UNIVERSITY OF CALIFORNIA HAS BEEN ADVISED OF THE POSSIBILITY OF SUCH DAMAGE. THE UNIVERSITY OF CALIFORNIA SPECIFICALLY " +
    "DISCLAIMS ANY WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE. THE SOFTWARE " +
    'PROVIDED HEREUNDER IS ON AN "AS IS" BASIS, AND THE UNIVERSITY OF CALIFORNIA HAS NO OBLIGATIONS TO PROVIDE MAINTENANCE, SUPPORT, UPDATES, ENHANCEMENTS, ' +
    "OR MODIFICATIONS.",
  "@ricky0123/vad-web": "The Silero VAD model, MIT License (https://github.com/snakers4/silero-vad).",
};

/** What FFmpeg says of itself; its package states the licence of the bindings alone. One for another system is not asked. */
async function ffmpegInside(isInstalled: boolean): Promise<string> {
  if (!isInstalled) return "FFmpeg inside, under the GPL as in the package for this system; not part of this copy.";
  const { getFFmpegInfo } = await import("node-av/lib");
  const { version, configuration } = getFFmpegInfo();
  const offer = sourceOffer(`FFmpeg ${version}`, licenceOfFfmpeg(configuration), [
    `https://github.com/jellyfin/jellyfin-ffmpeg (FFmpeg ${version}, its patches, its libraries, and how they are built)`,
    "https://github.com/seydx/node-av (the bindings, and how both are put together; the tag of this package's version)",
  ]);
  const conflict = configuration.includes("--enable-libfdk-aac")
    ? "\nIt holds libfdk-aac (Fraunhofer), whose licence the Free Software Foundation holds to be incompatible with the GPL: " +
      "have that looked at before passing this binary on."
    : "";
  return `${offer}${conflict}\nConfigured with: ${configuration}`;
}

/** The licence that FFmpeg has by how it was configured, as its own `avutil_license` says it. */
export function licenceOfFfmpeg(configuration: string): string {
  const has = (option: string) => configuration.split(/\s+/).includes(option);
  if (has("--enable-nonfree")) return "none under which it may be passed on (--enable-nonfree)";
  const kind = has("--enable-gpl") ? "GNU General Public License" : "GNU Lesser General Public License";
  if (has("--enable-version3")) return `${kind}, version 3 or later`;
  return `${kind}, version ${has("--enable-gpl") ? "2" : "2.1"} or later`;
}

/** What section 6 of the GPL wants said with a binary. */
function sourceOffer(what: string, licence: string, sources: readonly string[]): string {
  return [
    `${what} inside: ${licence}. Its text stands at the end.`,
    "Its corresponding source may be had at no charge:",
    ...sources.map((source) => `  ${source}`),
    "Whoever passes this copy on gives it to whoever asks, for three years at least, for no more than the cost of doing so (GPL 3, section 6).",
  ].join("\n");
}

/** The notices as one text: a list, then each text once, with the packages it is of. */
export function noticesText(packages: readonly PassedOn[], gpl = ""): string {
  const ordered = packages.toSorted((a, b) => a.name.localeCompare(b.name, "en") || a.version.localeCompare(b.version));
  const list = ordered.map(({ name, version, licence, inside }) => {
    const more = inside === "" ? "" : `\n${inside.replace(/^/gm, "    ")}`;
    return `${name} ${version}: ${licence}${more}`;
  });
  const byText = Map.groupBy(
    ordered.filter(({ text }) => text !== ""),
    ({ text }) => text,
  );
  const texts = [...byText].map(
    ([text, of]) => `${of.map(({ name, version }) => `${name} ${version}`).join(", ")}\n\n${text}`,
  );
  const head =
    "Aside is passed on with the software below, each under its own licence. Where no text follows, its package holds none.";
  const all = gpl === "" || texts.some((text) => text.includes(gpl)) ? texts : [...texts, gpl];
  return `${[head, list.join("\n"), ...all].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/**
 * The notices of an installation: of all that is passed on with the service in a container.
 *
 * @throws Error when the text of the GPL is not among what is installed.
 */
export async function installationNotices(project = PROJECT): Promise<string> {
  const packages = await productionPackages(project);
  const gpl = packages.find(({ name }) => name === "@echogarden/espeak-ng-emscripten")?.text ?? "";
  if (!gpl.includes("GNU GENERAL PUBLIC LICENSE")) throw new Error("The text of the GPL is missing: run npm ci.");
  return noticesText(packages, gpl);
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, "utf8"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = process.argv[2] ?? join(PROJECT, "dist", "NOTICES.txt");
  const notices = await installationNotices();
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, notices);
  process.stdout.write(`${path}: ${Buffer.byteLength(notices)} bytes\n`);
}
