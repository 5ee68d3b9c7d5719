import { basename, join } from "node:path";
import type { JobReport } from "../../contract/job.ts";
import type { DescriptionSettings } from "../../core/settings.ts";
import type { Timeline } from "../../core/timeline.ts";
import { cutOf } from "../../host/edit-plan.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import { REPORT_GENERATOR, resultFromReport } from "../../result/read-report.ts";
import { readRecord, writeRecord } from "../../result/record.ts";
import type { PlacedResult, Result } from "../../result/result.ts";
import type { TextFile } from "../../workflow/deliver/result-files.ts";
import type { FinishedRun } from "../../workflow/describe/describe.ts";
import { parseRunRecord, type RecoveryStore } from "../../workflow/describe/recovery.ts";
import { UsageError } from "../shell/usage-error.ts";
import { fileFingerprint } from "../source/programme.ts";
import { readJsonObject } from "../source/results-folder.ts";
import { readTextFile } from "../source/text-file.ts";
import { type OutFolder, REPORT_FILE } from "./out-folder.ts";

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

/** Keeps the records of unfinished runs in the folder their results go to, one file each. */
export function folderRecovery(folder: OutFolder): RecoveryStore {
  return {
    async load(runId) {
      const path = folder.recordPath(runId);
      if ((await nodeFiles.size(path)) === null) return null;
      return parseRunRecord(await nodeFiles.readText(path).catch(() => ""));
    },
    save: (record) => nodeFiles.writeText(folder.recordPath(record.runId), JSON.stringify(record)),
    remove: (runId) => nodeFiles.remove(folder.recordPath(runId)),
  };
}

/** What is known of the film, beside its results, for an editor to read and correct. */
export const BIBLE_FILE = "bible.md";

/** The film's bible as a file; none where nobody looked at the film. */
export function bibleFiles({ report }: Pick<FinishedRun, "report">): TextFile[] {
  return report?.bible === undefined ? [] : [{ name: BIBLE_FILE, text: report.bible }];
}

/**
 * Settings with the editor's bible of the folder, unless they bring one: the file there if somebody has changed it since it
 * was written, else what the last run was given. So a correction is made once and kept.
 *
 * @throws HostError when the file cannot be read.
 */
export async function withEditorsBible<Settings extends DescriptionSettings>(
  settings: Settings,
  folder: OutFolder,
): Promise<Settings> {
  if (settings.script !== undefined || settings.describing?.bible !== undefined) return settings;
  const bible = await editorsBible(folder);
  return bible === undefined ? settings : { ...settings, describing: { ...settings.describing, bible } };
}

async function editorsBible(folder: OutFolder): Promise<string | undefined> {
  const path = join(folder.path, BIBLE_FILE);
  if ((await nodeFiles.size(path)) !== null && !(await folder.isAsWritten(BIBLE_FILE))) {
    folder.adopt(BIBLE_FILE, await fileFingerprint(path));
    return await readTextFile(path);
  }
  // A folder without a record is a new one.
  const record = await readFolderRecord(folder.path).catch(() => null);
  return record?.settings.describing?.bible;
}
