import { fingerprintOf } from "../../src/core/bytes.ts";
import { type Cue, compareCues, withId } from "../../src/core/cue.ts";
import { defined } from "../../src/core/objects.ts";
import { timedIdsOf } from "../../src/result/edit.ts";
import type { Result } from "../../src/result/result.ts";

/** What a person did to a result under review. */
export type ReviewAction =
  | "words"
  | "written"
  | "suggested"
  | "replaced"
  | "times"
  | "fitted"
  | "split"
  | "joined"
  | "deleted"
  | "accepted"
  | "unaccepted"
  | "all-accepted"
  | "muted"
  | "unmuted"
  | "extended"
  | "unextended"
  | "silent"
  | "unsilent"
  | "merged"
  | "notes";

/** How a list or a text changed: at one place some of it went, and something came. */
interface Splice<Kept> {
  /** Counted from 0. */
  readonly at: number;
  readonly gone: Kept;
  readonly come: Kept;
}

/** The film notes of a result beside their text; `null` where it has none. */
type NotesHead = Omit<NonNullable<Result["bible"]>, "text"> | null;

/** One thing that a person did, as what differs before and after it: it is undone and done again whatever else changed since. */
export interface ReviewStep {
  readonly action: ReviewAction;
  /** The lines that differ; one that came or went is on one side alone. */
  readonly cues?: { readonly before: readonly Cue[]; readonly after: readonly Cue[] };
  readonly accepted?: Splice<readonly string[]>;
  readonly muted?: Splice<readonly string[]>;
  /** Lines that are heard on a held copy alone. */
  readonly extended?: Splice<readonly string[]>;
  readonly timed?: Splice<readonly string[]>;
  /** Pauses that are left silent. */
  readonly silent?: Splice<readonly string[]>;
  readonly notes?: Splice<string> & { readonly before: NotesHead; readonly after: NotesHead };
  /** Which field it was typed into, and at which visit: all that is typed there is one step. */
  readonly field?: string;
}

/** What can be undone, and what can be done again: the last of each comes first. */
export interface ReviewHistory {
  readonly past: readonly ReviewStep[];
  readonly future: readonly ReviewStep[];
}

/** The history of a result that nobody has touched. */
export const NO_HISTORY: ReviewHistory = { past: [], future: [] };

/** Most steps that can be undone. */
const MOST_STEPS_BACK = 100;

/** What differs between two states of a result, as one step; `null` where nothing of a person's does. */
export function stepBetween(before: Result, after: Result, action: ReviewAction, field?: string): ReviewStep | null {
  const differing = {
    cues: cuesBetween(before.cues, after.cues),
    accepted: listBetween(before.acceptedIds, after.acceptedIds),
    muted: listBetween(before.mutedIds ?? [], after.mutedIds ?? []),
    extended: listBetween(before.extendedIds ?? [], after.extendedIds ?? []),
    timed: listBetween(timedIdsOf(before), timedIdsOf(after)),
    silent: listBetween(before.silentIds ?? [], after.silentIds ?? []),
    notes: notesBetween(before.bible, after.bible),
  };
  const isSame = Object.values(differing).every((part) => part === undefined);
  return isSame ? null : { action, ...defined({ ...differing, field }) };
}

/**
 * A result with a step undone (`back`) or done again (`forth`). Its findings are still those from before.
 *
 * @throws RangeError where the film notes are others since.
 */
export function withStep(result: Result, step: ReviewStep, direction: "back" | "forth"): Result {
  const turned = <Kept>({ at, gone, come }: Splice<Kept>) =>
    direction === "forth" ? { at, gone, come } : { at, gone: come, come: gone };
  const { cues, accepted, muted, extended, timed, silent, notes } = step;
  const [from, to] = direction === "forth" ? (["before", "after"] as const) : (["after", "before"] as const);
  const next: Result = {
    ...result,
    ...(cues === undefined ? {} : { cues: exchanged(result.cues, cues[from], cues[to]) }),
    ...(accepted === undefined ? {} : { acceptedIds: splicedList(result.acceptedIds, turned(accepted)) }),
    ...(timed === undefined ? {} : { timedIds: splicedList(timedIdsOf(result), turned(timed)) }),
  };
  const unmuted = muted === undefined ? next : withMutedIds(next, splicedList(result.mutedIds ?? [], turned(muted)));
  const lengthened =
    extended === undefined
      ? unmuted
      : withExtendedIds(unmuted, splicedList(result.extendedIds ?? [], turned(extended)));
  const silenced =
    silent === undefined ? lengthened : withSilentIds(lengthened, splicedList(result.silentIds ?? [], turned(silent)));
  return notes === undefined ? silenced : withNotes(silenced, turned(notes), notes[to]);
}

