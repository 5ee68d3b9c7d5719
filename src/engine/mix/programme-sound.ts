import { setImmediate } from "node:timers/promises";
import { defined } from "../../core/objects.ts";
import { decodeSound } from "../ffmpeg/decode/decode-sound.ts";
import type { MediaProbe } from "../ffmpeg/probe/media-streams.ts";
import { type ChannelLayout, channelLayout } from "../loudness/channel-layout.ts";

/** Samples per channel of a track for a programme of that length. */
export function trackSamples(durationSeconds: number): number {
  return Math.round(durationSeconds * MIX_SAMPLE_RATE);
}

/**
 * The sound of a media file as a mix reads it, in its own channels; `null` for a file without sound.
 *
 * @param durationSeconds Length of the programme, which the sound is cut off at or filled up to.
 */
export function programmeSound(
  path: string,
  probe: MediaProbe,
  durationSeconds: number,
  signal?: AbortSignal,
): ProgrammeSound | null {
  if (probe.sound === null) return null;
  const { layout, channels, tracks } = probe.sound;
  return {
    layout: channelLayout(layout, channels),
    read: () =>
      decodeSound(path, {
        sampleRate: MIX_SAMPLE_RATE,
        durationSeconds,
        tracks,
        reusesBlocks: true,
        ...defined({ signal }),
      }),
  };
}

/** Samples per second of everything that is mixed. */
export const MIX_SAMPLE_RATE = 48_000;

/** Main programme audio at {@link MIX_SAMPLE_RATE}. */
export interface ProgrammeSound {
  readonly layout: ChannelLayout;
  /**
   * Gives the sound from its beginning, block by block: one array per channel, full scale 1. Called twice: the programme
   * is listened to before it is mixed. Arrays may be changed, and are valid until the next block is asked for.
   */
  readonly read: () => Iterable<Float32Array[]> | AsyncIterable<Float32Array[]>;
}

/**
 * The programme's blocks cut off or filled up with silence to the length asked for; silence alone without a programme. Each is
 * valid until the next one.
 */
export async function* programmeBlocks(
  programme: ProgrammeSound | null,
  layout: ChannelLayout,
  sampleCount: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Float32Array[], void> {
  let left = sampleCount;
  for await (const planes of programme?.read() ?? []) {
    // Sound that comes without waiting must not keep a cancellation from being heard.
    await setImmediate();
    signal?.throwIfAborted();
    const length = Math.min(left, planes[0]?.length ?? 0);
    if (length > 0) yield planes.map((plane) => (plane.length === length ? plane : plane.slice(0, length)));
    left -= length;
    if (left === 0) return;
  }
  const second = silence(layout.channels, Math.min(left, MIX_SAMPLE_RATE));
  for (; left > 0; left -= Math.min(left, MIX_SAMPLE_RATE)) {
    await setImmediate();
    signal?.throwIfAborted();
    for (const plane of second) plane.fill(0);
    yield left < MIX_SAMPLE_RATE ? second.map((plane) => plane.subarray(0, left)) : second;
  }
}

/** Silence of that many samples in each of so many channels. */
export function silence(channels: number, length: number): Float32Array[] {
  return Array.from({ length: channels }, () => new Float32Array(length));
}
