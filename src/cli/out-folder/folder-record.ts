import { basename, join } from "node:path";
import type { JobReport } from "../../contract/job.ts";
import type { Timeline } from "../../core/timeline.ts";
import { cutOf } from "../../host/cut.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import { REPORT_GENERATOR, resultFromReport } from "../../result/read-report.ts";
import { readRecord, writeRecord } from "../../result/record.ts";
import type { PlacedResult, Result } from "../../result/result.ts";
import { UsageError } from "../shell/usage-error.ts";
import { readJsonObject } from "../source/json-object.ts";
import { REPORT_FILE } from "./out-folder.ts";

/** Name of the record in a folder of results. */
export const RECORD_FILE = "record.txt";

/** A first result as it was placed on a timeline: what a later read-back and a later voicing go by. */
export function placedResult(
  result: Result,
  { timeline, clipNames }: { readonly timeline: Timeline; readonly clipNames: readonly string[] },
): PlacedResult {
  // The folder is the identity, and the place of its sound: a path would be one of this computer.
  const { audio, ...kept } = result;
  return {
    ...kept,
    ...(audio === undefined ? {} : { audio: { ...audio, path: basename(audio.path) } }),
    revision: 1,
    placed: {
      sequenceId: result.sequence?.name ?? "",
      markerIds: {},
      clipNames,
      layout: cutOf(timeline),
    },
  };
}

/** Writes a record into a folder. */
export async function writeFolderRecord(folder: string, record: PlacedResult): Promise<void> {
  await nodeFiles.writeText(join(folder, RECORD_FILE), `${writeRecord(record)}\n`);
}

/**
 * Reads the record of a folder of results.
 *
 * @throws UsageError when there is none, or it cannot be used.
 */
export async function readFolderRecord(folder: string): Promise<PlacedResult> {
  const path = join(folder, RECORD_FILE);
  if ((await nodeFiles.size(path)) === null) {
    throw new UsageError('there is no record of a description: name the folder that "aside describe" wrote');
  }
  const reading = readRecord((await nodeFiles.readText(path)).trim());
  // A record of an earlier version tells neither what was described, nor by whom, nor what was heard.
  if (reading.ok) return reading.record.sequence === undefined ? withReport(folder, reading.record) : reading.record;
  throw new UsageError(
    reading.fault === "other-version"
      ? `"${RECORD_FILE}" was written by a newer version of aside`
      : `"${RECORD_FILE}" is damaged; describe again with --script cues.vtt`,
  );
}

async function withReport(folder: string, record: PlacedResult): Promise<PlacedResult> {
  return { ...(await readFolderReport(folder)), ...record };
}

/** What the service told when it described, as the report in a folder has it; `undefined` where it tells nothing. */
export async function readServiceReport(folder: string): Promise<JobReport | undefined> {
  const { generator, service_report: told } = await readJsonObject(join(folder, REPORT_FILE));
  // Written by us: as the service gave it.
  return generator === REPORT_GENERATOR ? (told as JobReport | undefined) : undefined;
}

/** The result that the report in a folder tells of; `null` where there is none. */
export async function readFolderReport(folder: string): Promise<PlacedResult | null> {
  const text = await nodeFiles.readText(join(folder, REPORT_FILE)).catch(() => null);
  return text === null ? null : resultFromReport(text);
}
