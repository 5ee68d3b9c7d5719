import { beforeEach, describe, expect, test } from "vitest";
import { BibleController, shownBible } from "../../../../panel/controllers/review/bible-controller.ts";
import { PlayheadController } from "../../../../panel/controllers/review/playhead-controller.ts";
import { ReviewController } from "../../../../panel/controllers/review/review-controller.ts";
import type { PanelEnvironment } from "../../../../panel/session/environment.ts";
import { openReview } from "../../../../panel/state/opened-review.ts";
import { editCue, toggleAccepted, toggleMuted } from "../../../../panel/state/review-edits.ts";
import { markTo } from "../../../../panel/state/review-state.ts";
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
  controller = new ReviewController(made.session, { written: (id) => void written.push(id) });
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

  test("of several results that were left before they were saved is saved with each of them", async () => {
    for (const runId of ["a", "b", "c"]) {
      made.session.store.set({ review: reviewOf(runId) });
      write(`Of ${runId}.`);
    }
    await pass(500);
    expect(["a", "b", "c"].map((runId) => saved(runId))).toEqual(["Of a.", "Of b.", "Of c."]);
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

  describe("that cannot be saved", () => {
    const refuse = () => Promise.reject(new Error("disk full"));
    const isTold = () => made.session.state.message?.isFault === true;

    test("is told, and saved by the next save of any kind", async () => {
      const saves: readonly (() => unknown)[] = [
        () => controller.save(),
        () => controller.close(),
        () => controller.open("b"),
        () => pass(500),
      ];
      for (const [index, save] of saves.entries()) {
        const { session, files } = made;
        files.texts.clear();
        session.store.set({ review: reviewOf("a"), jobs: [jobEntry({ runId: "a" }), jobEntry({ runId: "b" })] });
        await session.library.saveResult(placedResult(CUES, { runId: "b" }));
        session.store.set({ message: null });
        files.mayWrite = refuse;
        write(`Refused ${index}.`);
        await pass(500);
        expect([isTold(), saved("a")]).toEqual([true, null]);
        files.mayWrite = async () => undefined;
        if (index === 3) controller.typing("c1", "More words.");
        await save();
        await made.rest();
        expect(saved("a")).toBe(`Refused ${index}.`);
      }
    });

    test("keeps another result from being opened over it, and nothing else from being saved", async () => {
      const { session, files } = made;
      session.store.set({ review: reviewOf("a"), jobs: [jobEntry({ runId: "a" }), jobEntry({ runId: "b" })] });
      await session.library.saveResult(placedResult(CUES, { runId: "b" }));
      files.mayWrite = refuse;
      write("Of the first.");
      await pass(500);
      for (const _ of [1, 2]) await expect(controller.open("b")).rejects.toThrow("disk full");
      expect(session.state.review?.result.cues[0]?.text).toBe("Of the first.");
      // As a job's result takes its place: that one can be saved.
      session.store.set({ review: reviewOf("b") });
      controller.typing("c1", "Of the second.");
      files.writeText = async (path, text) => {
        if (path.includes("/a.")) throw new Error("refused");
        files.texts.set(path, text);
      };
      await pass(500);
      expect([isTold(), saved("a"), saved("b", "c1")]).toEqual([true, null, "Of the second."]);
      Reflect.deleteProperty(files, "writeText");
      files.mayWrite = async () => undefined;
      await controller.save();
      expect([saved("a"), saved("b", "c1")]).toEqual(["Of the first.", "Of the second."]);
    });
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

describe("undo", () => {
  const review = () => {
    const { review } = made.session.state;
    if (review === null) throw new Error("no review");
    return review;
  };
  const opened = async (change: Partial<Result> = {}) => {
    const { session } = made;
    session.store.set({ jobs: [jobEntry({ runId: "a" })], review: null });
    if (!made.files.texts.has("/panel/results/a.result.json")) {
      await session.library.saveResult(placedResult(CUES, { runId: "a", ...change }));
    }
    await controller.open("a");
  };

  test("of a mute far from the edit before it takes the mute back, and goes there", async () => {
    await opened();
    controller.select("c1", false);
    controller.change((one) => editCue(one, "c1", { text: "Edited." }));
    controller.select("c38", false);
    controller.change(toggleMuted);
    controller.select("c0", false);
    expect(review().scrollTop).toBe(0);
    controller.undo();
    expect([review().result.mutedIds, review().result.cues[1]?.text]).toEqual([undefined, "Edited."]);
    expect(review().selectedId).toBe("c38");
    expect(review().scrollTop).toBeGreaterThan(0);
    expect(moved.at(-1)).toEqual(["s1", 38.5]);
    controller.redo();
    expect(review().result.mutedIds).toEqual(["c38"]);
  });

  test("of words that are still in their field takes them back", async () => {
    await opened();
    controller.select("c1", true);
    controller.typing("c1", "Half a word");
    controller.undo();
    expect([review().result.cues[1]?.text, review().future.length, made.session.state.typed]).toEqual([
      "Line 1.",
      1,
      null,
    ]);
  });

  test("of film notes shows them, and all that was typed into a field at one visit is one step", async () => {
    await opened();
    const notes = new BibleController(made.session, controller);
    const type = (to: string) => notes.typing("bible-story", to, () => ({ part: "story", to }));
    for (const typed of ["R", "Ra", "Rain."]) type(typed);
    notes.leave();
    controller.change((one) => editCue(one, "c1", { text: "Edited." }));
    type("Rain and wind.");
    notes.leave();
    expect(review().past.map(({ action }) => action)).toEqual(["notes", "words", "notes"]);
    made.session.store.set({ view: "review" });
    controller.undo();
    expect([made.session.state.view, shownBible(made.session.state).story]).toEqual(["bible", "Rain."]);
    controller.undo();
    expect([made.session.state.view, review().selectedId]).toEqual(["review", "c1"]);
    controller.undo();
    expect([made.session.state.view, review().result.bible]).toEqual(["bible", undefined]);
  });

  test("reaches back before the panel was closed, and so does redo", async () => {
    await opened();
    controller.select("c1", false);
    controller.change(toggleAccepted);
    controller.change(toggleMuted);
    controller.undo();
    controller.close();
    await made.rest();
    await opened();
    expect(review().past.map(({ action }) => action)).toEqual(["accepted"]);
    controller.redo();
    expect(review().result.mutedIds).toEqual(["c1"]);
    controller.undo();
    controller.undo();
    expect(review().result.acceptedIds).toEqual([]);
  });

  test("of a result that was kept without its history, or was changed elsewhere since, has nothing to undo", async () => {
    await opened();
    expect([review().past, review().result.timedIds]).toEqual([[], []]);
    controller.select("c1", false);
    controller.change(toggleMuted);
    await controller.save();
    await made.session.library.saveResult(placedResult(CUES, { runId: "a", acceptedIds: ["c3"] }));
    await opened();
    expect(review().past).toEqual([]);
    made.files.texts.set("/panel/results/a.history.json", '{"version":1,"value":{"of"');
    await opened();
    expect(review().past).toEqual([]);
  });
});

describe("accepting", () => {
  /** Two lines with others right behind them; the rest has room. */
  const TIGHT = CUES.slice(0, 6).map((cue, index) =>
    index < 2 ? cue : { ...cue, start: cue.start + index, end: cue.end + index },
  );
  const PAUSE = { id: "pause-0001", start: 30, end: 32, words: 5, hints: [] };
  const open = (change: Partial<Result> = {}) => {
    const result = placedResult(TIGHT, { runId: "a", generated: null, timedIds: [], ...change });
    made.session.store.set({ review: openReview(result, jobEntry({ runId: "a" })) });
  };
  const state = () => made.session.state;

  test("a line that is too long is accepted and said to be, by the key in its words and by the button", () => {
    for (const accept of [() => controller.acceptAndGoOn("c0"), () => controller.toggleAccepted()]) {
      made.session.store.set({ message: null });
      open();
      controller.select("c0", true);
      controller.change((one) => editCue(one, "c0", { text: "The boat leaves the harbour at night again." }));
      accept();
      expect(state().review?.result.acceptedIds).toEqual(["c0"]);
      expect(state().message?.text).toMatch(/^Line 1 is accepted, but [\d.]+ s too long for its pause\.$/);
    }
    controller.toggleAccepted();
    controller.select("c5", true);
    made.session.store.set({ message: null });
    controller.toggleAccepted();
    expect([state().review?.result.acceptedIds, state().message]).toEqual([["c5"], null]);
  });

  test("all lines says how many are too long", () => {
    open();
    for (const id of ["c0", "c1"]) {
      controller.change((one) =>
        editCue(one, id, { text: "The boat leaves the harbour at night, again and again and again." }),
      );
    }
    controller.acceptAll();
    expect(state().review?.result.acceptedIds).toHaveLength(6);
    expect(state().message?.text).toMatch(/^2 of the 6 accepted lines are too long for their pauses\.$/);
  });

  test("some lines at once says how many of those are too long, whatever was accepted before", () => {
    open({ acceptedIds: ["c5"] });
    for (const id of ["c0", "c1"]) {
      controller.change((one) =>
        editCue(one, id, { text: "The boat leaves the harbour at night, again and again and again." }),
      );
    }
    controller.select("c0", false);
    controller.change((one) => markTo(one, "c2"));
    controller.toggleAccepted();
    expect(state().review?.result.acceptedIds).toEqual(["c5", "c0", "c1", "c2"]);
    expect(state().message?.text).toMatch(/^2 of the 3 accepted lines are too long for their pauses\.$/);
  });

  test("a pause without words is refused, and stays open; what is typed into it is accepted", () => {
    open({ toWrite: [PAUSE] });
    controller.select(PAUSE.id, true);
    controller.typing(PAUSE.id, "   ");
    controller.acceptAndGoOn(PAUSE.id);
    expect(state().review).toMatchObject({ selectedId: PAUSE.id, isOpen: true, result: { acceptedIds: [] } });
    expect(state().message).toMatchObject({ isFault: false, text: expect.stringContaining("no words yet") });
    controller.toggleAccepted();
    controller.acceptAll();
    expect(state().review?.result.acceptedIds).not.toContain(PAUSE.id);
    controller.typing(PAUSE.id, "Rain.");
    controller.acceptAndGoOn(PAUSE.id);
    expect(state().review?.result.acceptedIds).toContain(PAUSE.id);
  });
});

test("where the cursor was in one line says nothing of where another is split", () => {
  made.session.store.set({ review: reviewOf("a") });
  controller.select("c0", true);
  controller.noteCursor({ target: { selectionStart: 4 } } as never);
  controller.select("c1", true);
  expect(controller.cursor).toBe(0);
});
