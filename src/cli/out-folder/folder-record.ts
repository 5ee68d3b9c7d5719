import { join } from "node:path";
import { layoutOf } from "../../core/layout.ts";
import type { Timeline } from "../../core/timeline.ts";
import { NARRATION_TRACK_NAME } from "../../host/edit-plan.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import type { Description } from "../../workflow/describe/describe.ts";
import type { DescribeOrder } from "../../workflow/describe/run.ts";
import {
  readSequenceRecord,
  SEQUENCE_RECORD_VERSION,
  type SequenceRecord,
  writeSequenceRecord,
} from "../../result/record.ts";
import { voicedCues } from "../../result/stale.ts";
import { UsageError } from "../usage-error.ts";

/** Name of the record in a folder of results. */
export const RECORD_FILE = "record.txt";

/** The record of a first result on a timeline: what a later read-back and a later voicing go by. */
export function firstRecord(
  description: Description,
  order: Pick<DescribeOrder, "runId" | "settings" | "track">,
  placed: { readonly timeline: Timeline; readonly clipNames: readonly string[] },
): SequenceRecord {
  const { captions: _, script: __, voicing: ___, ...settings } = order.settings;
  const { sequence, exported, cues, toWrite, jobId, voicing } = description;
  return {
    version: SEQUENCE_RECORD_VERSION,
    revision: 1,
    // The folder is the identity: a path would be one of this computer.
    sequenceId: sequence.name,
    runId: order.runId,
    jobId,
    settings,
    track: order.track,
    offsetSeconds: exported.offsetSeconds,
    durationSeconds: exported.durationSeconds,
    cues,
    generated: cues,
    ...(toWrite === undefined ? {} : { toWrite }),
    voiced: order.track === "none" ? {} : voicedCues(cues, settings),
    ...(voicing === undefined ? {} : { voicing }),
    markerIds: {},
    clipNames: placed.clipNames,
    layout: layoutOf(placed.timeline, NARRATION_TRACK_NAME),
  };
}

/** Writes a record into a folder. */
export async function writeFolderRecord(folder: string, record: SequenceRecord): Promise<void> {
  await nodeFiles.writeText(join(folder, RECORD_FILE), `${writeSequenceRecord(record)}\n`);
}

/**
 * Reads the record of a folder of results.
 *
 * @throws UsageError when there is none, or it cannot be used.
 */
export async function readFolderRecord(folder: string): Promise<SequenceRecord> {
  const path = join(folder, RECORD_FILE);
  if ((await nodeFiles.size(path)) === null) {
    throw new UsageError('there is no record of a description: name the folder that "aside describe" wrote');
  }
  const reading = readSequenceRecord((await nodeFiles.readText(path)).trim());
  if (reading.ok) return reading.record;
  throw new UsageError(
    reading.fault === "other-version"
      ? `"${RECORD_FILE}" was written by a newer version of aside`
      : `"${RECORD_FILE}" is damaged; describe again with --script cues.vtt`,
  );
}
