// Puts small faults into the code, one at a time, and tells how many of them the tests notice.
//   npm run tool -- mutants [core result] [core/placement.ts panel/state] [--every 4 host/premiere]
// Faults are made by Stryker in a copy of the project, with a low priority; a second run tries only what has changed since.
// With --every only one of so many blocks of lines is tried, the first of them or that of --from (counted from 0): an estimate in a
// part of the time. What survived stands in .cache/mutants/<folder>.html; which of it cannot be noticed, in docs/notes/mutants.md.
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";

/** What is changed, and by which tests that is to be noticed: quick ones that concern it. */
interface Folder {
  readonly sources: string;
  readonly tests: readonly string[];
}

/** Tests of placing are the slowest of the core's, and go through much of it: they are asked about placing alone. */
const FOLDERS: Readonly<Record<string, Folder>> = {
  "core/placement": { sources: "src/core/placement*.ts", tests: ["test/core/placement*.test.ts"] },
  // A walk through every frame of a day takes a minute with counters in the code; the labels' laws are in the rest.
  core: { sources: "src/core/!(placement*).ts", tests: ["test/core/!(placement*|timecode-day).test.ts"] },
  result: { sources: "src/result/**/*.ts", tests: ["test/result/**/*.test.ts"] },
  client: { sources: "src/client/**/*.ts", tests: ["test/client/**/*.test.ts"] },
  "host/premiere": {
    sources: "src/host/premiere/**/*.ts",
    tests: ["test/host/premiere-host.test.ts", "test/host/premiere/**/*.test.ts"],
  },
  // The booth's clock runs in a browser, by real time: on a machine that is busy it is no test of a fault. Pages in a browser,
  // media that is measured, and a line that a whole service voices take seconds each: their laws stand beside them.
  workflow: {
    sources: "src/workflow/**/*.ts",
    tests: ["test/workflow/**/!(booth-clock|pages-in-browser|*-on-media|voice-line).test.ts"],
  },
  formats: { sources: "src/formats/**/*.ts", tests: ["test/formats/**/*.test.ts"] },
  contract: { sources: "src/contract/**/*.ts", tests: ["test/contract/**/*.test.ts", "test/client/**/*.test.ts"] },
  "host/headless": {
    sources: "src/host/headless/**/*.ts",
    tests: ["test/host/headless/**/*.test.ts", "test/host/{host,files,file-transfer}.test.ts"],
  },
  "host/uxp": {
    sources: "src/host/uxp/**/*.ts",
    tests: ["test/host/uxp/**/*.test.ts", "test/host/{files,file-transfer}.test.ts"],
  },
  // What takes more than six seconds is asked of nothing here, as for slips.
  "service/http": {
    sources: "src/service/http/**/*.ts",
    tests: ["test/service/http/**/!(generate|models|openapi|operations|page|results|settings-effect).test.ts"],
  },
  // Whole jobs take seconds each: what decides in them has laws of its own.
  service: {
    sources: "src/service/{*.ts,!(http)/**/*.ts}",
    tests: ["test/service/{admin,jobs,storage,ingest,models,settings}/**/*.test.ts", "test/service/*.test.ts"],
  },
  // What takes seconds each (models, voices, whole mixes and films) has laws beside it; a sheet is opened in a browser.
  engine: {
    sources: "src/engine/**/*.ts",
    tests: [
      "test/engine/**/!(analyse-programme|any-file|choose-sound|command|espeak|mix-narration|narration|normal-pace|order-models|read-key-frames|real-engine|speech-engine|write-worksheet).test.ts",
    ],
  },
  cli: { sources: "src/cli/**/*.ts", tests: ["test/cli/**/*.test.ts"] },
  // What starts the panel runs in a host of its own; the preview is a tool.
  panel: {
    sources: "panel/!(preview|start)/**/*.ts",
    tests: ["test/panel/{controllers,document,session,state,views,words}/**/*.test.ts"],
  },
  page: { sources: "page/**/*.ts", tests: ["test/page/**/*.test.ts"] },
};

/** Where copies and reports are kept, outside git. */
const KEPT = ".cache/mutants";

/** As `nice` counts: whatever else runs comes first. */
const LOW_PRIORITY = 15;

/** Faults that are worth noticing: those noticed by a failing test, and those that no longer come to an end. */
const NOTICED = new Set(["Killed", "Timeout"]);
const UNNOTICED = new Set(["Survived", "NoCoverage"]);

/** Lines that are tried together where not all are. */
const BLOCK_LINES = 8;

/**
 * One of every so many blocks of the lines of some files, as Stryker names them, counted on from file to file, so that heads and
 * ends of files have their share; `from` says which, counted from 0.
 */
