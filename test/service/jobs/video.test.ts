import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AV_DISPOSITION_DEFAULT } from "node-av/constants";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TruePeakMeter } from "../../../src/engine/loudness/true-peak.ts";
import { makeMedia } from "../../made-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { captionsOf, framesOf, levelOf, packetHashes, soundOf, tracksOf } from "../movie-facts.ts";
import { download, generate, startRealService, upload } from "../real-service.ts";
import { finished, type TestService } from "../service-fixture.ts";
import { startWebHost, type WebHost } from "../web-host.ts";

const SECONDS = 12;
/** A click at the start of every second, a hundred samples long. */
const CLICKS = `aevalsrc=exprs='0.5*lt(mod(n\\,48000)\\,100)':sample_rate=48000:duration=${SECONDS}`;
const SCRIPT = "WEBVTT\n\na\n00:02.000 --> 00:03.000\nA door opens.\n\nb\n00:07.000 --> 00:08.000\nShe runs.\n";
const LONG =
  "WEBVTT\n\na\n00:03.000 --> 00:04.000\nA tall woman in a long red coat opens the heavy door of the lighthouse and steps out.\n\nb\n00:08.000 --> 00:09.000\nThe keeper runs down the winding stairs with a burning lamp in his trembling hand.\n";
/** Somebody speaks all the time but for half a second at 4 and at 9. */
const DENSE =
  "WEBVTT\n\n00:00.000 --> 00:04.000\nTalk.\n\n00:04.500 --> 00:09.000\nMore talk.\n\n00:09.500 --> 00:12.000\nAnd more.\n";

let folder = "";
let source = "";
let host: WebHost;
let service: TestService;
let mediaId = "";
beforeAll(async () => {
  folder = await temporaryFolder();
  source = join(folder, "source.mp4");
  makeMedia(source, [
    {
      graph: `testsrc2=size=320x180:rate=25:duration=${SECONDS}`,
      codec: "libx264",
      options: { preset: "medium", bf: "3", g: "25" },
    },
    { graph: CLICKS, codec: "aac", options: { b: "128k" } },
  ]);
  host = await startWebHost();
  const bytes = await readFile(source);
  host.pages.set("/clip.mp4", (_request, response) => response.end(bytes));
  service = await startRealService({ url_input: { allowed_networks: ["127.0.0.0/8"], ports: null } });
  mediaId = await upload(service, new Uint8Array(bytes));
});
afterAll(async () => {
  await service.close();
  await host.close();
});

const video = async (name: string, config: object) => {
  const result = await generate(service, "video", mediaId, config);
  expect(result).toMatchObject({ status: "done" });
  return { result, path: await download(service, result.video_signed_url, folder, name) };
};

