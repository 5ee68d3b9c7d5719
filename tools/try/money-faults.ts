// Lets a hostile model server and random kills at the books of jobs.
//   npm run tool -- money-faults [--runs 100 --seed 1]     random servers and kills; ends with 1 when a book is wrong
//   npm run tool -- money-faults --table [--patient]       how a job ends at each fault of a server, as a table
//   npm run tool -- money-faults --film 10                 what a film of so many minutes asks a server whose answers are of no use
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SeededRandom } from "../../test/fakes/seeded-random.ts";
import { BEHAVIOURS, type Behaviour, startHostileModel, USELESS } from "../../test/service/jobs/hostile-model.ts";
import {
  CEILINGS,
  faultsInBooks,
  type MoneyRun,
  randomBehaviour,
  runMoneyJob,
} from "../../test/service/jobs/money-run.ts";
import { openTestRecords } from "../../test/service/records.ts";
import { makeTestFolders } from "../../test/temporary-folder.ts";
import { runAside } from "../common/aside.ts";
import { longFilm } from "../common/films.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    table: { type: "boolean", default: false },
    patient: { type: "boolean", default: false },
    film: { type: "string" },
  },
});

/** The faults at which a job waits for ten minutes before it ends. */
const TEN_MINUTES: readonly Behaviour[] = ["busy, does not say how long (429)"];

const folders = makeTestFolders();
process.on("exit", () => rmSync(folders.temporary, { recursive: true, force: true }));
const records = await openTestRecords();
const areRight = await (values.film === undefined
  ? values.table
    ? printTable()
    : runRandomly()
  : describeFilm(Number(values.film)));
await records.close();
await folders.remove();
process.exit(areRight ? 0 : 1);

async function printTable(): Promise<boolean> {
  process.stdout.write("| What the server does | Code | What is said | Requests | Seconds |\n|---|---|---|---|---|\n");
  // The keys of the table, which Object.keys forgets.
  for (const behaviour of Object.keys(BEHAVIOURS) as Behaviour[]) {
    if (behaviour === "good" || (TEN_MINUTES.includes(behaviour) && !values.patient)) continue;
    const { job, requests, seconds } = await runMoneyJob(records, () => behaviour, { timeoutSeconds: 10 });
    const said = (job.message ?? "")
      .replace(/127\.0\.0\.1:\d+/g, "HOST")
      .replace(/“(.{30}).{20,}”/, "“$1…”")
      .replaceAll("|", "\\|");
    process.stdout.write(`| ${behaviour} | \`${job.error}\` | ${said} | ${requests} | ${seconds.toFixed(1)} |\n`);
  }
  return true;
}

/** Describes a whole film by the command line, with each kind of useless answer. */
async function describeFilm(minutes: number): Promise<boolean> {
  const film = await longFilm(folders.temporary, "360p", minutes);
  for (const behaviour of USELESS) {
    await using model = await startHostileModel(() => behaviour);
    const environment = { ASIDE_VISION_URL: model.url, ASIDE_VISION_MODEL: "eyes-7b", ASIDE_VISION_KEY: "secret-key" };
    const places = ["--out", join(folders.temporary, behaviour), "--data", join(folders.temporary, "data")];
    const ended = await runAside(["describe", film, ...places], { environment });
    process.stdout.write(
      `${behaviour}: ${model.requests()} requests, exit code ${ended.code}, ${ended.seconds.toFixed(0)} s\n`,
    );
    process.stdout.write(`  ${ended.complaint.trim().split("\n").at(-1) ?? ""}\n`);
  }
  return true;
}

async function runRandomly(): Promise<boolean> {
  const runs: MoneyRun[] = [];
  let wrong = 0;
  for (let run = 0; run < Number(values.runs); run++) {
    const seed = Number(values.seed) + run;
    const random = new SeededRandom(seed);
    const killAfterMs = Array.from({ length: random.below(4) }, () => random.below(400));
    const ended = await runMoneyJob(records, randomBehaviour(random), {
      killAfterMs,
      ceiling: random.next() < 0.5 ? CEILINGS.tight : CEILINGS.wide,
      timeoutSeconds: 2,
    });
    runs.push(ended);
    for (const fault of faultsInBooks(ended, false)) {
      wrong++;
      process.stdout.write(`FAULT seed ${seed}: ${fault}\n`);
    }
  }
  const sum = (of: (run: MoneyRun) => number) => runs.reduce((total, run) => total + of(run), 0);
  const ends = Map.groupBy(runs, ({ job }) => job.error ?? job.status);
  const told = [...ends].map(([end, those]) => `${those.length} ${end}`).join(", ");
  process.stdout.write(
    `${runs.length} runs, ${sum(({ kills }) => kills)} kills, ${sum(({ requests }) => requests)} requests: ${told}\n`,
  );
  process.stdout.write(wrong === 0 ? "the books are right\n" : "");
  return wrong === 0;
}
