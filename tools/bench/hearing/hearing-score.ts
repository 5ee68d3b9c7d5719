import {
  clipRanges,
  mergeRanges,
  overlapWithRanges,
  rangeDuration,
  subtractRanges,
  type TimeRange,
  totalDuration,
} from "../../../src/core/time-range.ts";

/** Shortest gap that a description may be laid into, and shortest that counts as one worth finding, in seconds. */
const GAP_SECONDS = { usable: 0.75, worthFinding: 2 };

/** Sums in seconds, of which all shares are reckoned; those of several files may be added. */
export interface HearingScore {
  readonly length: number;
  readonly speech: number;
  readonly found: number;
  readonly foundSpeech: number;
  /** Time without speech in true gaps of two seconds and more, and how much of it lies in usable gaps found. */
  readonly gaps: number;
  readonly foundGaps: number;
  /** Speech that can be heard inside the usable gaps found. */
  readonly speechInGaps: number;
}

export const NO_SCORE: HearingScore = {
  length: 0,
  speech: 0,
  found: 0,
  foundSpeech: 0,
  gaps: 0,
  foundGaps: 0,
  speechInGaps: 0,
};

/** What is known of a sound. */
export interface HearingTruth {
  /** Speech as labelled. */
  readonly speech: readonly TimeRange[];
  /** The part of it in which a voice can be heard. */
  readonly voiced: readonly TimeRange[];
  /** The part of the sound that the labels cover. */
  readonly window: TimeRange;
}

/** Compares found speech with true speech, to 10 ms. */
export function scoreHearing(found: readonly TimeRange[], { speech, voiced, window }: HearingTruth): HearingScore {
  const within = (ranges: readonly TimeRange[]) => clipRanges(mergeRanges(ranges.map(toSteps)), window);
  const [heard, spoken] = [within(found), within(speech)];
  const gapsOf = (speech: readonly TimeRange[], shortest: number) =>
    subtractRanges(window, speech).filter((gap) => rangeDuration(gap) >= shortest);
  const gaps = gapsOf(spoken, GAP_SECONDS.worthFinding);
  return {
    length: rangeDuration(window),
    speech: totalDuration(spoken),
    found: totalDuration(heard),
    foundSpeech: common(heard, spoken),
    gaps: totalDuration(gaps),
    foundGaps: common(gaps, gapsOf(heard, GAP_SECONDS.usable)),
    speechInGaps: common(gapsOf(heard, GAP_SECONDS.usable), within(voiced)),
  };
}

/** Both scores together. */
export function addScores(a: HearingScore, b: HearingScore): HearingScore {
  return {
    length: a.length + b.length,
    speech: a.speech + b.speech,
    found: a.found + b.found,
    foundSpeech: a.foundSpeech + b.foundSpeech,
    gaps: a.gaps + b.gaps,
    foundGaps: a.foundGaps + b.foundGaps,
    speechInGaps: a.speechInGaps + b.speechInGaps,
  };
}

/** Seconds that two sets of ranges have in common. */
export function common(ranges: readonly TimeRange[], others: readonly TimeRange[]): number {
  return ranges.reduce((sum, range) => sum + overlapWithRanges(range, others), 0);
}

function toSteps({ start, end }: TimeRange): TimeRange {
  return { start: Math.round(start * 100) / 100, end: Math.round(end * 100) / 100 };
}
