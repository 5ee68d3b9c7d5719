import { alignCues } from "../../../core/align-cues.ts";
import type { Cue } from "../../../core/cue.ts";
import { secondsFromFrames } from "../../../core/frame-rate.ts";
import type { FrameGrid } from "../../../core/settings.ts";
import { TIMESTAMP_SECONDS } from "../../../core/tolerance.ts";
import { convertCues, isTimelineFormat, needsGrid, readDocument, WRITABLE_FORMATS } from "../../../formats/index.ts";
import { type PlacedResult, soundingCues } from "../../../result/result.ts";
import { programmeGrid } from "../../../workflow/programme-grid.ts";
import { unrounded } from "../../../workflow/revoice/unrounded.ts";
import { readCueSource } from "../../source/cue-source.ts";

/**
 * The cues of a file as an editor left them, under the ids of the record. A format rounds times, and may write words in its own
 * way: what it would say of the record's cues is no change, and such a cue keeps its exact time and its words.
 *
 * @param sequence The timeline of the result, whose frames a list counts.
 * @throws UsageError or HostError when the file cannot be read.
 */
export async function readEditedCues(
  path: string,
  record: PlacedResult,
  sequence: Pick<FrameGrid, "rate" | "isDropFrame" | "startFrame">,
): Promise<Cue[]> {
  const grid = programmeGrid(sequence, record.offsetSeconds);
  const document = await readCueSource(path, { placed: record, grid });
  const { format, cues } = document;
  // Markers tell by themselves whether they stand where they were put.
  if (format === null || isTimelineFormat(format)) return alignCues(record.cues, cues);
  const exact = soundingCues(record);
  const writable = WRITABLE_FORMATS.find((one) => one === format);
  const tolerance =
    writable !== undefined && needsGrid(writable) ? secondsFromFrames(1, grid.rate) / 2 : TIMESTAMP_SECONDS;
  if (writable === undefined) return unrounded(cues, exact, exact, tolerance);
  const { text } = convertCues({ format, cues: exact, issues: [], extras: [] }, { format: writable, grid });
  const back = readDocument(text, { format, grid }).cues;
  const written = exact.map((cue, index) => ({ ...(back[index] ?? cue), id: cue.id }));
  return unrounded(cues, exact, back.length === exact.length ? written : exact, tolerance);
}
