/** Widths a track is delivered in, in bits. */
export type TrackBits = 16 | 24;

/**
 * Turns samples into bytes of whole numbers. 16 bits get triangular dither of one step; digital silence stays silence,
 * and the noise is the same for the same samples every time.
 */
export class SampleBytes {
  readonly #bits: TrackBits;
  #noise = 0x9e37_79b9;
  #bytes = new Uint8Array(0);

  constructor(bits: TrackBits) {
    this.#bits = bits;
  }

  /**
   * The samples times `gain`, of one array per channel, the channels taking turns; beyond full scale they are held at it.
   * Samples that take turns already are one array. What a call gives is valid until the next one.
   */
  encode(planes: readonly Float32Array[], gain: number): Uint8Array<ArrayBuffer> {
    const length = (this.#bits / 8) * (planes[0]?.length ?? 0) * planes.length;
    if (this.#bytes.length !== length) this.#bytes = new Uint8Array(length);
    if (this.#bits === 16) this.#encode16(planes, gain);
    else encode24(planes, gain, this.#bytes);
    return this.#bytes;
  }

  #encode16(planes: readonly Float32Array[], gain: number): void {
    const length = planes[0]?.length ?? 0;
    // Low byte first, like every machine that this project's Node comes for.
    const values = new Int16Array(this.#bytes.buffer);
    values.fill(0);
    for (let i = 0; i < length; i++) {
      for (let channel = 0; channel < planes.length; channel++) {
        const sample = planes[channel]?.[i] ?? 0;
        if (sample === 0) continue;
        const value = Math.round(sample * gain * 0x8000 + this.#random() - this.#random());
        values[i * planes.length + channel] = Math.max(-0x8000, Math.min(0x7fff, value));
      }
    }
  }

  /** From 0 to below 1 (xorshift). */
  #random(): number {
    this.#noise ^= this.#noise << 13;
    this.#noise ^= this.#noise >>> 17;
    this.#noise ^= this.#noise << 5;
    return (this.#noise >>> 0) / 0x1_0000_0000;
  }
}

function encode24(planes: readonly Float32Array[], gain: number, bytes: Uint8Array): void {
  const length = planes[0]?.length ?? 0;
  const scale = gain * 0x80_0000;
  for (const [channel, plane] of planes.entries()) {
    for (let i = 0, at = 3 * channel; i < length; i++, at += 3 * planes.length) {
      const value = (plane[i] ?? 0) * scale;
      // Whole numbers of 32 bits need no conversion for the shifts: samples of a mix stay far inside 256 times full scale.
      let held = (value + (value < 0 ? -0.5 : 0.5)) | 0;
      if (held > 0x7f_ffff) held = 0x7f_ffff;
      else if (held < -0x80_0000) held = -0x80_0000;
      bytes[at] = held;
      bytes[at + 1] = held >> 8;
      bytes[at + 2] = held >> 16;
    }
  }
}

/** One array per channel as one array with the channels taking turns. */
export function interleave(planes: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const length = planes[0]?.length ?? 0;
  const interleaved = new Float32Array(length * planes.length);
  for (const [channel, plane] of planes.entries()) {
    for (let i = 0, at = channel; i < length; i++, at += planes.length) interleaved[at] = plane[i] ?? 0;
  }
  return interleaved;
}
