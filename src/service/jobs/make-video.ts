import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { VideoReport } from "../../contract/job.ts";
import type { Cue } from "../../core/cue.ts";
import type { HeldProgramme } from "../../core/held-programme.ts";
import { trackLanguage } from "../../core/language-code.ts";
import { encodeSound } from "../ffmpeg/encode-sound.ts";
import { type MadeMovie, renderMovie } from "../ffmpeg/render-movie.ts";
import { decodedTruePeak } from "../mix/decoded-peak.ts";
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

/** Shares of the time that both sounds and rendering take, as far as anybody can know. */
const SHARES = { mixed: 0.45, narration: 0.25, render: 0.3 };

/** Share of the time of a sound that mixing is; the rest is encoding it. */
const MIXING_SHARE = 0.5;

/**
 * Decibels that sound is first kept below the true peak of its profile before it is encoded: AAC at our rate adds so much to
 * film sound (`docs/benchmarks.md`, "Mix").
 */
const CODER_HEADROOM_DB = 1.3;

/**
 * Sound whose peak lies more than this below its limit needs no look at what the coder adds: limited noise gains nearly as
 * much. In dB.
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
  const path = join(order.workFolder, "video.mp4");
  const within = (from: number, share: number) => (fraction: number) => onProgress(from + share * fraction);
  const mixed = await makeCodedSound(order, context, sound, {
    track: "mixed",
    path: join(order.workFolder, "mixed.wav"),
    onProgress: within(0, SHARES.mixed),
  });
  const narration = await makeCodedSound(order, context, sound, {
    track: "ad_only",
    path: join(order.workFolder, "narration.wav"),
    onProgress: within(SHARES.mixed, SHARES.narration),
  });
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
    },
    { signal: context.signal, onProgress: within(SHARES.mixed + SHARES.narration, SHARES.render) },
  );
  // The sound stands in the video now.
  for (const file of [mixed.path, narration.path]) await rm(file, { force: true });
  return { path, mix: mixed.mix, report: reportOf(held, durationSeconds, made), notes: made.notes };
}

/** A sound of a video: encoded, and what was measured of it before. */
interface CodedSound {
  readonly path: string;
  readonly mix: MixReport;
}

/**
 * Makes a sound of a video whose true peak holds the limit of its profile after encoding too: what hard limited noise gains
 * there differs too much to be known before. A volume that the user asked for is left as it is.
 */
async function makeCodedSound(
  order: JobOrder,
  { signal }: Pick<JobContext, "signal">,
  sound: SoundParts,
  target: Omit<SoundTarget, "headroomDb">,
): Promise<CodedSound> {
  const limit = loudnessProfileFrom(process.env).truePeakDbtp;
  const path = `${target.path}.m4a`;
  const mixing = (fraction: number) => target.onProgress(MIXING_SHARE * fraction);
  const encoding = (fraction: number) => target.onProgress(MIXING_SHARE + (1 - MIXING_SHARE) * fraction);
  let headroomDb = CODER_HEADROOM_DB;
  for (let mixes = 1; ; mixes++) {
    const mix = await makeSound(order, { signal }, sound, { ...target, headroomDb, onProgress: mixing });
    const durationSeconds = mix.sampleCount / MIX_SAMPLE_RATE;
    const shape = { sampleRate: MIX_SAMPLE_RATE, durationSeconds, reusesBlocks: true, signal };
    await encodeSound(target.path, path, shape, encoding);
    // Uncompressed, it is far larger than the video.
    await rm(target.path, { force: true });
    if (order.settings.volume !== undefined || mixes === MOST_MIXES) return { path, mix };
    if (mix.truePeakDbtp === null || mix.truePeakDbtp < limit - SAFE_DB) return { path, mix };
    const excessDb = (await decodedTruePeak(path, shape)) - limit;
    if (excessDb <= 0) return { path, mix };
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
