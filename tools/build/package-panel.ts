import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Ajv } from "ajv";
import { type Zippable, zipSync } from "fflate";
import { buildPanel } from "./build-panel.ts";
import { type BuildChoice, PROJECT } from "./run-webpack.ts";

/** Time stamp of every file in a package: the same sources give the same bytes. */
const STAMP = new Date("2026-01-01T00:00:00");

/** "Made on Unix", and the modes of files and folders there, as zip archives hold them (APPNOTE 4.4.2, 4.4.15). */
const UNIX = 3;
const FILE_ATTRIBUTES = 0o100644 << 16;
const FOLDER_ATTRIBUTES = 0o040755 << 16;

/** Largest package in bytes. */
const PACKAGE_MAX_BYTES = 400_000;

/** A package that Creative Cloud installs: a zip with the manifest at its root. */
export interface PanelPackage {
  readonly path: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** The parts of a manifest that name files. */
interface Manifest {
  readonly version: string;
  readonly main: string;
  readonly icons: readonly Icon[];
  readonly entrypoints: readonly { readonly icons: readonly Icon[] }[];
}

interface Icon {
  readonly width: number;
  readonly height: number;
  readonly path: string;
  readonly scale: readonly number[];
}

/**
 * Builds the plugin and packs it as `aside-<version>.ccx` into a folder, the Marketplace's as `aside-<version>-marketplace.ccx`.
 *
 * @throws Error naming what is wrong with the manifest, or what it names and the package lacks.
 */
export async function packagePanel(outputFolder: string, choice: BuildChoice = {}): Promise<PanelPackage> {
  const folder = await mkdtemp(join(tmpdir(), "aside-package-"));
  try {
    await buildPanel(folder, choice);
    const files = await readFiles(folder);
    const manifest = await checkedManifest(files);
    const bytes = zipSync(archiveOf(files));
    if (bytes.byteLength > PACKAGE_MAX_BYTES) throw new Error(`The package has ${bytes.byteLength} bytes, too many.`);
    const path = join(
      outputFolder,
      `aside-${manifest.version}${choice.edition === "marketplace" ? "-marketplace" : ""}.ccx`,
    );
    await writeFile(path, bytes);
    return { path, files };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The entries of the archive: folders of their own before what is in them, all with the permission bits of Unix. An installer
 * refused archives that lacked either.
 */
function archiveOf(files: Readonly<Record<string, Uint8Array>>): Zippable {
  const folders = new Set(Object.keys(files).flatMap((path) => foldersOf(path)));
  const entries: Record<string, Uint8Array> = {
    ...Object.fromEntries([...folders].map((folder) => [folder, new Uint8Array(0)])),
    ...files,
  };
  return Object.fromEntries(
    Object.keys(entries)
      .sort()
      .map((path) => {
        const isFolder = path.endsWith("/");
        const attributes = { os: UNIX, attrs: isFolder ? FOLDER_ATTRIBUTES : FILE_ATTRIBUTES };
        return [path, [entries[path] ?? new Uint8Array(0), { mtime: STAMP, level: isFolder ? 0 : 9, ...attributes }]];
      }),
  );
}

/** The folders that a path goes through: `a/b/c.png` goes through `a/` and `a/b/`. */
function foldersOf(path: string): string[] {
  return path.split("/").flatMap((_, index, parts) => (index === 0 ? [] : [`${parts.slice(0, index).join("/")}/`]));
}

/** What is wrong with a package's files, each as a sentence; none when it can be installed. */
export async function packageFaults(files: Readonly<Record<string, Uint8Array>>): Promise<readonly string[]> {
  const source = files["manifest.json"];
  if (source === undefined) return ["The package has no manifest.json at its root."];
  const manifest: unknown = JSON.parse(Buffer.from(source).toString());
  const schema: object = JSON.parse(await readFile(join(PROJECT, "tools/build/manifest.schema.json"), "utf8"));
  const ajv = new Ajv({ allErrors: true });
  const isValid = ajv.compile<Manifest>(schema);
  if (!isValid(manifest))
    return (isValid.errors ?? []).map((error) => `manifest${error.instancePath} ${error.message}.`);
  const icons = [...manifest.icons, ...manifest.entrypoints.flatMap((entry) => entry.icons)];
  return [...missingFiles(files, manifest.main), ...icons.flatMap((icon) => iconFaults(files, icon))];
}

/** The page, and whatever it loads. */
function missingFiles(files: Readonly<Record<string, Uint8Array>>, main: string): string[] {
  const page = files[main];
  if (page === undefined) return [`The package has no ${main}.`];
  const loaded = [
    ...Buffer.from(page)
      .toString()
      .matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="(?<path>[^"]+)"/g),
  ];
  const paths = loaded.map(({ groups }) => groups?.["path"] ?? "");
  return paths.filter((path) => files[path] === undefined).map((path) => `${main} loads ${path}, which is not there.`);
}

/** A picture for each scale, of the size that the manifest states. */
function iconFaults(files: Readonly<Record<string, Uint8Array>>, icon: Icon): string[] {
  return icon.scale.flatMap((scale) => {
    const path = icon.path.replace(/\.png$/, `@${scale}x.png`);
    const bytes = files[path];
    if (bytes === undefined) return [`The package has no ${path}.`];
    // PNG 1.2, 11.2.2: width and height stand at byte 16 and 20.
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const [width, height] = [view.getUint32(16), view.getUint32(20)];
    const isRight = width === icon.width * scale && height === icon.height * scale;
    return isRight ? [] : [`${path} is ${width} by ${height} pixels.`];
  });
}

async function checkedManifest(files: Readonly<Record<string, Uint8Array>>): Promise<Manifest> {
  const faults = await packageFaults(files);
  if (faults.length > 0) throw new Error(faults.join(" "));
  // Checked against the schema just now.
  return JSON.parse(Buffer.from(files["manifest.json"] ?? []).toString()) as Manifest;
}

async function readFiles(folder: string): Promise<Record<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const named = paths.sort().map(async (path): Promise<[string, Uint8Array]> => {
    return [relative(folder, path).replaceAll("\\", "/"), await readFile(path)];
  });
  return Object.fromEntries(await Promise.all(named));
}
