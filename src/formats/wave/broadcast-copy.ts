import { readWaveHeader, waveLength } from "./read-wave.ts";
import { type BroadcastExtension, frameBytes, type WaveFormat } from "./wave-format.ts";
import { waveHeader, waveTrailer } from "./write-wave.ts";

/** How a WAV file is copied as Broadcast Wave: a new head, the same samples bit by bit, an end. */
export interface BroadcastCopy {
  readonly format: WaveFormat;
  readonly durationSeconds: number;
  readonly head: Uint8Array<ArrayBuffer>;
  /** Where the samples are in the file that is copied, in bytes. */
  readonly from: number;
  readonly to: number;
  readonly tail: Uint8Array<ArrayBuffer>;
}

/**
 * Plans the copy of a WAV file as Broadcast Wave with a time reference, so that any editor lays it where it belongs.
 *
 * @param start The file's first bytes, `WAVE_HEAD_BYTES` or all there are.
 * @param fileBytes Size of the file.
 * @param startSeconds Timecode of the first sample, in seconds from midnight.
 * @returns `null` for what is no WAV file.
 */
export function broadcastCopy(
  start: Uint8Array,
  fileBytes: number,
  startSeconds: number,
  broadcast: Omit<BroadcastExtension, "timeReferenceSamples">,
): BroadcastCopy | null {
  const reading = readWaveHeader(start);
  if (!reading.ok) return null;
  const { format, dataOffset } = reading.layout;
  const { samples: sampleCount, seconds } = waveLength(reading.layout, fileBytes);
  const timeReferenceSamples = Math.round(startSeconds * format.sampleRate);
  const contents = { format, sampleCount, broadcast: { ...broadcast, timeReferenceSamples } };
  return {
    format,
    durationSeconds: seconds,
    head: waveHeader(contents),
    from: dataOffset,
    to: dataOffset + sampleCount * frameBytes(format),
    tail: waveTrailer(contents),
  };
}
