import { basename, join } from "node:path";
import type { JobFinding } from "../../contract/job.ts";
import type { Cue } from "../../core/cue.ts";
import type { TranscriptLine } from "../../core/dialogue.ts";
import type { Gap } from "../../core/gap.ts";
import { defined } from "../../core/objects.ts";
import type { PauseToWrite } from "../../core/pause-to-write.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { startLabel } from "../../core/timecode.ts";
import type { WrittenDescription } from "../describe/describer.ts";
import type { MediaProbe } from "../ffmpeg/probe/media-streams.ts";
import type { TaskContext } from "../isolate/message.ts";
import type { StoredAnalysis } from "../programme-analysis.ts";
import type { ProgrammeOrder } from "../tasks/tasks.ts";
import type { Narrator } from "../voice/narrator.ts";
import { voicePace } from "./fit-kept.ts";

/** What a worksheet is made from. */
export interface WorksheetParts {
  readonly stored: StoredAnalysis;
  readonly gaps: readonly Gap[];
  /** What is spoken already. */
  readonly cues: readonly Cue[];
  readonly transcript: readonly TranscriptLine[];
  /** What was found while the descriptions were written. */
  readonly findings: readonly JobFinding[];
  /** What a model is not sure of: the pauses around it alone are left to write. Absent where all are. */
  readonly unsure?: readonly WrittenDescription[];
  readonly narrator: Narrator | null;
  readonly probe: Pick<MediaProbe, "startTimecode">;
  readonly grid: FrameGrid;
}

/** What a person is to write, and the page to write it on. */
export interface JobWorksheet {
  readonly toWrite: readonly PauseToWrite[];
  /** The page, in the job's folder; `null` where nothing is left to write. */
  readonly path: string | null;
}

/** Finds the pauses that nobody has described, and makes the worksheet for them. */
export async function makeWorksheet(
  order: ProgrammeOrder,
  { signal }: Pick<TaskContext, "signal">,
  { stored, gaps, cues, transcript, findings, unsure, narrator, probe, grid }: WorksheetParts,
): Promise<JobWorksheet> {
  const { language, voice, minimumCueSeconds } = order.settings;
  const { durationSeconds, shots, keyFrames } = stored.analysis;
  const measured = await voicePace(narrator, language, signal);
  const pace = measured ?? 1;
  // Loaded here: a job that a model or a script describes needs none of it.
  const [{ findPauses }, { writeWorksheet }] = await Promise.all([
    import("../worksheet/find-pauses.ts"),
    import("../worksheet/write-worksheet.ts"),
  ]);
  const toWrite = findPauses({
    ...{ durationSeconds, language, gaps, cues, shots, transcript, pace },
    minimumSeconds: minimumCueSeconds,
    ...defined({ unsure: unsure?.map(({ picture, wordings }) => ({ ...picture, text: wordings[0] ?? "" })) }),
  });
  if (toWrite.length === 0) return { toWrite, path: null };
  const path = join(order.workFolder, "worksheet.html");
  await writeWorksheet(path, {
    id: `${basename(order.mediaFolder)}-${language}`,
    language,
    voice: measured === null ? null : voice,
    pace,
    pauses: toWrite,
    cues,
    unread: findings.filter(({ rule }) => rule === "text-not-read"),
    keyFrames,
    keyFrameFolder: stored.folder,
    // The file's own labels: the editor sees them too.
    grid: { rate: grid.rate, ...startLabel(probe.startTimecode, grid.rate) },
  });
  return { toWrite, path };
}

/** Says that the descriptions are not complete, and why. */
export function leftNotes(
  worksheet: JobWorksheet | null,
  { unsure }: { readonly unsure?: readonly WrittenDescription[] },
): string[] {
  if (worksheet === null || worksheet.path === null) return [];
  const { length } = worksheet.toWrite;
  const pauses = length === 1 ? "1 pause is" : `${length} pauses are`;
  return [
    unsure === undefined
      ? `Without a vision model only text on screen is spoken; ${pauses} to be written by a person.`
      : `${pauses} left for you to write: the model is not sure what it saw there. The worksheet has its words.`,
  ];
}
