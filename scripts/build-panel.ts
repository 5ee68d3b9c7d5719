import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import webpack, { type Configuration, type Module, type Stats } from "webpack";
import { english } from "../panel/strings.ts";
import panelConfiguration, { TOTAL_CEILING_BYTES } from "../webpack.config.js";
import { noticesText, productionPackages } from "./notices.ts";

const PROJECT = fileURLToPath(new URL("..", import.meta.url));

/** Files and folders of the plugin that are taken as they stand, by their place in the project. */
const COPIED = ["panel/index.html", "panel/controls.css", "panel/views.css", "panel/icons", "panel/presets"];

/** A built plugin: the folder that the developer tool loads and the package holds. */
export interface BuiltPanel {
  readonly folder: string;
  /** Sizes of its scripts by name, minified and before compression: the page loads `index.js`, which reads the others. */
  readonly scripts: Readonly<Record<string, number>>;
}

/**
 * Builds the plugin into an empty folder: scripts, page, style sheets, words, icons, presets, the licences of what is bundled,
 * and the manifest with the version of `package.json`.
 *
 * @throws Error with the bundler's words when a script does not compile, when the scripts are over their budgets, or hold
 * other people's code without its licence.
 */
export async function buildPanel(folder: string): Promise<BuiltPanel> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const modules = await bundle({
    ...panelConfiguration,
    output: { ...panelConfiguration.output, path: resolve(folder) },
  });
  await writeFile(join(folder, "NOTICES.txt"), await noticesOf(modules));
  for (const path of COPIED) {
    await cp(join(PROJECT, path), join(folder, path.replace(/^panel\//, "")), { recursive: true });
  }
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(await readManifest(), undefined, 2)}\n`);
  await mkdir(join(folder, "strings"));
  await writeFile(join(folder, "strings/en.json"), JSON.stringify(english));
  return { folder, scripts: await scriptSizes(folder) };
}

/** The licences of the packages that these modules are of. */
async function noticesOf(modules: readonly string[]): Promise<string> {
  const places = new Set(
    modules.flatMap((path) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  const packages = await productionPackages(PROJECT, (place) => places.has(place));
  const licensed = new Set(packages.filter(({ text }) => text !== "").map(({ name }) => name));
  const foreign = [...places].filter((place) => !licensed.has(place.split("node_modules/").at(-1) ?? ""));
  if (foreign.length === 0) return noticesText(packages);
  throw new Error(`The panel holds other people's code without its licence: ${foreign.join(", ")}.`);
}

/** Files that the panel's script reads from beside it: a package without one of them is refused. */
export const READ_BY_SCRIPT = ["work.js", "strings/en.json"];

/** @throws Error when there is a script that no package expects, or all together are over their budget. */
async function scriptSizes(folder: string): Promise<Record<string, number>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const unknown = names.filter((name) => name !== "index.js" && !READ_BY_SCRIPT.includes(name));
  if (unknown.length > 0) throw new Error(`The bundler made a script that nobody knows: ${unknown.join(", ")}.`);
  const sizes = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).size] as const)),
  );
  const total = totalOf(sizes);
  if (total <= TOTAL_CEILING_BYTES) return sizes;
  throw new Error(`The panel's scripts have ${total} bytes together: more than ${TOTAL_CEILING_BYTES}.`);
}

/** Sum of the sizes of a panel's scripts, in bytes. */
export function totalOf(scripts: BuiltPanel["scripts"]): number {
  return Object.values(scripts).reduce((sum, size) => sum + size, 0);
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
  const { folder, scripts } = await buildPanel(join(PROJECT, "dist/panel"));
  process.stdout.write(`${folder}: ${totalOf(scripts)} bytes of scripts\n`);
  for (const [name, size] of Object.entries(scripts)) process.stdout.write(`  ${name}: ${size} bytes\n`);
}
