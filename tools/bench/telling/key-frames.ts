// How much of what is seen has a key frame: facts with times (a JSON file for each film: film, facts with start, end, importance and
// needsMotion), looked up in the key frames of an analysis, as a table for docs/benchmarks.md:
// npm run tool -- bench:key-frames --facts DIR --media DIR
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { analyseProgramme } from "../../../src/engine/analyse/analyse-programme.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import type { KeyFrame } from "../../../src/engine/programme-analysis.ts";
import { printHead, printRow } from "../../common/report.ts";
import { type Fact, readFacts } from "./facts.ts";

const { values } = parseArgs({ options: { facts: { type: "string" }, media: { type: "string" } } });
const { facts: factsFolder = "", media = "" } = values;
const frames = await mkdtemp(join(tmpdir(), "aside-bench-key-frames-"));
const all: Record<"facts" | "seen" | "glimpsed", Fact[]> = { facts: [], seen: [], glimpsed: [] };
try {
  printHead("Film", "Shots", "Key frames", "a second", "Shown, of importance 3", "of 2 and 3", "one picture at least");
  for (const name of (await readdir(factsFolder)).filter((file) => file.endsWith(".json")).sort()) {
    const { film, facts } = await readFacts(join(factsFolder, name));
    const path = join(media, film);
    const folder = join(frames, name);
    const { durationSeconds, shots, keyFrames } = await analyseProgramme(path, await probeMedia(path), { folder });
    const wanted = facts.filter(({ importance }) => importance >= 2);
    const seen = wanted.filter((fact) => picturesOf(fact, keyFrames) >= (fact.needsMotion ? 2 : 1));
    const glimpsed = wanted.filter((fact) => picturesOf(fact, keyFrames) >= 1);
    all.facts.push(...wanted);
    all.seen.push(...seen);
    all.glimpsed.push(...glimpsed);
    const rate = (keyFrames.length / durationSeconds).toFixed(2);
    printRow(
      film,
      `${shots.length}`,
      `${keyFrames.length}`,
      rate,
      ...[3, 2].map((least) => share(wanted, seen, least)),
      share(wanted, glimpsed, 2),
    );
  }
  const { facts, seen, glimpsed } = all;
  printRow("**all**", "", "", "", ...[3, 2].map((least) => share(facts, seen, least)), share(facts, glimpsed, 2));
} finally {
  await rm(frames, { recursive: true, force: true });
}

function picturesOf({ start, end }: Fact, keyFrames: readonly KeyFrame[]): number {
  return keyFrames.filter(({ at }) => at >= start && at <= end).length;
}

/** How many of the facts of some importance are among those shown. */
function share(facts: readonly Fact[], shown: readonly Fact[], least: number): string {
  const [of, some] = [facts, shown].map((all) => all.filter(({ importance }) => importance >= least).length);
  return `${some} of ${of} (${((100 * (some ?? 0)) / Math.max(1, of ?? 0)).toFixed(0)} %)`;
}
