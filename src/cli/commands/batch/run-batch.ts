import { basename } from "node:path";
import type { EmbeddedService } from "../../service-run/embedded-service.ts";
import { endService, SharedUploads, type Surroundings, startOwnService } from "../../service-run/service-run.ts";
import type { Progress } from "../../shell/progress.ts";
import { openSource } from "../../source/described-source.ts";
import { makeResultsFolder } from "../../source/results-folder.ts";
import type { DescribeCall } from "../describe/describe-call.ts";
import { describeMedia, runIdOf } from "../describe/describe-media.ts";
import { type BatchItem, type BatchResult, resultOf, writeBatch } from "./batch-plan.ts";
import { type Batch, callOf, faultOf, isDoneAlready, type PreparedBatch, sourcesOf } from "./prepare-batch.ts";

/** What a batch tells while it runs. */
export interface BatchEvents {
  /** The display of an item that is about to begin. */
  progressOf(index: number): Progress;
  /** An item begins, or is passed over because it is done. */
  onItem(result: BatchResult, index: number): void;
  /** An item has ended. */
  onResult(result: BatchResult, index: number): void;
}

/** Errors that the next item would meet as well: the batch stops there, and goes on when run again. */
const STOPS_ALL = ["unauthorized", "plan_limit_exceeded", "disk_full", "data_folder_unusable", "records_unusable"];

/**
 * Makes the items of a batch, several at once. What an earlier run has done, of the same medium with the same words and
 * settings, is not done again; what it began is gone on with. An item that fails does not stop the others. The first
 * item of a medium goes ahead of its others: they share its upload and, with our service, what was heard and seen in it.
 *
 * @throws the signal's reason when it aborts; what is done is kept.
 */
export async function runBatch(
  batch: PreparedBatch,
  surroundings: Omit<Surroundings, "progress">,
  events: BatchEvents,
): Promise<BatchResult[]> {
  await makeResultsFolder(batch.folder);
  const { items, earlier } = batch;
  const results = items.map((item): BatchResult => earlier.get(item.out) ?? waiting(item));
  const service = new SharedService(batch, surroundings);
  const uploads = new SharedUploads();
  let kept = Promise.resolve();
  try {
    await runQueue({
      count: items.length,
      atOnce: batch.jobs,
      after: (index) => [...sourcesOf(batch, index), ...firstOfMedium(batch, index)],
      run: async (index) => {
        const item = items[index];
        if (item === undefined) return false;
        const result = await runItem(batch, item, {
          surroundings: { ...surroundings, uploads, progress: events.progressOf(index) },
          service,
          begin: (result) => events.onItem(result, index),
        });
        results[index] = result;
        // One after another: of two that end together, the later list holds both.
        kept = kept.then(() => writeBatch(batch.folder, results));
        await kept;
        events.onResult(result, index);
        return !STOPS_ALL.includes(result.error?.code ?? "");
      },
    });
  } finally {
    await endService(() => service.close(), surroundings.signal);
  }
  return results;
}

/** The first item of a medium that is still to be made, where that is not the item itself. */
function firstOfMedium({ items, estimates }: PreparedBatch, index: number): number[] {
  const first = items.findIndex(
    ({ media }, other) => media === items[index]?.media && estimates[other]?.state === "waiting",
  );
  return first >= 0 && first < index ? [first] : [];
}

interface ItemContext {
  readonly surroundings: Surroundings;
  readonly service: SharedService;
  begin(result: BatchResult): void;
}

async function runItem(
  batch: PreparedBatch,
  item: BatchItem,
  { surroundings, service, begin }: ItemContext,
): Promise<BatchResult> {
  const { signal } = surroundings;
  const earlier = batch.earlier.get(item.out);
  try {
    const call = await callOf(batch, item, surroundings.env);
    const source = await openSource(item.media, signal);
    if (earlier !== undefined && (await isDoneAlready(call, source, earlier))) {
      begin(earlier);
      return earlier;
    }
    const key = await runIdOf(call, source);
    begin(waiting(item));
    const running = await service.forCall(call);
    const report = await describeMedia(call, { ...surroundings, ...running });
    return { ...waiting(item), state: "done", key, ...resultOf(report) };
  } catch (error) {
    signal.throwIfAborted();
    return { ...waiting(item), state: "failed", error: faultOf(error) };
  } finally {
    surroundings.progress.end();
  }
}

function waiting({ media, options, out }: BatchItem): BatchResult {
  const { language } = options;
  return { media: basename(media), language: typeof language === "string" ? language : "", out, state: "waiting" };
}

/** One embedded service for all items, started when the first one needs it. */
class SharedService {
  readonly #dataFolder: string | undefined;
  readonly #surroundings: Pick<Surroundings, "env" | "startService">;
  #running: Promise<EmbeddedService> | undefined;

  constructor({ shared }: Batch, surroundings: Pick<Surroundings, "env" | "startService">) {
    const data = shared["data"];
    this.#dataFolder = typeof data === "string" ? data : undefined;
    this.#surroundings = surroundings;
  }

  async forCall(call: DescribeCall): Promise<Pick<Surroundings, "service">> {
    if (call.server !== undefined) return {};
    this.#running ??= startOwnService(this.#dataFolder, this.#surroundings);
    return { service: await this.#running };
  }

  async close(): Promise<void> {
    await (await this.#running?.catch(() => undefined))?.close();
  }
}

/** What a queue runs. */
export interface Queue {
  /** How many tasks there are; they are known by their index. */
  readonly count: number;
  /** Most that run at once. */
  readonly atOnce: number;
  /** Earlier tasks that have to end before one may begin, however they end. */
  readonly after: (index: number) => readonly number[];
  /** Does one. `false`: no further one is begun. */
  readonly run: (index: number) => Promise<boolean>;
}

/**
 * Runs tasks, several at once, in their order as far as they need not wait for others.
 *
 * @throws The first error that a task raised, once all that were begun have ended.
 */
export async function runQueue({ count, atOnce, after, run }: Queue): Promise<void> {
  let waiting = Array.from({ length: count }, (_, index) => index);
  const running = new Map<number, Promise<void>>();
  const errors: unknown[] = [];
  const begin = async (index: number) => {
    try {
      if (!(await run(index))) waiting = [];
    } catch (error) {
      errors.push(error);
      waiting = [];
    } finally {
      running.delete(index);
    }
  };
  for (;;) {
    const next = waiting.find((index) => !after(index).some((one) => waiting.includes(one) || running.has(one)));
    if (next !== undefined && running.size < atOnce) {
      waiting = waiting.filter((index) => index !== next);
      running.set(next, begin(next));
    } else if (running.size > 0) await Promise.race(running.values());
    else break;
  }
  if (errors.length > 0) throw errors[0];
}
