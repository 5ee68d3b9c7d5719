import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { isLocalAddress } from "../../../core/ports.ts";
import { readCues, writeWebVtt } from "../../../formats/index.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import { scriptOnTiming } from "../../../workflow/describe/given-script.ts";
import { estimateRun } from "../../../workflow/describe/run.ts";
import { explain } from "../../../workflow/explain.ts";
import { REPORT_FILE } from "../../out-folder/out-folder.ts";
import type { Surroundings } from "../../service-run/service-run.ts";
import { UsageError } from "../../shell/usage-error.ts";
import { readCueSource } from "../../source/cue-source.ts";
import { type DescribedSource, filmOf, openSource } from "../../source/described-source.ts";
import { type DescribeCall, describeCallFrom } from "../describe/describe-call.ts";
import { runIdOf } from "../describe/describe-media.ts";
import { type BatchItem, type BatchResult, readBatch } from "./batch-plan.ts";

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
  const timing = await readCueSource(item.timing, { ...(await filmOf(call.media)), holds: "descriptions" });
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

/** What one description of a batch will take. Names as they are printed. */
export interface ItemEstimate {
  /** `done`: an earlier run made it of the same, so that it takes nothing. */
  readonly state: "waiting" | "done";
  readonly minutes: number;
  /** At the hosted service's list price; 0 for a service on this computer. */
  readonly credits: number;
  /** Size of its video; 0 where nothing leaves this computer, `null` for a cut that is rendered first. */
  readonly upload_bytes: number | null;
  /** Why it cannot be made as it stands; absent where nothing is known to stand in the way. */
  readonly problem?: string;
}

/** Estimates one description before anything is sent. */
function estimateOf(call: DescribeCall, source: DescribedSource, isDone: boolean): ItemEstimate {
  const { durationSeconds, uploadBytes } = source;
  const isLocal = call.server === undefined || isLocalAddress(call.server.url);
  const kind = call.video !== undefined ? "video" : call.track === "none" ? "text" : "audio";
  const { minutes, credits } = estimateRun({ durationSeconds, kind, sizeBytes: uploadBytes ?? 0, isLocal });
  if (isDone) return { state: "done", minutes, credits: 0, upload_bytes: 0 };
  return { state: "waiting", minutes, credits, upload_bytes: isLocal ? 0 : uploadBytes };
}

/** An item that cannot be made as it stands. */
export function estimateWithout(problem: string): ItemEstimate {
  return { state: "waiting", minutes: 0, credits: 0, upload_bytes: 0, problem };
}

/**
 * What a batch will take, in sentences: how much, what it costs, what leaves this computer.
 *
 * @param mediaOf Path of each item's medium: several descriptions share an upload.
 * @param host Host name of the service; absent for one of this process's own.
 */
export function estimateText(
  items: readonly ItemEstimate[],
  mediaOf: (index: number) => string,
  host: string | undefined,
): string {
  const count = (wanted: (item: ItemEstimate) => boolean) => items.filter(wanted).length;
  const waiting = count(({ state, problem }) => state === "waiting" && problem === undefined);
  const done = count(({ state }) => state === "done");
  const problems = count(({ problem }) => problem !== undefined);
  const sum = (field: "minutes" | "credits") =>
    items.reduce((total, item) => total + (item.state === "done" ? 0 : item[field]), 0);
  const sentTo = new Map(
    items.flatMap((item, index) => (item.upload_bytes === 0 ? [] : [[mediaOf(index), item.upload_bytes] as const])),
  );
  const known = [...sentTo.values()].filter((bytes) => bytes !== null);
  const megabytes = Math.ceil(known.reduce((total, bytes) => total + bytes, 0) / 1e6);
  const rendered = sentTo.size - known.length;
  const credits = sum("credits");
  const lines = [
    `${waiting} to describe, ${sum("minutes").toFixed(1)} minutes in all${done === 0 ? "" : `; ${done} done already`}${problems === 0 ? "" : `; ${problems} cannot be made`}.`,
    credits === 0
      ? "No credits."
      : `About ${credits.toFixed(1)} credits at the hosted service's list price; a service of another kind has its own.`,
    sentTo.size === 0
      ? "No video leaves this computer."
      : `To ${host ?? "the service"} go ${sentTo.size} video${sentTo.size === 1 ? "" : "s"}, each once: ${megabytes} MB${rendered === 0 ? "" : ` and ${rendered} rendered cut${rendered === 1 ? "" : "s"}`}, with their settings, captions and scripts.`,
  ];
  return lines.join(" ");
}
