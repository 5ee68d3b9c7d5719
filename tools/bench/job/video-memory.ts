// Memory of video jobs: the peak of the job's process and of the service's, as a table for docs/benchmarks.md; Linux:
// npm run tool -- bench:video-memory [minutes of film, default 10] [1080p (default) or 360p]
import { tmpdir } from "node:os";
import { join } from "node:path";
import { longFilm } from "../../common/films.ts";
import { measuredJob } from "../../common/measure.ts";
import { printHead, printRow } from "../../common/report.ts";

const minutes = Number(process.argv[2] ?? 10);
const size = process.argv[3] === "360p" ? "360p" : "1080p";
const film = await longFilm(join(tmpdir(), "aside-bench-films"), size, minutes);
const kinds = {
  "standard, picture copied": [],
  "extended, picture spliced": ["--ad-type", "extended_ad"],
  "picture encoded, smaller": ["--resolution", size === "1080p" ? "720p" : "240p"],
};
printHead(`${size}, ${minutes} min`, "Job", "Service", "On the clock", "Processor time");
for (const [name, args] of Object.entries(kinds)) {
  const { ownMegabytes, childMegabytes, wallSeconds, processorSeconds } = await measuredJob(film, ["--video", ...args]);
  const seconds = [wallSeconds, processorSeconds].map((time) => `${time.toFixed(0)} s`);
  printRow(name, `${childMegabytes} MB`, `${ownMegabytes} MB`, ...seconds);
}
