// Memory of video jobs: the peak of the job's process and of the service's, as a table for docs/benchmarks.md; Linux:
// npm run bench:video-memory -- [minutes of film, default 10] [1080p (default) or 360p]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cells } from "./job-stages.ts";
import { longFilm } from "./long-film.ts";
import { measured } from "./process-usage.ts";

const minutes = Number(process.argv[2] ?? 10);
const size = process.argv[3] === "360p" ? "360p" : "1080p";
const film = await longFilm(join(tmpdir(), "aside-bench-films"), size, minutes);
const kinds = {
  "standard, picture copied": [],
  "extended, picture spliced": ["--ad-type", "extended_ad"],
  "picture encoded, smaller": ["--resolution", size === "1080p" ? "720p" : "240p"],
};
const printRow = (...values: readonly string[]) => process.stdout.write(`${cells(values)}\n`);
printRow(`${size}, ${minutes} min`, "Job", "Service", "On the clock", "Processor time");
printRow("---", "---", "---", "---", "---");
for (const [name, args] of Object.entries(kinds)) {
  const place = await mkdtemp(join(tmpdir(), "aside-bench-video-memory-"));
  try {
    const folders = ["--out", join(place, "out"), "--data", join(place, "data")];
    const aside = fileURLToPath(new URL("../bin/aside.mjs", import.meta.url));
    const usage = await measured([aside, "describe", film, "--video", ...args, ...folders, "--json"]);
    const { ownMegabytes, childMegabytes, wallSeconds, processorSeconds } = usage;
    const seconds = [wallSeconds, processorSeconds].map((time) => `${time.toFixed(0)} s`);
    printRow(name, `${childMegabytes} MB`, `${ownMegabytes} MB`, ...seconds);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
