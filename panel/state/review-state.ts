import { type Cue, compareCues, freeCueId, withId } from "../../src/core/cue.ts";
import type { Finding } from "../../src/core/finding.ts";
import { framesFromSeconds, secondsFromFrames } from "../../src/core/frame-rate.ts";
import type { MergeSide } from "../../src/core/merge-cues.ts";
import { defined } from "../../src/core/objects.ts";
import { openPauses, type PauseToWrite } from "../../src/core/pause-to-write.ts";
import type { FrameGrid } from "../../src/core/settings.ts";
import { nominalFrameRate, parseTimecode, timecodeAt } from "../../src/core/timecode.ts";
import type { SequenceInfo } from "../../src/host/host.ts";
import {
  type CueChange,
  changeCues,
  deleteCues,
  idsOfAll,
  joinCues,
  splitCue,
  withIds,
} from "../../src/result/edit.ts";
import { heardInVideo, voiceLengths } from "../../src/result/held.ts";
import { describedType, type Result, soundingCues } from "../../src/result/result.ts";
import { leftOutFindings, scriptOutcomeWith } from "../../src/result/script-outcome.ts";
import { staleIn } from "../../src/result/stale.ts";
import { checkCues } from "../../src/workflow/check/check.ts";
import { resultWithLine, type VoicedCueLine } from "../../src/workflow/revoice/voice-line.ts";
import { programmeGrid } from "../../src/workflow/spoken-lines.ts";
import type { MergePreview } from "./merge-preview.ts";
import type { JobEntry } from "./saved.ts";

/**
 * Which cues are listed: all, with the pauses that are to be written; those with findings; those not yet accepted; these pauses
 * alone; or those with a finding of one rule.
 */
export type CueFilter = "all" | "findings" | "unaccepted" | "stale" | "to-write" | `rule:${string}`;

/** A result under review. */
export interface ReviewState {
  readonly result: Result;
  readonly sequence: SequenceInfo;
  /** The job that it came from. */
  readonly job: JobEntry;
  readonly past: readonly (readonly Cue[])[];
  readonly future: readonly (readonly Cue[])[];
  readonly selectedId: string | null;
  /** Cues that are marked beside the selected one, to be changed together with it. */
  readonly markedIds: readonly string[];
  /** Whether the selected cue's row is open for editing. */
  readonly isOpen: boolean;
  readonly filter: CueFilter;
  /** What placing would do to markers that were worked on, until it is done or left. */
  readonly preview: MergePreview | null;
  /** Whose version a disputed cue takes, by cue id; the editor's where not said. */
  readonly choices: Readonly<Record<string, MergeSide>>;
  /** What the programme shows at the times of its cues, as far as it was fetched; `null` where no more can be had. */
  readonly pictures: Pictures | null;
  /** What is looked for in the words; `null` while nothing is. */
  readonly search: Search | null;
  readonly scrollTop: number;
  /** Height and width of the list, in pixels. */
  readonly viewHeight: number;
  readonly viewWidth: number;
  /** Height of the open row, in pixels, as it was drawn last; `null` until then. */
  readonly openHeight: number | null;
}

/** Pictures of a programme, as addresses of images, by the time that each shows (`pictures.ts`); empty where a time has none. */
export type Pictures = Readonly<Record<string, string>>;

/** What is looked for in the words of the cues, and what is to stand in its place. */
export interface Search {
  readonly find: string;
  readonly replacement: string;
}

/** Most steps that edits can be taken back. */
const MOST_STEPS_BACK = 100;

/** The pauses that are still to be written. */
export function pausesIn({ toWrite = [], cues }: Pick<Result, "toWrite" | "cues">): readonly PauseToWrite[] {
  return openPauses(toWrite, cues);
}

/** The pause of a row that has no words yet; absent for a cue. */
export function pauseOf({ result }: ReviewState, id: string): PauseToWrite | undefined {
  return pausesIn(result).find((pause) => pause.id === id);
}

