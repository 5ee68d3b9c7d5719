import { type PauseToWrite, pauseIdAt } from "../../core/pause-to-write.ts";
import { DEFAULT_PLACEMENT_PROFILE } from "../../core/placement.ts";
import type { Shot } from "../../core/shot.ts";
import { charactersForWords, ESTIMATED_WORDS_PER_MINUTE, isCountedInCharacters } from "../../core/speaking-time.ts";
import { mergeRanges, rangeDuration, subtractRanges, type TimeRange } from "../../core/time-range.ts";
import { hintsFor } from "./hints.ts";

/** What the pauses of a programme are found from. Times are seconds on the programme clock. */
export interface PausesRequest {
  readonly durationSeconds: number;
  /** BCP-47 code of the descriptions. */
  readonly language: string;
  /** Where a description may lie, in order; ranges that touch belong together. */
  readonly gaps: readonly TimeRange[];
  /** Descriptions that are spoken already. */
  readonly cues: readonly TimeRange[];
  readonly shots: readonly Shot[];
  /** Dialogue as far as it is known, in order. */
  readonly transcript: readonly (TimeRange & { readonly text: string })[];
  /** Shorter pauses are left empty, in seconds. */
  readonly minimumSeconds: number;
  /** Time that the voice takes, relative to `estimateSpeakingSeconds`. */
  readonly pace: number;
}

/** A line of description is at most about so long, in seconds: longer pauses are several. */
const LONGEST_SECONDS = 12;

/** No part of a pause that is cut is shorter, in seconds. */
const SHORTEST_PART_SECONDS = 3;

/** The pauses that a person is to write, in order: room beside speech and what is spoken, in parts of a line each. */
export function findPauses(request: PausesRequest): PauseToWrite[] {
  const { pace, language, shots } = request;
  const starts = shots.map(({ start }) => start);
  const unit = isCountedInCharacters(language) ? ({ unit: "characters" } as const) : {};
  return freeRanges(request)
    .flatMap((range) => inParts(range, starts))
    .map((range, index): PauseToWrite => {
      const words = Math.floor((rangeDuration(range) * ESTIMATED_WORDS_PER_MINUTE) / 60 / pace);
      return {
        id: pauseIdAt(index),
        ...range,
        words: "unit" in unit ? charactersForWords(words) : words,
        ...unit,
        hints: hintsFor(range, shots),
        ...dialogueAround(range, request),
      };
    })
    .filter(({ words }) => words > 0);
}

/** What is left of the gaps beside speech and spoken descriptions, with the room between them that a listener needs. */
function freeRanges({ gaps, cues, durationSeconds, minimumSeconds }: PausesRequest): TimeRange[] {
  const { clearanceBefore, clearanceAfter, minimumSeparation } = DEFAULT_PLACEMENT_PROFILE;
  const apart = cues.map(({ start, end }) => ({ start: start - minimumSeparation, end: end + minimumSeparation }));
  return mergeRanges(gaps)
    .map(({ start, end }) => ({
      start: start <= 0 ? 0 : start + clearanceBefore,
      end: end >= durationSeconds ? durationSeconds : end - clearanceAfter,
    }))
    .flatMap((range) => subtractRanges(range, apart))
    .map(({ start, end }) => ({ start: rounded(start), end: rounded(end) }))
    .filter((range) => rangeDuration(range) >= minimumSeconds);
}

/** A long range cut where shots begin, else evenly. */
function inParts(range: TimeRange, starts: readonly number[]): TimeRange[] {
  const seconds = rangeDuration(range);
  if (seconds <= LONGEST_SECONDS) return [range];
  const { start, end } = range;
  const latest = Math.min(start + LONGEST_SECONDS, end - SHORTEST_PART_SECONDS);
  const cut = starts.findLast((at) => at >= start + SHORTEST_PART_SECONDS && at <= latest);
  const at = rounded(cut ?? start + seconds / Math.ceil(seconds / LONGEST_SECONDS));
  return [{ start, end: at }, ...inParts({ start: at, end }, starts)];
}

/** Lines of dialogue further away than this, in seconds, say nothing about a pause. */
const NEAR_SECONDS = 10;

/** Captions may reach this far into a pause, in seconds: they stay up for reading. */
const LINGERING_SECONDS = 2;

function dialogueAround(
  { start, end }: TimeRange,
  { transcript }: PausesRequest,
): Pick<PauseToWrite, "before" | "after"> {
  const before = transcript.findLast((line) => line.start < start && line.end < start + LINGERING_SECONDS);
  const after = transcript.find((line) => line.start >= end - LINGERING_SECONDS && line !== before);
  return {
    ...(before === undefined || start - before.end > NEAR_SECONDS ? {} : { before: before.text }),
    ...(after === undefined || after.start - end > NEAR_SECONDS ? {} : { after: after.text }),
  };
}

/** To the millisecond, as text formats have it: what is saved and read back is the same time. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
