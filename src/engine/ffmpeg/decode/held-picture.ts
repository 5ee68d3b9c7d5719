import {
  AV_BUFFERSRC_FLAG_KEEP_REF,
  AV_CODEC_ID_MJPEG,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV420P10LE,
  AV_PIX_FMT_YUVJ420P,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
  type AVPixelFormat,
  SWS_BILINEAR,
} from "node-av/constants";
import { Codec, CodecContext, FFmpegError, FilterGraph, Frame, Packet, SoftwareScaleContext } from "node-av/lib";
import { MediaProcessError } from "../open.ts";
import type { PictureGeometry } from "../probe/picture-geometry.ts";

/** Quantiser of stills, 2 (best) to 31; 4 is free of visible blocks at a third of the size of 2. */
const QUANTISER = 4;
/** FFmpeg's units of quality per step of the quantiser (`FF_QP2LAMBDA`). */
const LAMBDA = 118;

/** Copies frames, made smaller, so that they can be kept while decoding goes on. */
export class PictureHolder implements Disposable {
  readonly #geometry: PictureGeometry;
  readonly #maximumWidth: number;
  #scaler: { readonly key: string; readonly context: SoftwareScaleContext } | null = null;

  /** @param maximumWidth Width of the copies, as shown, in pixels; smaller pictures stay as they are. */
  constructor(geometry: PictureGeometry, maximumWidth: number) {
    this.#geometry = geometry;
    this.#maximumWidth = maximumWidth;
  }

