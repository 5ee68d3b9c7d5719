import { type Cue, compareCues, freeCueId } from "../../src/core/cue.ts";
import type { Finding } from "../../src/core/finding.ts";
import { framesFromSeconds, secondsFromFrames } from "../../src/core/frame-rate.ts";
import { defined } from "../../src/core/objects.ts";
import { isSameTime } from "../../src/core/time-range.ts";
import {
  type CueChange,
  changeCues,
  deleteCues,
  idsOfAll,
  joinCues,
  middleOfWords,
  splitCue,
  timedIdsOf,
  withIds,
} from "../../src/result/edit.ts";
import { heardInVideo, voiceLengths } from "../../src/result/held.ts";
import { describedType, type Result, soundingCues } from "../../src/result/result.ts";
import { leftOutFindings, scriptOutcomeWith } from "../../src/result/script-outcome.ts";
import { staleIn } from "../../src/result/stale.ts";
import { checkCues } from "../../src/workflow/check/check.ts";
import { timesByWords } from "../../src/workflow/remedies.ts";
import { resultWithLine, type VoicedCueLine } from "../../src/workflow/revoice/voice-line.ts";
import {
  cuesOf,
  followedHistory,
  idsOfStep,
  type ReviewAction,
  type ReviewStep,
  stepBetween,
  withExtendedIds,
  withHistoryIds,
  withMutedIds,
  withNewStep,
  withSilentIds,
  withStep,
} from "./review-history.ts";
import {
  chosenIds,
  gridOf,
  listedCues,
  pauseOf,
  type ReviewState,
  selectCue,
  selectedCue,
  timecodeOf,
} from "./review-state.ts";
import { isDistance, secondsFromTyped } from "./typed-time.ts";

/**
 * With a cue's words or times changed. Words for a pause make it a cue. Where no person set its times, these follow new words.
 *
 * @throws RangeError as `changeCue` does: what cannot be, is not done.
 */
export function editCue(state: ReviewState, id: string, change: CueChange): ReviewState {
  return editCues(state, [{ id, ...change }]);
}

/**
 * With several cues changed, in one step; unchanged where none is named. A time alone is one that a person set.
 *
 * @param action What the person did; told from the changes where it is not said.
 * @throws RangeError as {@link editCue} does.
 */
export function editCues(
  state: ReviewState,
  changes: readonly (CueChange & { readonly id: string })[],
  action?: ReviewAction,
): ReviewState {
  const written = changes.flatMap(({ id }) => {
    const pause = pauseOf(state, id);
    return pause === undefined ? [] : [{ id, start: pause.start, end: pause.end, text: "" }];
  });
  const before = new Map([...state.result.cues, ...written].map((cue) => [cue.id, cue]));
  const byId = new Map(changes.map(({ id, ...change }) => [id, change]));
  const isTimed = ({ start, end }: CueChange) => start !== undefined || end !== undefined;
  const timed = changes.flatMap((change) => {
    const { start, end } = { ...before.get(change.id), ...change };
    const isOther = start !== before.get(change.id)?.start || end !== before.get(change.id)?.end;
    return isTimed(change) && change.text === undefined && isOther ? [change.id] : [];
  });
  const timedIds = union(timedIdsOf(state.result), timed);
  const silentIds = (state.result.silentIds ?? []).filter((id) => written.every((cue) => cue.id !== id));
  const cues = changeCues([...before.values()], byId);
  const worded = { ...withSilentIds(state.result, silentIds), timedIds, cues };
  const isReworded = ({ id, text }: Cue) => before.get(id)?.text !== text;
  const free = worded.cues.filter((cue) => {
    const change = byId.get(cue.id);
    return change !== undefined && !isTimed(change) && isReworded(cue) && !timedIds.includes(cue.id);
  });
  const said = written.length > 0 ? "written" : timed.length > 0 ? "times" : changes.some(isTimed) ? "fitted" : "words";
  return withResult(state, timedByWords(worded, free), action ?? said);
}

