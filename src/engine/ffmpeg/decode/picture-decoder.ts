import { availableParallelism } from "node:os";
import { FFmpegError, type FilterContext, FilterGraph, type Frame, type Packet, type Stream } from "node-av/lib";
import { MediaProcessError, type MediaProcessErrorCode } from "../open.ts";
import { pictureGeometry } from "../probe/picture-geometry.ts";
import { type HeldPicture, PictureHolder } from "./held-picture.ts";
import { PictureShrinker, type SmallPicture } from "./small-picture.ts";
import { StreamDecoder } from "./stream-decoder.ts";

/** A frame of the programme; only until the next one is asked for. */
export interface PictureFrame {
  /** Seconds on the programme clock at which it is shown. */
  readonly at: number;
  /** 128 pixels on the longer side, for measures taken of every frame. */
  readonly small: SmallPicture;
  /** A copy of at most 768 pixels width that can be kept, to be disposed of. */
  readonly hold: () => HeldPicture;
}

/** Longer side of the small pictures, and width of the held ones, in pixels. */
const SIZE = { small: 128, held: 768 };

/** Frames closer to the one before than this are left out: more than 40 a second tell nothing more, and cost. */
const CLOSEST_SECONDS = 1 / 40;

/**
 * Frames decoded at once beyond the number of processors, and pixels of a frame up to which it is done: some of them wait
 * for those they are made from while this thread measures. On two processors it takes 7 % off the clock, for 3 MB each.
 */
const MORE_AT_ONCE = { frames: 4, pixels: 1920 * 1088 };

/** As many as FFmpeg ever takes by itself. */
const MOST_AT_ONCE = 16;

/** A jump back by more than this, in seconds, is a clock that was reset (a spliced stream). */
const RESET_SECONDS = 1;

/**
 * Decodes a picture stream for measuring: each frame by its own time on the programme clock, never by its number.
 *
 * The loop filter is left out for frames that no other frame is made from: nothing is handed down, and a small picture
 * does not show it.
 */
export class PictureDecoder implements Disposable {
  readonly #decoder: StreamDecoder;
  readonly #small = new PictureShrinker(SIZE.small);
  readonly #holder: PictureHolder;
  readonly #clock: PictureTimeline;

  /** @param origin The programme's time 0 on the file's own clock, in seconds. */
  constructor(stream: Stream, origin: number) {
    this.#decoder = new StreamDecoder(stream, { threads: threadsFor(stream), options: { skip_loop_filter: "noref" } });
    const geometry = pictureGeometry(stream);
    this.#holder = new PictureHolder(geometry, SIZE.held);
    this.#clock = new PictureTimeline(origin);
  }

  /** Seconds on the programme clock at which the last frame ends, judged by the distance of the last two; 0 without any. */
  get endSeconds(): number {
    return this.#clock.endSeconds;
  }

  /** Decodes a packet (`null`: the end of the stream) and gives the frames it completed, in order of time. */
  *decode(packet: Packet | null): Generator<PictureFrame, void> {
    for (const { frame, seconds } of this.#decoder.decode(packet)) {
      const at = this.#clock.programmeTime(seconds);
      if (at === null) continue;
      yield { at, small: this.#small.shrink(frame), hold: () => this.#holder.hold(frame) };
    }
  }

  [Symbol.dispose](): void {
    this.#decoder[Symbol.dispose]();
    this.#small[Symbol.dispose]();
    this.#holder[Symbol.dispose]();
  }
}

/** Puts frames onto the programme's clock, whatever the file's own clock does. */
export class PictureTimeline {
  #shiftSeconds: number;
  #last = Number.NEGATIVE_INFINITY;
  #distance = 0;

  /** @param origin The programme's time 0 on the file's own clock, in seconds. */
  constructor(origin: number) {
    this.#shiftSeconds = -origin;
  }

  /** Seconds on the programme clock at which the last frame ends, judged by the distance of the last two; 0 without any. */
  get endSeconds(): number {
    return this.#last < 0 ? 0 : this.#last + this.#distance;
  }

  /**
   * The programme time of the next frame, in seconds; `null` for frames before the programme and those too close to the one
   * before.
   *
   * @param seconds Its time on the file's own clock; `null` where it has none.
   */
  programmeTime(seconds: number | null): number | null {
    if (seconds === null) return null;
    let at = seconds + this.#shiftSeconds;
    const isReset = at < this.#last - RESET_SECONDS;
    if (isReset) {
      this.#shiftSeconds += this.#last + CLOSEST_SECONDS - at;
      at = this.#last + CLOSEST_SECONDS;
    }
    // The first frame may begin a little before the sound, whose start then is time 0.
    if (at < -0.5 || (!isReset && at - this.#last < CLOSEST_SECONDS)) return null;
    if (this.#last >= 0) this.#distance = at - this.#last;
    this.#last = Math.max(0, at);
    return this.#last;
  }
}

/** How many frames are decoded at once; 0 leaves it to FFmpeg. */
function threadsFor({ codecpar: { width, height } }: Stream): number {
  if (width * height > MORE_AT_ONCE.pixels) return 0;
  return Math.min(MOST_AT_ONCE, availableParallelism() + MORE_AT_ONCE.frames);
}

/** A chain of filters for frames of one format; another format needs another one. */
export interface PictureGraph {
  /** Format of the frames it takes, as {@link pictureFormat} gives it. */
  readonly format: string;
  readonly graph: FilterGraph;
  readonly input: FilterContext;
  readonly output: FilterContext;
}

/** What a graph has to know of the frames that it takes. */
export function pictureFormat({ width, height, format }: Frame): string {
  return `width=${width}:height=${height}:pix_fmt=${format}`;
}

/**
 * Opens a graph of filters in a row. The caller frees `graph`.
 *
 * @param timeBase Unit of the frames' times, such as `1/1000` of a second.
 * @param failure What is raised when it cannot be opened.
 * @throws MediaProcessError when FFmpeg has no way from the format.
 */
export function openPictureGraph(
  format: string,
  timeBase: string,
  filters: readonly string[],
  failure: readonly [code: MediaProcessErrorCode, message: string],
): PictureGraph {
  const graph = new FilterGraph();
  graph.alloc();
  const chain = [`buffer@in=${format}:time_base=${timeBase}`, ...filters, "buffersink@out"];
  try {
    FFmpegError.throwIfError(graph.parsePtr(chain.join(",")));
    FFmpegError.throwIfError(graph.configSync());
  } catch (cause) {
    graph.free();
    throw new MediaProcessError(...failure, { cause });
  }
  const [input, output] = [graph.getFilter("buffer@in"), graph.getFilter("buffersink@out")];
  if (input === null || output === null) throw new MediaProcessError(...failure);
  return { format, graph, input, output };
}
