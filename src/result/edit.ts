import { type Cue, compareCues, freeCueId, withId } from "../core/cue.ts";
import type { Finding } from "../core/finding.ts";
import { defined } from "../core/objects.ts";
import { foldedWords } from "../core/text.ts";
import { heldUnder } from "./held.ts";
import type { Result } from "./result.ts";

/** Shortest cue that an edit may leave, in seconds: one frame at 24 fps. */
const SHORTEST_SECONDS = 1 / 24;

/** Changes a cue's words, its start, its end, or several of them. White space is folded, as in every cue. */
export interface CueChange {
  readonly text?: string;
  readonly start?: number;
  readonly end?: number;
}

/**
 * The cues with one of them changed, in order of time. An id that is not there changes nothing.
 *
 * @throws RangeError when the words would be empty, a time is no number or negative, or the end would not lie after the
 * start.
 */
export function changeCue(cues: readonly Cue[], id: string, change: CueChange): Cue[] {
  return changeCues(cues, new Map([[id, change]]));
}

/**
 * The cues with several of them changed, by id, in order of time. Ids that are not there change nothing.
 *
 * @throws RangeError as {@link changeCue} does: then none is changed.
 */
export function changeCues(cues: readonly Cue[], changes: ReadonlyMap<string, CueChange>): Cue[] {
  const changed = cues.map((cue) => {
    const change = changes.get(cue.id);
    return change === undefined ? cue : checked({ ...cue, ...folded(change) });
  });
  return changed.sort(compareCues);
}

/** The cues without some of them. */
export function deleteCues(cues: readonly Cue[], ids: readonly string[]): Cue[] {
  return cues.filter(({ id }) => !ids.includes(id));
}

/**
 * The cues with one of them cut in two at a position in its text; the first keeps the id. Time is shared by the number
 * of characters on each side.
 *
 * @throws RangeError when a side would be empty or shorter than a frame.
 */
export function splitCue(cues: readonly Cue[], id: string, position: number): Cue[] {
  const cue = cues.find((candidate) => candidate.id === id);
  if (cue === undefined) return [...cues];
  const before = foldedWords(cue.text.slice(0, position));
  const after = foldedWords(cue.text.slice(position));
  const share = before.length / Math.max(1, before.length + after.length);
  const middle = cue.start + (cue.end - cue.start) * share;
  const first = checked({ ...cue, text: before, end: middle });
  const taken = new Set(cues.map((other) => other.id));
  const second = checked({ id: freeCueId(taken, id), start: middle, end: cue.end, text: after });
  return [...cues.filter((candidate) => candidate.id !== id), first, second].sort(compareCues);
}

/** The cues with two of them joined: the first's id, both texts, from the earlier start to the later end. */
export function joinCues(cues: readonly Cue[], firstId: string, secondId: string): Cue[] {
  const first = cues.find((cue) => cue.id === firstId);
  const second = cues.find((cue) => cue.id === secondId);
  if (first === undefined || second === undefined || first === second) return [...cues];
  const [earlier, later] = compareCues(first, second) <= 0 ? [first, second] : [second, first];
  const joined = {
    id: first.id,
    start: earlier.start,
    end: Math.max(earlier.end, later.end),
    text: `${earlier.text} ${later.text}`,
  };
  return [...cues.filter((cue) => cue !== first && cue !== second), joined].sort(compareCues);
}

/**
 * New ids for all that a result knows of, by those of its cues: a deleted cue, whose sound and words are still known, gives
 * way where its id goes to another.
 *
 * @param others Further cues that are named along, such as those that an undo brings back.
 */
export function idsOfAll(
  { cues, generated, voiced, pieces = {}, wordings = {} }: Result,
  ids: ReadonlyMap<string, string>,
  others: readonly Cue[] = [],
): ReadonlyMap<string, string> {
  const all = new Map(ids);
  const known = [
    ...[...cues, ...(generated ?? []), ...others].map(({ id }) => id),
    ...[voiced, pieces, wordings].flatMap((values) => Object.keys(values)),
  ];
  const taken = new Set(ids.values());
  const avoided = new Set([...taken, ...known]);
  for (const id of known) {
    if (all.has(id)) continue;
    const free = taken.has(id) ? freeCueId(avoided, id) : id;
    all.set(id, free);
    taken.add(free);
    avoided.add(free);
  }
  return all;
}

/**
 * A result whose cues have other ids, by the ones they had: all that is kept by cue goes along.
 *
 * @param given Of every cue that has another one; see {@link idsOfAll}.
 */
export function withIds<Known extends Result>(result: Known, given: ReadonlyMap<string, string>): Known {
  if ([...given].every(([was, is]) => was === is)) return result;
  const ids = idsOfAll(result, given);
  const idOf = (id: string) => ids.get(id) ?? id;
  const named = (cues: readonly Cue[]) => cues.map((cue) => withId(cue, idOf(cue.id)));
  const keyed = <Value>(values: Readonly<Record<string, Value>> | undefined) =>
    values && Object.fromEntries(Object.entries(values).map(([id, value]) => [idOf(id), value]));
  const found = (findings: readonly Finding[] | undefined) =>
    findings?.map((finding) => ({ ...finding, cueIds: finding.cueIds.map(idOf) }));
  return {
    ...result,
    cues: named(result.cues),
    generated: result.generated === null ? null : named(result.generated),
    findings: found(result.findings) ?? [],
    voiced: keyed(result.voiced) ?? {},
    acceptedIds: result.acceptedIds.map(idOf),
    ...defined({
      standing: found(result.standing),
      wordings: keyed(result.wordings),
      pieces: keyed(result.pieces),
      held: result.held && heldUnder(result.held, idOf),
      mutedIds: result.mutedIds?.map(idOf),
    }),
  };
}

function folded(change: CueChange): CueChange {
  return change.text === undefined ? change : { ...change, text: foldedWords(change.text) };
}

function checked(cue: Cue): Cue {
  if (cue.text === "") throw new RangeError(`the words of cue ${cue.id} are empty`);
  if (!Number.isFinite(cue.start) || !Number.isFinite(cue.end) || cue.start < 0) {
    throw new RangeError(`the times of cue ${cue.id} are not times on the programme clock`);
  }
  if (cue.end - cue.start < SHORTEST_SECONDS) throw new RangeError(`cue ${cue.id} would be shorter than a frame`);
  return cue;
}
