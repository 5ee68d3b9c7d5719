import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filmOf } from "../../../src/cli/source/described-source.ts";
import { openProgramme } from "../../../src/cli/source/programme.ts";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { writeOtio } from "../../../src/formats/otio/write-otio.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../made-timeline.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const { signal } = new AbortController();

describe("a media file as a programme", () => {
  test.each([
    ["containers/sintel-5s.mp4", { contentType: "video/mp4", rate: frameRate(24), audioChannels: 2 }],
    ["containers/sintel-5s.webm", { contentType: "video/webm", rate: frameRate(24) }],
    ["containers/sintel-5s.ogv", { contentType: "video/ogg", rate: frameRate(24) }],
    ["containers/prores-422-proxy.mov", { contentType: "video/quicktime", rate: frameRate(25), audioChannels: 0 }],
    ["described/rabbit/video.mp4", { rate: frameRate(15), audioChannels: 6 }],
    ["described/chrome-fast/chrome.mp4", { rate: frameRate(30_000, 1001), isDropFrame: false }],
    ["negative/video_without_audio_stream.mp4", { audioChannels: 0 }],
  ])("%s", async (name, facts) => {
    const programme = await openProgramme(sharedMedia(name), signal);
    expect(programme).toMatchObject({ hasVideo: true, startFrame: 0, ...facts });
    expect(programme.durationSeconds).toBeGreaterThan(0.9);
  });

  test("a picture of varying rate gets one rate", async () => {
    const { rate, durationSeconds } = await openProgramme(sharedMedia("containers/cursed-vfr.mp4"), signal);
    expect(rate.numerator / rate.denominator).toBeGreaterThan(1);
    expect(durationSeconds).toBeCloseTo(8.73, 1);
  });

  test("its content counts, not its name", async () => {
    const odd = join(await temporaryFolder(), "holiday.txt");
    await copyFile(sharedMedia("containers/sintel-5s.mp4"), odd);
    expect(await openProgramme(odd, signal)).toMatchObject({ contentType: "application/octet-stream", hasVideo: true });
  });
});

describe("what is no programme", () => {
  test.each([
    "containers/sintel-5s.m4a",
    "containers/sintel-5s.flac",
    "negative/broken.mp4",
    "negative/WrongFile.mp4",
    "timecode/TimecodeTrack_23_976_Start-00-58-40-00.mov",
  ])("%s", async (name) => {
    await expect(openProgramme(sharedMedia(name), signal)).rejects.toMatchObject({
      code: "no_video_stream",
      message: expect.stringContaining(`"${name.split("/")[1]}"`),
    });
  });

  test("a folder, an empty file, and nothing", async () => {
    const folder = await temporaryFolder();
    const empty = join(folder, "empty.mp4");
    await writeFile(empty, "");
    await expect(openProgramme(folder, signal)).rejects.toMatchObject({ code: "file_not_found" });
    await expect(openProgramme(join(folder, "no.mp4"), signal)).rejects.toMatchObject({ code: "file_not_found" });
    await expect(openProgramme(empty, signal)).rejects.toMatchObject({ code: "no_video_stream" });
  });

  test("an abort ends the look at a file", async () => {
    const controller = new AbortController();
    const open = openProgramme(sharedMedia("containers/sintel-5s.mp4"), controller.signal);
    controller.abort("stop");
    await expect(open).rejects.toBe("stop");
  });
});

test.each(["Audio description", "Audio 3"])("narration that was placed on %s is no part of a cut", async (name) => {
  const narration = madeMedia("aside-cue-0001.wav", { hasVideo: false, audioChannels: 1 });
  const path = join(await temporaryFolder(), "cut.otio");
  const tracks = [
    madeTrack("video", [madeClip(madeMedia("film.mp4"), 0, 10)]),
    madeTrack("audio", [madeClip(narration, 9, 14)], { name }),
  ];
  await writeFile(path, writeOtio(madeTimeline(tracks)));
  expect((await filmOf(path)).durationSeconds).toBe(10);
});