describe("a standard video", () => {
  test("VIDEO-10 VIDEO-12 GEN-05: is the programme, bit by bit and as long, with narration in its sound", async () => {
    const { result, path } = await video("standard.mp4", { ad_type: "standard_ad", description_content: SCRIPT });
    expect(await packetHashes(path)).toEqual(await packetHashes(source));
    expect((await framesOf(path)).map(({ at }) => at)).toEqual((await framesOf(source)).map(({ at }) => at));
    const tracks = await tracksOf(path);
    expect(tracks).toMatchObject([
      { kind: "picture" },
      { kind: "sound", title: "With audio description", language: "eng", flags: expect.arrayContaining(["default"]) },
      { kind: "sound", title: "Original sound", flags: [] },
      { kind: "sound", title: "Audio description alone", flags: expect.arrayContaining(["descriptions"]) },
    ]);
    for (const { seconds } of tracks) expect(seconds).toBeCloseTo(SECONDS, 2);
    const [mixed, narration] = [await soundOf(path, 1), await soundOf(path, 3)];
    for (const { start, end } of result.report.video.cues) {
      expect(levelOf(narration, start, end)).toBeGreaterThan(-40);
      expect(levelOf(mixed, start, end)).toBeGreaterThan(-40);
    }
    expect(levelOf(narration, 10, 12)).toBeLessThan(-90);
    expect(result.report.video).toMatchObject({ picture: "copied", pauses: [] });

    const other = await generate(service, "video", mediaId, {
      ad_type: "standard_ad",
      description_content: SCRIPT,
      format: "srt",
    });
    expect(other.output.content).not.toBe(result.output.content);
    expect(other.report.video).toEqual(result.report.video);
    const again = await download(service, other.video_signed_url, folder, "again.mp4");
    expect(await readFile(again)).toEqual(await readFile(path));
  });

  test("its sound holds the true peak as it lies there, encoded", async () => {
    const loud = join(folder, "loud.mkv");
    makeMedia(loud, [
      { graph: `testsrc2=size=160x90:rate=25:duration=${SECONDS}`, codec: "libx264" },
      {
        graph: `anoisesrc=color=pink:amplitude=1:sample_rate=48000:seed=5:duration=${SECONDS},volume=12dB`,
        codec: "pcm_s24le",
      },
    ]);
    const noisy = await upload(service, new Uint8Array(await readFile(loud)));
    const result = await generate(service, "video", noisy, {
      ad_type: "standard_ad",
      description_content: SCRIPT,
      auto_fit: false,
    });
    const path = await download(service, result.video_signed_url, folder, "loud.mp4");
    const peaks = new TruePeakMeter(1);
    peaks.add([(await soundOf(path, 1)).samples]);
    const dbtp = 20 * Math.log10(peaks.finish());
    expect(dbtp).toBeLessThanOrEqual(-2);
    // Not by being far below it.
    expect(dbtp).toBeGreaterThan(-5);
  });

  test("its index stands in front, so that it plays while it loads", async () => {
    const { path } = await video("front.mp4", { ad_type: "standard_ad", description_content: SCRIPT });
    const bytes = (await readFile(path)).toString("latin1");
    expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
  });

  test("GEN-50: with a given script nothing else is described", async () => {
    const { result } = await video("script.mp4", {
      ad_type: "standard_ad",
      description_content: SCRIPT,
      format: "json",
    });
    expect(result.report.describer).toBe("script");
    expect(JSON.parse(result.output.content).map((cue: { description: string }) => cue.description)).toEqual([
      "A door opens.",
      "She runs.",
    ]);
  });
});

describe("an extended video", () => {
  test("VIDEO-11: is longer than its source, holds frames, and keeps picture and sound in step", async () => {
    const { result, path } = await video("extended.mp4", {
      description_content: LONG,
      custom_captions: { content: DENSE, format: "vtt" },
    });
    const { pauses, duration_seconds, picture, encoded_seconds } = result.report.video;
    expect(picture).toBe("copied");
    expect(pauses).toHaveLength(2);
    expect(duration_seconds).toBeGreaterThan(SECONDS + 4);
    const delay = (at: number) =>
      pauses.reduce(
        (sum: number, pause: { at: number; seconds: number }) => sum + (pause.at <= at + 0.02 ? pause.seconds : 0),
        0,
      );

    // Every pause has frames of its own, so that the rate stays even; groups of a second without a pause are the source's.
    const [before, after] = [await framesOf(source), await framesOf(path)];
    const held = pauses.reduce((sum: number, pause: { seconds: number }) => sum + Math.round(25 * pause.seconds), 0);
    expect(after).toHaveLength(before.length + held);
    for (const [index, { at }] of after.entries()) expect(at).toBeCloseTo(index / 25, 3);
    const groupOf = (at: number) => Math.floor(at + 0.001);
    const broken = pauses.map(({ at }: { at: number }) => groupOf(at - 0.01));
    for (const { at, hash } of before.filter((frame) => !broken.includes(groupOf(frame.at)))) {
      expect([at, after[Math.round(25 * (at + delay(at)))]?.hash]).toEqual([at, hash]);
    }
    expect(encoded_seconds).toBeGreaterThan(held / 25 - 0.01);
    expect(encoded_seconds).toBeLessThan(held / 25 + 2);

    // The original is silent between its clicks; the narration alone is heard in the pauses.
    const [mixed, narration] = [await soundOf(path, 1), await soundOf(path, 2)];
    for (const second of [1, 2, 5, 6, 7, 10, 11]) {
      const { start } = clickNear(mixed, second + delay(second));
      expect(Math.abs(start - second - delay(second))).toBeLessThan(0.002);
    }
    for (const { video_time, seconds } of pauses) {
      expect(levelOf(narration, video_time + 0.1, video_time + seconds - 0.5)).toBeGreaterThan(-40);
    }
    for (const { seconds } of await tracksOf(path).then((all) => all.filter(({ kind }) => kind !== "text"))) {
      expect(seconds).toBeCloseTo(duration_seconds, 1);
    }
  });

  test("captions are retimed: none is shown while the programme stands still for one that is over", async () => {
    const config = { description_content: LONG, custom_captions: { content: DENSE, format: "vtt" } };
    const { result, path } = await video("captions.mp4", config);
    const tracks = await tracksOf(path);
    expect(tracks.at(-1)).toMatchObject({ kind: "text", title: "Captions" });
    expectRetimed(await captionsOf(path, tracks.length - 1), result.report.video.pauses);

    // The captions of a video that has them already are retimed packet by packet.
    const copied = await generate(service, "video", await upload(service, new Uint8Array(await readFile(path))), {
      ad_type: "standard_ad",
      auto_fit: false,
      description_content: SCRIPT,
    });
    const again = await download(service, copied.video_signed_url, folder, "captions-again.mp4");
    const [before, after] = [await captionsOf(path, tracks.length - 1), await captionsOf(again, 4)];
    expect(after).toEqual(before);
  });

  /** Holds captions in a video against those that were given. */
  function expectRetimed(
    captions: readonly { start: number; end: number; text: string }[],
    pauses: readonly { at: number; seconds: number }[],
  ): void {
    const [first, second] = pauses.map(({ seconds }) => seconds);
    expect(pauses.map(({ at }) => Math.round(at))).toEqual([4, 9]);
    expect(pauses.every(({ at }) => (at >= 4 && at <= 4.5) || (at >= 9 && at <= 9.5))).toBe(true);
    const expected = [
      [0, 4, "Talk."],
      [4.5 + (first ?? 0), 9 + (first ?? 0), "More talk."],
      [9.5 + (first ?? 0) + (second ?? 0), 12 + (first ?? 0) + (second ?? 0), "And more."],
    ] as const;
    expect(captions.map(({ text }) => text)).toEqual(expected.map(([, , text]) => text));
    for (const [index, [start, end]] of expected.entries()) {
      expect(captions[index]?.start).toBeCloseTo(start, 2);
      expect(captions[index]?.end).toBeCloseTo(end, 2);
    }
  }
});

