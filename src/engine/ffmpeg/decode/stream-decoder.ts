import { AV_NOPTS_VALUE } from "node-av/constants";
import { Codec, CodecContext, Frame, type IRational, type Packet, type Stream } from "node-av/lib";
import { rational } from "../movie-file.ts";

/** How a {@link StreamDecoder} may spare work. */
export interface StreamDecoderOptions {
  /** Threads; 0 lets FFmpeg decide by the number of processors. Default 1. */
  readonly threads?: number;
  /** Options of the decoder by FFmpeg's names. */
  readonly options?: Readonly<Record<string, string>>;
}

/** Decodes one stream packet by packet. Damaged packets are left out; what can be decoded is. */
export class StreamDecoder implements Disposable {
  readonly #timeBase: IRational;
  readonly #context = new CodecContext();
  readonly #frame = new Frame();

  /** Whether the decoder could be opened; when not, it decodes nothing. */
  readonly isOpen: boolean;

  constructor(
    { codecpar, timeBase }: Pick<Stream, "codecpar" | "timeBase">,
    { threads = 1, options = {} }: StreamDecoderOptions = {},
  ) {
    // Asked for once: each answer of FFmpeg's is an object of its own.
    this.#timeBase = { num: timeBase.num, den: timeBase.den };
    this.#frame.alloc();
    const codec = Codec.findDecoder(codecpar.codecId);
    this.#context.allocContext3(codec);
    this.isOpen =
      codec !== null && this.#context.parametersToContext(codecpar) >= 0 && this.#open(codec, threads, options);
  }

  #open(codec: Codec, threads: number, options: Readonly<Record<string, string>>): boolean {
    this.#context.pktTimebase = rational(this.#timeBase);
    this.#context.threadCount = threads;
    for (const [name, value] of Object.entries(options)) this.#context.setOption(name, value);
    return this.#context.open2Sync(codec) >= 0;
  }

  /**
   * Decodes a packet (`null`: the end of the stream) and gives each frame with its time, in seconds on the file's own
   * clock, `null` where it has none. The frame is the decoder's own and empty after the next step: reference what is to
   * be kept.
   */
  *decode(packet: Packet | null): Generator<{ readonly frame: Frame; readonly seconds: number | null }, void> {
    if (!this.isOpen) return;
    this.#context.sendPacketSync(packet);
    while (this.#context.receiveFrameSync(this.#frame) >= 0) {
      yield { frame: this.#frame, seconds: this.#secondsOf(this.#frame) };
      this.#frame.unref();
    }
  }

  [Symbol.dispose](): void {
    this.#frame.free();
    this.#context.freeContext();
  }

  #secondsOf(frame: Frame): number | null {
    const ticks = frame.bestEffortTimestamp === AV_NOPTS_VALUE ? frame.pts : frame.bestEffortTimestamp;
    if (ticks === AV_NOPTS_VALUE) return null;
    return (Number(ticks) * this.#timeBase.num) / this.#timeBase.den;
  }
}
