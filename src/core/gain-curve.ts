import type { DuckGlide } from "./duck-plan.ts";

/** A glide in samples. */
interface SampleGlide {
  readonly start: number;
  readonly end: number;
  readonly fromDb: number;
  readonly toDb: number;
}

/**
 * The programme's gain at every sample: raised-cosine glides in decibels, so that neither gain nor slope ever jumps, and
 * level stretches between them.
 */
export class GainCurve {
  readonly #glides: readonly SampleGlide[];
  #next = 0;
  #levelDb = 0;

  constructor(glides: readonly DuckGlide[], sampleRate: number) {
    this.#glides = glides.map(({ start, end, fromDb, toDb }) => ({
      start: Math.round(start * sampleRate),
      end: Math.round(end * sampleRate),
      fromDb,
      toDb,
    }));
  }

  /** Multiplies blocks, one array per channel, that begin at sample `at`. Calls go on where the last one ended. */
  apply(planes: readonly Float32Array[], at: number): void {
    const length = planes[0]?.length ?? 0;
    for (let from = at; from < at + length; ) {
      const glide = this.#glides[this.#next];
      if (glide === undefined || glide.start > from) {
        const to = Math.min(at + length, glide?.start ?? Number.POSITIVE_INFINITY);
        this.#applyLevel(planes, from - at, to - at);
        from = to;
        continue;
      }
      const to = Math.min(at + length, glide.end);
      if (to > from) applyGlide(planes, from - at, to - at, glide, at);
      from = Math.max(from, to);
      if (from >= glide.end) {
        this.#levelDb = glide.toDb;
        this.#next += 1;
      }
    }
  }

  #applyLevel(planes: readonly Float32Array[], from: number, to: number): void {
    if (this.#levelDb === 0) return;
    const gain = 10 ** (this.#levelDb / 20);
    for (const plane of planes) for (let i = from; i < to; i++) plane[i] = (plane[i] ?? 0) * gain;
  }
}

/** The programme's gain inside a glide, in dB, at a share of its length from 0 to 1. */
export function glideLevel({ fromDb, toDb }: Pick<DuckGlide, "fromDb" | "toDb">, share: number): number {
  return fromDb + (toDb - fromDb) * raisedCosine(share);
}

function raisedCosine(share: number): number {
  return 0.5 - 0.5 * Math.cos(Math.PI * share);
}

function applyGlide(planes: readonly Float32Array[], from: number, to: number, glide: SampleGlide, at: number): void {
  const length = glide.end - glide.start;
  for (let i = from; i < to; i++) {
    const share = raisedCosine((at + i - glide.start) / length);
    const gain = 10 ** ((glide.fromDb + (glide.toDb - glide.fromDb) * share) / 20);
    for (const plane of planes) plane[i] = (plane[i] ?? 0) * gain;
  }
}
