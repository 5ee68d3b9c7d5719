import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { strFromU8, unzipSync } from "fflate";
import { corpusBytes, corpusDecoded, corpusPaths } from "../../test/corpus/corpus-files.ts";
import { SeededRandom } from "../../test/fakes/seeded-random.ts";
import { READERS } from "../../test/formats/every-reader.ts";
import { faultOf, smallerText } from "./fuzz/fault.ts";
import { mutatedText } from "./fuzz/mutate-text.ts";

// Hands every reader mutated files of the corpora and holds it to its promises: no throw, no hang, memory bounded, what
// is read can be written and read back. The same seed gives the same text.
//   npm run tool -- fuzz:formats [--minutes 10] [--reader srt] [--seed 123]

/** Memory of one reader's thread, in MB; a text has 200 000 characters at most. */
const MEMORY_MB = 512;

/** Silence after which a reader counts as hanging, in milliseconds. */
const HANG_MS = 20_000;

/** What a thread works on. */
interface Task {
  readonly reader: string;
  readonly firstSeed: number;
  readonly milliseconds: number;
  /** Where the thread writes the seed it is at. */
  readonly progress: SharedArrayBuffer;
}

/** What a thread found. */
interface Found {
  readonly texts: number;
  readonly fault?: { readonly seed: number; readonly fault: string; readonly text: string };
}

/** Folders of other people's captions, sessions and lists that are read as text. */
const EXCHANGE = ["ebu-stl", "scc", "ass", "markers", "edl", "ttml", "fcpxml"].map((folder) => `exchange/${folder}`);

/** Texts of every file of the corpora, decoded. */
const corpus = ["webvtt", "srt", "edl", "xml", "dapt", ...EXCHANGE]
  .flatMap(corpusPaths)
  .filter((path) => !/\.md$|schema|registries|truth\.json$|audio-levels/.test(path))
  .map((path) => corpusDecoded(path).text);

/** Documents of Word and Excel: whole, as one character a byte, and their parts. */
const documents = corpusPaths("exchange/documents")
  .filter((path) => /\.(?:docx|xlsx)$/.test(path))
  .map(corpusBytes);
const parts = documents.flatMap((bytes) =>
  Object.entries(unzipSync(bytes)).flatMap(([path, part]) => (path.endsWith(".xml") ? [strFromU8(part)] : [])),
);
const MATERIAL: Readonly<Record<string, readonly string[]>> = {
  word: parts,
  excel: parts,
  archive: documents.map((bytes) => Buffer.from(bytes).toString("latin1")),
};

if (isMainThread) await main();
else parentPort?.postMessage(fuzz(workerData as Task)); // the only thing a thread is started with

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { minutes: { type: "string" }, reader: { type: "string" }, seed: { type: "string" } },
  });
  const names = values.reader === undefined ? Object.keys(READERS) : [values.reader];
  const firstSeed = Number(values.seed ?? Date.now() % 1_000_000_000);
  const milliseconds = values.seed === undefined ? Number(values.minutes ?? 0.05) * 60_000 : 0;
  for (const reader of names) {
    const found = await inThread({ reader, firstSeed, milliseconds, progress: new SharedArrayBuffer(8) });
    const line = `${reader.padEnd(14)} ${String(found.texts).padStart(8)} texts from seed ${firstSeed}`;
    process.stdout.write(
      `${line}${found.fault === undefined ? "" : `\n  FAULT at seed ${found.fault.seed}: ${found.fault.fault}`}\n`,
    );
    if (found.fault === undefined) continue;
    process.stdout.write(`  ${JSON.stringify(found.fault.text.slice(0, 2000))}\n`);
    process.exitCode = 1;
  }
}

/** Runs a task in a thread of its own, which a hang or a lack of memory ends. */
function inThread(task: Task): Promise<Found> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const seeds = new Int32Array(task.progress);
  return new Promise((resolve) => {
    let last = -1;
    let since = Date.now();
    const end = (fault: string) => {
      const seed = seeds[0] ?? 0;
      resolve({ texts: seed - task.firstSeed, fault: { seed, fault, text: textOf(task.reader, seed) } });
      void worker.terminate();
    };
    const watch = setInterval(() => {
      const seed = seeds[0] ?? 0;
      if (seed !== last) [last, since] = [seed, Date.now()];
      else if (Date.now() - since > HANG_MS) end("it hangs");
    }, 1000);
    worker.once("message", resolve);
    worker.once("error", (error) => end(error instanceof Error ? error.message : String(error)));
    worker.once("exit", () => clearInterval(watch));
  });
}

function fuzz({ reader, firstSeed, milliseconds, progress }: Task): Found {
  const seeds = new Int32Array(progress);
  const end = performance.now() + milliseconds;
  let seed = firstSeed;
  do {
    seeds[0] = seed;
    const text = textOf(reader, seed);
    const fault = faultOf(reader, text);
    if (fault !== null) return { texts: seed - firstSeed + 1, fault: { seed, fault, text: smallerText(reader, text) } };
    seed += 1;
  } while (performance.now() < end);
  return { texts: seed - firstSeed };
}

function textOf(reader: string, seed: number): string {
  return mutatedText(new SeededRandom(seed), MATERIAL[reader] ?? corpus);
}