/** With the chosen cues as long as their words take, in their pause where they fit it: from now on they follow it. */
export function fitChosen(state: ReviewState): ReviewState {
  const chosen = chosenIds(state);
  const timedIds = timedIdsOf(state.result).filter((id) => !chosen.includes(id));
  const cues = state.result.cues.filter(({ id }) => chosen.includes(id));
  return withResult(state, timedByWords({ ...state.result, timedIds }, cues, true), "fitted");
}

/** A result some of whose cues lie as their words and their pause have it. */
function timedByWords(result: Result, cues: readonly Cue[], mayMove = false): Result {
  const times = timesByWords(
    result,
    cues.map(({ id }) => id),
    { stale: staleIn(result), mayMove },
  );
  return times.size === 0 ? result : { ...result, cues: changeCues(result.cues, times) };
}

/** Without the chosen cues; the next one is selected. */
export function deleteChosen(state: ReviewState): ReviewState {
  const gone = chosenIds(state);
  if (gone.length === 0) return state;
  const listed = listedCues(state).filter(({ id }) => !gone.includes(id));
  const from = selectedCue(state)?.start ?? 0;
  const next = listed.find(({ start }) => start >= from) ?? listed.at(-1);
  return selectCue(withCues(state, deleteCues(state.result.cues, gone), "deleted"), next?.id ?? null, false);
}

/**
 * With the selected cue cut in two between words: at a position in its words, or where that halves its time where the position is at
 * an end. What is true of the whole is true of both.
 *
 * @throws RangeError when it cannot be cut.
 */
export function splitSelected(state: ReviewState, position: number): ReviewState {
  const cue = selectedCue(state);
  if (cue === undefined || cue.text === "") return state;
  const isInside = cue.text.slice(0, position).trim() !== "" && cue.text.slice(position).trim() !== "";
  const { result } = state;
  const cues = splitCue(result.cues, cue.id, isInside ? position : middleOfWords(cue.text));
  const ids = new Set(result.cues.map(({ id }) => id));
  const made = cues.flatMap(({ id }) => (ids.has(id) ? [] : [id]));
  const withMade = (list: readonly string[]) => (list.includes(cue.id) ? union(list, made) : list);
  const next = {
    ...result,
    cues,
    acceptedIds: withMade(result.acceptedIds),
    timedIds: withMade(timedIdsOf(result)),
  };
  const muted = withMutedIds(next, withMade(result.mutedIds ?? []));
  return withResult(state, withExtendedIds(muted, withMade(result.extendedIds ?? [])), "split");
}

/** With the selected cue joined to the one after it, accepted or muted where both were; unchanged at the end. */
export function mergeSelectedWithNext(state: ReviewState): ReviewState {
  const { result } = state;
  const { cues, acceptedIds, mutedIds = [], extendedIds = [] } = result;
  const index = cues.findIndex((cue) => cue.id === state.selectedId);
  const [cue, next] = [cues[index], cues[index + 1]];
  if (index < 0 || cue === undefined || next === undefined) return state;
  const ofBoth = (list: readonly string[]) => (list.includes(next.id) ? list : list.filter((id) => id !== cue.id));
  const timedIds = timedIdsOf(result);
  const joined = {
    ...result,
    cues: joinCues(cues, cue.id, next.id),
    acceptedIds: ofBoth(acceptedIds),
    timedIds: timedIds.includes(next.id) ? union(timedIds, [cue.id]) : timedIds,
  };
  const muted = withMutedIds(joined, ofBoth(mutedIds));
  return withResult(state, withExtendedIds(muted, ofBoth(extendedIds)), "joined");
}

/** What a nudge moves: the start, the end, or the whole cue. */
export type NudgedPart = "start" | "end" | "both";

/**
 * With the chosen cues nudged by whole frames.
 *
 * @throws RangeError when nothing would be left of one, or it would begin before the programme.
 */
