import { secondsFromFrames } from "../../core/frame-rate.ts";
import { decibelsFromGain } from "../../core/level.ts";
import { defined } from "../../core/objects.ts";
import type { TrackKind } from "../../core/settings.ts";
import { TimeMap } from "../../core/time-map.ts";
import { startLabel } from "../../core/timecode.ts";
import type { MediaProbe } from "../ffmpeg/probe/media-streams.ts";
import type { TaskContext } from "../isolate/message.ts";
import { loudnessProfileFrom } from "../mix/fit-sound.ts";
import { heldSound } from "../mix/held-sound.ts";
import { mixNarration } from "../mix/mix-narration.ts";
import type { MixReport } from "../mix/mix-report.ts";
import { programmeSound, trackSamples } from "../mix/programme-sound.ts";
import type { ProgrammeAnalysis } from "../programme-analysis.ts";
import type { ProgrammeOrder } from "../tasks/tasks.ts";
import type { Narrator } from "../voice/narrator.ts";
import type { FittedCue } from "./fit.ts";

/** What the sound of a job is made from. */
export interface SoundParts {
  readonly probe: MediaProbe;
  readonly analysis: ProgrammeAnalysis;
  /** When each line is heard: on the clock of `map`. */
  readonly lines: readonly NarratedLine[];
  readonly narrator: Narrator;
  /** Pauses of the programme; none in standard AD. */
  readonly map: TimeMap;
}

/** A fitted line and when it begins in the finished sound, in seconds. */
interface NarratedLine extends Pick<FittedCue, "id" | "text" | "rate" | "programmeLufs"> {
  readonly start: number;
  /** Seconds from its start for which the programme runs under it. */
  readonly runningSeconds: number;
}

/** What becomes of a sound that is made. */
export interface SoundTarget {
  readonly track: TrackKind;
  /** WAV file to write. */
  readonly path: string;
  /** Decibels by which its true peak stays below the profile's, for a coder that will add to it; default 0. */
  readonly headroomDb?: number;
  readonly onProgress: (fraction: number) => void;
}

/** No pause at all. */
export const UNHELD = new TimeMap([]);

/** Mixes the narration, with the programme or alone, into a WAV file as long as the programme with its pauses. */
export async function makeSound(
  order: ProgrammeOrder,
  { signal }: Pick<TaskContext, "signal">,
  parts: SoundParts,
  target: SoundTarget,
): Promise<MixReport> {
  const { probe, analysis, lines, narrator, map } = parts;
  const { durationSeconds } = analysis;
  const { track, path, headroomDb = 0, onProgress } = target;
  const { voicing } = order.settings;
  const profile = loudnessProfileFrom(process.env);
  const programme = programmeSound(order.mediaPath, probe, durationSeconds, signal);
  return await mixNarration(
    {
      track,
      programme: programme === null ? null : heldSound(programme, map),
      startSeconds: startSecondsOf(probe),
      sampleCount: trackSamples(durationSeconds + map.addedSeconds),
      lines: lines.map(({ id, start, text, rate, runningSeconds, programmeLufs }) => ({
        cueId: id,
        start,
        text,
        runningSeconds,
        ...defined({ programmeLufs }),
        load: async (stop?: AbortSignal) => (await narrator.speak(text, stop, rate)).line,
      })),
      music: analysis.heard.music.map(({ start, end }) => ({ start: map.departure(start), end: map.arrival(end) })),
      path,
      profile: { ...profile, truePeakDbtp: profile.truePeakDbtp - headroomDb },
      ...defined({ volume: order.settings.volume }),
      // Gains belong to the channels and the programme they were found with: another kind of track finds its own.
      ...(voicing === undefined || voicing.track !== track ? {} : { kept: voicing }),
    },
    { signal, onProgress },
  );
}

/** The timecode that a programme starts at, in seconds from midnight; 0 where it states none, or has no frames to count it in. */
function startSecondsOf({ startTimecode, picture }: MediaProbe): number {
  if (startTimecode === null || picture?.rate == null) return 0;
  const { startFrame } = startLabel(startTimecode, picture.rate);
  return secondsFromFrames(startFrame, picture.rate);
}

/**
 * Decibels that sound is first kept below the true peak of its profile before it is encoded: AAC at our rate adds so much to
 * film sound (`docs/benchmarks.md`, "Mix").
 */
const CODER_HEADROOM_DB = 1.3;

/** Sound whose peak lies more than this below its limit needs no look at what the coder adds, in dB: limited noise gains nearly as much. */
const SAFE_DB = 4;

/** What a sound is mixed lower by beyond what the coder added too much, in dB. */
const MARGIN_DB = 0.1;

/**
 * A sound of a video, mixed so that its true peak holds the limit of its profile after encoding too: what hard limited noise
 * gains there differs too much to be known before. A volume that the user asked for is left as it is.
 */
export class VideoSound {
  readonly path: string;
  readonly #order: ProgrammeOrder;
  readonly #parts: SoundParts;
  readonly #track: SoundTarget["track"];
  readonly #limitDbtp = loudnessProfileFrom(process.env).truePeakDbtp;
  #headroomDb = CODER_HEADROOM_DB;
  #mix: MixReport | null = null;

  /** @param path WAV file to write. */
  constructor(order: ProgrammeOrder, parts: SoundParts, track: SoundTarget["track"], path: string) {
    this.#order = order;
    this.#parts = parts;
    this.#track = track;
    this.path = path;
  }

  /** Mixes it, if it is not there as it should be. @throws as `makeSound`. */
  async make(context: Pick<TaskContext, "signal">, onProgress: (fraction: number) => void): Promise<MixReport> {
    const target = { track: this.#track, path: this.path, headroomDb: this.#headroomDb, onProgress };
    this.#mix ??= await makeSound(this.#order, context, this.#parts, target);
    return this.#mix;
  }

  /** Whether it is to be heard as it is once encoded: not where the coder cannot lift it over its limit. */
  get isHeard(): boolean {
    const peak = this.#mix?.truePeakDbtp ?? Number.NEGATIVE_INFINITY;
    return this.#order.settings.volume === undefined && peak >= this.#limitDbtp - SAFE_DB;
  }

  /**
   * Whether the coder lifted it over its limit; it is then mixed lower the next time.
   *
   * @param truePeak Of the encoded sound, as a gain, if it was heard.
   */
  lowerIfOver(truePeak = 0): boolean {
    const excessDb = decibelsFromGain(truePeak) - this.#limitDbtp;
    if (excessDb <= 0) return false;
    this.#headroomDb += excessDb + MARGIN_DB;
    this.#mix = null;
    return true;
  }
}
