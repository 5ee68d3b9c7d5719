/** Bytes that are hashed at a time. */
const BLOCK_BYTES = 64;

/** Words of the message schedule. */
const ROUNDS = 64;

/** Fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2), and of the square roots of the first 8 (5.3.3). */
const CONSTANTS = rootFractions(ROUNDS, 3);
const START = rootFractions(8, 2);

/** SHA-256 (FIPS 180-4) of bytes that come piece by piece, where the platform has none that streams. */
export class Sha256 {
  readonly #state = Uint32Array.from(START);
  readonly #schedule = new Uint32Array(ROUNDS);
  readonly #rest = new Uint8Array(BLOCK_BYTES);
  #restBytes = 0;
  #bytes = 0;

  /** Takes the next bytes. */
  update(bytes: Uint8Array): this {
    this.#bytes += bytes.length;
    let at = 0;
    if (this.#restBytes > 0) {
      at = Math.min(BLOCK_BYTES - this.#restBytes, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#restBytes);
      this.#restBytes += at;
      if (this.#restBytes < BLOCK_BYTES) return this;
      this.#hashBlock(new DataView(this.#rest.buffer), 0);
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (; at + BLOCK_BYTES <= bytes.length; at += BLOCK_BYTES) this.#hashBlock(view, at);
    this.#rest.set(bytes.subarray(at));
    this.#restBytes = bytes.length - at;
    return this;
  }

  /** The hash of all that came, in hex. Nothing may come after it. */
  digest(): string {
    const bits = this.#bytes * 8;
    const padding = new Uint8Array((this.#restBytes < 56 ? 56 : 120) - this.#restBytes + 8);
    padding[0] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(padding.length - 4, bits % 2 ** 32);
    this.update(padding);
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, "0")).join("");
  }

  #hashBlock(view: DataView, at: number): void {
    const w = this.#schedule;
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < ROUNDS; i++) {
      const [x, y] = [word(w, i - 15), word(w, i - 2)];
      const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
      const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
      w[i] = word(w, i - 16) + s0 + word(w, i - 7) + s1;
    }
    const state = this.#state;
    let [a, b, c, d, e, f, g, h] = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => word(state, i)) as Eight;
    for (let i = 0; i < ROUNDS; i++) {
      const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + word(CONSTANTS, i) + word(w, i)) | 0;
      const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    const added = [a, b, c, d, e, f, g, h];
    for (let i = 0; i < 8; i++) state[i] = word(state, i) + (added[i] ?? 0);
  }
}

/** Working variables of the compression. */
type Eight = [number, number, number, number, number, number, number, number];

function word(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function turned(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits));
}

/** The first 32 bits of the fractional parts of the roots of the first primes, as the standard derives its constants. */
function rootFractions(count: number, degree: 2 | 3): Uint32Array {
  const fractions = new Uint32Array(count);
  for (let candidate = 2, found = 0; found < count; candidate++) {
    if (!isPrime(candidate)) continue;
    // The whole root of the prime times 2 to the 32nd per degree: exact, where floating point has too few digits.
    const scaled = BigInt(candidate) << BigInt(32 * degree);
    fractions[found++] = Number(BigInt.asUintN(32, wholeRoot(scaled, BigInt(degree))));
  }
  return fractions;
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) return false;
  return true;
}

/** The largest whole number whose power is not larger than a value. */
function wholeRoot(value: bigint, degree: bigint): bigint {
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= value) low = middle;
    else high = middle;
  }
  return low;
}
