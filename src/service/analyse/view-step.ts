import { median } from "../../core/median.ts";
import { type BlackBars, commonEdges } from "./black-bars.ts";
import type { FrameMeasures } from "./frame-measures.ts";

/** How the picture as a whole moves from one frame to another, so far as most of it moves alike. */
export interface ViewStep {
  /** By how much what is shown moves right and down, in widths of the picture. */
  readonly x: number;
  readonly y: number;
  /** By what share what is shown grows: 0.01 for a hundredth. */
  readonly growth: number;
}

/** What was found between two frames: how the view moves, that its parts move apart, or that there is too little detail to tell. */
export type ViewFinding = ViewStep | "apart" | "featureless";

/** A plane of luma. */
interface Plane {
  readonly width: number;
  readonly height: number;
  readonly luma: Uint8Array;
}

/** A small square of the first frame and where it is found in the second: middle and shift, in pixels. */
interface BlockShift {
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly down: number;
}

/** A shift in pixels. */
interface Shift {
  readonly right: number;
  readonly down: number;
}

/** A common movement in pixels. */
interface PixelStep extends Shift {
  readonly growth: number;
}

/** Side of a block in pixels of the full plane; a multiple of two. */
const BLOCK = 12;

/** How far the whole picture is looked for, in pixels of the plane that is an eighth of each side. */
const REACH = { across: 4, down: 3 };

/** How far a block is looked for around where the whole picture went, in pixels of the half plane, and then of the full one. */
const BLOCK_REACH = { half: 3, full: 1 };

/** The lesser of a block's two curvatures of luma, in squares of codes per pixel: below it a block could lie anywhere along an edge. */
const LEAST_TEXTURE = 12;

/** Mean difference of luma, in codes, above which a block is not found again. */
const MOST_DIFFERENCE = 16;

/** Distances in pixels within which a block agrees with the common movement, ever closer. */
const AGREEMENT = [4, 2, 1] as const;

/** What it takes to speak of the whole picture: blocks that tell anything, the share of them that agree, and how far they are spread, in sides. */
const COMMON = { blocks: 8, share: 0.6, spread: 0.18 };

/**
 * Measures how the picture as a whole moves between two frames a moment apart: where most of its textured blocks agree on one shift and
 * one growth from the middle.
 */
export function viewStep(a: FrameMeasures, b: FrameMeasures): ViewFinding {
  if (a.width !== b.width || a.height !== b.height || a.luma.length !== b.luma.length) return "apart";
  const [halfA, halfB] = [halved(a), halved(b)];
  const whole = wholeShift(halved(halfA), halved(halfB));
  const blocks = blockShifts(a, b, halfA, halfB, whole, commonEdges(a.edges, b.edges));
  return commonMovement(blocks, a);
}

function halved({ width, height, luma }: Plane): Plane {
  const [w, h] = [width >> 1, height >> 1];
  const half = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const at = 2 * y * width + 2 * x;
      // Inside: two rows and columns of the larger plane for each of the smaller.
      const sum = byte(luma, at) + byte(luma, at + 1) + byte(luma, at + width) + byte(luma, at + width + 1);
      half[y * w + x] = (sum + 2) >> 2;
    }
  }
  return { width: w, height: h, luma: half };
}

/** Shift of the whole picture with the least difference, in pixels of these planes: looked for in smaller ones first. */
function wholeShift(a: Plane, b: Plane): Shift {
  const rough = leastDifferent(halved(a), halved(b), { right: 0, down: 0 }, REACH);
  return leastDifferent(a, b, { right: 2 * rough.right, down: 2 * rough.down }, { across: 1, down: 1 });
}

function leastDifferent(a: Plane, b: Plane, around: Shift, reach: typeof REACH): Shift {
  let best = { ...around, difference: Number.POSITIVE_INFINITY };
  for (let down = around.down - reach.down; down <= around.down + reach.down; down++) {
    for (let right = around.right - reach.across; right <= around.right + reach.across; right++) {
      const difference = differenceAt(a, b, right, down);
      if (difference < best.difference) best = { right, down, difference };
    }
  }
  return best;
}

/** Mean difference of what two planes share when the second is shifted. */
function differenceAt(a: Plane, b: Plane, right: number, down: number): number {
  const fromX = Math.max(0, -right);
  const toX = Math.min(a.width, a.width - right);
  const fromY = Math.max(0, -down);
  const toY = Math.min(a.height, a.height - down);
  let sum = 0;
  for (let y = fromY; y < toY; y++) {
    const rowA = y * a.width;
    const rowB = (y + down) * b.width + right;
    for (let x = fromX; x < toX; x++) sum += Math.abs(byte(a.luma, rowA + x) - byte(b.luma, rowB + x));
  }
  const count = Math.max(0, toX - fromX) * Math.max(0, toY - fromY);
  return count === 0 ? Number.POSITIVE_INFINITY : sum / count;
}

function blockShifts(a: Plane, b: Plane, halfA: Plane, halfB: Plane, whole: Shift, edges: BlackBars): BlockShift[] {
  const found: BlockShift[] = [];
  const rows = Math.floor((a.height - edges.top - edges.bottom) / BLOCK);
  for (let row = 0; row < rows; row++) {
    const y = edges.top + row * BLOCK;
    // Like the black fields of a chess board: half of the blocks tell as much.
    for (let x = edges.left + (row % 2) * BLOCK; x + BLOCK <= a.width - edges.right; x += 2 * BLOCK) {
      if (texture(a, x, y) < LEAST_TEXTURE) continue;
      const rough = { right: 2 * whole.right, down: 2 * whole.down };
      const near = closest(halfA, halfB, { x: x >> 1, y: y >> 1, side: BLOCK / 2 }, rough, BLOCK_REACH.half);
      if (near === null) continue;
      const at = { right: Math.round(2 * near.right), down: Math.round(2 * near.down) };
      const exact = closest(a, b, { x, y, side: BLOCK }, at, BLOCK_REACH.full);
      if (exact === null || exact.difference > MOST_DIFFERENCE) continue;
      found.push({ x: x + BLOCK / 2, y: y + BLOCK / 2, right: exact.right, down: exact.down });
    }
  }
  return found;
}

