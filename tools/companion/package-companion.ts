// Makes the companion that an editor double-clicks: `npm run tool -- package:companion --platform win-x64`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { noticesText, productionPackages } from "../build/notices.ts";
import { packagePanel } from "../build/package-panel.ts";
import { keepPanelVersion, nextPanelVersion } from "../build/panel-version.ts";
import { runWebpack } from "../build/run-webpack.ts";
import { faultsOf } from "./check-package.ts";
import { launchersOf, layoutOf } from "./launchers.ts";
import { type CompanionPlatform, PLATFORMS } from "./platforms.ts";
import { pruneInstallation } from "./prune.ts";
import { writeZip } from "./write-zip.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

/** What is copied of the project. */
const COPIED = ["bin", "src", "sample", "package.json", "LICENSE"];

/** Most that a package may have on the disk of whoever installs it. */
const LARGEST_UNPACKED_BYTES = 410e6;

/** Most that is downloaded. */
const LARGEST_PACKED_BYTES = 150e6;

/** A finished package. */
export interface CompanionPackage {
  /** The archive. */
  readonly path: string;
  readonly bytes: number;
  readonly unpackedBytes: number;
}

/**
 * Makes the companion for a kind of computer, on any: its own Node, the service with its modules and natives, the panel, the
 * licences, and what is double-clicked. Nothing is built or fetched at its first start.
 *
 * @param out Folder for the folder and the archive.
 * @throws Error with npm's words when it cannot install for the platform, with what is missing in the package, or with its
 * size where that is more than people are to download.
 */
async function packageCompanion(platform: CompanionPlatform, out: string): Promise<CompanionPackage> {
  const { version }: { version: string } = JSON.parse(await readFile(join(PROJECT, "package.json"), "utf8"));
  const { top, program } = layoutOf(platform);
  const folder = join(out, `aside-companion-${version}-${platform.os}-${platform.cpu}`);
  await rm(folder, { recursive: true, force: true });
  const inside = join(folder, top, program);
  await mkdir(inside, { recursive: true });
  await install(inside, platform);
  await pruneInstallation(inside, platform);
  for (const path of COPIED) await cp(join(PROJECT, path), join(inside, path), { recursive: true });
  await runWebpack("page", join(inside, "dist/page"));
  await removeMaps(join(inside, "dist/page"));
  await writeFile(join(inside, "NOTICES.txt"), noticesText(await packagesIn(inside)));
  await rm(join(inside, "package-lock.json"));
  for (const { path, text, isProgram } of launchersOf(platform, { version, top, program })) {
    await mkdir(dirname(join(folder, top, path)), { recursive: true });
    await writeFile(join(folder, top, path), text);
    if (isProgram === true) await chmod(join(folder, top, path), 0o755);
  }
  if (platform.os !== "win32") await chmod(join(inside, "node_modules", platform.node), 0o755);
  const faults = await faultsOf(inside, platform);
  if (faults.length > 0) throw new Error(`The package would not run: ${faults.join("; ")}.`);
  const panelVersion = await nextPanelVersion();
  await cp((await packagePanel(out, { version: panelVersion })).path, join(folder, "Aside panel for Premiere.ccx"));
  await keepPanelVersion(panelVersion);
  await writeFile(join(folder, "Read me first.txt"), READ_ME[platform.os]);
  const path = `${folder}.zip`;
  const unpackedBytes = await bytesOf(folder);
  await writeZip(folder, path);
  const bytes = (await stat(path)).size;
  requireSmall("unpacked", unpackedBytes, LARGEST_UNPACKED_BYTES);
  requireSmall(basename(path), bytes, LARGEST_PACKED_BYTES);
  return { path, bytes, unpackedBytes };
}

/** Source maps are for who works on the page: a checkout has them. */
async function removeMaps(folder: string): Promise<void> {
  for (const path of await readdir(folder, { recursive: true })) {
    if (path.endsWith(".map")) await rm(join(folder, path));
  }
}

