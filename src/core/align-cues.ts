import { type Cue, compareCues, freeCueId, withId } from "./cue.ts";
import { foldedWords } from "./text.ts";
import { overlapDuration, rangeDuration, TIMESTAMP_SECONDS } from "./time-range.ts";

/** Share of the shorter cue that two cues must have in common to be taken for two versions of one description. */
const SAME_PLACE_SHARE = 0.5;

/**
 * Gives the cues of a new result the ids of the earlier cues that they are versions of, and fresh ids to the others. The
 * numbers in a service's reply count its lines: the same number need not mean the same description. A cue is a version of
 * an earlier one when it has its id and its place or its words; else its words, nearest in time; else its place, most in
 * common. Each earlier cue is taken once. The result is in order of time.
 */
export function alignCues(earlier: readonly Cue[], result: readonly Cue[]): Cue[] {
  const ids = alignedIds(earlier, result);
  return result.map((cue) => withId(cue, ids.get(cue.id) ?? cue.id)).sort(compareCues);
}

/**
 * The id that {@link alignCues} gives each cue of a result, by the one it has.
 *
 * @param inUse Ids that are no fresh ones either: those of the editor's own cues.
 */
export function alignedIds(
  earlier: readonly Cue[],
  result: readonly Cue[],
  inUse: readonly string[] = [],
): ReadonlyMap<string, string> {
  const free = new Map(earlier.map((cue) => [cue.id, cue]));
  const found = new Map<Cue, string>();
  const take = (cue: Cue, partner: Cue | undefined) => {
    if (partner === undefined) return;
    found.set(cue, partner.id);
    free.delete(partner.id);
  };
  const open = () => result.filter((cue) => !found.has(cue));
  for (const cue of open()) {
    const named = free.get(cue.id);
    if (named !== undefined && isSamePlace(cue, named) && isSameText(cue, named)) take(cue, named);
  }
  for (const cue of open())
    take(
      cue,
      bestOf(free, (other) => (isSameText(cue, other) ? -distance(cue, other) : null)),
    );
  for (const cue of open()) {
    const named = free.get(cue.id);
    if (named !== undefined && commonShare(cue, named) >= SAME_PLACE_SHARE) take(cue, named);
  }
  for (const cue of open()) {
    take(
      cue,
      bestOf(free, (other) => {
        const share = commonShare(cue, other);
        return share >= SAME_PLACE_SHARE ? share : null;
      }),
    );
  }
  const taken = new Set([...earlier.map(({ id }) => id), ...inUse]);
  return new Map(
    result.map((cue) => {
      const id = found.get(cue) ?? freeCueId(taken, cue.id);
      taken.add(id);
      return [cue.id, id];
    }),
  );
}

function bestOf(free: ReadonlyMap<string, Cue>, score: (other: Cue) => number | null): Cue | undefined {
  let best: { readonly cue: Cue; readonly score: number } | undefined;
  for (const cue of free.values()) {
    const value = score(cue);
    if (value !== null && (best === undefined || value > best.score)) best = { cue, score: value };
  }
  return best?.cue;
}

/** Whether two cues say the same, however white space stands in them. */
export function isSameText(a: Cue, b: Cue): boolean {
  return foldedWords(a.text) === foldedWords(b.text);
}

/** Whether two cues lie at the same time. */
export function isSamePlace(a: Pick<Cue, "start" | "end">, b: Pick<Cue, "start" | "end">): boolean {
  return Math.abs(a.start - b.start) < TIMESTAMP_SECONDS && Math.abs(a.end - b.end) < TIMESTAMP_SECONDS;
}

function distance(a: Cue, b: Cue): number {
  return Math.abs(a.start - b.start);
}

function commonShare(a: Cue, b: Cue): number {
  const shorter = Math.min(rangeDuration(a), rangeDuration(b));
  return shorter > 0 ? overlapDuration(a, b) / shorter : 0;
}