/** The lesser eigenvalue of the mean structure tensor: how well a block is told apart in the direction in which it is told apart worst. */
function texture({ width, luma }: Plane, left: number, top: number): number {
  let [xx, yy, xy] = [0, 0, 0];
  for (let y = top; y < top + BLOCK - 1; y++) {
    for (let x = left; x < left + BLOCK - 1; x++) {
      const at = y * width + x;
      const here = byte(luma, at);
      const dx = byte(luma, at + 1) - here;
      const dy = byte(luma, at + width) - here;
      xx += dx * dx;
      yy += dy * dy;
      xy += dx * dy;
    }
  }
  const samples = (BLOCK - 1) ** 2;
  return ((xx + yy) / 2 - Math.hypot((xx - yy) / 2, xy)) / samples;
}

interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** A shift, to a fraction of a pixel. */
interface Found extends Shift {
  /** Mean difference of luma there, in codes. */
  readonly difference: number;
}

/** Where a square of one plane is found in the other, around a shift; `null` where it would leave the picture. */
function closest(a: Plane, b: Plane, square: Square, around: Shift, reach: number): Found | null {
  const side = 2 * reach + 1;
  const differences = new Float64Array(side * side).fill(Number.POSITIVE_INFINITY);
  let best = -1;
  for (let j = 0; j < side; j++) {
    for (let i = 0; i < side; i++) {
      const at = j * side + i;
      differences[at] = squareDifference(a, b, square, around.right + i - reach, around.down + j - reach);
      if (best < 0 || (differences[at] as number) < (differences[best] as number)) best = at;
    }
  }
  const difference = differences[best] as number;
  if (!Number.isFinite(difference)) return null;
  const [i, j] = [best % side, Math.floor(best / side)];
  const vertex = (before: number | undefined, after: number | undefined) => {
    if (before === undefined || after === undefined || !Number.isFinite(before + after)) return 0;
    const bend = before + after - 2 * difference;
    return bend <= 0 ? 0 : (before - after) / (2 * bend);
  };
  const across = vertex(i > 0 ? differences[best - 1] : undefined, i < side - 1 ? differences[best + 1] : undefined);
  const down = vertex(differences[best - side], differences[best + side]);
  return { right: around.right + i - reach + across, down: around.down + j - reach + down, difference };
}

function squareDifference(a: Plane, b: Plane, { x, y, side }: Square, right: number, down: number): number {
  const toX = x + right;
  const toY = y + down;
  if (toX < 0 || toY < 0 || toX + side > b.width || toY + side > b.height) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let row = 0; row < side; row++) {
    const atA = (y + row) * a.width + x;
    const atB = (toY + row) * b.width + toX;
    for (let column = 0; column < side; column++) {
      sum += Math.abs(byte(a.luma, atA + column) - byte(b.luma, atB + column));
    }
  }
  return sum / (side * side);
}

/** The shift and growth that most blocks agree on. */
function commonMovement(blocks: readonly BlockShift[], { width, height }: Plane): ViewFinding {
  if (blocks.length < COMMON.blocks) return "featureless";
  let move: PixelStep = {
    right: median(blocks.map(({ right }) => right)),
    down: median(blocks.map(({ down }) => down)),
    growth: 0,
  };
  let agreeing = blocks;
  for (const distance of AGREEMENT) {
    agreeing = blocks.filter(({ x, y, right, down }) => {
      const [fromMiddle, below] = [x - width / 2, y - height / 2];
      const apart = Math.hypot(right - move.right - move.growth * fromMiddle, down - move.down - move.growth * below);
      return apart <= distance;
    });
    if (agreeing.length < COMMON.share * blocks.length) return "apart";
    move = leastSquares(agreeing, width, height);
  }
  if (!isSpread(agreeing, width, height)) return "featureless";
  return { x: move.right / width, y: move.down / width, growth: move.growth };
}

function leastSquares(blocks: readonly BlockShift[], width: number, height: number): PixelStep {
  const mean = (value: (block: BlockShift) => number) =>
    blocks.reduce((sum, one) => sum + value(one), 0) / blocks.length;
  const [x, y, right, down] = [
    mean((one) => one.x),
    mean((one) => one.y),
    mean((one) => one.right),
    mean((one) => one.down),
  ];
  let [together, apart] = [0, 0];
  for (const one of blocks) {
    together += (one.x - x) * (one.right - right) + (one.y - y) * (one.down - down);
    apart += (one.x - x) ** 2 + (one.y - y) ** 2;
  }
  const growth = apart === 0 ? 0 : together / apart;
  return { right: right - growth * (x - width / 2), down: down - growth * (y - height / 2), growth };
}

/** Whether blocks lie all over the picture, not on one thing in it. */
function isSpread(blocks: readonly BlockShift[], width: number, height: number): boolean {
  const deviation = (values: readonly number[]) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  };
  return (
    deviation(blocks.map(({ x }) => x)) >= COMMON.spread * width &&
    deviation(blocks.map(({ y }) => y)) >= COMMON.spread * height
  );
}

/** A code at a place that is known to be inside. */
function byte(codes: Uint8Array, at: number): number {
  return codes[at] as number;
}
