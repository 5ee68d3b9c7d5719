import { type Credits, creditsFor } from "../../contract/choices.ts";
import { findGaps, type KnownSpeech } from "../../core/gap.ts";
import { mergeRanges, overlapWithRanges, rangeDuration, type TimeRange, totalDuration } from "../../core/time-range.ts";

/** A pause that a description fits in. */
interface MappedGap extends TimeRange {
  /** Words that fit at the pace below, with the clearance at both ends. */
  readonly words: number;
}

/** What a programme offers descriptions, known before anything is sent or paid. */
export interface GapMap {
  readonly durationSeconds: number;
  /** Pauses of the shortest cue or longer, in order. */
  readonly gaps: readonly MappedGap[];
  readonly gapSeconds: number;
  readonly words: number;
  /** Descriptions that a standard job will probably write. */
  readonly expectedCues: number;
  /** Share of the programme in which somebody speaks. */
  readonly speechShare: number;
  /** Where nobody can tell whether somebody speaks, as the sound cannot be read, in order; no pause lies there. */
  readonly unknown: readonly TimeRange[];
  /** Longest stretch without a pause of two seconds, in seconds. */
  readonly longestWithout: number;
  readonly advice: "standard" | "extended";
  /** Why, as a sentence. */
  readonly reason: string;
  /** Whether a standard job is expected to fail with `standard_ad_not_enough_gaps`. */
  readonly expectsNotEnoughGaps: boolean;
  readonly minutes: number;
  readonly credits: Credits;
}

/** What counts as a gap. */
export interface GapRules {
  /** Pauses under music count. */
  readonly allowsOverMusic: boolean;
  /** Pauses shorter than this stay empty, in seconds. */
  readonly minimumCueSeconds: number;
}

/** What a programme sounds like, as far as gaps go. Times are seconds on its own clock. */
export interface FoundSound {
  readonly basis: "captions" | "transcript" | "sound";
  readonly durationSeconds: number;
  readonly speech: readonly KnownSpeech[];
  /** `null` when nobody listened. */
  readonly music: readonly TimeRange[] | null;
  /** Where nobody can tell whether somebody speaks; no pause lies there. */
  readonly unknown: readonly TimeRange[];
}

/** Pace at which words are counted, per minute, and clearance at each end, in seconds (`field.md` 2.2 and 2.5). */
const WORDS_PER_MINUTE = 160;
const CLEARANCE_SECONDS = 0.2;

/** A pause that holds a sentence (WCAG F113), and the longest stretch that a listener goes without one, in seconds. */
const USABLE_SECONDS = 2;
const LONGEST_WITHOUT_SECONDS = 90;

/** Descriptions follow each other at about this distance where nobody speaks: 240 an hour were counted (`field.md` 3.2). */
const SECONDS_PER_CUE = 15;

/** Maps the pauses of a programme; without having listened, music is taken to be nowhere. */
export function gapsIn({ durationSeconds, speech, music, unknown }: FoundSound, rules: GapRules): GapMap {
  const { allowsOverMusic, minimumCueSeconds } = rules;
  return mapGaps({ durationSeconds, speech, music: music ?? [], unknown, allowsOverMusic, minimumCueSeconds });
}

/** Maps the pauses of a programme from what is heard in it. */
export function mapGaps(programme: {
  readonly durationSeconds: number;
  readonly speech: readonly TimeRange[];
  readonly music: readonly TimeRange[];
  /** Where nobody can tell what is heard; default nowhere. */
  readonly unknown?: readonly TimeRange[];
  readonly allowsOverMusic: boolean;
  /** Pauses shorter than this stay empty, in seconds. */
  readonly minimumCueSeconds: number;
}): GapMap {
  const { durationSeconds, speech, music, unknown = [] } = programme;
  const found = findGaps({
    durationSeconds,
    speech: [...speech, ...unknown],
    music,
    silence: [],
    allowMusic: programme.allowsOverMusic,
    minimumSeconds: programme.minimumCueSeconds,
  });
  const gaps = mergeRanges(found).map((gap) => ({ ...gap, words: wordsIn(rangeDuration(gap)) }));
  const usable = gaps.filter((gap) => rangeDuration(gap) >= USABLE_SECONDS);
  const longestWithout = longestBetween(usable, durationSeconds);
  const minutes = durationSeconds / 60;
  return {
    durationSeconds,
    gaps,
    gapSeconds: totalDuration(gaps),
    words: gaps.reduce((sum, { words }) => sum + words, 0),
    expectedCues: usable.reduce((sum, gap) => sum + Math.max(1, Math.round(rangeDuration(gap) / SECONDS_PER_CUE)), 0),
    speechShare:
      durationSeconds > 0
        ? overlapWithRanges({ start: 0, end: durationSeconds }, mergeRanges(speech)) / durationSeconds
        : 0,
    longestWithout,
    unknown: mergeRanges(unknown),
    ...adviceFor(usable.length, longestWithout, unknown),
    expectsNotEnoughGaps: gaps.length === 0,
    minutes,
    credits: creditsFor(minutes),
  };
}

function wordsIn(seconds: number): number {
  return Math.max(0, Math.floor(((seconds - 2 * CLEARANCE_SECONDS) * WORDS_PER_MINUTE) / 60));
}

function longestBetween(gaps: readonly TimeRange[], durationSeconds: number): number {
  const edges = [0, ...gaps.flatMap(({ start, end }) => [start, end]), durationSeconds];
  let longest = 0;
  for (let at = 0; at + 1 < edges.length; at += 2) longest = Math.max(longest, (edges[at + 1] ?? 0) - (edges[at] ?? 0));
  return longest;
}

function adviceFor(
  usableCount: number,
  longestWithout: number,
  unknown: readonly TimeRange[],
): Pick<GapMap, "advice" | "reason"> {
  if (unknown.length > 0) {
    const seconds = totalDuration(unknown).toFixed(1);
    const reason = `For ${seconds} s the sound cannot be read. Captions are needed to know whether people speak there.`;
    return { advice: usableCount === 0 ? "extended" : "standard", reason };
  }
  if (usableCount === 0) return { advice: "extended", reason: "No pause is long enough for a sentence." };
  if (longestWithout > LONGEST_WITHOUT_SECONDS) {
    const reason = `For ${Math.round(longestWithout)} s there is no pause that holds a sentence.`;
    return { advice: "extended", reason };
  }
  return { advice: "standard", reason: "The pauses hold a sentence often enough." };
}
