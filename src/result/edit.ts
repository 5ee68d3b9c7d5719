import { type Cue, compareCues, freeCueId, withId } from "../core/cue.ts";
import type { Finding } from "../core/finding.ts";
import { defined } from "../core/objects.ts";
import { estimateSpeakingSeconds } from "../core/speaking-time.ts";
import { foldedWords } from "../core/text.ts";
import { isSameTime } from "../core/time-range.ts";
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
 * The cues with one of them cut in two between words, at a position in its text or as near to it as can be; the first keeps the id.
 * Time is shared by how long each side takes to say.
 *
 * @throws RangeError when the position is at an end, there is one word alone, or a side would be shorter than a frame.
 */
export function splitCue(cues: readonly Cue[], id: string, position: number): Cue[] {
  const cue = cues.find((candidate) => candidate.id === id);
  if (cue === undefined) return [...cues];
  const isAtEnd = cue.text.slice(0, position).trim() === "" || cue.text.slice(position).trim() === "";
  if (isAtEnd) throw new RangeError("There are no words on one side of the cut.");
  const at = nearestBoundary(cue.text, position);
  if (at === null) throw new RangeError("One word cannot be split.");
  const before = foldedWords(cue.text.slice(0, at));
  const after = foldedWords(cue.text.slice(at));
  const middle = cue.start + (cue.end - cue.start) * spokenShare(before, after);
  const first = checked({ ...cue, text: before, end: middle });
  const taken = new Set(cues.map((other) => other.id));
  const second = checked({ id: freeCueId(taken, id), start: middle, end: cue.end, text: after });
  return [...cues.filter((candidate) => candidate.id !== id), first, second].sort(compareCues);
}

/** The position between two words that halves the time of a text best; its middle where there is one word. */
export function middleOfWords(text: string): number {
  const halves = boundariesOf(text).map((at) => {
    const share = spokenShare(text.slice(0, at), text.slice(at));
    return { at, off: Math.abs(share - 0.5) };
  });
  return halves.sort((a, b) => a.off - b.off || a.at - b.at)[0]?.at ?? text.length >> 1;
}

/** The place between words that is nearest to a position, of two the later one; `null` where there is none. */
function nearestBoundary(text: string, position: number): number | null {
  const [nearest = null] = boundariesOf(text).sort((a, b) => Math.abs(a - position) - Math.abs(b - position) || b - a);
  return nearest;
}

/** Letters of scripts that part no words by spaces, and what may stand behind one of them where a text is cut. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const BEHIND_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}。、！？，」』]/u;

/** Where a text may be cut: behind white space, and between letters of scripts that have none; both sides have words. */
function boundariesOf(text: string): number[] {
  const places: number[] = [];
  let at = 0;
  let last = "";
  for (const character of text) {
    const isBetween = /\s/u.test(last) || (BEHIND_UNSPACED.test(last) && UNSPACED.test(character));
    if (isBetween && !/\s/u.test(character) && text.slice(0, at).trim() !== "") places.push(at);
    at += character.length;
    last = character;
  }
  return places;
}

/** The share of the time of two texts that the first takes, by how long each is to say; by their letters where none is said. */
function spokenShare(before: string, after: string): number {
  const [first, second] = [before, after].map(estimateSpeakingSeconds) as [number, number];
  if (first > 0 && second > 0) return first / (first + second);
  return before.length / Math.max(1, before.length + after.length);
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
 * Cues whose times a person set. Of a result that does not say: those that do not lie as the service wrote them, unless they are as
 * long as their voice is or fill the pause that they were written for. Where nobody knows what the service wrote, all.
 */
export function timedIdsOf({ timedIds, cues, generated, voiced, toWrite = [] }: Result): readonly string[] {
  if (timedIds !== undefined) return timedIds;
  const written = new Map([...toWrite, ...(generated ?? [])].map((one) => [one.id, one]));
  return cues.flatMap(({ id, start, end }) => {
    const was = written.get(id);
    const isAsItCame = was !== undefined && isSameTime(was.start, start);
    const isFree = isAsItCame && (isSameTime(was.end, end) || isSameTime(voiced[id]?.end ?? was.end, end));
    return isFree ? [] : [id];
  });
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
      extendedIds: result.extendedIds?.map(idOf),
      timedIds: result.timedIds?.map(idOf),
    }),
  };
}

function folded(change: CueChange): CueChange {
  return change.text === undefined ? change : { ...change, text: foldedWords(change.text) };
}

function checked(cue: Cue): Cue {
  if (cue.text === "") throw new RangeError("A line needs words. To remove it, delete it.");
  if (!Number.isFinite(cue.start) || !Number.isFinite(cue.end) || cue.start < 0) {
    throw new RangeError("A time is missing, or lies before the programme.");
  }
  if (cue.end - cue.start < SHORTEST_SECONDS) throw new RangeError("The line would be shorter than a frame.");
  return cue;
}
