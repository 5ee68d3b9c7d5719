import { expect, test } from "vitest";
import { openReview } from "../../../panel/state/opened-review.ts";
import { undoStep } from "../../../panel/state/review-edits.ts";
import { type ReviewState, selectCue } from "../../../panel/state/review-state.ts";
import type { JobEntry } from "../../../panel/state/saved.ts";
import { countFound, cuesWith, replaceFound, selectFound } from "../../../panel/state/script-rows.ts";
import type { Cue } from "../../../src/core/cue.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { placedResult } from "../../fakes/placed-result.ts";

const CUES: readonly Cue[] = [
  { id: "a", start: 1, end: 3, text: "Ann waves. Ann runs." },
  { id: "b", start: 5, end: 7, text: "Rain." },
  { id: "c", start: 9, end: 11, text: "ANN sleeps (again)." },
];

function review(): ReviewState {
  const sequence = {
    id: "s",
    name: "s",
    rate: frameRate(25, 1),
    isDropFrame: false,
    startFrame: 0,
    durationSeconds: 60,
  };
  return openReview(placedResult(CUES, { durationSeconds: 20 }), { sequence } as JobEntry);
}

const texts = (state: ReviewState) => state.result.cues.map(({ text }) => text);

test("words are found whatever their case, and signs mean themselves", () => {
  expect(cuesWith(review(), "ann").map(({ id }) => id)).toEqual(["a", "c"]);
  expect(countFound(review(), "ann")).toBe(3);
  expect(countFound(review(), "(again).")).toBe(1);
  expect(countFound(review(), ".*")).toBe(0);
  expect(countFound(review(), "")).toBe(0);
});

test("going on leads through all that was found and round again, in both directions", () => {
  const first = selectFound(review(), "ann", 1);
  expect(first.selectedId).toBe("a");
  expect(selectFound(first, "ann", 1).selectedId).toBe("c");
  expect(selectFound(selectFound(first, "ann", 1), "ann", 1).selectedId).toBe("a");
  expect(selectFound(first, "ann", -1).selectedId).toBe("c");
  expect(selectFound(first, "snow", 1)).toBe(first);
  // Of several on either side the nearest one.
  const among = (id: string) => selectCue(review(), id, false);
  expect([1, -1].map((direction) => selectFound(among("c"), ".", direction as 1 | -1).selectedId)).toEqual(["a", "b"]);
  expect([1, -1].map((direction) => selectFound(among("a"), ".", direction as 1 | -1).selectedId)).toEqual(["b", "c"]);
});

test("all are replaced in one step that can be taken back, or those of one cue", () => {
  const all = replaceFound(review(), { find: "ann", replacement: "$& Mary" });
  expect(texts(all)).toEqual(["$& Mary waves. $& Mary runs.", "Rain.", "$& Mary sleeps (again)."]);
  expect(undoStep(all).result.cues).toEqual(CUES);
  const one = replaceFound(selectCue(review(), "c", false), { find: "ann", replacement: "Mary" }, "c");
  expect(texts(one)).toEqual([CUES[0]?.text, "Rain.", "Mary sleeps (again)."]);
});

test("nothing is replaced where a cue would be left without words", () => {
  expect(() => replaceFound(review(), { find: "Rain.", replacement: "" })).toThrow(RangeError);
});
