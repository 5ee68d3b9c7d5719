import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import webpack, { type Configuration, type Module, type Stats } from "webpack";
import panelConfiguration from "../webpack.config.js";

const PROJECT = fileURLToPath(new URL("..", import.meta.url));

/** Files and folders of the plugin that are taken as they stand, by their place in the project. */
const COPIED = ["panel/index.html", "panel/controls.css", "panel/views.css", "panel/icons", "panel/presets"];

/** A built plugin: the folder that the developer tool loads and the package holds. */
export interface BuiltPanel {
  readonly folder: string;
  /** Size of its script, minified and before compression. */
  readonly scriptBytes: number;
}

/**
 * Builds the plugin into an empty folder: script, page, style sheets, icons, presets, and the manifest with the version of
 * `package.json`.
 *
 * @throws Error with the bundler's words when the script does not compile, is over its budget, or holds other people's code.
 */
export async function buildPanel(folder: string): Promise<BuiltPanel> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const modules = await bundle({
    ...panelConfiguration,
    output: { ...panelConfiguration.output, path: resolve(folder) },
  });
  const foreign = modules.filter((path) => path.includes("node_modules"));
  // Its notices have nothing to name; whoever adds a package adds them (`notices.ts`).
  if (foreign.length > 0)
    throw new Error(`The panel holds other people's code without its licence: ${foreign.join(", ")}.`);
  for (const path of COPIED) {
    await cp(join(PROJECT, path), join(folder, path.replace(/^panel\//, "")), { recursive: true });
  }
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(await readManifest(), undefined, 2)}\n`);
  return { folder, scriptBytes: (await stat(join(folder, "index.js"))).size };
}

/** Where and how a bundle of one classic script is written. */
export function scriptIn(folder: string, filename: string): NonNullable<Configuration["output"]> {
  return { path: resolve(folder), filename, iife: true };
}

/** Runs the bundler once, and gives the paths of the modules that are in its scripts. @throws Error with its words when it fails. */
export async function bundle(configuration: Configuration): Promise<readonly string[]> {
  const compiler = webpack(configuration);
  try {
    return await new Promise((resolve, reject) => {
      compiler.run((error, stats) => {
        if (error !== null) reject(error);
        else if (stats?.hasErrors() === true) reject(new Error(stats.toString("errors-only")));
        else resolve(modulesIn(stats));
      });
    });
  } finally {
    await new Promise((resolve) => compiler.close(resolve));
  }
}

/** Modules that were joined into one stand inside that one. */
function modulesIn(stats: Stats | undefined): readonly string[] {
  const inside = [...(stats?.compilation.modules ?? [])].flatMap((module) =>
    "modules" in module && Array.isArray(module.modules) ? (module.modules as Module[]) : [module],
  );
  return inside.map((module) => module.nameForCondition() ?? "");
}

/** The plugin's manifest with the version of `package.json`, which alone states it. */
async function readManifest(): Promise<object> {
  const manifest: object = JSON.parse(await readFile(join(PROJECT, "manifest.json"), "utf8"));
  const { version }: { version: string } = JSON.parse(await readFile(join(PROJECT, "package.json"), "utf8"));
  return { ...manifest, version };
}

if (import.meta.main) {
  const { folder, scriptBytes } = await buildPanel(join(PROJECT, "dist/panel"));
  process.stdout.write(`${folder}: index.js of ${scriptBytes} bytes\n`);
}
