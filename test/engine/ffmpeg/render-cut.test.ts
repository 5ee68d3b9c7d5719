import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { decodeSound } from "../../../src/engine/ffmpeg/decode/decode-sound.ts";
import { SourcePictures } from "../../../src/engine/ffmpeg/decode/source-pictures.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { type CutOrder, type CutStretch, renderCut } from "../../../src/engine/ffmpeg/render-cut.ts";
import { makeMedia } from "../../made-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const SIZE = { width: 160, height: 120 };
const { signal } = new AbortController();
let folder = "";
const at = (name: string) => join(folder, name);

/** A film whose brightness tells the frame: luma 16 + 2 × frame. Its sound is loud from second 2 on. */
const RAMP = "color=black:size=320x240:rate=25:duration=4,format=pix_fmts=yuv420p,geq=lum='16+2*N':cb=128:cr=128";

beforeAll(async () => {
  folder = await temporaryFolder();
  makeMedia(at("ramp.mp4"), [
    { graph: RAMP, codec: "libx264", options: { g: "25", crf: "1" } },
    { graph: "sine=frequency=440:duration=4:sample_rate=48000,volume='if(gte(t,2),2,0)':eval=frame", codec: "aac" },
  ]);
  makeMedia(at("wide.mp4"), [{ graph: "color=white:size=320x80:rate=24:duration=1", codec: "libx264" }]);
  makeMedia(at("grey.png"), [{ graph: "color=gray:size=64x48:rate=1:duration=1,format=pix_fmts=rgb24", codec: "png" }]);
});

const stretch = (name: string, start: number, end: number, more: Partial<CutStretch> = {}): CutStretch => ({
  path: at(name),
  start,
  end,
  sourceStart: 0,
  speed: 1,
  ...more,
});

/** Renders a cut and gives the brightness of each frame at the left edge of the middle row, and in the middle. */
async function rendered(order: Partial<CutOrder> & Pick<CutOrder, "frames">) {
  const output = at(`out-${Math.random()}.mp4`);
  const report = await renderCut(
    { output, rate: frameRate(25), size: SIZE, pictures: [], sounds: [], ...order },
    signal,
  );
  using pictures = await SourcePictures.open(output, SIZE);
  const frames = Array.from({ length: order.frames }, (_, frame) => {
    const pixels = pictures.pictureAt(frame / 25);
    return { middle: pixels[60 * 160 + 80] ?? 0, top: pixels[10 * 160 + 80] ?? 0 };
  });
  return { output, report, frames };
}

/** The frame of the ramp that a brightness tells. */
const rampFrame = ({ middle }: { middle: number }) => Math.round((middle - 16) / 2);

describe("the picture of a cut", () => {
  test("shows each stretch frame by frame, and black between them", async () => {
    const { frames, output } = await rendered({
      frames: 20,
      pictures: [stretch("ramp.mp4", 0, 0.2, { sourceStart: 1 }), stretch("ramp.mp4", 0.4, 0.8, { sourceStart: 3.2 })],
    });
    expect(frames.slice(0, 5).map(rampFrame)).toEqual([25, 26, 27, 28, 29]);
    expect(frames.slice(5, 10).map(({ middle }) => middle)).toEqual([16, 16, 16, 16, 16]);
    expect(frames.slice(10, 14).map(rampFrame)).toEqual([80, 81, 82, 83]);
    const probe = await probeMedia(output);
    expect(probe).toMatchObject({ durationSeconds: 0.8, picture: { width: 160, height: 120, rate: frameRate(25) } });
    expect(probe.sound).toMatchObject({ channels: 2, sampleRate: 48_000 });
  });

  test("runs faster, slower and backwards, and holds", async () => {
    const { frames } = await rendered({
      frames: 20,
      pictures: [
        stretch("ramp.mp4", 0, 0.2, { sourceStart: 0.4, speed: 2 }),
        stretch("ramp.mp4", 0.2, 0.4, { sourceStart: 2, speed: 0.5 }),
        stretch("ramp.mp4", 0.4, 0.6, { sourceStart: 3, speed: -1 }),
        stretch("ramp.mp4", 0.6, 0.8, { sourceStart: 2.4, speed: 0 }),
      ],
    });
    expect(frames.map(rampFrame)).toEqual([
      ...[10, 12, 14, 16, 18],
      ...[50, 50, 51, 51, 52],
      ...[74, 73, 72, 71, 70],
      ...[60, 60, 60, 60, 60],
    ]);
  });

  test("fits pictures of another shape and rate whole, shows stills, and holds the last frame past a file's end", async () => {
    const { frames } = await rendered({
      frames: 35,
      pictures: [stretch("wide.mp4", 0, 1.2), stretch("grey.png", 1.2, 1.4)],
    });
    expect(frames[3]?.middle).toBeGreaterThan(225);
    expect(frames[29]?.middle).toBeGreaterThan(225);
    expect(frames[3]?.top).toBeLessThan(20);
    expect(frames[32]?.middle).toBeGreaterThan(110);
    expect(frames[32]?.middle).toBeLessThan(140);
    expect(frames[32]?.top).toBeGreaterThan(110);
  });
});

