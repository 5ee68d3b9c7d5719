import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findLettering, type GreyPicture } from "./letter-strokes.ts";
import type { LetteringFrame } from "./programme-analysis.ts";

/** What a still tells beyond its small picture. */
export interface StillMeasures {
  /** Mean square of the second difference of luma: the higher, the sharper; only comparable within a shot. */
  readonly sharpness: number;
  /** Share of the picture without any detail, 0 to 1. */
  readonly flat: number;
  /** Share of rows that run through lettering, 0 to 1. */
  readonly lettered: number;
  /** Share of all strong edges that lie in such rows, 0 to 1. */
  readonly letteredEdges: number;
}

/** Rows and columns that are looked at: every second one. */
const STEP = 2;

/** Differences of luma over two pixels: below `flat` there is no detail, above `strong` the edge of a letter or the like. */
const EDGE = { flat: 8, strong: 52 };

/** Strong edges, alternately up and down, that a row through lettering has at least: two for each stroke. */
const LETTER_EDGES = 10;

/** Pixels that two edges of lettering lie apart at most; a stroke or the space between two. */
const LETTER_WIDTH = 40;

/** Measures a still. */
export function measureStill({ width, height, stride, rows }: GreyPicture): StillMeasures {
  let [sharpness, flat, strong, lettered, letteredEdges, samples, lines] = [0, 0, 0, 0, 0, 0, 0];
  for (let y = STEP; y < height - STEP; y += STEP) {
    const row = y * stride;
    let [run, longestRun, rowEdges, lastEdgeAt, lastSign] = [0, 0, 0, 0, 0];
    for (let x = STEP; x < width - STEP; x += STEP) {
      const at = row + x;
      const here = rows[at] as number; // inside the picture, like its neighbours below
      const left = rows[at - STEP] as number;
      const across = (rows[at + STEP] as number) - here;
      const down = (rows[at + STEP * stride] as number) - here;
      const bend = here - left - across;
      sharpness += bend * bend;
      if (Math.abs(across) < EDGE.flat && Math.abs(down) < EDGE.flat) flat++;
      if (Math.abs(across) < EDGE.strong) continue;
      rowEdges++;
      const sign = Math.sign(across);
      run = sign !== lastSign && x - lastEdgeAt <= LETTER_WIDTH ? run + 1 : sign === lastSign ? run : 1;
      longestRun = Math.max(longestRun, run);
      [lastEdgeAt, lastSign] = [x, sign];
    }
    samples += Math.floor((width - STEP - 1) / STEP);
    lines++;
    strong += rowEdges;
    if (longestRun < LETTER_EDGES) continue;
    lettered++;
    letteredEdges += rowEdges;
  }
  return {
    sharpness: sharpness / Math.max(1, samples),
    flat: flat / Math.max(1, samples),
    lettered: lettered / Math.max(1, lines),
    letteredEdges: strong === 0 ? 0 : letteredEdges / strong,
  };
}

/**
 * What makes a picture look like a title card: much of it is empty, and what is not is lettering, in a few lines up to
 * half of the height.
 */
const TITLE = { flat: 0.72, lettered: 0.012, mostLettered: 0.5, letteredEdges: 0.55 };

/** Detail, as a share of the picture, that not even a word in small letters would leave. */
const LEAST_DETAIL = 0.0001;

/** Whether nothing in a still could be lettering, however small. */
export function isPlainStill({ flat }: StillMeasures): boolean {
  return flat > 1 - LEAST_DETAIL;
}

/** Whether a still looks like a title card. */
export function looksLikeTitle(still: StillMeasures): boolean {
  return (
    still.flat >= TITLE.flat &&
    still.lettered >= TITLE.lettered &&
    still.lettered <= TITLE.mostLettered &&
    still.letteredEdges >= TITLE.letteredEdges
  );
}

/** Every so many-th row of a still is looked at: a line of the smallest lettering that counts is twice as high. */
const ROW_STEP = 6;

/** Least lettering of a still, see `Lettering`: a short word in small letters. */
const LEAST = 0.4;

/** Seconds that lettering stands at least: what is gone sooner nobody reads, and leaves look like it for a moment. */
const SHORTEST_SECONDS = 0.75;

/** Seconds of a shot for which one still is kept: lettering that can be read stands for seconds. */
const KEPT_SECONDS = 4;

/** How much more lettering a still must hold to take the place of another one. */
const CLEARLY_MORE = 1.1;

/** A still that lettering is looked for in. */
export interface LetteringStill {
  /** Seconds on the programme clock. */
  readonly at: number;
  readonly luma: GreyPicture;
  readonly toJpeg: () => Buffer;
}

interface LetteringSight {
  readonly since: number;
  until: number;
  /** The still with most lettering so far. */
  best: { readonly at: number; readonly amount: number; readonly jpeg: Buffer };
}

/** Keeps the stills of each shot that show most lettering, as JPEG files. */
export class LetteringKeeper {
  readonly frames: LetteringFrame[] = [];
  readonly #folder: string | null;
  #sight: LetteringSight | null = null;

  /** @param folder Where the files go; it exists. `null` keeps none. */
  constructor(folder: string | null) {
    this.#folder = folder;
  }

  /** Looks at the next still of the shot. */
  async look({ at, luma, toJpeg }: LetteringStill): Promise<void> {
    if (this.#folder === null) return;
    const { amount } = findLettering(luma, ROW_STEP);
    const sight = this.#sight;
    if (amount < LEAST || (sight !== null && at - sight.since >= KEPT_SECONDS)) await this.#end(at);
    if (amount < LEAST) return;
    if (this.#sight === null) {
      this.#sight = { since: at, until: at, best: { at, amount, jpeg: toJpeg() } };
      return;
    }
    this.#sight.until = at;
    if (amount > CLEARLY_MORE * this.#sight.best.amount) this.#sight.best = { at, amount, jpeg: toJpeg() };
  }

  /**
   * Ends the shot.
   *
   * @param end Seconds on the programme clock.
   * @returns What lettering was kept of it, in order of time.
   */
  async endShot(start: number, end: number): Promise<LetteringFrame[]> {
    await this.#end(end);
    return this.frames.filter(({ at }) => at >= start && at < end);
  }

  async #end(at: number): Promise<void> {
    const sight = this.#sight;
    this.#sight = null;
    if (this.#folder === null || sight === null || sight.until - sight.since < SHORTEST_SECONDS) return;
    const file = `lettering-${String(Math.round(sight.best.at * 1000)).padStart(9, "0")}.jpg`;
    await writeFile(join(this.#folder, file), sight.best.jpeg);
    this.frames.push({ at: sight.best.at, start: sight.since, end: at, file });
  }
}
