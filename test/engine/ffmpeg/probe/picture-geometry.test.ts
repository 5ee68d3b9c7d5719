import type { Stream } from "node-av/lib";
import { expect, test } from "vitest";
import { pictureGeometry } from "../../../../src/engine/ffmpeg/probe/picture-geometry.ts";

/** A picture stream as a file tells of it: its size, its pixels, and how it is to be turned. */
function streamOf(
  width: number,
  height: number,
  aspect = "0:1",
  { matrix = null, coded = "0:1" }: { readonly matrix?: Buffer | null; readonly coded?: string } = {},
): Stream {
  const ratio = (text: string) => {
    const [num, den] = text.split(":").map(Number);
    return { num, den };
  };
  const codecpar = { width, height, sampleAspectRatio: ratio(coded), getCodedSideData: () => matrix };
  return { sampleAspectRatio: ratio(aspect), codecpar } as unknown as Stream; // what is read of a stream
}

/** A display matrix of nine numbers in 16.16, of which four turn and mirror. */
function matrixOf([a, b, c, d]: readonly [number, number, number, number]): Buffer {
  const matrix = Buffer.alloc(36);
  for (const [index, value] of [a, b, 0, c, d].entries()) matrix.writeInt32LE(value * 65_536, 4 * index);
  return matrix;
}

const sizeOf = (...given: Parameters<typeof streamOf>) => {
  const { width, height } = pictureGeometry(streamOf(...given));
  return [width, height];
};

test("pixels that are wider than high widen a picture, others make it higher", () => {
  expect(sizeOf(720, 576, "64:45")).toEqual([1024, 576]);
  expect(sizeOf(720, 480, "8:9")).toEqual([720, 540]);
  // Where the container says nothing, the codec's word counts.
  expect(sizeOf(720, 576, "0:1", { coded: "64:45" })).toEqual([1024, 576]);
  expect(sizeOf(720, 576, "1:1", { coded: "64:45" })).toEqual([720, 576]);
});

test("what can be no pixel counts as a square one, and so does what is rounded to whole pixels", () => {
  for (const aspect of ["0:1", "1:0", "-1:1", "101:10", "1:11", "1003:1000"]) {
    expect(sizeOf(100, 50, aspect)).toEqual([100, 50]);
  }
  expect(sizeOf(100, 50, "10:1")).toEqual([1000, 50]);
  expect(sizeOf(100, 50, "1:10")).toEqual([100, 500]);
  expect(sizeOf(1000, 500, "1006:1000")).toEqual([1006, 500]);
});

test.each([
  ["stands as it is", [1, 0, 0, 1], { turns: 0, isMirrored: false, width: 40, height: 30 }],
  ["is turned to the right", [0, 1, -1, 0], { turns: 1, isMirrored: false, width: 30, height: 40 }],
  ["stands on its head", [-1, 0, 0, -1], { turns: 2, isMirrored: false, width: 40, height: 30 }],
  ["is turned to the left", [0, -1, 1, 0], { turns: 3, isMirrored: false, width: 30, height: 40 }],
  ["is mirrored", [-1, 0, 0, 1], { turns: 0, isMirrored: true, width: 40, height: 30 }],
] as const)("a picture that %s is shown so", (_how, matrix, geometry) => {
  expect(pictureGeometry(streamOf(40, 30, "1:1", { matrix: matrixOf(matrix) }))).toEqual(geometry);
});

test("a matrix that is cut off turns nothing", () => {
  const cut = matrixOf([0, 1, -1, 0]).subarray(0, 35);
  expect(pictureGeometry(streamOf(40, 30, "1:1", { matrix: cut }))).toMatchObject({ turns: 0, width: 40 });
});
