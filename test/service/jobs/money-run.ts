import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openEngine, type PaidTotals } from "../../../src/engine/index.ts";
import { runJob } from "../../../src/service/jobs/run-job.ts";
import type { JobRecord } from "../../../src/service/storage/job-records.ts";
import { readPaid } from "../../../src/service/storage/paid-requests.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import type { SeededRandom } from "../../fakes/seeded-random.ts";
import type { TestRecords } from "../records.ts";
import { type Behaviour, CHARGED_TOKENS, startHostileModel, USELESS } from "./hostile-model.ts";
import { QUESTIONS } from "./money-tasks.ts";

/** Price of a million tokens, and what an answer of the hostile server costs by it. */
const PRICE = 10;
const COST_OF_ANSWER = ((CHARGED_TOKENS.prompt_tokens + CHARGED_TOKENS.completion_tokens) * PRICE) / 1e6;

/** Most that a job may cost: enough for half its questions, and for all. */
export const CEILINGS = { tight: 12 * COST_OF_ANSWER, wide: 40 * COST_OF_ANSWER } as const;

/** How a job about money ended. */
export interface MoneyRun {
  readonly job: JobRecord;
  readonly requests: number;
  /** What the server charged, in the currency of the price. */
  readonly cost: number;
  readonly book: PaidTotals;
  /** Most that it might cost. */
  readonly ceiling: number;
  readonly kills: number;
  readonly seconds: number;
}

/** Runs one job to its end against a server that behaves as is said; `killAfterMs` are moments at which its process is killed. */
export async function runMoneyJob(
  records: TestRecords,
  behaviourOf: (question: number) => Behaviour,
  {
    killAfterMs = [],
    ceiling = CEILINGS.tight,
    timeoutSeconds = 20,
  }: { readonly killAfterMs?: readonly number[]; readonly ceiling?: number; readonly timeoutSeconds?: number } = {},
): Promise<MoneyRun> {
  await using model = await startHostileModel(behaviourOf);
  const jobId = await records.job();
  const environment = {
    ...process.env,
    ASIDE_VISION_URL: model.url,
    ASIDE_VISION_MODEL: "eyes-7b",
    ASIDE_VISION_KEY: "secret-key",
    ASIDE_VISION_PRESET: "openai",
    ASIDE_VISION_PARALLEL: String(QUESTIONS.atOnce),
    ASIDE_VISION_PRICE: `${PRICE}/${PRICE}`,
    ASIDE_VISION_CEILING: String(ceiling),
    ASIDE_VISION_TIMEOUT: String(timeoutSeconds),
  };
  const engine = openEngine({ tasks: new URL("./money-tasks.ts", import.meta.url).href });
  const parts = {
    database: records.database,
    objects: records.objects,
    folders: records.folders,
    engine: { describe: (order, options) => engine.describe(order, { ...options, environment }) } as Pick<
      typeof engine,
      "describe"
    >,
    clock: SYSTEM_CLOCK,
    endings: null,
    attempts: killAfterMs.length + 1,
    timeLimitSeconds: 1_000,
    memoryLimitBytes: 1_500_000_000,
    onEvent: () => undefined,
  };
  const started = performance.now();
  let kills = 0;
  for (const afterMs of [...killAfterMs, null]) {
    const over = new AbortController();
    const run = runJob(parts, jobId, new AbortController().signal).catch(() => undefined);
    if (afterMs !== null) {
      const killed = killLater(join(records.folders.work, jobId, "pid"), afterMs, over.signal);
      await run;
      over.abort();
      if (await killed) kills++;
    } else await run;
    if ((await records.seen(jobId)).finishedAt !== null) break;
  }
  return {
    job: await records.seen(jobId),
    requests: model.requests(),
    cost: model.charged() * COST_OF_ANSWER,
    book: await readPaid(records.database, jobId),
    ceiling,
    kills,
    seconds: (performance.now() - started) / 1000,
  };
}

/** Kills the process whose id stands in a file, so long after it began. @returns whether there was one to kill. */
async function killLater(path: string, afterMs: number, over: AbortSignal): Promise<boolean> {
  try {
    while (!over.aborted) {
      const pid = Number(await readFile(path, "utf8").catch(() => ""));
      if (pid > 0 && isAlive(pid)) {
        await sleep(afterMs, undefined, { signal: over });
        return process.kill(pid, "SIGKILL");
      }
      await sleep(10, undefined, { signal: over });
    }
  } catch {
    // It ended before it could be killed.
  }
  return false;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What a random server does: mostly well, mostly uselessly, or whatever comes. */
export function randomBehaviour(random: SeededRandom): (question: number) => Behaviour {
  const [useful, useless] = random.oneOf([
    [0.95, 0.03],
    [0.6, 0.2],
    [0, 1],
  ]) ?? [0, 1];
  const other: readonly Behaviour[] = ["closes at once", "closes in the middle", "stumbles (500)", "hangs", "drips"];
  return () => {
    const dice = random.next();
    if (dice < useful) return "good";
    return random.oneOf<Behaviour>(dice < useful + useless ? USELESS : other) ?? "prose";
  };
}

/** What is wrong with the books of a job, as sentences; none where they are right. */
export function faultsInBooks(
  { job, requests, cost, book, ceiling, kills }: MoneyRun,
  isAllUseless: boolean,
): string[] {
  const faults: string[] = [];
  const underWay = QUESTIONS.atOnce * COST_OF_ANSWER;
  if (job.finishedAt === null) faults.push("the job never ended");
  if (cost > ceiling + underWay + 1e-9) faults.push(`${cost.toFixed(3)} were charged under a ceiling of ${ceiling}`);
  if (book.cost < cost - 1e-9) faults.push(`the book says ${book.cost.toFixed(3)}, charged were ${cost}`);
  const most = Math.ceil(1.5 * QUESTIONS.all);
  if (book.requests > most) faults.push(`${book.requests} requests in the book, at most ${most} are allowed`);
  // At the third useless answer others may be under way, and a kill loses what nobody had judged yet.
  const wasted = 3 + (QUESTIONS.atOnce - 1) + kills * QUESTIONS.atOnce;
  if (isAllUseless && requests > wasted) faults.push(`${requests} requests to a model that gives nothing but nonsense`);
  if (isAllUseless && job.error !== "model_unusable") faults.push(`nonsense ended as ${job.error}`);
  return faults;
}
