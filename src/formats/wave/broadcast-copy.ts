import type { BroadcastExtension } from "./broadcast-extension.ts";
import { type Leader, leaderBytes, leaderSamples } from "./leader.ts";
import { type WaveLayout, waveLength } from "./read-wave.ts";
import { frameBytes, type WaveFormat } from "./wave-format.ts";
import { waveHeader, waveTrailer } from "./write-wave.ts";

/** How a WAV file is copied as Broadcast Wave: a new head, the same samples bit by bit, an end. */
export interface BroadcastCopy {
  readonly format: WaveFormat;
  readonly head: Uint8Array<ArrayBuffer>;
  /** What comes between head and samples, piece by piece. */
  readonly leader: Iterable<Uint8Array<ArrayBuffer>>;
  /** Where the samples are in the file that is copied, in bytes. */
  readonly from: number;
  readonly to: number;
  readonly tail: Uint8Array<ArrayBuffer>;
}

/** What a copy says, and what it holds before the sound. */
export interface BroadcastOrder {
  /** Timecode of the sound's first sample, in seconds from midnight. A leader lies before it, and takes the time reference along. */
  readonly startSeconds: number;
  readonly broadcast: Omit<BroadcastExtension, "timeReferenceSamples">;
  readonly leader?: Leader;
}

/**
 * Plans the copy of a WAV file as Broadcast Wave with a time reference, so that any editor lays it where it belongs.
 *
 * @param layout The file's head.
 * @param fileBytes Size of the file.
 * @throws RangeError for a leader that would begin before midnight.
 */
export function broadcastCopy(
  layout: WaveLayout,
  fileBytes: number,
  { startSeconds, broadcast, leader = { seconds: 0 } }: BroadcastOrder,
): BroadcastCopy {
  const { format, dataOffset } = layout;
  const { samples } = waveLength(layout, fileBytes);
  const before = leaderSamples(leader, format);
  const timeReferenceSamples = Math.round(startSeconds * format.sampleRate) - before;
  if (timeReferenceSamples < 0) throw new RangeError("a leader cannot begin before midnight");
  const contents = { format, sampleCount: before + samples, broadcast: { ...broadcast, timeReferenceSamples } };
  return {
    format,
    head: waveHeader(contents),
    leader: leaderBytes(leader, format),
    from: dataOffset,
    to: dataOffset + samples * frameBytes(format),
    tail: waveTrailer(contents),
  };
}
