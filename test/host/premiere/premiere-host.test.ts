import { describe, expect, test } from "vitest";
import { PremiereHost } from "../../../src/host/premiere/premiere-host.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { MemoryWorld } from "../../fakes/premiere/memory-world.ts";
import {
  SAMPLE_SEQUENCE_ID,
  type SampleOptions,
  sampleProject,
  wholeSeconds,
} from "../../fakes/premiere/sample-project.ts";
import type { ProjectState } from "../../fakes/premiere/state.ts";
import { openSample } from "./open-premiere.ts";

function open(sample: SampleOptions = {}, faults: Partial<Faults> = {}, project: ProjectState = sampleProject(sample)) {
  const world = new MemoryWorld();
  const premiere = openSample(sample, { world, faults, project });
  const host = new PremiereHost({
    premiere: premiere.module,
    clock: new InstantClock(),
    files: world,
    presets: { list: async () => [{ name: "Proxy", path: "/proxy.epr", origin: "ours", isProven: false }] },
    newFile: async () => "/aside/export.mp4",
  });
  return { premiere, host };
}

describe.each(["commit", "await"] as const)("PremiereHost, handles expiring at each %s", (staleness) => {
  test("PANEL-01: reads what the panel shows of a sequence", async () => {
    const { host } = open(
      { display: "29.97 DF", zeroPointTicks: wholeSeconds(3600), inFrame: 300, outFrame: 900, frames: 1800 },
      { staleness },
    );
    expect(await host.readSequence()).toEqual({
      id: SAMPLE_SEQUENCE_ID,
      name: "Harbour_v7",
      rate: { numerator: 30000, denominator: 1001 },
      isDropFrame: true,
      startFrame: 107_892,
      durationSeconds: (1800 * 1001) / 30000,
      inPoint: (300 * 1001) / 30000,
      outPoint: (900 * 1001) / 30000,
    });
  });

  test("PANEL-27: moves the playhead to the frame nearest to a time", async () => {
    const { host, premiere } = open({ display: "25" }, { staleness });
    await host.movePlayhead(SAMPLE_SEQUENCE_ID, 4.03);
    const sequence = premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID);
    expect(sequence.playerPosition).toBe(101n * 10_160_640_000n);
  });

  test("copies under a name that Premiere does not cut off, in two named steps", async () => {
    const { host, premiere } = open({ sequenceName: "Harbour" }, { staleness });
    const order = { sequenceId: SAMPLE_SEQUENCE_ID, name: "Harbour v2.1 – described" };
    const copy = await host.copySequence(order, { signal: new AbortController().signal });
    expect(copy.name).toBe("Harbour v2·1 – described");
    expect(premiere.machine.undoStack.map(({ label }) => label)).toEqual([
      'Copy "Harbour"',
      'Name the copy "Harbour v2·1 – described"',
    ]);
    expect(premiere.machine.violations).toEqual([]);
  });

  test("says so when Premiere does not remove a sequence, which it claims", async () => {
    const { host } = open({}, { staleness, deleteSequence: "nothing" });
    const signal = new AbortController().signal;
    const { id, name } = await host.copySequence({ sequenceId: SAMPLE_SEQUENCE_ID, name: "Copy" }, { signal });
    const removal = { asLeft: await host.readTimeline(), opensInstead: SAMPLE_SEQUENCE_ID };
    await expect(host.removeSequence(id, removal)).rejects.toMatchObject({
      code: "apply_failed",
      message: `Premiere did not remove "${name}". Delete it in the project panel.`,
    });
    expect((await host.openSequence(id)).id).toBe(id);
  });

  test("PANEL-37: keeps a note with the sequence, as one labelled step, and reads it again", async () => {
    const { host, premiere } = open({}, { staleness });
    expect(await host.readNote(SAMPLE_SEQUENCE_ID, "record")).toBeNull();
    const note = { name: "record", text: '{"version":1}', label: "Keep descriptions" };
    await host.writeNote(SAMPLE_SEQUENCE_ID, note, new AbortController().signal);
    expect(await host.readNote(SAMPLE_SEQUENCE_ID, "record")).toBe('{"version":1}');
    expect(premiere.user.undo()).toBe("Keep descriptions");
    expect(await host.readNote(SAMPLE_SEQUENCE_ID, "record")).toBeNull();
  });

  test("makes captions of what the clips' transcripts say, on the clock of the export", async () => {
    const project = sampleProject({ display: "25" });
    const media = project.items.get("item-media");
    if (media?.kind !== "clip") throw new Error("the sample holds media");
    const words = (text: string) => text.split(" ").map((word) => ({ text: word }));
    const segments = [
      { start: 1, duration: 2, words: words("Too early") },
      { start: 11.5, duration: 2, words: words("Cast <off> & go") },
      { start: 59, duration: 5, words: words("Home again") },
    ];
    const items = new Map(project.items).set(media.id, { ...media, transcript: JSON.stringify({ segments }) });
    const { host } = open({}, { staleness }, { ...project, items });
    const captions = await host.transcribedCaptions(10);
    expect(captions).toEqual({
      format: "vtt",
      content:
        "WEBVTT\n\n00:00:01.500 --> 00:00:03.500\nCast &lt;off> &amp; go\n\n00:00:49.000 --> 00:00:50.000\nHome again\n",
    });
  });

  test("finds no captions where no clip has a transcript", async () => {
    const { host } = open({}, { staleness });
    expect(await host.transcribedCaptions(0)).toBeNull();
  });
});

