import type { BroadcastExtension } from "./broadcast-extension.ts";
import { type WaveLayout, waveLength } from "./read-wave.ts";
import { frameBytes, sampleWriter, type WaveFormat } from "./wave-format.ts";
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

/** What a sound file holds before its programme: silence, with a 2-pop where one is wanted. */
export interface Leader {
  /** Length in seconds. */
  readonly seconds: number;
  /** The 2-pop: how long before the programme it begins, and how long it lasts, in seconds; absent for silence alone. */
  readonly pop?: { readonly beforeSeconds: number; readonly seconds: number };
}

/** Frequency of a 2-pop in Hz: the field's 1 kHz. */
const POP_HZ = 1_000;

/** Level of a 2-pop: a sine of -20 dBFS, the alignment level of SMPTE RP 155. */
const POP_PEAK = 10 ** (-20 / 20);

/** Samples of a leader per channel. */
function leaderSamples({ seconds }: Leader, { sampleRate }: Pick<WaveFormat, "sampleRate">): number {
  return Math.round(seconds * sampleRate);
}

/** The samples of a leader as a file of the format stores them, at most a second at a time; the 2-pop is in every channel. */
export function* leaderBytes(leader: Leader, format: WaveFormat): Generator<Uint8Array<ArrayBuffer>> {
  const { sampleRate, channels, bits } = format;
  const total = leaderSamples(leader, format);
  const from = total - Math.round((leader.pop?.beforeSeconds ?? 0) * sampleRate);
  const to = from + Math.round((leader.pop?.seconds ?? 0) * sampleRate);
  const put = sampleWriter(format);
  for (let at = 0; at < total; at += sampleRate) {
    const count = Math.min(sampleRate, total - at);
    const view = new DataView(new ArrayBuffer(count * frameBytes(format)));
    for (let index = 0; index < count * channels; index++) {
      const sample = at + Math.floor(index / channels);
      const isPop = sample >= from && sample < to;
      put(
        view,
        index * (bits / 8),
        isPop ? POP_PEAK * Math.sin((2 * Math.PI * POP_HZ * (sample - from)) / sampleRate) : 0,
      );
    }
    yield new Uint8Array(view.buffer);
  }
}
