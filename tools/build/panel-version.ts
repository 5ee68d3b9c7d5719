import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { findProgram, wholePath } from "../../src/engine/isolate/programs.ts";
import { PROJECT } from "./run-webpack.ts";

/** Where a checkout remembers the last build that somebody may have installed. */
const LAST_BUILD = "dist/panel-version.txt";

/** Adobe's schema of manifests gives the third number three digits. */
const HIGHEST_BUILD = 999;

/**
 * The version of a panel that may be installed: the project's first two numbers, and a third that rises with each build.
 * Creative Cloud refuses a version that is installed already, and an older one beside a newer one is registered twice.
 * Builds are counted by the commits since the project's version was set, so that another checkout is not behind, and by
 * what was built here.
 *
 * @throws Error when there are more builds than a version can count.
 */
export async function nextPanelVersion(project = PROJECT): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
  const series = version.replace(/\.\d+$/, "");
  const last = (await readFile(join(project, LAST_BUILD), "utf8").catch(() => "")).trim();
  const lastBuild = last.startsWith(`${series}.`) ? Number(last.slice(series.length + 1)) : -1;
  const build = Math.max(await commitsSinceVersion(project), lastBuild + 1);
  if (!(build <= HIGHEST_BUILD)) {
    throw new Error(`Version ${series} has no numbers left for its builds: raise the version in package.json.`);
  }
  return `${series}.${build}`;
}

/** Remembers that a version was built. */
export async function keepPanelVersion(version: string, project = PROJECT): Promise<void> {
  const path = join(project, LAST_BUILD);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${version}\n`);
}

/** 0 where git or its history is not there. */
async function commitsSinceVersion(project: string): Promise<number> {
  const program = await findProgram("git");
  if (program === null) return 0;
  const git = async (...args: string[]) =>
    (await promisify(execFile)(wholePath(program), args, { cwd: project })).stdout.trim();
  try {
    const set = await git("log", "-1", "--format=%H", "-G", '^  "version":', "--", "package.json");
    return Number(await git("rev-list", "--count", `${set}..HEAD`));
  } catch {
    return 0;
  }
}