/** The rows of pauses that are to be written: cues without words, which nothing but the list holds. */
function pauseRows(result: Result): readonly Cue[] {
  return pausesIn(result).map(({ id, start, end }) => ({ id, start, end, text: "" }));
}

/** The rows that the filter lets through, in order of time: cues, and pauses without words. */
export function listedCues(state: ReviewState): readonly Cue[] {
  const { result, filter } = state;
  if (filter === "to-write") return pauseRows(result);
  if (filter === "all") {
    const pauses = pauseRows(result);
    return pauses.length === 0 ? result.cues : [...result.cues, ...pauses].sort(compareCues);
  }
  if (filter === "unaccepted") {
    const accepted = new Set(result.acceptedIds);
    return result.cues.filter((cue) => !accepted.has(cue.id));
  }
  if (filter === "stale") return result.cues.filter(({ id }) => staleIn(result).has(id));
  const rule = filter === "findings" ? null : filter.slice("rule:".length);
  const found = result.findings.filter((finding) => rule === null || finding.rule === rule);
  const ids = new Set(found.flatMap(({ cueIds }) => cueIds));
  return result.cues.filter((cue) => ids.has(cue.id));
}

/** Findings of each cue, by its id; those about the whole programme under an empty id. */
export function findingsByCue(findings: readonly Finding[]): Map<string, Finding[]> {
  const byCue = new Map<string, Finding[]>();
  for (const finding of findings) {
    for (const id of finding.cueIds.length === 0 ? [""] : finding.cueIds) {
      const present = byCue.get(id);
      if (present === undefined) byCue.set(id, [finding]);
      else present.push(finding);
    }
  }
  return byCue;
}

/** A cue by its id, or the row of a pause; absent when there is none. */
export function rowOf({ result }: ReviewState, id: string | null): Cue | undefined {
  const isRow = (cue: Cue) => cue.id === id;
  return result.cues.find(isRow) ?? pauseRows(result).find(isRow);
}

/** The selected cue, or the row of the selected pause; absent when there is none. */
export function selectedCue(state: ReviewState): Cue | undefined {
  return rowOf(state, state.selectedId);
}

/** With another cue selected, and no other marked; `isOpen` says whether its row opens. */
export function selectCue(state: ReviewState, id: string | null, isOpen: boolean): ReviewState {
  const openHeight = state.selectedId === id ? state.openHeight : null;
  return { ...state, selectedId: id, markedIds: [], isOpen: isOpen && id !== null, openHeight };
}

/** The cues that a change is for: the selected one and those that are marked, in order of time. Pauses without words are none. */
export function chosenIds({ result, selectedId, markedIds }: ReviewState): readonly string[] {
  return result.cues.flatMap(({ id }) => (id === selectedId || markedIds.includes(id) ? [id] : []));
}

/** With a further cue marked, or not any more; the selected one stays. */
export function toggleMarked(state: ReviewState, id: string): ReviewState {
  if (state.selectedId === null) return selectCue(state, id, false);
  const others = state.markedIds.filter((one) => one !== id);
  if (id === state.selectedId) {
    const [first = null, ...rest] = others;
    return first === null ? state : { ...state, selectedId: first, markedIds: rest, isOpen: false };
  }
  const isMarked = others.length < state.markedIds.length;
  return { ...state, markedIds: isMarked ? others : [...others, id], isOpen: false };
}

/** With all listed cues marked from the selected one to another. */
export function markTo(state: ReviewState, id: string): ReviewState {
  const ids = listedCues(state).map((cue) => cue.id);
  const [from, to] = [ids.indexOf(state.selectedId ?? id), ids.indexOf(id)];
  const between = ids.slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1);
  return { ...state, selectedId: id, markedIds: between.filter((one) => one !== id), isOpen: false };
}

