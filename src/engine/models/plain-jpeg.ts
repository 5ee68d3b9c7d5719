/** A colour as JPEG has it: brightness, blueness and redness, 0 to 255. */
export type YCbCr = readonly [brightness: number, blueness: number, redness: number];

/** Length of a side in pixels: smaller pictures are refused by some models. A multiple of 8, the blocks of JPEG. */
const SIDE = 64;

/**
 * A square JPEG of one colour, a few hundred bytes long (ITU-T T.81, baseline). The first block of each component carries
 * the colour; the differences of all others from it are zero.
 */
export function plainJpeg(colour: YCbCr): Uint8Array {
  const components = [1, 2, 3];
  return Uint8Array.from([
    ...[0xff, 0xd8],
    // One table of quantisation: with steps of 8 a block's mean is its brightness, less 128.
    ...segment(0xdb, [0, ...new Array<number>(64).fill(8)]),
    ...segment(0xc0, [8, 0, SIDE, 0, SIDE, 3, ...components.flatMap((id) => [id, 0x11, 0])]),
    // Means: nine lengths of differences, 0 to 8 bits, with four bits each.
    ...segment(0xc4, [0x00, 0, 0, 0, 9, ...new Array<number>(12).fill(0), 0, 1, 2, 3, 4, 5, 6, 7, 8]),
    // All else: the end of the block alone, with one bit.
    ...segment(0xc4, [0x10, 1, ...new Array<number>(15).fill(0), 0]),
    ...segment(0xda, [3, ...components.flatMap((id) => [id, 0]), 0, 63, 0]),
    ...scanOf(colour),
    ...[0xff, 0xd9],
  ]);
}

function segment(marker: number, bytes: readonly number[]): number[] {
  const length = bytes.length + 2;
  return [0xff, marker, length >> 8, length & 0xff, ...bytes];
}

function scanOf(colour: YCbCr): number[] {
  const END_OF_BLOCK = "0";
  const first = colour.map((value) => meanBits(value - 128) + END_OF_BLOCK).join("");
  const bits = first + (meanBits(0) + END_OF_BLOCK).repeat(colour.length * ((SIDE / 8) ** 2 - 1));
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, "1").match(/.{8}/g) ?? [];
  // A byte of ones begins a marker unless a zero follows it.
  return bytes.map((byte) => Number.parseInt(byte, 2)).flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte]));
}

/** A difference of means: the number of its bits, then the bits; a negative one is stored as one less. */
function meanBits(difference: number): string {
  const length = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
  const code = length.toString(2).padStart(4, "0");
  if (length === 0) return code;
  const stored = difference > 0 ? difference : difference + 2 ** length - 1;
  return code + stored.toString(2).padStart(length, "0");
}
