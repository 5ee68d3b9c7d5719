import { FilterAPI } from "node-av/api";
import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_FLTP } from "node-av/constants";
import { type ChannelLayout, Frame } from "node-av/lib";
import { bytesOf } from "./resampler.ts";

/** Tempo factors that one of FFmpeg's filters takes without dropping samples. */
const STEP = { slowest: 0.5, fastest: 2 } as const;

/** Samples given to the filter at a time. */
const BLOCK_SAMPLES = 8_192;

/** Makes sound faster or slower at the same pitch (overlap-add of matching waves), block by block. */
export class TempoFilter implements Disposable {
  readonly #filter: FilterAPI;
  readonly #sampleRate: number;
  readonly #layout: ChannelLayout;
  #position = 0;

  /** @param tempo How many times as fast; above 0. */
  constructor(sampleRate: number, layout: ChannelLayout, tempo: number) {
    this.#sampleRate = sampleRate;
    this.#layout = layout;
    this.#filter = FilterAPI.create(`${stepsTo(tempo).join(",")},aformat=sample_fmts=fltp`);
  }

  /** Takes sound, one array per channel, and gives what has become ready: a few blocks, or none. */
  convert(planes: readonly Float32Array[]): Float32Array[][] {
    const made: Float32Array[][] = [];
    const length = planes[0]?.length ?? 0;
    for (let at = 0; at < length; at += BLOCK_SAMPLES) {
      const block = planes.map((plane) => plane.slice(at, at + BLOCK_SAMPLES));
      const count = block[0]?.length ?? 0;
      using frame = Frame.fromAudioBuffer(Buffer.concat(block.map(bytesOf)), {
        nbSamples: count,
        format: AV_SAMPLE_FMT_FLTP,
        sampleRate: this.#sampleRate,
        channelLayout: this.#layout,
        pts: BigInt(this.#position),
        timeBase: { num: 1, den: this.#sampleRate },
      });
      this.#position += count;
      for (const one of this.#filter.processAllSync(frame)) made.push(this.#planesOf(one));
    }
    return made;
  }

  /** What the filter still holds; the end of the sound. */
  flush(): Float32Array[][] {
    // Without a single sample the filter was never set up.
    return this.#position === 0 ? [] : Array.from(this.#filter.flushFramesSync(), (one) => this.#planesOf(one));
  }

  [Symbol.dispose](): void {
    this.#filter.close();
  }

  #planesOf(frame: Frame): Float32Array[] {
    const planes = (frame.extendedData ?? [])
      .slice(0, this.#layout.nbChannels)
      .map((plane) => new Float32Array(plane.buffer.slice(plane.byteOffset, plane.byteOffset + 4 * frame.nbSamples)));
    frame.free();
    return planes;
  }
}

/** Filters whose tempos multiply to the one asked for. */
function stepsTo(tempo: number): string[] {
  const steps: string[] = [];
  let left = tempo;
  while (left > STEP.fastest || left < STEP.slowest) {
    const step = left > 1 ? STEP.fastest : STEP.slowest;
    steps.push(`atempo=${step}`);
    left /= step;
  }
  return [...steps, `atempo=${left.toFixed(6)}`];
}

/** Tempo factors at which speech stays speech. */
const TEMPO_LIMITS = { minimum: 0.5, maximum: 2 } as const;

/**
 * A mono sound `tempo` times as fast at the same pitch, for speech whose engine cannot change its pace.
 *
 * @throws RangeError for a tempo outside 0.5 to 2.
 */
export function changeTempo(
  sound: { readonly samples: Float32Array; readonly sampleRate: number },
  tempo: number,
): { samples: Float32Array; sampleRate: number } {
  if (!(tempo >= TEMPO_LIMITS.minimum && tempo <= TEMPO_LIMITS.maximum)) throw new RangeError(`tempo ${tempo}`);
  const { samples, sampleRate } = sound;
  using filter = new TempoFilter(sampleRate, AV_CHANNEL_LAYOUT_MONO, tempo);
  const parts = [...filter.convert([samples]), ...filter.flush()].flatMap(([plane]) =>
    plane === undefined ? [] : [plane],
  );
  const joined = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return { samples: joined, sampleRate };
}
