// `npm run build [-- panel page preview]` builds what is named, or all, into dist: `--out FOLDER` somewhere else,
// `--plain` without making it small. `npm run package` makes the panel's
// package, dist/aside-<version>.ccx; with `-- --marketplace [--id ID]` the one for Adobe's Marketplace, which launches
// nothing and has no tools for developers. ID is the identity that the Marketplace issued.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildPanel } from "./build-panel.ts";
import { packagePanel } from "./package-panel.ts";
import { keepPanelVersion, nextPanelVersion } from "./panel-version.ts";
import { type BuildName, PROJECT, runWebpack } from "./run-webpack.ts";

const ALL: readonly BuildName[] = ["panel", "page", "preview"];

const { values, positionals } = parseArgs({
  options: {
    package: { type: "boolean" },
    marketplace: { type: "boolean" },
    id: { type: "string" },
    out: { type: "string" },
    plain: { type: "boolean" },
  },
  allowPositionals: true,
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const unknown = positionals.filter((name) => !ALL.some((known) => known === name));
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(", ")} to build: choose from ${ALL.join(", ")}.`);

const names = positionals.length === 0 ? ALL : ALL.filter((one) => positionals.includes(one));
if (values.out !== undefined && names.length !== 1) throw new Error("--out takes one build: name it.");
const dist = join(PROJECT, "dist");
if (values.package === true) await makePackage();
else for (const name of names) await make(name, values.out ?? join(dist, name));

async function makePackage(): Promise<void> {
  await mkdir(dist, { recursive: true });
  const version = await nextPanelVersion();
  const edition = values.marketplace === true ? "marketplace" : "direct";
  const { path, files } = await packagePanel(dist, { edition, id: values.id, version });
  await keepPanelVersion(version);
  say(`${path}\n${Object.keys(files).join("\n")}`);
}

async function make(name: BuildName, folder: string): Promise<void> {
  const minify = values.plain !== true;
  if (name !== "panel") {
    await runWebpack(name, folder, { minify });
    say(folder);
    return;
  }
  const version = await nextPanelVersion();
  const { scriptBytes } = await buildPanel(folder, { version, minify });
  await keepPanelVersion(version);
  say(`${folder}: version ${version}, index.js of ${scriptBytes} bytes`);
}
