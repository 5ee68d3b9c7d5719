import { describe, expect, test } from "vitest";
import { activeSequence } from "../../../src/host/premiere/open-sequence.ts";
import { readSnapshot } from "../../../src/host/premiere/read-snapshot.ts";
import { readTimeline } from "../../../src/host/premiere/read-timeline.ts";
import { TICKS_PER_FRAME, wholeSeconds } from "../../fakes/premiere/sample-project.ts";
import type { DisplayFormat } from "../../fakes/premiere/state.ts";
import { openSample } from "./open-premiere.ts";

describe("readSnapshot", () => {
  test.each(["commit", "await"] as const)(
    "reads a sequence whole when handles expire at each %s",
    async (staleness) => {
      const premiere = openSample({ display: "25", inFrame: 100, outFrame: 900 }, { faults: { staleness } });
      const snapshot = await readSnapshot(premiere.module, await activeSequence(premiere.module));
      expect(snapshot).toMatchObject({ name: "Harbour_v7", inPoint: 100n * 10_160_640_000n, isDropFrame: false });
      expect(snapshot.audioTracks.map((track) => [track.name, track.clips.length])).toEqual([
        ["Audio 1", 1],
        ["Audio 2", 1],
      ]);
      expect(snapshot.videoTracks[0]?.clips[0]).toMatchObject({ name: "harbour.mp4", mediaPath: "/media/harbour.mp4" });
      expect(snapshot.markers).toEqual([
        expect.objectContaining({ name: "Check grade", comments: "too warm", colour: "blue", hasGuid: true }),
      ]);
      expect(premiere.machine.violations).toEqual([]);
    },
  );

  test("PANEL-01: an in point that is not set reads as none", async () => {
    const premiere = openSample();
    const snapshot = await readSnapshot(premiere.module, await activeSequence(premiere.module));
    expect([snapshot.inPoint, snapshot.outPoint]).toEqual([null, null]);
  });

  const displays: [DisplayFormat, boolean][] = [
    ["23.976", false],
    ["25", false],
    ["29.97 DF", true],
    ["29.97 NDF", false],
    ["59.94 DF", true],
    ["59.94 NDF", false],
  ];
  test.each(displays)("PANEL-01: knows whether %s drops labels", async (display, isDropFrame) => {
    for (const displayCodes of ["ExtendScript", "constants"] as const) {
      const premiere = openSample({ display }, { faults: { displayCodes } });
      const snapshot = await readSnapshot(premiere.module, await activeSequence(premiere.module));
      expect(snapshot).toMatchObject({ isDropFrame, isCountingKnown: true, ticksPerFrame: TICKS_PER_FRAME[display] });
    }
  });

  test("assumes non-drop, and says so, for a time display that no source knows", async () => {
    const premiere = openSample({ display: "29.97 DF" }, { faults: { displayCodes: "unknown" } });
    const snapshot = await readSnapshot(premiere.module, await activeSequence(premiere.module));
    expect(snapshot).toMatchObject({ isDropFrame: false, isCountingKnown: false });
  });

  test("PANEL-02: says that no project is open", async () => {
    const premiere = openSample({}, { project: null });
    await expect(activeSequence(premiere.module)).rejects.toMatchObject({ code: "no_sequence", name: "HostError" });
  });

  test("PANEL-02: says that no sequence is open", async () => {
    const premiere = openSample();
    premiere.user.activateSequence(null);
    await expect(activeSequence(premiere.module)).rejects.toThrow("No sequence is open");
  });

  test("gives markers of an older Premiere a position for an identity", async () => {
    const premiere = openSample({}, { faults: { version: "26.2" } });
    const snapshot = await readSnapshot(premiere.module, await activeSequence(premiere.module));
    expect(snapshot.markers[0]).toMatchObject({ id: `${40n * 10_160_640_000n}/0`, hasGuid: false });
  });
});

describe("readTimeline", () => {
  test("PANEL-33: counts positions from 0, and keeps the zero point for labels alone", async () => {
    const premiere = openSample({ display: "25", zeroPointTicks: wholeSeconds(3600) });
    const timeline = await readTimeline(premiere.module, await activeSequence(premiere.module));
    expect(timeline).toMatchObject({ startFrame: 90_000, rate: { numerator: 25, denominator: 1 } });
    expect(timeline.tracks.map((track) => [track.kind, track.name, track.clips[0]?.start])).toEqual([
      ["video", "Video 1", 0],
      ["audio", "Audio 1", 0],
      ["audio", "Audio 2", 0.4],
    ]);
    expect(timeline.markers[0]).toMatchObject({ start: 1.6, end: 1.6, comment: "too warm", colour: "blue" });
  });

  test("names the media of a clip, and none for a clip that is offline", async () => {
    const online = openSample();
    const offline = openSample({ isOffline: true });
    const first = async (premiere: typeof online) =>
      (await readTimeline(premiere.module, await activeSequence(premiere.module))).tracks[0]?.clips[0]?.source;
    expect(await first(online)).toMatchObject({ kind: "media", location: "/media/harbour.mp4" });
    expect(await first(offline)).toMatchObject({ kind: "media", location: null });
  });
});
