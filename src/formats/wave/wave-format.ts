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
