import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PIX_FMT_YUV420P,
  FF_ENCODER_LIBX264,
} from "node-av/constants";
import { Codec, CodecContext, Frame, Packet, type Stream } from "node-av/lib";
import type { FrameRate } from "../../../core/frame-rate.ts";
import { UncopiableError } from "../encode/copied-picture.ts";
import { CODER_THREADS } from "../encode/picture-track.ts";
import { check, rational } from "../movie-file.ts";
import { readSliceSyntax, type SliceSyntax, UNIT, unitKind, unitsAfterStartCodes } from "./h264/parameter-sets.ts";

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

/**
 * x264: what is encoded stands beside what was copied, so nobody shall see the difference. It looks three frames ahead, not
 * the ten of its preset, which at 1080p take 50 MB; one step finer, that is as near to the source in as many bits.
 */
const QUALITY = { preset: "veryfast", crf: "15", "rc-lookahead": "3" };

/**
 * Encodes frames as H.264 slices that code coefficients, transforms and colours as the slices of a stream do. Each frame
 * refers to the one before it or stands for itself; they come out in the order in which they went in.
 */
export class SliceEncoder implements Disposable {
  /** How the slices are written. */
  readonly syntax: SliceSyntax;
  readonly #encoder: CodecContext;
  readonly #packet = new Packet();

  /**
   * @param keyFrameInterval Frames between those that stand for themselves, at the most.
   * @param threads Threads that share a frame, each with slices of its own.
   * @throws UncopiableError where no encoder works by these parameter sets.
   */
  constructor(shape: PatchShape, keyFrameInterval: number, threads = CODER_THREADS) {
    this.#encoder = openEncoder(shape, keyFrameInterval, threads);
    this.#packet.alloc();
    const units = unitsAfterStartCodes(this.#encoder.extraData ?? Buffer.alloc(0));
    const set = (kind: number) => units.find((unit) => unitKind(unit) === kind) ?? new Uint8Array();
    const syntax = readSliceSyntax(set(UNIT.sequenceSet), set(UNIT.pictureSet));
    if (syntax === null || !isAlike(syntax, shape.syntax)) {
      this[Symbol.dispose]();
      throw new UncopiableError("parameter sets that no encoder here works by");
    }
    this.syntax = syntax;
  }

  /** Encodes a frame (`null`: the end) and gives the slices of each picture that is ready. */
  *encode(frame: Frame | null): Generator<Uint8Array[], void> {
    check(this.#encoder.sendFrameSync(frame));
    while (this.#encoder.receivePacketSync(this.#packet) >= 0) {
      const units = unitsAfterStartCodes(this.#packet.data ?? Buffer.alloc(0));
      yield units.filter((unit) => [UNIT.slice, UNIT.idrSlice].some((kind) => kind === unitKind(unit)));
    }
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    this.#encoder.freeContext();
  }
}

function openEncoder({ source, syntax, rate }: PatchShape, keyFrameInterval: number, threads: number): CodecContext {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
  if (codec === null) throw new UncopiableError("no encoder");
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  encoder.width = source.codecpar.width;
  encoder.height = source.codecpar.height;
  encoder.pixelFormat = AV_PIX_FMT_YUV420P;
  encoder.timeBase = rational({ num: rate.denominator, den: rate.numerator });
  encoder.framerate = rational({ num: rate.numerator, den: rate.denominator });
  encoder.gopSize = keyFrameInterval;
  encoder.threadCount = threads;
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  const parameters = {
    bframes: 0,
    // Threads share a frame, where else each would hold one of its own.
    "sliced-threads": 1,
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
