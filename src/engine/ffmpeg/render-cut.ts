import type { FrameRate } from "../../core/frame-rate.ts";
import { defined } from "../../core/objects.ts";
import type { TimeRange } from "../../core/time-range.ts";
import { type PictureSize, SourcePictures } from "./decode/source-pictures.ts";
import { sourceSound } from "./decode/source-sound.ts";
import { writeMovie } from "./encode/write-movie.ts";

/** A stretch of a cut that shows, or sounds like, one file. Times are seconds from the cut's start. */
export interface CutStretch extends TimeRange {
  /** Native path. */
  readonly path: string;
  /** Source time in seconds at `start`. */
  readonly sourceStart: number;
  /** Source seconds per second; 0 holds one picture, below 0 runs backwards. */
  readonly speed: number;
  /** The one channel that is heard, counted from 1; absent where all are. */
  readonly sourceChannel?: number;
}

/** A cut to be rendered into one file. Plain data: it crosses a process border. */
export interface CutOrder {
  /** The file that is made; its folder exists. */
  readonly output: string;
  readonly rate: FrameRate;
  /** How long it is, in frames. */
  readonly frames: number;
  readonly size: PictureSize;
  /** In order and without overlap; what lies between them is black. */
  readonly pictures: readonly CutStretch[];
  /** In order of start, side by side; what lies between them is silent. */
  readonly sounds: readonly CutStretch[];
}

/** What a render could not do as the cut says. */
export interface CutReport {
  /** Stretches of sound that are silent because they stand still or run backwards. */
  readonly silentStretches: number;
}

/** Samples per second of a rendered cut. */
const SAMPLE_RATE = 48_000;

/** Samples mixed at a time. */
const BLOCK_SAMPLES = 4_800;

/** Files kept open between stretches: interviews cut back and forth between two or three. */
const MOST_OPEN = 4;

/**
 * Renders a cut as H.264 and AAC in MP4: straight cuts, gaps as black and silence, changes of speed, stills. Streams: it
 * holds a few frames and a tenth of a second of sound of each file that is heard at the time.
 *
 * @param onProgress Told the share that is done, 0 to 1.
 * @throws MediaProcessError when a file of the cut cannot be read; the signal's reason when it aborts.
 */
export async function renderCut(
  order: CutOrder,
  signal: AbortSignal,
  onProgress: (fraction: number) => void = () => undefined,
): Promise<CutReport> {
  const { output, rate, frames, size } = order;
  const audible = order.sounds.filter(({ speed }) => speed > 0);
  const totalSamples = Math.round((frames * rate.denominator * SAMPLE_RATE) / rate.numerator);
  await writeMovie(
    output,
    {
      picture: { ...size, rate, frames: picturesOf(order, onProgress) },
      sound: { sampleRate: SAMPLE_RATE, channels: 2, blocks: mixed(audible, totalSamples, signal) },
    },
    signal,
  );
  return { silentStretches: order.sounds.length - audible.length };
}

async function* picturesOf(order: CutOrder, onProgress: (fraction: number) => void): AsyncGenerator<Uint8Array, void> {
  const { rate, frames, size, pictures } = order;
  const open = new Map<string, SourcePictures>();
  const black = blackPicture(size);
  const frameSeconds = rate.denominator / rate.numerator;
  let index = 0;
  try {
    for (let frame = 0; frame < frames; frame++) {
      const at = frame * frameSeconds;
      while (index < pictures.length && (pictures[index]?.end ?? 0) <= at + frameSeconds / 2) index += 1;
      const stretch = pictures[index];
      if (stretch === undefined || stretch.start > at + frameSeconds / 2) yield black;
      else yield (await opened(open, stretch.path, size)).pictureAt(sourceTime(stretch, at, frameSeconds));
      if (frame % 50 === 0) onProgress(frame / frames);
    }
  } finally {
    for (const source of open.values()) source[Symbol.dispose]();
  }
}