describe("the sound of a cut", () => {
  async function loudness(order: Partial<CutOrder>) {
    const { output, report } = await rendered({ frames: 50, ...order });
    const tenths: { left: number; right: number }[] = [];
    for await (const [left, right] of decodeSound(output, {
      sampleRate: 48_000,
      durationSeconds: 2,
      blockSamples: 4_800,
    })) {
      const level = (side: Float32Array = new Float32Array(1)) =>
        Math.round(10 * Math.sqrt(side.reduce((sum, value) => sum + value * value, 0) / side.length)) / 10;
      tenths.push({ left: level(left), right: level(right) });
    }
    return { tenths, report };
  }

  test("plays each stretch at its place, side by side, and silence between them", async () => {
    const { tenths } = await loudness({
      sounds: [stretch("ramp.mp4", 0.5, 1, { sourceStart: 1.8 }), stretch("ramp.mp4", 1.5, 2, { sourceStart: 2.5 })],
    });
    const isLoud = tenths.map(({ left }) => left > 0);
    expect(isLoud.slice(0, 6)).toEqual(Array(6).fill(false));
    expect(isLoud.slice(8, 10)).toEqual([true, true]);
    expect(isLoud.slice(11, 14)).toEqual([false, false, false]);
    expect(isLoud.slice(16, 19)).toEqual([true, true, true]);
  });

  test.each([0.25, 0.5, 1.25, 2, 3])(
    "keeps the pitch at a speed of %d, and what sounds there at its place",
    async (speed) => {
      // Loud from source second 2 on: that is a second into the stretch.
      const sounds = [stretch("ramp.mp4", 0, 2, { sourceStart: 2 - speed, speed })];
      const { output } = await rendered({ frames: 50, sounds });
      const [samples = new Float32Array(0)] = [(await wholeSound(output))[0]];
      const level = (from: number, to: number) =>
        Math.sqrt(
          samples.slice(from * 48_000, to * 48_000).reduce((sum, one) => sum + one * one, 0) / ((to - from) * 48_000),
        );
      expect(level(0, 0.85)).toBeLessThan(0.01);
      expect(level(1.15, 1.6)).toBeGreaterThan(0.05);
      const part = samples.subarray(1.2 * 48_000, 1.6 * 48_000);
      const rises = part.filter((one, index) => index > 0 && one >= 0 && (part[index - 1] ?? 0) < 0).length;
      expect(rises / 0.4).toBeGreaterThan(420);
      expect(rises / 0.4).toBeLessThan(460);
    },
  );

  async function wholeSound(path: string): Promise<Float32Array[]> {
    for await (const planes of decodeSound(path, { sampleRate: 48_000, durationSeconds: 2, blockSamples: 96_000 })) {
      return planes;
    }
    return [];
  }

  test("leaves what runs backwards silent and says so; a file without sound is silent too", async () => {
    const { tenths, report } = await loudness({
      sounds: [stretch("ramp.mp4", 0, 1, { sourceStart: 3, speed: -1 }), stretch("wide.mp4", 1, 2)],
    });
    expect(tenths.every(({ left, right }) => left === 0 && right === 0)).toBe(true);
    expect(report).toEqual({ silentStretches: 1 });
  });
});

test("a file that is missing is named, and nothing is left behind", async () => {
  const output = at("never.mp4");
  const order = {
    output,
    rate: frameRate(25),
    frames: 5,
    size: SIZE,
    sounds: [],
    pictures: [stretch("gone.mov", 0, 1)],
  };
  await expect(renderCut(order, signal)).rejects.toMatchObject({
    code: "media_unreadable",
    message: expect.stringContaining('"gone.mov"'),
  });
  expect((await readdir(folder)).filter((name) => name.startsWith("never"))).toEqual([]);
});

test("an abort ends a render and leaves nothing behind", async () => {
  const controller = new AbortController();
  const order = {
    output: at("never.mp4"),
    rate: frameRate(25),
    frames: 2500,
    size: SIZE,
    sounds: [],
    pictures: [stretch("ramp.mp4", 0, 100)],
  };
  const render = renderCut(order, controller.signal, () => controller.abort(new Error("stop")));
  await expect(render).rejects.toThrow("stop");
  expect((await readdir(folder)).filter((name) => name.startsWith("never"))).toEqual([]);
});
