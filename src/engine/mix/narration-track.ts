import { gainFromDecibels } from "../../core/level.ts";
import { clipRanges, mergeRanges } from "../../core/time-range.ts";
import type { ChannelLayout } from "../loudness/channel-layout.ts";
import { LoudnessMeter } from "../loudness/loudness-meter.ts";
import type { SpokenLine } from "../spoken-line.ts";
import { MIX_SAMPLE_RATE, type ProgrammeSound, programmeBlocks } from "./programme-sound.ts";
import { resample } from "./resample.ts";

/** Narration of one cue, to be placed in the mix. */
export interface NarrationLine {
  readonly cueId: string;
  /** Seconds on the programme clock at which it begins. */
  readonly start: number;
  /** What is said, for the marker in the file. */
  readonly text: string;
  /** Seconds from its start for which the programme is heard under it; default its whole length. */
  readonly runningSeconds?: number;
  /** Loudness of the programme under it where an earlier mix measured it, in LUFS; `null` for silence. */
  readonly programmeLufs?: number | null;
  /** Gives the sound, the same each time: asked for twice, so that a long programme's narration is never held at once. */
  readonly load: (signal?: AbortSignal) => Promise<SpokenLine>;
}

/** A line as measured. */
interface MeasuredLine {
  readonly line: NarrationLine;
  /** Length in seconds. */
  readonly seconds: number;
  /** Loudness of the line by itself as spoken, in LUFS of one channel. */
  readonly spokenLufs: number;
}

/** All lines as measured. */
export interface MeasuredNarration {
  /** In order of start. */
  readonly lines: readonly MeasuredLine[];
  /** Gain that brings the whole narration to its target in the layout it was measured for. */
  readonly gain: number;
  /** The same in dB. */
  readonly gainDb: number;
  /** Loudness of a line in the mix above its own: the gain, and the number of channels that carry it, in dB. */
  readonly liftDb: number;
}

/** Fade where the programme ends in the middle of a line. */
const CUT_FADE_SECONDS = 0.01;

/**
 * Measures the lines one by one and finds the one gain by which the whole narration, heard in `layout`, has a loudness of
 * `target.lufs`, unless the gain is given. One gain for all: a voice that drops at the end of a thought keeps doing so.
 */
export async function measureNarration(
  lines: readonly NarrationLine[],
  layout: ChannelLayout,
  target: { readonly lufs: number; readonly gainDb?: number | undefined },
  signal?: AbortSignal,
): Promise<MeasuredNarration> {
  const measured: MeasuredLine[] = [];
  // Meters by rate: lines of one voice share theirs, so that all of them are gated together.
  const meters = new Map<number, LoudnessMeter>();
  for (const line of [...lines].sort((a, b) => a.start - b.start)) {
    signal?.throwIfAborted();
    const { samples, sampleRate } = await line.load(signal);
    const meter = meters.get(sampleRate) ?? new LoudnessMeter(sampleRate, [1]);
    meters.set(sampleRate, meter);
    meter.add([samples]);
    const own = new LoudnessMeter(sampleRate, [1]);
    own.add([samples]);
    const spokenLufs = own.seconds < 0.5 ? own.between(0, own.seconds) : own.integrated();
    measured.push({ line, seconds: samples.length / sampleRate, spokenLufs });
  }
  const [loudest] = [...meters.values()].sort((a, b) => b.seconds - a.seconds);
  const channelsDb =
    10 * Math.log10(layout.narration.reduce((sum, channel) => sum + (layout.weights[channel] ?? 0), 0));
  const spokenLufs = loudest?.integrated() ?? Number.NEGATIVE_INFINITY;
  const gainDb = target.gainDb ?? (Number.isFinite(spokenLufs) ? target.lufs - spokenLufs - channelsDb : 0);
  return { lines: measured, gain: gainFromDecibels(gainDb), gainDb, liftDb: gainDb + channelsDb };
}

/** A line whose samples are at hand. */
interface LoadedLine {
  readonly first: number;
  readonly samples: Float32Array;
}

