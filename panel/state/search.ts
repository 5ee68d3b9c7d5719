import type { Cue } from "../../src/core/cue.ts";
import { literalPattern } from "../../src/core/literal-pattern.ts";
import { editCues, type ReviewState, rowOf, type Search, selectCue } from "./review-state.ts";

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
  return editCues(review, changes);
}

function patternOf(find: string): RegExp | null {
  return find.trim() === "" ? null : new RegExp(literalPattern(find), "giu");
}
