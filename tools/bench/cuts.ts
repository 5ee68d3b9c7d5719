// Cuts found in films whose cuts are known: how many, on which frames, and how many that are none; beside FFmpeg's `scdet`.
//   npm run tool -- bench:cuts ../shared/corpora/faults/media [film or folder ...]
// A film's cuts are the `cuts` (seconds) of the JSON file beside it that is called after it, `.expected.json`; others are left out.
//   npm run tool -- bench:cuts --facts ../shared/facts --media ../shared/media
// Films whose shots were written down by a person who watched them, to about half a second; dissolves and fades are among them.
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { analyseProgramme } from "../../src/engine/analyse/analyse-programme.ts";
import { probeMedia } from "../../src/engine/ffmpeg/probe/probe.ts";
import { filterTags } from "../common/filter-tags.ts";

/** Half a frame of the slowest films: a cut is on its frame or it is not found. */
const WITHIN_SECONDS = 0.5 / 24;

/** How exact times are that a person wrote down, in seconds. */
const BY_HAND_SECONDS = 0.5;

interface KnownFilm {
  readonly path: string;
  readonly cuts: readonly number[];
  readonly within: number;
}

interface Score {
  found: number;
  all: number;
  wrong: number;
}

const { values, positionals } = parseArgs({
  options: { facts: { type: "string" }, media: { type: "string" } },
  allowPositionals: true,
});
const films = [...positionals.flatMap(filmsBeside), ...filmsWithFacts(values.facts, values.media)];
const sums: Record<"aside" | "scdet", Score> = {
  aside: { found: 0, all: 0, wrong: 0 },
  scdet: { found: 0, all: 0, wrong: 0 },
};
for (const film of films) {
  const folder = await mkdtemp(join(tmpdir(), "aside-cuts-"));
  const { shots } = await analyseProgramme(film.path, await probeMedia(film.path), { folder });
  await rm(folder, { recursive: true });
  const told = [
    counted(
      "aside",
      film,
      shots.slice(1).map(({ start }) => start),
    ),
    counted("scdet", film, scdetCuts(film.path)),
  ];
  process.stdout.write(`${basename(film.path)}: ${told.join("; ")}\n`);
}
for (const [name, { found, all, wrong }] of Object.entries(sums)) {
  const share = (part: number, whole: number) => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`);
  process.stdout.write(
    `All, ${name}: ${found} of ${all}, ${wrong} that are none; precision ${share(found, found + wrong)}, recall ${share(found, all)}\n`,
  );
}

/** Counts what was found of a film, each cut for one at the most. */
function counted(name: keyof typeof sums, { cuts, within }: KnownFilm, starts: readonly number[]): string {
  const left = [...starts];
  let found = 0;
  for (const cut of cuts) {
    const at = left.findIndex((start) => Math.abs(start - cut) < within);
    if (at < 0) continue;
    left.splice(at, 1);
    found++;
  }
  const sum = sums[name];
  Object.assign(sum, { found: sum.found + found, all: sum.all + cuts.length, wrong: sum.wrong + left.length });
  return `${name} ${found} of ${cuts.length} cuts, ${left.length} that are none`;
}

function filmsBeside(place: string): KnownFilm[] {
  const paths = statSync(place).isDirectory() ? globSync(join(place, "*.{mp4,mkv,mov,webm}")) : [place];
  return paths.sort().flatMap((path) => {
    if (!existsSync(`${path}.expected.json`)) return [];
    const { cuts } = JSON.parse(readFileSync(`${path}.expected.json`, "utf8")) as { cuts?: readonly number[] };
    return cuts === undefined ? [] : [{ path, cuts, within: WITHIN_SECONDS }];
  });
}

function filmsWithFacts(facts: string | undefined, media: string | undefined): KnownFilm[] {
  if (facts === undefined || media === undefined) return [];
  return globSync(join(facts, "*.json"))
    .sort()
    .flatMap((file) => {
      const { film, shots = [] } = JSON.parse(readFileSync(file, "utf8")) as {
        film: string;
        shots?: readonly { readonly start: number }[];
      };
      const cuts = shots.slice(1).map(({ start }) => start);
      return existsSync(join(media, film)) ? [{ path: join(media, film), cuts, within: BY_HAND_SECONDS }] : [];
    });
}

/** Cuts by FFmpeg's `scdet` with its default threshold, in seconds. */
function scdetCuts(path: string): number[] {
  return [...filterTags(`movie='${path}',scdet`, "picture")].flatMap((tags) => {
    const time = tags["lavfi.scd.time"];
    return time === undefined ? [] : [Number(time)];
  });
}
