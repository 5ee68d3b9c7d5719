import fc from "fast-check";
import { expect, test } from "vitest";
import { followedReview, openReview } from "../../../panel/state/opened-review.ts";
import { deleteChosen, editCue, redoStep, undoStep, withReviewIds } from "../../../panel/state/review-edits.ts";
import {
  historyFor,
  keptHistory,
  NO_HISTORY,
  type ReviewStep,
  stepBetween,
  withStep,
} from "../../../panel/state/review-history.ts";
import { type ReviewState, selectCue } from "../../../panel/state/review-state.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { jobEntry } from "../session-in-memory.ts";
import { playReviewSession } from "./review-session.ts";

test.each(Array.from({ length: 25 }, (_, index) => index + 1))(
  "PANEL-27: seed %i: undo gives the state before each of 40 things that a person does, redo the state after",
  (seed) => {
    const { faults, steps } = playReviewSession(seed, 40);
    expect({ faults, steps: faults.length === 0 ? [] : steps }).toEqual({ faults: [], steps: [] });
  },
);

test("of a history that is too long for a disk the newest steps are kept, and of another state of the result none", () => {
  const words = (text: string) => [{ id: "a", start: 0, end: 1, text }];
  const step = (text: string): ReviewStep => ({
    action: "words",
    cues: { before: words("x".repeat(100_000)), after: words(text) },
  });
  const past = ["1", "2", "3", "4", "5"].map(step);
  const result = placedResult(words("5"));
  const kept = historyFor(result, keptHistory(result, { past, future: [] }));
  expect(kept.past.map(({ cues }) => cues?.after[0]?.text)).toEqual(["3", "4", "5"]);
  const future = [step("6"), step("7")];
  expect(historyFor(result, keptHistory(result, { past, future }))).toMatchObject({ past: past.slice(2), future: [] });
  expect(historyFor(placedResult(words("6")), keptHistory(result, { past, future }))).toEqual(NO_HISTORY);
});

test("lines that get other ids have them in every step that was undone, and in every one that was not", () => {
  const cues = ["a", "b", "c"].map((id, index) => ({
    id,
    start: 10 * index,
    end: 10 * index + 2,
    text: `Line ${id}.`,
  }));
  const edit = (state: ReviewState, id: string) => editCue(state, id, { text: `Edited ${id}.` });
  const edited = ["a", "b", "c"].reduce(edit, openReview(placedResult(cues), jobEntry()));
  for (const count of [0, 1, 2, 3]) {
    const repeat = (state: ReviewState, step: (one: ReviewState) => ReviewState, times: number) =>
      Array.from({ length: times }).reduce<ReviewState>(step, state);
    const undone = repeat(edited, undoStep, count);
    const named = withReviewIds(undone, new Map(cues.map(({ id }) => [id, `new-${id}`])));
    const shown = ({ result }: ReviewState) => result.cues.map(({ id, text }) => [id, text]);
    expect(shown(repeat(named, redoStep, count))).toEqual(cues.map(({ id }) => [`new-${id}`, `Edited ${id}.`]));
    expect(shown(repeat(named, undoStep, 3 - count))).toEqual(cues.map(({ id, text }) => [`new-${id}`, text]));
  }
});

test.each(["acceptedIds", "mutedIds", "extendedIds", "timedIds", "silentIds"] as const)(
  "of a list that is another one since (%s), a step takes what it took and brings what it brought, each once, and leaves the rest",
  (name) => {
    const all = ["a", "b", "c", "d", "e", "f"];
    const some = fc.shuffledSubarray(all);
    // Only a muted line is heard on a held copy alone.
    const muted = name === "extendedIds" ? { mutedIds: all } : {};
    const resultOf = (ids: readonly string[]) => placedResult([], { timedIds: [], ...muted, [name]: ids });
    fc.assert(
      fc.property(some, some, some, fc.boolean(), (before, after, now, isForth) => {
        const step = stepBetween(resultOf(before), resultOf(after), "accepted");
        if (step === null) return;
        const turned = (ids: readonly string[]) =>
          withStep(resultOf(ids), step, isForth ? "forth" : "back")[name] ?? [];
        const [was, is] = isForth ? [before, after] : [after, before];
        expect(turned(was)).toEqual(is);
        const found = turned(now);
        expect(new Set(found).size).toBe(found.length);
        const wanted = (id: string) => (was.includes(id) === is.includes(id) ? now.includes(id) : is.includes(id));
        // What stood on both sides may have been moved along.
        const told = all.filter((id) => !(was.includes(id) && is.includes(id)));
        expect(told.filter((id) => found.includes(id))).toEqual(told.filter(wanted));
      }),
    );
  },
);

test("a deleted line keeps its id from others in every step, whichever it is", () => {
  const cues = ["a", "b", "c"].map((id, index) => ({
    id,
    start: 10 * index,
    end: 10 * index + 2,
    text: `Line ${id}.`,
  }));
  for (const gone of ["b", "c"]) {
    const state = ["b", "c"].reduce(
      (one, id) => deleteChosen(selectCue(one, id, false)),
      openReview(placedResult(cues, { generated: null }), jobEntry()),
    );
    // The line that is left is given the id of one that is gone.
    const named = withReviewIds(state, new Map([["a", gone]]));
    const back = undoStep(undoStep(named)).result.cues;
    expect([new Set(back.map(({ id }) => id)).size, back.map(({ text }) => text)]).toEqual([
      3,
      cues.map(({ text }) => text),
    ]);
  }
});

test("what was done before a re-cut is undone and done again where the lines lie since, deleted ones too", () => {
  const cues = [1, 4, 7].map((start) => ({ id: `c${start}`, start, end: start + 1, text: `Line ${start}.` }));
  const edited = editCue(openReview(placedResult(cues), jobEntry()), "c4", { text: "Edited, and longer than before." });
  const before = deleteChosen(selectCue(edited, "c7", false));
  const moved = <Moved extends { readonly start: number; readonly end: number }>(one: Moved): Moved =>
    one.start < 3 ? one : { ...one, start: one.start + 10, end: one.end + 10 };
  const { result } = before;
  const recut = { ...result, cues: result.cues.map(moved), generated: result.generated?.map(moved) ?? null };
  const after = followedReview(before, recut, before.job);
  const undone = undoStep(undoStep(after));
  expect(undone.result.cues).toEqual(cues.map(moved));
  expect(redoStep(redoStep(undone)).result.cues).toEqual(recut.cues);
  // Of another result nothing is known.
  expect(followedReview(before, { ...recut, runId: "another" }, before.job).past).toEqual([]);
});
