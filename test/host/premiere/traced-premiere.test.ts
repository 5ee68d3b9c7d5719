import type { Project } from "@adobe/premierepro";
import { describe, expect, test } from "vitest";
import { Learnt } from "../../../src/host/learnt.ts";
import { clipsOn } from "../../../src/host/premiere/answers.ts";
import { openSequence } from "../../../src/host/premiere/open-sequence.ts";
import {
  callLines,
  callOf,
  changesAskedFrom,
  lastAnswered,
  learntOf,
  traced,
} from "../../../src/host/premiere/traced-premiere.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import type { Faults, Otherwise } from "../../fakes/premiere/faults.ts";
import { otherwise } from "../../fakes/premiere/otherwise.ts";
import { SAMPLE_SEQUENCE_ID } from "../../fakes/premiere/sample-project.ts";
import { SetClock } from "../../fakes/set-clock.ts";
import { openSample } from "./open-premiere.ts";

const REFERENCE = { projectId: "project-sample", sequenceId: SAMPLE_SEQUENCE_ID };

function open(members: Readonly<Record<string, Otherwise>> = {}, faults: Partial<Faults> = {}) {
  const double = openSample({}, { faults });
  const premiere = traced(otherwise(double.module, double.machine));
  const project = () => premiere.Project.getActiveProject();
  // Asked once, so that the double knows which members answer by a promise.
  const well = async () => {
    const opened = await openSequence(premiere, REFERENCE);
    await premiere.Markers.getMarkers(opened.sequence);
    await opened.project.getSequences();
    await (await project()).getActiveSequence();
    Object.assign(double.faults, { members });
  };
  return { double, premiere, project, well };
}

/** How the ways to a sequence were asked, a line each. */
const changesOf = (lines: readonly string[]) => lines.filter((line) => /^Project\.get\w*Sequences? /.test(line));

/** What is known of the call behind a failure. */
async function failure(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return callOf(error);
  }
  return "no failure";
}

describe("the member behind a failure", () => {
  test.each<[Otherwise, string]>([
    ["refuses", "raised"],
    ["missing", "missing"],
  ])("is named where it %s", async (how, kind) => {
    const { premiere, project, well } = open({ "Project.getSequences": how, "Sequence.getEndTime": how });
    await well();
    const active = await project();
    expect(await failure(() => active.getSequences())).toEqual({ member: "Project.getSequences", kind });
    const { sequence } = await openSequence(premiere, REFERENCE);
    expect(await failure(() => sequence.getEndTime())).toEqual({ member: "Sequence.getEndTime", kind });
  });

  test("is named with what gave the object that lacks it", async () => {
    const { premiere, well } = open({ "Markers.getMarkers": "another shape" });
    await well();
    const { sequence } = await openSequence(premiere, REFERENCE);
    const markers = await premiere.Markers.getMarkers(sequence);
    expect(() => markers.createAddMarkerAction("x")).toThrow(
      "there is no Markers.createAddMarkerAction in what Markers.getMarkers gave",
    );
  });

  test("is named where it gives a value of another kind, but for a box around the right one", async () => {
    const boxed = open({ "Sequence.getTimebase": "another shape", "Sequence.name": "another shape" });
    await boxed.well();
    const { sequence } = await openSequence(boxed.premiere, REFERENCE);
    expect([await sequence.getTimebase(), sequence.name]).toEqual(["10160640000", "Harbour_v7"]);
    const none = open({ "Sequence.name": "nothing" });
    await none.well();
    const opened = await openSequence(none.premiere, REFERENCE);
    expect(await failure(() => opened.sequence.name)).toEqual({ member: "Sequence.name", kind: "misshapen" });
  });

  test("is named where it answers by a promise inside a lock, in which nothing can be waited for", async () => {
    const { project, well } = open({ "Project.guid": "later" });
    await well();
    const active = await project();
    expect(await failure(() => active.lockedAccess(() => void active.guid))).toEqual({
      member: "Project.guid",
      kind: "late",
    });
  });

  test("is named where it never answers, after as long as is waited for", async () => {
    const { premiere, project, well } = open({ "Project.getActiveSequence": "never" });
    await well();
    const active = await project();
    // From here on: an answer that comes would race a clock on which ninety seconds are over at once.
    const clock = new InstantClock();
    traced(premiere, { limit: { clock, milliseconds: 90_000 } });
    await expect(active.getActiveSequence()).rejects.toThrow("Project.getActiveSequence did not answer within 90 s");
    expect(clock.sleeps).toContain(90_000);
  });

  test("is waited for no longer once it has answered, or has failed", async () => {
    for (const members of [{}, { "Project.getActiveSequence": "refuses" }] as const) {
      const { premiere, project, well } = open(members);
      await well();
      const active = await project();
      const clock = new SetClock();
      traced(premiere, { limit: { clock, milliseconds: 90_000 } });
      const answer = active.getActiveSequence();
      expect(clock.sleeping).toBe(1);
      await answer.catch(() => undefined);
      expect(clock.sleeping).toBe(0);
    }
  });

  test("is among those that answered last, where our own code stumbles over an answer", async () => {
    const { premiere, well } = open();
    await well();
    const { sequence } = await openSequence(premiere, REFERENCE);
    await sequence.getZeroPoint();
    expect(lastAnswered()[0]).toBe("Sequence.getZeroPoint");
    const four = ["getInPoint", "getOutPoint", "getEndTime", "getZeroPoint"] as const;
    for (const member of four) await sequence[member]();
    expect(lastAnswered()).toEqual([...four].reverse().map((member) => `Sequence.${member}`));
  });
});

