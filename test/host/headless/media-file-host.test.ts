import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import type { Timeline } from "../../../src/core/timeline.ts";
import { nodeFiles } from "../../../src/host/headless/files.ts";
import { MediaFileHost, type ProgrammeFile, type TimelineFile } from "../../../src/host/headless/media-file-host.ts";
import { HostError } from "../../../src/host/host-error.ts";
import { planPlacement } from "../../../src/workflow/place/place.ts";
import { silentWav } from "../../fakes/wav.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

let folder: string;
let programme: ProgrammeFile;
beforeEach(async () => {
  folder = await temporaryFolder();
  const path = join(folder, "Harbour v7.final.mp4");
  await writeFile(path, "film");
  programme = {
    path,
    contentType: "video/mp4",
    durationSeconds: 60,
    rate: frameRate(25),
    isDropFrame: false,
    startFrame: 90_000,
    frameSize: { width: 1920, height: 1080 },
    hasVideo: true,
    audioChannels: 6,
    audioSampleRate: 48_000,
  };
});

const operation = { signal: new AbortController().signal };
const jsonFile = (): TimelineFile => ({
  path: join(folder, "timeline.json"),
  write: (timeline) => JSON.stringify(timeline),
  read: (text) => JSON.parse(text) as Timeline,
});
const hostWith = (timelineFiles: TimelineFile[]) => new MediaFileHost({ programme, files: nodeFiles, timelineFiles });
const CUES = [
  { id: "cue-0001", start: 1, end: 2, text: "She sits." },
  { id: "cue-0002", start: 5, end: 7, text: "He waits." },
];

async function placement(host: MediaFileHost) {
  const wav = join(folder, "narration.wav");
  await writeFile(wav, silentWav(60, 1));
  const audio = { path: wav, clipName: "narration.wav", durationSeconds: 60 };
  return planPlacement({ sequence: await host.readSequence(), offsetSeconds: 0, cues: CUES, audio });
}

describe("a media file as a sequence", () => {
  test("is exported as it is, and no part of it; one that has gone is told", async () => {
    const host = hostWith([]);
    expect(await host.exportSequence({ range: "whole" }, operation)).toEqual({
      ...{ path: programme.path, contentType: "video/mp4", sizeBytes: 4 },
      ...{ durationSeconds: 60, offsetSeconds: 0, isTemporary: false },
    });
    const unchanged = { operation: "export the sequence", state: "nothing was changed" };
    await expect(host.exportSequence({ range: { start: 1, end: 2 } }, operation)).rejects.toMatchObject({
      ...{ code: "export_failed", message: '"Harbour v7.final.mp4" is a file: no part of it can be exported' },
      ...unchanged,
    });
    await rm(programme.path);
    await expect(host.exportSequence({ range: "whole" }, operation)).rejects.toMatchObject({
      ...{ code: "file_not_found", message: '"Harbour v7.final.mp4" no longer exists' },
      ...unchanged,
    });
  });

  test("has the file's name, rate, zero point and length", async () => {
    expect(await hostWith([]).readSequence()).toEqual({
      id: pathToFileURL(programme.path).href,
      name: "Harbour v7.final",
      rate: frameRate(25),
      isDropFrame: false,
      startFrame: 90_000,
      durationSeconds: 60,
    });
  });

  test("has one clip on V1 and on A1, from the first frame to the last", async () => {
    const { tracks, markers, frameSize } = await hostWith([]).readTimeline();
    expect(tracks.map(({ kind, name, clips }) => [kind, name, clips.length])).toEqual([
      ["video", "V1", 1],
      ["audio", "A1", 1],
    ]);
    expect(tracks[0]?.clips[0]).toMatchObject({
      start: 0,
      end: 60,
      sourceStart: 0,
      source: { location: pathToFileURL(programme.path).href, audioChannels: 6, startFrame: 90_000 },
    });
    expect(markers).toEqual([]);
    expect(frameSize).toEqual({ width: 1920, height: 1080 });
  });

  test("has no track for what the file lacks", async () => {
    programme = { ...programme, audioChannels: 0 };
    expect((await hostWith([]).readTimeline()).tracks.map(({ kind }) => kind)).toEqual(["video"]);
  });

  test("is exported as the file itself, which nobody may delete afterwards", async () => {
    expect(await hostWith([]).exportSequence({ range: "whole" }, operation)).toEqual({
      path: programme.path,
      contentType: "video/mp4",
      sizeBytes: 4,
      durationSeconds: 60,
      offsetSeconds: 0,
      isTemporary: false,
    });
    await rm(programme.path);
    await expect(hostWith([]).exportSequence({ range: "whole" }, operation)).rejects.toMatchObject({
      code: "file_not_found",
    });
  });
});