/** The time in a source that a frame of the cut shows; backwards, a stretch begins with the frame before its start. */
function sourceTime(stretch: CutStretch, at: number, frameSeconds: number): number {
  const { start, sourceStart, speed } = stretch;
  const time = sourceStart + Math.max(0, at - start) * speed;
  return Math.max(0, speed < 0 ? time - frameSeconds / 2 : time);
}

/** An open source; of too many, the one that was used longest ago is closed. */
async function opened(open: Map<string, SourcePictures>, path: string, size: PictureSize): Promise<SourcePictures> {
  const source = open.get(path) ?? (await SourcePictures.open(path, size));
  open.delete(path);
  open.set(path, source);
  const [oldest] = open;
  if (open.size > MOST_OPEN && oldest !== undefined) {
    open.delete(oldest[0]);
    oldest[1][Symbol.dispose]();
  }
  return source;
}

/** Black in limited range: luma 16, no colour. */
function blackPicture({ width, height }: PictureSize): Uint8Array {
  const pixels = new Uint8Array((width * height * 3) / 2).fill(128);
  return pixels.fill(16, 0, width * height);
}

/** Every sound at its place, added up, cut off at full scale. */
async function* mixed(
  sounds: readonly CutStretch[],
  totalSamples: number,
  signal: AbortSignal,
): AsyncGenerator<Float32Array[], void> {
  const waiting = sounds.toReversed();
  let playing: PlayingSound[] = [];
  try {
    for (let position = 0; position < totalSamples; position += BLOCK_SAMPLES) {
      const count = Math.min(BLOCK_SAMPLES, totalSamples - position);
      const block = [new Float32Array(count), new Float32Array(count)];
      for (
        let next = waiting.at(-1);
        next !== undefined && samplesAt(next.start) < position + count;
        next = waiting.at(-1)
      ) {
        playing.push(new PlayingSound(next, signal));
        waiting.pop();
      }
      for (const sound of playing) await sound.addTo(block, position);
      playing = playing.filter((sound) => !sound.isOver);
      for (const side of block) for (let at = 0; at < count; at++) side[at] = Math.max(-1, Math.min(1, side[at] ?? 0));
      yield block;
    }
  } finally {
    await Promise.all(playing.map((sound) => sound.close()));
  }
}

function samplesAt(seconds: number): number {
  return Math.round(seconds * SAMPLE_RATE);
}

/** One stretch of sound while it is heard. */
class PlayingSound {
  readonly #start: number;
  readonly #blocks: AsyncGenerator<Float32Array[], void>;
  #block: readonly Float32Array[] = [];
  /** Samples taken of the block, and of the whole stretch. */
  #taken = 0;
  #played = 0;
  isOver = false;

  constructor(stretch: CutStretch, signal: AbortSignal) {
    this.#start = samplesAt(stretch.start);
    const { sourceStart, speed, sourceChannel } = stretch;
    const part = { sourceStart, speed, samples: samplesAt(stretch.end) - this.#start, sampleRate: SAMPLE_RATE };
    const channel = defined({ channel: sourceChannel });
    this.#blocks = sourceSound(stretch.path, { ...part, ...channel }, signal);
  }

  /** Adds what of it falls into a block that begins at a position in samples. */
  async addTo(block: readonly Float32Array[], position: number): Promise<void> {
    const length = block[0]?.length ?? 0;
    let at = this.#start + this.#played - position;
    while (at < length && !this.isOver) {
      const left = (this.#block[0]?.length ?? 0) - this.#taken;
      if (left === 0) {
        const next = await this.#blocks.next();
        this.isOver = next.done === true;
        this.#block = next.done === true ? [] : next.value;
        this.#taken = 0;
        continue;
      }
      const count = Math.min(left, length - at);
      for (const [side, samples] of block.entries()) add(samples, at, this.#block[side], this.#taken, count);
      at += count;
      this.#taken += count;
      this.#played += count;
    }
  }

  async close(): Promise<void> {
    await this.#blocks.return();
  }
}

function add(into: Float32Array, at: number, from: Float32Array | undefined, start: number, count: number): void {
  for (let index = 0; index < count; index++) into[at + index] = (into[at + index] ?? 0) + (from?.[start + index] ?? 0);
}
