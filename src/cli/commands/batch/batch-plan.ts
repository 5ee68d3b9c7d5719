import { globSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, normalize, parse, resolve } from "node:path";
import { defined, isObject } from "../../../core/objects.ts";
import { parseDelimited } from "../../../formats/table/delimited.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import { REPORT_GENERATOR } from "../../../result/read-report.ts";
import { isIncomplete, type RunReport } from "../../../workflow/deliver/run-report.ts";
import { UsageError } from "../../shell/usage-error.ts";
import { readJsonObject } from "../../source/results-folder.ts";
import { readTextFile } from "../../source/text-file.ts";
import { DESCRIBE_OPTIONS } from "../describe/describe-call.ts";

/** One description to be made: a medium in a language, with the options of `aside describe`. */
export interface BatchItem {
  /** Path of the video or timeline. */
  readonly media: string;
  /** Folder of its results, inside the folder of the batch. */
  readonly out: string;
  /** A cue file whose times the texts of the script take. */
  readonly timing?: string;
  /** Options of `aside describe`, by name. */
  readonly options: Readonly<Record<string, string | true>>;
}

/** Options that belong to the batch as a whole: they say where, not what. */
const OF_THE_WHOLE = ["out", "encoding", "server", "data", "force", "resend", "json"];

/** Options that name files, which stand relative to the plan. */
const FILES = ["captions", "script", "timing"];

/** Endings of a script beside its medium, in the order of choice. */
const SCRIPT_ENDINGS = ["vtt", "srt", "edl", "json", "txt"];

/** A row before its folder is known. */
interface PlanRow {
  readonly media: string;
  readonly out?: string;
  readonly values: Readonly<Record<string, string | true>>;
}

/** Whether an argument is a plan rather than a medium. */
export function isPlanName(path: string): boolean {
  return [".json", ".csv"].includes(extname(path).toLowerCase());
}

/**
 * Reads a plan: a JSON list of objects (or `{"defaults": {}, "items": []}`), or a CSV table with a head. Members and
 * columns are `media`, `out`, `timing` and the options of `aside describe`; paths stand relative to the plan.
 *
 * @param defaults Options for rows that do not say otherwise.
 * @throws UsageError naming the row and what is wrong with it; HostError when the plan cannot be read.
 */
export async function readPlan(path: string, defaults: BatchItem["options"]): Promise<BatchItem[]> {
  const text = await readTextFile(path);
  const raw = extname(path).toLowerCase() === ".csv" ? csvRows(text) : jsonRows(text, basename(path));
  if (raw.length === 0) throw new UsageError(`the plan "${basename(path)}" has no row`);
  const rows = raw.map((row, index) => planRow(row, `row ${index + 1} of the plan`, dirname(resolve(path))));
  return withFolders(rows.map((row) => ({ ...row, values: { ...defaults, ...row.values } })));
}

/**
 * The items of media that are named or matched by patterns, each in every language. A script beside a medium that is
 * called like it and the language (`film.de-DE.vtt`) gives the words of that language.
 *
 * @throws UsageError when nothing is matched.
 */
export async function itemsOf(
  patterns: readonly string[],
  languages: readonly string[],
  defaults: BatchItem["options"],
): Promise<BatchItem[]> {
  const media = await mediaOf(patterns);
  const rows: PlanRow[] = [];
  for (const path of media) {
    for (const language of languages) {
      const script = await scriptBeside(path, language);
      const named = language === "" ? {} : { language };
      rows.push({ media: path, values: { ...defaults, ...named, ...(script === null ? {} : { script }) } });
    }
  }
  return withFolders(rows);
}

async function mediaOf(patterns: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const pattern of patterns) {
    const isFile = (await nodeFiles.size(resolve(pattern))) !== null;
    const matches = isFile ? [pattern] : globSync(pattern).sort();
    if (matches.length === 0) throw new UsageError(`"${basename(pattern)}" matches no file`);
    found.push(...matches.map((match) => resolve(match)));
  }
  return [...new Set(found)];
}

async function scriptBeside(path: string, language: string): Promise<string | null> {
  if (language === "") return null;
  const { dir, name } = parse(path);
  for (const ending of SCRIPT_ENDINGS) {
    const script = join(dir, `${name}.${language}.${ending}`);
    if ((await nodeFiles.size(script)) !== null) return script;
  }
  return null;
}

function csvRows(text: string): Record<string, unknown>[] {
  const delimiter = (text.split("\n")[0] ?? "").includes(";") ? ";" : ",";
  const [head, ...rows] = parseDelimited(text, delimiter);
  const names = head?.values.map((name) => name.trim()) ?? [];
  return rows.map(({ values }) =>
    Object.fromEntries(
      names.flatMap((name, index) => {
        const value = values[index]?.trim() ?? "";
        return name === "" || value === "" ? [] : [[name, value]];
      }),
    ),
  );
}

