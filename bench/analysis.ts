// Analysis, a text job and an audio job against a bare decode of the same film in the same run, with peak memory; Linux:
// npm run bench -- [minutes of 1080p film, default 10] [minutes of small films for memory, default 10 60]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { longFilm } from "./long-film.ts";
import { measured, type Usage } from "./process-usage.ts";

const [minutes = 10, ...memoryMinutes] = process.argv.slice(2).map(Number);
const films = join(tmpdir(), "aside-bench-films");
const folder = await mkdtemp(join(tmpdir(), "aside-bench-analysis-"));
const print = (text: string) => process.stdout.write(`${text}\n`);
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
try {
  print("time: on the clock / of the processors, and their ratios to the bare decode; peak memory in MB\n");
  await ratios(await longFilm(films, "1080p", minutes));
  for (const length of memoryMinutes.length > 0 ? memoryMinutes : [10, 60]) {
    print(`\naudio job, 640x360 H.264, ${length} min`);
    const usage = await job(await longFilm(films, "360p", length), "ad_only");
    print(row("audio job", usage));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Each beside the bare decodes before and after it: the speed of a machine drifts over minutes. */
async function ratios(film: string): Promise<void> {
  print(`1920x1080 H.264 and AAC, ${minutes} min`);
  const decode = () => measured([file("bare-decode.ts"), film]);
  const rows: readonly (readonly [string, () => Promise<Usage>])[] = [
    ["analysis", () => measured([file("analyse-alone.ts"), film, join(folder, "frames")])],
    ["text job", () => job(film, "none")],
    ["audio job", () => job(film, "ad_only")],
  ];
  let before = await decode();
  print(row("bare decode", before));
  for (const [name, run] of rows) {
    const usage = await run();
    const after = await decode();
    print(row(name, usage, [before, after]));
    if (usage.output.startsWith("{")) print(`${"".padEnd(20)}${stages(usage.output)}`);
    print(row("bare decode", after));
    before = after;
  }
}

/** One run of the command line with an embedded service of its own; nothing is left of an earlier job. */
async function job(film: string, track: string): Promise<Usage> {
  const place = await mkdtemp(join(folder, "job-"));
  const folders = ["--out", join(place, "out"), "--data", join(place, "data")];
  try {
    return await measured([file("../bin/aside.mjs"), "describe", film, "--track", track, ...folders, "--json"]);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Seconds of each stage of the job, and of the steps around it, from the report. */
function stages(output: string): string {
  const report: {
    readonly step_seconds: Readonly<Record<string, number>>;
    readonly service_report?: { readonly stage_seconds?: Readonly<Record<string, number>> };
  } = JSON.parse(output);
  const listed = (seconds: Readonly<Record<string, number>>) =>
    Object.entries(seconds)
      .filter(([, value]) => value >= 0.05)
      .map(([name, value]) => `${name} ${value.toFixed(1)}`)
      .join(", ");
  return `${listed(report.service_report?.stage_seconds ?? {})} s; steps: ${listed(report.step_seconds)} s`;
}

function row(name: string, usage: Usage, beside: readonly Usage[] = []): string {
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
  const memory = childMegabytes === 0 ? `${ownMegabytes}` : `service ${ownMegabytes}, job ${childMegabytes}`;
  return `${name.padEnd(20)}${wall.padEnd(18)}${processor.padEnd(18)}${memory} MB`;
}
