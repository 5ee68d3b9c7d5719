import { beforeEach, describe, expect, test } from "vitest";
import { ApplyController } from "../../../../panel/controllers/place/apply-controller.ts";
import type { PanelEnvironment } from "../../../../panel/session/environment.ts";
import type { EditPlan } from "../../../../src/host/edit-plan.ts";
import type { ApplyReport, HostOperation } from "../../../../src/host/host.ts";
import { readRecord } from "../../../../src/result/record.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { madeTimeline, madeTrack } from "../../../made-timeline.ts";
import { type SessionInMemory, sessionInMemory } from "../../session-in-memory.ts";

let made: SessionInMemory;
let controller: ApplyController;
let applied: EditPlan[];
/** How the host answers the next plans. */
let answer: (plan: EditPlan, operation: HostOperation) => Promise<ApplyReport>;
const DONE: ApplyReport = { outcome: "done", differences: [], markerIds: {} };
beforeEach(() => {
  applied = [];
  answer = async () => DONE;
  const editor = {
    readTimeline: async () => madeTimeline([madeTrack("audio", []), madeTrack("audio", [])]),
    apply: (plan: EditPlan, operation: HostOperation) => {
      applied.push(plan);
      return answer(plan, operation);
    },
  } as unknown as PanelEnvironment["editor"];
  made = sessionInMemory({ editor });
  controller = new ApplyController(made.session);
});

/** A plan that mutes a track, which takes one step to take back. */
const muting = (trackIndex: number): EditPlan => ({
  sequenceId: "s1",
  groups: [{ label: `mute ${trackIndex}`, steps: [{ kind: "mute-track", trackIndex, isMuted: true }] }],
});
const tracksOf = (plan: EditPlan | undefined) =>
  plan?.groups.flatMap(({ steps }) =>
    steps.map((step) => (step.kind === "mute-track" ? [step.trackIndex, step.isMuted] : [])),
  );

describe("the last plan", () => {
  test("is taken back with the record of before, as the newest one, in the project and beside it", async () => {
    const record = placedResult([], { revision: 7 });
    await controller.apply("placing", muting(0), { recordBefore: record });
    expect(made.session.state.canTakeBack).toBe(true);
    await controller.takeBack();
    expect(tracksOf(applied[1])).toEqual([[0, false]]);
    const beside = [...made.files.texts].find(([path]) => path.endsWith(".record.txt"))?.[1];
    for (const text of [applied[1]?.note?.text, beside])
      expect(readRecord(text ?? "")).toMatchObject({ ok: true, record: { revision: 9 } });
    expect(made.session.state.canTakeBack).toBe(false);
    // There is nothing more to take back.
    await controller.takeBack();
    expect(applied).toHaveLength(2);
  });

  test("takes the place of the one before, or goes on with it: then both are taken back, the last one first", async () => {
    await controller.apply("one", muting(0), {});
    await controller.apply("two", muting(1), {});
    await controller.takeBack();
    expect(applied.slice(2).map(tracksOf)).toEqual([[[1, false]]]);
    applied.length = 0;
    const told: string[] = [];
    await controller.apply("one", muting(0), { takenBack: async () => void told.push("one") });
    await controller.apply("two", muting(1), { continues: true, takenBack: async () => void told.push("two") });
    await controller.takeBack();
    expect(applied.slice(2).map(tracksOf)).toEqual([[[1, false]], [[0, false]]]);
    expect(told).toEqual(["two", "one"]);
  });

  test("that fails half way can be taken back once more from there on", async () => {
    await controller.apply("one", muting(0), {});
    await controller.apply("two", muting(1), { continues: true });
    answer = async (plan) => {
      if (JSON.stringify(tracksOf(plan)) === "[[0,false]]") throw new Error("busy");
      return DONE;
    };
    await expect(controller.takeBack()).rejects.toThrow("busy");
    expect(made.session.state.canTakeBack).toBe(true);
    answer = async () => DONE;
    applied.length = 0;
    await controller.takeBack();
    expect(applied.map(tracksOf)).toEqual([[[0, false]]]);
  });

  test("of several things that fails half way is taken back from there on, all that is left of it", async () => {
    const told: string[] = [];
    await controller.apply("one", muting(0), {});
    await controller.apply("two", muting(1), { continues: true });
    controller.onTakeBack(async () => { told.push("own"); return []; }, { continues: true }); // biome-ignore format: one line
    answer = () => Promise.reject(new Error("busy"));
    await expect(controller.takeBack()).rejects.toThrow("busy");
    answer = async () => DONE;
    applied.length = 0;
    await controller.takeBack();
    expect([applied.map(tracksOf), told]).toEqual([[[[1, false]], [[0, false]]], ["own"]]);
  });

  test("is taken back in a way of its own, beside what is said to stay", async () => {
    await controller.apply("one", muting(0), {});
    controller.onTakeBack(async () => ["stays"], { continues: true });
    await controller.takeBack();
    expect(applied).toHaveLength(2);
    expect(made.session.state.message?.details).toEqual(["stays"]);
    controller.onTakeBack(async () => []);
    await controller.takeBack();
    expect(applied).toHaveLength(2);
  });

  test("has something more done after all of its plans", async () => {
    const told: string[] = [];
    controller.afterTakingBack(async () => void told.push("nothing was done"));
    await controller.apply("one", muting(0), { takenBack: async () => void told.push("one") });
    await controller.apply("two", muting(1), { continues: true, takenBack: async () => void told.push("two") });
    controller.afterTakingBack(async () => void told.push("more"));
    await controller.takeBack();
    expect(told).toEqual(["two", "one", "more"]);
  });
});

describe("work on the timeline", () => {
  test("is shown while it lasts, is one at a time for who asks, and is over however it ends", async () => {
    const held = Promise.withResolvers<ApplyReport>();
    answer = (_, { onProgress }) => {
      onProgress?.({ fraction: 0.5 });
      return held.promise;
    };
    const applying = controller.apply("placing", muting(0), {});
    await made.rest();
    expect([made.session.state.placing, controller.isUnderWay]).toEqual([{ what: "placing", fraction: 0.5 }, true]);
    await controller.takeBack();
    expect(applied).toHaveLength(1);
    held.reject(new Error("no sequence"));
    await expect(applying).rejects.toThrow("no sequence");
    expect([made.session.state.placing, controller.isUnderWay, made.session.state.canTakeBack]).toEqual([
      null,
      false,
      false,
    ]);
  });

  test("that was stopped is told by its signal, and what came of it in part is told and can be taken back", async () => {
    answer = async (_, { signal }) => {
      controller.stop();
      return { ...DONE, outcome: signal.aborted ? "partial" : "done", differences: ["one is missing"] } as ApplyReport;
    };
    const { isDone } = await controller.apply("placing", muting(0), { details: ["more"] });
    expect(isDone).toBe(false);
    expect(made.session.state.message).toMatchObject({
      isFault: true,
      details: ["one is missing", "more"],
      remedies: ["copy-report"],
    });
    expect(made.session.state.canTakeBack).toBe(true);
  });

  test("for good takes nothing of the last plan's way back", async () => {
    await controller.apply("one", muting(0), {});
    await controller.applyForGood("two", muting(1));
    applied.length = 0;
    await controller.takeBack();
    expect(applied.map(tracksOf)).toEqual([[[0, false]]]);
  });
});
