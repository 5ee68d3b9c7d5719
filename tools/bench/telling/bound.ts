import { findGaps } from "../../../src/core/gap.ts";
import { DEFAULT_PLACEMENT_PROFILE, SEEN_PLACEMENT_PROFILE } from "../../../src/core/placement.ts";
import { countWords, highestRate } from "../../../src/core/speaking-time.ts";
import type { TimeRange } from "../../../src/core/time-range.ts";
import type { Fact } from "./facts.ts";
import { NEAR_SECONDS } from "./score.ts";

/** What {@link mostTold} is told. Seconds on the programme clock. */
export interface BoundRequest {
  readonly facts: readonly Fact[];
  readonly durationSeconds: number;
  /** Where somebody speaks. */
  readonly speech: readonly TimeRange[];
  /** Seconds that the voice takes for words at its normal rate. */
  readonly secondsOf: (words: string) => Promise<number>;
}

/** Facts that one line tells at the most, and words that it has. */
const MOST_TOGETHER = 3;
const MOST_WORDS = 12;

/**
 * How many facts could be told in standard AD if all were known beforehand: an upper bound of what any writer, any choice and
 * any placing reach with this voice. Every fact is told in its fewest words, at the highest rate, alone or with its neighbours
 * in one line, in the pauses, in the order in which they begin; a line begins where the score still counts it and nothing is
 * told early. Only the order is taken for granted, all else is searched.
 */
export async function mostTold({ facts, durationSeconds, speech, secondsOf }: BoundRequest): Promise<number> {
  const clearance = DEFAULT_PLACEMENT_PROFILE.minimumClearance;
  const guarded = speech.map(({ start, end }) => ({ start: start - clearance, end: end + clearance }));
  const gaps = findGaps({
    durationSeconds,
    speech: guarded,
    music: [],
    silence: [],
    allowMusic: true,
    minimumSeconds: 0,
  });
  const ordered = [...facts].sort((a, b) => a.start - b.start || a.end - b.end);
  /** After so many of the facts in order: for each number told, the earliest instant at which the voice is free. */
  const free: number[][] = Array.from({ length: ordered.length + 1 }, () => []);
  free[0] = [0];
  const reach = (after: number, told: number, at: number) => {
    const known = free[after];
    if (known !== undefined) known[told] = Math.min(known[told] ?? Number.POSITIVE_INFINITY, at);
  };
  for (const index of ordered.keys()) {
    const lines = await linesFrom(ordered, index, secondsOf);
    for (const [told, at] of (free[index] ?? []).entries()) {
      if (at === undefined) continue;
      reach(index + 1, told, at);
      for (const { count, seconds, window } of lines) {
        const start = startIn(gaps, { start: Math.max(at, window.start), end: window.end }, seconds);
        if (start !== null)
          reach(index + count, told + count, start + seconds + DEFAULT_PLACEMENT_PROFILE.minimumSeparation);
      }
    }
  }
  return Math.max(...(free[ordered.length] ?? []).map((at, told) => (at === undefined ? 0 : told)));
}

/** The lines that tell a fact alone, or with those after it: their seconds, and when they may begin. */
async function linesFrom(
  ordered: readonly Fact[],
  index: number,
  secondsOf: BoundRequest["secondsOf"],
): Promise<{ count: number; seconds: number; window: TimeRange }[]> {
  const { maximumLead } = SEEN_PLACEMENT_PROFILE;
  const lines = [];
  for (let count = 1; count <= MOST_TOGETHER; count++) {
    const told = ordered.slice(index, index + count);
    const words = told.map(fewestWords).join(" and ");
    if (told.length < count || (count > 1 && countWords(words) > MOST_WORDS)) break;
    const seconds = hurried(words, await secondsOf(words));
    const spokenBy = (at: number) => (seconds * told.slice(0, at).map(fewestWords).join(" and ").length) / words.length;
    const window = {
      start: Math.max(
        ...told.map(({ start }, at) => Math.max(start - NEAR_SECONDS, start - maximumLead - spokenBy(at))),
      ),
      end: Math.min(...told.map(({ end }) => end + NEAR_SECONDS)),
    };
    if (window.end < window.start) break;
    lines.push({ count, seconds, window });
  }
  return lines;
}

function fewestWords({ kind, words, short }: Fact): string {
  // Text on screen is read out as it stands.
  return kind === "text" || countWords(words) < countWords(short) ? words : short;
}

/** Seconds at the highest rate that placing allows. */
function hurried(words: string, seconds: number): number {
  return seconds / highestRate(words, seconds);
}

/** The earliest start in a window at which so many seconds lie in one gap. */
function startIn(gaps: readonly TimeRange[], window: TimeRange, seconds: number): number | null {
  for (const gap of gaps) {
    const start = Math.max(gap.start, window.start);
    if (start <= window.end && start + seconds <= gap.end) return start;
  }
  return null;
}
