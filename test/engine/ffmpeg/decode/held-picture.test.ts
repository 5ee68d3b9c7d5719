import {
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV420P10LE,
  AVCOL_PRI_BT2020,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_BT709,
  AVCOL_TRC_SMPTE2084,
} from "node-av/constants";
import { Frame } from "node-av/lib";
import { describe, expect, test } from "vitest";
import { evenSize, PictureHolder } from "../../../../src/engine/ffmpeg/decode/held-picture.ts";
import { lumaOf, PictureShrinker, thumbnailOf } from "../../../../src/engine/ffmpeg/decode/small-picture.ts";

/** Brightness of the quarters of a picture, 0 to 255: upper left, upper right, lower left, lower right. */
type Quarters = readonly [number, number, number, number];
const QUARTERS: Quarters = [40, 100, 160, 220];

/** A grey picture of four quarters; ten bits of each pixel where it is for high dynamic range. */
function drawn(width: number, height: number, quarters: Quarters = QUARTERS, isDeep = false): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.width = width;
  frame.height = height;
  frame.format = isDeep ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P;
  frame.colorTrc = isDeep ? AVCOL_TRC_SMPTE2084 : AVCOL_TRC_BT709;
  frame.colorRange = AVCOL_RANGE_JPEG;
  frame.getBuffer(0);
  const [luma, ...colours] = frame.data ?? [];
  for (const plane of colours) {
    if (!isDeep) plane.fill(128);
    else for (let at = 0; at + 1 < plane.length; at += 2) plane.writeUInt16LE(512, at);
  }
  const stride = frame.linesize[0] ?? width;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = quarters[Number(x >= width / 2) + 2 * Number(y >= height / 2)] ?? 0;
      if (isDeep) luma?.writeUInt16LE(4 * value, y * stride + 2 * x);
      else luma?.writeUInt8(value, y * stride + x);
    }
  }
  return frame;
}

/** The quarters of a picture whose rows may be longer than it, each in its middle. */
function quartersOf({ width, height, rows, stride = width }: Sight): number[] {
  const at = (x: number, y: number) => rows[Math.floor(y * height) * stride + Math.floor(x * width)] ?? 0;
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}
interface Sight {
  readonly width: number;
  readonly height: number;
  readonly rows: Uint8Array;
  readonly stride?: number;
}

/** Whether quarters are as bright as they should be, but for what a JPEG loses. */
function expectQuarters(seen: readonly number[], expected: readonly number[]): void {
  for (const [index, value] of expected.entries()) expect(Math.abs((seen[index] ?? 0) - value)).toBeLessThan(5);
}

/** What a tone map of Hable's makes of 20, 60, 100 and 140 in PQ. */
const SHOWN_OF_PQ: Quarters = [26, 55, 103, 168];

const UPRIGHT = { turns: 0, isMirrored: false, width: 160, height: 96 } as const;

