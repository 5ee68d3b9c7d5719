import { AV_PIX_FMT_YUV420P } from "node-av/constants";
import { Frame } from "node-av/lib";
import { UncopiableError } from "../encode/copied-picture.ts";
import { check } from "../movie-file.ts";
import { type PatchShape, SliceEncoder } from "./slice-encoder.ts";

/** Bits of a picture in which nothing changes at the most: its header, and a small part of a bit for each block. */
const MOST_BITS = { header: 256, block: 0.25 };

/** The value of brightness and colours that is expected where nothing is known. */
const MIDDLE = 128;

/**
 * Slices of a picture that is the one before it, pixel by pixel: every block is passed over. So they say nothing of what is
 * seen, and an encoder's, for grey after grey, serve for any picture of the size.
 *
 * @throws UncopiableError where no encoder works by these parameter sets, or makes more of it.
 */
export function stillSlices(shape: PatchShape): readonly Uint8Array[] {
  using encoder = new SliceEncoder(shape, 2, 1);
  using grey = greyFrame(shape);
  const pictures: Uint8Array[][] = [];
  for (const frame of [grey, grey, null]) {
    if (frame !== null) frame.pts = BigInt(pictures.length);
    for (const slices of encoder.encode(frame)) pictures.push(slices.map((slice) => Uint8Array.from(slice)));
  }
  const still = pictures[1] ?? [];
  const bytes = still.reduce((sum, { length }) => sum + length, 0);
  const [width, height] = shape.syntax.blocks;
  if (bytes === 0 || 8 * bytes > MOST_BITS.header + MOST_BITS.block * width * height) {
    throw new UncopiableError("no still picture");
  }
  return still;
}

function greyFrame({ source }: PatchShape): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.width = source.codecpar.width;
  frame.height = source.codecpar.height;
  frame.format = AV_PIX_FMT_YUV420P;
  check(frame.getBuffer(0));
  for (const plane of frame.data ?? []) plane.fill(MIDDLE);
  return frame;
}
