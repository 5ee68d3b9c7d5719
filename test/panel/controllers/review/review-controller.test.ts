import { beforeEach, describe, expect, test } from "vitest";
import { PlayheadController } from "../../../../panel/controllers/review/playhead-controller.ts";
import { ReviewController } from "../../../../panel/controllers/review/review-controller.ts";
import type { PanelEnvironment } from "../../../../panel/session/environment.ts";
import { openReview } from "../../../../panel/state/opened-review.ts";
import { editCue } from "../../../../panel/state/review-edits.ts";
import type { Cue } from "../../../../src/core/cue.ts";
import type { Result } from "../../../../src/result/result.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { jobEntry, type SessionInMemory, sessionInMemory } from "../../session-in-memory.ts";

const CUES: readonly Cue[] = Array.from({ length: 40 }, (_, index) => ({
  id: `c${index}`,
  start: index + 0.5,
  end: index + 1,
  text: `Line ${index}.`,
}));

let made: SessionInMemory;
let controller: ReviewController;
/** Where the playhead was moved, and to which sequence; and where it stands. */
let moved: (readonly [string, number])[];
let playhead: () => Promise<number>;
let written: string[];
beforeEach(() => {
  moved = [];
  written = [];
  playhead = async () => 0;
  const editor = {
    movePlayhead: async (id: string, seconds: number) => void moved.push([id, seconds]),
    playhead: () => playhead(),
  } as unknown as PanelEnvironment["editor"];
  made = sessionInMemory({ editor });
  controller = new ReviewController(made.session, (id) => void written.push(id));
});

const reviewOf = (runId: string, change: Partial<Result> = {}) =>
  openReview(placedResult(CUES, { runId, ...change }), jobEntry({ runId }));

/** The words of a cue as they stand on disk; `null` where nothing of the run does. */
function saved(runId: string, id = "c0"): string | null {
  const text = made.files.texts.get(`/panel/results/${runId}.result.json`);
  if (text === undefined) return null;
  return JSON.parse(text).value.cues.find((cue: Cue) => cue.id === id)?.text;
}
const write = (text: string) => controller.change((review) => editCue(review, "c0", { text }));
const pass = async (milliseconds: number) => {
  await made.clock.pass(milliseconds);
  await made.rest();
};

describe("an edit", () => {
  test("is on disk half a second after the last one, once", async () => {
    made.session.store.set({ review: reviewOf("a") });
    write("One.");
    await pass(499);
    expect(saved("a")).toBeNull();
    write("Two.");
    await pass(499);
    expect(saved("a")).toBeNull();
    await pass(1);
    expect(saved("a")).toBe("Two.");
    // The result, and what can be undone of it.
    expect(made.files.written).toHaveLength(2);
    expect(made.clock.sleeping).toBe(0);
  });

  test("that changes nothing of the result saves nothing", async () => {
    made.session.store.set({ review: reviewOf("a") });
    controller.change((review) => ({ ...review, scrollTop: 10 }));
    await pass(1_000);
    expect(made.files.written).toEqual([]);
  });

  test("that cannot be is told, and what was there stays and is not saved", async () => {
    made.session.store.set({ review: reviewOf("a") });
    write("  ");
    expect(made.session.state.message).toMatchObject({ isFault: true });
    expect(made.session.state.review?.result.cues).toEqual(CUES);
    await pass(1_000);
    expect(saved("a")).toBeNull();
  });

  test("of a result that was left before it was saved is saved with it, beside the one that is shown now", async () => {
    made.session.store.set({ review: reviewOf("a") });
    write("Of the first.");
    // As a job's result takes its place.
    made.session.store.set({ review: reviewOf("b") });
    await pass(500);
    expect([saved("a"), saved("b")]).toEqual(["Of the first.", "Line 0."]);
  });

  test("is saved before another result is opened, and the one that is opened again has it", async () => {
    const { session } = made;
    session.store.set({ review: reviewOf("a"), jobs: [jobEntry({ runId: "a" }), jobEntry({ runId: "b" })] });
    await session.library.saveResult(placedResult(CUES, { runId: "b" }));
    write("Before.");
    await controller.open("b");
    expect([saved("a"), session.state.review?.result.runId]).toEqual(["Before.", "b"]);
    await controller.open("a");
    expect(session.state.review?.result.cues[0]?.text).toBe("Before.");
  });

  test("made while a slow save runs is on disk after it", async () => {
    made.session.store.set({ review: reviewOf("a") });
    const held: (() => void)[] = [];
    made.files.mayWrite = () => new Promise((go) => void held.push(go));
    write("Slow.");
    await pass(500);
    write("Meanwhile.");
    controller.typing("c1", "Still being typed.");
    await pass(500);
    while (held.length > 0) {
      for (const go of held.splice(0)) go();
      await made.rest();
    }
    expect([saved("a"), saved("a", "c1")]).toEqual(["Meanwhile.", "Still being typed."]);
  });

  test("is saved at once where the panel goes", async () => {
    made.session.store.set({ review: reviewOf("a") });
    write("Last.");
    controller.close();
    await made.rest();
    expect([saved("a"), made.clock.sleeping]).toEqual(["Last.", 0]);
    controller.close();
    await made.rest();
    expect(made.files.written).toHaveLength(2);
  });
});