describe("applying a plan", () => {
  test("PANEL-28 PANEL-30: writes one marker per cue and the sound on a track of its own, and reads it back", async () => {
    const host = hostWith([jsonFile()]);
    const report = await host.apply(await placement(host), operation);
    expect(report).toEqual({
      outcome: "done",
      differences: [],
      markerIds: { "cue-0001": "cue-0001", "cue-0002": "cue-0002" },
    });
    const written = JSON.parse(await readFile(join(folder, "timeline.json"), "utf8")) as Timeline;
    expect(written.markers.map(({ start, end, comment }) => [start, end, comment])).toEqual([
      [1, 2, "She sits.\nAD·cue-0001"],
      [5, 7, "He waits.\nAD·cue-0002"],
    ]);
    expect(written.tracks.map(({ name }) => name)).toEqual(["V1", "A1", "Audio description"]);
    expect(written.tracks[2]?.clips).toMatchObject([
      { start: 0, end: 60, source: { audioChannels: 1, audioSampleRate: 48_000, hasVideo: false } },
    ]);
    expect(await host.readTimeline()).toEqual(written);
  });

  test("to a copy writes files of its own, which go with it", async () => {
    const other = { ...jsonFile(), path: join(folder, "other.json") };
    const host = hostWith([jsonFile(), other]);
    const plan = await placement(host);
    await host.apply(plan, operation);
    const before = (await readdir(folder)).sort();
    const { id } = await host.copySequence({ sequenceId: plan.sequenceId, name: "Held" }, operation);
    expect(await host.apply({ ...plan, sequenceId: id }, operation)).toMatchObject({ outcome: "done" });
    const others = ["Held", "Held"].map((name) => host.copySequence({ sequenceId: plan.sequenceId, name }, operation));
    expect((await Promise.all(others.map(async (other) => (await other).name))).sort()).toEqual(["Held 2", "Held 3"]);
    await host.openSequence(id);
    expect(await readdir(folder)).toHaveLength(before.length + 2);
    const removal = { asLeft: await host.readTimeline(), opensInstead: plan.sequenceId };
    expect(await host.removeSequence(id, removal)).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(before);
  });

  test("PANEL-32: tells what a file does not say", async () => {
    const forgetful: TimelineFile = {
      ...jsonFile(),
      read: (text) => {
        const timeline = JSON.parse(text) as Timeline;
        return { ...timeline, markers: timeline.markers.slice(1), tracks: timeline.tracks.slice(0, 2) };
      },
    };
    const host = hostWith([forgetful]);
    const { outcome, differences } = await host.apply(await placement(host), operation);
    expect(outcome).toBe("partial");
    expect(differences).toContain("timeline.json: 1 markers instead of 2");
    expect(differences).toContain("timeline.json: a clip is missing");
  });

  test.each([
    [{ kind: "remove-marker", cueId: "x", markerId: "x" }],
    [{ kind: "mute-track", trackIndex: 7, isMuted: true }],
  ] as const)("PANEL-32: an impossible step leaves everything as it was (%j)", async (step) => {
    const host = hostWith([jsonFile()]);
    const plan = await placement(host);
    const groups = [...plan.groups, { label: "Impossible", steps: [step] }];
    await expect(host.apply({ ...plan, groups }, operation)).rejects.toBeInstanceOf(HostError);
    expect((await host.readTimeline()).markers).toEqual([]);
    expect(await nodeFiles.size(join(folder, "timeline.json"))).toBeNull();
  });

  test("refuses a sound file that is none", async () => {
    const host = hostWith([]);
    const plan = await placement(host);
    await writeFile(join(folder, "narration.wav"), "page");
    await expect(host.apply(plan, operation)).rejects.toMatchObject({ code: "file_unreadable" });
  });
});
