/**
 * The control track of a described programme: fade and pan as a data signal in a sound channel of its own, for a mixer at the
 * broadcaster or in a receiver (BBC R&D white papers WHP 051 and 198).
 *
 * Its bytes are the `AD_descriptor` of ETSI TS 101 154, annex E. How they are sent is known from a decoder of WHP 198 that is public
 * (GStreamer element `whp198dec`): 1280 bits a second, highest bit first, Manchester code in which a falling edge at the middle
 * is a 1, and a CRC in the last two of 16 bytes. The paper itself could not be read here: {@link PEAK} and the shape of the edges are
 * ours, and so is that descriptors follow on each other without a pause.
 */

/** Samples per second of the signal: a bit has 37.5. */
export const CONTROL_TRACK_RATE = 48_000;

/** Length of a descriptor, its 128 bits at 1280 a second, in samples: a tenth of a second. */
const DESCRIPTOR_SAMPLES = 4_800;

/** Bytes of a descriptor with its reserved bytes and its CRC. */
const DESCRIPTOR_BYTES = 16;

/** Level of the signal to either side, full scale 1. */
const PEAK = 0.1;

/** Fade steps (TS 101 154, E.2): one is 0.3 dB; the last one means that nothing is left of the programme. */
const FADE_STEP_DB = 0.3;
const DEEPEST_FADE = 0xfe;

/** A pan of 0 is in front (TS 101 154, E.2). */
const PAN_CENTRE = 0;

/**
 * A descriptor as it is sent: four reserved bits and its length, the tag "DTGAD", the version "1", fade, pan, reserved bytes, CRC.
 *
 * @param fadeDb By how much the programme is lowered, in dB, 0 or more.
 */
export function controlDescriptor(fadeDb: number): Uint8Array<ArrayBuffer> {
  const fade = Math.min(DEEPEST_FADE, Math.max(0, Math.round(fadeDb / FADE_STEP_DB)));
  const bytes = new Uint8Array(DESCRIPTOR_BYTES).fill(0xff);
  bytes.set([0xf8, ...[..."DTGAD1"].map((letter) => letter.charCodeAt(0)), fade, PAN_CENTRE]);
  const crc = crc16(bytes.subarray(0, DESCRIPTOR_BYTES - 2));
  bytes.set([crc >> 8, crc & 0xff], DESCRIPTOR_BYTES - 2);
  return bytes;
}

/**
 * The signal of a control track, a descriptor at a time; what is left of a tenth of a second at its end is silent. A descriptor
 * tells the fade of the instant at which it is complete.
 *
 * @param sampleCount Length in samples of {@link CONTROL_TRACK_RATE}.
 * @param fadeDbAt By how much the programme is lowered at a time, in dB; seconds from the signal's first sample.
 */
export function* controlTrack(
  sampleCount: number,
  fadeDbAt: (seconds: number) => number,
): Generator<Float32Array<ArrayBuffer>> {
  for (let at = 0; at < sampleCount; at += DESCRIPTOR_SAMPLES) {
    const end = at + DESCRIPTOR_SAMPLES;
    if (end > sampleCount) yield new Float32Array(sampleCount - at);
    else yield manchester(controlDescriptor(fadeDbAt(end / CONTROL_TRACK_RATE)));
  }
}

/** Bytes as Manchester code: each bit is high, then low for a 1; low, then high for a 0. */
function manchester(bytes: Uint8Array): Float32Array<ArrayBuffer> {
  const bits = bytes.length * 8;
  return Float32Array.from({ length: DESCRIPTOR_SAMPLES }, (_, sample) => {
    const half = Math.floor((sample * bits * 2) / DESCRIPTOR_SAMPLES);
    const bit = ((bytes[half >> 4] ?? 0) >> (7 - ((half >> 1) & 7))) & 1;
    return bit === 1 - (half & 1) ? PEAK : -PEAK;
  });
}

/** CRC-16 of CCITT (x^16 + x^12 + x^5 + 1), begun with 0x1D0F: over bytes and CRC together it gives 0. */
function crc16(bytes: Uint8Array): number {
  let crc = 0x1d0f;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc;
}
