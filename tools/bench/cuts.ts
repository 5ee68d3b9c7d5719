// Cuts found in films whose cuts are known: how many, on which frames, and how many that are none.
//   npm run tool -- bench:cuts ../shared/corpora/faults/media [film or folder ...]
// A film's cuts are the `cuts` (seconds) of the JSON file beside it that is called after it, `.expected.json`; others are left out.
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { analyseProgramme } from "../../src/engine/analyse/analyse-programme.ts";
import { probeMedia } from "../../src/engine/ffmpeg/probe/probe.ts";

/** Half a frame of the slowest films: a cut is on its frame or it is not found. */
const WITHIN_SECONDS = 0.5 / 24;

const films = process.argv
  .slice(2)
  .flatMap((place) => (statSync(place).isDirectory() ? globSync(join(place, "*.{mp4,mkv,mov,webm}")) : [place]))
  .filter((path) => existsSync(`${path}.expected.json`))
  .sort();
let [found, all, wrong] = [0, 0, 0];
for (const path of films) {
  const { cuts } = JSON.parse(readFileSync(`${path}.expected.json`, "utf8")) as { cuts?: readonly number[] };
  if (cuts === undefined) continue;
  const folder = await mkdtemp(join(tmpdir(), "aside-cuts-"));
  const { shots } = await analyseProgramme(path, await probeMedia(path), { folder });
  await rm(folder, { recursive: true });
  const starts = shots.slice(1).map(({ start }) => start);
  const isAt = (times: readonly number[], time: number) => times.some((one) => Math.abs(one - time) < WITHIN_SECONDS);
  const hit = cuts.filter((cut) => isAt(starts, cut)).length;
  const more = starts.filter((start) => !isAt(cuts, start)).length;
  process.stdout.write(`${basename(path)}: ${hit} of ${cuts.length} cuts, ${more} that are none\n`);
  [found, all, wrong] = [found + hit, all + cuts.length, wrong + more];
}
process.stdout.write(`All: ${found} of ${all} cuts, ${wrong} that are none\n`);