/** With all listed cues marked. */
export function markAll(state: ReviewState): ReviewState {
  const ids = listedCues(state).map(({ id }) => id);
  const selectedId = state.selectedId ?? ids[0] ?? null;
  return { ...state, selectedId, markedIds: ids.filter((id) => id !== selectedId), isOpen: false };
}

/** The id of the listed cue so many places after the selected one; the first or last at the ends. */
export function cueIdAfterSelected(state: ReviewState, places: number): string | null {
  const listed = listedCues(state);
  const index = listed.findIndex((cue) => cue.id === state.selectedId);
  const wanted = index >= 0 ? index + places : places > 0 ? places - 1 : listed.length + places;
  return listed[Math.min(listed.length - 1, Math.max(0, wanted))]?.id ?? null;
}

/**
 * With a cue's words or times changed. Words for a pause make it a cue.
 *
 * @throws RangeError as `changeCue` does: what cannot be, is not done.
 */
export function editCue(state: ReviewState, id: string, change: CueChange): ReviewState {
  return editCues(state, [{ id, ...change }]);
}

/** With several cues changed, in one step; unchanged where none is named. @throws RangeError as {@link editCue} does. */
export function editCues(state: ReviewState, changes: readonly (CueChange & { readonly id: string })[]): ReviewState {
  if (changes.length === 0) return state;
  const written = changes.flatMap(({ id }) => {
    const pause = pauseOf(state, id);
    return pause === undefined ? [] : [{ id, start: pause.start, end: pause.end, text: "" }];
  });
  const byId = new Map(changes.map(({ id, ...change }) => [id, change]));
  return withCues(state, changeCues([...state.result.cues, ...written], byId));
}

/** Without the chosen cues; the next one is selected. */
export function deleteChosen(state: ReviewState): ReviewState {
  const gone = chosenIds(state);
  if (gone.length === 0) return state;
  const listed = listedCues(state).filter(({ id }) => !gone.includes(id));
  const from = selectedCue(state)?.start ?? 0;
  const next = listed.find(({ start }) => start >= from) ?? listed.at(-1);
  return selectCue(withCues(state, deleteCues(state.result.cues, gone)), next?.id ?? null, false);
}

/**
 * With the selected cue cut in two: at a position in its words, or near their middle where the position is at an end.
 *
 * @throws RangeError when it cannot be cut.
 */
export function splitSelected(state: ReviewState, position: number): ReviewState {
  const cue = selectedCue(state);
  if (cue === undefined || cue.text === "") return state;
  const isInside = cue.text.slice(0, position).trim() !== "" && cue.text.slice(position).trim() !== "";
  return withCues(state, splitCue(state.result.cues, cue.id, isInside ? position : middleSpace(cue.text)));
}

