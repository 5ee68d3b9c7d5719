import { mkdir, open, rm, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import webpack, { type Configuration, type Stats, type StatsModule } from "webpack";
import configurations from "../../webpack.config.js";

/** The project's folder. */
export const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

const CACHE = join(PROJECT, "node_modules/.cache/webpack");

/** A lock of this age was left by a build that was killed, in milliseconds. */
const ABANDONED_MS = 300_000;

/** What webpack can make, by the names of its configurations. */
export type BuildName = "panel" | "page" | "preview";

/** What a build may be asked for: `webpack.config.js` has the words. */
export type BuildChoice = NonNullable<Parameters<typeof configurations>[0]>;

/**
 * Runs one of webpack's configurations into a folder, whose other files go.
 *
 * @returns The files whose code is in what was made, by their paths in the project, with slashes.
 * @throws Error with webpack's words when something does not compile, or is larger than it may be.
 */
export async function runWebpack(
  name: BuildName,
  folder: string,
  choice: BuildChoice = {},
): Promise<readonly string[]> {
  const letGo = await cacheLock(name);
  const compiler = webpack(configurationOf(name, folder, { ...choice, keepsCache: letGo !== null }));
  const stats = await new Promise<Stats | undefined>((resolve, reject) => {
    compiler.run((error, done) => (error === null ? resolve(done) : reject(error)));
  })
    .finally(() => new Promise((resolve) => compiler.close(resolve)))
    .finally(letGo);
  if (stats === undefined || stats.hasErrors()) throw new Error(stats?.toString("errors-only") ?? `${name}: no result`);
  return modulesOf(stats);
}

/**
 * Builds into a folder, and again whenever a source changes.
 *
 * @param told - Called after each build, with webpack's words where it failed, else `null`.
 * @returns After the first build that succeeds; a function that ends the watching.
 */
export function watchWithWebpack(
  name: BuildName,
  folder: string,
  told: (fault: string | null) => void,
): Promise<() => Promise<void>> {
  const compiler = webpack(configurationOf(name, folder, { minify: false }));
  const end = () => new Promise<void>((resolve) => compiler.close(() => resolve()));
  return new Promise((resolve) => {
    compiler.watch({}, (error, stats) => {
      const fault = error?.message ?? (stats?.hasErrors() === true ? stats.toString("errors-only") : null);
      told(fault);
      if (fault === null) resolve(end);
    });
  });
}

/**
 * Takes the right to write webpack's cache of a build; `null` where another process has it.
 *
 * @returns Gives the right back.
 */
async function cacheLock(name: BuildName): Promise<(() => Promise<void>) | null> {
  const path = join(CACHE, `${name}.lock`);
  try {
    const made = await stat(path).catch(() => null);
    if (made !== null && Date.now() - made.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
    await mkdir(CACHE, { recursive: true });
    await (await open(path, "wx")).close();
    return () => rm(path, { force: true });
  } catch {
    // Somebody else builds, or nothing may be written here.
    return null;
  }
}

function configurationOf(name: BuildName, folder: string, choice: BuildChoice): Configuration {
  const found = configurations(choice).find((one) => one.name === name);
  if (found === undefined) throw new RangeError(`webpack.config.js has no configuration ${name}`);
  return { ...found, output: { ...found.output, path: resolve(folder) } };
}

function modulesOf(stats: Stats): string[] {
  const { modules = [] } = stats.toJson({
    all: false,
    modules: true,
    nestedModules: true,
    cachedModules: true,
    dependentModules: true,
    modulesSpace: Number.POSITIVE_INFINITY,
    nestedModulesSpace: Number.POSITIVE_INFINITY,
    groupModulesByType: false,
    groupModulesByPath: false,
    groupModulesByAttributes: false,
    groupModulesByCacheStatus: false,
    groupModulesByExtension: false,
    groupModulesByLayer: false,
  });
  const paths = new Set<string>();
  const visit = ({ nameForCondition, modules: nested = [], orphan }: StatsModule) => {
    if (typeof nameForCondition === "string" && orphan !== true) {
      paths.add(relative(PROJECT, nameForCondition).replaceAll("\\", "/"));
    }
    nested.forEach(visit);
  };
  modules.forEach(visit);
  return [...paths].sort();
}
