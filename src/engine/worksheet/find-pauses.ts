import { type PauseToWrite, pauseIdAt } from "../../core/pause-to-write.ts";
import { DEFAULT_PLACEMENT_PROFILE } from "../../core/placement.ts";
import type { Shot } from "../../core/shot.ts";
import { charactersForWords, ESTIMATED_WORDS_PER_MINUTE, isCountedInCharacters } from "../../core/speaking-time.ts";
import {
  mergeRanges,
  overlapDuration,
  rangeDuration,
  subtractRanges,
  type TimeRange,
  toThousandth,
} from "../../core/time-range.ts";

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
  /**
   * Lines that may be right, with when their picture is seen: the pauses next to them alone are found then, and say them among
   * their hints. Absent: every pause is found.
   */
  readonly unsure?: readonly (TimeRange & { readonly text: string })[];
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
  const { pace, language, shots, unsure } = request;
  const starts = shots.map(({ start }) => start);
  const unit = isCountedInCharacters(language) ? ({ unit: "characters" } as const) : {};
  const parts = freeRanges(request).flatMap((range) => inParts(range, starts));
  const placed = unsure === undefined ? null : unsureByPause(parts, unsure);
  return parts
    .filter((range) => placed?.has(range) !== false)
    .map((range, index): PauseToWrite => {
      const words = Math.floor((rangeDuration(range) * ESTIMATED_WORDS_PER_MINUTE) / 60 / pace);
      return {
        id: pauseIdAt(index),
        ...range,
        words: "unit" in unit ? charactersForWords(words) : words,
        ...unit,
        hints: [...(placed?.get(range) ?? []).map((text) => `perhaps: “${text}”`), ...hintsFor(range, shots)],
        ...dialogueAround(range, request),
      };
    })
    .filter(({ words }) => words > 0);
}

/** The pause that each unsure line would have been spoken in: where its picture is seen, else the next within reach. */
function unsureByPause(
  pauses: readonly TimeRange[],
  unsure: readonly (TimeRange & { readonly text: string })[],
): Map<TimeRange, string[]> {
  const placed = new Map<TimeRange, string[]>();
  for (const line of unsure) {
    const away = (pause: TimeRange) => Math.max(0, pause.start - line.end, line.start - pause.end);
    const [nearest] = [...pauses].sort((one, other) => away(one) - away(other));
    if (nearest === undefined || away(nearest) > NEAR_SECONDS) continue;
    placed.set(nearest, [...(placed.get(nearest) ?? []), line.text]);
  }
  return placed;
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
    .map(({ start, end }) => ({ start: toThousandth(start), end: toThousandth(end) }))
    .filter((range) => rangeDuration(range) >= minimumSeconds);
}

/** A long range cut where shots begin, else evenly. */
function inParts(range: TimeRange, starts: readonly number[]): TimeRange[] {
  const seconds = rangeDuration(range);
  if (seconds <= LONGEST_SECONDS) return [range];
  const { start, end } = range;
  const latest = Math.min(start + LONGEST_SECONDS, end - SHORTEST_PART_SECONDS);
  const cut = starts.findLast((at) => at >= start + SHORTEST_PART_SECONDS && at <= latest);
  const at = toThousandth(cut ?? start + seconds / Math.ceil(seconds / LONGEST_SECONDS));
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

/** Below this mean luma a picture is called dark, above the other bright. */
const DARK_BELOW = 0.22;
const BRIGHT_ABOVE = 0.6;
/** A picture this dark and even is black. */
const BLACK = { brightness: 0.03, contrast: 0.03 };
/** A shot that is never more saturated than this anywhere is called black and white. */
const MONOCHROME_BELOW = 0.03;
/** A colour that covers this share of a picture alone is named. */
const NAMED_SHARE = 0.4;
/** Share of a shot in which nothing at all changes for it to be called still. */
const STILL_SHARE = 0.85;
/** A shot that shares less with a pause, in seconds, is not seen in it. */
const SEEN_SECONDS = 0.2;

/**
 * What was measured of the picture in a pause, in a few English words each, without repetition. A reminder for whoever writes,
 * never narration.
 */
export function hintsFor(pause: TimeRange, shots: readonly Shot[]): string[] {
  const seen = shots.filter((shot) => overlapDuration(shot, pause) >= SEEN_SECONDS);
  const inside = seen.filter(({ start }) => start > pause.start);
  const count = (opening: Shot["opening"]) => inside.filter((shot) => shot.opening === opening).length;
  const changes = (["cut", "fade", "dissolve"] as const).flatMap((opening) => {
    const times = count(opening);
    return times === 0 ? [] : [times === 1 ? opening : `${times} ${opening}s`];
  });
  return [...new Set([...changes, ...seen.flatMap(looksOf)])];
}

function looksOf(shot: Shot): string[] {
  const { brightness, contrast, saturation, motion, colours, frozenSeconds, titleCard, start, end } = shot;
  if (!titleCard && brightness < BLACK.brightness && contrast < BLACK.contrast) return ["black"];
  const [main] = colours;
  return [
    ...(titleCard ? ["title card"] : []),
    ...(brightness < DARK_BELOW ? ["dark"] : brightness > BRIGHT_ABOVE ? ["bright"] : []),
    ...(saturation < MONOCHROME_BELOW ? ["black and white"] : []),
    ...(main !== undefined && main.share >= NAMED_SHARE ? [`mostly ${main.name}`] : []),
    ...(motion === "fast" ? ["fast movement"] : []),
    ...(frozenSeconds >= STILL_SHARE * (end - start) ? ["still"] : []),
  ];
}