function jsonRows(text: string, name: string): Record<string, unknown>[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`the plan "${name}" is no JSON`);
  }
  const { defaults = {}, items = value }: { defaults?: unknown; items?: unknown } = Object(value);
  if (!Array.isArray(items) || !items.every(isObject) || !isObject(defaults)) {
    throw new UsageError(`the plan "${name}" is neither a list of objects nor {"defaults": {}, "items": []}`);
  }
  return items.map((item) => ({ ...defaults, ...item }));
}

function planRow(row: Readonly<Record<string, unknown>>, where: string, folder: string): PlanRow {
  const { media, out, ...rest } = row;
  if (typeof media !== "string" || media === "") throw new UsageError(`${where}: "media" names no file`);
  if (out !== undefined && typeof out !== "string") throw new UsageError(`${where}: "out" is no name of a folder`);
  const values: Record<string, string | true> = {};
  for (const [name, value] of Object.entries(rest)) {
    const option = name === "timing" ? { value: "FILE" } : DESCRIBE_OPTIONS[name];
    if (option === undefined || OF_THE_WHOLE.includes(name)) {
      throw new UsageError(`${where}: "${name}" is no option of a description`);
    }
    const isSwitch = option.value === undefined;
    if (isSwitch && (value === false || value === "no" || value === "false")) continue;
    if (isSwitch) values[name] = true;
    else if (typeof value === "string" || typeof value === "number") {
      values[name] = FILES.includes(name) ? resolve(folder, String(value)) : String(value);
    } else throw new UsageError(`${where}: "${name}" has no value that can be used`);
  }
  return { media: resolve(folder, media), ...defined({ out }), values };
}

/** Gives every item a folder of its own: as the row says, else the medium's name and the language. */
function withFolders(rows: readonly PlanRow[]): BatchItem[] {
  const taken = new Set<string>();
  return rows.map(({ media, out, values }) => {
    const { timing, ...options } = values;
    const language = typeof options["language"] === "string" ? options["language"] : "";
    const wanted = out ?? join(parse(media).name, language);
    let folder = wanted;
    for (let number = 2; taken.has(folder.toLowerCase()); number++) folder = `${wanted}-${number}`;
    taken.add(folder.toLowerCase());
    if (isAbsolute(folder) || normalize(folder).split(/[\\/]/)[0] === "..") {
      throw new UsageError(`"${folder}" leaves the folder of the batch`);
    }
    return { media, out: folder, options, ...(typeof timing === "string" ? { timing } : {}) };
  });
}

/** What became of one item of a batch. */
export interface BatchResult {
  /** Name of the medium, without folder. */
  readonly media: string;
  /** BCP-47 code; empty where the default counts. */
  readonly language: string;
  /** Folder of the results inside that of the batch. */
  readonly out: string;
  readonly state: "done" | "failed" | "waiting";
  /** Tells its medium, words, settings and service from others: where it is the same, what is done stays done. */
  readonly key?: string;
  readonly descriptions?: number;
  /** Findings of the result that break a limit, and that are worth a look. */
  readonly fails?: number;
  readonly warnings?: number;
  /** Lines of a given script that are not spoken; absent without a script. */
  readonly left_out?: number;
  /** Set where something that was asked for did not come about. */
  readonly incomplete?: true;
  /** Sentences in the report about what was left out or done otherwise. */
  readonly notes?: number;
  readonly programme_minutes?: number;
  readonly seconds?: number;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Name of the file that holds the state of a batch, and is its summary when all is done. */
const BATCH_FILE = "batch.json";

/** What an earlier run of the batch came to, by folder; empty for a folder without one. */
export async function readBatch(folder: string): Promise<Map<string, BatchResult>> {
  const { generator, items } = await readJsonObject(join(folder, BATCH_FILE));
  if (generator !== REPORT_GENERATOR || !Array.isArray(items) || !items.every(isObject)) return new Map();
  // Written by writeBatch; what somebody changed in it costs a run at most.
  return new Map((items as unknown as BatchResult[]).map((item) => [item.out, item]));
}

/** Keeps the state of a batch: after every item, so that a killed batch goes on where it stood. */
export async function writeBatch(folder: string, items: readonly BatchResult[]): Promise<void> {
  const text = `${JSON.stringify({ generator: REPORT_GENERATOR, items }, null, 2)}\n`;
  await nodeFiles.writeText(join(folder, BATCH_FILE), text);
}

/** What a summary says of a finished item. */
export function resultOf(report: RunReport): Omit<BatchResult, "media" | "language" | "out" | "state"> {
  const count = (wanted: string) => report.findings.filter(({ severity }) => severity === wanted).length;
  const sum = Object.values(report.step_seconds).reduce((seconds, one) => seconds + (one ?? 0), 0);
  return {
    descriptions: report.cues.length,
    fails: count("fail"),
    warnings: count("warn"),
    ...(report.script === undefined ? {} : { left_out: report.script.counts.left_out }),
    ...(isIncomplete(report) ? { incomplete: true } : {}),
    notes: report.notices.length,
    programme_minutes: Math.round((report.programme.duration_seconds / 60) * 100) / 100,
    seconds: Math.round(sum * 10) / 10,
  };
}