/** Adds narration to blocks of a mix, loading each line when its time comes. */
export class NarrationTrack {
  readonly #waiting: { readonly first: number; readonly line: NarrationLine }[];
  readonly #gain: number;
  readonly #channels: readonly number[];
  readonly #sampleRate: number;
  readonly #sampleCount: number;
  #loaded: LoadedLine[] = [];

  constructor(narration: MeasuredNarration, layout: ChannelLayout, sampleRate: number, sampleCount: number) {
    this.#waiting = narration.lines.map(({ line }) => ({ first: Math.round(line.start * sampleRate), line }));
    this.#gain = narration.gain;
    this.#channels = layout.narration;
    this.#sampleRate = sampleRate;
    this.#sampleCount = sampleCount;
  }

  /** Adds what is spoken during a block that begins at sample `at`. Blocks come in order. */
  async add(planes: readonly Float32Array[], at: number, signal?: AbortSignal): Promise<void> {
    const end = at + (planes[0]?.length ?? 0);
    for (let next = this.#waiting[0]; next !== undefined && next.first < end; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#loaded.push({ first: next.first, samples: await this.#load(next.line, next.first, signal) });
    }
    for (const { first, samples } of this.#loaded) {
      const from = Math.max(at, first);
      const to = Math.min(end, first + samples.length);
      for (const channel of this.#channels) {
        const plane = planes[channel];
        if (plane === undefined) continue;
        for (let i = from; i < to; i++) plane[i - at] = (plane[i - at] ?? 0) + this.#gain * (samples[i - first] ?? 0);
      }
    }
    this.#loaded = this.#loaded.filter(({ first, samples }) => first + samples.length > end);
  }

  async #load(line: NarrationLine, first: number, signal?: AbortSignal): Promise<Float32Array> {
    const spoken = await line.load(signal);
    const samples = resample(spoken.samples, spoken.sampleRate, this.#sampleRate);
    const room = Math.max(0, this.#sampleCount - first);
    if (samples.length <= room) return samples;
    const cut = samples.slice(0, room);
    const fade = Math.min(cut.length, Math.round(CUT_FADE_SECONDS * this.#sampleRate));
    for (let i = 0; i < fade; i++) cut[cut.length - 1 - i] = ((cut[cut.length - 1 - i] ?? 0) * i) / fade;
    return cut;
  }
}

/** Seconds measured beside a line: before it the filters settle, behind it the last tenth of a second is completed. */
const MARGIN_SECONDS = { before: 0.5, after: 0.1 } as const;

/** Measures the programme under the lines where that is not known yet; the rest of it is passed over, and what lies behind the last is not read. */
export async function measureUnderLines(
  programme: ProgrammeSound,
  narration: MeasuredNarration,
  sampleCount: number,
  context: { readonly signal?: AbortSignal; readonly onProgress?: (fraction: number) => void },
): Promise<LoudnessMeter> {
  const meter = new LoudnessMeter(MIX_SAMPLE_RATE, programme.layout.weights);
  const sampleAt = (seconds: number) => Math.max(0, Math.round(seconds * MIX_SAMPLE_RATE));
  const unknown = narration.lines.filter(({ line }) => line.programmeLufs === undefined);
  const spans = mergeRanges(
    unknown.map(({ line: { start }, seconds }) => ({
      start: sampleAt(start - MARGIN_SECONDS.before),
      end: sampleAt(start + seconds + MARGIN_SECONDS.after),
    })),
  );
  const end = spans.at(-1)?.end ?? 0;
  if (end === 0) return meter;
  let at = 0;
  for await (const planes of programmeBlocks(programme, programme.layout, sampleCount, context.signal)) {
    const length = planes[0]?.length ?? 0;
    let done = 0;
    for (const span of clipRanges(spans, { start: at, end: at + length })) {
      meter.skip(span.start - at - done);
      meter.add(planes.map((plane) => plane.subarray(span.start - at, span.end - at)));
      done = span.end - at;
    }
    meter.skip(length - done);
    at += length;
    context.onProgress?.(at / sampleCount);
    if (at >= end) break;
  }
  return meter;
}
