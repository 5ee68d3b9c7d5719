import { BitReader, withoutEmulation } from "./bits.ts";

/** Kinds of units of an H.264 stream. */
export const UNIT = { slice: 1, idrSlice: 5, sequenceSet: 7, pictureSet: 8 } as const;

/** What a decoder's parameter sets say about how slices are written: all that one encoder's slices need to pass for another's. */
export interface SliceSyntax {
  readonly pictureSetId: number;
  /** Bits of a frame's number. */
  readonly frameNumberBits: number;
  /** Bits of a picture's place in the order of showing; `null` where that is the order of storage. */
  readonly orderBits: number | null;
  /** Whether slices give the second field's place too. */
  readonly hasFieldOrder: boolean;
  readonly isArithmetic: boolean;
  readonly hasWeights: boolean;
  readonly initialQp: number;
  readonly hasDeblocking: boolean;
  /** Whether blocks of 8 by 8 pixels may be transformed as one. */
  readonly transforms8x8: boolean;
  /** Offsets of the quantiser of either colour. */
  readonly chromaOffsets: readonly [number, number];
  /** Width and height of the coded picture, in blocks of 16 pixels. */
  readonly blocks: readonly [number, number];
}

/** A decoder's set-up as MP4 keeps it in front of a track (ISO 14496-15, `avcC`). */
export interface AvcSetUp {
  /** Bytes of the number in front of each unit. */
  readonly lengthBytes: number;
  readonly sequenceSets: readonly Uint8Array[];
  readonly pictureSets: readonly Uint8Array[];
}

/** Reads an `avcC`; `null` for anything else. */
export function readAvcSetUp(bytes: Uint8Array): AvcSetUp | null {
  if (bytes.length < 7 || bytes[0] !== 1) return null;
  let at = 5;
  const sets = (count: number) =>
    Array.from({ length: count }, () => {
      const length = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
      at += 2 + length;
      return bytes.subarray(at - length, at);
    });
  const sequenceSets = sets((bytes[at++] ?? 0) & 31);
  const pictureSets = sets(bytes[at++] ?? 0);
  return { lengthBytes: ((bytes[4] ?? 0) & 3) + 1, sequenceSets, pictureSets };
}

/**
 * How slices are written that belong to a pair of parameter sets; `null` where frames are fields, colours other than 4:2:0
 * with 8 bits, or anything else that is not in common use.
 */
export function readSliceSyntax(sequenceSet: Uint8Array, pictureSet: Uint8Array): SliceSyntax | null {
  const sequence = readSequenceSet(new BitReader(withoutEmulation(sequenceSet.subarray(1))));
  const reader = new BitReader(withoutEmulation(pictureSet.subarray(1)));
  const picture = readPictureSet(reader);
  if (sequence === null || picture === null || sequence.id !== picture.sequenceSetId) return null;
  const { frameNumberBits, orderBits, blocks } = sequence;
  return { frameNumberBits, orderBits, blocks, ...picture.syntax };
}

/** Profiles whose sequence set tells of colours and bits. */
const HIGH_PROFILES = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];

function readSequenceSet(reader: BitReader) {
  const profile = reader.unsigned(8);
  reader.unsigned(16); // constraints and level
  const id = reader.golomb();
  if (HIGH_PROFILES.includes(profile)) {
    const isUsual = reader.golomb() === 1 && reader.golomb() === 0 && reader.golomb() === 0;
    const isLossless = reader.bit() === 1;
    if (!isUsual || isLossless || reader.bit() === 1) return null;
  }
  const frameNumberBits = reader.golomb() + 4;
  const orderKind = reader.golomb();
  if (orderKind === 1 || orderKind > 2) return null;
  const orderBits = orderKind === 0 ? reader.golomb() + 4 : null;
  const references = reader.golomb();
  reader.bit(); // whether numbers may be left out
  const blocks = [reader.golomb() + 1, reader.golomb() + 1] as const;
  const isProgressive = reader.bit() === 1;
  reader.bit(); // how motion of pictures made from two is found
  const isCropped = reader.bit() === 1;
  const [left] = isCropped ? [reader.golomb(), reader.golomb()] : [0];
  const top = isCropped ? reader.golomb() : 0;
  const isWhole = left === 0 && top === 0;
  return isProgressive && references > 0 && isWhole ? { id, frameNumberBits, orderBits, blocks } : null;
}

function readPictureSet(reader: BitReader) {
  const pictureSetId = reader.golomb();
  const sequenceSetId = reader.golomb();
  const isArithmetic = reader.bit() === 1;
  const hasFieldOrder = reader.bit() === 1;
  if (reader.golomb() > 0) return null; // slice groups
  reader.golomb(); // usual references, forwards and back
  reader.golomb();
  const hasWeights = reader.bit() === 1;
  reader.unsigned(2); // weights of pictures made from two
  const initialQp = 26 + reader.signedGolomb();
  reader.signedGolomb(); // of switching slices
  const firstOffset = reader.signedGolomb();
  const hasDeblocking = reader.bit() === 1;
  const isConstrained = reader.bit() === 1;
  const hasRedundant = reader.bit() === 1;
  if (isConstrained || hasRedundant) return null;
  const hasMore = reader.position < reader.payloadBits;
  const transforms8x8 = hasMore && reader.bit() === 1;
  if (hasMore && reader.bit() === 1) return null; // scaling of its own
  const secondOffset = hasMore ? reader.signedGolomb() : firstOffset;
  const syntax = {
    pictureSetId,
    hasFieldOrder,
    isArithmetic,
    hasWeights,
    initialQp,
    hasDeblocking,
    transforms8x8,
    chromaOffsets: [firstOffset, secondOffset] as const,
  };
  return { sequenceSetId, syntax };
}

/** The units of a packet, each after its length in so many bytes. */
export function unitsOf(packet: Uint8Array, lengthBytes: number): Uint8Array[] {
  const units: Uint8Array[] = [];
  for (let at = 0; at + lengthBytes <= packet.length; ) {
    let length = 0;
    for (let i = 0; i < lengthBytes; i++) length = length * 256 + (packet[at + i] ?? 0);
    at += lengthBytes;
    units.push(packet.subarray(at, at + length));
    at += length;
  }
  return units;
}

/** A unit's kind, one of {@link UNIT} where it matters here. */
export function unitKind(unit: Uint8Array): number {
  return (unit[0] ?? 0) & 31;
}

/** The units of a stream in which each follows a start code. */
export function unitsAfterStartCodes(stream: Uint8Array): Uint8Array[] {
  const starts: number[] = [];
  for (let i = 0; i + 2 < stream.length; i++) {
    if (stream[i] === 0 && stream[i + 1] === 0 && stream[i + 2] === 1) starts.push(i);
  }
  return starts.map((start, index) => {
    let end = starts[index + 1] ?? stream.length;
    // A longer start code begins with one zero more; a unit never ends with one.
    while (end > start + 3 && stream[end - 1] === 0) end--;
    return stream.subarray(start + 3, end);
  });
}
