import type { GreyPicture } from "../../letter-strokes.ts";

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
