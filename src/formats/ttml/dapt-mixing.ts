import type { Cue } from "../../core/cue.ts";
import type { DuckGlide } from "../../core/duck-plan.ts";
import { glideLevel } from "../../core/gain-curve.ts";
import { gainFromDecibels } from "../../core/level.ts";
import type { TimeRange } from "../../core/time-range.ts";

/** Values of an animated gain: TTML goes from one to the next in a straight line, a glide is a raised cosine in decibels. */
const VALUES_OF_GLIDE = 9;

/** A Mixing Instruction of a Script Event: the programme's gain from one time to another. */
interface MixingInstruction extends TimeRange {
  /** Factors of the programme's level, at equal distances over the range; the last one stays. */
  readonly gains: readonly number[];
}

/** A Script Event with its fades: it lasts as long as the programme is lowered for its description, or as the description does. */
export interface MixedEvent extends TimeRange {
  readonly instructions: readonly MixingInstruction[];
}

/**
 * Gives each glide of the programme to the description that it belongs to. Where the programme stays down between two descriptions,
 * the second one's event follows on the first.
 *
 * @param cues In order of time, none over another.
 * @param glides In order of time and disjoint, as `planDucking` makes them.
 * @returns An event for each cue, in their order.
 */
export function mixedEvents(cues: readonly Cue[], glides: readonly DuckGlide[]): MixedEvent[] {
  const lowered = loweredRanges(glides);
  return cues.map((cue, index) => {
    const range = lowered.find((one) => one.start < cue.end && one.end > cue.start);
    if (range === undefined) return { start: cue.start, end: cue.end, instructions: [] };
    const before = cues[index - 1];
    const after = cues[index + 1];
    const start = Math.min(cue.start, Math.max(range.start, before?.end ?? range.start));
    const isLast = after === undefined || after.start >= range.end;
    const end = isLast ? Math.max(cue.end, range.end) : cue.end;
    return { start, end, instructions: instructionsIn({ start, end }, glides) };
  });
}

/** Where the programme is lowered: from a glide that leaves 0 dB to one that comes back to it. */
function loweredRanges(glides: readonly DuckGlide[]): TimeRange[] {
  const ranges: TimeRange[] = [];
  let start: number | null = null;
  for (const glide of glides) {
    start ??= glide.start;
    if (glide.toDb !== 0) continue;
    ranges.push({ start, end: glide.end });
    start = null;
  }
  return ranges;
}

function instructionsIn(event: TimeRange, glides: readonly DuckGlide[]): MixingInstruction[] {
  const inside = glides.filter(({ start, end }) => start < event.end && end > event.start);
  const earlier = glides.filter(({ end }) => end <= event.start).at(-1)?.toDb ?? 0;
  const first = inside[0]?.start ?? event.end;
  const held =
    earlier === 0 || first <= event.start ? [] : [{ start: event.start, end: first, gains: [factor(earlier)] }];
  return [...held, ...inside.map((glide) => clipped(glide, event))];
}

/** The part of a glide that lies in an event. */
function clipped(glide: DuckGlide, event: TimeRange): MixingInstruction {
  const start = Math.max(glide.start, event.start);
  const end = Math.min(glide.end, event.end);
  const decibelsAt = (seconds: number) => glideLevel(glide, (seconds - glide.start) / (glide.end - glide.start));
  const gains = Array.from({ length: VALUES_OF_GLIDE }, (_, index) =>
    factor(decibelsAt(start + ((end - start) * index) / (VALUES_OF_GLIDE - 1))),
  );
  return { start, end, gains };
}

function factor(decibels: number): number {
  return Math.round(gainFromDecibels(decibels) * 10_000) / 10_000;
}
