import { join } from "node:path";
import { AV_DISPOSITION_DEFAULT } from "node-av/constants";
import { beforeAll, describe, expect, test } from "vitest";
import { type DecodeSoundOptions, decodeSound } from "../../../../src/engine/ffmpeg/decode/decode-sound.ts";
import { MediaProcessError } from "../../../../src/engine/ffmpeg/open.ts";
import { probeMedia } from "../../../../src/engine/ffmpeg/probe/probe.ts";
import { type MadeStream, makeMedia } from "../../../made-media.ts";
import { sharedMedia } from "../../../shared-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const RATE = 48_000;

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** All of a file's sound, one array per channel. */
async function wholeSound(path: string, options: Partial<DecodeSoundOptions> = {}): Promise<Float32Array[]> {
  const durationSeconds = options.durationSeconds ?? (await probeMedia(path)).durationSeconds ?? 0;
  const blocks: Float32Array[][] = [];
  for await (const block of decodeSound(path, { sampleRate: RATE, ...options, durationSeconds })) blocks.push(block);
  const channels = blocks[0]?.length ?? 0;
  return Array.from({ length: channels }, (_, channel) => {
    const parts = blocks.map((block) => block[channel] ?? new Float32Array());
    const whole = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  });
}

test("gives the same sound in arrays that are used again, holes and all", async () => {
  const path = sharedMedia("containers/sintel-5s.webm");
  const options = { sampleRate: RATE, durationSeconds: 7.3, blockSamples: 10_000 };
  const kept: Float32Array[][] = [];
  for await (const block of decodeSound(path, options)) kept.push(block);
  let index = 0;
  for await (const block of decodeSound(path, { ...options, reusesBlocks: true })) expect(block).toEqual(kept[index++]);
  expect(index).toBe(kept.length);
});

function peakPosition(samples: Float32Array, from = 0, to = samples.length): number {
  let at = from;
  for (let i = from; i < to; i++) if (Math.abs(samples[i] ?? 0) > Math.abs(samples[at] ?? 0)) at = i;
  return at;
}

function peak(samples: Float32Array, fromSeconds: number, toSeconds: number): number {
  const [from, to] = [Math.round(fromSeconds * RATE), Math.round(toSeconds * RATE)];
  return Math.abs(samples[peakPosition(samples, from, to)] ?? 0);
}

describe("length", () => {
  test.each([
    "containers/sintel-5s.webm",
    "negative/video.mp4",
    "speech/nasa_13013.mp4",
    "speech/sintel-excerpt.mp4",
    "described/rabbit/video.mp4",
    "no-dialogue/chaplin.mp4",
    "audio/reading/sonnet001.mp3",
  ])("gives exactly the programme's length of %s", async (name) => {
    const path = sharedMedia(name);
    const { durationSeconds, sound } = await probeMedia(path);
    const channels = await wholeSound(path);
    expect(channels).toHaveLength(sound?.channels ?? 0);
    for (const samples of channels) expect(samples).toHaveLength(Math.round((durationSeconds ?? 0) * RATE));
  });

  test("completes with silence and cuts off as the asked length wants", async () => {
    const path = sharedMedia("containers/sintel-5s.m4a");
    const [longer = new Float32Array()] = await wholeSound(path, { durationSeconds: 7.25 });
    expect(longer).toHaveLength(7.25 * RATE);
    expect(peak(longer, 5.1, 7.25)).toBe(0);
    const [shorter = new Float32Array()] = await wholeSound(path, { durationSeconds: 1.5 });
    expect(shorter).toEqual(longer.subarray(0, 1.5 * RATE));
  });

  test("gives blocks of the asked length, the last one shorter", async () => {
    const lengths: number[] = [];
    const path = sharedMedia("containers/sintel-5s.flac");
    for await (const [left] of decodeSound(path, { sampleRate: RATE, durationSeconds: 2.1, blockSamples: RATE })) {
      lengths.push(left?.length ?? 0);
    }
    expect(lengths).toEqual([RATE, RATE, 4800]);
  });

  test("gives nothing for a file without sound", async () => {
    expect(await wholeSound(sharedMedia("negative/video_without_audio_stream.mp4"))).toEqual([]);
  });
});

describe("position", () => {
  const click = (rate: number, seconds: number, duration: number) =>
    `aevalsrc=exprs='if(eq(n\\,${seconds * rate})\\,0.9\\,0)':sample_rate=${rate}:duration=${duration}`;

  test.each([48_000, 44_100, 16_000, 96_000])("keeps a click at its time from %i samples a second", async (rate) => {
    const path = join(folder, `click-${rate}.wav`);
    makeMedia(path, [{ graph: click(rate, 1.5, 3), codec: "pcm_s16le" }]);
    const [samples = new Float32Array()] = await wholeSound(path);
    expect(Math.abs(peakPosition(samples) - 1.5 * RATE)).toBeLessThanOrEqual(1);
  });

  test("puts silence where sound starts late and where it has holes", async () => {
    const path = join(folder, "holes.mkv");
    makeMedia(path, [
      { graph: "testsrc2=size=160x90:rate=25:duration=6", codec: "libx264" },
      {
        graph: `${click(RATE, 3.5, 5)},aselect='not(between(t\\,1\\,3))'`,
        codec: "pcm_s16le",
        startSeconds: 0.5,
      },
    ]);
    const [samples = new Float32Array()] = await wholeSound(path);
    expect(samples).toHaveLength(6 * RATE);
    // The container rounds times to a millisecond.
    expect(Math.abs(peakPosition(samples) / RATE - 4)).toBeLessThan(0.0015);
  });

  test("counts from the programme's start where the file's clock does not begin at zero", async () => {
    const path = join(folder, "late.ts");
    makeMedia(path, [
      { graph: "testsrc2=size=160x90:rate=25:duration=2", codec: "libx264", startSeconds: 40 },
      { graph: `sine=frequency=1000:duration=1:sample_rate=48000`, codec: "aac", startSeconds: 40.6 },
    ]);
    const [samples = new Float32Array()] = await wholeSound(path);
    expect(peak(samples, 0, 0.5)).toBeLessThan(0.001);
    expect(peak(samples, 0.7, 1.4)).toBeGreaterThan(0.05);
  });

  test("keeps every channel in its place", async () => {
    const path = join(folder, "six.wav");
    const levels = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    const exprs = levels.join("|");
    makeMedia(path, [{ graph: `aevalsrc=exprs='${exprs}':channel_layout=5.1:duration=1`, codec: "pcm_s16le" }]);
    const channels = await wholeSound(path);
    expect(channels.map((samples) => samples[RATE / 2])).toEqual(levels.map((level) => expect.closeTo(level, 3)));
  });
});