export function nudgeChosen(state: ReviewState, part: NudgedPart, frames: number): ReviewState {
  const { rate } = state.sequence;
  const moved = (seconds: number) => secondsFromFrames(framesFromSeconds(seconds, rate) + frames, rate);
  const chosen = new Set(chosenIds(state));
  const changes = state.result.cues
    .filter(({ id }) => chosen.has(id))
    .map(({ id, start, end }) => ({
      id,
      ...(part === "end" ? {} : { start: moved(start) }),
      ...(part === "start" ? {} : { end: moved(end) }),
    }));
  return editCues(state, changes);
}

/** With the chosen cues accepted; with none of them accepted any more where all were. What has no words is never accepted. */
export function toggleAccepted(state: ReviewState): ReviewState {
  const { acceptedIds } = state.result;
  const chosen = withWords(state.result, chosenIds(state));
  if (chosen.length === 0) return state;
  const next = toggled(acceptedIds, chosen);
  const action = next.length > acceptedIds.length ? "accepted" : "unaccepted";
  return withResult(state, { ...state.result, acceptedIds: next }, action);
}

/** With the chosen cues muted, or not any more: a muted one stays in the list, and is neither placed, voiced nor checked. */
export function toggleMuted(state: ReviewState): ReviewState {
  const { mutedIds = [] } = state.result;
  const chosen = chosenIds(state);
  if (chosen.length === 0) return state;
  const next = toggled(mutedIds, chosen);
  return withResult(state, withMutedIds(state.result, next), next.length > mutedIds.length ? "muted" : "unmuted");
}

/**
 * With the chosen cues muted in the film as it is and heard on a copy that is held for them; heard in the film again where all were.
 */
export function toggleExtended(state: ReviewState): ReviewState {
  const { mutedIds = [], extendedIds = [] } = state.result;
  const chosen = withWords(state.result, chosenIds(state));
  if (chosen.length === 0) return state;
  const extended = toggled(extendedIds, chosen);
  const isMore = extended.length > extendedIds.length;
  const muted = isMore ? union(mutedIds, chosen) : mutedIds.filter((id) => !chosen.includes(id));
  const next = withExtendedIds(withMutedIds(state.result, muted), extended);
  return withResult(state, next, isMore ? "extended" : "unextended");
}

/** With the selected pause left silent, or to be written again; unchanged where no pause is selected. */
export function toggleSilent(state: ReviewState): ReviewState {
  const { result, selectedId } = state;
  if (selectedId === null || pauseOf(state, selectedId) === undefined) return state;
  const { silentIds = [] } = result;
  const next = toggled(silentIds, [selectedId]);
  return withResult(state, withSilentIds(result, next), next.length > silentIds.length ? "silent" : "unsilent");
}

/** A list of ids with some of them in it; without them where it held all. */
function toggled(ids: readonly string[], some: readonly string[]): readonly string[] {
  const more = union(ids, some);
  return more.length > ids.length ? more : ids.filter((id) => !some.includes(id));
}

function union(ids: readonly string[], more: readonly string[]): readonly string[] {
  const known = new Set(ids);
  const missing = more.filter((id) => !known.has(id));
  return missing.length === 0 ? ids : [...ids, ...missing];
}

function withWords({ cues }: Result, ids: readonly string[]): readonly string[] {
  const asked = new Set(ids);
  return cues.flatMap(({ id, text }) => (asked.has(id) && text.trim() !== "" ? [id] : []));
}

/** With a line that was voiced by itself; what was edited meanwhile stays, and is out of date again. */
export function withVoicedLine(state: ReviewState, line: VoicedCueLine): ReviewState {
  const result = resultWithLine(state.result, line);
  return result === state.result
    ? state
    : withFindings({ ...state, ...followedHistory(state, state.result, result) }, result);
}

/** With every cue accepted that has words. */
export function acceptAll(state: ReviewState): ReviewState {
  const { cues, acceptedIds } = state.result;
  const all = withWords(
    state.result,
    cues.map(({ id }) => id),
  );
  const isDone = union(acceptedIds, all) === acceptedIds;
  return isDone ? state : withResult(state, { ...state.result, acceptedIds: all }, "all-accepted");
}

