import { AVSEEK_FLAG_BACKWARD } from "node-av/constants";
import { FFmpegError, Frame, Packet, type Stream } from "node-av/lib";
import { isStillName } from "../../../core/local-file.ts";
import { MediaProcessError, mediaName, type OpenMedia, openMedia, STILL_WHITELIST } from "../open.ts";
import { originSeconds, pictureStream } from "../probe/media-streams.ts";
import { pictureGeometry } from "../probe/picture-geometry.ts";
import { soundStreams } from "../probe/programme-sound-streams.ts";
import { toneMap } from "./held-picture.ts";
import { openPictureGraph, type PictureGraph, pictureFormat } from "./picture-decoder.ts";
import { StreamDecoder } from "./stream-decoder.ts";

/** How far a frame's stored time may lie behind the time it is meant for: containers round to the millisecond. */
const TOLERANCE_SECONDS = 0.002;

/** A jump ahead by more than this is sought, not decoded through. */
const FARTHEST_SECONDS = 4;

/** Where a source runs backwards: how far before a wanted time reading begins, and how many frames are kept. */
const BACKWARDS = { seconds: 1, frames: 60 };

/** A picture made ready, and its time on the source's clock. */
interface KeptPicture {
  readonly at: number;
  readonly pixels: Uint8Array;
}

/** The pictures of one file at any times, fitted into a frame of one size. Fastest when times grow. */
export class SourcePictures implements Disposable {
  readonly #media: OpenMedia;
  readonly #stream: Stream;
  readonly #origin: number;
  readonly #isStill: boolean;
  readonly #fitted: FittedPictures;
  readonly #packet = new Packet();
  readonly #shown = new Frame();
  #shownAt: number | null = null;
  /** The shown frame made ready; `null` until somebody asks for it. */
  #pixels: Uint8Array | null = null;
  /** The frame behind the shown one, already decoded. */
  readonly #next = new Frame();
  #nextAt: number | null = null;
  #decoder: StreamDecoder;
  #times: Iterator<number, void>;
  /** Pictures in order of time before the shown one, where the source runs backwards. */
  #behind: KeptPicture[] = [];

  private constructor(media: OpenMedia, stream: Stream, size: PictureSize, isStill: boolean) {
    this.#media = media;
    this.#stream = stream;
    this.#isStill = isStill;
    this.#origin = originSeconds(stream, soundStreams(media.context)?.streams[0] ?? null);
    this.#fitted = new FittedPictures(stream, size);
    for (const part of [this.#packet, this.#shown, this.#next]) part.alloc();
    this.#decoder = new StreamDecoder(stream, { threads: 0 });
    this.#times = this.#decode();
  }

  /**
   * Opens a file for its pictures.
   *
   * @throws MediaProcessError when it cannot be opened or holds no picture.
   */
  static async open(path: string, size: PictureSize): Promise<SourcePictures> {
    const isStill = isStillName(path);
    const media = await openMedia(path, isStill ? STILL_WHITELIST : undefined);
    const stream = pictureStream(media.context);
    if (stream !== null) return new SourcePictures(media, stream, size, isStill);
    media[Symbol.dispose]();
    throw withoutPicture(path);
  }

  /**
   * The picture shown at a time in seconds from the source's start, planar 4:2:0 without padding; the first or last one
   * outside of it.
   *
   * @throws MediaProcessError when not one picture can be decoded.
   */
  pictureAt(seconds: number): Uint8Array {
    const kept = this.#behind.findLast(({ at }) => at <= seconds + TOLERANCE_SECONDS);
    if (kept !== undefined && this.#shownAt !== null && seconds < this.#shownAt - TOLERANCE_SECONDS) return kept.pixels;
    if (this.#isStill && this.#shownAt !== null) return this.#shownPixels();
    if (this.#shownAt !== null && seconds < this.#shownAt - TOLERANCE_SECONDS) this.#readBackwards(seconds);
    else {
      if (seconds > (this.#shownAt ?? 0) + FARTHEST_SECONDS) this.#seek(seconds);
      while (this.#isDue(seconds)) this.#showNext();
    }
    return this.#shownPixels();
  }

  [Symbol.dispose](): void {
    this.#decoder[Symbol.dispose]();
    this.#fitted[Symbol.dispose]();
    for (const part of [this.#packet, this.#shown, this.#next]) part.free();
    this.#media[Symbol.dispose]();
  }

  /** Goes back to a time and keeps the pictures before it, which are asked for next. */
  #readBackwards(seconds: number): void {
    this.#behind = [];
    this.#seek(seconds - BACKWARDS.seconds);
    while (this.#isDue(seconds)) {
      this.#showNext();
      this.#behind.push({ at: this.#shownAt ?? 0, pixels: this.#shownPixels() });
      if (this.#behind.length > BACKWARDS.frames) this.#behind.shift();
    }
  }

  /** Whether the frame behind the shown one is to be shown by a time; the first one always is. */
  #isDue(seconds: number): boolean {
    if (this.#nextAt === null) {
      const found = this.#times.next();
      if (found.done === true) return false;
      this.#nextAt = found.value;
    }
    return this.#shownAt === null || this.#nextAt <= seconds + TOLERANCE_SECONDS;
  }

  #showNext(): void {
    this.#shown.unref();
    this.#shown.ref(this.#next);
    this.#next.unref();
    this.#shownAt = this.#nextAt;
    this.#nextAt = null;
    this.#pixels = null;
  }

  #shownPixels(): Uint8Array {
    if (this.#shownAt === null) throw withoutPicture(this.#media.path);
    this.#pixels ??= this.#fitted.fit(this.#shown);
    return this.#pixels;
  }

  /** Decodes frame by frame into `#next` and gives the time of each on the source's clock. */
  *#decode(): Generator<number, void> {
    let last = 0;
    for (let isOver = false; !isOver; ) {
      isOver = this.#media.context.readFrameSync(this.#packet) < 0;
      const isOurs = isOver || this.#packet.streamIndex === this.#stream.index;
      for (const { frame, seconds } of isOurs ? this.#decoder.decode(isOver ? null : this.#packet) : []) {
        last = seconds === null ? last : seconds - this.#origin;
        this.#next.ref(frame);
        yield last;
      }
      if (!isOver) this.#packet.unref();
    }
  }

  #seek(seconds: number): void {
    const { num, den } = this.#stream.timeBase;
    const ticks = Math.round(((Math.max(0, seconds) + this.#origin) * den) / num);
    this.#media.context.seekFrameSync(this.#stream.index, BigInt(ticks), AVSEEK_FLAG_BACKWARD);
    this.#decoder[Symbol.dispose]();
    this.#decoder = new StreamDecoder(this.#stream, { threads: 0 });
    this.#times = this.#decode();
    this.#next.unref();
    this.#nextAt = null;
    this.#shownAt = null;
  }
}

function withoutPicture(path: string): MediaProcessError {
  return new MediaProcessError("media_undecodable", `${mediaName(path)} holds no picture that can be read.`);
}

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
      this.#graph = this.#open(format, toneMap(frame));
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

  #open(format: string, before: readonly string[]): PictureGraph {
    return openPictureGraph(
      format,
      "1/1000",
      [...before, ...this.#chain],
      ["media_undecodable", "The picture could not be prepared for the cut."],
    );
  }
}