describe("a callback of ours", () => {
  test("fails with its own error, whatever Premiere makes of it", async () => {
    const own = new Error("ours");
    const fail = () => {
      throw own;
    };
    const { project, well } = open();
    await well();
    const active = await project();
    expect(() => active.lockedAccess(fail)).toThrow(own);
    expect(callOf(own)).toBeUndefined();
    for (const native of [
      (run: () => void) => {
        try {
          run();
        } catch {
          throw new Error("Script callback failed");
        }
      },
      (run: () => void) => {
        try {
          run();
        } catch {
          // Swallowed without a word.
        }
      },
    ]) {
      const { double } = open();
      Object.defineProperty(double.module.Project, "getProject", { value: () => ({ lockedAccess: native }) });
      const premiere = traced(double.module);
      const project: Project = premiere.Project.getProject(premiere.Guid.fromString("any"));
      expect(() => project.lockedAccess(fail)).toThrow(own);
    }
  });

  test("is given all that Premiere hands to it", () => {
    const { double } = open();
    const native = (run: (...given: readonly string[]) => unknown) => run("the first", "the second");
    Object.defineProperty(double.module.Project, "getProject", { value: () => ({ lockedAccess: native }) });
    const premiere = traced(double.module);
    const heard: unknown[] = [];
    const take = (...given: readonly unknown[]) => void heard.push(...given);
    premiere.Project.getProject(premiere.Guid.fromString("any")).lockedAccess(take);
    expect(heard).toEqual(["the first", "the second"]);
  });

  test("is removed as the listener that was added", () => {
    const { double, premiere } = open();
    const listener = () => undefined;
    const name = premiere.Constants.ProjectEvent.DIRTY;
    premiere.EventManager.addGlobalEventListener(name, listener);
    expect(double.events.size).toBe(1);
    premiere.EventManager.removeGlobalEventListener(name, listener);
    expect(double.events.size).toBe(0);
  });
});

test("Premiere is traced once, is given what it gave out, and none but its constants is ever listed", async () => {
  const { premiere, well } = open();
  await well();
  expect(traced(premiere)).toBe(premiere);
  // A handle that was traced is no stranger to the double, which knows its own by identity.
  const { sequence } = await openSequence(premiere, REFERENCE);
  const clips = await clipsOn(premiere, await sequence.getAudioTrack(0));
  expect(await clips[0]?.getName()).toBe("harbour.mp4");
  expect(Object.keys(sequence)).toEqual([]);
  expect(Object.keys(premiere.Constants.MarkerColor)).toContain("MAGNETA");
});

test("what is asked is counted, and what changes something is told apart", async () => {
  const { premiere, project, well } = open({ "Project.getSequences": "refuses" });
  await well();
  const active = await project();
  await active.getSequences().catch(() => undefined);
  expect(callLines(premiere).find((line) => line.startsWith("Project.getSequences "))).toMatch(/ \d+\/1\/\d+$/);
  const asked = changesAskedFrom(premiere);
  const opened = await openSequence(premiere, REFERENCE);
  const { TickTime } = premiere;
  opened.project.lockedAccess(() => {
    opened.project.executeTransaction((compound) => {
      compound.addAction(opened.sequence.createSetInPointAction(TickTime.createWithTicks("0")));
    }, "Set");
  });
  expect(asked()).toEqual(["asked for: Sequence.createSetInPointAction 1×, Project.executeTransaction 1×"]);
});

