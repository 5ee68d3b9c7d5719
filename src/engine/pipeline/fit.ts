import type { Cue } from "../../core/cue.ts";
import type { Gap } from "../../core/gap.ts";
import {
  DEFAULT_PLACEMENT_PROFILE,
  type Placeable,
  type PlacedCue,
  placeFreely,
  placeInGaps,
  SEEN_PLACEMENT_PROFILE,
  type UnplacedDescription,
} from "../../core/placement.ts";
import { placeWithHolds } from "../../core/placement-extended.ts";
import { ADDED_SHARE, type DescriptionSettings } from "../../core/settings.ts";
import { estimateSpeakingSeconds } from "../../core/speaking-time.ts";
import type { TimeRange } from "../../core/time-range.ts";
import type { Rehearsal, WrittenDescription } from "../describe/describer.ts";
import type { Narrator } from "../voice/narrator.ts";
import { SpeechError } from "../voice/voice.ts";

/** A description with its place and pace: what the mix speaks and the text is written from. */
export interface FittedCue extends Cue {
  /** Other ways to say it, the longest first, with their seconds at the voice's normal rate. */
  readonly others?: readonly { readonly text: string; readonly seconds: number }[];
  /** Speaking rate relative to the voice's normal one. */
  readonly rate: number;
  /** Length of the narration in seconds; longer than the cue where the programme is held. */
  readonly narrationSeconds: number;
  /** Seconds the programme is held at the cue's end; 0 in standard AD. */
  readonly holdSeconds: number;
  /** Loudness of the programme under it in LUFS where an earlier mix measured it; `null` for silence. */
  readonly programmeLufs?: number | null;
}

/** A description without a place, with the seconds of its shortest wording at the voice's normal rate: 0 for one without a word. */
export interface UnplacedWithSeconds extends UnplacedDescription {
  readonly seconds: number;
}

/** Result of fitting; plain data, kept as a checkpoint. */
export interface Fitting {
  readonly cues: readonly FittedCue[];
  readonly unplaced: readonly UnplacedWithSeconds[];
}

/** What is fitted into what. Times are seconds on the programme clock. */
export interface FitRequest {
  readonly descriptions: readonly WrittenDescription[];
  readonly settings: DescriptionSettings;
  readonly gaps: readonly Gap[];
  readonly speech: readonly TimeRange[];
  /** Instants between two phrases of speech. */
  readonly phraseEnds: readonly number[];
  /** Starts of shots, in order. */
  readonly cuts: readonly number[];
  readonly durationSeconds: number;
}

/**
 * Fits written descriptions to the programme by the measured speaking time of the chosen voice, in the way the settings
 * ask for: into gaps, at their picture over speech, or with pauses.
 *
 * A voice that may be paid by the line speaks only what is placed: wordings are placed by estimate, those with a place are
 * spoken and placed again by their true length, until every one that has a place is measured. Other voices speak every
 * wording first.
 *
 * @param narrator `null` where no voice speaks the language: speaking times are estimated then.
 */
