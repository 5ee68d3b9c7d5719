import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ExportRange } from "../../../src/host/host.ts";
import { exportSequence } from "../../../src/host/premiere/export-sequence.ts";
import type { PresetFile } from "../../../src/host/preset-files.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { MemoryWorld } from "../../fakes/premiere/memory-world.ts";
import { SAMPLE_SEQUENCE_ID, type SampleOptions, sampleProject } from "../../fakes/premiere/sample-project.ts";
import { openSample } from "./open-premiere.ts";

const OURS: PresetFile = { name: "Aside proxy", path: "/plugin/proxy.epr", origin: "ours", isProven: false };
const SYSTEM: PresetFile = { name: "Match Source", path: "/system/match.epr", origin: "system", isProven: true };
const SOUND: PresetFile = { name: "Sound", path: "/plugin/wav.epr", origin: "ours", isProven: false };

function open(
  faults: Partial<Faults> = {},
  sample: SampleOptions = {},
  present: readonly PresetFile[] = [OURS, SYSTEM],
) {
  const world = new MemoryWorld();
  for (const preset of present) world.files.set(preset.path, { size: 1, facts: null });
  const clock = new InstantClock();
  const premiere = openSample(sample, { world, faults });
  const controller = new AbortController();
  const kept: string[] = [];
  // Kept on a disk, which takes a moment.
  const worked = (path: string) => new Promise<void>((done) => setImmediate(() => done(void kept.push(path))));
  const run = (range: ExportRange = "whole", preset?: string, content?: "sound") =>
    exportSequence(
      {
        premiere: premiere.module,
        clock,
        files: world,
        presets: { list: async () => [OURS, SYSTEM, SOUND], worked },
        newFile: async (extension) => `/aside/export-1.${extension}`,
      },
      { range, ...(preset === undefined ? {} : { preset }), ...(content === undefined ? {} : { content }) },
      { signal: controller.signal },
    );
  return { world, clock, premiere, controller, worked: kept, run };
}