describe("words that are being typed", () => {
  test("are on disk before they are an edit, and are one edit when they are taken", async () => {
    made.session.store.set({ review: reviewOf("a") });
    controller.typing("c1", "Half a");
    controller.typing("c1", "Half a word");
    await pass(500);
    expect([saved("a", "c1"), made.session.state.review?.past]).toEqual(["Half a word", []]);
    made.session.commitTyped();
    expect(made.session.state.review?.past).toHaveLength(1);
    expect(written).toEqual(["c1"]);
    expect(made.session.state.typed).toBeNull();
  });

  test("of a result that was left go to it and to no other, though another has a cue of that name", async () => {
    made.session.store.set({ review: reviewOf("a") });
    controller.typing("c0", "Of the first.");
    made.session.store.set({ review: reviewOf("b") });
    controller.commit();
    await pass(500);
    expect([saved("a"), saved("b"), made.session.state.typed]).toEqual(["Of the first.", "Line 0.", null]);
  });

  test("that are no words keep the save of all else from nothing", async () => {
    made.session.store.set({ review: reviewOf("a") });
    write("Kept.");
    controller.typing("c1", "  ");
    await pass(500);
    expect([saved("a"), saved("a", "c1")]).toEqual(["Kept.", "Line 1."]);
  });

  test("as they were are no edit", () => {
    made.session.store.set({ review: reviewOf("a") });
    controller.typing("c1", "Line 1.");
    controller.commit();
    expect([made.session.state.review?.past, written]).toEqual([[], []]);
  });
});

describe("the playhead", () => {
  const OFFSET = 100;
  const follow = () => new PlayheadController(made.session, controller);

  test("goes to the start of a cue on the clock of its sequence, wherever the programme begins there", async () => {
    made.session.store.set({ review: reviewOf("a", { offsetSeconds: OFFSET }) });
    controller.select("c7", false);
    await made.rest();
    expect(moved).toEqual([["s1", OFFSET + 7.5]]);
  });

  test("is shown on the clock of the programme, and the list follows it", async () => {
    made.session.store.set({ review: reviewOf("a", { offsetSeconds: OFFSET }) });
    playhead = async () => OFFSET + 39;
    await follow().look();
    expect(made.session.state.playhead).toBe(39);
    expect(made.session.state.review?.scrollTop).toBeGreaterThan(0);
    // Before the programme nothing is told: the list stands at its beginning or stays.
    playhead = async () => OFFSET - 5;
    await follow().look();
    expect(made.session.state.playhead).toBe(-5);
  });

  test("moves the list for nobody who writes", async () => {
    playhead = async () => 39;
    made.session.store.set({ review: { ...reviewOf("a"), isOpen: true } });
    await follow().look();
    expect(made.session.state.review?.scrollTop).toBe(0);
    made.session.store.set({ review: reviewOf("a"), playhead: null });
    controller.typing("c0", "Words");
    await follow().look();
    expect(made.session.state.review?.scrollTop).toBe(0);
  });

  test("of a result that was left meanwhile moves nothing, and a sequence that is closed has none", async () => {
    made.session.store.set({ review: reviewOf("a"), playhead: 3 });
    playhead = async () => {
      made.session.store.set({ review: reviewOf("b") });
      return 39;
    };
    await follow().look();
    expect([made.session.state.playhead, made.session.state.review?.scrollTop]).toEqual([3, 0]);
    playhead = () => Promise.reject(new Error("closed"));
    await follow().look();
    expect(made.session.state.playhead).toBeNull();
  });
});
