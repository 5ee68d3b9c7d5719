// Makes small mistakes in the code, one at a time, and tells which of them no test near it notices within seconds. They are those
// that the library of `npm run tool -- mutants` lacks: clocks, units, limits, the first for any, what is not put away or not kept.
//   npm run tool -- slips [core service/jobs panel/state] [--at-most 60] [--seed 1]
//   npm run tool -- slips --since HEAD~5 --seconds 90      what a change touched, in a time that is set
import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SeededRandom } from "../../../test/fakes/seeded-random.ts";
import { NearestTests } from "./nearest-tests.ts";
import { gitSays, ProjectCopy } from "./project-copy.ts";
import { refusedSlips } from "./refused-slips.ts";
import { type Slip, type SlipKind, slipped, slipsOf } from "./slips.ts";

const STARTED = Date.now();
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const KEPT = `${ROOT}.cache/slips`;

/** Rooms that are tried where none is named. */
const ROOMS = [
  "core",
  "formats",
  "contract",
  "client",
  "engine",
  "service",
  "result",
  "workflow",
  "host",
  "cli",
  "panel",
  "page",
];

/** Copies in which slips are tried side by side. */
const COPIES = 2;

/** Test files that are asked about a source, and among how many: the nearest of them that are quick. */
const MOST_TESTS = 12;
const MOST_LOOKED_AT = 36;

/** How long each may take: whoever made the mistake hears of it in seconds. */
const SLOWEST_TEST_SECONDS = 6;
const STARTING_SECONDS = 6;

/** Longest run of a file's tests, in milliseconds: what goes on for longer no longer ends. */
const LIMIT_MS = 60_000;

/** How many slips of one file follow each other before the next file has its turn. */
const IN_A_ROW = 4;

/** Below this share of at least {@link ENOUGH} slips a change is not held by its tests. */
const LEAST_SHARE = 0.25;
const ENOUGH = 20;

interface FileSlips {
  readonly path: string;
  readonly slips: readonly Slip[];
}

/** A slip and what became of it. */
interface Outcome extends Slip {
  readonly path: string;
  /** What stood there. */
  readonly was: string;
  readonly isNoticed: boolean;
}

const USAGE = `npm run tool -- slips [ROOM or FILE ...] [--at-most 60] [--seconds 300] [--seed 1]
npm run tool -- slips --since HEAD~5 --seconds 90

Makes small mistakes in the code, one at a time, and prints those that no test near it notices within seconds.
  ROOM         a folder, below src or from the project's root (default: ${ROOMS.join(", ")})
  --at-most    how many are drawn from all (default: every one)
  --seconds    when it ends at the latest
  --seed       what the draw begins with (default: 1)
  --since      only lines that a change since this commit touched
`;

const { values, positionals } = parseArgs({
  options: {
    help: { type: "boolean" },
    "at-most": { type: "string" },
    seconds: { type: "string" },
    seed: { type: "string", default: "1" },
    since: { type: "string" },
  },
  allowPositionals: true,
});
if (values.help === true) {
  process.stdout.write(USAGE);
  process.exit();
}
const random = new SeededRandom(Number(values.seed));
/** Seconds that each test took, by its path; endless where it does not pass, or not in time. */
const taken = secondsKnown();
const touched = values.since === undefined ? null : linesSince(values.since);
const outcomes = await tryAll(chosen(filesOf(positionals.length > 0 ? positionals : ROOMS)));
report(outcomes);
const noticed = outcomes.filter(({ isNoticed }) => isNoticed).length;
if (touched !== null && outcomes.length >= ENOUGH && noticed < LEAST_SHARE * outcomes.length) process.exitCode = 1;

/** Sources of some rooms or files that a change touched, where one is named, with their slips. */
function filesOf(places: readonly string[]): readonly FileSlips[] {
  const paths = places.flatMap((place) => {
    const inside = existsSync(`${ROOT}src/${place}`) ? `src/${place}` : place;
    return inside.endsWith(".ts") ? [inside] : globSync(`${inside}/**/*.ts`, { cwd: ROOT });
  });
  return [...new Set(paths)].sort().flatMap((path) => {
    if (touched !== null && !touched.has(path)) return [];
    const lines = touched?.get(path);
    const isWanted = lines === undefined ? undefined : (line: number) => lines.has(line);
    const slips = slipsOf(readFileSync(`${ROOT}${path}`, "utf8"), isWanted);
    return slips.length === 0 ? [] : [{ path, slips }];
  });
}

/** As many slips as were asked for, drawn by the seed, a few of each file in a row. */
function chosen(files: readonly FileSlips[]): readonly FileSlips[] {
  const most = Number(values["at-most"] ?? Number.POSITIVE_INFINITY);
  const all = files.flatMap(({ path, slips }) => slips.map((slip) => ({ path, slip })));
  const refused = refusedSlips(
    ROOT,
    files.map(({ path }) => path),
  );
  const drawn: typeof all = [];
  for (const one of shuffled(all)) {
    if (drawn.length < most && !refused.has(one.path, one.slip)) drawn.push(one);
  }
  const byPath = Map.groupBy(drawn, ({ path }) => path);
  return shuffled([...byPath]).flatMap(([path, group]) =>
    Array.from({ length: Math.ceil(group.length / IN_A_ROW) }, (_, index) => ({
      path,
      slips: group.slice(index * IN_A_ROW, (index + 1) * IN_A_ROW).map(({ slip }) => slip),
    })),
  );
}

