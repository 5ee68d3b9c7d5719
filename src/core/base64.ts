/** The 64 digits, in order of their value (RFC 4648, 4). */
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const VALUES = new Int8Array(128).fill(-1);
for (let value = 0; value < DIGITS.length; value++) VALUES[DIGITS.charCodeAt(value)] = value;

/**
 * The bytes that a text in Base64 stands for; `null` for anything else, white space and missing padding included. By hand,
 * because not every host has `atob`.
 */
export function bytesFromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const digits = text.length - padding;
  if (text.length % 4 !== 0) return null;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0;
  let at = 0;
  for (let index = 0; index < digits; index++) {
    const value = VALUES[text.charCodeAt(index)] ?? -1;
    if (value < 0) return null;
    bits = (bits << 6) | value;
    // Of four digits the first fills no byte.
    if (index % 4 !== 0) bytes[at++] = bits >> (6 - 2 * (index % 4));
  }
  return bytes;
}
