import { freeCueId } from "../../core/align-cues.ts";
import { type Cue, compareCues } from "../../core/cue.ts";
import { readMarkerComment } from "../../core/marker-tag.ts";
import type { NewStretch } from "../../core/new-stretches.ts";
import { overlapDuration, overlapWithRanges, rangeDuration, shiftRange } from "../../core/time-range.ts";
import { type ConformInput, planConform } from "./conform-sequence.ts";
import type { DescribedStretch } from "./describe-stretches.ts";

/** A cue that came of a stretch. */
export interface NewCue {
  /** On the sequence clock, under an id that nobody has. */
  readonly cue: Cue;
  /** The same as the service gave it: on its stretch's clock. */
  readonly original: Cue;
  /** Place of its stretch in the list. */
  readonly stretch: number;
}

/** Cues may share this much with another one, in seconds: a frame and the rounding of two services. */
const TOUCHING_SECONDS = 0.05;

/**
 * Takes the cues of described stretches over into a cut. A cue comes in when at least half of it lies over new picture; where
 * a stretch has no such cue, those in its context come in: its pauses may all lie there. What would lie over a cue that is
 * there already never does.
 *
 * @param there Cues that are heard in the cut, on the sequence clock: those without their picture do not count.
 * @param taken Ids that are in use.
 * @returns In order of time.
 */
export function takeNewCues(
  stretches: readonly DescribedStretch[],
  there: readonly Cue[],
  taken: readonly string[],
): NewCue[] {
  const ids = new Set(taken);
  const cues: NewCue[] = [];
  for (const [index, { stretch, run }] of stretches.entries()) {
    if (run === null) continue;
    const { offsetSeconds, cues: described } = run.result;
    const brought = described.map((original) => ({
      original,
      stretch: index,
      cue: shiftRange(original, offsetSeconds),
    }));
    const inside = brought.filter(({ cue }) => isInside(cue, stretch));
    for (const one of inside.length > 0 ? inside : brought) {
      const others = [...there, ...cues.map(({ cue }) => cue)];
      if (others.some((other) => overlapDuration(one.cue, other) > TOUCHING_SECONDS)) continue;
      const id = freeCueId(ids, one.cue.id);
      ids.add(id);
      cues.push({ ...one, cue: { ...one.cue, id } });
    }
  }
  return cues.sort((a, b) => compareCues(a.cue, b.cue));
}

/**
 * The same for a sequence: what is there and which ids are in use follow from its markers and its record.
 *
 * @param withoutPicture Cues that are known to have lost their picture, beside those that are found to have.
 */
export function newCuesOf(
  input: ConformInput,
  stretches: readonly DescribedStretch[],
  withoutPicture: readonly string[] = [],
): NewCue[] {
  const { descriptions, record } = planConform(input);
  const orphans = new Set([
    ...withoutPicture,
    ...descriptions.flatMap(({ cueId, state }) => (state === "orphaned" ? [cueId] : [])),
  ]);
  const there = record.cues.flatMap((cue) => {
    const { offsetSeconds } = record;
    return orphans.has(cue.id) ? [] : [shiftRange(cue, offsetSeconds)];
  });
  const tags = input.timeline.markers.flatMap(({ comment }) => readMarkerComment(comment)?.cueId ?? []);
  const known = [...record.cues, ...input.record.cues, ...(input.record.generated ?? [])].map(({ id }) => id);
  return takeNewCues(stretches, there, [...known, ...tags]);
}

function isInside(cue: Cue, { inside }: NewStretch): boolean {
  return overlapWithRanges(cue, inside) >= rangeDuration(cue) / 2;
}