describe("exportSequence", () => {
  test.each(["commit", "await"] as const)(
    "PANEL-05 PANEL-06: exports the whole sequence from 0, when handles expire at each %s",
    async (staleness) => {
      const { world, premiere, run } = open({ staleness });
      expect(await run()).toEqual({
        path: "/aside/export-1.mp4",
        contentType: "video/mp4",
        sizeBytes: world.files.get("/aside/export-1.mp4")?.size,
        durationSeconds: 60,
        offsetSeconds: 0,
        isTemporary: true,
        layout: [
          expect.objectContaining({ kind: "video", start: 0, end: 60 }),
          expect.objectContaining({ kind: "audio", start: 0, end: 60 }),
          expect.objectContaining({ kind: "audio", file: "music.wav", start: 0.4, end: 60 }),
        ],
      });
      expect(world.orders[0]).toMatchObject({ presetPath: OURS.path, start: 0n });
      expect(premiere.events.size).toBe(0);
    },
  );

  test("PANEL-05 PANEL-06: exports from in to out, and keeps where the file begins", async () => {
    const { run } = open({}, { inFrame: 250, outFrame: 1000 });
    expect(await run("in-to-out")).toMatchObject({ offsetSeconds: 10, durationSeconds: 30 });
  });

  test("exports the whole sequence although in and out are set", async () => {
    const { world, run } = open({}, { inFrame: 250, outFrame: 1000 });
    expect(await run("whole")).toMatchObject({ offsetSeconds: 0, durationSeconds: 60 });
    expect(world.orders[0]?.end).toBe(1500n * 10_160_640_000n);
  });

  test("takes the next preset when Premiere cannot read ours", async () => {
    const { world, run } = open({}, {}, [SYSTEM]);
    await run();
    expect(world.orders[0]?.presetPath).toBe(SYSTEM.path);
  });

  test("takes the next preset by itself when an export by one fails, and remembers what worked", async () => {
    const { world, worked, run } = open({ failingPreset: OURS.path });
    expect(await run()).toMatchObject({ path: "/aside/export-1.mp4", durationSeconds: 60 });
    expect(world.orders.map(({ presetPath }) => presetPath)).toEqual([SYSTEM.path]);
    expect(worked).toEqual([SYSTEM.path]);
    await run("whole", OURS.name);
    expect(worked).toEqual([SYSTEM.path, SYSTEM.path]);
  });

  test("takes no other preset in the place of one that the user brought", async () => {
    const { world, worked, run } = open({ failingPreset: "/mine/own.epr" });
    world.files.set("/mine/own.epr", { size: 1, facts: null });
    await expect(run("whole", "/mine/own.epr")).rejects.toMatchObject({ code: "export_failed" });
    expect([world.orders, worked]).toEqual([[], []]);
  });

  test("takes the preset asked for, by name or by path", async () => {
    const { world, run } = open();
    await run("whole", "Match Source");
    world.files.set("/mine/own.epr", { size: 1, facts: null });
    await run("whole", "/mine/own.epr");
    expect(world.orders.map((order) => order.presetPath)).toEqual([SYSTEM.path, "/mine/own.epr"]);
  });

  test("exports the sound alone as WAV, whatever the preset of the video", async () => {
    const { world, run } = open({}, { inFrame: 250, outFrame: 1000 }, [OURS, SOUND]);
    expect(await run("in-to-out", OURS.name, "sound")).toMatchObject({
      path: "/aside/export-1.wav",
      contentType: "audio/wav",
      offsetSeconds: 10,
      durationSeconds: 30,
    });
    expect(world.orders[0]?.presetPath).toBe(SOUND.path);
  });

  test("says so where no preset makes WAV", async () => {
    const { world, run } = open();
    await expect(run("whole", undefined, "sound")).rejects.toMatchObject({ code: "file_not_found" });
    expect(world.orders).toEqual([]);
  });

  test("a sound of another length than the range is refused and removed", async () => {
    const { world, run } = open({}, {}, [OURS, SOUND]);
    world.rendersSeconds = 12;
    await expect(run("whole", undefined, "sound")).rejects.toMatchObject({
      code: "export_failed",
      message: expect.stringContaining("12.0 s long instead of 60.0 s"),
    });
    expect(world.files.has("/aside/export-1.wav")).toBe(false);
  });

  test("waits until Premiere is done and the file keeps its size for two looks a second apart", async () => {
    const { clock, run } = open();
    await run();
    expect(clock.sleeps.filter((ms) => ms === 1000).length).toBeGreaterThanOrEqual(3);
  });

  const faults: [Partial<Faults>, string, string][] = [
    [{ export: "disk full" }, "disk_full", "There is not enough room on the disk"],
    [{ export: "true without a file" }, "export_failed", "there is no file"],
    [{ export: "empty file" }, "export_failed", "the file is empty"],
    [{ export: "cancelled" }, "export_failed", "was cancelled there, or refused"],
    [{ export: "fails" }, "export_failed", "Premiere could not export the sequence: Export failed"],
    [{ export: "wrong length" }, "export_failed", "The export is 30.0 s long instead of 60.0 s"],
  ];
  test.each(faults)("PANEL-07: tells %j apart", async (fault, code, words) => {
    const { premiere, run } = open(fault);
    const failure = run();
    await expect(failure).rejects.toMatchObject({ name: "HostError", code });
    await expect(failure).rejects.toThrow(words);
    expect(premiere.events.size).toBe(0);
  });

  test("PANEL-07: tells a file that goes on growing apart", async () => {
    const { world, run } = open();
    let size = 1000;
    const growing = Object.assign(world, { size: async () => size++ });
    expect(growing).toBe(world);
    await expect(run()).rejects.toThrow("its file is still growing");
  });

  test("PANEL-07: says that no preset can be read, and which one when it was chosen", async () => {
    const none = open({}, {}, []);
    await expect(none.run()).rejects.toMatchObject({ code: "file_not_found" });
    await expect(none.run("whole", "/gone.epr")).rejects.toThrow('cannot read the export preset "/gone.epr"');
    const sound = open({}, {}, [SOUND]);
    await expect(sound.run("whole", "Sound")).rejects.toThrow("hold no picture to describe");
  });

  test("PANEL-02: names the clip whose media is offline, and exports nothing", async () => {
    const { world, run } = open({}, { isOffline: true });
    await expect(run()).rejects.toThrow('The media of "harbour.mp4" is offline.');
    expect(world.orders).toEqual([]);
  });

  test("PANEL-02: says that the sequence is empty, and exports nothing", async () => {
    const { world, premiere, run } = open();
    premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Clear", (sequence) => ({
      ...sequence,
      videoTracks: [],
      audioTracks: [],
    }));
    await expect(run()).rejects.toMatchObject({ code: "sequence_empty" });
    expect(world.orders).toEqual([]);
  });

  test("stops waiting within a second of a cancel, and removes what Premiere still writes", async () => {
    const { world, controller, run } = open();
    let finish = () => undefined as undefined;
    const rendered = new Promise<void>((resolve) => {
      finish = () => {
        world.files.set("/aside/export-1.mp4", { size: 9, facts: null });
        resolve();
      };
    });
    const cancelled = new Error("cancelled");
    const render = () => {
      // Cancelled once Premiere has begun.
      setTimeout(() => controller.abort(cancelled), 5);
      return rendered;
    };
    Object.assign(world, { render });
    const exporting = run();
    await expect(exporting).rejects.toBe(cancelled);
    finish();
    await expect.poll(() => world.files.has("/aside/export-1.mp4")).toBe(false);
  });
});

