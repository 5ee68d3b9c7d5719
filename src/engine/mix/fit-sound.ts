import { gainFromDecibels } from "../../core/level.ts";
import { decodeSound } from "../ffmpeg/decode/decode-sound.ts";
import { probeMedia } from "../ffmpeg/probe/probe.ts";
import { channelLayout } from "../loudness/channel-layout.ts";
import { Limiter } from "./limiter.ts";
import { MIX_SAMPLE_RATE, silence } from "./programme-blocks.ts";
import type { TrackBits } from "./sample-bytes.ts";
import { WaveFile } from "./wave-file.ts";

/** A sound file to be brought to what its recipient asks for. Plain data: it crosses a process border. */
export interface FitSoundOrder {
  readonly from: string;
  /** WAV file to write; it appears when whole. */
  readonly to: string;
  /** Gain of the whole, in dB. */
  readonly gainDb: number;
  /** Highest true peak afterwards, in dBTP. */
  readonly truePeakDbtp: number;
  readonly bits: TrackBits;
}

/**
 * Writes a sound anew at 48 kHz with one gain and a limiter for its peaks: nothing else of it changes, and its length
 * stays. Streams.
 *
 * @throws MediaProcessError when it cannot be read, SoundFileError when it cannot be written; the signal's reason when it
 * aborts. No file is left then.
 */
export async function fitSound(order: FitSoundOrder, signal: AbortSignal): Promise<void> {
  const probe = await probeMedia(order.from);
  const durationSeconds = probe.durationSeconds ?? 0;
  const layout = channelLayout(probe.sound?.layout ?? "mono", probe.sound?.channels ?? 1);
  const limiter = new Limiter(layout.channels, MIX_SAMPLE_RATE, gainFromDecibels(order.truePeakDbtp));
  const gain = gainFromDecibels(order.gainDb);
  const file = await WaveFile.create({
    path: order.to,
    channels: layout.channels,
    channelMask: layout.mask,
    sampleRate: MIX_SAMPLE_RATE,
    bits: order.bits,
    sampleCount: Math.round(durationSeconds * MIX_SAMPLE_RATE),
    isGainOpen: false,
    markers: [],
  });
  try {
    let skipped = 0;
    const deliver = async (planes: readonly Float32Array[]) => {
      // What leaves the limiter first is the silence it was filled with.
      const late = Math.min(limiter.latency - skipped, planes[0]?.length ?? 0);
      skipped += late;
      const ready = planes.map((plane) => plane.subarray(late));
      await file.write(ready);
    };
    for await (const planes of decodeSound(order.from, {
      sampleRate: MIX_SAMPLE_RATE,
      durationSeconds,
      reusesBlocks: true,
      signal,
    })) {
      for (const plane of planes) for (let at = 0; at < plane.length; at++) plane[at] = (plane[at] ?? 0) * gain;
      await deliver(limiter.process(planes));
    }
    await deliver(limiter.process(silence(layout.channels, limiter.latency)));
    await file.finish(1);
  } catch (error) {
    await file.discard();
    throw error;
  }
}
