import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readCues, writeWebVtt } from "../formats/index.ts";
import { nodeFiles } from "../host/headless/files.ts";
import { explain } from "../workflow/messages.ts";
import { scriptOnTiming } from "../workflow/script-timing.ts";
import type { BatchItem } from "./batch-plan.ts";
import { type BatchResult, readBatch, resultOf, writeBatch } from "./batch-state.ts";
import { readCueSource } from "./cue-source.ts";
import { type DescribeCall, describeCallFrom } from "./describe-call.ts";
import { describeMedia, runIdOf } from "./describe-media.ts";
import { openSource } from "./described-source.ts";
import type { EmbeddedService } from "./embedded-service.ts";
import { REPORT_FILE } from "./out-folder.ts";
import { CANCELLED_STOP_MS, type Surroundings } from "./service-run.ts";
import { SharedUploads } from "./shared-uploads.ts";
import { UsageError } from "./usage-error.ts";

/** A batch: what is to be made, and where. */
export interface Batch {
  readonly items: readonly BatchItem[];
  /** Folder of all results. */
  readonly folder: string;
  /** Options of `aside describe` that concern all: service, data folder, overwriting. */
  readonly shared: Readonly<Record<string, string | true>>;
  /** Whether what is done already is done again. */
  readonly startsOver: boolean;
}

/** What a batch tells while it runs. */
export interface BatchEvents {
  /** An item begins, or is passed over because it is done. */
  onItem(result: BatchResult, index: number): void;
  /** An item has ended. */
  onResult(result: BatchResult): void;
}

/** Errors that the next item would meet as well: the batch stops there, and goes on when run again. */
const STOPS_ALL = ["unauthorized", "plan_limit_exceeded", "disk_full", "data_folder_unusable", "records_unusable"];

/**
 * Makes the items of a batch one after another. What an earlier run has done, of the same medium with the same words and
 * settings, is not done again; what it began is gone on with. An item that fails does not stop the others.
 *
 * @throws the signal's reason when it aborts; what is done is kept.
 */
export async function runBatch(batch: Batch, surroundings: Surroundings, events: BatchEvents): Promise<BatchResult[]> {
  await mkdir(batch.folder, { recursive: true });
  const earlier = batch.startsOver ? new Map<string, BatchResult>() : await readBatch(batch.folder);
  const results = batch.items.map((item): BatchResult => earlier.get(item.out) ?? waiting(item));
  const service = new SharedService(batch, surroundings);
  const shared = { ...surroundings, uploads: new SharedUploads() };
  try {
    for (const [index, item] of batch.items.entries()) {
      const result = await runItem(batch, item, earlier.get(item.out), {
        surroundings: shared,
        service,
        begin: (result) => events.onItem(result, index),
      });
      results[index] = result;
      await writeBatch(batch.folder, results);
      events.onResult(result);
      if (STOPS_ALL.includes(result.error?.code ?? "")) break;
    }
  } finally {
    // A service that is cut off goes on with its job when it is started the next time.
    const limit = surroundings.signal.aborted ? sleep(CANCELLED_STOP_MS) : undefined;
    await (limit === undefined ? service.close() : Promise.race([service.close(), limit]));
  }
  return results;
}

interface ItemContext {
  readonly surroundings: Surroundings;
  readonly service: SharedService;
  begin(result: BatchResult): void;
}

async function runItem(
  batch: Batch,
  item: BatchItem,
  earlier: BatchResult | undefined,
  { surroundings, service, begin }: ItemContext,
): Promise<BatchResult> {
  const { signal } = surroundings;
  try {
    const call = await callOf(batch, item, surroundings.env);
    const key = await runIdOf(call, await openSource(item.media, signal));
    const isThere = (await nodeFiles.size(join(call.out, REPORT_FILE))) !== null;
    if (earlier?.state === "done" && earlier.key === key && isThere) {
      begin(earlier);
      return earlier;
    }
    begin(waiting(item));
    const running = await service.forCall(call);
    const report = await describeMedia(call, { ...surroundings, ...running });
    return { ...waiting(item), state: "done", key, ...resultOf(report) };
  } catch (error) {
    signal.throwIfAborted();
    const { code, sentence } =
      error instanceof UsageError ? { code: error.code, sentence: error.message } : explain(error);
    return { ...waiting(item), state: "failed", error: { code, message: sentence } };
  } finally {
    surroundings.progress.end();
  }
}

function waiting({ media, options, out }: BatchItem): BatchResult {
  const { language } = options;
  return { media: basename(media), language: typeof language === "string" ? language : "", out, state: "waiting" };
}

async function callOf(batch: Batch, item: BatchItem, env: NodeJS.ProcessEnv): Promise<DescribeCall> {
  const values = { ...batch.shared, ...item.options, out: join(batch.folder, item.out) };
  const call = await describeCallFrom({ positionals: [item.media], values }, env);
  const { script } = call.settings;
  if (item.timing === undefined) return call;
  if (script === undefined) throw new UsageError("timing needs a script: the texts that take its times");
  const timing = await readCueSource(item.timing);
  const { cues } = readCues(script);
  const lines = script.split(/\r?\n/).filter((line) => line.trim() !== "");
  const texts = cues.length > 0 ? cues : lines.map((text) => ({ id: "", text: text.trim() }));
  const timed = scriptOnTiming(texts, timing.cues);
  if (timed === null) {
    throw new UsageError(
      `the script has ${texts.length} texts for the ${timing.cues.length} descriptions of "${basename(item.timing)}", and their identifiers do not match`,
    );
  }
  const { language } = call.settings;
  return { ...call, settings: { ...call.settings, script: writeWebVtt(timed, { language }) } };
}

/** One embedded service for all items, started when the first one needs it. */
class SharedService {
  readonly #dataFolder: string | undefined;
  readonly #env: NodeJS.ProcessEnv;
  #running: EmbeddedService | undefined;

  constructor({ shared }: Batch, { env }: Surroundings) {
    const data = shared["data"];
    this.#dataFolder = typeof data === "string" ? data : undefined;
    this.#env = env;
  }

  async forCall(call: DescribeCall): Promise<Pick<Surroundings, "service">> {
    if (call.server !== undefined) return {};
    // Loaded here alone: a batch against another service needs neither the records nor the server.
    const { startEmbeddedService } = await import("./embedded-service.ts");
    this.#running ??= await startEmbeddedService(this.#dataFolder, this.#env);
    return { service: this.#running };
  }

  async close(): Promise<void> {
    await this.#running?.close();
  }
}
