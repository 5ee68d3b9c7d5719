import { mkdir } from "node:fs/promises";
import { defined } from "../../core/objects.ts";
import type { TimeRange } from "../../core/time-range.ts";
import { decodeProgramme } from "../ffmpeg/decode/decode-programme.ts";
import type { MediaProbe } from "../ffmpeg/probe/media-streams.ts";
import { MISSING_SECONDS } from "../ffmpeg/probe/probe.ts";
import { ANALYSIS_VERSION, type ProgrammeAnalysis } from "../programme-analysis.ts";
import { PictureWatcher, type WatchedShot } from "./picture/picture-watcher.ts";
import { LazyDetection, unknownSound, withUnknown } from "./sound/analyse-sound.ts";
import { LevelCurve } from "./sound/level-track.ts";

/** How {@link analyseProgramme} shall go. */
export interface AnalyseOptions {
  /** Where key frames are written; made when missing. */
  readonly folder: string;
  readonly signal?: AbortSignal;
  /** Told the share of the programme that is analysed, 0 to 1, now and then. */
  readonly onProgress?: (fraction: number) => void;
  /** Told of each shot as soon as it is over. */
  readonly onShot?: (watched: WatchedShot) => void;
}

/** Seconds of programme between two reports of progress. */
const PROGRESS_SECONDS = 1;

/**
 * Hears and watches a programme in one decode pass. Sound is listened to on a second thread, so both processors of a small
 * machine are busy; memory does not grow with duration beyond a few numbers per second.
 *
 * Files without sound, with silent sound or without picture are analysed all the same.
 *
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function analyseProgramme(
  path: string,
  probe: MediaProbe,
  { folder, signal, onProgress = () => {}, onShot }: AnalyseOptions,
): Promise<ProgrammeAnalysis> {
  await mkdir(folder, { recursive: true });
  const statedSeconds = probe.durationSeconds ?? 0;
  let durationSeconds = statedSeconds;
  await using listening = new LazyDetection();
  using watcher = new PictureWatcher(folder, onShot);
  let reportedAt = 0;
  let soundSeconds = 0;
  let unknown: readonly TimeRange[] = [];
  let levels: LevelCurve | null = null;
  const report = (at: number) => {
    if (at - reportedAt < PROGRESS_SECONDS || statedSeconds <= 0) return;
    reportedAt = at;
    onProgress(Math.min(1, at / statedSeconds));
  };
  const pass = decodeProgramme(path, {
    durationSeconds: statedSeconds,
    tracks: probe.sound?.tracks,
    ...defined({ signal }),
  });
  for await (const part of pass) {
    if (part.kind === "end") {
      durationSeconds = decodedDuration(statedSeconds, Math.max(part.pictureSeconds, part.soundSeconds));
      unknown = unknownSound(part, durationSeconds, probe);
      continue;
    }
    if (part.kind === "picture") {
      await watcher.add(part.frame);
      report(part.frame.at);
      continue;
    }
    soundSeconds += (part.block.planes[0]?.length ?? 0) / part.sampleRate;
    levels ??= new LevelCurve(part.sampleRate);
    levels.add(part.block.planes);
    await listening.add(part.block, part.sampleRate);
    if (probe.picture === null) report(soundSeconds);
  }
  const seen = await watcher.finish(durationSeconds);
  const heard = withUnknown(await listening.finish(durationSeconds), unknown);
  signal?.throwIfAborted();
  onProgress(1);
  return {
    version: ANALYSIS_VERSION,
    durationSeconds,
    heard,
    levels: levels?.finish(durationSeconds) ?? [],
    shots: seen.shots,
    hasVisiblePicture: seen.hasVisiblePicture,
    keyFrames: seen.keyFrames,
    lettering: seen.lettering,
  };
}

/** The stated length, unless the file is torn off before it, or states none. */
function decodedDuration(statedSeconds: number, decodedSeconds: number): number {
  return statedSeconds <= 0 || decodedSeconds < statedSeconds - MISSING_SECONDS ? decodedSeconds : statedSeconds;
}
