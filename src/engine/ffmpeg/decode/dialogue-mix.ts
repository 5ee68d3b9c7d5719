import { AV_CHANNEL_LAYOUT_MONO, AV_CHANNEL_LAYOUT_SURROUND, AV_SAMPLE_FMT_FLTP } from "node-av/constants";
import type { ChannelLayout } from "node-av/lib";
import { bytesOf, Resampler } from "./resampler.ts";

/** Mono signals of the same sound, for detectors. */
export interface DetectorSound {
  /** Where dialogue is: the centre of a surround mix with a little of the rest, what left and right have in common of a stereo one. */
  readonly dialogue: Float32Array;
  /**
   * The centre of a surround mix alone: a quiet line in it is covered in the dialogue above by loud fronts, however little of
   * them is let in. `null` where the sound has no centre beside other channels.
   */
  readonly centre: Float32Array | null;
  /** Where music is: everything but the centre of a surround mix; `null` where it is the same as the dialogue. */
  readonly bed: Float32Array | null;
}

/** Mixes planar sound down for detectors, sample by sample. */
export type DetectorMix = (planes: readonly Float32Array[]) => DetectorSound;

/** Bits of a channel mask, in the order of a file's channels (FFmpeg, `channel_layout.h`). */
const CHANNEL = { frontLeft: 0x1, frontRight: 0x2, frontCentre: 0x4, lowFrequency: 0x8 };

/**
 * Gains of a surround mix. The centre carries the dialogue; the fronts stay audible 15 dB below, for voices that are
 * panned, and the rest 26 dB below.
 */
const SURROUND_DIALOGUE = { centre: 1, front: 0.18, other: 0.05 };
const SURROUND_BED = { front: 0.5, other: 0.35 };

/** The mix for a channel layout. */
function detectorMix(layout: ChannelLayout): DetectorMix {
  const places = channelPlaces(layout);
  const hasCentre = places.length >= 3 && places.includes(CHANNEL.frontCentre);
  if (hasCentre) {
    const dialogue = places.map((place) => surroundGain(place, SURROUND_DIALOGUE.centre, SURROUND_DIALOGUE));
    const bed = places.map((place) => surroundGain(place, 0, SURROUND_BED));
    const centre = places.map((place) => (place === CHANNEL.frontCentre ? 1 : 0));
    return (planes) => ({
      dialogue: weigh(planes, dialogue),
      centre: weigh(planes, centre),
      bed: weigh(planes, bed),
    });
  }
  if (places.length === 2) return (planes) => ({ dialogue: common(planes), centre: null, bed: null });
  const full = places.filter((place) => place !== CHANNEL.lowFrequency).length;
  const equal = places.map((place) => (place === CHANNEL.lowFrequency ? 0 : 1 / full));
  return (planes) => ({ dialogue: weigh(planes, equal), centre: null, bed: null });
}

/** The place of each channel; all 0 for layouts that name none. */
function channelPlaces({ nbChannels, mask }: ChannelLayout): number[] {
  const named = Array.from({ length: 32 }, (_, bit) => 2 ** bit).filter((bit) => (mask & BigInt(bit)) !== 0n);
  return named.length === nbChannels ? named : Array.from({ length: nbChannels }, () => 0);
}

function surroundGain(
  place: number,
  centre: number,
  gains: { readonly front: number; readonly other: number },
): number {
  if (place === CHANNEL.frontCentre) return centre;
  if (place === CHANNEL.lowFrequency) return 0;
  return place === CHANNEL.frontLeft || place === CHANNEL.frontRight ? gains.front : gains.other;
}

function weigh(planes: readonly Float32Array[], gains: readonly number[]): Float32Array {
  const mixed = new Float32Array(planes[0]?.length ?? 0);
  for (const [channel, plane] of planes.entries()) {
    const gain = gains[channel] ?? 0;
    if (gain === 0) continue;
    for (let i = 0; i < mixed.length; i++) mixed[i] = (mixed[i] ?? 0) + gain * (plane[i] ?? 0);
  }
  return mixed;
}

/** Share of the energy of the difference below which the sum of two channels has cancelled out: one is inverted. */
const CANCELLED = 0.02;

/** What two channels have in common; their difference where one of them is the other turned upside down. */
function common(planes: readonly Float32Array[]): Float32Array {
  const sum = weigh(planes, [0.5, 0.5]);
  const difference = weigh(planes, [0.5, -0.5]);
  return energy(sum) < CANCELLED * energy(difference) ? difference : sum;
}

function energy(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return sum;
}

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