/**
 * With other film notes.
 *
 * @param field The field that they are typed into, with the visit there: what is typed at one visit is one step.
 */
export function withFilmNotes(
  state: ReviewState,
  bible: NonNullable<Result["bible"]>,
  field: string | undefined,
): ReviewState {
  const next = { ...state.result, bible };
  const last = state.past.at(-1);
  const isTypedOn = field !== undefined && last?.field === field && state.future.length === 0;
  if (!isTypedOn) return withResult(state, next, "notes", field);
  const step = stepBetween(withStep(state.result, last, "back"), next, "notes", field);
  return { ...state, result: next, past: [...state.past.slice(0, -1), ...(step === null ? [] : [step])] };
}

/** With the last thing undone that a person did, and what it changed selected. @throws RangeError where that cannot be. */
export function undoStep(state: ReviewState): ReviewState {
  const { result, past, future } = state;
  const step = past.at(-1);
  if (step === undefined) return state;
  const next = withFindings(
    { ...state, past: past.slice(0, -1), future: [...future, step] },
    withStep(result, step, "back"),
    step,
  );
  return withChangeSelected(next, step);
}

/** With what was undone last done again, and selected. @throws RangeError where that cannot be. */
export function redoStep(state: ReviewState): ReviewState {
  const { result, past, future } = state;
  const step = future.at(-1);
  if (step === undefined) return state;
  const next = withFindings(
    { ...state, past: [...past, step], future: future.slice(0, -1) },
    withStep(result, step, "forth"),
    step,
  );
  return withChangeSelected(next, step);
}

/** With what a step changed selected and listed: its lines, or the one that stands where they stood. Film notes are no line. */
function withChangeSelected(state: ReviewState, step: ReviewStep): ReviewState {
  const ids = idsOfStep(step);
  if (ids.length === 0) return state;
  const changed = new Set(ids);
  const rows = listedCues({ ...state, filter: "all" });
  const [first, ...more] = rows.filter(({ id }) => changed.has(id)).map(({ id }) => id);
  const from = cuesOf({ past: [step], future: [] })[0]?.start ?? 0;
  const id = first ?? (rows.find(({ start }) => start >= from) ?? rows.at(-1))?.id ?? null;
  const isOpen = state.isOpen && id === state.selectedId;
  const isListed = listedCues(state).some((cue) => cue.id === id);
  const shown = selectCue(isListed ? state : { ...state, filter: "all" }, id, isOpen);
  // All lines together are nothing to choose: the next key would be for all of them.
  return step.action === "all-accepted" || isOpen ? shown : { ...shown, markedIds: more };
}

/** With other ids for its cues, by the ones they have: those of the timeline that it is merged into. */
export function withReviewIds(state: ReviewState, given: ReadonlyMap<string, string>): ReviewState {
  if ([...given].every(([was, is]) => was === is)) return state;
  const ids = idsOfAll(state.result, given, cuesOf(state));
  const result = withIds(state.result, ids);
  const idOf = (id: string) => ids.get(id) ?? id;
  const selectedId = state.selectedId === null ? null : idOf(state.selectedId);
  const markedIds = state.markedIds.map(idOf);
  return { ...state, ...withHistoryIds(state, idOf), result, selectedId, markedIds };
}

