import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { analyseProgramme } from "../../../src/engine/analyse/analyse-programme.ts";
import { MediaProcessError } from "../../../src/engine/ffmpeg/open.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { IS_THOROUGH } from "../../thorough/thorough-test.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** What a file shows and how long it is, in seconds; nothing for one that cannot be read. */
type Truth = { readonly shows: "picture" | "black" | "none"; readonly seconds: number } | "unreadable";

/** Streams of one file may end at different times; the README gives one of them. */
const TOLERANCE_SECONDS = 0.3;

const picture = (seconds: number): Truth => ({ shows: "picture", seconds });
const soundOnly = (seconds: number): Truth => ({ shows: "none", seconds });

/** After the README of the shared media folder. */
const FILES: Readonly<Record<string, Truth>> = {
  "containers/cursed-vfr.mp4": picture(8.73),
  "containers/h265-aac.mp4": picture(10),
  "containers/prores-422-proxy.mov": picture(1),
  "containers/sintel-5s.flac": soundOnly(5),
  "containers/sintel-5s.m4a": soundOnly(5),
  "containers/sintel-5s.m4v": picture(5),
  "containers/sintel-5s.mp4": picture(5),
  "containers/sintel-5s.ogg": soundOnly(5),
  "containers/sintel-5s.ogv": picture(5),
  "containers/sintel-5s.webm": picture(5),
  "negative/WrongFile.mp4": "unreadable",
  // Its README calls it black; white letters stand on it.
  "negative/black-6s.mp4": picture(6.04),
  "negative/broken.mp4": "unreadable",
  "negative/empty.flv": "unreadable",
  "negative/jazz-performance-audio-only.mp4": soundOnly(187.9),
  "negative/mute-60s-audio-only.mp4": soundOnly(60.1),
  "negative/nostreams.mp4": "unreadable",
  "negative/video.mp4": picture(5.17),
  "negative/video_without_audio_stream.mp4": picture(5.23),
  "negative/video_without_video_stream.mp4": soundOnly(1.02),
};

/** What takes seconds each, and is like another one. */
const LONG = [
  "containers/h265-aac.mp4",
  "negative/jazz-performance-audio-only.mp4",
  "negative/mute-60s-audio-only.mp4",
];

describe("analysis of any file", () => {
  test("has an expectation for every container and every negative file", async () => {
    const names = await Promise.all(
      ["containers", "negative"].map(async (of) => (await readdir(sharedMedia(of))).map((name) => `${of}/${name}`)),
    );
    expect(Object.keys(FILES).sort()).toEqual(names.flat().sort());
  });

  const asked = Object.entries(FILES).filter(([name]) => IS_THOROUGH || !LONG.includes(name));
  test.each(asked)("%s gives what it holds, or a typed error", async (name, truth) => {
    const path = sharedMedia(name);
    const analysis = probeMedia(path).then((probe) => analyseProgramme(path, probe, { folder: join(folder, name) }));
    if (truth === "unreadable") {
      await expect(analysis).rejects.toBeInstanceOf(MediaProcessError);
      return;
    }
    const { durationSeconds, shots, keyFrames, heard, hasVisiblePicture } = await analysis;
    expect(Math.abs(durationSeconds - truth.seconds)).toBeLessThan(TOLERANCE_SECONDS);
    expect(hasVisiblePicture).toBe(truth.shows === "picture");
    expect(shots.length > 0).toBe(truth.shows !== "none");
    expect(keyFrames.length).toBeGreaterThanOrEqual(shots.length);
    for (const [index, shot] of shots.entries()) expect(shot.start).toBe(index === 0 ? 0 : shots[index - 1]?.end);
    for (const { start, end } of [...shots, ...heard.speech, ...heard.music, ...heard.silence]) {
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual(durationSeconds);
    }
  });
});
