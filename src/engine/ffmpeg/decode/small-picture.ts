import {
  AV_CODEC_ID_MJPEG,
  AV_PIX_FMT_YUV444P,
  AV_PIX_FMT_YUVJ420P,
  AVCOL_RANGE_JPEG,
  type AVPixelFormat,
  SWS_BILINEAR,
  SWS_FAST_BILINEAR,
} from "node-av/constants";
import { Codec, CodecContext, FFmpegError, Frame, Packet, SoftwareScaleContext } from "node-av/lib";
import { encodeJpeg, evenSize } from "./held-picture.ts";

/** A picture made small for measuring, as stored: not turned, pixels not made square. */
export interface SmallPicture {
  readonly width: number;
  readonly height: number;
  /** Brightness of each pixel, row by row. */
  readonly luma: Uint8Array;
  /** Blue and red difference of each pixel, 128 for grey. */
  readonly blue: Uint8Array;
  readonly red: Uint8Array;
  /** Whether luma runs from 0 to 255, rather than from 16 (black) to 235 (white). */
  readonly isFullRange: boolean;
}

/** Makes small pictures of frames; the picture is written anew each time. */
export class PictureShrinker implements Disposable {
  readonly #longSide: number;
  #scaler: { readonly key: string; readonly context: SoftwareScaleContext; readonly target: Frame } | null = null;
  #planes: Uint8Array[] = [];

  /** @param longSide The longer side of the small picture in pixels; smaller pictures stay as they are. */
  constructor(longSide: number) {
    this.#longSide = longSide;
  }

  /** The picture of a frame; overwritten by the next call. */
  shrink(frame: Frame): SmallPicture {
    const { context, target } = this.#scalerFor(frame);
    FFmpegError.throwIfError(context.scaleFrameSync(target, frame));
    const { width, height, linesize, data } = target;
    const [luma, blue, red] = [0, 1, 2].map((index) => {
      const plane = this.#planes[index] ?? new Uint8Array();
      const source = data?.[index];
      if (source !== undefined) copyRows(source, linesize[index] ?? width, plane, width, height);
      return plane;
    }) as [Uint8Array, Uint8Array, Uint8Array]; // three indexes give three planes
    return { width, height, luma, blue, red, isFullRange: frame.colorRange === AVCOL_RANGE_JPEG };
  }

  [Symbol.dispose](): void {
    this.#scaler?.context.freeContext();
    this.#scaler?.target.free();
    this.#scaler = null;
  }

  #scalerFor(frame: Frame): { readonly context: SoftwareScaleContext; readonly target: Frame } {
    const key = `${frame.width}x${frame.height} ${frame.format}`;
    if (this.#scaler?.key === key) return this.#scaler;
    this[Symbol.dispose]();
    const factor = Math.min(1, this.#longSide / Math.max(frame.width, frame.height));
    const width = Math.max(2, Math.round(frame.width * factor));
    const height = Math.max(2, Math.round(frame.height * factor));
    const context = new SoftwareScaleContext();
    const format = frame.format as AVPixelFormat; // a picture frame's format is a pixel format
    context.getContext(frame.width, frame.height, format, width, height, AV_PIX_FMT_YUV444P, SWS_FAST_BILINEAR);
    const target = new Frame();
    target.alloc();
    target.width = width;
    target.height = height;
    target.format = AV_PIX_FMT_YUV444P;
    FFmpegError.throwIfError(target.getBuffer(0));
    this.#planes = [0, 1, 2].map(() => new Uint8Array(width * height));
    this.#scaler = { key, context, target };
    return this.#scaler;
  }
}

function copyRows(source: Buffer, stride: number, into: Uint8Array, width: number, height: number): void {
  for (let row = 0; row < height; row++) into.set(source.subarray(row * stride, row * stride + width), row * width);
}

/** Quantiser of small pictures, 2 (best) to 31: at 6 the blocks are smaller than what is to be recognised. */
const QUANTISER = 6;

/** A small picture with its size in pixels. */
export interface Thumbnail {
  readonly jpeg: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * A JPEG picture made smaller, as a JPEG.
 *
 * @param width Width in pixels; a narrower picture stays as wide as it is.
 * @throws FFmpegError when it cannot be read.
 */
export function thumbnailOf(jpeg: Buffer, width: number): Thumbnail {
  using frame = decodeJpeg(jpeg);
  const factor = Math.min(1, width / frame.width);
  using small = new Frame();
  small.alloc();
  small.width = evenSize(frame.width * factor);
  small.height = evenSize(frame.height * factor);
  small.format = AV_PIX_FMT_YUVJ420P;
  FFmpegError.throwIfError(small.getBuffer(0));
  const scaler = new SoftwareScaleContext();
  try {
    const format = frame.format as AVPixelFormat; // a picture frame's format is a pixel format
    scaler.getContext(frame.width, frame.height, format, small.width, small.height, AV_PIX_FMT_YUVJ420P, SWS_BILINEAR);
    FFmpegError.throwIfError(scaler.scaleFrameSync(small, frame));
  } finally {
    scaler.freeContext();
  }
  using encoder = new CodecContext();
  return { jpeg: encodeJpeg(encoder, small, QUANTISER), width: small.width, height: small.height };
}

/**
 * The luma of a JPEG picture, 0 to 255, row by row without gaps.
 *
 * @throws FFmpegError when it cannot be read.
 */
export function lumaOf(jpeg: Uint8Array): {
  readonly width: number;
  readonly height: number;
  readonly rows: Uint8Array;
} {
  using frame = decodeJpeg(Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength));
  const { width, height } = frame;
  const [stride = width, plane = new Uint8Array()] = [frame.linesize[0], frame.data?.[0]];
  const rows = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) rows.set(plane.subarray(y * stride, y * stride + width), y * width);
  return { width, height, rows };
}

function decodeJpeg(jpeg: Buffer): Frame {
  using decoder = new CodecContext();
  const codec = Codec.findDecoder(AV_CODEC_ID_MJPEG);
  decoder.allocContext3(codec);
  FFmpegError.throwIfError(decoder.open2Sync(codec));
  using packet = new Packet();
  packet.alloc();
  packet.data = jpeg;
  FFmpegError.throwIfError(decoder.sendPacketSync(packet));
  FFmpegError.throwIfError(decoder.sendPacketSync(null));
  const frame = new Frame();
  frame.alloc();
  try {
    FFmpegError.throwIfError(decoder.receiveFrameSync(frame));
    return frame;
  } catch (error) {
    frame.free();
    throw error;
  }
}