/** With the selected cue joined to the one after it; unchanged at the end. */
export function mergeSelectedWithNext(state: ReviewState): ReviewState {
  const { cues } = state.result;
  const index = cues.findIndex((cue) => cue.id === state.selectedId);
  const [cue, next] = [cues[index], cues[index + 1]];
  return index < 0 || cue === undefined || next === undefined
    ? state
    : withCues(state, joinCues(cues, cue.id, next.id));
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

/** With the chosen cues accepted; with none of them accepted any more where all were. */
export function toggleAccepted(state: ReviewState): ReviewState {
  const chosen = chosenIds(state);
  return chosen.length === 0 ? state : accepted(state, toggled(state.result.acceptedIds, chosen));
}

/** With the chosen cues muted, or not any more: a muted one stays in the list, and is neither placed, voiced nor checked. */
export function toggleMuted(state: ReviewState): ReviewState {
  const { mutedIds = [], cues } = state.result;
  const chosen = chosenIds(state);
  if (chosen.length === 0) return state;
  const next = toggled(mutedIds, chosen);
  return checked({ ...state, result: { ...state.result, mutedIds: next } }, cues);
}

/** A list of ids with some of them in it; without them where it held all. */
function toggled(ids: readonly string[], some: readonly string[]): readonly string[] {
  const missing = some.filter((id) => !ids.includes(id));
  return missing.length > 0 ? [...ids, ...missing] : ids.filter((id) => !some.includes(id));
}

/** With a line that was voiced by itself; what was edited meanwhile stays, and is out of date again. */
export function withVoicedLine(state: ReviewState, line: VoicedCueLine): ReviewState {
  const result = resultWithLine(state.result, line);
  return result === state.result ? state : checked({ ...state, result }, result.cues);
}

/** With every cue accepted. */
export function acceptAll(state: ReviewState): ReviewState {
  const { cues, acceptedIds } = state.result;
  const isDone = cues.every(({ id }) => acceptedIds.includes(id));
  return isDone
    ? state
    : accepted(
        state,
        cues.map((cue) => cue.id),
      );
}

/** With the last edit taken back. */
export function undoEdit(state: ReviewState): ReviewState {
  const cues = state.past.at(-1);
  if (cues === undefined) return state;
  const { result, past, future } = state;
  return { ...checked(state, cues), past: past.slice(0, -1), future: [...future, result.cues] };
}

/** With an edit that was taken back made again. */
export function redoEdit(state: ReviewState): ReviewState {
  const cues = state.future.at(-1);
  if (cues === undefined) return state;
  const { result, past, future } = state;
  return { ...checked(state, cues), past: [...past, result.cues], future: future.slice(0, -1) };
}

/** With other ids for its cues, by the ones they have: those of the timeline that it is merged into. */
export function withReviewIds(state: ReviewState, given: ReadonlyMap<string, string>): ReviewState {
  if ([...given].every(([was, is]) => was === is)) return state;
  const ids = idsOfAll(state.result, given, [...state.past, ...state.future].flat());
  const result = withIds(state.result, ids);
  const named = (cues: readonly Cue[]) => cues.map((cue) => withId(cue, ids.get(cue.id) ?? cue.id));
  const idOf = (id: string) => ids.get(id) ?? id;
  const selectedId = state.selectedId === null ? null : idOf(state.selectedId);
  const markedIds = state.markedIds.map(idOf);
  return { ...state, result, past: state.past.map(named), future: state.future.map(named), selectedId, markedIds };
}

/** With the cues that came of a merge, beside the muted ones; a step that can be taken back, unless nothing changed. */
export function withMergedCues(state: ReviewState, merged: readonly Cue[]): ReviewState {
  const { mutedIds = [], generated } = state.result;
  const taken = new Set(merged.map(({ id }) => id));
  // Ids that the merge gave to others are not theirs any more; a muted cue that the editor has on the timeline sounds, and
  // words that were typed into a muted one are kept beside those on the timeline.
  const isWritten = ({ id, text }: Cue) => generated?.some((cue) => cue.id === id && cue.text === text) === true;
  const isPlaced = (cue: Cue) => merged.some(({ id, text }) => id === cue.id && (text === cue.text || isWritten(cue)));
  const muted = state.result.cues.flatMap((cue): Cue[] => {
    if (!mutedIds.includes(cue.id) || isPlaced(cue)) return [];
    const id = freeCueId(taken, cue.id);
    taken.add(id);
    return [{ ...cue, id }];
  });
  const cues = muted.length === 0 ? merged : [...merged, ...muted].sort(compareCues);
  const ids = muted.map(({ id }) => id);
  const isSame = JSON.stringify(ids) === JSON.stringify(mutedIds);
  if (!isSame) return withCues({ ...state, result: { ...state.result, mutedIds: ids } }, cues);
  // Cues are plain values.
  return JSON.stringify(cues) === JSON.stringify(state.result.cues) ? state : withCues(state, cues);
}

/** A time on the programme clock as the sequence's timecode. */
export function timecodeOf(state: ReviewState, seconds: number): string {
  return timecodeAt(gridOf(state), seconds);
}

/** A time that was typed into a field with another one in it, in seconds on the programme clock; `null` where it is no time. */
export function typedSeconds(state: ReviewState, typed: string, current: number): number | null {
  return secondsFromTyped(typed, gridOf(state), current);
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

function gridOf({ result, sequence }: ReviewState) {
  return programmeGrid(sequence, result.offsetSeconds);
}

function withCues(state: ReviewState, cues: readonly Cue[]): ReviewState {
  const past = [...state.past, state.result.cues].slice(-MOST_STEPS_BACK);
  return { ...checked(state, cues), past, future: [] };
}

/** What was to be looked at has been, once it is accepted. */
function accepted(state: ReviewState, acceptedIds: readonly string[]): ReviewState {
  const next = { ...state, result: { ...state.result, acceptedIds } };
  return state.result.standing === undefined ? next : checked(next, next.result.cues);
}

/** The findings belong to the cues: every edit is checked anew. */
function checked(state: ReviewState, cues: readonly Cue[]): ReviewState {
  const result = { ...state.result, cues };
  const { durationSeconds, speech, audio, script } = result;
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

function middleSpace(text: string): number {
  const middle = Math.floor(text.length / 2);
  for (let distance = 0; distance < middle; distance++) {
    if (text[middle + distance] === " ") return middle + distance;
    if (text[middle - distance] === " ") return middle - distance;
  }
  return middle;
}

/** Fields of a label, or of its end: `01:00:09:20`, `9:20`, `920`. */
const FIELDS = /^\d{1,9}(?:[:;.,]\d{1,3}){0,3}$/;

/** So much later, or earlier. */
const SIGN = /^[+\-−]/;

/** Whether a distance was typed, such as `+10`: a time that many cues can have in their own way. */
function isDistance(text: string): boolean {
  return SIGN.test(text.trim());
}

/**
 * A time as editors type it into a timecode field, in seconds on the programme clock: a whole label; the end of one, whose
 * beginning stays as it is (`9:20`, or `920` without marks); or so much later or earlier (`+10` frames, `-1:00` a second).
 * `null` where it is none of these.
 *
 * @param current The time that stands in the field, in seconds.
 */
export function secondsFromTyped(text: string, grid: FrameGrid, current: number): number | null {
  const typed = text.trim();
  const fields = fieldsIn(typed.replace(SIGN, ""));
  if (fields === null) return null;
  if (isDistance(typed)) {
    const frames = framesIn(fields, nominalFrameRate(grid.rate));
    const from = framesFromSeconds(current, grid.rate);
    return secondsFromFrames(typed.startsWith("+") ? from + frames : from - frames, grid.rate);
  }
  const standing = timecodeAt(grid, current).split(/[:;]/);
  const label = [...standing.slice(0, standing.length - fields.length), ...fields].join(":");
  const parsed = parseTimecode(label, grid, { dropped: "next" });
  return parsed.ok ? secondsFromFrames(parsed.frame - grid.startFrame, grid.rate) : null;
}

/** Hours, minutes, seconds and frames, as many of the last of them as were typed; `null` where it is no such thing. */
function fieldsIn(text: string): readonly string[] | null {
  if (!FIELDS.test(text)) return null;
  const fields = text.split(/[:;.,]/);
  const [only = ""] = fields;
  if (fields.length > 1 || only.length <= 2) return fields;
  // Without marks, two digits are a field, counted from the frames.
  return only.length <= 8
    ? (only
        .padStart(8, "0")
        .match(/\d\d/g)
        ?.slice(-Math.ceil(only.length / 2)) ?? null)
    : null;
}

function framesIn(fields: readonly string[], framesPerSecond: number): number {
  const [frames = 0, seconds = 0, minutes = 0, hours = 0] = fields.map(Number).reverse();
  return ((hours * 60 + minutes) * 60 + seconds) * framesPerSecond + frames;
}