function blocksOf(sources: string, every: number, from: number): string[] {
  const blocks = globSync(sources)
    .sort()
    .flatMap((path) => {
      const lines = readFileSync(path, "utf8").split("\n").length;
      const before = Array.from({ length: Math.ceil(lines / BLOCK_LINES) }, (_, index) => index * BLOCK_LINES);
      return before.map((line) => `${path}:${line + 1}-${line + BLOCK_LINES}`);
    });
  return blocks.filter((_, index) => index % every === from);
}

/**
 * Tries every fault of a folder, or of a part of it.
 * @param name - One of FOLDERS.
 * @param source - What is changed: the folder itself, or a file or folder of src inside it.
 * @param every - Of how many blocks of lines one is tried; 1 for all.
 * @param from - Which of so many blocks, from 0 up to below `every`.
 * @returns How many faults were noticed, of how many.
 */
async function tryFaults(
  name: string,
  { sources, tests }: Folder,
  source: string,
  every: number,
  from: number,
): Promise<{ noticed: number; all: number }> {
  const part = every > 1 ? `-every-${every}${from > 0 ? `-from-${from}` : ""}` : "";
  const report = `${KEPT}/${name.replaceAll("/", "-")}${part}`;
  const inside = existsSync(`src/${source}`) ? `src/${source}` : source;
  const wanted = source === name ? sources : `${inside}${source.endsWith(".ts") ? "" : "/**/*.ts"}`;
  const results = await new Stryker({
    testRunner: "vitest",
    // The tests are named below: which of them hang on a file is not to be guessed.
    vitest: { configFile: "tools/check/mutants/mutants.config.ts", related: false, pool: "forks" },
    mutate: every > 1 ? blocksOf(wanted, every, from) : [wanted],
    testFiles: [...tests],
    coverageAnalysis: "perTest",
    // A fault in what runs while a file is loaded costs a whole run of every test: tables and patterns are left out.
    ignoreStatic: true,
    appendPlugins: [fileURLToPath(new URL("left-alone.ts", import.meta.url))],
    ignorers: ["left-alone"],
    incremental: true,
    incrementalFile: `${report}.json`,
    tempDirName: `${KEPT}/copies`,
    ignorePatterns: [".cache", "dist", "out"],
    reporters: ["html", "clear-text", "progress-append-only"],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
    htmlReporter: { fileName: `${report}.html` },
    concurrency: 2,
    // Other work on the machine is no endless loop.
    dryRunTimeoutMinutes: 30,
    timeoutMS: 8_000,
  }).runMutationTest();
  // What an earlier run tried in the rest of the folder is kept with it.
  const statuses = results
    .filter(({ fileName }) => source === name || fileName.includes(inside))
    .map(({ status }) => status);
  const noticed = statuses.filter((status) => NOTICED.has(status)).length;
  return { noticed, all: noticed + statuses.filter((status) => UNNOTICED.has(status)).length };
}

// Tests find other people's media beside the project, and so beside a copy of it.
const SHARED = fileURLToPath(new URL("../../../../shared", import.meta.url));
const BESIDE_COPIES = `${KEPT}/copies/shared`;
await mkdir(`${KEPT}/copies`, { recursive: true });
if (existsSync(SHARED) && !existsSync(BESIDE_COPIES)) await symlink(SHARED, BESIDE_COPIES);

setPriority(LOW_PRIORITY);
const USAGE = `npm run tool -- mutants [FOLDER or FILE ...] [--every 4 [--from 0]]

Puts small faults into the code, one at a time, and tells how many of them the tests notice.
  FOLDER     one of these, or a file or folder inside one: ${Object.keys(FOLDERS).join(", ")} (default: all)
  --every    only one of so many blocks of lines, for an estimate
  --from     which of these blocks, counted from 0
`;
const { values, positionals } = parseArgs({
  options: {
    help: { type: "boolean" },
    every: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
  },
  allowPositionals: true,
});
if (values.help === true) {
  process.stdout.write(USAGE);
  process.exit();
}
const every = Number(values.every);
if (!Number.isInteger(every) || every < 1) throw new RangeError(`--every ${values.every} is no whole number from 1 on`);
const from = Number(values.from);
if (!Number.isInteger(from) || from < 0 || from >= every) {
  throw new RangeError(`--from ${values.from} is none of the blocks 0 to ${every - 1}`);
}
const figures: string[] = [];
for (const source of positionals.length > 0 ? positionals : Object.keys(FOLDERS)) {
  const [name, folder] = Object.entries(FOLDERS).find(([one]) => source.startsWith(one)) ?? [];
  if (name === undefined || folder === undefined) {
    throw new Error(`No tests are named for ${source}: ${Object.keys(FOLDERS).join(", ")}`);
  }
  const { noticed, all } = await tryFaults(name, folder, source, every, from);
  figures.push(`${source}: ${noticed} of ${all} faults noticed, ${((100 * noticed) / all).toFixed(1)} %`);
}
process.stdout.write(`${figures.join("\n")}\n`);