/** A result with other muted lines; without the list where there is none. What is not muted is heard everywhere. */
export function withMutedIds(result: Result, mutedIds: readonly string[]): Result {
  const extended = (result.extendedIds ?? []).filter((id) => mutedIds.includes(id));
  return withExtendedIds(withList(result, "mutedIds", mutedIds), extended);
}

/** A result with other lines that are heard on a held copy alone, all of them muted; without the list where there are none. */
export function withExtendedIds(result: Result, extendedIds: readonly string[]): Result {
  return withList(result, "extendedIds", extendedIds);
}

/** A result with other pauses left silent; without the list where there are none. */
export function withSilentIds(result: Result, silentIds: readonly string[]): Result {
  return withList(result, "silentIds", silentIds);
}

function withList(result: Result, name: "mutedIds" | "extendedIds" | "silentIds", ids: readonly string[]): Result {
  const { [name]: _, ...rest } = result;
  return ids.length === 0 ? rest : { ...rest, [name]: ids };
}

/** A history with a further step, after which nothing can be done again. */
export function withNewStep({ past }: ReviewHistory, step: ReviewStep): ReviewHistory {
  return { past: [...past, step].slice(-MOST_STEPS_BACK), future: [] };
}

/** The lines that a step changed, before and after it. */
export function cuesOf({ past, future }: ReviewHistory): Cue[] {
  return [...past, ...future].flatMap(({ cues }) => (cues === undefined ? [] : [...cues.before, ...cues.after]));
}

/** Ids of the lines that a step is about, in the order in which they stand in it. */
export function idsOfStep({ cues, accepted, muted, extended, timed, silent }: ReviewStep): readonly string[] {
  const lists = [accepted, muted, extended, timed, silent].flatMap((list) => {
    if (list === undefined) return [];
    const { gone, come } = list;
    // What lies between others that went is on both sides, and was not touched.
    return [...gone.filter((id) => !come.includes(id)), ...come.filter((id) => !gone.includes(id))];
  });
  const changed = [...(cues?.before ?? []), ...(cues?.after ?? [])].map(({ id }) => id);
  return [...new Set(changed.length > 0 ? changed : lists)];
}

/** A history whose lines have other ids. */
export function withHistoryIds(history: ReviewHistory, idOf: (id: string) => string): ReviewHistory {
  const list = (ids: Splice<readonly string[]> | undefined) =>
    ids && { ...ids, gone: ids.gone.map(idOf), come: ids.come.map(idOf) };
  return mapSteps(history, ({ accepted, muted, extended, timed, ...step }) => ({
    ...withCueVersions(step, (cue) => withId(cue, idOf(cue.id))),
    ...defined({ accepted: list(accepted), muted: list(muted), extended: list(extended), timed: list(timed) }),
  }));
}

/**
 * A history whose result was changed by no step of it: where a line went elsewhere as a whole, as after a re-cut, all versions of it
 * go along; where it took another length, as when it was voiced, the version that it had does. Lines that are deleted now go the
 * way of what the service wrote in their place.
 */
export function followedHistory(history: ReviewHistory, before: Result, after: Result): ReviewHistory {
  if (history.past.length + history.future.length === 0 || before.cues === after.cues) return history;
  const [then, now] = [before, after].map(
    ({ generated, cues }) => new Map([...(generated ?? []), ...cues].map((cue) => [cue.id, cue])),
  );
  return mapSteps(history, (step) =>
    withCueVersions(step, (cue) => {
      const [was, is] = [then?.get(cue.id), now?.get(cue.id)];
      if (was === undefined || is === undefined || isSameCue(was, is)) return cue;
      if (isSameCue(cue, was)) return is;
      const by = is.start - was.start;
      const isMoved = Math.abs(is.end - was.end - by) < SAME_LENGTH_SECONDS;
      return isMoved ? { ...cue, start: Math.max(0, cue.start + by), end: cue.end + by } : cue;
    }),
  );
}

/** Lengths closer than this are one: times are added up in between. */
const SAME_LENGTH_SECONDS = 1e-6;

/** A history as it is kept beside its result. */
export interface KeptHistory extends ReviewHistory {
  /** {@link fingerprintOfReviewed} of the result that it belongs to. */
  readonly of: string;
}

/** Most letters of a history that are kept; older steps give way. A browser has room for some millions of letters in all. */
const MOST_LETTERS_KEPT = 400_000;

/** A history as it is kept with a result: the newest steps of it. */
export function keptHistory(result: Result, history: ReviewHistory): KeptHistory {
  let letters = 0;
  const newest = (steps: readonly ReviewStep[]) => {
    let first = steps.length;
    for (; first > 0 && letters <= MOST_LETTERS_KEPT; first--) letters += JSON.stringify(steps[first - 1]).length;
    return steps.slice(letters <= MOST_LETTERS_KEPT ? first : first + 1);
  };
  const past = newest(history.past);
  return { of: fingerprintOfReviewed(result), past, future: newest(history.future) };
}