describe("a picture that is kept", () => {
  test.each([
    [0, false, [40, 100, 160, 220]],
    [1, false, [160, 40, 220, 100]],
    [2, false, [220, 160, 100, 40]],
    [3, false, [100, 220, 40, 160]],
    [0, true, [100, 40, 220, 160]],
    [1, true, [220, 100, 160, 40]],
  ] as const)("becomes a still as it is shown: %i quarter turns, mirrored: %s", (turns, isMirrored, expected) => {
    const [width, height] = turns % 2 === 0 ? [160, 96] : [96, 160];
    using frame = drawn(160, 96);
    using holder = new PictureHolder({ turns, isMirrored, width, height }, 1_000);
    using held = holder.hold(frame);
    const still = lumaOf(held.toJpeg());
    expect([still.width, still.height]).toEqual([width, height]);
    expectQuarters(quartersOf(still), expected);
    // What is measured of it is as stored.
    expectQuarters(quartersOf(held.luma), QUARTERS);
  });

  test("is no wider than asked for, by square pixels, and never larger than it was", () => {
    using frame = drawn(160, 96);
    const sizeFor = (maximumWidth: number, geometry: Parameters<typeof expectSize>[0]) =>
      expectSize(geometry, maximumWidth, frame);
    expect(sizeFor(80, UPRIGHT)).toEqual([80, 48]);
    expect(sizeFor(160, UPRIGHT)).toEqual([160, 96]);
    expect(sizeFor(1_000, UPRIGHT)).toEqual([160, 96]);
    expect(sizeFor(1_000, { ...UPRIGHT, width: 320 })).toEqual([320, 96]);
    expect(sizeFor(48, { turns: 1, isMirrored: false, width: 96, height: 160 })).toEqual([48, 80]);
  });

  test("is kept as it was, when the next one of another size comes", () => {
    using holder = new PictureHolder(UPRIGHT, 1_000);
    using first = drawn(160, 96);
    using second = drawn(80, 48, [200, 200, 50, 50]);
    using one = holder.hold(first);
    using other = holder.hold(second);
    expectQuarters(quartersOf(one.luma), QUARTERS);
    expectQuarters(quartersOf(other.luma), [200, 200, 50, 50]);
  });

  test.each([
    ["tells of its colours", AVCOL_SPC_BT2020_NCL, AVCOL_PRI_BT2020],
    ["leaves its matrix out", AVCOL_SPC_UNSPECIFIED, AVCOL_PRI_BT2020],
    ["leaves its primaries out", AVCOL_SPC_BT2020_NCL, AVCOL_PRI_UNSPECIFIED],
    ["tells of neither", AVCOL_SPC_UNSPECIFIED, AVCOL_PRI_UNSPECIFIED],
  ])("of high dynamic range is brought down to what a still can show, where it %s", (_, colorSpace, colorPrimaries) => {
    using frame = drawn(160, 96, [20, 60, 100, 140], true);
    Object.assign(frame, { colorSpace, colorPrimaries });
    using holder = new PictureHolder(UPRIGHT, 1_000);
    using held = holder.hold(frame);
    expectQuarters(quartersOf(held.luma), [20, 60, 100, 140]);
    expectQuarters(quartersOf(lumaOf(held.toJpeg())), SHOWN_OF_PQ);
  });

  test("has even sides", () => {
    expect([0.4, 2, 2.9, 3, 5, 101, 102].map(evenSize)).toEqual([2, 2, 2, 4, 6, 102, 102]);
  });
});

/** Width and height of what a holder makes of a frame. */
function expectSize(
  geometry: ConstructorParameters<typeof PictureHolder>[0],
  maximumWidth: number,
  frame: Frame,
): number[] {
  using holder = new PictureHolder(geometry, maximumWidth);
  using held = holder.hold(frame);
  const { width, height } = lumaOf(held.toJpeg());
  return [width, height];
}

describe("a picture that is made small for measuring", () => {
  test("is as long as asked for, row by row without gaps, with its colours", () => {
    using shrinker = new PictureShrinker(40);
    using frame = drawn(160, 96);
    const small = shrinker.shrink(frame);
    expect(small).toMatchObject({ width: 40, height: 24, isFullRange: true });
    for (const plane of [small.luma, small.blue, small.red]) expect(plane).toHaveLength(40 * 24);
    expectQuarters(quartersOf({ ...small, rows: small.luma }), QUARTERS);
    expectQuarters(quartersOf({ ...small, rows: small.blue }), [128, 128, 128, 128]);
  });

  test("is upright where the picture is, stays as it is where that is smaller, and follows another size", () => {
    using shrinker = new PictureShrinker(40);
    using high = drawn(48, 80, [200, 200, 50, 50]);
    high.colorRange = AVCOL_RANGE_MPEG;
    const small = shrinker.shrink(high);
    expect(small).toMatchObject({ width: 24, height: 40, isFullRange: false });
    expectQuarters(quartersOf({ ...small, rows: small.luma }), [200, 200, 50, 50]);
    using little = drawn(20, 10);
    expect(shrinker.shrink(little)).toMatchObject({ width: 20, height: 10 });
    using strip = drawn(400, 4);
    expect(shrinker.shrink(strip)).toMatchObject({ width: 40, height: 2 });
  });
});

describe("a small picture of a still", () => {
  function still(width: number, height: number): Buffer {
    using frame = drawn(width, height);
    using holder = new PictureHolder({ ...UPRIGHT, width, height }, width);
    using held = holder.hold(frame);
    return held.toJpeg();
  }

  test("is as wide as asked for and shows the same", () => {
    const { jpeg, width, height } = thumbnailOf(still(160, 96), 40);
    expect([width, height]).toEqual([40, 24]);
    const seen = lumaOf(jpeg);
    expect([seen.width, seen.height]).toEqual([40, 24]);
    expectQuarters(quartersOf(seen), QUARTERS);
  });

  test("is no wider than the still, and none is made of what is no picture", () => {
    expect(thumbnailOf(still(60, 40), 200)).toMatchObject({ width: 60, height: 40 });
    expect(() => thumbnailOf(Buffer.from("no picture"), 40)).toThrow();
    expect(() => lumaOf(new Uint8Array(10))).toThrow();
  });
});
