import { defined } from "../../core/defined.ts";
import { decodeSound } from "../ffmpeg/decode/decode-sound.ts";
import type { MediaProbe } from "../ffmpeg/probe/media-probe.ts";
import { channelLayout } from "../loudness/channel-layout.ts";
import { MIX_SAMPLE_RATE, type ProgrammeSound } from "./programme-blocks.ts";

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
  const { layout, channels } = probe.sound;
  return {
    layout: channelLayout(layout, channels),
    read: () =>
      decodeSound(path, {
        sampleRate: MIX_SAMPLE_RATE,
        durationSeconds,
        reusesBlocks: true,
        ...defined({ signal }),
      }),
  };
}
