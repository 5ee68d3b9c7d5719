import { AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P, type AVPixelFormat, SWS_BILINEAR } from "node-av/constants";
import { Codec, CodecContext, FFmpegError, Frame, Packet, SoftwareScaleContext } from "node-av/lib";
import { encodeJpeg, evenSize } from "./held-picture.ts";

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
