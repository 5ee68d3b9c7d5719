import { join } from "node:path";
import { isObject } from "../../../core/is-object.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import { REPORT_GENERATOR } from "../../../result/read-report.ts";
import type { RunReport } from "../../../workflow/deliver/run-report.ts";
import { readJsonObject } from "../../source/json-object.ts";

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
    notes: report.notices.length,
    programme_minutes: Math.round((report.programme.duration_seconds / 60) * 100) / 100,
    seconds: Math.round(sum * 10) / 10,
  };
}
