import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FIRST_FORM } from "../../../panel/state/form.ts";
import { openReview } from "../../../panel/state/opened-review.ts";
import {
  acceptAll,
  deleteChosen,
  editCue,
  mergeSelectedWithNext,
  nudgeChosen,
  redoStep,
  retimeChosen,
  splitSelected,
  toggleAccepted,
  toggleMuted,
  undoStep,
  withMergedCues,
  withReviewIds,
} from "../../../panel/state/review-edits.ts";
import {
  chosenIds,
  cueIdAfterSelected,
  findingsByCue,
  listedCues,
  markAll,
  markTo,
  type ReviewState,
  selectCue,
  timecodeOf,
  toggleMarked,
} from "../../../panel/state/review-state.ts";
import { type Cue, compareCues } from "../../../src/core/cue.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import type { Result } from "../../../src/result/result.ts";
import { placedResult } from "../../fakes/placed-result.ts";

const CUES: readonly Cue[] = [
  { id: "a", start: 1, end: 4, text: "A woman sits at a desk." },
  { id: "b", start: 4.5, end: 6.1, text: "She opens a letter." },
  { id: "c", start: 8, end: 9.5, text: "Rain." },
];

function review(change: Partial<Result> = {}): ReviewState {
  const sequence = {
    id: "s",
    name: "Harbour_v7",
    rate: frameRate(30_000, 1001),
    isDropFrame: true,
    startFrame: 107_892,
    durationSeconds: 60,
  };
  return openReview(
    placedResult(CUES, {
      offsetSeconds: 10,
      durationSeconds: 20,
      track: "none",
      speech: [{ start: 6.5, end: 8 }],
      ...change,
    }),
    {
      runId: "r",
      startedAt: "2026-11-21T20:00:00.000Z",
      sequence,
      serviceAddress: "http://127.0.0.1:8420",
      form: FIRST_FORM,
      audioPath: "/x.wav",
      state: "done",
    },
  );
}

const withSelected = (id: string) => selectCue(review(), id, true);
const texts = (state: ReviewState) => state.result.cues.map((cue) => cue.text);

