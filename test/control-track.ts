/** A descriptor that was found in a control track. */
interface FoundDescriptor {
  /** Where it begins, in seconds from the signal's start. */
  readonly seconds: number;
  readonly fade: number;
  readonly pan: number;
}

const BIT_SAMPLES = 48_000 / 1_280;

/** "DTGAD" as bits, and where it stands in a descriptor. */
const TAG = [..."DTGAD"].map((letter) => letter.charCodeAt(0).toString(2).padStart(8, "0")).join("");
const TAG_AT = 8;
const DESCRIPTOR_BITS = 128;

/**
 * The descriptors of a control track by a reading of its own: a bit is 1 where its first half is higher than its second one. What has a
 * wrong CRC is left out.
 */
export function readControlTrack(signal: Float32Array): FoundDescriptor[] {
  const bits = Array.from({ length: Math.floor(signal.length / BIT_SAMPLES) }, (_, index) => {
    const [first = 0, second = 0] = [0.25, 0.75].map((share) => signal[Math.round((index + share) * BIT_SAMPLES)]);
    return first > second ? "1" : first < second ? "0" : " ";
  }).join("");
  const found: FoundDescriptor[] = [];
  for (let at = bits.indexOf(TAG); at >= 0; at = bits.indexOf(TAG, at + 1)) {
    const from = at - TAG_AT;
    const word = bits.slice(from, from + DESCRIPTOR_BITS);
    const byteAt = (index: number) => Number.parseInt(word.slice(index * 8, index * 8 + 8), 2);
    if (from < 0 || word.length < DESCRIPTOR_BITS || remainder(word) !== 0) continue;
    found.push({ seconds: (from * BIT_SAMPLES) / 48_000, fade: byteAt(7), pan: byteAt(8) });
  }
  return found;
}

/** What is left of bits after division by x^16 + x^12 + x^5 + 1, begun with 0x1D0F. */
function remainder(bits: string): number {
  let register = 0x1d0f;
  for (const bit of bits) {
    const top = ((register >> 15) & 1) ^ Number(bit);
    register = ((register << 1) & 0xffff) ^ (top === 1 ? 0x1021 : 0);
  }
  return register;
}