describe("PremiereHost", () => {
  test("hears of another sequence, and no longer once it stopped listening", async () => {
    const { host, premiere } = open();
    let calls = 0;
    const stop = host.watch(() => {
      calls += 1;
    });
    premiere.user.activateSequence(null);
    await expect.poll(() => calls).toBe(1);
    stop();
    expect(premiere.events.size).toBe(0);
  });

  test("asks a second time when a handle went stale", async () => {
    for (let at = 1; at < 12; at++) {
      const { host } = open({}, { expireAt: at });
      expect(await host.readSequence(), `at ${at}`).toMatchObject({ name: "Harbour_v7" });
    }
  });
});

test("every preset can be chosen, by its name and whether it has worked, and none tells where it lies", async () => {
  const list = [
    { name: "Proxy", path: "/proxy.epr", origin: "ours", isProven: false },
    { name: "Match Source", path: "/system/match.epr", origin: "system", isProven: true },
  ] as const;
  const host = new PremiereHost({
    premiere: openSample().module,
    clock: new InstantClock(),
    files: new MemoryWorld(),
    presets: { list: async () => list },
    newFile: async () => "/aside/export.mp4",
  });
  expect(await host.presets()).toEqual(list.map(({ name, isProven }) => ({ name, isProven })));
});

test.each([
  ["C:\\Films\\Harbour.prproj", "C:\\Films"],
  ["\\\\nas\\films\\Harbour.prproj", "\\\\nas\\films"],
])("the folder of a project on Windows, which Premiere tells with the long prefix: %s", async (path, folder) => {
  const { host } = open({ path }, { platform: "Windows" });
  expect(await host.projectFolder()).toBe(folder);
});

