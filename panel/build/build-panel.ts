import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { noticesText, productionPackages } from "../../deploy/notices.ts";
import { defined } from "../../src/core/defined.ts";
import { bundle, PROJECT } from "./bundle.ts";

/** Largest script of the panel, minified and before compression, in bytes. The build refuses a larger one. */
export const SCRIPT_CEILING_BYTES = 560_000;

/** Who hands the plugin out: we ourselves, or Adobe's Marketplace, whose rules are stricter. */
type Edition = "direct" | "marketplace";

/** The scripts of each package, by their names there, in the order in which its page loads them. None needs a later one. */
const SCRIPTS: Readonly<Record<Edition, Readonly<Record<string, string>>>> = {
  direct: { "index.js": "panel/main.ts", "diagnostics.js": "panel/main-diagnostics.ts" },
  marketplace: { "index.js": "panel/main-marketplace.ts" },
};

/** Modules that the host provides at run time. */
const HOST_MODULES = ["premierepro", "uxp", "fs", "os"];

/** Files and folders of the plugin that are taken as they stand, by their place in the project. */
const COPIED = ["panel/index.html", "panel/controls.css", "panel/views.css", "panel/icons", "panel/presets"];

/** Which plugin is built. */
export interface PackageChoice {
  /** Default: the one that is handed out directly. */
  readonly edition?: Edition | undefined;
  /** Identity in place of the manifest's: the Marketplace issues one of its own. */
  readonly id?: string | undefined;
}

/** A built plugin: the folder that the developer tool loads and the package holds. */
export interface BuiltPanel {
  readonly folder: string;
  /** Size of its own script, minified and before compression. */
  readonly scriptBytes: number;
}

/**
 * Builds the plugin into an empty folder: script, page, style sheets, icons, presets, the licences of what is bundled, and the
 * manifest with the version of `package.json`.
 *
 * @throws esbuild's `BuildFailure` when a script does not compile; Error when it is over its budget or holds other people's code
 * without its licence.
 */
export async function buildPanel(folder: string, choice: PackageChoice = {}): Promise<BuiltPanel> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const scripts = Object.entries(SCRIPTS[choice.edition ?? "direct"]);
  const modules: string[] = [];
  const { version }: { version: string } = JSON.parse(await readFile(join(PROJECT, "package.json"), "utf8"));
  for (const [name, entry] of scripts) modules.push(...(await makeScript(entry, join(folder, name), version)));
  await writeFile(join(folder, "NOTICES.txt"), await noticesOf(modules));
  for (const path of COPIED) {
    await cp(join(PROJECT, path), join(folder, path.replace(/^panel\//, "")), { recursive: true });
  }
  const page = join(folder, "index.html");
  await writeFile(
    page,
    withScripts(
      await readFile(page, "utf8"),
      scripts.map(([name]) => name),
    ),
  );
  await writeFile(
    join(folder, "manifest.json"),
    `${JSON.stringify(await readManifest(choice, version), undefined, 2)}\n`,
  );
  return { folder, scriptBytes: (await stat(join(folder, "index.js"))).size };
}

/**
 * A script of the panel as a classic one, whole in itself: UXP loads no modules of ECMAScript, compiles no strings, and its
 * engine is promised ECMAScript 2020 at most.
 */
async function makeScript(entry: string, outfile: string, version: string): Promise<readonly string[]> {
  const modules = await bundle({
    entryPoints: [entry],
    outfile,
    target: "es2020",
    // The host's own `require` is called as it is; what one script names is nothing to the other.
    format: "cjs",
    banner: { js: "(() => {" },
    footer: { js: "})();" },
    minify: true,
    legalComments: "none",
    tsconfig: "panel/tsconfig.json",
    external: HOST_MODULES,
    // The one place of the version is package.json; the host tells a plugin nothing of its own.
    define: { PANEL_VERSION: JSON.stringify(version) },
  });
  const { size } = await stat(outfile);
  if (size <= SCRIPT_CEILING_BYTES) return modules;
  throw new Error(`${entry} makes a script of ${size} bytes; at most ${SCRIPT_CEILING_BYTES} are allowed.`);
}

/** The page with a tag for each script, in place of the one that it is written with. */
function withScripts(page: string, names: readonly string[]): string {
  const tag = '<script src="index.js"></script>';
  if (!page.includes(tag)) throw new Error(`The panel's page does not hold ${tag}.`);
  return page.replace(tag, names.map((name) => tag.replace("index.js", name)).join("\n    "));
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

/** The plugin's manifest with the version of `package.json`, which alone states it; the Marketplace's lets nothing be launched. */
async function readManifest({ edition, id }: PackageChoice, version: string): Promise<object> {
  const manifest: { requiredPermissions: object } = JSON.parse(await readFile(join(PROJECT, "manifest.json"), "utf8"));
  const { launchProcess, ...permissions } = { launchProcess: undefined, ...manifest.requiredPermissions };
  const isDirect = edition !== "marketplace";
  const requiredPermissions = { ...permissions, ...(isDirect ? defined({ launchProcess }) : {}) };
  return { ...manifest, ...defined({ id }), version, requiredPermissions };
}
