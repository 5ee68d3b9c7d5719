import { describe, expect, test } from "vitest";
import type { ExportRequest, QueuedExport } from "../../../src/host/host.ts";
import { waitForQueued } from "../../../src/host/premiere/encoder-queue.ts";
import { PremiereHost } from "../../../src/host/premiere/premiere-host.ts";
import type { PresetFile } from "../../../src/host/preset-files.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { MemoryWorld, movieHeader } from "../../fakes/premiere/memory-world.ts";
import { SAMPLE_SEQUENCE_ID } from "../../fakes/premiere/sample-project.ts";
import { openSample } from "./open-premiere.ts";

const PRESET: PresetFile = { name: "Aside proxy", path: "/plugin/proxy.epr", origin: "ours", isProven: false };
const PATH = "/aside/export-1.mp4";

function open(encoder: Faults["encoder"], faults: Partial<Faults> = {}, clock = new InstantClock()) {
  const world = new MemoryWorld();
  let made = 0;
  world.files.set(PRESET.path, { size: 1, facts: null });
  const premiere = openSample({}, { world, faults: { encoder, ...faults } });
  const host = new PremiereHost({
    premiere: premiere.module,
    clock,
    files: world,
    presets: { list: async () => [PRESET] },
    newFile: async () => `/aside/export-${++made}.mp4`,
  });
  const controller = new AbortController();
  const notices: string[] = [];
  const fractions: number[] = [];
  const queued: QueuedExport[] = [];
  const run = (request: Partial<ExportRequest> = {}) =>
    host.exportSequence(
      { range: "whole", by: "encoder", ...request },
      {
        signal: controller.signal,
        onProgress: ({ fraction }) => void (fraction !== undefined && fractions.push(fraction)),
        onQueued: async (one) => void queued.push(one),
        onNotice: (sentence) => void notices.push(sentence),
      },
    );
  return { world, premiere, host, clock, controller, fractions, queued, notices, run };
}