describe("a channel in each stream", () => {
  const PICTURE = { graph: "testsrc2=size=64x64:rate=25:duration=1", codec: "mpeg2video" };
  const one = (level: number, place = "", more: Partial<MadeStream> = {}): MadeStream => ({
    graph: `aevalsrc=exprs='${level}':sample_rate=48000:duration=1${place === "" ? "" : `:channel_layout=${place}`}`,
    codec: "pcm_s24le",
    ...more,
  });

  test.each([
    ["two of a broadcast file, left and right", "mxf", [one(0.1), one(0.2)], "stereo", [0.1, 0.2]],
    ["two that both call themselves the centre", "mov", [one(0.1), one(0.2)], "stereo", [0.1, 0.2]],
    [
      "the places that they name, in any order",
      "mov",
      [one(0.3, "FC"), one(0.1, "FL"), one(0.2, "FR")],
      "3.0",
      [0.1, 0.2, 0.3],
    ],
    ["four as two pairs", "mov", [one(0.1), one(0.2), one(0.3), one(0.4)], "stereo", [0.4, 0.6]],
    ["three as a pair and one on both sides", "mxf", [one(0.1), one(0.2), one(0.3)], "stereo", [0.4, 0.5]],
    [
      "six in the usual order of 5.1",
      "mxf",
      [0.1, 0.2, 0.3, 0.4, 0.5, 0.6].map((level) => one(level)),
      "5.1",
      [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
    ],
  ] as const)("joins %s", async (_, ending, sounds, layout, levels) => {
    const path = join(folder, `channels.${ending}`);
    makeMedia(path, [PICTURE, ...sounds]);
    expect((await probeMedia(path)).sound).toMatchObject({ channels: levels.length, layout });
    const channels = await wholeSound(path);
    expect(channels.map(({ length }) => length)).toEqual(levels.map(() => RATE));
    for (const at of [0, RATE / 2, RATE - 1]) {
      expect(channels.map((samples) => samples[at])).toEqual(levels.map((level) => expect.closeTo(level, 3)));
    }
  });

  test("one that starts late is silent until then", async () => {
    const path = join(folder, "late-channel.mov");
    makeMedia(path, [PICTURE, one(0.1), one(0.2, "", { startSeconds: 0.5 })]);
    const [left, right] = await wholeSound(path);
    expect([left?.[1_000], right?.[1_000], right?.[0.75 * RATE]]).toEqual(
      [0.1, 0, 0.2].map((level) => expect.closeTo(level, 3)),
    );
  });

  test.each([
    ["of another language", one(0.2, "", { metadata: { language: "ger" } })],
    ["that is a commentary", one(0.2, "", { metadata: { handler_name: "Commentary" } })],
    ["of another rate", { graph: "sine=sample_rate=44100:duration=1", codec: "pcm_s24le" }],
    ["that is compressed", { graph: "sine=sample_rate=48000:duration=1", codec: "aac" }],
    ["with two channels", { graph: "aevalsrc=exprs='0|0':duration=1", codec: "pcm_s24le" }],
  ])("leaves out one %s", async (_, other) => {
    const path = join(folder, "apart.mov");
    makeMedia(path, [PICTURE, one(0.1, "", { disposition: AV_DISPOSITION_DEFAULT }), other]);
    expect((await probeMedia(path)).sound).toMatchObject({ index: 1, channels: 1 });
    expect(await wholeSound(path)).toHaveLength(1);
  });
});

describe("trouble", () => {
  test("stops with the signal's own reason", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped by a person");
    const path = sharedMedia("no-dialogue/big-buck-bunny-5min.mp4");
    const run = async () => {
      let blocks = 0;
      const options = { sampleRate: RATE, durationSeconds: 300, signal: controller.signal };
      for await (const block of decodeSound(path, options)) {
        if (++blocks === 2) controller.abort(reason);
        expect(blocks * (block[0]?.length ?? 0)).toBeLessThan(100 * RATE);
      }
    };
    await expect(run()).rejects.toBe(reason);
  });

  test("serves the event loop while it decodes", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    await wholeSound(sharedMedia("no-dialogue/tears-of-steel-battle-clip-medium.webm"));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });

  test("reports a file that cannot be read", async () => {
    const broken = wholeSound(sharedMedia("negative/broken.mp4"), { durationSeconds: 1 });
    await expect(broken).rejects.toBeInstanceOf(MediaProcessError);
  });
});