  /** A copy of a frame, to be disposed of. */
  hold(frame: Frame): HeldPicture {
    const { turns, width, height } = this.#geometry;
    const factor = Math.min(1, this.#maximumWidth / width);
    const shown = [evenSize(width * factor), evenSize(height * factor)] as const;
    const [storedWidth, storedHeight] = turns % 2 === 0 ? shown : ([shown[1], shown[0]] as const);
    const copy = new Frame();
    copy.alloc();
    copy.width = storedWidth;
    copy.height = storedHeight;
    // Ten bits are kept where brightness must still be mapped: eight would show bands.
    copy.format = isHighDynamicRange(frame) ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P;
    FFmpegError.throwIfError(copy.getBuffer(0));
    FFmpegError.throwIfError(this.#scalerFor(frame, copy).scaleFrameSync(copy, frame));
    copy.copyProps(frame);
    return new HeldPicture(copy, this.#geometry);
  }

  [Symbol.dispose](): void {
    this.#scaler?.context.freeContext();
    this.#scaler = null;
  }

  #scalerFor(frame: Frame, copy: Frame): SoftwareScaleContext {
    const key = `${frame.width}x${frame.height} ${frame.format} ${copy.format}`;
    if (this.#scaler?.key === key) return this.#scaler.context;
    this[Symbol.dispose]();
    const context = new SoftwareScaleContext();
    const [from, to] = [frame.format as AVPixelFormat, copy.format as AVPixelFormat]; // formats of pictures
    context.getContext(frame.width, frame.height, from, copy.width, copy.height, to, SWS_BILINEAR);
    this.#scaler = { key, context };
    return context;
  }
}

/** A picture kept beyond its turn, until it is written as a still or let go. */
export class HeldPicture implements Disposable {
  readonly #frame: Frame;
  readonly #geometry: PictureGeometry;

  constructor(frame: Frame, geometry: PictureGeometry) {
    this.#frame = frame;
    this.#geometry = geometry;
  }

  /** Luma of each pixel, 8 bits, as stored; rows may be longer than the picture. */
  get luma(): { readonly width: number; readonly height: number; readonly stride: number; readonly rows: Uint8Array } {
    const { width, height, linesize, data, format } = this.#frame;
    const [rows = new Uint8Array()] = data ?? [];
    const stride = linesize[0] ?? width;
    if (format !== AV_PIX_FMT_YUV420P10LE) return { width, height, stride, rows };
    const wide = new Uint16Array(rows.buffer, rows.byteOffset, rows.byteLength >> 1);
    return { width, height, stride: stride >> 1, rows: Uint8Array.from(wide, (value) => value >> 2) };
  }

  /**
   * The picture as a JPEG file, as shown: turned, with square pixels, high dynamic range brought down to what a still can
   * show.
   */
  toJpeg(): Buffer {
    using graph = new FilterGraph();
    using encoder = new CodecContext();
    graph.alloc();
    // Starting threads takes longer than one small picture.
    graph.nbThreads = 1;
    const { width, height, format } = this.#frame;
    const source = `buffer@in=width=${width}:height=${height}:pix_fmt=${format}:time_base=1/1000`;
    FFmpegError.throwIfError(graph.parsePtr(`${source},${this.#filters()},buffersink@out`));
    FFmpegError.throwIfError(graph.configSync());
    const [input, output] = [graph.getFilter("buffer@in"), graph.getFilter("buffersink@out")];
    if (input === null || output === null)
      throw new MediaProcessError("media_unwritable", "A still could not be made.");
    FFmpegError.throwIfError(input.buffersrcAddFrameSync(this.#frame, AV_BUFFERSRC_FLAG_KEEP_REF));
    using still = new Frame();
    still.alloc();
    FFmpegError.throwIfError(output.buffersinkGetFrameSync(still));
    return encodeJpeg(encoder, still, QUANTISER);
  }

  [Symbol.dispose](): void {
    this.#frame.free();
  }

  #filters(): string {
    const { turns, isMirrored } = this.#geometry;
    const inRange = this.#frame.colorRange === AVCOL_RANGE_JPEG ? "full" : "limited";
    return [
      ...toneMap(this.#frame),
      ...(isMirrored ? ["hflip"] : []),
      ...(turns === 2 ? ["hflip,vflip"] : []),
      ...(turns === 1 ? ["transpose=clock"] : []),
      ...(turns === 3 ? ["transpose=cclock"] : []),
      `scale=in_range=${inRange}:out_range=full,format=pix_fmts=yuvj420p`,
    ].join(",");
  }
}

/** High dynamic range to standard: linear light, Hable's curve, BT.709. */
const TONE_MAP =
  "zscale=transfer=linear:npl=100,format=gbrpf32le,zscale=primaries=bt709,tonemap=tonemap=hable:desat=0," +
  "zscale=transfer=bt709:matrix=bt709:range=limited,format=yuv420p";

/** What a frame says of its colours. */
type FrameColours = Pick<Frame, "colorTrc" | "colorSpace" | "colorPrimaries">;

/**
 * The filters that bring a picture of high dynamic range down to standard; none for any other. Colours that it does not tell
 * of are those of BT.2020, as such pictures have them: FFmpeg knows no way from unknown ones.
 */
export function toneMap(frame: FrameColours): string[] {
  if (!isHighDynamicRange(frame)) return [];
  const assumed = [
    ...(frame.colorSpace === AVCOL_SPC_UNSPECIFIED ? ["colorspace=bt2020nc"] : []),
    ...(frame.colorPrimaries === AVCOL_PRI_UNSPECIFIED ? ["color_primaries=bt2020"] : []),
  ];
  return [...(assumed.length === 0 ? [] : [`setparams=${assumed.join(":")}`]), TONE_MAP];
}

/** Whether a picture's brightness is coded for high dynamic range (PQ or HLG). */
export function isHighDynamicRange(frame: Pick<Frame, "colorTrc">): boolean {
  return frame.colorTrc === AVCOL_TRC_SMPTE2084 || frame.colorTrc === AVCOL_TRC_ARIB_STD_B67;
}

/** The nearest even number, at least 2: a picture with halved colours has even sides. */
export function evenSize(size: number): number {
  return Math.max(2, 2 * Math.round(size / 2));
}

/**
 * A frame of format `yuvj420p` as a JPEG file.
 *
 * @param encoder A fresh one, the caller's to dispose of.
 * @param quantiser 2 (best) to 31.
 * @throws FFmpegError
 */
export function encodeJpeg(encoder: CodecContext, still: Frame, quantiser: number): Buffer {
  const codec = Codec.findEncoder(AV_CODEC_ID_MJPEG);
  encoder.allocContext3(codec);
  encoder.width = still.width;
  encoder.height = still.height;
  encoder.pixelFormat = AV_PIX_FMT_YUVJ420P;
  encoder.timeBase = { num: 1, den: 25 } as CodecContext["timeBase"]; // a ratio is all that is read of it
  encoder.setOption("flags", "+qscale");
  encoder.setOption("global_quality", String(quantiser * LAMBDA));
  FFmpegError.throwIfError(encoder.open2Sync(codec));
  still.quality = quantiser * LAMBDA;
  FFmpegError.throwIfError(encoder.sendFrameSync(still));
  FFmpegError.throwIfError(encoder.sendFrameSync(null));
  using packet = new Packet();
  packet.alloc();
  FFmpegError.throwIfError(encoder.receivePacketSync(packet));
  return Buffer.from(packet.data ?? []);
}
