import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { noticesText, productionPackages } from "./notices.ts";
import { type BuildChoice, PROJECT, runWebpack } from "./run-webpack.ts";

/** A built plugin: the folder that the developer tool loads and the package holds. */
export interface BuiltPanel {
  readonly folder: string;
  /** Size of its main script in bytes, before compression. */
  readonly scriptBytes: number;
}

/**
 * Builds the plugin into a folder: scripts, page, style sheets, icons, presets, manifest, and the licences of what is bundled.
 *
 * @throws Error when a script does not compile, is over its budget, or holds other people's code without its licence.
 */
export async function buildPanel(folder: string, choice: BuildChoice = {}): Promise<BuiltPanel> {
  const modules = await runWebpack("panel", folder, choice);
  await writeFile(join(folder, "NOTICES.txt"), await noticesOf(modules));
  return { folder, scriptBytes: (await stat(join(folder, "index.js"))).size };
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