describe("what PremiereHost is asked for", () => {
  const signal = () => new AbortController().signal;

  test("the playhead, the project and the presets, without what concerns nobody else", async () => {
    const { host } = open();
    expect(host.markersPerUndoStep).toBe(500);
    await host.movePlayhead(SAMPLE_SEQUENCE_ID, 2);
    expect(await host.playhead(SAMPLE_SEQUENCE_ID)).toBe(2);
    await host.movePlayhead(SAMPLE_SEQUENCE_ID, -3);
    expect(await host.playhead(SAMPLE_SEQUENCE_ID)).toBe(0);
    expect(await host.projectId()).toBe("project-sample");
    expect(await host.presets()).toEqual([{ name: "Proxy", isProven: false }]);
    expect((await host.readTimeline()).tracks.map(({ kind }) => kind)).toEqual(["video", "audio", "audio"]);
  });

  test("a plan is applied at the host's own pace", async () => {
    const { host, premiere } = open();
    const steps = [1, 2, 3].map((number) => ({
      kind: "add-marker" as const,
      cueId: `c${number}`,
      start: number,
      duration: 1,
      name: `AD ${number}`,
      comment: "words",
      colour: "green" as const,
    }));
    const plan = { sequenceId: SAMPLE_SEQUENCE_ID, groups: [{ label: "Place", steps }] };
    expect(await host.apply(plan, { signal: signal() })).toMatchObject({ outcome: "done", undoSteps: 1 });
    expect(premiere.user.undo()).toBe("Place");
  });

  test("without a project each question says so, and names what was asked", async () => {
    const world = new MemoryWorld();
    const premiere = openSample({}, { world, project: null });
    const host = new PremiereHost({
      premiere: premiere.module,
      clock: new InstantClock(),
      files: world,
      presets: { list: async () => [] },
      newFile: async () => "/aside/export.mp4",
    });
    expect(await host.projectId()).toBeNull();
    const note = { name: "record", text: "x", label: "Keep" };
    const questions = [
      host.readSequence(),
      host.readTimeline(),
      host.movePlayhead(SAMPLE_SEQUENCE_ID, 1),
      host.playhead(SAMPLE_SEQUENCE_ID),
      host.restoreRange(),
      host.readNote(SAMPLE_SEQUENCE_ID, "record"),
      host.writeNote(SAMPLE_SEQUENCE_ID, note, signal()),
      host.transcribedCaptions(0),
      host.projectFolder(),
    ];
    for (const question of questions) await expect(question).rejects.toMatchObject({ code: "no_sequence" });
  });

  test("what Premiere throws becomes an error that says what was done, how things are left, and what to do", async () => {
    // A member that is no function is a Premiere of another make, and no project that was lost.
    for (const said of ["native failure", "x is not a function"]) {
      const { host, premiere } = open();
      Object.defineProperty(premiere.module.Project, "getActiveProject", {
        value: () => Promise.reject(new Error(said)),
      });
      await expect(host.readSequence()).rejects.toMatchObject({
        code: "host_failed",
        operation: "read the sequence",
        state: "nothing was changed",
        message: expect.stringContaining(
          `Premiere could not read the sequence: Project.getActiveProject raised "${said}".`,
        ),
      });
    }
  });

  test("a transaction in which Premiere's own call is no function has lost the project: only starting again helps", async () => {
    const { host, premiere } = open();
    const { getProject } = premiere.module.Project;
    Object.defineProperty(premiere.module.Project, "getProject", {
      value: (guid: Parameters<typeof getProject>[0]) =>
        new Proxy(getProject(guid), {
          get: (project, key) =>
            key === "executeTransaction"
              ? () => {
                  throw new TypeError("impl.begin is not a function");
                }
              : Reflect.get(project, key),
        }),
    });
    const note = { name: "record", text: "x", label: "Keep" };
    await expect(host.writeNote(SAMPLE_SEQUENCE_ID, note, signal())).rejects.toMatchObject({
      message: expect.stringContaining("Premiere lost its connection to the project. Save the project"),
    });
  });

  test("a note that is given up keeps nothing and says why; one that Premiere refuses says what was refused", async () => {
    const { host } = open();
    const note = { name: "record", text: "x", label: "Keep" };
    const reason = new Error("stopped");
    await expect(host.writeNote(SAMPLE_SEQUENCE_ID, note, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await host.readNote(SAMPLE_SEQUENCE_ID, "record")).toBeNull();
    for (const how of ["returns false", "throws"] as const) {
      const refusing = open({}, { transaction: { at: 1, how } });
      await expect(refusing.host.writeNote(SAMPLE_SEQUENCE_ID, note, signal())).rejects.toMatchObject(
        how === "returns false"
          ? { code: "apply_failed", operation: "Keep", state: "the step was not applied" }
          : { code: "host_failed", operation: "keep a note with the sequence", state: "nothing was changed" },
      );
      expect(await refusing.host.readNote(SAMPLE_SEQUENCE_ID, "record")).toBeNull();
    }
  });

  test("points of an export are put back while none is under way, and left alone during one", async () => {
    const { host, premiere } = open({ inFrame: 25, outFrame: 50 });
    const set = [100n, 200n].map((frame) => frame * 10_160_640_000n);
    const own = [25n, 50n].map((frame) => frame * 10_160_640_000n);
    premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Left behind", (sequence) => ({
      ...sequence,
      inPoint: set[0] ?? null,
      outPoint: set[1] ?? null,
      properties: new Map([["aside.range", [...own, ...set].join(" ")]]),
    }));
    const points = () => {
      const { inPoint, outPoint } = premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID);
      return [inPoint, outPoint];
    };
    // There is no preset on this disk, so that the export ends in an error, after it was counted.
    const exporting = host.exportSequence({ range: "whole" }, { signal: signal() }).catch((error: unknown) => error);
    await host.restoreRange();
    expect(points()).toEqual(set);
    expect(await exporting).toBeInstanceOf(Error);
    await host.restoreRange();
    expect(points()).toEqual(own);
  });
});
