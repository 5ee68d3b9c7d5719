import { type DuckPlan, GainCurve, planDucking } from "../../core/duck-plan.ts";
import { decibelsFromGain, gainFromDecibels } from "../../core/level.ts";
import type { TrackKind, VoiceSettings, Voicing } from "../../core/settings.ts";
import { mergeRanges, type TimeRange } from "../../core/time-range.ts";
import { type ChannelLayout, STEREO } from "../loudness/channel-layout.ts";
import { LoudnessMeter } from "../loudness/loudness-meter.ts";
import { TruePeakMeter } from "../loudness/true-peak.ts";
import { DEFAULT_PROFILE, type LoudnessProfile } from "./fit-sound.ts";
import { Limiter } from "./limiter.ts";
import { levelOrNull, type MixReport, mixedCues, volumeGainDb } from "./mix-report.ts";
import {
  type MeasuredNarration,
  measureNarration,
  measureUnderLines,
  type NarrationLine,
  NarrationTrack,
} from "./narration-track.ts";
import { MIX_SAMPLE_RATE, type ProgrammeSound, programmeBlocks, silence } from "./programme-sound.ts";
import type { TrackBits } from "./sample-bytes.ts";
import { WaveFile } from "./wave-file.ts";

/** What is to be mixed. */
export interface MixOrder {
  /**
   * `mixed`: programme and narration, in the programme's own channels (stereo for a programme without sound). `ad_only`:
   * narration alone, digital silence elsewhere, always in stereo: both channels alike play at one level in every editor
   * and on every kind of track, where a mono file's level depends on the track's pan law.
   */
  readonly track: TrackKind;
  /** `null` for a programme without sound; not read for `ad_only`. */
  readonly programme: ProgrammeSound | null;
  /** Length of the programme, and of the track, in samples per channel at {@link MIX_SAMPLE_RATE}. */
  readonly sampleCount: number;
  readonly lines: readonly NarrationLine[];
  /** Where music was heard, in seconds. */
  readonly music: readonly TimeRange[];
  /** Timecode of the programme's first sample, in seconds from midnight, as Broadcast Wave states it; default 0. */
  readonly startSeconds?: number;
  /** WAV file to write; it appears when whole. */
  readonly path: string;
  /** Default `DEFAULT_PROFILE`. */
  readonly profile?: LoudnessProfile;
  /** Gains of an earlier mix that stay as they were, in dB; default: measured. */
  readonly kept?: Pick<Voicing, "narrationGainDb" | "trackGainDb">;
  /** See `volumeGainDb`. */
  readonly volume?: VoiceSettings["volume"];
  /** Default 24. */
  readonly bits?: TrackBits;
}