const FRAME = 10_160_640_000n;

describe("what is exported", () => {
  test("media that is offline is in the way where it is shown in the range, and nowhere else", async () => {
    const kinds = fc.constantFrom("videoTracks", "audioTracks");
    await fc.assert(
      fc.asyncProperty(
        fc.nat(6),
        fc.integer({ min: 1, max: 4 }),
        kinds,
        fc.nat(5),
        async (from, length, kind, flags) => {
          const { world, premiere, run } = open({}, { inFrame: 50, outFrame: 100, isOffline: true });
          const [isDisabled, isMuted] = [flags === 1, flags === 2];
          premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Cut", (one) => {
            const [start, end] = [from, from + length].map((step) => BigInt(step) * 25n * FRAME);
            const track = (one[kind] ?? [])[0];
            const items = (track?.items ?? []).map((item) => ({ ...item, start, end, isDisabled }) as typeof item);
            const music = one.audioTracks.slice(1);
            const offline = track === undefined ? [] : [{ ...track, items, isMuted }];
            return kind === "videoTracks"
              ? { ...one, videoTracks: offline, audioTracks: music }
              : { ...one, videoTracks: [], audioTracks: [...offline, ...music] };
          });
          const isShown = from < 4 && from + length > 2 && !isDisabled && !isMuted;
          const exported = await run("in-to-out").catch((error: unknown) => error);
          if (isShown) expect(exported).toMatchObject({ code: "file_not_found", state: "nothing was exported" });
          else expect(exported).toMatchObject({ offsetSeconds: 2, durationSeconds: 2 });
          expect(world.orders).toHaveLength(isShown ? 0 : 1);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("media that is offline is found on every track, wherever it lies there", async () => {
    for (const isBehind of [true, false]) {
      const { world, premiere, run } = open({}, { isOffline: true });
      premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Cut", (one) => {
        const [offline, music] = one.audioTracks;
        const cut = (track: typeof offline, start: bigint) =>
          (track?.items ?? []).map((item) => ({ ...item, start: start * FRAME, end: (start + 100n) * FRAME }));
        const [first, second] = [cut(music, 0n), cut(offline, 200n)];
        const items = isBehind ? [[...first, ...second]] : [first, second];
        const audioTracks = one.audioTracks.flatMap((track, index) => {
          return items[index] === undefined ? [] : [{ ...track, items: items[index], transitions: [] }];
        });
        return { ...one, videoTracks: [], audioTracks };
      });
      await expect(run()).rejects.toThrow('The media of "harbour.mp4" is offline.');
      expect(world.orders).toEqual([]);
    }
  });

  test.each([
    [{ inFrame: 250 }, 10, 50],
    [{ outFrame: 250 }, 0, 10],
    [{ inFrame: 250, outFrame: 275 }, 10, 1],
    [{}, 0, 60],
  ])("from in to out with %j it begins at %d s and lasts %d s", async (points, offsetSeconds, durationSeconds) => {
    expect(await open({}, points).run("in-to-out")).toMatchObject({ offsetSeconds, durationSeconds });
  });

  test("nothing between in and out is told, and nothing exported", async () => {
    for (const points of [{ inFrame: 250, outFrame: 250 }, { inFrame: 251, outFrame: 250 }, { inFrame: 1500 }]) {
      const { world, run } = open({}, points);
      await expect(run("in-to-out")).rejects.toMatchObject({
        code: "sequence_empty",
        operation: "export the sequence",
        state: "nothing was exported",
        message: expect.stringMatching(/^Between in and out point of "Harbour_v7" there is nothing/),
        tried: [
          expect.stringMatching(/^Sequence\.getEndTime answered \d+ ticks$/),
          expect.stringMatching(/^Sequence\.getInPoint answered \d+ ticks$/),
          expect.stringMatching(/^Sequence\.getOutPoint answered (?:\d+ ticks|that it is not set)$/),
        ],
      });
      expect(world.orders).toEqual([]);
    }
  });

  test.each([
    [25n, 0.2],
    [10n, 0.3],
  ])(
    "at %d frames a second a file may be off by so much, and is removed where it is more: %d s",
    async (rate, most) => {
      for (const [seconds, isTaken] of [
        [60 + most - 0.01, true],
        [60 - most + 0.01, true],
        [60 + most + 0.01, false],
        [60 - most - 0.01, false],
      ] as const) {
        const { world, premiere, run } = open();
        premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Rate", (one) => ({
          ...one,
          ticksPerFrame: 254_016_000_000n / rate,
        }));
        world.rendersSeconds = seconds;
        const said = await run().catch((error: unknown) => error);
        if (isTaken) expect(said).toMatchObject({ durationSeconds: 60 });
        else expect(said).toMatchObject({ code: "export_failed", state: "the file was removed" });
        expect(world.files.has("/aside/export-1.mp4")).toBe(isTaken);
      }
    },
  );

  test("an older file of that name is never taken for the export", async () => {
    const { world, run } = open({ export: "true without a file" });
    world.files.set("/aside/export-1.mp4", { size: 9, facts: null });
    await expect(run()).rejects.toThrow("there is no file");
  });

  test("an export that was done is done, though the preset that worked cannot be remembered", async () => {
    const { world, premiere } = open();
    const exported = exportSequence(
      {
        premiere: premiere.module,
        clock: new InstantClock(),
        files: world,
        presets: { list: async () => [OURS], worked: () => Promise.reject(new Error("the disk is full")) },
        newFile: async () => "/aside/export-3.mp4",
      },
      { range: "whole" },
      { signal: new AbortController().signal },
    );
    expect(await exported).toMatchObject({ path: "/aside/export-3.mp4" });
  });

  test("a person who cancels is asked for no other preset; nor is one whose disk is full", async () => {
    for (const fault of ["cancelled", "disk full"] as const) {
      const { premiere, clock, run } = open();
      let asked = 0;
      const manager = premiere.module.EncoderManager.getManager();
      const exportOne = async () => {
        asked += 1;
        await clock.sleep(5000);
        if (fault === "disk full") throw new Error("no space left");
        return false;
      };
      Object.defineProperty(premiere.module.EncoderManager, "getManager", {
        value: () => ({ isAMEInstalled: manager.isAMEInstalled, exportSequence: exportOne }),
      });
      await expect(run()).rejects.toMatchObject({ code: fault === "disk full" ? "disk_full" : "export_failed" });
      expect(asked).toBe(1);
    }
  });
});