/** With the cues that came of a merge, beside the muted ones; a step that can be taken back, unless nothing changed. */
export function withMergedCues(state: ReviewState, merged: readonly Cue[]): ReviewState {
  const { result } = state;
  const { mutedIds = [], extendedIds = [], generated } = result;
  const taken = new Set(merged.map(({ id }) => id));
  // Ids that the merge gave to others are not theirs any more; a muted cue that the editor has on the timeline sounds, and
  // words that were typed into a muted one are kept beside those on the timeline.
  const isWritten = ({ id, text }: Cue) => generated?.some((cue) => cue.id === id && cue.text === text) === true;
  const isPlaced = (cue: Cue) => merged.some(({ id, text }) => id === cue.id && (text === cue.text || isWritten(cue)));
  const extended: string[] = [];
  const muted = result.cues.flatMap((cue): Cue[] => {
    if (!mutedIds.includes(cue.id) || isPlaced(cue)) return [];
    const id = freeCueId(taken, cue.id);
    taken.add(id);
    if (extendedIds.includes(cue.id)) extended.push(id);
    return [{ ...cue, id }];
  });
  const cues = muted.length === 0 ? merged : [...merged, ...muted].sort(compareCues);
  const ids = muted.map(({ id }) => id);
  // Where a marker was moved, a person did that.
  const before = new Map(result.cues.map((cue) => [cue.id, cue]));
  const moved = merged.flatMap((cue) => {
    const was = before.get(cue.id);
    return was !== undefined && isSameTime(was.start, cue.start) && isSameTime(was.end, cue.end) ? [] : [cue.id];
  });
  const timedIds = union(timedIdsOf(result), moved);
  const next = withMutedIds({ ...result, cues, timedIds }, ids);
  return withResult(state, withExtendedIds(next, extended), "merged");
}

/**
 * With an edge of the selected cue at a typed time. A time so much later or earlier (`+10`) moves that edge of all chosen
 * cues. `null` where what was typed is no time.
 *
 * @throws RangeError as {@link editCue} does.
 */
export function retimeChosen(state: ReviewState, edge: "start" | "end", typed: string): ReviewState | null {
  const chosen = new Set(isDistance(typed) ? chosenIds(state) : [state.selectedId]);
  const changes = state.result.cues
    .filter(({ id }) => chosen.has(id))
    .map((cue) => ({ id: cue.id, seconds: secondsFromTyped(typed, gridOf(state), cue[edge]) }));
  return changes.some(({ seconds }) => seconds === null)
    ? null
    : editCues(
        state,
        changes.map(({ id, seconds }) => ({ id, [edge]: seconds })),
      );
}

function withCues(state: ReviewState, cues: readonly Cue[], action: ReviewAction): ReviewState {
  return withResult(state, { ...state.result, cues }, action);
}

/** With a result as a person changed it, as one step; unchanged where nothing differs. */
function withResult(state: ReviewState, result: Result, action: ReviewAction, field?: string): ReviewState {
  const step = stepBetween(state.result, result, action, field);
  return step === null ? state : withFindings({ ...state, ...withNewStep(state, step) }, result, step);
}

/** The findings belong to the cues: whatever changes these is checked. `step` is what was changed, where that is known. */
function withFindings(state: ReviewState, result: Result, step?: ReviewStep): ReviewState {
  // What was to be looked at has been, once it is accepted.
  const isChecked =
    step === undefined ||
    step.cues !== undefined ||
    step.muted !== undefined ||
    (step.accepted !== undefined && result.standing !== undefined);
  if (!isChecked) return { ...state, result };
  const { cues, durationSeconds, speech, audio, script } = result;
  const found = checkCues({
    cues: soundingCues(result),
    durationSeconds,
    type: describedType(result),
    voices: voiceLengths(result),
    heardInVideo: heardInVideo(result),
    ...defined({ speech, narrationSeconds: audio?.durationSeconds }),
  });
  const labelAt = (seconds: number) => timecodeOf(state, seconds);
  const leftOut = script === undefined ? [] : leftOutFindings(scriptOutcomeWith(script, cues), labelAt);
  return { ...state, result: { ...result, findings: [...found, ...standingFindings(result, cues), ...leftOut] } };
}

/** Findings that no check makes, of cues that are there and not accepted yet, and of the whole. */
function standingFindings({ standing, acceptedIds }: Result, cues: readonly Cue[]): Finding[] {
  const open = new Set(cues.map(({ id }) => id).filter((id) => !acceptedIds.includes(id)));
  return (standing ?? []).filter(({ cueIds }) => cueIds.length === 0 || cueIds.some((id) => open.has(id)));
}
