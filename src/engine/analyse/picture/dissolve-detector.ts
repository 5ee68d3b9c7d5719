import type { FrameMeasures } from "./frame-measures.ts";

/** Seconds between the samples that slow changes are looked for in. */
const SAMPLE_SECONDS = 0.1;

/** Half lengths of the dissolves that are looked for, in samples: 0.6, 1, 1.6 and 2.4 s in all. */
const HALF_LENGTHS = [3, 5, 8, 12];

/** Samples on either side of a dissolve in which its two pictures must stand. */
const REST_SAMPLES = 3;

/** Pixels of a frame that are compared: every `GRID`-th of every `GRID`-th row. */
const GRID = 3;

/**
 * A dissolve: two pictures that differ by `difference` of full scale at least and are not each other's brighter copy
 * (`likeness`), with each picture between them a mixture of the two. `residue`: how much of the difference the mixture may
 * leave unexplained; `drift`: how much either picture may change by itself beside the dissolve, as a share of the
 * difference. A camera that pans fails the first, one that goes on panning the second. `contrast`: what each picture must
 * have to be one, and `least`: what must be left between them; a change from, to or through an empty picture is a fade.
 */
const DISSOLVE = { difference: 0.05, likeness: 0.75, residue: 0.28, drift: 0.4, contrast: 0.04, least: 0.02 };

/** Where along a mixture its parts must be: a quarter of the way, half of it, three quarters; and how far off. */
const COURSE = { places: [0.25, 0.5, 0.75], tolerance: 0.2 };

/** A slow change from one picture to another. */
export interface Dissolve {
  /** Seconds on the programme clock at which it begins, and at which only the new picture is left. */
  readonly start: number;
  readonly end: number;
}

interface Sample {
  readonly at: number;
  readonly contrast: number;
  readonly pixels: Float32Array;
}

/** Finds dissolves in a run of frames, about 2 s late. */
export class DissolveDetector {
  readonly #samples: Sample[] = [];
  #foundTo = Number.NEGATIVE_INFINITY;

  /** Adds the next frame; gives the dissolve that has become certain by it. */
  add(frame: FrameMeasures): Dissolve | null {
    const last = this.#samples.at(-1);
    if (last !== undefined && frame.at - last.at < SAMPLE_SECONDS - 0.005) return null;
    this.#samples.push({ at: frame.at, contrast: frame.contrast, pixels: samplePixels(frame) });
    const longest = 2 * (Math.max(...HALF_LENGTHS) + REST_SAMPLES) + 1;
    if (this.#samples.length > longest) this.#samples.shift();
    for (const half of HALF_LENGTHS) {
      const found = this.#look(this.#samples.length - 1 - half - REST_SAMPLES, half);
      if (found === null || found.start <= this.#foundTo) continue;
      this.#foundTo = found.end;
      return found;
    }
    return null;
  }

  /** Forgets the picture so far: a cut parts what is before it from what comes. */
  reset(): void {
    this.#samples.length = 0;
  }

  /** Looks for a dissolve with its middle at a sample. */
  #look(middle: number, half: number): Dissolve | null {
    const [from, to] = [this.#samples[middle - half], this.#samples[middle + half]];
    const [before, after] = [this.#samples[middle - half - REST_SAMPLES], this.#samples[middle + half + REST_SAMPLES]];
    if (from === undefined || to === undefined || before === undefined || after === undefined) return null;
    if (Math.min(from.contrast, to.contrast) < DISSOLVE.contrast) return null;
    const way = this.#samples.slice(middle - half, middle + half);
    if (way.some(({ contrast }) => contrast < DISSOLVE.least)) return null;
    const difference = distance(from.pixels, to.pixels);
    if (difference < DISSOLVE.difference) return null;
    const rest = DISSOLVE.drift * difference;
    if (distance(before.pixels, from.pixels) > rest || distance(to.pixels, after.pixels) > rest) return null;
    if (likeness(from.pixels, to.pixels) > DISSOLVE.likeness) return null;
    for (const place of COURSE.places) {
      const between = this.#samples[Math.round(middle - half + 2 * half * place)];
      if (between === undefined) return null;
      const { share, residue } = mixture(from.pixels, to.pixels, between.pixels);
      if (Math.abs(share - place) > COURSE.tolerance || residue > DISSOLVE.residue) return null;
    }
    return { start: from.at, end: to.at };
  }
}

function samplePixels({ luma, width, height }: FrameMeasures): Float32Array {
  const columns = Math.ceil(width / GRID);
  const pixels = new Float32Array(columns * Math.ceil(height / GRID));
  for (let i = 0; i < pixels.length; i++) {
    const row = Math.floor(i / columns) * GRID;
    pixels[i] = (luma[row * width + (i % columns) * GRID] ?? 0) / 255;
  }
  return pixels;
}

function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] ?? 0) - (b[i] ?? 0));
  return sum / Math.max(1, a.length);
}

/** Correlation of two pictures: 1 when one is the other made brighter or darker. */
function likeness(a: Float32Array, b: Float32Array): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, onlyA, onlyB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [(a[i] ?? 0) - meanA, (b[i] ?? 0) - meanB];
    both += x * y;
    onlyA += x * x;
    onlyB += y * y;
  }
  return onlyA === 0 || onlyB === 0 ? 0 : both / Math.sqrt(onlyA * onlyB);
}

/** How far a picture is on the way from one to another, and the share of their difference it does not lie on the way. */
function mixture(from: Float32Array, to: Float32Array, between: Float32Array): { share: number; residue: number } {
  let [along, length] = [0, 0];
  for (let i = 0; i < from.length; i++) {
    const way = (to[i] ?? 0) - (from[i] ?? 0);
    along += way * ((between[i] ?? 0) - (from[i] ?? 0));
    length += way * way;
  }
  const share = length === 0 ? 0 : along / length;
  let [left, whole] = [0, 0];
  for (let i = 0; i < from.length; i++) {
    const way = (to[i] ?? 0) - (from[i] ?? 0);
    left += Math.abs((between[i] ?? 0) - (from[i] ?? 0) - share * way);
    whole += Math.abs(way);
  }
  return { share, residue: whole === 0 ? 1 : left / whole };
}

function mean(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / Math.max(1, values.length);
}