describe("what the video leaves out", () => {
  test("is named in a note", async () => {
    const path = join(folder, "two-sounds.mp4");
    makeMedia(path, [
      { graph: "testsrc2=size=160x90:rate=25:duration=4", codec: "libx264" },
      { graph: "sine=duration=4", codec: "aac", disposition: AV_DISPOSITION_DEFAULT },
      { graph: "sine=frequency=700:duration=4", codec: "aac", metadata: { language: "fra" } },
    ]);
    const id = await upload(service, new Uint8Array(await readFile(path)));
    const result = await generate(service, "video", id, { description_content: "00:01 A door." });
    expect(result.report.notes).toContain("A second sound (fra) is left out of the video.");
  });
});

describe("resolution", () => {
  test("FROMURL-09: scales the picture, and holds frames by repeating them", async () => {
    const { body } = await service.send("POST", "generate_ad_video_from_url", {
      source_url: `${host.url}/clip.mp4`,
      resolution: "144p",
      edl_content: LONG,
    });
    const result = await finished(service, body.job_id);
    expect(result).toMatchObject({ status: "done", report: { video: { picture: "encoded" } } });
    const path = await download(service, result.video_signed_url, folder, "small.mp4");
    const frames = await framesOf(path);
    expect(frames).toHaveLength(Math.round(result.report.video.duration_seconds * 25));
    for (const [index, { at }] of frames.entries()) expect(at).toBeCloseTo(index / 25, 3);
  });

  test("FROMURL-09: Auto keeps the source's picture", async () => {
    const { body } = await service.send("POST", "generate_ad_video_from_url", {
      source_url: `${host.url}/clip.mp4`,
      ad_type: "standard_ad",
      resolution: "Auto",
      edl_content: SCRIPT,
    });
    const result = await finished(service, body.job_id);
    expect(result).toMatchObject({
      status: "done",
      report: { video: { picture: "copied", duration_seconds: SECONDS } },
    });
  });
});

/** The loudest sample within a quarter of a second, and where its click begins. */
function clickNear(sound: { samples: Float32Array; sampleRate: number }, at: number): { start: number } {
  const from = Math.max(0, Math.round((at - 0.25) * sound.sampleRate));
  const part = sound.samples.subarray(from, Math.round((at + 0.25) * sound.sampleRate));
  const peak = part.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const first = part.findIndex((value) => Math.abs(value) > peak / 2);
  return { start: (from + first) / sound.sampleRate };
}
