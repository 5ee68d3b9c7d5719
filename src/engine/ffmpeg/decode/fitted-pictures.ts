import { FFmpegError, Frame, type Stream } from "node-av/lib";
import { pictureGeometry } from "../probe/picture-geometry.ts";
import { isHighDynamicRange, TONE_MAP } from "./held-picture.ts";
import { openPictureGraph, type PictureGraph, pictureFormat } from "./picture-graph.ts";

/** A size in square pixels, both numbers even. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Fits the frames of one stream into a frame of a given size: turned as a player turns them, square pixels, whole, black
 * bars around what is of another shape, high dynamic range brought down to standard.
 */
export class FittedPictures implements Disposable {
  readonly #size: PictureSize;
  readonly #chain: readonly string[];
  readonly #made = new Frame();
  #graph: PictureGraph | null = null;

  constructor(stream: Stream, size: PictureSize) {
    this.#size = size;
    this.#made.alloc();
    const { turns, isMirrored, width, height } = pictureGeometry(stream);
    const factor = Math.min(size.width / width, size.height / height);
    const even = (length: number, most: number) => Math.min(most, Math.max(2, 2 * Math.round((length * factor) / 2)));
    const fitted = `${even(width, size.width)}:${even(height, size.height)}`;
    this.#chain = [
      ...(isMirrored ? ["hflip"] : []),
      ...(turns === 2 ? ["hflip,vflip"] : []),
      ...(turns === 1 ? ["transpose=clock"] : []),
      ...(turns === 3 ? ["transpose=cclock"] : []),
      `scale=${fitted}:out_range=limited,setsar=1,format=pix_fmts=yuv420p`,
      `pad=${size.width}:${size.height}:(ow-iw)/2:(oh-ih)/2`,
    ];
  }

  /**
   * A frame fitted: planar 4:2:0, rows without padding.
   *
   * @throws MediaProcessError when FFmpeg has no way from the frame's format.
   */
  fit(frame: Frame): Uint8Array {
    const format = pictureFormat(frame);
    if (this.#graph?.format !== format) {
      this.#graph?.graph.free();
      this.#graph = this.#open(format, isHighDynamicRange(frame));
    }
    FFmpegError.throwIfError(this.#graph.input.buffersrcAddFrameSync(frame));
    FFmpegError.throwIfError(this.#graph.output.buffersinkGetFrameSync(this.#made));
    const pixels = this.#packed();
    this.#made.unref();
    return pixels;
  }

  [Symbol.dispose](): void {
    this.#made.free();
    this.#graph?.graph.free();
    this.#graph = null;
  }

  #packed(): Uint8Array {
    const { width, height } = this.#size;
    const pixels = new Uint8Array((width * height * 3) / 2);
    const [lumaStride = width, ...chromaStrides] = this.#made.linesize;
    let at = 0;
    for (const [plane, stride, rowWidth, rows] of [
      [0, lumaStride, width, height],
      [1, chromaStrides[0] ?? width / 2, width / 2, height / 2],
      [2, chromaStrides[1] ?? width / 2, width / 2, height / 2],
    ] as const) {
      const source = this.#made.data?.[plane];
      for (let row = 0; row < rows; row++, at += rowWidth) {
        if (source !== undefined) pixels.set(source.subarray(row * stride, row * stride + rowWidth), at);
      }
    }
    return pixels;
  }

  #open(format: string, isHdr: boolean): PictureGraph {
    const filters = [...(isHdr ? [TONE_MAP] : []), ...this.#chain];
    return openPictureGraph(format, "1/1000", filters, [
      "media_undecodable",
      "The picture could not be prepared for the cut.",
    ]);
  }
}
