import { LEVELS_PER_SECOND, SILENCE_LUFS, type SoundMeasure } from "../../core/measures.ts";
import { mergeRanges, type TimeRange } from "../../core/time-range.ts";
import { analyseSound } from "../analyse/sound/analyse-sound.ts";
import { probeProgramme } from "../analyse/sound/choose-sound.ts";
import { decodeSound } from "../ffmpeg/decode/decode-sound.ts";
import { channelLayout } from "../loudness/channel-layout.ts";
import { LoudnessMeter } from "../loudness/loudness-meter.ts";
import { TruePeakMeter } from "../loudness/true-peak.ts";

/** What is to be measured. */
export interface MeasureOrder {
  readonly path: string;
  /** Whether to listen for speech and music too. */
  readonly listens: boolean;
  /** Which sound track is the programme's, by number, language or title; where absent it is heard. */
  readonly audioTrack?: string;
}

/** Rate at which everything is measured, in samples per second. */
const SAMPLE_RATE = 48_000;

/** Window, threshold and bridged pause of {@link SoundMeasure.active}. */
const WINDOW_SECONDS = 0.01;
const ACTIVE_RMS = 10 ** (-50 / 20);
const BRIDGE_SECONDS = 0.25;

/**
 * Measures a sound, or the sound of a video, in one pass, and a second one where it listens. A file without sound is
 * silent.
 *
 * @throws MediaProcessError when the file cannot be opened; JobFailure for a track that it does not have; the signal's reason when it aborts.
 */
export async function measureSound(
  { path, listens, audioTrack }: MeasureOrder,
  signal: AbortSignal,
): Promise<SoundMeasure> {
  const probe = await probeProgramme(path, audioTrack, signal);
  const durationSeconds = probe.durationSeconds ?? 0;
  const channels = probe.sound?.channels ?? 1;
  const loudness = new LoudnessMeter(SAMPLE_RATE, channelLayout(probe.sound?.layout ?? "mono", channels).weights);
  const peak = new TruePeakMeter(channels);
  const activity = new Activity();
  for await (const planes of decodeSound(path, {
    sampleRate: SAMPLE_RATE,
    durationSeconds,
    tracks: probe.sound?.tracks,
    reusesBlocks: true,
    signal,
  })) {
    loudness.add(planes);
    peak.add(planes);
    activity.add(planes);
  }
  const truePeak = peak.finish();
  const integrated = loudness.integrated();
  const heard = listens ? await analyseSound(path, { durationSeconds, probe, signal }) : null;
  return {
    durationSeconds,
    levels: Array.from({ length: Math.floor(loudness.seconds * LEVELS_PER_SECOND + 0.5) }, (_, index) => {
      const level = loudness.between(index / LEVELS_PER_SECOND, (index + 1) / LEVELS_PER_SECOND);
      return Math.max(SILENCE_LUFS, Math.round(level * 10) / 10);
    }),
    integratedLufs: Number.isFinite(integrated) ? integrated : null,
    truePeakDbtp: truePeak > 0 ? 20 * Math.log10(truePeak) : null,
    rangeLu: loudness.range(),
    ...(Number.isFinite(integrated)
      ? { momentaryLufs: loudness.maximumMomentary(), shortTermLufs: loudness.maximumShortTerm() }
      : {}),
    active: activity.finish(),
    ...(heard === null ? {} : { heard }),
    ...(probe.soundChoice === null ? {} : { soundChoice: probe.soundChoice }),
  };
}

/** Finds where a sound is louder than nothing. */
class Activity {
  readonly #ranges: TimeRange[] = [];
  readonly #window = Math.round(SAMPLE_RATE * WINDOW_SECONDS);
  #energy = 0;
  #filled = 0;
  #windows = 0;

  add(planes: readonly Float32Array[]): void {
    const length = planes[0]?.length ?? 0;
    for (let at = 0; at < length; at++) {
      for (const plane of planes) this.#energy += (plane[at] ?? 0) ** 2;
      this.#filled += 1;
      if (this.#filled === this.#window) this.#end(planes.length);
    }
  }

  finish(): TimeRange[] {
    return mergeRanges(this.#ranges, BRIDGE_SECONDS);
  }

  #end(channels: number): void {
    const start = this.#windows * WINDOW_SECONDS;
    const rms = Math.sqrt(this.#energy / this.#window / Math.max(1, channels));
    const last = this.#ranges.at(-1);
    if (rms > ACTIVE_RMS) {
      const end = start + WINDOW_SECONDS;
      if (last !== undefined && start - last.end < BRIDGE_SECONDS)
        this.#ranges[this.#ranges.length - 1] = { ...last, end };
      else this.#ranges.push({ start, end });
    }
    this.#windows += 1;
    this.#energy = 0;
    this.#filled = 0;
  }
}
