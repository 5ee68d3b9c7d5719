import { describe, expect, test } from "vitest";
import { openReview } from "../../../panel/state/opened-review.ts";
import {
  editCue,
  fitChosen,
  mergeSelectedWithNext,
  nudgeChosen,
  retimeChosen,
  splitSelected,
  undoStep,
  withMergedCues,
  withVoicedLine,
} from "../../../panel/state/review-edits.ts";
import { type ReviewState, selectCue } from "../../../panel/state/review-state.ts";
import { replaceFound } from "../../../panel/state/script-rows.ts";
import type { Cue } from "../../../src/core/cue.ts";
import type { Result } from "../../../src/result/result.ts";
import { tooLongIn } from "../../../src/workflow/remedies.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { jobEntry } from "../session-in-memory.ts";

/** A pause of 1.2 s between two lines of dialogue, and a line in a pause of its own, spoken at a calm pace. */
const PAUSE = { id: "pause-0001", start: 10, end: 11.2, words: 3, hints: [] };
const LINE: Cue = { id: "a", start: 20, end: 20 + (5 * 60) / 150, text: "The boat leaves the harbour." };
const SPEECH = [
  { start: 8, end: 9.9 },
  { start: 11.6, end: 14 },
  { start: 24, end: 26 },
];

function review(change: Partial<Result> = {}): ReviewState {
  return openReview(placedResult([LINE], { toWrite: [PAUSE], speech: SPEECH, ...change }), jobEntry());
}
const EIGHT = "The old man looks at the empty sea.";
const lineOf = (state: ReviewState, id: string) => state.result.cues.find((cue) => cue.id === id);
const secondsOf = (state: ReviewState, id: string) => {
  const { start = 0, end = 0 } = lineOf(state, id) ?? {};
  return Number((end - start).toFixed(2));
};
const rules = ({ result }: ReviewState) => result.findings.map(({ rule }) => rule);
/** With a line as a service voiced it. */
function voiced(state: ReviewState, id: string, seconds: number): ReviewState {
  const cue = lineOf(state, id);
  if (cue === undefined) throw new Error(`no line ${id}`);
  const piece = { path: `/${id}.wav`, start: cue.start, durationSeconds: seconds };
  return withVoicedLine(state, { cue, settings: state.result.settings, piece, seconds, rate: 1 });
}
const byHand = (state: ReviewState) => nudgeChosen(selectCue(state, "a", true), "end", 25);

describe("a line whose times nobody set", () => {
  test("that grew out of its pause shrinks back into it with its words, voiced or not", () => {
    const long = editCue(review(), PAUSE.id, { text: EIGHT });
    expect([secondsOf(long, PAUSE.id), rules(long)]).toEqual([3.2, ["speech-overlap"]]);
    const spoken = voiced(long, PAUSE.id, 3.1);
    expect([secondsOf(spoken, PAUSE.id), rules(spoken)]).toEqual([3.1, expect.arrayContaining(["speech-overlap"])]);
    for (const grown of [long, spoken]) {
      const cut = editCue(grown, PAUSE.id, { text: "The empty sea." });
      expect(lineOf(cut, PAUSE.id)?.start).toBe(PAUSE.start);
      expect(lineOf(cut, PAUSE.id)?.end).toBeLessThanOrEqual(PAUSE.end);
      expect(rules(cut)).toEqual([]);
      // Its voice says how long it is.
      expect(secondsOf(voiced(cut, PAUSE.id, 0.9), PAUSE.id)).toBe(0.9);
    }
  });

  test("is a little faster where that fills its pause", () => {
    // Four words take 1.6 s at the pace of the others.
    const { result } = editCue(review(), PAUSE.id, {
      text: "An empty grey sea.",
    });
    expect(result.cues[0]?.end).toBeCloseTo(11.5, 6);
  });

  test("follows a replacement in many lines, and an undo brings its times back", () => {
    const replaced = replaceFound(review(), { find: "The boat leaves", replacement: "Leaving" });
    expect(secondsOf(replaced, "a")).toBe(1.2);
    expect(lineOf(undoStep(replaced), "a")).toEqual(LINE);
  });

  test("stays as it is where nobody can count its words, and where the programme is held for it", () => {
    expect(secondsOf(editCue(review(), "a", { text: "…" }), "a")).toBe(2);
    const { settings } = review().result;
    const extended = review({ track: "none", settings: { ...settings, type: "extended" } });
    expect(secondsOf(editCue(extended, "a", { text: "Leaving." }), "a")).toBe(2);
  });
});

describe("a line whose times a person set", () => {
  test.each<readonly [string, (state: ReviewState) => ReviewState | null]>([
    ["by a nudge", byHand],
    ["by a typed time", (state) => retimeChosen(selectCue(state, "a", true), "end", "+25")],
    ["on the timeline", (state) => withMergedCues(state, [{ ...LINE, end: LINE.end + 1 }])],
  ])("%s keeps them when its words change and when it is voiced", (_, set) => {
    const timed = set(review()) ?? review();
    const end = lineOf(timed, "a")?.end ?? 0;
    expect(end).toBeCloseTo(LINE.end + 1, 1);
    const cut = editCue(timed, "a", { text: "It leaves." });
    expect(lineOf(cut, "a")?.end).toBe(end);
    expect(lineOf(voiced(cut, "a", 0.6), "a")?.end).toBe(end);
  });

  test("is too long for its pause by its words, however short it was made", () => {
    const short = retimeChosen(selectCue(review(), "a", true), "end", "00:00:21:00") ?? review();
    const worded = editCue(short, "a", {
      text: "The boat leaves the harbour at night and nobody waves from the quay.",
    });
    expect(secondsOf(worded, "a")).toBe(1);
    expect(tooLongIn(worded.result, ["a"], new Map())).toEqual([{ cueId: "a", missing: expect.closeTo(1.3, 6) }]);
  });

  test("fits its pause when it is asked to, and follows its words from then on; undone, it is as it was set", () => {
    const cut = editCue(byHand(review()), "a", { text: "It leaves." });
    const fitted = fitChosen(cut);
    expect(secondsOf(fitted, "a")).toBe(0.8);
    expect(secondsOf(editCue(fitted, "a", { text: "It leaves now." }), "a")).toBe(1.2);
    expect(undoStep(fitted).result).toEqual(cut.result);
    expect(secondsOf(editCue(undoStep(fitted), "a", { text: "Gone." }), "a")).toBe(secondsOf(cut, "a"));
  });

  test("begins earlier where it fits its pause so alone", () => {
    const longer = retimeChosen(selectCue(review(), "a", true), "end", "00:00:25:00");
    const moved = longer === null ? null : retimeChosen(longer, "start", "00:00:23:00");
    if (moved === null) throw new Error("no time");
    const { start = 0, end = 0 } = lineOf(fitChosen(moved), "a") ?? {};
    expect(end).toBeCloseTo(23.9, 6);
    expect(end - start).toBeCloseTo(LINE.end - LINE.start, 6);
  });

  test("passes that on to both parts of a split, and to what it is merged into", () => {
    const parts = splitSelected(byHand(review()), 8);
    expect(parts.result.timedIds).toEqual(["a", "a-2"]);
    const joined = mergeSelectedWithNext(parts);
    expect(joined.result.timedIds).toContain("a");
    const alone = nudgeChosen(selectCue(splitSelected(selectCue(review(), "a", true), 8), "a-2", false), "end", 1);
    expect(mergeSelectedWithNext(selectCue(alone, "a", false)).result.timedIds).toContain("a");
  });
});
