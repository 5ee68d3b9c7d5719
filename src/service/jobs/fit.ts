import type { Cue } from "../../core/cue.ts";
import type { Gap } from "../../core/gap.ts";
import {
  type Placeable,
  type PlacedCue,
  placeFreely,
  placeInGaps,
  type UnplacedDescription,
} from "../../core/placement.ts";
import { placeWithPauses } from "../../core/placement-extended.ts";
import type { DescriptionSettings } from "../../core/settings.ts";
import { estimateSpeakingSeconds } from "../../core/speaking-time.ts";
import type { TimeRange } from "../../core/time-range.ts";
import type { WrittenDescription } from "../describe/describer.ts";
import type { Narrator } from "../voice/narrator.ts";
import { SpeechError } from "../voice/speech-error.ts";

/** A description with its place and pace: what the mix speaks and the text is written from. */
export interface FittedCue extends Cue {
  /** Speaking rate relative to the voice's normal one. */
  readonly rate: number;
  /** Length of the narration in seconds; longer than the cue where the programme is held. */
  readonly narrationSeconds: number;
  /** Seconds the programme is held at the cue's end; 0 in standard AD. */
  readonly pauseSeconds: number;
  /** Loudness of the programme under it in LUFS where an earlier mix measured it; `null` for silence. */
  readonly programmeLufs?: number | null;
}

/** Result of fitting; plain data, kept as a checkpoint. */
export interface Fitting {
  readonly cues: readonly FittedCue[];
  readonly unplaced: readonly UnplacedDescription[];
}

/** What is fitted into what. Times are seconds on the programme clock. */
export interface FitRequest {
  readonly descriptions: readonly WrittenDescription[];
  readonly settings: DescriptionSettings;
  readonly gaps: readonly Gap[];
  readonly speech: readonly TimeRange[];
  /** Starts of shots, in order. */
  readonly cuts: readonly number[];
  readonly durationSeconds: number;
}

/**
 * Fits written descriptions to the programme by the measured speaking time of the chosen voice, in the way the settings
 * ask for: into gaps, at their picture over speech, or with pauses.
 *
 * @param narrator `null` where no voice speaks the language: speaking times are estimated then.
 */
export async function fitDescriptions(
  request: FitRequest,
  narrator: Narrator | null,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<Fitting> {
  const placeables = await measure(request.descriptions, narrator, signal, onProgress);
  const { settings, gaps, speech, cuts, durationSeconds } = request;
  if (settings.type === "extended") {
    const cues = placeWithPauses({ descriptions: placeables, speech, cuts, durationSeconds });
    return {
      cues: cues.map(({ id, start, end, text, pauseSeconds }) => {
        const narrationSeconds = end - start + pauseSeconds;
        return { id, start, end, text, rate: 1, narrationSeconds, pauseSeconds };
      }),
      unplaced: [],
    };
  }
  const { placed, unplaced } = settings.autoFit
    ? placeInGaps({ descriptions: placeables, gaps, speech, durationSeconds })
    : placeFreely({ descriptions: placeables, speech, durationSeconds });
  return { cues: await spokenAtTheirRate(placed, narrator, signal), unplaced };
}

/** Speaks every wording once, to learn how long it takes; the cache keeps the samples for the mix. */
async function measure(
  descriptions: readonly WrittenDescription[],
  narrator: Narrator | null,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<Placeable[]> {
  const placeables: Placeable[] = [];
  for (const { id, wordings, picture, importance } of descriptions) {
    const measured: { text: string; seconds: number }[] = [];
    for (const text of wordings) {
      const seconds = narrator === null ? estimateSpeakingSeconds(text) : await secondsSpoken(narrator, text, signal);
      if (seconds !== null) measured.push({ text, seconds });
    }
    if (measured.length === 0) {
      const shortest = wordings.at(-1) ?? "";
      throw new SpeechError("recording_missing", `There is no recording of "${shortest}" in any of its wordings.`);
    }
    placeables.push({ id, wordings: measured, picture, importance });
    onProgress(placeables.length / descriptions.length);
  }
  return placeables;
}

/** How long a line is as spoken; `null` where a person's recordings lack this wording, and have perhaps another. */
async function secondsSpoken(narrator: Narrator, text: string, signal: AbortSignal): Promise<number | null> {
  try {
    return (await narrator.speak(text, signal)).seconds;
  } catch (error) {
    if (error instanceof SpeechError && error.code === "recording_missing") return null;
    throw error;
  }
}

/**
 * Rate beyond the placed one that may be used to meet the placed length: an engine's pace is not exactly proportional to
 * its setting (2 to 3 %, measured).
 */
const RATE_TOLERANCE = 1.04;

/** Cues as they are really spoken: a faster one is spoken again, and its end is where its narration ends. */
async function spokenAtTheirRate(
  placed: readonly PlacedCue[],
  narrator: Narrator | null,
  signal: AbortSignal,
): Promise<FittedCue[]> {
  const cues: FittedCue[] = [];
  for (const { id, start, end, text, rate } of placed) {
    const spoken =
      rate === 1 || narrator === null
        ? { seconds: end - start, rate }
        : await narrator.speakToFit(text, end - start, rate * RATE_TOLERANCE, signal);
    const narrationSeconds = spoken.seconds;
    cues.push({ id, start, end: start + narrationSeconds, text, rate: spoken.rate, narrationSeconds, pauseSeconds: 0 });
  }
  return cues;
}
