import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AV_PKT_DATA_DISPLAYMATRIX,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  FF_ENCODER_LIBX264,
} from "node-av/constants";
import { Codec, CodecContext, type FilterContext, Frame, Packet, type Stream } from "node-av/lib";
import type { FrameRate } from "../../../core/frame-rate.ts";
import { isHighDynamicRange, toneMap } from "../decode/held-picture.ts";
import { openPictureGraph, type PictureGraph, pictureFormat } from "../decode/picture-decoder.ts";
import { StreamDecoder } from "../decode/stream-decoder.ts";
import { check, type MovieFile, rational } from "../movie-file.ts";
import { MediaProcessError } from "../open.ts";
import { pictureGeometry } from "../probe/picture-geometry.ts";
import { CODER_THREADS, delayAt, PICTURE_LABEL, type PictureClock, type PictureTrack } from "./picture-track.ts";

/** How a picture is encoded. */
export interface EncodedPictureOrder {
  /** Height as shown, in lines; `null` keeps the programme's. */
  readonly height: number | null;
  /** Rate at which a held frame is repeated, and for the encoder's planning. */
  readonly rate: FrameRate;
}

/** Times of encoded frames are whole numbers of these: fine enough for every rate in use. */
const TIME_BASE = { num: 1, den: 90_000 };

/**
 * x264: close to transparent at the speed of decoding. Five frames ahead, and one step finer, are as near to the source in as
 * many bits as the preset's ten, which take 20 MB more.
 */
const QUALITY = { preset: "veryfast", crf: "18", "rc-lookahead": "5" };

/** Seconds between key frames at the most. */
const KEY_FRAME_SECONDS = 5;

/**
 * Encodes a picture as H.264: square pixels, 8 bits, interlaced frames made progressive, high dynamic range brought down
 * to standard. During a pause the last frame is repeated at the picture's own rate, so an even rate stays even.
 */
export class EncodedPicture implements PictureTrack {
  readonly #movie: MovieFile;
  readonly #track: Stream;
  readonly #decoder: StreamDecoder;
  readonly #encoder: CodecContext;
  readonly #packet = new Packet();
  readonly #clock: PictureClock;
  readonly #rate: FrameRate;
  readonly #filters: PictureFilters;
  readonly #held = new Frame();
  #hasHeld = false;
  #lastProgramme = Number.NEGATIVE_INFINITY;
  #lastTicks = -1n;

