import { basename, join } from "node:path";
import type { JobFinding } from "../../contract/job.ts";
import type { Cue } from "../../core/cue.ts";
import type { TranscriptLine } from "../../core/dialogue.ts";
import type { Gap } from "../../core/gap.ts";
import type { PauseToWrite } from "../../core/pause-to-write.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { startLabel } from "../../core/timecode.ts";
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
  { stored, gaps, cues, transcript, findings, narrator, probe, grid }: WorksheetParts,
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
