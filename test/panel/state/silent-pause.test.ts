import { expect, test } from "vitest";
import { openReview } from "../../../panel/state/opened-review.ts";
import { editCue, redoStep, toggleSilent, undoStep } from "../../../panel/state/review-edits.ts";
import { historyFor, keptHistory } from "../../../panel/state/review-history.ts";
import { isLeftSilent, listedCues, pauseOf, pausesIn, selectCue } from "../../../panel/state/review-state.ts";
import { stepName } from "../../../panel/views/heard-review.ts";
import { replacementOf } from "../../../src/workflow/place/replace.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { jobEntry } from "../session-in-memory.ts";

const PAUSE = { id: "pause-0001", start: 10, end: 11.7, words: 4, hints: [] };
const OTHER = { id: "pause-0002", start: 30, end: 32, words: 5, hints: [] };
const review = () => openReview(placedResult([], { toWrite: [PAUSE, OTHER] }), jobEntry());
const silenced = () => toggleSilent(selectCue(review(), PAUSE.id, true));
const idsOf = (of: readonly { readonly id: string }[]) => of.map(({ id }) => id);

test("a pause that is left silent counts as done, is listed all the same, and gets no marker", () => {
  const state = silenced();
  expect(idsOf(pausesIn(state.result))).toEqual([OTHER.id]);
  expect(idsOf(listedCues({ ...state, filter: "to-write" }))).toEqual([OTHER.id]);
  expect(idsOf(listedCues(state))).toEqual([PAUSE.id, OTHER.id]);
  const target = { sequence: state.sequence, timeline: [] } as unknown as Parameters<typeof replacementOf>[1];
  expect(idsOf(replacementOf(state.result, target).toWrite ?? [])).toEqual([OTHER.id]);
});

test("leaving silent is one named step, undone, done again, and kept with the result", () => {
  const state = silenced();
  const [step] = state.past;
  expect(step === undefined ? "" : stepName(state.result, step)).toBe("leave silent");
  const undone = undoStep(state);
  expect([undone.result.silentIds, idsOf(pausesIn(undone.result))]).toEqual([undefined, [PAUSE.id, OTHER.id]]);
  expect(redoStep(undone).result.silentIds).toEqual([PAUSE.id]);
  const kept = keptHistory(state.result, state);
  expect(historyFor(JSON.parse(JSON.stringify(state.result)), kept).past).toEqual(state.past);
  // A history of the pause as it was before is not taken for one of it now.
  expect(historyFor(undone.result, kept).past).toEqual([]);
});

test("a pause that was left silent can be written, and is to write again once that is undone twice", () => {
  const written = editCue(silenced(), PAUSE.id, { text: "Anna waits." });
  expect([written.result.silentIds, pauseOf(written, PAUSE.id)]).toEqual([undefined, undefined]);
  const back = undoStep(written);
  expect([isLeftSilent(back, PAUSE.id), back.result.cues]).toEqual([true, []]);
  expect(isLeftSilent(undoStep(back), PAUSE.id)).toBe(false);
  expect(isLeftSilent(toggleSilent(silenced()), PAUSE.id)).toBe(false);
});

test("of several pauses that are left silent, those stay so that are not written", () => {
  const both = [PAUSE, OTHER].reduce((state, { id }) => toggleSilent(selectCue(state, id, true)), review());
  for (const [written, left] of [
    [PAUSE.id, OTHER.id],
    [OTHER.id, PAUSE.id],
  ] as const) {
    const state = editCue(both, written, { text: "Anna waits." });
    expect([state.result.silentIds, isLeftSilent(undoStep(state), written)]).toEqual([[left], true]);
  }
});
