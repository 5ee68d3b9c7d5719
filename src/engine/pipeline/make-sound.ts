import { defined } from "../../core/defined.ts";
import type { TrackKind } from "../../core/settings.ts";
import { TimeMap } from "../../core/time-map.ts";
import type { MediaProbe } from "../ffmpeg/probe/media-probe.ts";
import type { TaskContext } from "../isolate/message.ts";
import { heldSound } from "../mix/held-sound.ts";
import { loudnessProfileFrom } from "../mix/loudness-profile.ts";
import { mixNarration } from "../mix/mix-narration.ts";
import type { MixReport } from "../mix/mix-report.ts";
import { programmeSound, trackSamples } from "../mix/programme-sound.ts";
import type { ProgrammeAnalysis } from "../programme-analysis.ts";
import type { JobOrder } from "../tasks/job-order.ts";
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
  order: JobOrder,
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