test("what was learnt of a Premiere goes with it, however often it is traced", () => {
  const { double } = open();
  const learnt = new Learnt();
  const premiere = traced(double.module, { learnt });
  expect(learntOf(premiere)).toBe(learnt);
  expect(learntOf(traced(double.module))).toBe(learnt);
  expect(learntOf(double.module)).not.toBe(learnt);
});

describe("a sequence", () => {
  test.each<[Readonly<Record<string, Otherwise>>, string | undefined]>([
    [{}, undefined],
    [{ "Project.getSequence": "later" }, undefined],
    [{ "Project.getSequence": "another shape" }, "getSequences"],
    [{ "Project.getSequence": "refuses" }, "getSequences"],
    [{ "Project.getSequence": "missing" }, "getSequences"],
    [{ "Project.getSequence": "nothing", "Project.getSequences": "another shape" }, "getSequences"],
    [{ "Project.getSequence": "missing", "Project.getSequences": "refuses" }, "getActiveSequence"],
    [{ "Project.getProject": "missing" }, undefined],
    [{ "Project.getProject": "later", "Project.getSequence": "later" }, undefined],
  ])("is found where Premiere answers by %j, and the way is kept", async (members, way) => {
    const { premiere, well } = open(members);
    await well();
    const { project, sequence } = await openSequence(premiere, REFERENCE);
    expect([project.name, sequence.name]).toEqual(["Harbour.prproj", "Harbour_v7"]);
    expect(learntOf(premiere).recall("lookup")).toBe(way);
    // It is gone first from then on, and no other one beside it.
    const asked = changesOf(callLines(premiere));
    await openSequence(premiere, REFERENCE);
    const again = changesOf(callLines(premiere)).filter((line) => !asked.includes(line));
    expect(again.map((line) => line.split(" ")[0])).toEqual([`Project.${way ?? "getSequence"}`]);
  });

  test("is found among several, wherever it stands", async () => {
    const { double, premiere, well } = open({ "Project.getSequence": "missing" });
    const copyId = double.user.duplicateSequence(SAMPLE_SEQUENCE_ID);
    const lastId = double.user.duplicateSequence(SAMPLE_SEQUENCE_ID);
    await well();
    for (const sequenceId of [SAMPLE_SEQUENCE_ID, copyId, lastId]) {
      const { sequence } = await openSequence(premiere, { ...REFERENCE, sequenceId });
      expect(sequence.guid.toString()).toBe(sequenceId);
    }
  });

  test("is found in the active project where Premiere does not lead to it otherwise, and that way is kept", async () => {
    const { premiere, well } = open({ "Project.getProject": "refuses" });
    await well();
    const asked = () => callLines(premiere).find((line) => line.startsWith("Project.getProject "));
    await openSequence(premiere, REFERENCE);
    expect(learntOf(premiere).recall("project")).toBe("getActiveProject");
    const before = asked();
    await openSequence(premiere, REFERENCE);
    expect(asked()).toBe(before);
  });

  test("that nothing leads to is told with all that was tried; one that is gone is told as gone", async () => {
    const members = {
      "Project.getSequence": "missing",
      "Project.getSequences": "refuses",
      "Project.getActiveSequence": "nothing",
    } as const;
    const { premiere, well } = open(members);
    await well();
    await expect(openSequence(premiere, REFERENCE)).rejects.toMatchObject({
      code: "no_sequence",
      message: "Premiere answered, but without a sequence. Click into the timeline, then try again.",
      tried: [
        "there is no Project.getSequence in what Project.getProject gave",
        "Project.getSequence gave no sequence of this identity",
        'Project.getSequences raised "Invalid parameter (Project.getSequences)"',
        "Project.getSequences gave no sequence of this identity",
        "Project.getActiveSequence gave no sequence of this identity",
      ],
    });
    const gone = openSequence(open().premiere, { ...REFERENCE, sequenceId: "gone" });
    await expect(gone).rejects.toMatchObject({
      message: expect.stringContaining("no longer in the project"),
      tried: [],
    });
  });
});