async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** @throws Error where something is larger than people are to download. */
function requireSmall(what: string, bytes: number, largest: number): void {
  if (bytes <= largest) return;
  throw new Error(`The package is too large: ${what} has ${Math.ceil(bytes / 1e6)} MB, of ${largest / 1e6} at most.`);
}

/** npm installs the natives of another kind of computer where it is told to; nothing of a package is run. */
async function install(folder: string, { os, cpu }: CompanionPlatform): Promise<void> {
  for (const name of ["package.json", "package-lock.json", ".npmrc"]) await cp(join(PROJECT, name), join(folder, name));
  const options = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", `--os=${os}`, `--cpu=${cpu}`];
  // Set by npm for what it runs.
  const npmProgram = process.env["npm_execpath"];
  if (npmProgram === undefined) throw new Error("Run this by npm: npm run tool -- package:companion");
  const npm = spawn(process.execPath, [npmProgram, "ci", ...options], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  npm.stderr.on("data", (part: Buffer) => {
    said = (said + part.toString("utf8")).slice(-2_000);
  });
  const [code] = await once(npm, "close");
  await rm(join(folder, ".npmrc"));
  if (code !== 0) throw new Error(`npm could not install for ${os} ${cpu}:\n${said}`);
}

/** The packages that are still there, with their licences. */
async function packagesIn(folder: string) {
  const kept = new Set<string>();
  for (const entry of await readdir(join(folder, "node_modules"), { recursive: true, withFileTypes: true })) {
    if (entry.name === "package.json") kept.add(relative(folder, entry.parentPath).replaceAll("\\", "/"));
  }
  return productionPackages(folder, (place) => kept.has(place));
}

const READ_ME: Readonly<Record<CompanionPlatform["os"], string>> = {
  win32: `Aside, audio description for film editors

1. Right-click the archive that you downloaded, choose Properties, tick "Unblock", then unpack it where it shall stay.
2. Double-click Aside.cmd in the folder Aside. It has no window: its page opens in the browser.
3. Double-click "Aside panel for Premiere.ccx". In Premiere: Window > UXP Plugins > Aside. It finds Aside by itself.

This package is not signed: Windows may ask before it starts it ("More info", "Run anyway").
To remove Aside: double-click "Remove Aside.cmd" in the folder Aside, which ends it and asks about your data, then delete this folder.
`,
  darwin: `Aside, audio description for film editors

1. Drag Aside to the folder Applications, and open it. Its page opens in the browser.
2. Double-click "Aside panel for Premiere.ccx". In Premiere: Window > UXP Plugins > Aside. It finds Aside by itself.

This package is not signed: macOS refuses it the first time. Open System Settings > Privacy & Security, and choose "Open Anyway";
or, in Terminal: xattr -dr com.apple.quarantine /Applications/Aside.app
To remove Aside: open "Remove Aside.command" (right-click, Open), which ends it and asks about your data, then delete the application.
`,
  linux: `Aside, audio description for film editors

1. Unpack the archive where it shall stay, and start aside.sh in the folder Aside. Its page opens in the browser.
   From then on it stands among the programs of the desktop.
2. The panel is for Premiere on Windows and macOS; on Linux the page and the command line (aside.sh --help) do the work.

To remove Aside: aside.sh companion --remove, which ends it and asks about your data; then delete this folder.
`,
};

const { values } = parseArgs({
  options: {
    platform: { type: "string" },
    out: { type: "string", default: "dist" },
  },
});
const platform = PLATFORMS[values.platform ?? ""];
if (platform === undefined) {
  process.stderr.write(`Name a platform: --platform ${Object.keys(PLATFORMS).join("|")}\n`);
  process.exit(2);
}
await mkdir(values.out, { recursive: true });
const { path, bytes, unpackedBytes } = await packageCompanion(platform, values.out);
const megabytes = (size: number) => `${(size / 1e6).toFixed(0)} MB`;
process.stdout.write(`${megabytes(unpackedBytes)} unpacked\n${path}: ${megabytes(bytes)}\n`);
