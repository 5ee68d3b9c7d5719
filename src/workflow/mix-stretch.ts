import { GainCurve, type HeardLine, planDucking } from "../core/duck-plan.ts";
import type { TimeRange } from "../core/time-range.ts";
import { waveHeader } from "../formats/wave/write-wave.ts";
import type { OpenWave } from "./wave-files.ts";

/** A line of narration: the file that holds it, where it lies in that, and where it is heard. */
export interface StretchLine {
  readonly id: string;
  readonly wave: OpenWave;
  /** Seconds from the start of its file. */
  readonly from: number;
  /** Seconds on the programme clock. */
  readonly start: number;
  readonly seconds: number;
}

/** A stretch of a programme that is to be heard with its narration. */
export interface MixedStretchOrder {
  readonly programme: OpenWave;
  /** Samples per second of what is written. */
  readonly sampleRate: number;
  /** Seconds from the start of the programme's file to the programme's time 0. */
  readonly programmeStart: number;
  /** What is to be heard, in seconds on the programme clock. */
  readonly range: TimeRange;
  /** Lines that are heard in it, or near it. */
  readonly lines: readonly StretchLine[];
  /** Where music is heard; none where nobody listened. */
  readonly music: readonly TimeRange[];
}

/** Takes bytes of a file that is being written. */
export type PutBytes = (position: number, bytes: ArrayBuffer) => Promise<void>;

/** A pair of channels. */
type Pair = readonly [Float32Array, Float32Array];

/**
 * Mixes a stretch as the service would mix the whole: the programme makes room for each line as far as it needs. Written
 * second by second as WAV (two channels, 16 bit), so that its length costs no memory. Levels are
 * those of the plain signal, without the weighting of BS.1770: good enough for listening.
 */
export async function mixStretch(order: MixedStretchOrder, put: PutBytes): Promise<void> {
  const { programme, sampleRate, programmeStart, range, lines, music } = order;
  const format = { channels: 2, sampleRate, encoding: "integer", bits: 16, channelMask: 0 } as const;
  const sampleCount = Math.max(0, Math.round((range.end - range.start) * sampleRate));
  const { glides } = planDucking(await heardLines({ programme, programmeStart, lines }), music);
  const shifted = glides.map((glide) => ({
    ...glide,
    start: glide.start - range.start,
    end: glide.end - range.start,
  }));
  const curve = new GainCurve(shifted, sampleRate);
  const header = waveHeader({ format, sampleCount });
  await put(0, header.buffer);
  for (let at = 0; at < sampleCount; at += sampleRate) {
    const count = Math.min(sampleRate, sampleCount - at);
    const mixed = await resampled(programme, programmeStart + range.start + at / sampleRate, count, sampleRate);
    curve.apply(mixed, at);
    for (const line of lines) await addLine(mixed, line, order, at);
    await put(header.length + at * 4, interleaved(mixed));
  }
}

/**
 * How loud lines are, and what is heard under them, in order of time: what their ducking is planned from. `onLine` is called with
 * the share that is done after each.
 */
export async function heardLines(
  { programme, programmeStart, lines }: Pick<MixedStretchOrder, "programme" | "programmeStart" | "lines">,
  onLine?: (share: number) => void,
): Promise<readonly HeardLine[]> {
  const heard: HeardLine[] = [];
  for (const { id, wave, from, start, seconds } of [...lines].sort((a, b) => a.start - b.start)) {
    heard.push({
      cueId: id,
      start,
      end: start + seconds,
      narrationLufs: await levelOf(wave, from, seconds),
      programmeLufs: await levelOf(programme, programmeStart + start, seconds),
    });
    onLine?.(heard.length / lines.length);
  }
  return heard;
}

/** Level of a stretch of a sound in decibels of its power, both channels together; `-Infinity` for silence. */
async function levelOf(wave: OpenWave, from: number, seconds: number): Promise<number> {
  const total = Math.round(seconds * wave.sampleRate);
  let power = 0;
  for (let at = 0; at < total; at += wave.sampleRate) {
    const count = Math.min(wave.sampleRate, total - at);
    for (const plane of await wave.read(Math.round(from * wave.sampleRate) + at, count)) {
      for (const sample of plane) power += sample * sample;
    }
  }
  return 10 * Math.log10(power / Math.max(1, total));
}

/** Adds what a block hears of a line. */
async function addLine(
  block: Pair,
  { wave, from, start, seconds }: StretchLine,
  { sampleRate, range }: MixedStretchOrder,
  at: number,
): Promise<void> {
  const begins = Math.round((start - range.start) * sampleRate) - at;
  const first = Math.max(0, begins);
  const last = Math.min(block[0].length, begins + Math.round(seconds * sampleRate));
  if (last <= first) return;
  const spoken = await resampled(wave, from + (first - begins) / sampleRate, last - first, sampleRate);
  for (const [channel, plane] of block.entries()) {
    const samples = spoken[channel] ?? plane;
    for (let index = first; index < last; index++) plane[index] = (plane[index] ?? 0) + (samples[index - first] ?? 0);
  }
}

/** A block of a sound from a time on, at another rate: by straight lines between its samples where the rates differ. */
async function resampled(wave: OpenWave, from: number, count: number, sampleRate: number): Promise<Pair> {
  if (wave.sampleRate === sampleRate) return wave.read(Math.round(from * sampleRate), count);
  const step = wave.sampleRate / sampleRate;
  const first = Math.floor(from * wave.sampleRate);
  const offset = from * wave.sampleRate - first;
  const [left, right] = await wave.read(first, Math.ceil(offset + count * step) + 1);
  const at = (plane: Float32Array, position: number) => {
    const index = Math.floor(position);
    const share = position - index;
    return (plane[index] ?? 0) * (1 - share) + (plane[index + 1] ?? 0) * share;
  };
  const plane = (source: Float32Array) => Float32Array.from({ length: count }, (_, i) => at(source, offset + i * step));
  return [plane(left), plane(right)];
}

function interleaved([left, right]: Pair): ArrayBuffer {
  const bytes = new ArrayBuffer(left.length * 4);
  const view = new DataView(bytes);
  const put = (position: number, sample: number) =>
    view.setInt16(position, Math.max(-0x8000, Math.min(0x7fff, Math.round(sample * 0x8000))), true);
  for (let index = 0; index < left.length; index++) {
    put(index * 4, left[index] ?? 0);
    put(index * 4 + 2, right[index] ?? 0);
  }
  return bytes;
}
