import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { VideoReport } from "../../contract/job.ts";
import type { Cue } from "../../core/cue.ts";
import type { HeldProgramme } from "../../core/held-programme.ts";
import { trackLanguage } from "../../core/language-code.ts";
import { type MadeMovie, renderMovie } from "../ffmpeg/render-movie.ts";
import { codedTruePeak } from "../mix/coded-peak.ts";
import { loudnessProfileFrom } from "../mix/loudness-profile.ts";
import type { MixReport } from "../mix/mix-report.ts";
import { MIX_SAMPLE_RATE } from "../mix/programme-blocks.ts";
import type { FittedCue } from "./fit.ts";
import { heldFor, heldReport } from "./held-report.ts";
import type { JobContext, JobOrder } from "./job-order.ts";
import { makeSound, type SoundParts, type SoundTarget } from "./make-sound.ts";

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

/**
 * Decibels that sound is first kept below the true peak of its profile before it is encoded: AAC at our rate adds so much to
 * film sound (`docs/benchmarks.md`, "Mix").
 */
const CODER_HEADROOM_DB = 1.3;

/**
 * Sound whose peak lies more than this below its limit needs no look at what the coder adds, which costs another encoding:
 * limited noise gains nearly as much. In dB.
 */
const SAFE_DB = 4;

/** Times that a sound is mixed anew because the coder added more; each time lower by that. */
const MOST_MIXES = 3;

/** Renders the video of a job: with pauses where the fitting asks for them, its runtime unchanged where it does not. */
export async function makeVideo(
  order: JobOrder,
  context: Pick<JobContext, "signal">,
  parts: VideoParts,
  onProgress: (fraction: number) => void,
): Promise<MadeVideo> {
  const { probe, analysis, cues } = parts;
  const { durationSeconds } = analysis;
  const held = heldFor(cues, probe, durationSeconds);
  const { map } = held;
  const sound: SoundParts = { ...parts, map, lines: linesOf(cues, held) };
  const mixedPath = join(order.workFolder, "mixed.wav");
  const narrationPath = join(order.workFolder, "narration.wav");
  const path = join(order.workFolder, "video.mp4");
  const within = (from: number, share: number) => (fraction: number) => onProgress(from + share * fraction);
  const mix = await makeCodedSound(order, context, sound, {
    track: "mixed",
    path: mixedPath,
    onProgress: within(0, SHARES.mixed),
  });
  await makeCodedSound(order, context, sound, {
    track: "ad_only",
    path: narrationPath,
    onProgress: within(SHARES.mixed, SHARES.narration),
  });
  const made = await renderMovie(
    {
      source: order.mediaPath,
      probe,
      path,
      map,
      height: order.resolution === "Auto" ? null : Number(order.resolution),
      mixedPath,
      narrationPath,
      language: trackLanguage(order.settings.language),
      captions: parts.captions,
      durationSeconds,
    },
    { signal: context.signal, onProgress: within(SHARES.mixed + SHARES.narration, SHARES.render) },
  );
  // The sound stands in the video now; on disk it is the larger of the two.
  for (const file of [mixedPath, narrationPath]) await rm(file, { force: true });
  return { path, mix, report: reportOf(held, durationSeconds, made), notes: made.notes };
}

/**
 * Makes a sound whose true peak holds the limit of its profile after encoding too: what hard limited noise gains there differs
 * too much to be known before. A volume that the user asked for is left as it is.
 */
async function makeCodedSound(
  order: JobOrder,
  { signal }: Pick<JobContext, "signal">,
  sound: SoundParts,
  target: Omit<SoundTarget, "headroomDb">,
): Promise<MixReport> {
  const limit = loudnessProfileFrom(process.env).truePeakDbtp;
  let headroomDb = CODER_HEADROOM_DB;
  for (let mixes = 1; ; mixes++) {
    const mix = await makeSound(order, { signal }, sound, { ...target, headroomDb });
    if (order.settings.volume !== undefined || mixes === MOST_MIXES) return mix;
    if (mix.truePeakDbtp === null || mix.truePeakDbtp < limit - SAFE_DB) return mix;
    const shape = { sampleRate: MIX_SAMPLE_RATE, durationSeconds: mix.sampleCount / MIX_SAMPLE_RATE };
    const excessDb = (await codedTruePeak(target.path, `${target.path}.coded.mp4`, shape, signal)) - limit;
    if (excessDb <= 0) return mix;
    headroomDb += excessDb + 0.1;
  }
}

/** When each line is heard, and how long the programme runs under it before it is held. */
function linesOf(cues: readonly FittedCue[], { map, cues: heard }: HeldProgramme): SoundParts["lines"] {
  return heard.map(({ id, text, start, end }, index) => ({
    id,
    text,
    start,
    rate: cues[index]?.rate ?? 1,
    runningSeconds: Math.max(0, Math.min(end, map.arrival(nextPause(map.programmeTime(start), map.pauses))) - start),
  }));
}

/** The instant of the first pause at or after a time of the programme; infinite when there is none. */
function nextPause(programmeSeconds: number, pauses: HeldProgramme["map"]["pauses"]): number {
  return pauses.find(({ at }) => at >= programmeSeconds)?.at ?? Number.POSITIVE_INFINITY;
}

function reportOf(held: HeldProgramme, durationSeconds: number, made: MadeMovie): VideoReport {
  return {
    picture: made.isPictureCopied ? "copied" : "encoded",
    ...(made.encodedSeconds > 0 ? { encoded_seconds: Math.round(made.encodedSeconds * 1000) / 1000 } : {}),
    ...heldReport(held, durationSeconds),
  };
}
