import { type ChannelLayout, CodecParameters, type Packet } from "node-av/lib";
import { TruePeakMeter } from "../../loudness/true-peak.ts";
import { StreamDecoder } from "../decode/stream-decoder.ts";
import { planesOf } from "../frame-planes.ts";
import { rational } from "../movie-file.ts";
import { describeAac } from "./aac-encoder.ts";

/** Decodes what an `AacEncoder` gives as it gives it, and measures the true peak of the sound as it will be heard. */
export class CodedPeak implements Disposable {
  readonly #decoder: StreamDecoder;
  readonly #meter: TruePeakMeter;

  /** @throws MediaProcessError as the encoder does. */
  constructor(sampleRate: number, layout: ChannelLayout) {
    const codecpar = new CodecParameters();
    codecpar.alloc();
    describeAac(sampleRate, layout, codecpar);
    this.#decoder = new StreamDecoder({ codecpar, timeBase: rational({ num: 1, den: sampleRate }) });
    this.#meter = new TruePeakMeter(layout.nbChannels);
    codecpar.free();
  }

  /** Decodes a packet, which stays as it is. */
  take(packet: Packet): void {
    this.#hear(packet);
  }

  /** The true peak as a gain; nothing may be taken after. */
  finish(): number {
    this.#hear(null);
    return this.#meter.finish();
  }

  [Symbol.dispose](): void {
    this.#decoder[Symbol.dispose]();
  }

  /** AAC becomes planar float where FFmpeg decodes it. */
  #hear(packet: Packet | null): void {
    for (const { frame } of this.#decoder.decode(packet)) this.#meter.add(planesOf(frame));
  }
}
