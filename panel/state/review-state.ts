import { type Cue, compareCues } from "../../src/core/cue.ts";
import type { Finding } from "../../src/core/finding.ts";
import type { MergeSide } from "../../src/core/merge-cues.ts";
import { openPauses, type PauseToWrite } from "../../src/core/pause-to-write.ts";
import type { FrameGrid } from "../../src/core/settings.ts";
import { timecodeAt } from "../../src/core/timecode.ts";
import type { SequenceInfo } from "../../src/host/host.ts";
import { extendedCues, type Result, wantedPauses } from "../../src/result/result.ts";
import { staleIn } from "../../src/result/stale.ts";
import { programmeGrid } from "../../src/workflow/spoken-lines.ts";
import type { MergePreview } from "./merge-preview.ts";
import type { ReviewHistory } from "./review-history.ts";
import type { JobEntry } from "./saved.ts";
import { secondsFromTyped } from "./typed-time.ts";

/**
 * Which cues are listed: all, with the pauses that are to be written; those with findings; those not yet accepted; these pauses
 * alone; or those with a finding of one rule.
 */
export type CueFilter = "all" | "findings" | "unaccepted" | "stale" | "to-write" | `rule:${string}`;

/** A result under review, with what a person did to it. */
export interface ReviewState extends ReviewHistory {
  readonly result: Result;
  readonly sequence: SequenceInfo;
  /** The job that it came from. */
  readonly job: JobEntry;
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
  /** How often the panel itself has scrolled the list: what is measured before that is drawn tells where the list was. */
  readonly scrollOrders: number;
  /** Height and width of the list, in pixels. */
  readonly viewHeight: number;
  readonly viewWidth: number;
  /** Where the open line is written: in its row, or outside the list, under it or beside it. */
  readonly opens: "within" | "below" | "beside";
  /** Doublings that the strip is zoomed in by; it shows what the list shows then. */
  readonly stripZoom: number;
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

/** The pauses that are still to be written: none that is left silent. */
export function pausesIn(result: Pick<Result, "toWrite" | "silentIds" | "cues">): readonly PauseToWrite[] {
  return openPauses(wantedPauses(result) ?? [], result.cues);
}

/** The pause of a row that has no words yet; absent for a cue. */
export function pauseOf({ result }: ReviewState, id: string): PauseToWrite | undefined {
  return openPauses(result.toWrite ?? [], result.cues).find((pause) => pause.id === id);
}

/** Whether a pause is left silent: it is done, and can be written all the same. */
export function isLeftSilent({ result }: ReviewState, id: string): boolean {
  return result.silentIds?.includes(id) === true;
}

/** Whether a line is heard on a held copy alone. */
export function isExtended({ result }: ReviewState, id: string): boolean {
  return extendedCues(result).some((cue) => cue.id === id);
}

/** The rows of pauses without words: cues which nothing but the list holds. */
function rowsOfPauses(pauses: readonly PauseToWrite[]): readonly Cue[] {
  return pauses.map(({ id, start, end }) => ({ id, start, end, text: "" }));
}

/** The rows of all pauses without words, also of those that are left silent. */
function pauseRows({ toWrite = [], cues }: Result): readonly Cue[] {
  return rowsOfPauses(openPauses(toWrite, cues));
}

/** The rows that the filter lets through, in order of time: cues, and pauses without words. */
export function listedCues(state: ReviewState): readonly Cue[] {
  const { result, filter } = state;
  if (filter === "to-write") return rowsOfPauses(pausesIn(result));
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

/** A time on the programme clock as the sequence's timecode. */
export function timecodeOf(state: ReviewState, seconds: number): string {
  return timecodeAt(gridOf(state), seconds);
}

/** A time that was typed into a field with another one in it, in seconds on the programme clock; `null` where it is no time. */
export function typedSeconds(state: ReviewState, typed: string, current: number): number | null {
  return secondsFromTyped(typed, gridOf(state), current);
}

/** The frames that the times of a review are counted in. */
export function gridOf({ result, sequence }: ReviewState): FrameGrid {
  return programmeGrid(sequence, result.offsetSeconds);
}