export async function fitDescriptions(
  request: FitRequest,
  narrator: Narrator | null,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<Fitting> {
  const { descriptions } = request;
  let done = 0;
  const report = (fraction: number) => {
    // Another round of placing may find more to speak than was left before.
    done = Math.max(done, Math.min(1, fraction));
    onProgress(done);
  };
  const times = new WordingTimes(narrator);
  if (narrator?.isCharged !== true) {
    await measureAll(
      descriptions.flatMap(({ wordings }) => wordings),
      times,
      signal,
      report,
    );
  }
  for (let spoken = 0; ; ) {
    times.requireRecordings(descriptions);
    times.requireSound(descriptions);
    const placeables = descriptions.flatMap((description) => times.placeable(description) ?? []);
    const placement = place(request, placeables);
    const unknown = placement.placed.map(({ text }) => text).filter((text) => !times.isKnown(text));
    if (unknown.length === 0) {
      const cues = withOthers(await fitted(placement.placed, request, narrator, signal), placeables);
      const unspoken = wordless(descriptions, placeables, times);
      return { cues, unplaced: [...timed(placement.unplaced, placeables), ...unspoken] };
    }
    const total = Math.max(descriptions.length, spoken + unknown.length);
    await measureAll(unknown, times, signal, (fraction) => report((spoken + fraction * unknown.length) / total));
    spoken += unknown.length;
  }
}

/** What would be spoken of descriptions if they were fitted now. */
export async function rehearse(
  request: FitRequest,
  narrator: Narrator | null,
  signal: AbortSignal,
): Promise<Rehearsal> {
  const { cues, unplaced } = await fitDescriptions(request, narrator, signal, () => {});
  return {
    spoken: cues.map(({ id, start, narrationSeconds, text }) => ({ id, start, end: start + narrationSeconds, text })),
    unspoken: unplaced.map(({ id }) => id),
  };
}

/** Descriptions without a word to speak, a line of dots or a note sign in a script; and those for which the voice gave no sound. */
function wordless(
  descriptions: readonly WrittenDescription[],
  placeables: readonly Placeable[],
  times: WordingTimes,
): UnplacedWithSeconds[] {
  const spoken = new Set(placeables.map(({ id }) => id));
  return descriptions
    .filter(({ id }) => !spoken.has(id))
    .map((one) => ({
      id: one.id,
      text: one.wordings[0] ?? "",
      seconds: 0,
      reason: times.isSilent(one) ? "no-sound" : "nothing-to-say",
    }));
}

function timed(unplaced: readonly UnplacedDescription[], placeables: readonly Placeable[]): UnplacedWithSeconds[] {
  const byId = new Map(placeables.map(({ id, wordings }) => [id, hundredths(wordings.at(-1)?.seconds ?? 0)]));
  return unplaced.map((one) => ({ ...one, seconds: byId.get(one.id) ?? 0 }));
}

function hundredths(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}

/** What was placed, with the wordings that were not chosen. */
function withOthers(cues: readonly FittedCue[], placeables: readonly Placeable[]): FittedCue[] {
  const byId = new Map(placeables.map(({ id, wordings }) => [id, wordings]));
  return cues.map((cue) => {
    const others = (byId.get(cue.id) ?? [])
      .filter(({ text }) => text !== cue.text)
      .map(({ text, seconds }) => ({ text, seconds: hundredths(seconds) }));
    return others.length === 0 ? cue : { ...cue, others };
  });
}

/** Descriptions with their places. */
interface Places {
  readonly placed: readonly (PlacedCue & { readonly holdSeconds: number })[];
  readonly unplaced: readonly UnplacedDescription[];
}

function place(
  { settings, gaps, speech, phraseEnds, cuts, durationSeconds }: FitRequest,
  descriptions: Placeable[],
): Places {
  const isScript = settings.script !== undefined;
  const profile = isScript ? DEFAULT_PLACEMENT_PROFILE : SEEN_PLACEMENT_PROFILE;
  const request = { descriptions, speech, durationSeconds, profile };
  if (settings.type === "extended") {
    const share = settings.describing?.maximumAddedShare ?? ADDED_SHARE;
    const limit = isScript ? {} : { maximumAddedSeconds: share * durationSeconds };
    const cues = placeWithHolds({ ...request, phraseEnds, cuts, ...limit });
    const placed = new Set(cues.map(({ id }) => id));
    return {
      placed: cues.map((cue) => ({ ...cue, rate: 1 })),
      unplaced: descriptions
        .filter(({ id }) => !placed.has(id))
        .map(({ id, wordings }) => ({ id, text: wordings[0]?.text ?? "", reason: "added-time" })),
    };
  }
  const { placed, unplaced } = settings.autoFit ? placeInGaps({ ...request, gaps }) : placeFreely(request);
  return { placed: placed.map((cue) => ({ ...cue, holdSeconds: 0 })), unplaced };
}

async function fitted(
  placed: Places["placed"],
  { settings }: FitRequest,
  narrator: Narrator | null,
  signal: AbortSignal,
): Promise<FittedCue[]> {
  if (settings.type !== "extended") return spokenAtTheirRate(placed, narrator, signal);
  return placed.map(({ id, start, end, text, holdSeconds }) => {
    const narrationSeconds = end - start + holdSeconds;
    return { id, start, end, text, rate: 1, narrationSeconds, holdSeconds };
  });
}

async function measureAll(
  texts: readonly string[],
  times: WordingTimes,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<void> {
  for (const [index, text] of texts.entries()) {
    await times.measure(text, signal);
    onProgress((index + 1) / texts.length);
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
    cues.push({ id, start, end: start + narrationSeconds, text, rate: spoken.rate, narrationSeconds, holdSeconds: 0 });
  }
  return cues;
}

/** How long wordings take to say: measured where they were spoken, estimated at the same voice's pace elsewhere. */
class WordingTimes {
  readonly #narrator: Narrator | null;
  /** Seconds by wording; `null` where a person's recordings lack it. */
  readonly #measured = new Map<string, number | null>();
  /** Why a wording has no sound, by wording. */
  readonly #silent = new Map<string, SpeechError>();
  #measuredSeconds = 0;
  #estimatedSeconds = 0;

  /** @param narrator `null` where no voice speaks the language: all is estimated then. */
  constructor(narrator: Narrator | null) {
    this.#narrator = narrator;
  }

  /** Whether nothing more can be learned of a wording. */
  isKnown(text: string): boolean {
    return this.#narrator === null || this.#measured.has(text);
  }

  /**
   * Speaks a wording once, to learn how long it takes; the narrator's cache keeps the samples for the mix.
   *
   * @throws SpeechError, but not for a recording that is missing, nor for a wording that has no sound: another one may be there.
   */
  async measure(text: string, signal: AbortSignal): Promise<void> {
    if (this.#narrator === null || this.isKnown(text)) return;
    const seconds = await this.#secondsSpoken(this.#narrator, text, signal);
    this.#measured.set(text, seconds);
    if (seconds === null || seconds === 0) return;
    this.#measuredSeconds += seconds;
    this.#estimatedSeconds += estimateSpeakingSeconds(text);
  }

  /**
   * A description with the times of its wordings, without those that cannot be spoken; `null` where none has a word to
   * speak, or there is no recording of any ({@link requireRecordings}).
   */
  placeable({ id, wordings, picture, importance }: WrittenDescription): Placeable | null {
    const timed = wordings.flatMap((text) => {
      const seconds = this.#secondsOf(text);
      return seconds === null || seconds === 0 ? [] : [{ text, seconds }];
    });
    return timed.length === 0 ? null : { id, wordings: timed, picture, importance };
  }

  /** Whether words of a description were spoken and had no sound. */
  isSilent({ wordings }: Pick<WrittenDescription, "wordings">): boolean {
    return wordings.some((text) => this.#silent.has(text));
  }

  /**
   * Makes sure that the voice gives a sound at all.
   *
   * @throws SpeechError `speech_silent` where it gave none for any description: then it is not the lines.
   */
  requireSound(descriptions: readonly WrittenDescription[]): void {
    const [first] = this.#silent.values();
    if (first === undefined || descriptions.some((one) => this.placeable(one) !== null)) return;
    const others = descriptions.filter((one) => this.isSilent(one)).length - 1;
    const more =
      others > 0 ? ` Nor for ${others} other ${others === 1 ? "line" : "lines"}: look at the voice's own log.` : "";
    throw new SpeechError("speech_silent", `${first.message}${more}`, { cause: first });
  }

  /**
   * Makes sure that a person's recordings have each description in one of its wordings.
   *
   * @throws SpeechError `recording_missing`, which names all that are missing: who records them wants to do it once.
   */
  requireRecordings(descriptions: readonly WrittenDescription[]): void {
    const missing = descriptions.flatMap(({ wordings }) => {
      const spoken = wordings.filter((text) => this.#secondsOf(text) !== 0);
      const isMissing = spoken.length > 0 && spoken.every((text) => this.#secondsOf(text) === null);
      return isMissing ? [`"${spoken.at(-1)}"`] : [];
    });
    if (missing.length === 0) return;
    const [one] = missing;
    const sentence =
      missing.length === 1
        ? `There is no recording of ${one} in any of its wordings.`
        : `There are no recordings of ${missing.length} descriptions, in any of their wordings: ${missing.join(", ")}.`;
    throw new SpeechError("recording_missing", sentence);
  }

  /** Seconds of a wording; 0 for one without a word or without a sound, `null` where a person's recordings lack it. */
  async #secondsSpoken(narrator: Narrator, text: string, signal: AbortSignal): Promise<number | null> {
    try {
      return (await narrator.speak(text, signal)).seconds;
    } catch (error) {
      if (!(error instanceof SpeechError)) throw error;
      if (error.code === "recording_missing") return null;
      if (error.code !== "speech_silent") throw error;
      this.#silent.set(text, error);
      return 0;
    }
  }

  #secondsOf(text: string): number | null {
    const measured = this.#measured.get(text);
    if (measured !== undefined) return measured;
    const pace = this.#estimatedSeconds > 0 ? this.#measuredSeconds / this.#estimatedSeconds : 1;
    return estimateSpeakingSeconds(text) * pace;
  }
}
