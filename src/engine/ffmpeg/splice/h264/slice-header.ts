import { BitReader, BitWriter, withEmulation, withoutEmulation } from "./bits.ts";
import { type SliceSyntax, UNIT, unitKind } from "./parameter-sets.ts";

/** Where a picture stands in the stream that its slices are to be part of. */
export interface PicturePlace {
  /** Pictures since the last one that stands for itself, which is 0; each of them is referred to. */
  readonly index: number;
  /** Tells neighbouring pictures that stand for themselves apart. */
  readonly idrId: number;
}

/** Ids of pictures that stand for themselves begin here, far from those that encoders count. */
export const FIRST_IDR_ID = 20_000;

/** Types of slices, modulo 5: predicted from earlier pictures, and standing for themselves. */
const SLICE = { predicted: 0, intra: 2 } as const;

/** Bits of the marks that say what becomes of a picture that stands for itself, and of another. */
const MARKS = { idr: 2, other: 1 } as const;

/**
 * Writes a slice as if the encoder had worked by another stream's parameter sets: the header anew, what it heads bit by
 * bit. Both streams code coefficients, transforms and colours alike; the slice refers to one picture at most.
 *
 * @param from What the slice was written by.
 * @param to What it shall be read by.
 * @returns `null` where the slice uses what this does not know.
 */
export function rewriteSlice(
  unit: Uint8Array,
  from: SliceSyntax,
  to: SliceSyntax,
  place: PicturePlace,
): Uint8Array | null {
  const isIdr = unitKind(unit) === UNIT.idrSlice;
  const bytes = withoutEmulation(unit.subarray(1));
  const reader = new BitReader(bytes);
  const writer = new BitWriter();
  writer.golomb(reader.golomb()); // first macroblock
  const type = reader.golomb();
  const isPredicted = type % 5 === SLICE.predicted;
  if (!isPredicted && type % 5 !== SLICE.intra) return null;
  writer.golomb(type);
  reader.golomb();
  writer.golomb(to.pictureSetId);
  reader.unsigned(from.frameNumberBits);
  writer.unsigned(place.index % 2 ** to.frameNumberBits, to.frameNumberBits);
  if (isIdr) {
    reader.golomb();
    writer.golomb(place.idrId);
  }
  if (from.orderBits !== null) reader.unsigned(from.orderBits);
  if (to.orderBits !== null) writer.unsigned((2 * place.index) % 2 ** to.orderBits, to.orderBits);
  if (from.hasFieldOrder) return null;
  if (to.hasFieldOrder && to.orderBits !== null) writer.signedGolomb(0);
  if (isPredicted && !rewriteReferences(reader, writer, from, to)) return null;
  const marks = reader.unsigned(isIdr ? MARKS.idr : MARKS.other);
  if (marks !== 0) return null;
  writer.unsigned(marks, isIdr ? MARKS.idr : MARKS.other);
  if (isPredicted && from.isArithmetic) writer.golomb(reader.golomb()); // set of contexts
  writer.signedGolomb(from.initialQp + reader.signedGolomb() - to.initialQp);
  if (!rewriteDeblocking(reader, writer, from, to)) return null;
  copyRest(reader, writer, from.isArithmetic, bytes);
  const header = writer.toBytes();
  const rest = from.isArithmetic ? bytes.subarray(Math.ceil(reader.position / 8)) : new Uint8Array();
  return joined(unit[0] ?? 0, withEmulation(Buffer.concat([header, rest])));
}

/** References to one picture, unweighted. */
function rewriteReferences(reader: BitReader, writer: BitWriter, from: SliceSyntax, to: SliceSyntax): boolean {
  if (reader.bit() === 1 && reader.golomb() !== 0) return false;
  writer.bit(1);
  writer.golomb(0);
  if (reader.bit() === 1 || from.hasWeights) return false;
  writer.bit(0);
  if (!to.hasWeights) return true;
  writer.golomb(0); // scales of brightness and colour
  writer.golomb(0);
  writer.unsigned(0, 2); // no weight of either
  return true;
}

/** Only the usual filter can be said by a stream that says nothing about it. */
function rewriteDeblocking(reader: BitReader, writer: BitWriter, from: SliceSyntax, to: SliceSyntax): boolean {
  const mode = from.hasDeblocking ? reader.golomb() : 0;
  const offsets = from.hasDeblocking && mode !== 1 ? [reader.signedGolomb(), reader.signedGolomb()] : [0, 0];
  if (!to.hasDeblocking) return mode === 0 && offsets.every((offset) => offset === 0);
  writer.golomb(mode);
  if (mode !== 1) for (const offset of offsets) writer.signedGolomb(offset);
  return true;
}

/** Fills up to a byte in front of arithmetic code, which stays as it is; anything else follows bit by bit. */
function copyRest(reader: BitReader, writer: BitWriter, isArithmetic: boolean, bytes: Uint8Array): void {
  if (isArithmetic) {
    while (writer.bitsInByte !== 0) writer.bit(1);
    return;
  }
  const end = new BitReader(bytes).payloadBits;
  while (reader.position < end) writer.bit(reader.bit());
  writer.bit(1);
}

function joined(head: number, body: Uint8Array): Uint8Array {
  const unit = new Uint8Array(1 + body.length);
  unit[0] = head;
  unit.set(body, 1);
  return unit;
}