describe("nested sequences", () => {
  test("PANEL-02: names a clip that is offline inside a nested sequence", async () => {
    const inner = sampleProject({ isOffline: true });
    const sequence = inner.sequences.get(SAMPLE_SEQUENCE_ID);
    const nestedItem = [...inner.items.values()].find((item) => item.kind === "clip" && item.sequenceId !== undefined);
    if (sequence === undefined || nestedItem === undefined) throw new Error("the sample holds a sequence");
    const outer = {
      ...sequence,
      id: "sequence-outer",
      name: "Outer",
      audioTracks: [],
      videoTracks: sequence.videoTracks.map((track) => ({
        ...track,
        items: track.items.map((item) => ({ ...item, name: "Reel 1", itemId: nestedItem.id })),
      })),
    };
    const world = new MemoryWorld();
    world.files.set(OURS.path, { size: 1, facts: null });
    const items = new Map(inner.items).set("item-outer", {
      ...nestedItem,
      kind: "clip",
      id: "item-outer",
      name: "Outer",
      parentId: "item-root",
      mediaPath: "",
      isOffline: false,
      durationTicks: 1n,
      hasVideo: true,
      hasAudio: true,
      sequenceId: "sequence-outer",
    });
    const project = {
      ...inner,
      items,
      sequences: new Map(inner.sequences).set(outer.id, outer),
      activeSequenceId: outer.id,
    };
    const premiere = openSample({}, { project, world });
    const exporting = exportSequence(
      {
        premiere: premiere.module,
        clock: new InstantClock(),
        files: world,
        presets: { list: async () => [OURS] },
        newFile: async () => "/aside/export-2.mp4",
      },
      { range: "whole" },
      { signal: new AbortController().signal },
    );
    await expect(exporting).rejects.toThrow('The media of "harbour.mp4" in "Reel 1" is offline.');
  });
});
