import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import webpack, { type Configuration } from "webpack";
import { english } from "../panel/strings.ts";
import panelConfiguration from "../webpack.config.js";

const PROJECT = fileURLToPath(new URL("..", import.meta.url));

/** Files and folders of the plugin that are taken as they stand, by their place in the project. */
const COPIED = ["panel/index.html", "panel/controls.css", "panel/views.css", "panel/icons", "panel/presets"];

/** A built plugin: the folder that the developer tool loads and the package holds. */
export interface BuiltPanel {
  readonly folder: string;
  /** Size of the script, minified and before compression. */
  readonly scriptBytes: number;
}

/**
 * Builds the plugin into an empty folder: script, page, style sheets, words, icons, presets, and the manifest with the version
 * of `package.json`.
 *
 * @throws Error with the bundler's words when the script does not compile or is over its budget.
 */
export async function buildPanel(folder: string): Promise<BuiltPanel> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await bundle({ ...panelConfiguration, output: scriptIn(folder, "index.js") });
  for (const path of COPIED) {
    await cp(join(PROJECT, path), join(folder, path.replace(/^panel\//, "")), { recursive: true });
  }
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(await readManifest(), undefined, 2)}\n`);
  await mkdir(join(folder, "strings"));
  await writeFile(join(folder, "strings/en.json"), JSON.stringify(english));
  const script = await readFile(join(folder, "index.js"));
  return { folder, scriptBytes: script.byteLength };
}

/** Where and how a bundle of one classic script is written. */
export function scriptIn(folder: string, filename: string): NonNullable<Configuration["output"]> {
  return { path: resolve(folder), filename, iife: true };
}

/** Runs the bundler once. @throws Error with its words when it fails. */
export async function bundle(configuration: Configuration): Promise<void> {
  const compiler = webpack(configuration);
  try {
    await new Promise<void>((resolve, reject) => {
      compiler.run((error, stats) => {
        if (error !== null) reject(error);
        else if (stats?.hasErrors() === true) reject(new Error(stats.toString("errors-only")));
        else resolve();
      });
    });
  } finally {
    await new Promise((resolve) => compiler.close(resolve));
  }
}

/** The plugin's manifest with the version of `package.json`, which alone states it. */
async function readManifest(): Promise<object> {
  const manifest: object = JSON.parse(await readFile(join(PROJECT, "manifest.json"), "utf8"));
  const { version }: { version: string } = JSON.parse(await readFile(join(PROJECT, "package.json"), "utf8"));
  return { ...manifest, version };
}

if (import.meta.main) {
  const { folder, scriptBytes } = await buildPanel(join(PROJECT, "dist/panel"));
  process.stdout.write(`${folder}: script of ${scriptBytes} bytes\n`);
}