async function tryAll(files: readonly FileSlips[]): Promise<readonly Outcome[]> {
  const nearest = new NearestTests(ROOT);
  const until = values.seconds === undefined ? Number.POSITIVE_INFINITY : STARTED + 1000 * Number(values.seconds);
  const left = [...files];
  const found: Outcome[] = [];
  const asked = new Map<string, Promise<readonly string[]>>();
  const work = async (index: number) => {
    const copy = new ProjectCopy(ROOT, `${KEPT}/${index}`);
    for (let next = left.shift(); next !== undefined && Date.now() < until; next = left.shift()) {
      const { path, slips } = next;
      const source = copy.read(path);
      const known = asked.get(path) ?? testsFor(path, nearest, copy);
      asked.set(path, known);
      const tests = await known;
      try {
        for (const slip of slips) {
          if (Date.now() > until) return;
          copy.write(path, slipped(source, slip));
          const isNoticed = tests.length > 0 && !(await copy.run(tests, LIMIT_MS)).hasPassed;
          found.push({ ...slip, path, was: source.slice(slip.start, slip.end), isNoticed });
        }
      } finally {
        copy.write(path, source);
      }
    }
  };
  await Promise.all(Array.from({ length: COPIES }, (_, index) => work(index)));
  return found;
}

/**
 * What the tests took when they were run last, as Vitest keeps it; nothing where they never were, nor where they were slow by so
 * little that it may have been the others beside them.
 */
function secondsKnown(): Map<string, number> {
  const [kept] = globSync("node_modules/.vite/vitest/*/results.json", { cwd: ROOT });
  if (kept === undefined) return new Map();
  const { projects } = JSON.parse(readFileSync(`${ROOT}${kept}`, "utf8")) as KeptResults;
  const files = Object.values(projects).flatMap((project) => Object.entries(project.files));
  const isSure = (seconds: number) => seconds < SLOWEST_TEST_SECONDS || seconds > 2 * SLOWEST_TEST_SECONDS;
  return new Map(
    files.flatMap(([path, { failed, duration }]) =>
      failed || !isSure(duration / 1000) ? [] : [[path, duration / 1000]],
    ),
  );
}

/** What Vitest keeps of a run: durations in milliseconds, by the path of a test from the project's root. */
interface KeptResults {
  readonly projects: Readonly<
    Record<
      string,
      { readonly files: Readonly<Record<string, { readonly failed: boolean; readonly duration: number }>> }
    >
  >;
}

/** The tests near a source that pass, and that end within seconds. */
async function testsFor(path: string, nearest: NearestTests, copy: ProjectCopy): Promise<readonly string[]> {
  const near = nearest
    .of(path, MOST_LOOKED_AT)
    .filter((test) => (taken.get(test) ?? 0) < SLOWEST_TEST_SECONDS)
    .slice(0, MOST_TESTS);
  const unknown = near.filter((test) => !taken.has(test));
  if (unknown.length > 0) {
    const { hasPassed, seconds } = await copy.run(unknown, LIMIT_MS);
    for (const [test, took] of seconds) taken.set(test, took);
    // One that fails or does not end hides what the others took: each is asked by itself.
    const hidden = hasPassed ? [] : unknown.filter((test) => !taken.has(test));
    for (const test of hidden) {
      const alone = await copy.run([test], 1000 * (SLOWEST_TEST_SECONDS + STARTING_SECONDS));
      taken.set(test, alone.seconds.get(test) ?? Number.POSITIVE_INFINITY);
    }
  }
  return near.filter((test) => (taken.get(test) ?? Number.POSITIVE_INFINITY) < SLOWEST_TEST_SECONDS);
}

/** Lines that are other than they were at a commit, by path: those of today, counted from 1. */
function linesSince(commit: string): ReadonlyMap<string, ReadonlySet<number>> {
  const text = gitSays(ROOT, "diff", "--unified=0", commit, "--", "src", "panel", "page");
  const found = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const line of text.split("\n")) {
    const path = /^\+\+\+ b\/(.+)$/.exec(line)?.[1];
    if (path !== undefined) {
      lines = new Set();
      found.set(path, lines);
    }
    const [, from = "", count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (from !== "") for (let index = 0; index < Number(count); index++) lines.add(Number(from) + index);
  }
  return found;
}

function report(found: readonly Outcome[]): void {
  const share = (some: readonly Outcome[]) => {
    const noticed = some.filter(({ isNoticed }) => isNoticed).length;
    return `${noticed} of ${some.length} noticed${some.length === 0 ? "" : `, ${((100 * noticed) / some.length).toFixed(0)} %`}`;
  };
  for (const { path, line, kind, was, replacement } of found.filter(({ isNoticed }) => !isNoticed)) {
    process.stdout.write(`${path}:${line}  ${kind}: ${short(was)}  →  ${short(replacement)}\n`);
  }
  const kinds: Map<SlipKind, Outcome[]> = Map.groupBy(found, ({ kind }) => kind);
  for (const [kind, some] of [...kinds].sort(([a], [b]) => (a < b ? -1 : 1))) {
    process.stdout.write(`${kind}: ${share(some)}\n`);
  }
  process.stdout.write(`Slips: ${share(found)}\n`);
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
