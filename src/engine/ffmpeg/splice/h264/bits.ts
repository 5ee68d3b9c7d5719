/** Reads a bit string of H.264 syntax (ITU-T H.264, 7.2 and 9.1), from the first bit on. */
export class BitReader {
  readonly #bytes: Uint8Array;
  /** Bits read so far. */
  position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next bit; 0 behind the end. */
  bit(): number {
    const byte = this.#bytes[this.position >>> 3] ?? 0;
    const value = (byte >>> (7 - (this.position & 7))) & 1;
    this.position++;
    return value;
  }

  /** An unsigned number of so many bits, at most 32. */
  unsigned(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++) value = value * 2 + this.bit();
    return value;
  }

  /** `ue(v)`: an unsigned Exp-Golomb number. */
  golomb(): number {
    let zeros = 0;
    while (zeros < 32 && this.bit() === 0) zeros++;
    return 2 ** zeros - 1 + this.unsigned(zeros);
  }

  /** `se(v)`: a signed Exp-Golomb number. */
  signedGolomb(): number {
    const code = this.golomb();
    // 0 is no -0.
    return code % 2 === 0 ? 0 - code / 2 : (code + 1) / 2;
  }

  /** Bits before the one that ends a raw byte sequence, counted from the first. */
  get payloadBits(): number {
    let last = this.#bytes.length - 1;
    while (last > 0 && this.#bytes[last] === 0) last--;
    const byte = this.#bytes[last] ?? 0;
    let zeros = 0;
    while (zeros < 8 && ((byte >>> zeros) & 1) === 0) zeros++;
    return last * 8 + 7 - zeros;
  }
}

/** Writes a bit string of H.264 syntax. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #bits = 0;

  /** How many bits of the last byte are taken; 0 at a byte's start. */
  get bitsInByte(): number {
    return this.#bits & 7;
  }

  bit(value: number): void {
    if (this.bitsInByte === 0) this.#bytes.push(0);
    const last = this.#bytes.length - 1;
    if (value !== 0) this.#bytes[last] = (this.#bytes[last] ?? 0) | (0x80 >>> this.bitsInByte);
    this.#bits++;
  }

  unsigned(value: number, bits: number): void {
    for (let i = bits - 1; i >= 0; i--) this.bit(Math.floor(value / 2 ** i) % 2);
  }

  golomb(value: number): void {
    const bits = Math.floor(Math.log2(value + 1));
    this.unsigned(0, bits);
    this.unsigned(value + 1, bits + 1);
  }

  signedGolomb(value: number): void {
    this.golomb(value > 0 ? 2 * value - 1 : -2 * value);
  }

  /** What is written; the last byte is completed with zeros. */
  toBytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/** The raw bytes of a unit without the ones that keep it from looking like a start code. */
export function withoutEmulation(unit: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(unit.length);
  let length = 0;
  let zeros = 0;
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

/** The bytes of a unit with those that keep it from looking like a start code. */
export function withEmulation(raw: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(raw.length * 1.5) + 1);
  let length = 0;
  let zeros = 0;
  for (const byte of raw) {
    if (zeros >= 2 && byte <= 3) {
      bytes[length++] = 3;
      zeros = 0;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}
