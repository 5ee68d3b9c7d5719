import { freeCueId } from "../../core/align-cues.ts";
import { conformCues } from "../../core/conform.ts";
import { type Cue, compareCues } from "../../core/cue.ts";
import { readMarkerComment } from "../../core/marker-tag.ts";
import type { NewStretch } from "../../core/new-stretches.ts";
import { overlapDuration, overlapWithRanges, rangeDuration, shiftRange } from "../../core/time-range.ts";
import { cutOf } from "../../host/cut.ts";
import { type ConformInput, planConform } from "./conform-sequence.ts";
import type { DescribedStretch } from "./describe-stretches.ts";

/** A cue that came of a stretch. */
export interface NewCue {
  /** On the clock of the sequence as it is now, under an id that nobody has. */
  readonly cue: Cue;
  /** The same as the service gave it: on its stretch's clock. */
  readonly original: Cue;
  /** How far its picture has moved since its stretch was exported, in seconds. */
  readonly shiftSeconds: number;
  /** Place of its stretch in the list. */
  readonly stretch: number;
}

/** Cues may share this much with another one, in seconds: a frame and the rounding of two services. */
const TOUCHING_SECONDS = 0.05;

/** The cues of a stretch that are to come in, before it is known under which id. */
type Brought = Omit<NewCue, "stretch">;

/**
 * Takes the cues of described stretches over into a cut. A cue comes in when at least half of it lies over new picture; where
 * a stretch has no such cue, those in its context come in: its pauses may all lie there. What would lie over a cue that is
 * there already never does.
 *
 * @param there Cues that are heard in the cut, on the sequence clock: those without their picture do not count.
 * @param taken Ids that are in use.
 * @param follow Takes the cues of a stretch, on the clock of the sequence as it was exported, to where their pictures are now;
 * leaves out those whose picture is gone. Default: nothing has changed since.
 * @returns In order of time.
 */
export function takeNewCues(
  stretches: readonly DescribedStretch[],
  there: readonly Cue[],
  taken: readonly string[],
  follow: (brought: readonly Brought[], described: DescribedStretch) => readonly Brought[] = (brought) => brought,
): NewCue[] {
  const ids = new Set(taken);
  const cues: NewCue[] = [];
  for (const [index, described] of stretches.entries()) {
    const { stretch, run } = described;
    if (run === null) continue;
    const { offsetSeconds } = run.result;
    const brought = run.result.cues.map((original) => {
      return { original, cue: shiftRange(original, offsetSeconds), shiftSeconds: 0 };
    });
    const inside = brought.filter(({ cue }) => isInside(cue, stretch));
    for (const one of follow(inside.length > 0 ? inside : brought, described)) {
      const others = [...there, ...cues.map(({ cue }) => cue)];
      if (others.some((other) => overlapDuration(one.cue, other) > TOUCHING_SECONDS)) continue;
      const id = freeCueId(ids, one.cue.id);
      ids.add(id);
      cues.push({ ...one, stretch: index, cue: { ...one.cue, id } });
    }
  }
  return cues.sort((a, b) => compareCues(a.cue, b.cue));
}

/**
 * The same for a sequence: what is there and which ids are in use follow from its markers and its record. The cut may have
 * changed since a stretch was exported: its cues are taken to where their pictures are by now.
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
  const layout = cutOf(input.timeline);
  return takeNewCues(stretches, there, [...known, ...tags], (brought, { run }) => {
    const before = run?.result.cut?.layout;
    if (before === undefined) return brought;
    const found = conformCues(before, layout, brought.map(({ cue }) => cue), input.sequence.rate); // biome-ignore format: one call
    return brought.flatMap((one, index) => {
      const { state, start } = found[index] ?? { state: "orphaned", start: 0 };
      if (state === "orphaned") return [];
      const shiftSeconds = start - one.cue.start;
      return [{ ...one, cue: shiftRange(one.cue, shiftSeconds), shiftSeconds }];
    });
  });
}

function isInside(cue: Cue, { inside }: NewStretch): boolean {
  return overlapWithRanges(cue, inside) >= rangeDuration(cue) / 2;
}
