import { AV_CODEC_ID_MJPEG } from "node-av/constants";
import { Codec, CodecContext, Frame, Packet } from "node-av/lib";
import { expect, test } from "vitest";
import { plainJpeg, type YCbCr } from "../../../src/engine/models/picture-count.ts";

/** The planes of a JPEG as FFmpeg reads it. */
function decoded(jpeg: Uint8Array) {
  const codec = Codec.findDecoder(AV_CODEC_ID_MJPEG);
  if (codec === null) throw new Error("no decoder");
  using decoder = new CodecContext();
  decoder.allocContext3(codec);
  expect(decoder.open2Sync(codec, null)).toBe(0);
  using packet = new Packet();
  packet.alloc();
  packet.data = Buffer.from(jpeg);
  expect(decoder.sendPacketSync(packet)).toBe(0);
  using frame = new Frame();
  frame.alloc();
  expect(decoder.receiveFrameSync(frame)).toBe(0);
  const planes = (frame.data ?? []).slice(0, 3).map((plane) => [...new Set(plane.subarray(0, 64))]);
  return { width: frame.width, height: frame.height, planes };
}

test("a plain JPEG has the sides that are asked for, also large ones", () => {
  for (const sides of [
    { width: 600, height: 264 },
    { width: 248, height: 1032 },
  ])
    expect(decoded(plainJpeg([210, 16, 146], sides))).toMatchObject(sides);
});

test.each<YCbCr>([
  [210, 16, 146],
  [41, 240, 110],
  [128, 128, 128],
  [0, 255, 1],
  [255, 0, 127],
])("a plain JPEG of %i, %i, %i is that colour throughout", (...colour) => {
  const { width, height, planes } = decoded(plainJpeg(colour));
  expect([width, height]).toEqual([64, 64]);
  expect(planes).toEqual(colour.map((value) => [value]));
});