/** What a mix is run with. */
export interface MixContext {
  readonly signal?: AbortSignal;
  /** Called with the share that is done, 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/** Share of the work that listening is. */
const LISTENING_SHARE = 0.4;

/**
 * Mixes narration with a programme into a WAV file of exactly the programme's length.
 *
 * The narration is brought to its loudness by one gain; the programme is lowered under each line by what that line needs
 * and no more; a limiter holds the true peak. Equal orders give equal files. Memory does not grow with the programme but
 * for eight bytes per tenth of a second.
 *
 * @throws SoundFileError when the file cannot be written; the signal's reason when it aborts. No file is left then.
 */
export async function mixNarration(order: MixOrder, context: MixContext = {}): Promise<MixReport> {
  const { signal, onProgress } = context;
  const programme = order.track === "mixed" ? order.programme : null;
  const layout = programme?.layout ?? STEREO;
  const profile = order.profile ?? DEFAULT_PROFILE;
  const listening = { ...context, onProgress: (share: number) => onProgress?.(LISTENING_SHARE * share) };
  const narration = await measureNarration(
    order.lines,
    layout,
    { lufs: profile.narrationLufs, gainDb: order.kept?.narrationGainDb },
    signal,
  );
  const heard = programme === null ? null : await measureUnderLines(programme, narration, order.sampleCount, listening);
  const plan = planLines(narration, heard, order.music);
  const track = new NarrationTrack(narration, layout, MIX_SAMPLE_RATE, order.sampleCount);
  const curve = new GainCurve(plan.glides, MIX_SAMPLE_RATE);
  const limiter = new Limiter(layout.channels, MIX_SAMPLE_RATE, gainFromDecibels(profile.truePeakDbtp));
  const meter = new LoudnessMeter(MIX_SAMPLE_RATE, layout.weights);
  const peaks = new TruePeakMeter(layout.channels);
  const file = await openFile(order, layout, narration);
  try {
    let at = 0;
    let skipped = 0;
    const deliver = async (planes: readonly Float32Array[]) => {
      // What leaves the limiter first is the silence it was filled with.
      const late = Math.min(limiter.latency - skipped, planes[0]?.length ?? 0);
      skipped += late;
      const ready = late === 0 ? planes : planes.map((plane) => plane.subarray(late));
      meter.add(ready);
      peaks.add(ready);
      await file.write(ready);
    };
    for await (const planes of programmeBlocks(programme, layout, order.sampleCount, signal)) {
      curve.apply(planes, at);
      await track.add(planes, at, signal);
      at += planes[0]?.length ?? 0;
      await deliver(limiter.process(planes));
      onProgress?.(LISTENING_SHARE + ((1 - LISTENING_SHARE) * at) / order.sampleCount);
    }
    await deliver(limiter.process(silence(layout.channels, limiter.latency)));
    const truePeak = peaks.finish();
    const gainDb = order.kept?.trackGainDb ?? volumeGainDb(order.volume, peaks.samplePeak);
    const loudness = {
      integratedLufs: meter.integrated() + gainDb,
      rangeLu: meter.range(),
      truePeakDbtp: decibelsFromGain(truePeak) + gainDb,
      momentaryLufs: meter.maximumMomentary() + gainDb,
      shortTermLufs: meter.maximumShortTerm() + gainDb,
    };
    signal?.throwIfAborted();
    await file.finish(gainFromDecibels(gainDb), loudness);
    return {
      sampleCount: order.sampleCount,
      channels: layout.channels,
      cues: mixedCues(narration, plan, order.sampleCount / MIX_SAMPLE_RATE, gainDb),
      programmeLufs: heard === null ? null : plan.lines.map((line) => levelOrNull(line.programmeLufs)),
      narrationGainDb: narration.gainDb,
      volumeGainDb: gainDb,
      integratedLufs: levelOrNull(loudness.integratedLufs),
      truePeakDbtp: levelOrNull(loudness.truePeakDbtp),
    };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

function planLines(narration: MeasuredNarration, heard: LoudnessMeter | null, music: readonly TimeRange[]): DuckPlan {
  const lines = narration.lines.map(({ line, seconds, spokenLufs }) => ({
    cueId: line.cueId,
    start: line.start,
    end: line.start + seconds,
    narrationLufs: spokenLufs + narration.liftDb,
    programmeLufs: programmeUnder(heard, line, seconds),
  }));
  return planDucking(lines, mergeRanges(music));
}

/** What is heard under a line while the programme runs; a pause is silent and says nothing about it. */
function programmeUnder(
  heard: LoudnessMeter | null,
  { start, runningSeconds, programmeLufs }: NarrationLine,
  seconds: number,
): number {
  if (heard !== null && programmeLufs !== undefined) return programmeLufs ?? Number.NEGATIVE_INFINITY;
  const running = Math.min(seconds, runningSeconds ?? seconds);
  if (heard === null || running <= 0) return Number.NEGATIVE_INFINITY;
  return rounded(heard.between(start, start + running));
}

function openFile(order: MixOrder, layout: ChannelLayout, narration: MeasuredNarration): Promise<WaveFile> {
  const sampleAt = (seconds: number) => Math.min(order.sampleCount, Math.max(0, Math.round(seconds * MIX_SAMPLE_RATE)));
  const markers = narration.lines.map(({ line: { cueId, start, text }, seconds }) => ({
    sample: sampleAt(start),
    lengthSamples: sampleAt(start + seconds) - sampleAt(start),
    label: `${cueId}: ${text}`,
  }));
  return WaveFile.create({
    path: order.path,
    channels: layout.channels,
    channelMask: layout.mask,
    sampleRate: MIX_SAMPLE_RATE,
    bits: order.bits ?? 24,
    sampleCount: order.sampleCount,
    isGainOpen: order.volume !== undefined || (order.kept?.trackGainDb ?? 0) !== 0,
    markers,
    broadcast: {
      description: order.track === "mixed" ? "Programme with audio description" : "Audio description alone",
      originator: "Aside",
      timeReferenceSamples: Math.round((order.startSeconds ?? 0) * MIX_SAMPLE_RATE),
    },
  });
}

/** To a hundredth, so that the order in which blocks were summed up does not show in the file. */
function rounded(lufs: number): number {
  return Math.round(lufs * 100) / 100;
}