describe("an export in Media Encoder's queue", () => {
  test("brings what an export in Premiere brings, with its percentage, and leaves no listener behind", async () => {
    const { host, premiere, world, fractions, queued, run } = open("works");
    expect(await host.hasEncoder()).toBe(true);
    const beside = await run();
    expect(fractions).toContain(0.25);
    const { sizeBytes, ...promised } = beside;
    expect(queued).toEqual([promised]);
    expect(premiere.events.size).toBe(0);
    expect(world.orders).toHaveLength(1);
    const inside = await host.exportSequence({ range: "whole" }, { signal: new AbortController().signal });
    expect({ ...inside, path: PATH }).toEqual(beside);
    expect(sizeBytes).toBeGreaterThan(0);
  });

  test("needs no handle that lasts longer than a wait", async () => {
    const { run } = open("works", { staleness: "await" });
    expect(await run()).toMatchObject({ path: PATH, durationSeconds: 60 });
  });

  test("is told by its own events alone: a job that the editor queues at that moment leaves it without a percentage", async () => {
    const { fractions, run } = open("crowded");
    expect(await run()).toMatchObject({ path: PATH, durationSeconds: 60 });
    expect(fractions).toEqual([]);
  });

  test("is not done because another job is, nor as far as that one", async () => {
    const { fractions, run } = open("joined");
    expect(await run()).toMatchObject({ path: PATH });
    expect(fractions).not.toContain(0.9);
  });

  test("is done when the queue names its file, alone or among others, and not when it names those", async () => {
    for (const [outputFiles, isDone] of [
      [["/aside/other.mp4", PATH], true],
      [[PATH, "/aside/other.mp4"], true],
      [["/aside/other.mp4", "/aside/another.mp4"], false],
    ] as const) {
      const { clock, controller, premiere, world } = open("paused");
      const wait = { premiere: premiere.module, clock, files: world, path: PATH, durationSeconds: 60 };
      // No length is stated in it: the queue alone tells that it is whole.
      world.files.set(PATH, { size: 70, facts: null });
      const waiting = waitForQueued(wait, { signal: controller.signal });
      premiere.events.send(premiere.module.Constants.EncoderEvent.RENDER_COMPLETE, { jobID: 3, outputFiles });
      if (!isDone) setTimeout(() => controller.abort(new Error("enough")), 20);
      if (isDone) expect(await waiting).toBe(70);
      else await expect(waiting).rejects.toThrow("enough");
      expect(premiere.events.size).toBe(0);
    }
  });

  test("is found by its file where no event ever comes", async () => {
    const { run } = open("silent");
    expect(await run()).toMatchObject({ path: PATH, durationSeconds: 60 });
  });

  test.each([
    ["absent", /no Media Encoder that this Premiere can use/],
    ["refuses", /did not take the export/],
    ["fails", /could not export the sequence \(error -1609629695\)/],
    ["cancelled", /was cancelled in Media Encoder/],
  ] as const)("that is %s ends with a sentence", async (encoder, sentence) => {
    const { premiere, run } = open(encoder);
    await expect(run()).rejects.toMatchObject({ code: "export_failed", message: expect.stringMatching(sentence) });
    expect(premiere.events.size).toBe(0);
  });

  test("is not offered by a Premiere that cannot tell the queue to begin", async () => {
    const { host } = open("works", { version: "26.2" });
    expect(await host.hasEncoder()).toBe(false);
  });

  test("that never begins is made by Premiere itself after two minutes, into another file, and that is said", async () => {
    const { clock, premiere, notices, run } = open("paused");
    expect(await run()).toMatchObject({ path: "/aside/export-2.mp4", durationSeconds: 60 });
    expect(clock.now()).toBeGreaterThanOrEqual(120_000);
    expect(notices).toEqual([
      expect.stringMatching(/^Media Encoder did not begin the export, so Premiere exports it\./),
    ]);
    expect(premiere.events.size).toBe(0);
  });

  test("that never begins is given up at two minutes of its own, and the error tells them in seconds", async () => {
    const { clock, premiere, world: files, controller } = open("paused", {}, new InstantClock(86_400_000));
    const wait = { premiere: premiere.module, clock, files, path: PATH, durationSeconds: 60 };
    await expect(waitForQueued(wait, { signal: controller.signal })).rejects.toMatchObject({
      tried: ["EncoderManager.startBatchEncode began nothing in 120 s"],
    });
    expect(clock.sleeps).toEqual(Array.from({ length: 120 }, () => 1000));
    expect(premiere.events.size).toBe(0);
  });

  test("that was queued before the panel closed, and never began, is made by Premiere itself", async () => {
    const { notices, world, run } = open("paused");
    const queued = { path: PATH, contentType: "video/mp4", durationSeconds: 60, offsetSeconds: 0, isTemporary: true };
    expect(await run({ queued })).toMatchObject({ path: PATH });
    expect(notices).toHaveLength(1);
    expect(world.orders).toHaveLength(1);
  });

  test("that never begins is waited for no longer than somebody waits", async () => {
    const { controller, premiere, run } = open("paused");
    const waiting = run();
    setTimeout(() => controller.abort(new Error("enough")), 5);
    await expect(waiting).rejects.toThrow("enough");
    expect(premiere.events.size).toBe(0);
  });

  test("tells of the cut as it was queued, whatever is edited while it is made", async () => {
    const { premiere, queued, run } = open("works");
    const exported = run();
    await expect.poll(() => queued.length).toBe(1);
    premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Cut", (sequence) => ({ ...sequence, videoTracks: [] }));
    expect((await exported).layout?.filter(({ kind }) => kind === "video")).toHaveLength(1);
  });

  test("that was queued before the panel closed is found again, whole, and nothing is exported anew", async () => {
    const { clock, world, run } = open("works");
    const queued = { path: PATH, contentType: "video/mp4", durationSeconds: 60, offsetSeconds: 0, isTemporary: true };
    const waiting = run({ queued });
    const bytes = movieHeader(60);
    world.files.set(PATH, { size: bytes.byteLength, facts: null, bytes });
    expect(await waiting).toEqual({ ...queued, sizeBytes: bytes.byteLength });
    expect(world.orders).toEqual([]);
    // Seen once, and five times more at the same size.
    expect(clock.sleeps).toHaveLength(1 + 5);
  });

  test("takes no stretch: in and out stand while one is exported, and the editor would be in the way", async () => {
    const { premiere, queued, run } = open("works");
    await run({ range: { start: 10, end: 20 } });
    expect(queued).toEqual([]);
    expect(premiere.events.size).toBe(0);
  });
});