/** The history that was kept of a result; none where it was kept of another state of it. */
export function historyFor(result: Result, kept: KeptHistory | null): ReviewHistory {
  if (kept === null || kept.of !== fingerprintOfReviewed(result)) return NO_HISTORY;
  return { past: kept.past, future: kept.future };
}

/** Tells states of a result apart by all that a step can change. */
function fingerprintOfReviewed(result: Result): string {
  const { cues, acceptedIds, mutedIds = [], extendedIds = [], silentIds = [], bible = null } = result;
  const silent = silentIds.length === 0 ? [] : [silentIds];
  const extended = extendedIds.length === 0 ? [] : [{ extendedIds }];
  return fingerprintOf(
    JSON.stringify([cues, acceptedIds, mutedIds, timedIdsOf(result), bible, ...silent, ...extended]),
  );
}

function mapSteps({ past, future }: ReviewHistory, change: (step: ReviewStep) => ReviewStep): ReviewHistory {
  return { past: past.map(change), future: future.map(change) };
}

function withCueVersions<Step extends Pick<ReviewStep, "cues">>(step: Step, change: (cue: Cue) => Cue): Step {
  const { cues } = step;
  return cues === undefined
    ? step
    : { ...step, cues: { before: cues.before.map(change), after: cues.after.map(change) } };
}

function cuesBetween(before: readonly Cue[], after: readonly Cue[]): ReviewStep["cues"] {
  if (before === after) return undefined;
  const without = (cues: readonly Cue[], others: readonly Cue[]) => {
    const byId = new Map(others.map((cue) => [cue.id, cue]));
    return cues.filter((cue) => {
      const other = byId.get(cue.id);
      return other === undefined || !isSameCue(cue, other);
    });
  };
  const cues = { before: without(before, after), after: without(after, before) };
  return cues.before.length + cues.after.length === 0 ? undefined : cues;
}

function isSameCue(a: Cue, b: Cue): boolean {
  return a === b || (a.text === b.text && a.start === b.start && a.end === b.end);
}

function exchanged(cues: readonly Cue[], gone: readonly Cue[], come: readonly Cue[]): readonly Cue[] {
  const ids = new Set([...gone, ...come].map(({ id }) => id));
  return [...cues.filter(({ id }) => !ids.has(id)), ...come].sort(compareCues);
}

function listBetween(before: readonly string[], after: readonly string[]): Splice<readonly string[]> | undefined {
  const splice = before === after ? undefined : spliceBetween(before, after);
  return splice === undefined || splice.gone.length + splice.come.length === 0 ? undefined : splice;
}

function notesBetween(before: Result["bible"], after: Result["bible"]): ReviewStep["notes"] {
  if (before === after) return undefined;
  const head = (notes: Result["bible"]): NotesHead => {
    if (notes === undefined) return null;
    const { text: _, ...rest } = notes;
    return rest;
  };
  const text = spliceBetween(before?.text ?? "", after?.text ?? "");
  return { ...text, before: head(before), after: head(after) };
}

function spliceBetween<Kept extends string | readonly string[]>(before: Kept, after: Kept): Splice<Kept> {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at++;
  let same = 0;
  while (same < shorter - at && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  // A part of a text is a text, and of a list a list.
  const part = (of: Kept) => of.slice(at, of.length - same) as Kept;
  return { at, gone: part(before), come: part(after) };
}

/** Where the list is another one since, what went goes and what came comes wherever it stands. */
function splicedList(list: readonly string[], { at, gone, come }: Splice<readonly string[]>): readonly string[] {
  const isThere = gone.every((id, index) => list[at + index] === id) && at <= list.length;
  const held = new Set(list);
  const [going, coming] = [new Set(gone), new Set(come)];
  if (isThere && !come.some((id) => held.has(id) && !going.has(id))) {
    return [...list.slice(0, at), ...come, ...list.slice(at + gone.length)];
  }
  const rest = list.filter((id) => !going.has(id) || coming.has(id));
  return [...rest, ...come.filter((id) => !held.has(id))];
}

function withNotes(result: Result, { at, gone, come }: Splice<string>, head: NotesHead): Result {
  const { bible, ...rest } = result;
  const text = bible?.text ?? "";
  if (text.slice(at, at + gone.length) !== gone) throw new RangeError("The film notes have changed since.");
  return head === null
    ? rest
    : { ...rest, bible: { text: text.slice(0, at) + come + text.slice(at + gone.length), ...head } };
}
