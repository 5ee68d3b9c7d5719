import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { VideoReport } from "../../contract/job.ts";
import type { Cue } from "../../core/cue.ts";
import { trackLanguage } from "../../core/settings.ts";
import { renderMovie } from "../ffmpeg/render-movie.ts";
import type { TaskContext } from "../isolate/message.ts";
import type { MixReport } from "../mix/mix-report.ts";
import type { ProgrammeOrder } from "../tasks/tasks.ts";
import type { FittedCue } from "./fit.ts";
import { heldFor, heldLines, videoReport } from "./held-job.ts";
import { type SoundParts, VideoSound } from "./make-sound.ts";

/** What a video is made from beside its sound. */
export interface VideoParts extends Omit<SoundParts, "lines" | "map"> {
  readonly cues: readonly FittedCue[];
  /** Captions that the user gave, on the programme clock. */
  readonly captions: readonly Cue[];
}

/** A finished video. */
export interface MadeVideo {
  readonly path: string;
  readonly mix: MixReport;
  readonly report: VideoReport;
  /** Sentences about what the video leaves out. */
  readonly notes: readonly string[];
}

/** Shares of the time that mixing twice and rendering take, as far as anybody can know. */
const SHARES = { mixed: 0.3, narration: 0.15, render: 0.55 };

/** Times that a video is made because the coder lifted a sound over its limit, which is mixed lower the next time. */
const MOST_TRIES = 3;

/** Renders the video of a job: with pauses where the fitting asks for them, its runtime unchanged where it does not. */
export async function makeVideo(
  order: ProgrammeOrder,
  context: Pick<TaskContext, "signal">,
  parts: VideoParts,
  onProgress: (fraction: number) => void,
): Promise<MadeVideo> {
  const { probe, analysis, cues } = parts;
  const { durationSeconds } = analysis;
  const held = heldFor(cues, probe, durationSeconds);
  const { map } = held;
  const sound: SoundParts = { ...parts, map, lines: heldLines(cues, held) };
  const mixed = new VideoSound(order, sound, "mixed", join(order.workFolder, "mixed.wav"));
  const narration = new VideoSound(order, sound, "ad_only", join(order.workFolder, "narration.wav"));
  const path = join(order.workFolder, "video.mp4");
  let told = 0;
  const within = (from: number, share: number) => (fraction: number) => {
    told = Math.max(told, from + share * fraction);
    onProgress(told);
  };
  for (let tries = 1; ; tries++) {
    const mix = await mixed.make(context, within(0, SHARES.mixed));
    await narration.make(context, within(SHARES.mixed, SHARES.narration));
    const made = await renderMovie(
      {
        source: order.mediaPath,
        probe,
        path,
        map,
        height: order.resolution === "Auto" ? null : Number(order.resolution),
        mixedPath: mixed.path,
        narrationPath: narration.path,
        language: trackLanguage(order.settings.language),
        captions: parts.captions,
        durationSeconds,
        heard: [...(mixed.isHeard ? (["mixed"] as const) : []), ...(narration.isHeard ? (["narration"] as const) : [])],
      },
      { signal: context.signal, onProgress: within(SHARES.mixed + SHARES.narration, SHARES.render) },
    );
    const areOver = [mixed.lowerIfOver(made.truePeaks.mixed), narration.lowerIfOver(made.truePeaks.narration)];
    if (tries < MOST_TRIES && areOver.includes(true)) continue;
    // The sound stands in the video now; on disk it is the larger of the two.
    for (const file of [mixed.path, narration.path]) await rm(file, { force: true });
    return { path, mix, report: videoReport(held, durationSeconds, made), notes: made.notes };
  }
}
