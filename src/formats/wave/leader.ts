import { frameBytes, type WaveFormat } from "./wave-format.ts";

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

/** Writes one sample below full scale 1 at a byte offset. */
function sampleWriter({ encoding, bits }: WaveFormat): (view: DataView, at: number, sample: number) => void {
  if (encoding === "float") {
    return bits === 64
      ? (view, at, sample) => view.setFloat64(at, sample, true)
      : (view, at, sample) => view.setFloat32(at, sample, true);
  }
  if (bits === 8) return (view, at, sample) => view.setUint8(at, Math.round(sample * 128) + 128);
  if (bits === 16) return (view, at, sample) => view.setInt16(at, Math.round(sample * 0x8000), true);
  if (bits === 32) return (view, at, sample) => view.setInt32(at, Math.round(sample * 0x8000_0000), true);
  return (view, at, sample) => {
    const value = Math.round(sample * 0x80_0000);
    view.setUint8(at, value & 0xff);
    view.setInt16(at + 1, value >> 8, true);
  };
}
