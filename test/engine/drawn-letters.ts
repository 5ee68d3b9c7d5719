import type { GreyPicture } from "../../src/engine/letter-strokes.ts";

/** Brightness, 0 to 255, of each pixel of a picture. */
type Paint = (x: number, y: number) => number;

/** A picture that is painted pixel by pixel; its rows may be longer than it, and hold rubbish there. */
export function painted(width: number, height: number, paint: Paint, stride = width): GreyPicture {
  const rows = new Uint8Array(stride * height).fill(77);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * stride + x] = paint(x, y);
  return { width, height, stride, rows };
}

/** Upright strokes side by side, as of letters: where, how many, how wide each and how far apart. */
export interface Bars {
  readonly left: number;
  readonly top: number;
  readonly count: number;
  readonly height: number;
  readonly width?: number;
  readonly gap?: number;
}

/** Whether a pixel lies in strokes; counted from 0 which of them, -1 for none. */
export function barAt({ left, top, count, height, width = 4, gap = 6 }: Bars, x: number, y: number): number {
  const bar = Math.floor((x - left) / (width + gap));
  const isInside = x >= left && y >= top && y < top + height && bar < count && (x - left) % (width + gap) < width;
  return isInside ? bar : -1;
}

/** Strokes of one brightness on paper of another. */
export function written(size: readonly [number, number], bars: Bars, ink = 200, paper = 40): GreyPicture {
  return painted(...size, (x, y) => (barAt(bars, x, y) >= 0 ? ink : paper));
}
