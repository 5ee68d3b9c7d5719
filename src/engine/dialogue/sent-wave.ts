import { waveHeader } from "../../formats/wave/write-wave.ts";

/** Samples per second of what is sent: what models listen at, and what detectors do. */
export const SENT_RATE = 16_000;

/** Samples as a WAV file of the kind that servers are sent: one channel, 16 kHz, 16 bits. */
export function sentWave(samples: Int16Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const format = { channels: 1, sampleRate: SENT_RATE, bits: 16, encoding: "integer", channelMask: 0 } as const;
  const header = waveHeader({ format, sampleCount: samples.length });
  const bytes = new Uint8Array(header.length + samples.byteLength);
  bytes.set(header);
  bytes.set(new Uint8Array(samples.buffer), header.length);
  return bytes;
}