describe("PANEL-27: reviewing cues", () => {
  test("every edit is checked anew and can be taken back and made again", () => {
    const moved = editCue(review(), "c", { start: 7 });
    expect(moved.result.findings).toMatchObject([{ rule: "speech-overlap", cueIds: ["c"] }]);
    const undone = undoStep(moved);
    expect(undone.result.cues).toEqual(CUES);
    expect(undone.result.findings).toEqual([]);
    expect(redoStep(undone).result).toEqual(moved.result);
  });

  test("undo and redo walk through what was edited, and a new edit ends what could be made again", () => {
    const steps = fc.array(fc.constantFrom("edit", "delete", "undo", "redo"), { maxLength: 20 });
    fc.assert(
      fc.property(steps, (actions) => {
        let state = review();
        // What the cues were, oldest first, and where in it they are now.
        let known = [texts(state)];
        let at = 0;
        for (const [index, action] of actions.entries()) {
          const [first] = state.result.cues;
          if (action === "undo") {
            state = undoStep(state);
            at = Math.max(0, at - 1);
          } else if (action === "redo") {
            state = redoStep(state);
            at = Math.min(known.length - 1, at + 1);
          } else if (first !== undefined) {
            const isDeleted = action === "delete";
            state = isDeleted
              ? deleteChosen(selectCue(state, first.id, true))
              : editCue(state, first.id, { text: `Words ${index}.` });
            known = [...known.slice(0, at + 1), texts(state)];
            at += 1;
          }
          expect(texts(state)).toEqual(known[at]);
          expect(state.future).toHaveLength(known.length - 1 - at);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("an edit that cannot be is refused and changes nothing", () => {
    expect(() => editCue(review(), "a", { text: "  " })).toThrow(RangeError);
    expect(() => editCue(review(), "a", { end: 1 })).toThrow(RangeError);
  });

  test("deleting selects the cue that takes the place", () => {
    const state = deleteChosen(withSelected("b"));
    expect(texts(state)).toEqual(["A woman sits at a desk.", "Rain."]);
    expect(state.selectedId).toBe("c");
    expect(deleteChosen(withSelected("c")).selectedId).toBe("b");
  });

  test("a cue is split where the cursor stands, or near its middle", () => {
    expect(texts(splitSelected(withSelected("a"), 8)).slice(0, 2)).toEqual(["A woman", "sits at a desk."]);
    expect(texts(splitSelected(withSelected("a"), 0)).slice(0, 2)).toEqual(["A woman sits", "at a desk."]);
  });

  test("a cue is joined to the next; the last one stays", () => {
    expect(texts(mergeSelectedWithNext(withSelected("a")))[0]).toBe("A woman sits at a desk. She opens a letter.");
    expect(texts(mergeSelectedWithNext(withSelected("c")))).toEqual(texts(review()));
  });

  test("the newest hundred steps are taken back, the oldest of more are not", () => {
    const stepsBack = (edits: number) => {
      let state = review();
      for (let index = 1; index <= edits; index++) state = editCue(state, "c", { text: `Words ${index}.` });
      let taken = 0;
      for (let before = undoStep(state); before !== state; before = undoStep(state)) {
        state = before;
        taken += 1;
      }
      return { taken, words: texts(state)[2] };
    };
    expect(stepsBack(100)).toEqual({ taken: 100, words: "Rain." });
    expect(stepsBack(103)).toEqual({ taken: 100, words: "Words 3." });
  });

  test("a nudge of the start moves the start alone, one of the end the end alone, both ways", () => {
    const frame = 1001 / 30_000;
    const edges = (part: "start" | "end" | "both", frames: number) => {
      const cue = nudgeChosen(withSelected("b"), part, frames).result.cues.find(({ id }) => id === "b");
      return [Math.round(((cue?.start ?? 0) - 4.5) / frame), Math.round(((cue?.end ?? 0) - 6.1) / frame)];
    };
    expect(edges("start", 5)).toEqual([5, 0]);
    expect(edges("start", -5)).toEqual([-5, 0]);
    expect(edges("end", 5)).toEqual([0, 5]);
    expect(edges("end", -5)).toEqual([0, -5]);
    expect(edges("both", -5)).toEqual([-5, -5]);
    const { result } = nudgeChosen(withSelected("b"), "start", 1);
    expect(result.cues.find(({ id }) => id === "b")?.end).toBe(6.1);
    expect(result.cues.filter(({ id }) => id !== "b")).toEqual(CUES.filter(({ id }) => id !== "b"));
  });

  test("nudging moves by whole frames of the sequence", () => {
    const { result: nudged } = nudgeChosen(withSelected("b"), "both", 1);
    const cue = nudged.cues.find(({ id }) => id === "b");
    expect(((cue?.start ?? 0) * 30_000) / 1001).toBeCloseTo(Math.round((4.5 * 30_000) / 1001) + 1, 6);
    expect(cue?.end).toBeGreaterThan(6);
  });

  test("what is done is done to all chosen cues, in one step that can be taken back", () => {
    const chosen = markTo(withSelected("a"), "b");
    expect(chosenIds(chosen)).toEqual(["a", "b"]);
    expect(texts(deleteChosen(chosen))).toEqual(["Rain."]);
    expect(texts(undoStep(deleteChosen(chosen)))).toEqual(texts(review()));
    expect(toggleAccepted(chosen).result.acceptedIds).toEqual(["a", "b"]);
    expect(toggleMuted(chosen).result.mutedIds).toEqual(["a", "b"]);
    const nudged = nudgeChosen(chosen, "both", 1);
    expect(nudged.result.cues.map(({ start }, index) => start > (CUES[index]?.start ?? 0))).toEqual([
      true,
      true,
      false,
    ]);
    expect(undoStep(nudged).result.cues).toEqual(CUES);
  });

  test("what is toggled for several becomes the same for all", () => {
    const one = toggleAccepted(withSelected("a"));
    const both = toggleAccepted(markTo(one, "b"));
    expect(both.result.acceptedIds).toEqual(["a", "b"]);
    expect(toggleAccepted(both).result.acceptedIds).toEqual([]);
  });

  test("marks are set and taken away one by one, up to a cue, or for all; choosing another cue ends them", () => {
    expect(chosenIds(toggleMarked(withSelected("a"), "c"))).toEqual(["a", "c"]);
    expect(chosenIds(toggleMarked(toggleMarked(withSelected("a"), "c"), "c"))).toEqual(["a"]);
    expect(chosenIds(toggleMarked(toggleMarked(withSelected("a"), "c"), "a"))).toEqual(["c"]);
    expect(chosenIds(markTo(withSelected("c"), "a"))).toEqual(["a", "b", "c"]);
    expect(chosenIds(markAll(review()))).toEqual(["a", "b", "c"]);
    expect(chosenIds(selectCue(markAll(review()), "b", false))).toEqual(["b"]);
  });

  test("a typed time moves an edge of the selected cue; so much later or earlier, that of all chosen ones", () => {
    const chosen = markTo(withSelected("a"), "b");
    const starts = (state: ReviewState | null) => state?.result.cues.map(({ start }) => Math.round(start * 1000));
    expect(starts(retimeChosen(chosen, "start", "01:00:15;00"))).toEqual([1000, 5005, 8000]);
    const frame = 1001 / 30;
    expect(starts(retimeChosen(chosen, "start", "+10"))).toEqual(
      [30 + 10, 135 + 10].map((frames) => Math.round(frames * frame)).concat(8000),
    );
    expect(retimeChosen(chosen, "start", "soon")).toBeNull();
    expect(() => retimeChosen(chosen, "start", "-2:00")).toThrow(RangeError);
  });

  describe("cues read back from the timeline", () => {
    const [a, b, c] = CUES as readonly [Cue, Cue, Cue];
    const ids = (state: ReviewState) => state.result.cues.map(({ id }) => id);
    const muted = (...mutedIds: readonly string[]) => review({ mutedIds });

    test("stand beside the muted ones, in order of time, each once", () => {
      const merged = withMergedCues(muted("b"), [a, c]);
      expect(ids(merged)).toEqual(["a", "b", "c"]);
      expect(merged.result.mutedIds).toEqual(["b"]);
      // As they are already: nothing is to be taken back.
      expect(merged).toBe(withMergedCues(merged, [a, c]));
      expect(merged.past).toEqual([]);
    });

    test("take the place of a muted one that sounds on the timeline", () => {
      const merged = withMergedCues(muted("b"), [a, b, c]);
      expect([ids(merged), merged.result.mutedIds]).toEqual([["a", "b", "c"], undefined]);
      const worded = { ...b, text: "Other words of the editor." };
      expect(texts(withMergedCues(muted("b"), [a, worded, c]))).toEqual([a.text, worded.text, c.text]);
    });

    test("lose no words that were typed into a muted one, and have no id twice", () => {
      const typed = editCue(muted("b"), "b", { text: "Typed while muted." });
      const merged = withMergedCues(typed, [a, { ...b, text: "On the timeline." }, c]);
      expect(texts(merged).toSorted()).toEqual([a.text, c.text, "On the timeline.", "Typed while muted."].toSorted());
      expect(new Set(ids(merged)).size).toBe(4);
      const [mutedId] = merged.result.mutedIds ?? [];
      expect(merged.result.cues.find(({ id }) => id === mutedId)?.text).toBe("Typed while muted.");
      expect(merged.result.cues.toSorted(compareCues)).toEqual(merged.result.cues);
    });

    test("are one step that is taken back whole", () => {
      const merged = withMergedCues(review(), [a, { ...c, start: 2, end: 3.9 }, { ...b, text: "New." }]);
      expect(merged.past).toHaveLength(1);
      expect(undoStep(merged).result.cues).toEqual(CUES);
    });

    test("that have other ids have them in what can be taken back and made again, and in what is selected", () => {
      const state = undoStep(
        editCue(editCue(markTo(withSelected("a"), "b"), "b", { text: "1." }), "c", { text: "2." }),
      );
      const named = withReviewIds(
        { ...state, selectedId: "b", markedIds: ["a", "c"] },
        new Map([
          ["a", "m1"],
          ["b", "m2"],
        ]),
      );
      expect([ids(named), named.selectedId, named.markedIds]).toEqual([["m1", "m2", "c"], "m2", ["m1", "c"]]);
      expect(ids(undoStep(named))).toEqual(["m1", "m2", "c"]);
      expect(texts(undoStep(named))).toEqual(texts(review()));
      expect(texts(redoStep(named))).toEqual([a.text, "1.", "2."]);
      expect(ids(redoStep(named))).toEqual(["m1", "m2", "c"]);
    });
  });

  test("accepted cues leave the list of those not accepted", () => {
    const state = { ...toggleAccepted(withSelected("b")), filter: "unaccepted" } as const;
    expect(listedCues(state).map(({ id }) => id)).toEqual(["a", "c"]);
    expect(listedCues(acceptAll(state))).toEqual([]);
  });

  test("the list shows the cues of one rule, or all with findings", () => {
    const moved = editCue(review(), "c", { start: 7 });
    expect(listedCues({ ...moved, filter: "findings" }).map(({ id }) => id)).toEqual(["c"]);
    expect(listedCues({ ...moved, filter: "rule:pace" })).toEqual([]);
    expect([...findingsByCue(moved.result.findings).keys()]).toEqual(["c"]);
  });

  test("moving through the list stops at both ends", () => {
    expect(cueIdAfterSelected(review(), 1)).toBe("a");
    expect(cueIdAfterSelected(withSelected("a"), -1)).toBe("a");
    expect(cueIdAfterSelected(withSelected("a"), 99)).toBe("c");
  });
});

test("PANEL-33: labels count from the zero point, drop-frame", () => {
  const state = review();
  expect(timecodeOf(state, 0)).toBe("01:00:10;00");
});
