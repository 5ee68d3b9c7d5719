import { AV_CHANNEL_LAYOUT_MONO, AV_CHANNEL_LAYOUT_SURROUND, AV_SAMPLE_FMT_FLTP } from "node-av/constants";
import type { ChannelLayout } from "node-av/lib";
import { type DetectorMix, type DetectorSound, detectorMix } from "./dialogue-mix.ts";
import { bytesOf, Resampler } from "./resampler.ts";

/** Samples per second that detectors listen at. */
const DETECTOR_RATE = 16_000;

/** Turns decoded sound into what detectors listen to: dialogue, centre and bed, mono, at {@link DETECTOR_RATE}. */
export class DetectorSounds implements Disposable {
  readonly #mix: DetectorMix;
  readonly #sampleRate: number;
  #resampler: Resampler | null = null;
  #hasCentre = false;

  constructor(sampleRate: number, layout: ChannelLayout) {
    this.#mix = detectorMix(layout);
    this.#sampleRate = sampleRate;
  }

  /** @param planes One array per channel of the file's layout. */
  convert(planes: readonly Float32Array[]): DetectorSound {
    const { dialogue, centre, bed } = this.#mix(planes);
    this.#hasCentre = centre !== null && bed !== null;
    // The signals travel as channels of one sound.
    const signals = centre !== null && bed !== null ? [dialogue, centre, bed] : [dialogue];
    this.#resampler ??= this.#open();
    return this.#kept(this.#resampler.convert(signals.map(bytesOf), dialogue.length));
  }

  /** What the resampler still holds. */
  flush(): DetectorSound {
    return this.#kept(this.#resampler?.flush() ?? []);
  }

  [Symbol.dispose](): void {
    this.#resampler?.[Symbol.dispose]();
  }

  #open(): Resampler {
    const layout = this.#hasCentre ? AV_CHANNEL_LAYOUT_SURROUND : AV_CHANNEL_LAYOUT_MONO;
    return new Resampler({ sampleRate: this.#sampleRate, layout, format: AV_SAMPLE_FMT_FLTP }, DETECTOR_RATE, layout);
  }

  /** Copies: detectors keep what they listen to. */
  #kept([dialogue, centre, bed]: readonly Float32Array[]): DetectorSound {
    const copied = (signal: Float32Array | undefined) =>
      this.#hasCentre ? (signal?.slice() ?? new Float32Array()) : null;
    return { dialogue: dialogue?.slice() ?? new Float32Array(), centre: copied(centre), bed: copied(bed) };
  }
}