  /** Adds the track to a movie that has not begun. */
  constructor(movie: MovieFile, source: Stream, clock: PictureClock, order: EncodedPictureOrder) {
    this.#movie = movie;
    this.#clock = clock;
    this.#rate = order.rate;
    this.#decoder = new StreamDecoder(source, { threads: CODER_THREADS });
    this.#packet.alloc();
    this.#held.alloc();
    const size = storedSize(source, order.height);
    this.#filters = new PictureFilters(size, source.codecpar.colorTrc);
    this.#encoder = openEncoder(source, size, order.rate);
    this.#track = movie.addTrack(TIME_BASE, PICTURE_LABEL);
    check(this.#encoder.parametersFromContext(this.#track.codecpar));
    this.#track.avgFrameRate = rational({ num: order.rate.numerator, den: order.rate.denominator });
    const matrix = source.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
    if (matrix !== null) this.#track.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, matrix);
  }

  take(packet: Packet | null): Iterable<number> {
    for (const { frame, seconds } of this.#decoder.decode(packet)) {
      if (seconds === null) continue;
      for (const filtered of this.#filters.add(frame, seconds - this.#clock.originSeconds)) this.#place(filtered);
    }
    if (packet !== null) return [Number(this.#lastTicks) / TIME_BASE.den];
    for (const filtered of this.#filters.flush()) this.#place(filtered);
    // A pause may stand behind all frames.
    this.#repeatUntil(Number.POSITIVE_INFINITY);
    check(this.#encoder.sendFrameSync(null));
    this.#drain();
    return [Number.POSITIVE_INFINITY];
  }

  [Symbol.dispose](): void {
    this.#decoder[Symbol.dispose]();
    this.#filters[Symbol.dispose]();
    this.#held.free();
    this.#packet.free();
    this.#encoder.freeContext();
  }

  /** Encodes a frame at its time, after the repeats of the one before that a pause asks for. */
  #place({ frame, seconds }: TimedFrame): void {
    this.#repeatUntil(seconds);
    this.#encode(frame, seconds + delayAt(seconds, this.#clock));
    if (this.#hasHeld) this.#held.unref();
    check(this.#held.ref(frame));
    this.#hasHeld = true;
    this.#lastProgramme = seconds;
  }

  #repeatUntil(seconds: number): void {
    if (!this.#hasHeld) return;
    const { map, toleranceSeconds } = this.#clock;
    const frameSeconds = this.#rate.denominator / this.#rate.numerator;
    for (const { at, seconds: length } of map.holds) {
      if (at <= this.#lastProgramme + toleranceSeconds) continue;
      if (at > seconds + toleranceSeconds) return;
      const from = map.arrival(at);
      for (let k = 0; k * frameSeconds < length - frameSeconds / 2; k++)
        this.#encode(this.#held, from + k * frameSeconds);
    }
  }

  #encode(frame: Frame, movieSeconds: number): void {
    const ticks = BigInt(Math.round(movieSeconds * TIME_BASE.den));
    if (ticks < 0n || ticks <= this.#lastTicks) return;
    this.#lastTicks = ticks;
    frame.pts = ticks;
    frame.timeBase = rational(TIME_BASE);
    frame.pictType = AV_PICTURE_TYPE_NONE;
    check(this.#encoder.sendFrameSync(frame));
    this.#drain();
  }

  #drain(): void {
    while (this.#encoder.receivePacketSync(this.#packet) >= 0) this.#movie.write(this.#packet, this.#track, TIME_BASE);
  }
}

interface TimedFrame {
  readonly frame: Frame;
  /** Seconds on the programme clock. */
  readonly seconds: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Makes frames ready for the encoder, one for one. Built anew when the programme changes its picture format. */
class PictureFilters implements Disposable {
  readonly #size: Size;
  /** As the file states it: frames may leave it out. */
  readonly #colorTrc: Frame["colorTrc"];
  readonly #made = new Frame();
  readonly #times: number[] = [];
  #graph: PictureGraph | null = null;

  constructor(size: Size, colorTrc: Frame["colorTrc"]) {
    this.#size = size;
    this.#colorTrc = colorTrc;
    this.#made.alloc();
  }

  *add(frame: Frame, seconds: number): Generator<TimedFrame, void> {
    const format = pictureFormat(frame);
    if (this.#graph !== null && this.#graph.format !== format) yield* this.flush();
    this.#graph ??= this.#open(format, frame);
    frame.pts = BigInt(Math.round(seconds * TIME_BASE.den));
    this.#times.push(seconds);
    check(this.#graph.input.buffersrcAddFrameSync(frame));
    yield* this.#take(this.#graph.output);
  }

  *flush(): Generator<TimedFrame, void> {
    if (this.#graph === null) return;
    check(this.#graph.input.buffersrcAddFrameSync(null));
    yield* this.#take(this.#graph.output);
    this.#graph.graph.free();
    this.#graph = null;
    this.#times.length = 0;
  }

  [Symbol.dispose](): void {
    this.#made.free();
    this.#graph?.graph.free();
    this.#graph = null;
  }

  *#take(output: FilterContext): Generator<TimedFrame, void> {
    while (output.buffersinkGetFrameSync(this.#made) >= 0) {
      const seconds = this.#times.shift();
      if (seconds !== undefined) yield { frame: this.#made, seconds };
      this.#made.unref();
    }
  }

  #open(format: string, { colorSpace, colorPrimaries }: Frame): PictureGraph {
    const { width, height } = this.#size;
    const filters = [
      "bwdif=mode=send_frame:deint=interlaced",
      ...toneMap({ colorTrc: this.#colorTrc, colorSpace, colorPrimaries }),
      `scale=${width}:${height}:out_range=limited,setsar=1,format=pix_fmts=yuv420p`,
    ];
    return openPictureGraph(format, `${TIME_BASE.num}/${TIME_BASE.den}`, filters, [
      "media_unwritable",
      "The picture could not be prepared for encoding.",
    ]);
  }
}

/** Size in square pixels before the turn that a player makes; even numbers, as 4:2:0 needs. */
function storedSize(source: Stream, shownHeight: number | null): Size {
  const { turns, width, height } = pictureGeometry(source);
  const factor = shownHeight === null ? 1 : shownHeight / height;
  const even = (size: number) => Math.max(2, 2 * Math.round((size * factor) / 2));
  return turns % 2 === 0 ? { width: even(width), height: even(height) } : { width: even(height), height: even(width) };
}

function openEncoder(source: Stream, size: Size, rate: FrameRate): CodecContext {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
  if (codec === null) throw new MediaProcessError("media_unwritable", "This FFmpeg has no H.264 encoder.");
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  encoder.width = size.width;
  encoder.height = size.height;
  encoder.pixelFormat = AV_PIX_FMT_YUV420P;
  encoder.timeBase = rational(TIME_BASE);
  encoder.framerate = rational({ num: rate.numerator, den: rate.denominator });
  encoder.sampleAspectRatio = rational({ num: 1, den: 1 });
  encoder.gopSize = Math.max(1, Math.round((KEY_FRAME_SECONDS * rate.numerator) / rate.denominator));
  const { codecpar } = source;
  const isMapped = isHighDynamicRange(codecpar);
  encoder.colorRange = AVCOL_RANGE_MPEG;
  encoder.colorPrimaries = isMapped ? AVCOL_PRI_BT709 : codecpar.colorPrimaries;
  encoder.colorTrc = isMapped ? AVCOL_TRC_BT709 : codecpar.colorTrc;
  encoder.colorSpace = isMapped ? AVCOL_SPC_BT709 : codecpar.colorSpace;
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  for (const [name, value] of Object.entries(QUALITY))
    check(encoder.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN));
  check(encoder.open2Sync(codec));
  return encoder;
}
