import { framesFromSeconds } from "../core/frame-rate.ts";
import type { FrameGrid } from "../core/settings.ts";
import type { TimeRange } from "../core/time-range.ts";
import type { Files } from "../host/files.ts";
import type { SequenceInfo } from "../host/host.ts";
import { type Result, soundingCues } from "../result/result.ts";
import type { StretchLine } from "./mix-stretch.ts";
import { openWave } from "./wave-files.ts";

/**
 * What is spoken of a result in a stretch of the programme, where the cues are now; `null` where the sound of a line cannot be
 * read.
 *
 * @param range Seconds on the programme clock.
 * @throws HostError when a file cannot be read.
 */
export async function spokenLines(
  files: Pick<Files, "size" | "readBytes">,
  result: Pick<Result, "cues" | "mutedIds" | "audio" | "voiced" | "pieces">,
  range: TimeRange,
): Promise<StretchLine[] | null> {
  const { audio, voiced, pieces = {} } = result;
  const narration = audio === undefined ? null : await openWave(files, audio.path);
  const lines: StretchLine[] = [];
  for (const { id, start } of soundingCues(result)) {
    const piece = pieces[id];
    const was = voiced[id];
    const seconds = piece?.durationSeconds ?? (was === undefined ? 0 : was.end - was.start);
    if (seconds === 0 || start >= range.end || start + seconds <= range.start) continue;
    // A voice in a file of its own is not in the narration.
    const wave = piece === undefined ? narration : await openWave(files, piece.path);
    if (wave === null) return null;
    // A file of its own may begin a little before its cue.
    const lead = piece === undefined || was === undefined ? 0 : piece.start - was.start;
    lines.push({
      id,
      wave,
      from: piece === undefined ? (was?.start ?? 0) - (audio?.start ?? 0) : 0,
      start: start + lead,
      seconds,
    });
  }
  return lines;
}

/** The frame grid of a programme exported from a sequence: its first frame is the sequence's at the export offset. */
export function programmeGrid(
  sequence: Pick<SequenceInfo, "rate" | "isDropFrame" | "startFrame">,
  offsetSeconds: number,
): FrameGrid {
  const { rate, isDropFrame } = sequence;
  return { rate, isDropFrame, startFrame: sequence.startFrame + framesFromSeconds(offsetSeconds, rate) };
}
