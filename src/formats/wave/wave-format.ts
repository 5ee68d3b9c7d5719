/** How the samples of a WAV file are stored, be they of a kind that is read here or not. */
export interface StatedFormat {
  readonly channels: number;
  /** Samples per second and channel. */
  readonly sampleRate: number;
  /** `integer` samples are signed, but for 8 bits; `float` ones have full scale 1; `other` ones are not read. */
  readonly encoding: "integer" | "float" | "other";
  /** Bits of one sample, more than 0. */
  readonly bits: number;
  /** Which loudspeaker each channel belongs to, one bit per position (WAVEFORMATEXTENSIBLE); 0 when not said. */
  readonly channelMask: number;
}

/** A format whose samples are read and written: 8, 16, 24 or 32 bits as integers, 32 or 64 as floats. */
export interface WaveFormat extends StatedFormat {
  readonly encoding: "integer" | "float";
}

/** A labelled stretch of a WAV file; editors show it as a marker or region. */
export interface WaveMarker {
  /** First sample, counted from the start of the file. */
  readonly sample: number;
  /** Length in samples; 0 for a point. */
  readonly lengthSamples: number;
  readonly label: string;
}

/** Bytes of one sample of every channel. Samples of 12 or 20 bits fill whole bytes; compressed ones may take parts of one. */
export function frameBytes({ channels, bits }: Pick<StatedFormat, "channels" | "bits">): number {
  return channels * (bits > 8 ? Math.ceil(bits / 8) : bits / 8);
}

/** Reads one sample at a byte offset; full scale is 1. */
type SampleReader = (view: DataView, at: number) => number;

/**
 * The samples in `bytes`, one array per channel, full scale 1. Bytes behind the last whole sample of all channels are
 * left out.
 */
export function samplesFromWave(bytes: Uint8Array, format: WaveFormat): Float32Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = Math.floor(bytes.length / frameBytes(format));
  const read = sampleReader(format);
  const width = format.bits / 8;
  const channels = Array.from({ length: format.channels }, () => new Float32Array(length));
  let at = 0;
  for (let i = 0; i < length; i++) {
    for (const channel of channels) {
      channel[i] = read(view, at);
      at += width;
    }
  }
  return channels;
}

function sampleReader(format: WaveFormat): SampleReader {
  if (format.encoding === "float") {
    return format.bits === 64 ? (view, at) => view.getFloat64(at, true) : (view, at) => view.getFloat32(at, true);
  }
  if (format.bits === 8) return (view, at) => (view.getUint8(at) - 128) / 128;
  if (format.bits === 16) return (view, at) => view.getInt16(at, true) / 0x8000;
  if (format.bits === 24) return (view, at) => (view.getInt16(at + 1, true) * 256 + view.getUint8(at)) / 0x80_0000;
  return (view, at) => view.getInt32(at, true) / 0x8000_0000;
}

/** What writes one sample below full scale 1 at a byte offset. */
export function sampleWriter({ encoding, bits }: WaveFormat): (view: DataView, at: number, sample: number) => void {
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
