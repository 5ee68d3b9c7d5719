import { utf8Bytes } from "./utf8.ts";

const OFFSET_LOW = 0x84222325;
const OFFSET_HIGH = 0xcbf29ce4;
const PRIME_LOW = 0x1b3;

/**
 * A cheap identity of some bytes or texts, 16 hexadecimal digits: FNV-1a in 64 bits over all of them, each preceded by
 * its length, so that where one ends and the next begins counts too. Tells things apart that differ by accident; it is
 * no protection against somebody who wants two things to look alike.
 */
export function fingerprintOf(...parts: readonly (string | Uint8Array)[]): string {
  let low = OFFSET_LOW;
  let high = OFFSET_HIGH;
  for (const part of parts) {
    const bytes = typeof part === "string" ? utf8Bytes(part) : part;
    for (const run of [utf8Bytes(`${bytes.length}:`), bytes]) {
      for (const byte of run) {
        low = (low ^ byte) >>> 0;
        // 64-bit product with the prime 2^40 + 0x1b3, by 32-bit halves: 2^40 shifts the low half into the high one.
        const product = low * PRIME_LOW;
        high = (Math.imul(high, PRIME_LOW) + (low << 8) + Math.floor(product / 0x1_0000_0000)) >>> 0;
        low = product >>> 0;
      }
    }
  }
  return `${high.toString(16).padStart(8, "0")}${low.toString(16).padStart(8, "0")}`;
}
