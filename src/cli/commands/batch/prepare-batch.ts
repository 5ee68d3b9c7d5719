import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { readCues, writeWebVtt } from "../../../formats/index.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import { scriptOnTiming } from "../../../workflow/describe/script-timing.ts";
import { explain } from "../../../workflow/explain.ts";
import { REPORT_FILE } from "../../out-folder/out-folder.ts";
import type { Surroundings } from "../../service-run/service-run.ts";
import { UsageError } from "../../shell/usage-error.ts";
import { readCueSource } from "../../source/cue-source.ts";
import { type DescribedSource, openSource } from "../../source/described-source.ts";
import { type DescribeCall, describeCallFrom } from "../describe/describe-call.ts";
import { runIdOf } from "../describe/describe-media.ts";
import { estimateOf, estimateWithout, type ItemEstimate } from "./batch-estimate.ts";
import type { BatchItem } from "./batch-plan.ts";
import { type BatchResult, readBatch } from "./batch-state.ts";

/** A batch: what is to be made, and where. */
export interface Batch {
  readonly items: readonly BatchItem[];
  /** Folder of all results. */
  readonly folder: string;
  /** Options of `aside describe` that concern all: service, data folder, overwriting. */
  readonly shared: Readonly<Record<string, string | true>>;
  /** Whether what is done already is done again. */
  readonly startsOver: boolean;
  /** How many descriptions are made at once. */
  readonly jobs: number;
}

/** A batch that was looked at: what earlier runs did, and what is to be expected of the rest. */
export interface PreparedBatch extends Batch {
  /** By folder. */
  readonly earlier: ReadonlyMap<string, BatchResult>;
  /** In the order of the items. */
  readonly estimates: readonly ItemEstimate[];
}

/** Looks at every item: how long it is, what it takes, whether it is done already. Nothing is written or sent. */
export async function prepareBatch(
  batch: Batch,
  { env, signal }: Pick<Surroundings, "env" | "signal">,
): Promise<PreparedBatch> {
  const earlier = batch.startsOver ? new Map<string, BatchResult>() : await readBatch(batch.folder);
  const sources = new Map<string, Promise<DescribedSource>>();
  const estimates: ItemEstimate[] = [];
  for (const [index, item] of batch.items.entries()) {
    try {
      const source = sources.get(item.media) ?? openSource(item.media, signal);
      // Heard of below, where it is waited for: until then nobody else may take its failure for one of the process.
      source.catch(() => undefined);
      sources.set(item.media, source);
      // Words and times that another item is still to make are not there yet; its settings tell what it takes.
      const isLater = sourcesOf(batch, index).some((earlier) => estimates[earlier]?.state === "waiting");
      const call = await (isLater ? plainCallOf(batch, withoutFiles(item), env) : callOf(batch, item, env));
      const isDone = !isLater && (await isDoneAlready(call, await source, earlier.get(item.out)));
      estimates.push(estimateOf(call, await source, isDone));
    } catch (error) {
      signal.throwIfAborted();
      estimates.push(estimateWithout(faultOf(error).message));
    }
  }
  return { ...batch, earlier, estimates };
}

/** Earlier items whose results an item takes its words or times from. */
export function sourcesOf({ items, folder }: Batch, index: number): number[] {
  const item = items[index];
  const files = [item?.timing, item?.options["script"], item?.options["captions"]];
  return items.slice(0, index).flatMap(({ out }, earlier) => {
    const isInside = files.some((file) => typeof file === "string" && isIn(join(folder, out), file));
    return isInside ? [earlier] : [];
  });
}

function isIn(folder: string, file: string): boolean {
  const way = relative(resolve(folder), resolve(file));
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}

/** Whether an earlier run made it, of the same medium, words and settings, and its result is still there. */
export async function isDoneAlready(
  call: DescribeCall,
  source: DescribedSource,
  earlier: BatchResult | undefined,
): Promise<boolean> {
  if (earlier?.state !== "done" || earlier.key !== (await runIdOf(call, source))) return false;
  return (await nodeFiles.size(join(call.out, REPORT_FILE))) !== null;
}

/** An error as a summary says it. */
export function faultOf(error: unknown): NonNullable<BatchResult["error"]> {
  if (error instanceof UsageError) return { code: error.code, message: error.message };
  const { code, sentence } = explain(error);
  return { code, message: sentence };
}

function withoutFiles(item: BatchItem): BatchItem {
  const { script: _, captions: __, ...options } = item.options;
  return { ...item, options };
}

function plainCallOf(batch: Batch, item: BatchItem, env: NodeJS.ProcessEnv): Promise<DescribeCall> {
  const values = { ...batch.shared, ...item.options, out: join(batch.folder, item.out) };
  return describeCallFrom({ positionals: [item.media], values }, env);
}

/**
 * The call of an item, with its files read.
 *
 * @throws UsageError or HostError naming what of it cannot be used.
 */
export async function callOf(batch: Batch, item: BatchItem, env: NodeJS.ProcessEnv): Promise<DescribeCall> {
  const call = await plainCallOf(batch, item, env);
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
