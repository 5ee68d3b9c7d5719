import type { Cue } from "../../src/core/cue.ts";
import type { DialogueLine } from "../../src/core/dialogue.ts";
import { literalPattern } from "../../src/core/text.ts";
import { editCues } from "./review-edits.ts";
import { listedCues, type ReviewState, rowOf, type Search, selectCue } from "./review-state.ts";

/**
 * How a list of a width is laid out: `wide`: a row has its time, words and signs beside each other; `narrow`: words below the time;
 * `slim`: words below time and picture.
 */
export type ListLayout = "wide" | "narrow" | "slim";

/** Height of a closed row of a cue, in pixels; `views.css` says the same. */
export const CUE_HEIGHTS: Readonly<Record<ListLayout, number>> = { wide: 46, narrow: 64, slim: 72 };

/** How a list is laid out, by its width in pixels. */
export function layoutOf({ viewWidth }: Pick<ReviewState, "viewWidth">): ListLayout {
  if (viewWidth >= 560) return "wide";
  return viewWidth >= 280 ? "narrow" : "slim";
}

/** Height of the open row until it was measured. */
const OPEN_HEIGHT = 150;

/** Rows drawn above and below what is seen, so that scrolling shows no holes. */
const SPARE_ROWS = 6;

/** Height of a line of dialogue; `views.css` says the same. */
export const SAID_HEIGHT = 24;

/** A row of the script: a cue, or a pause that has no words yet; or a line of what is said in the programme. */
export type ScriptRow =
  /** `number`: its place in the list, from 1. */
  | { readonly kind: "cue"; readonly start: number; readonly number: number; readonly cue: Cue }
  | { readonly kind: "said"; readonly start: number; readonly number: number; readonly line: DialogueLine };

/** Which rows of a long script are drawn, and how much room the others take. */
export interface RowWindow {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
  /** Pixels above the first and below the last. */
  readonly above: number;
  readonly below: number;
}

/** The rows of a review as they are measured. */
export interface RowList {
  /** Where each row begins, in pixels from the top, and last where the script ends. */
  readonly tops: readonly number[];
  readonly scrollTop: number;
  readonly viewHeight: number;
}

/** The script under review in order of time: the cues that the filter lets through, and where all are listed what is said between them. */
export function scriptRows(review: ReviewState): readonly ScriptRow[] {
  const cues = listedCues(review).map((cue) => ({ kind: "cue", start: cue.start, cue }) as const);
  const { dialogue = [] } = review.result;
  const said = dialogue.map((line) => ({ kind: "said", start: line.start, line }) as const);
  const rows = review.filter === "all" && said.length > 0 ? [...cues, ...said].sort((a, b) => a.start - b.start) : cues;
  return rows.map((row, index) => ({ ...row, number: index + 1 }));
}

/** Place of a cue among the rows, from 0; -1 where it is not listed. */
export function rowIndexOf(rows: readonly ScriptRow[], id: string | null): number {
  return rows.findIndex((row) => row.kind === "cue" && row.cue.id === id);
}

/** The rows of a script with their places. */
export function rowListOf(
  { isOpen, opens, selectedId, openHeight, scrollTop, viewHeight, viewWidth }: ReviewState,
  rows: readonly ScriptRow[],
): RowList {
  const closedHeight = CUE_HEIGHTS[layoutOf({ viewWidth })];
  const tops = [0];
  let top = 0;
  for (const row of rows) {
    const isOpenRow = isOpen && opens === "within" && row.kind === "cue" && row.cue.id === selectedId;
    top += row.kind === "said" ? SAID_HEIGHT : isOpenRow ? (openHeight ?? OPEN_HEIGHT) : closedHeight;
    tops.push(top);
  }
  return { tops, scrollTop, viewHeight };
}

/** The rows to be drawn of a list. */
export function rowWindow({ tops, scrollTop, viewHeight }: RowList): RowWindow {
  const count = tops.length - 1;
  const first = Math.max(0, rowAt(tops, scrollTop) - SPARE_ROWS);
  const end = Math.min(count, rowAt(tops, scrollTop + viewHeight) + 1 + SPARE_ROWS);
  return { first, end, above: tops[first] ?? 0, below: (tops[count] ?? 0) - (tops[end] ?? 0) };
}

/** The time of the row in the middle of what is seen of a list, in seconds; 0 where it is empty. */
export function timeInSight(rows: readonly ScriptRow[], { tops, scrollTop, viewHeight }: RowList): number {
  return rows[Math.min(rows.length - 1, rowAt(tops, scrollTop + viewHeight / 2))]?.start ?? 0;
}

/** Where the list is to be scrolled to, so that a row is seen whole; where it stands already if that is so. */
export function scrollToRow({ tops, scrollTop, viewHeight }: RowList, index: number): number {
  const top = tops[index] ?? 0;
  const bottom = tops[index + 1] ?? top;
  if (top < scrollTop) return top;
  return bottom > scrollTop + viewHeight ? Math.max(0, Math.min(top, bottom - viewHeight)) : scrollTop;
}

/** A review whose list stands at a place, which the panel asks for. */
export function withListAt(review: ReviewState, scrollTop: number): ReviewState {
  return { ...review, scrollTop, scrollOrders: review.scrollOrders + (scrollTop === review.scrollTop ? 0 : 1) };
}

/** The last row that begins at a place or above it. */
function rowAt(tops: readonly number[], pixels: number): number {
  let [low, high] = [0, tops.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= pixels) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The cues in whose words a text stands, whatever its case; none for an empty text. */
export function cuesWith({ result }: ReviewState, find: string): readonly Cue[] {
  const wanted = patternOf(find);
  return wanted === null ? [] : result.cues.filter(({ text }) => text.search(wanted) >= 0);
}

/** How often a text stands in the words of the cues. */
export function countFound(review: ReviewState, find: string): number {
  const wanted = patternOf(find);
  return wanted === null ? 0 : review.result.cues.reduce((sum, { text }) => sum + (text.match(wanted)?.length ?? 0), 0);
}

/** With the next cue selected in which the text stands, or the one before; from the other end where there is none further on. */
export function selectFound(review: ReviewState, find: string, direction: 1 | -1): ReviewState {
  const found = cuesWith(review, find);
  const from =
    rowOf(review, review.selectedId)?.start ?? (direction > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
  const next =
    direction > 0
      ? (found.find(({ start, id }) => start > from || (start === from && id !== review.selectedId)) ?? found[0])
      : (found.filter(({ start }) => start < from).at(-1) ?? found.at(-1));
  return next === undefined ? review : selectCue(review, next.id, false);
}

/** With the text replaced in the words of one cue, or of all where none is named: one step that can be taken back. */
export function replaceFound(review: ReviewState, { find, replacement }: Search, cueId?: string): ReviewState {
  const wanted = patternOf(find);
  if (wanted === null) return review;
  const changes = cuesWith(review, find)
    .filter(({ id }) => cueId === undefined || id === cueId)
    // A function: signs such as $& in the replacement are meant as they stand.
    .map(({ id, text }) => ({ id, text: text.replace(wanted, () => replacement) }));
  return editCues(review, changes, "replaced");
}

function patternOf(find: string): RegExp | null {
  return find.trim() === "" ? null : new RegExp(literalPattern(find), "giu");
}
