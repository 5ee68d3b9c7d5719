// Analysis, a text job and an audio job against a bare decode of the same film in the same run, where each job's time goes, and
// the memory of audio jobs by the length of the programme, as tables for docs/benchmarks.md; Linux:
// npm run bench -- [minutes of 1080p film, default 10; 0 for memory alone] [minutes of small films for memory, default 10 60]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FilmSize, longFilm } from "../../common/films.ts";
import { measured, measuredJob, type Usage } from "../../common/measure.ts";
import { print, printHead, printRow } from "../../common/report.ts";
import { jobTime, stageTable } from "./job-stages.ts";

const [minutes = 10, ...memoryMinutes] = process.argv.slice(2).map(Number);
const films = join(tmpdir(), "aside-bench-films");
const folder = await mkdtemp(join(tmpdir(), "aside-bench-analysis-"));
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
try {
  const audioJob = minutes > 0 ? await ratios(await longFilm(films, "1080p", minutes)) : null;
  print("\nMemory of audio jobs; the job's process, and that of the command with its service:\n");
  printHead("Programme", "Job", "Service", "On the clock", "Processor time");
  if (audioJob !== null) printMemory("1080p", minutes, audioJob);
  for (const length of memoryMinutes.length > 0 ? memoryMinutes : [10, 60]) {
    printMemory("360p", length, await measuredJob(await longFilm(films, "360p", length), ["--track", "ad_only"]));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Each beside the bare decodes before and after it: the speed of a machine drifts over minutes. Gives the audio job. */
async function ratios(film: string): Promise<Usage> {
  print(`1920x1080 H.264 and AAC, ${minutes} min:\n`);
  printHead("", "On the clock", "Processor time", "Peak memory");
  const decode = () => measured([file("bare-decode.ts"), film]);
  let before = await decode();
  printUsage("bare decode", before);
  const beside = async (name: string, run: () => Promise<Usage>) => {
    const usage = await run();
    const after = await decode();
    printUsage(name, usage, [before, after]);
    printUsage("bare decode", after);
    before = after;
    return usage;
  };
  await beside("**analysis**", () => measured([file("analyse-alone.ts"), film, join(folder, "frames")]));
  const textJob = await beside("**text job**", () => measuredJob(film, ["--track", "none"]));
  const audioJob = await beside("**audio job**", () => measuredJob(film, ["--track", "ad_only"]));
  print(`\n${stageTable([jobTime("Text job", textJob), jobTime("Audio job", audioJob)])}`);
  return audioJob;
}

function printUsage(name: string, usage: Usage, beside: readonly Usage[] = []): void {
  const { wallSeconds, processorSeconds, ownMegabytes, childMegabytes } = usage;
  const ratio = (time: number, others: readonly number[]) => {
    if (others.length === 0) return "";
    const mean = others.reduce((sum, other) => sum + other, 0) / others.length;
    return ` (${(time / mean).toFixed(2)})`;
  };
  const walls = beside.map((other) => other.wallSeconds);
  const processors = beside.map((other) => other.processorSeconds);
  const wall = `${wallSeconds.toFixed(1)} s${ratio(wallSeconds, walls)}`;
  const processor = `${processorSeconds.toFixed(1)} s${ratio(processorSeconds, processors)}`;
  const memory = childMegabytes === 0 ? `${ownMegabytes} MB` : `service ${ownMegabytes} MB, job ${childMegabytes} MB`;
  printRow(name, wall, processor, memory);
}

function printMemory(size: FilmSize, length: number, usage: Usage): void {
  const { wallSeconds, processorSeconds, ownMegabytes, childMegabytes } = usage;
  const [job, service] = [`${childMegabytes} MB`, `${ownMegabytes} MB`];
  printRow(`${size}, ${length} min`, job, service, `${wallSeconds.toFixed(0)} s`, `${processorSeconds.toFixed(0)} s`);
}
