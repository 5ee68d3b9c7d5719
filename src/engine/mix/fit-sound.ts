import { gainFromDecibels } from "../../core/level.ts";
import { decodeSound } from "../ffmpeg/decode/decode-sound.ts";
import { probeMedia } from "../ffmpeg/probe/probe.ts";
import { JobFailure } from "../isolate/job-failure.ts";
import { channelLayout } from "../loudness/channel-layout.ts";
import type { Environment } from "../outgoing/local-only.ts";
import { Limiter } from "./limiter.ts";
import { MIX_SAMPLE_RATE, silence } from "./programme-sound.ts";
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

/** What a mix aims at. */
export interface LoudnessProfile {
  readonly name: string;
  /** Integrated loudness of the narration as heard from the finished track, in LUFS. */
  readonly narrationLufs: number;
  /** Highest true peak of the track in dBTP. */
  readonly truePeakDbtp: number;
  /** Where the numbers come from. */
  readonly source: string;
}

/**
 * The targets on offer. The narration is brought to the target, the programme's own loudness is left as it is: a
 * programme mixed to a target brings its dialogue to the same level.
 */
export const LOUDNESS_PROFILES = {
  broadcast: {
    name: "broadcast",
    narrationLufs: -23,
    truePeakDbtp: -2,
    source: "EBU R 128; -23 LUFS proposed as the starting point for narration (field.md 2.3)",
  },
  nearfield: {
    name: "nearfield",
    narrationLufs: -27,
    truePeakDbtp: -2,
    source: "near-field delivery sheets: -27 LKFS dialogue-gated, -2 dBTP, 48 kHz, 24 bit (field.md 2.3)",
  },
  streaming: {
    name: "streaming",
    narrationLufs: -16,
    truePeakDbtp: -2,
    source: "narration of web video found right by practitioners: about -15 LUFS (field.md 1.4)",
  },
} as const satisfies Record<string, LoudnessProfile>;

/** Used where nothing else is asked for. */
export const DEFAULT_PROFILE: LoudnessProfile = LOUDNESS_PROFILES.broadcast;

/**
 * The profile that `ASIDE_LOUDNESS` names; the default where it names none.
 *
 * @throws JobFailure `setup_incomplete` for a name that is not on offer.
 */
export function loudnessProfileFrom(environment: Environment): LoudnessProfile {
  const name = environment["ASIDE_LOUDNESS"]?.trim() ?? "";
  if (name === "") return DEFAULT_PROFILE;
  const profile = Object.values(LOUDNESS_PROFILES).find((one) => one.name === name);
  if (profile !== undefined) return profile;
  const names = Object.keys(LOUDNESS_PROFILES).join(", ");
  throw new JobFailure("setup_incomplete", `ASIDE_LOUDNESS is "${name}"; choose one of ${names}.`);
}
