import { describe, expect, test } from "vitest";
import { FIRST_FORM } from "../../../panel/state/form.ts";
import { openReview } from "../../../panel/state/opened-review.ts";
import {
  acceptAll,
  cueIdAfterSelected,
  deleteSelected,
  editCue,
  findingsByCue,
  listedCues,
  mergeSelectedWithNext,
  nudgeSelected,
  type ReviewState,
  redoEdit,
  secondsFromTyped,
  selectCue,
  splitSelected,
  timecodeOf,
  toggleAccepted,
  undoEdit,
} from "../../../panel/state/review-state.ts";
import type { Cue } from "../../../src/core/cue.ts";
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
    const undone = undoEdit(moved);
    expect(undone.result.cues).toEqual(CUES);
    expect(undone.result.findings).toEqual([]);
    expect(redoEdit(undone).result).toEqual(moved.result);
  });

  test("an edit that cannot be is refused and changes nothing", () => {
    expect(() => editCue(review(), "a", { text: "  " })).toThrow(RangeError);
    expect(() => editCue(review(), "a", { end: 1 })).toThrow(RangeError);
  });

  test("deleting selects the cue that takes the place", () => {
    const state = deleteSelected(withSelected("b"));
    expect(texts(state)).toEqual(["A woman sits at a desk.", "Rain."]);
    expect(state.selectedId).toBe("c");
    expect(deleteSelected(withSelected("c")).selectedId).toBe("b");
  });

  test("a cue is split where the cursor stands, or near its middle", () => {
    expect(texts(splitSelected(withSelected("a"), 8)).slice(0, 2)).toEqual(["A woman", "sits at a desk."]);
    expect(texts(splitSelected(withSelected("a"), 0)).slice(0, 2)).toEqual(["A woman sits", "at a desk."]);
  });

  test("a cue is joined to the next; the last one stays", () => {
    expect(texts(mergeSelectedWithNext(withSelected("a")))[0]).toBe("A woman sits at a desk. She opens a letter.");
    expect(texts(mergeSelectedWithNext(withSelected("c")))).toEqual(texts(review()));
  });

  test("nudging moves by whole frames of the sequence", () => {
    const { result: nudged } = nudgeSelected(withSelected("b"), "both", 1);
    const cue = nudged.cues.find(({ id }) => id === "b");
    expect(((cue?.start ?? 0) * 30_000) / 1001).toBeCloseTo(Math.round((4.5 * 30_000) / 1001) + 1, 6);
    expect(cue?.end).toBeGreaterThan(6);
  });

  test("accepted cues leave the list of those not accepted", () => {
    const state = { ...toggleAccepted(review(), "b"), filter: "unaccepted" } as const;
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

test("PANEL-33: labels count from the zero point, drop-frame, and typed ones are read back", () => {
  const state = review();
  expect(timecodeOf(state, 0)).toBe("01:00:10;00");
  expect(secondsFromTyped(state, "01:00:10;15")).toBeCloseTo((15 * 1001) / 30_000, 3);
  expect(secondsFromTyped(state, "soon")).toBeNull();
});
