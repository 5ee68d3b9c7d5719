import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  FF_ENCODER_LIBX264,
} from "node-av/constants";
import { Codec, CodecContext, type Frame, Packet, type Stream } from "node-av/lib";
import type { FrameRate } from "../../core/frame-rate.ts";
import { UncopiableError } from "./copied-picture.ts";
import { readSliceSyntax, type SliceSyntax, UNIT, unitKind, unitsAfterStartCodes } from "./h264/parameter-sets.ts";
import { FIRST_IDR_ID, rewriteSlice } from "./h264/slice-header.ts";
import { check, rational } from "./movie-file.ts";

/** What a patch is written by. */
export interface PatchShape {
  readonly source: Stream;
  /** How the source's own slices are written. */
  readonly syntax: SliceSyntax;
  /** The source's parameter sets. */
  readonly sets: readonly Uint8Array[];
  /** Bytes of the number in front of each unit. */
  readonly lengthBytes: number;
  readonly rate: FrameRate;
}

/** x264: what is encoded stands beside what was copied, so nobody shall see the difference. */
const QUALITY = { preset: "veryfast", crf: "16" };

/** Seconds between key frames at the most. */
const KEY_FRAME_SECONDS = 5;

/** A picture that was encoded. */
export interface EncodedUnit {
  readonly bytes: Buffer;
  readonly isKey: boolean;
}

/**
 * Encodes frames so that they read by the parameter sets of a stream that is copied: its decoder never learns that they were
 * not there from the start. Frames come out in the order in which they went in.
 */
export class PatchEncoder implements Disposable {
  readonly #shape: PatchShape;
  readonly #encoder: CodecContext;
  readonly #syntax: SliceSyntax;
  readonly #packet = new Packet();
  #frames = 0n;
  #sinceIdr = 0;
  #idrs = 0;

  /** @throws UncopiableError where no encoder works by these parameter sets. */
  constructor(shape: PatchShape) {
    this.#shape = shape;
    this.#encoder = openEncoder(shape);
    this.#packet.alloc();
    const units = unitsAfterStartCodes(this.#encoder.extraData ?? Buffer.alloc(0));
    const set = (kind: number) => units.find((unit) => unitKind(unit) === kind) ?? new Uint8Array();
    const syntax = readSliceSyntax(set(UNIT.sequenceSet), set(UNIT.pictureSet));
    if (syntax === null || !isAlike(syntax, shape.syntax)) {
      this[Symbol.dispose]();
      throw new UncopiableError("parameter sets that no encoder here works by");
    }
    this.#syntax = syntax;
  }

  /** Encodes a frame (`null`: the end) and gives what is ready. */
  *encode(frame: Frame | null): Generator<EncodedUnit, void> {
    if (frame !== null) {
      if (frame.format !== AV_PIX_FMT_YUV420P) throw new UncopiableError("another format of pixels");
      frame.pts = this.#frames++;
      frame.pictType = AV_PICTURE_TYPE_NONE;
    }
    check(this.#encoder.sendFrameSync(frame));
    while (this.#encoder.receivePacketSync(this.#packet) >= 0) yield this.#rewritten(this.#packet.data);
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    this.#encoder.freeContext();
  }

  #rewritten(data: Buffer | null): EncodedUnit {
    const units = unitsAfterStartCodes(data ?? Buffer.alloc(0));
    const slices = units.filter((unit) => [UNIT.slice, UNIT.idrSlice].some((kind) => kind === unitKind(unit)));
    const isKey = slices.some((unit) => unitKind(unit) === UNIT.idrSlice);
    this.#sinceIdr = isKey ? 0 : this.#sinceIdr + 1;
    if (isKey) this.#idrs++;
    const place = { index: this.#sinceIdr, idrId: FIRST_IDR_ID + this.#idrs };
    const parts = slices.flatMap((unit) => {
      const rewritten = rewriteSlice(unit, this.#syntax, this.#shape.syntax, place);
      if (rewritten === null) throw new UncopiableError("a slice that cannot be rewritten");
      const length = Buffer.alloc(this.#shape.lengthBytes);
      length.writeUIntBE(rewritten.length, 0, length.length);
      return [length, rewritten];
    });
    if (parts.length === 0) throw new UncopiableError("an encoded frame without a slice");
    return { bytes: Buffer.concat(parts), isKey };
  }
}

function openEncoder({ source, syntax, rate }: PatchShape): CodecContext {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
  if (codec === null) throw new UncopiableError("no encoder");
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  encoder.width = source.codecpar.width;
  encoder.height = source.codecpar.height;
  encoder.pixelFormat = AV_PIX_FMT_YUV420P;
  encoder.timeBase = rational({ num: rate.denominator, den: rate.numerator });
  encoder.framerate = rational({ num: rate.numerator, den: rate.denominator });
  encoder.gopSize = Math.max(1, Math.round((KEY_FRAME_SECONDS * rate.numerator) / rate.denominator));
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  const parameters = {
    bframes: 0,
    ref: 1,
    weightp: 0,
    aud: 0,
    psy: 0,
    deblock: "0,0",
    cabac: Number(syntax.isArithmetic),
    "8x8dct": Number(syntax.transforms8x8),
    "chroma-qp-offset": syntax.chromaOffsets[0],
  };
  const listed = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  const options = { ...QUALITY, "x264-params": listed.join(":") };
  for (const [name, value] of Object.entries(options))
    check(encoder.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN));
  check(encoder.open2Sync(codec));
  return encoder;
}

/** Whether what stands behind the headers of slices is written alike. */
function isAlike(a: SliceSyntax, b: SliceSyntax): boolean {
  const numbers = ({ chromaOffsets, blocks }: SliceSyntax) => [...chromaOffsets, ...blocks].join(" ");
  return a.isArithmetic === b.isArithmetic && a.transforms8x8 === b.transforms8x8 && numbers(a) === numbers(b);
}
