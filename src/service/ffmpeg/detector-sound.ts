import { AV_CHANNEL_LAYOUT_STEREO, AV_SAMPLE_FMT_FLTP } from "node-av/constants";
import type { ChannelLayout } from "node-av/lib";
import { type DetectorMix, type DetectorSound, detectorMix } from "./dialogue-mix.ts";
import { bytesOf, Resampler } from "./resampler.ts";

/** Samples per second that detectors listen at. */
const DETECTOR_RATE = 16_000;

/** Turns decoded sound into what detectors listen to: dialogue and bed, mono, at {@link DETECTOR_RATE}. */
export class DetectorSounds implements Disposable {
  readonly #mix: DetectorMix;
  readonly #resampler: Resampler;

  constructor(sampleRate: number, layout: ChannelLayout) {
    this.#mix = detectorMix(layout);
    const shape = { sampleRate, layout: AV_CHANNEL_LAYOUT_STEREO, format: AV_SAMPLE_FMT_FLTP };
    this.#resampler = new Resampler(shape, DETECTOR_RATE, AV_CHANNEL_LAYOUT_STEREO);
  }

  /** @param planes One array per channel of the file's layout. */
  convert(planes: readonly Float32Array[]): DetectorSound {
    const { dialogue, bed } = this.#mix(planes);
    // The two signals travel as the two channels of one stereo sound.
    const [first, second] = this.#resampler.convert([dialogue, bed ?? dialogue].map(bytesOf), dialogue.length);
    return kept(first, bed === null ? undefined : second);
  }

  /** What the resampler still holds. */
  flush(hasBed: boolean): DetectorSound {
    const [first, second] = this.#resampler.flush();
    return kept(first, hasBed ? second : undefined);
  }

  [Symbol.dispose](): void {
    this.#resampler[Symbol.dispose]();
  }
}

/** Copies: detectors keep what they listen to. */
function kept(dialogue: Float32Array | undefined, bed: Float32Array | undefined): DetectorSound {
  return { dialogue: dialogue?.slice() ?? new Float32Array(), bed: bed?.slice() ?? null };
}
