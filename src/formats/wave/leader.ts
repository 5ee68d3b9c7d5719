import { frameBytes, type WaveFormat } from "./wave-format.ts";
import { sampleWriter } from "./wave-samples.ts";

/** What a sound file holds before its programme: silence, with a 2-pop where one is wanted. */
export interface Leader {
  /** Length in seconds. */
  readonly seconds: number;
  /** The 2-pop: how long before the programme it begins, and how long it lasts, in seconds; absent for silence alone. */
  readonly pop?: { readonly beforeSeconds: number; readonly seconds: number };
}

/** Frequency of a 2-pop in Hz: the field's 1 kHz. */
const POP_HZ = 1_000;

/** Level of a 2-pop: a sine of -20 dBFS, the alignment level of SMPTE RP 155. */
const POP_PEAK = 10 ** (-20 / 20);

/** Samples of a leader per channel. */
export function leaderSamples({ seconds }: Leader, { sampleRate }: Pick<WaveFormat, "sampleRate">): number {
  return Math.round(seconds * sampleRate);
}

/** The samples of a leader as a file of the format stores them, at most a second at a time; the 2-pop is in every channel. */
export function* leaderBytes(leader: Leader, format: WaveFormat): Generator<Uint8Array<ArrayBuffer>> {
  const { sampleRate, channels, bits } = format;
  const total = leaderSamples(leader, format);
  const from = total - Math.round((leader.pop?.beforeSeconds ?? 0) * sampleRate);
  const to = from + Math.round((leader.pop?.seconds ?? 0) * sampleRate);
  const put = sampleWriter(format);
  for (let at = 0; at < total; at += sampleRate) {
    const count = Math.min(sampleRate, total - at);
    const view = new DataView(new ArrayBuffer(count * frameBytes(format)));
    for (let index = 0; index < count * channels; index++) {
      const sample = at + Math.floor(index / channels);
      const isPop = sample >= from && sample < to;
      put(
        view,
        index * (bits / 8),
        isPop ? POP_PEAK * Math.sin((2 * Math.PI * POP_HZ * (sample - from)) / sampleRate) : 0,
      );
    }
    yield new Uint8Array(view.buffer);
  }
}
