import { beforeEach, describe, expect, test } from "vitest";
import { AuditionController, type LineController } from "../../../../panel/controllers/review/audition-controller.ts";
import type { ProgrammeSoundController } from "../../../../panel/controllers/review/programme-sound-controller.ts";
import { SignOffController } from "../../../../panel/controllers/review/sign-off-controller.ts";
import type { PanelEnvironment } from "../../../../panel/session/environment.ts";
import { openReview } from "../../../../panel/state/opened-review.ts";
import type { Cue } from "../../../../src/core/cue.ts";
import type { Result } from "../../../../src/result/result.ts";
import { signOffState } from "../../../../src/result/sign-off.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { madeTimeline } from "../../../made-timeline.ts";
import { jobEntry, type SessionInMemory, sessionInMemory } from "../../session-in-memory.ts";

const CUES: readonly Cue[] = ["a", "b", "c"].map((id, index) => ({
  id,
  start: 10 * index + 5,
  end: 10 * index + 8,
  text: id,
}));

let made: SessionInMemory;
let moved: (readonly [string, number])[];
let stopped: number;
beforeEach(() => {
  moved = [];
  stopped = 0;
  const editor = {
    readSequence: async () => jobEntry().sequence,
    readTimeline: async () => madeTimeline([]),
    readNote: async () => null,
    movePlayhead: async (id: string, seconds: number) => void moved.push([id, seconds]),
  } as unknown as PanelEnvironment["editor"];
  const player = { play: async () => undefined, stop: () => void stopped++ };
  made = sessionInMemory({ editor, player });
});
const show = (change: Partial<Result> = {}) =>
  made.session.store.set({
    jobs: [jobEntry()],
    review: openReview(placedResult(CUES, change), jobEntry()),
    reviewer: "Ann",
  });
const onDisk = (): Result =>
  JSON.parse(made.files.texts.get("/panel/results/run-1.result.json") ?? '{"value":{}}').value;

describe("signing a result off", () => {
  const sign = (waiting: () => Promise<void> = async () => undefined) =>
    new SignOffController(made.session, waiting).sign();

  test.each([
    [[], false],
    [["a", "b"], false],
    [["a", "b", "c"], true],
    [["a", "b", "c", "of a line that is gone"], true],
  ])("with %j accepted: %s", async (acceptedIds, isSigned) => {
    show({ acceptedIds });
    await sign();
    expect(made.session.state.review?.result.signOff !== undefined).toBe(isSigned);
    expect(made.session.state.message?.isFault).toBe(!isSigned);
    expect(onDisk().signOff?.name).toBe(isSigned ? "Ann" : undefined);
  });

  test("without a line, or without a name, signs nothing", async () => {
    made.session.store.set({ review: openReview(placedResult([]), jobEntry()), reviewer: "Ann" });
    await sign();
    show({ acceptedIds: ["a", "b", "c"] });
    made.session.store.set({ reviewer: "  " });
    await sign();
    expect([made.session.state.review?.result.signOff, made.files.texts.size]).toEqual([undefined, 0]);
  });

  test("is kept with what waited to be saved, and not written over by it", async () => {
    show({ acceptedIds: ["a", "b", "c"] });
    const saved: string[] = [];
    await sign(async () => {
      // The older state goes to disk first.
      const result = made.session.state.review?.result;
      if (result !== undefined) await made.session.library.saveResult(result);
      saved.push(result?.signOff === undefined ? "unsigned" : "signed");
    });
    expect([saved, onDisk().signOff?.name]).toEqual([["unsigned"], "Ann"]);
  });

  test("says when it was, by the clock, and holds for these cues; taken back it is gone, on disk too", async () => {
    show({ acceptedIds: ["a", "b", "c"] });
    await sign();
    const signed = made.session.state.review?.result.signOff;
    expect(JSON.stringify(signed)).toContain("2026-01-01T00:00:00.000Z");
    expect([signOffState(signed, CUES), signOffState(signed, CUES.slice(1))]).toEqual(["valid", "void"]);
    await new SignOffController(made.session, async () => undefined).withdraw();
    expect([made.session.state.review?.result.signOff, onDisk().signOff]).toEqual([undefined, undefined]);
  });

  test("goes to the result that was signed, though another one is shown by then", async () => {
    show({ acceptedIds: ["a", "b", "c"] });
    const { library } = made.session;
    const save = library.saveResult.bind(library);
    library.saveResult = async (result) => {
      await save(result);
      made.session.store.set({ review: openReview(placedResult(CUES, { runId: "another" }), jobEntry()) });
    };
    await sign();
    expect([onDisk().signOff?.name, made.session.state.review?.result.signOff]).toEqual(["Ann", undefined]);
  });
});

describe("listening to a cue", () => {
  /** Lines that need as long as a test says to be voiced. */
  const listener = (voice: LineController["voice"] = async () => true) =>
    new AuditionController(
      made.session,
      { of: async () => null } as unknown as ProgrammeSoundController,
      { voice } as unknown as LineController,
    );

  test("moves the playhead to two seconds before it, on the clock of the sequence, and not before the programme", async () => {
    show({ offsetSeconds: 100 });
    await listener().toggle(CUES[1] as Cue);
    await listener().toggle({ id: "early", start: 1, end: 2, text: "x" });
    expect(moved).toEqual([
      ["s1", 113],
      ["s1", 100],
    ]);
    expect(made.session.state.listening).toBeNull();
  });

  test("a second time ends it, also while its line is still being voiced; what came too late is not played", async () => {
    show();
    const voiced = Promise.withResolvers<boolean>();
    const audition = listener(() => voiced.promise);
    const [cue] = CUES as [Cue];
    const first = audition.toggle(cue);
    expect(made.session.state.listening).toBe("a");
    await audition.toggle(cue);
    expect(made.session.state.listening).toBeNull();
    voiced.resolve(true);
    await first;
    expect([moved, stopped]).toEqual([[], 2]);
  });

  test("of a result that was left meanwhile plays nothing, and another wish stays as it is", async () => {
    show();
    const voiced = Promise.withResolvers<boolean>();
    const audition = listener(({ id }) => (id === "a" ? voiced.promise : new Promise(() => undefined)));
    const [first, second] = CUES as [Cue, Cue];
    const left = audition.toggle(first);
    void audition.toggle(second);
    voiced.resolve(true);
    await left;
    expect([moved, made.session.state.listening]).toEqual([[], "b"]);
  });
});
