import { BitWriter, withEmulation } from "../../../../src/engine/ffmpeg/splice/h264/bits.ts";
import type { SliceSyntax } from "../../../../src/engine/ffmpeg/splice/h264/parameter-sets.ts";

/** Sets and slices of H.264 as an encoder would write them (ITU-T H.264, 7.3), so that tests need none. */

/** How the slices of a usual stream are written. */
export const USUAL: SliceSyntax = {
  pictureSetId: 0,
  frameNumberBits: 4,
  orderBits: 6,
  hasFieldOrder: false,
  isArithmetic: true,
  hasWeights: false,
  initialQp: 26,
  hasDeblocking: true,
  transforms8x8: false,
  chromaOffsets: [0, 0],
  blocks: [13, 8],
};

/** What a sequence set says beside what slices hang on. */
export interface SequenceFacts {
  readonly id?: number;
  readonly profile?: number;
  /** As the standard numbers them: 1 for 4:2:0. */
  readonly chroma?: number;
  readonly extraBits?: readonly [number, number];
  readonly isLossless?: boolean;
  readonly hasScaling?: boolean;
  readonly orderKind?: number;
  readonly references?: number | undefined;
  readonly isProgressive?: boolean;
  /** Left and top, in units of two pixels. */
  readonly cropped?: readonly [number, number];
}

/** A unit of one byte of head and what is written behind it. */
function unit(head: number, write: (writer: BitWriter) => void): Uint8Array {
  const writer = new BitWriter();
  write(writer);
  return Uint8Array.of(head, ...withEmulation(writer.toBytes()));
}

/** A sequence set for slices of some syntax. */
export function sequenceSet(syntax: SliceSyntax, facts: SequenceFacts = {}): Uint8Array {
  const { id = 0, profile = 77, chroma = 1, extraBits = [0, 0], references = 1, isProgressive = true, cropped } = facts;
  return unit(0x67, (writer) => {
    writer.unsigned(profile, 8);
    writer.unsigned(30, 16);
    writer.golomb(id);
    if (profile >= 100) {
      for (const value of [chroma, ...extraBits]) writer.golomb(value);
      writer.bit(Number(facts.isLossless ?? false));
      writer.bit(Number(facts.hasScaling ?? false));
    }
    writer.golomb(syntax.frameNumberBits - 4);
    writer.golomb(facts.orderKind ?? (syntax.orderBits === null ? 2 : 0));
    if (syntax.orderBits !== null) writer.golomb(syntax.orderBits - 4);
    writer.golomb(references);
    writer.bit(0);
    for (const count of syntax.blocks) writer.golomb(count - 1);
    writer.bit(Number(isProgressive));
    writer.bit(1);
    writer.bit(Number(cropped !== undefined));
    if (cropped !== undefined) for (const value of [cropped[0], 3, cropped[1], 4]) writer.golomb(value);
    writer.bit(0);
    writer.bit(1);
  });
}

/** What a picture set says beside what slices hang on. */
export interface PictureFacts {
  readonly sequenceSetId?: number;
  readonly groups?: number;
  readonly isConstrained?: boolean;
  readonly hasRedundant?: boolean;
  readonly hasScaling?: boolean;
  /** Whether it ends before transforms of 8 by 8 are told of, as those of older profiles do. */
  readonly isShort?: boolean;
}

/** A picture set for slices of some syntax. */
export function pictureSet(syntax: SliceSyntax, facts: PictureFacts = {}): Uint8Array {
  return unit(0x68, (writer) => {
    writer.golomb(syntax.pictureSetId);
    writer.golomb(facts.sequenceSetId ?? 0);
    writer.bit(Number(syntax.isArithmetic));
    writer.bit(Number(syntax.hasFieldOrder));
    writer.golomb(facts.groups ?? 0);
    writer.golomb(2);
    writer.golomb(1);
    writer.bit(Number(syntax.hasWeights));
    writer.unsigned(2, 2);
    writer.signedGolomb(syntax.initialQp - 26);
    writer.signedGolomb(-3);
    writer.signedGolomb(syntax.chromaOffsets[0]);
    writer.bit(Number(syntax.hasDeblocking));
    writer.bit(Number(facts.isConstrained ?? false));
    writer.bit(Number(facts.hasRedundant ?? false));
    if (facts.isShort !== true) {
      writer.bit(Number(syntax.transforms8x8));
      writer.bit(Number(facts.hasScaling ?? false));
      writer.signedGolomb(syntax.chromaOffsets[1]);
    }
    writer.bit(1);
  });
}

/** What a slice says, whatever it is written by. */
export interface SliceContent {
  readonly firstBlock: number;
  /** As the standard numbers them: 5 to 9 where all of a picture's are alike. */
  readonly type: number;
  readonly isIdr: boolean;
  readonly qp: number;
  /** Of the filter between blocks: 0 usual, 1 none, 2 inside the slice. */
  readonly filter: number;
  readonly filterOffsets: readonly [number, number];
  readonly contexts: number;
  /** Coded blocks: bits, or whole bytes of them where the code is arithmetic. */
  readonly blocks: readonly number[];
  /** Whether it says how many pictures it refers to: how many more than one. */
  readonly references?: number | undefined;
  /** Whether it orders them anew. */
  readonly reorders?: boolean;
  /** What becomes of the picture, where not the usual. */
  readonly marks?: number;
}

/** A slice of some syntax, in the place of a stream where its picture is. */
export function sliceOf(
  syntax: SliceSyntax,
  content: SliceContent,
  place: { readonly number: number; readonly order: number; readonly idrId: number },
): Uint8Array {
  const { isIdr, filter } = content;
  const isPredicted = content.type % 5 === 0;
  return unit(isIdr ? 0x65 : 0x41, (writer) => {
    writer.golomb(content.firstBlock);
    writer.golomb(content.type);
    writer.golomb(syntax.pictureSetId);
    writer.unsigned(place.number % 2 ** syntax.frameNumberBits, syntax.frameNumberBits);
    if (isIdr) writer.golomb(place.idrId);
    if (syntax.orderBits !== null) {
      writer.unsigned(place.order % 2 ** syntax.orderBits, syntax.orderBits);
      if (syntax.hasFieldOrder) writer.signedGolomb(0);
    }
    if (isPredicted) {
      writer.bit(Number(content.references !== undefined));
      if (content.references !== undefined) writer.golomb(content.references);
      writer.bit(Number(content.reorders ?? false));
      if (syntax.hasWeights) {
        for (const value of [0, 0]) writer.golomb(value);
        for (const value of [0, 0]) writer.bit(value);
      }
    }
    writer.unsigned(content.marks ?? 0, isIdr ? 2 : 1);
    if (isPredicted && syntax.isArithmetic) writer.golomb(content.contexts);
    writer.signedGolomb(content.qp - syntax.initialQp);
    if (syntax.hasDeblocking) {
      writer.golomb(filter);
      if (filter !== 1) for (const offset of content.filterOffsets) writer.signedGolomb(offset);
    }
    if (syntax.isArithmetic) {
      while (writer.bitsInByte !== 0) writer.bit(1);
      for (const byte of content.blocks) writer.unsigned(byte, 8);
      return;
    }
    for (const bit of content.blocks) writer.bit(bit & 1);
    writer.bit(1);
  });
}
