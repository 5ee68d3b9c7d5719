import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { thumbnailOf } from "../ffmpeg/decode/small-picture.ts";
import { type KeyFrame, keptAnalysis, type ProgrammeAnalysis } from "../programme-analysis.ts";
import type { MomentPicture, MomentsOrder } from "../tasks/tasks.ts";

/**
 * Small pictures of moments, from the key frames that the analysis of a programme kept.
 *
 * @returns One for each time; `null` where no key frame is kept any more.
 */
export async function momentsOf({ mediaFolder, at, width }: MomentsOrder): Promise<MomentPicture[] | null> {
  const stored = await keptAnalysis(mediaFolder);
  if (stored === null || stored.analysis.keyFrames.length === 0) return null;
  const { analysis, folder } = stored;
  const made = new Map<string, ReturnType<typeof thumbnailOf>>();
  const moments: MomentPicture[] = [];
  try {
    for (const time of at) {
      const frame = frameOf(analysis, time);
      if (frame === undefined) continue;
      const known = made.get(frame.file) ?? thumbnailOf(await readFile(join(folder, frame.file)), width);
      made.set(frame.file, known);
      moments.push({ at: time, time: frame.at, ...known });
    }
  } catch (error) {
    // Removed with its media in this very moment.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  return moments;
}

/** The last key frame at or before a time in its shot, else the first of that shot; the nearest where a shot has none. */
export function frameOf(
  { shots, keyFrames }: Pick<ProgrammeAnalysis, "shots" | "keyFrames">,
  time: number,
): KeyFrame | undefined {
  const shot = shots.findLast(({ start }) => start <= time) ?? shots[0];
  const inShot = keyFrames.filter(({ at }) => shot !== undefined && at >= shot.start && at < shot.end);
  const frames = inShot.length === 0 ? keyFrames : inShot;
  return frames.findLast(({ at }) => at <= time) ?? frames[0];
}
