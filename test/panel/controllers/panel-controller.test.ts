import { describe, expect, test, vi } from "vitest";
import { PanelController } from "../../../panel/controllers/panel-controller.ts";
import type { PanelEnvironment } from "../../../panel/session/environment.ts";
import { openReview } from "../../../panel/state/opened-review.ts";
import type { JobEntry } from "../../../panel/state/saved.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { jobEntry, sessionInMemory } from "../session-in-memory.ts";

const cue = (text: string) => ({ id: "a", start: 1, end: 2, text });

/** A panel that is opened over a history, newest first, whose results say the name of their run. */
async function opened(jobs: readonly JobEntry[], { active = "s1", lost = [] as readonly string[] } = {}) {
  const reading = {
    projectId: async () => "project",
    readSequence: async () => ({ ...jobEntry().sequence, id: active }),
    restoreRange: async (): Promise<void> => undefined,
  };
  const { session } = sessionInMemory({ editor: reading as unknown as PanelEnvironment["editor"] });
  for (const { runId } of jobs) {
    const { placed: _, ...result } = placedResult([cue(runId)], { runId });
    if (!lost.includes(runId)) await session.library.saveResult(result);
  }
  session.store.set({ jobs });
  const conformController = { glance: async (): Promise<void> => undefined };
  const settingsController = { lookAgain: async () => undefined };
  const parts = { conformController, settingsController } as unknown as ConstructorParameters<
    typeof PanelController
  >[1];
  return { session, controller: new PanelController(session, parts), editor: reading, conformController };
}

describe("a panel that is opened again", () => {
  const other = { ...jobEntry().sequence, id: "s2" };

  test.each<[string, readonly JobEntry[], { active?: string; lost?: readonly string[] }, string | undefined]>([
    ["the newest of several", [jobEntry({ runId: "new" }), jobEntry({ runId: "old" })], {}, "new"],
    ["no other sequence's", [jobEntry({ runId: "new", sequence: other }), jobEntry({ runId: "old" })], {}, "old"],
    ["that of a copy", [jobEntry({ runId: "of-copy", copyId: "copy" })], { active: "copy" }, "of-copy"],
    ["not one that failed", [jobEntry({ runId: "new", state: "failed" }), jobEntry({ runId: "old" })], {}, "old"],
    ["not one that is lost", [jobEntry({ runId: "new" }), jobEntry({ runId: "old" })], { lost: ["new"] }, "old"],
    ["no other project's", [jobEntry({ runId: "new", projectId: "another" })], {}, undefined],
    [
      "that which was voiced anew",
      [jobEntry({ runId: "voicing", voices: "old" }), jobEntry({ runId: "old" })],
      { lost: ["voicing"] },
      "old",
    ],
    ["none where nothing was described", [], {}, undefined],
  ])("has the last result of the sequence under review: %s", async (_, jobs, how, runId) => {
    const { session, controller } = await opened(jobs, how);
    await controller.readSequence();
    expect(session.state.review?.result.runId).toBe(runId);
    expect(session.state.review?.result.cues[0]?.text).toBe(runId);
    expect(session.state.view).toBe("describe");
  });

  test("leaves what is under review, whichever sequence is in front", async () => {
    const { session, controller } = await opened([jobEntry({ runId: "new" })]);
    const review = openReview(placedResult([cue("kept")]), jobEntry({ sequence: other }));
    session.store.set({ review });
    await controller.readSequence();
    expect(session.state.review).toBe(review);
  });
});

test("what a closed panel left behind is put back before the sequence is read, and its cut is looked at once its result is there", async () => {
  const { session, controller, editor, conformController } = await opened([jobEntry({ runId: "new" })]);
  const done: string[] = [];
  /** Notes that something has come to its end, some turns after it was asked for: what is first takes longest. */
  const later = (turns: number, what: () => string) => async () => {
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    done.push(what());
  };
  const { readSequence } = editor;
  editor.restoreRange = later(40, () => "range back");
  vi.spyOn(session.narration, "putBack").mockImplementation(later(10, () => "narration heard"));
  editor.readSequence = async () => {
    done.push("sequence read");
    return await readSequence();
  };
  conformController.glance = later(5, () => `cut of ${session.state.review?.result.runId}`);
  await controller.readSequence();
  expect(done).toEqual(["range back", "narration heard", "sequence read", "cut of new"]);
});

test("setting up a model opens the settings at the part of who describes, once", async () => {
  const { session, controller } = await opened([]);
  session.store.set({ openSections: ["more"] });
  controller.setUpModel();
  controller.setUpModel();
  expect(session.state).toMatchObject({ view: "connect", openSections: ["more", "settings-describer"] });
});
