import { commonEdges, evenBars, type FrameMeasures } from "./frame-measures.ts";

/** Pixels of the small picture along each side of a block: grain and the noise of a codec are gone from its mean. */
const BLOCK = 4;

/** Root of the mean square difference of two pictures that have nothing in common, as those of two shots have. */
const NOTHING_IN_COMMON = 0.25;

/** The most that two pictures of one shot differ: 1 is kept for the first of a shot. */
const MOST = 0.99;

/** A picture as novelty sees it: mean luma of each block, 0 to 1, less that of the whole. */
export type PictureBlocks = Float32Array;

/** A frame with what its structure and its novelty are told by. */
export type SeenFrame = FrameMeasures & { readonly blocks: PictureBlocks };

/** The blocks of a frame. What is left over at its right and lower edge is left out. */
export function pictureBlocks({ width, height, luma, brightness }: FrameMeasures): PictureBlocks {
  const columns = Math.max(1, Math.floor(width / BLOCK));
  const rows = Math.max(1, Math.floor(height / BLOCK));
  const blocks = new Float32Array(columns * rows).fill(-brightness);
  for (let y = 0; y < Math.min(height, rows * BLOCK); y++) {
    const row = Math.floor(y / BLOCK) * columns;
    for (let x = 0; x < Math.min(width, columns * BLOCK); x++) {
      const block = row + Math.floor(x / BLOCK);
      const value = luma[y * width + x] as number; // inside the picture
      blocks[block] = (blocks[block] as number) + value / (255 * BLOCK * BLOCK); // inside, as above
    }
  }
  return blocks;
}

/**
 * How different two pictures of a shot are, 0 (the same) to 0.99 (nothing in common). A change of brightness as a whole
 * counts for nothing; pictures of different sizes have nothing in common.
 */
export function novelty(picture: PictureBlocks, before: PictureBlocks): number {
  if (picture.length !== before.length) return MOST;
  let sum = 0;
  for (let i = 0; i < picture.length; i++) sum += ((picture[i] as number) - (before[i] as number)) ** 2; // same length
  return Math.min(MOST, Math.sqrt(sum / picture.length) / NOTHING_IN_COMMON);
}

/** Root of the mean square of blocks about their mean, 0 to 1, below which a picture has no structure to speak of. */
const FLAT = 7 / 255;

/**
 * How little of a picture's structure is left in the next one, between the black bars of both: 0 (all of it) to 2. Where things are
 * bright and where dark stays alike within a shot, however they move from one frame to the next, and has nothing to do with
 * how bright they are. Frames of different sizes, and those that show nothing, tell nothing: 0.
 */
export function structureChange(a: SeenFrame, b: SeenFrame): number {
  if (a.blocks.length !== b.blocks.length) return 0;
  const columns = Math.max(1, Math.floor(a.width / BLOCK));
  const rows = Math.max(1, Math.floor(a.height / BLOCK));
  const { top, bottom, left, right } = evenBars(commonEdges(a.edges, b.edges), a);
  const [firstRow, lastRow] = [Math.ceil(top / BLOCK), rows - Math.ceil(bottom / BLOCK)];
  const [first, last] = [Math.ceil(left / BLOCK), columns - Math.ceil(right / BLOCK)];
  let [count, sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0, 0];
  for (let row = firstRow; row < lastRow; row++) {
    for (let at = row * columns + first; at < row * columns + last; at++) {
      const [one, other] = [a.blocks[at] as number, b.blocks[at] as number]; // inside both
      count++;
      sumA += one;
      sumB += other;
      squaresA += one * one;
      squaresB += other * other;
      products += one * other;
    }
  }
  if (count === 0) return 0;
  const [meanA, meanB] = [sumA / count, sumB / count];
  const [spreadA, spreadB] = [squaresA / count - meanA * meanA, squaresB / count - meanB * meanB];
  if (Math.min(spreadA, spreadB) < FLAT * FLAT) return 0;
  return 1 - (products / count - meanA * meanB) / Math.sqrt(spreadA * spreadB);
}
