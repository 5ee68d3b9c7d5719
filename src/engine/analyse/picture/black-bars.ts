import type { SmallPicture } from "../../ffmpeg/decode/small-picture.ts";

/** Rows or columns of a small picture that are black throughout, counted from each edge. */
export interface BlackBars {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Luma, of 255, up to which a pixel may belong to a bar: black with what compression leaves of it. */
const BAR_LUMA = 20;

/** Chroma distance from grey up to which it may: a bar has no colour. */
const BAR_CHROMA = 6;

/** Pixels by which opposite bars may differ: the picture lies in the middle, but for rounding. */
const UNEVEN = 1;

/** Bars on opposite sides take no more than this share of a side: the narrowest picture shown is 9:16 in 16:9. */
const MOST_SHARE = 0.7;

/**
 * The black edges of a frame. Of a dark picture some of it may count; of a shot, the least of its frames is the bars.
 *
 * @param luma Luma of each pixel, 0 to 255 from black to white.
 */
export function blackEdges(luma: Uint8Array, { width, height, blue, red }: SmallPicture): BlackBars {
  const isBlack = (x: number, y: number) => {
    const at = y * width + x;
    const [b = 128, r = 128] = [blue[at], red[at]];
    return (luma[at] ?? 0) <= BAR_LUMA && Math.abs(b - 128) <= BAR_CHROMA && Math.abs(r - 128) <= BAR_CHROMA;
  };
  const run = (most: number, across: number, pixel: (line: number, at: number) => boolean) => {
    for (let line = 0; line < most; line++) for (let at = 0; at < across; at++) if (!pixel(line, at)) return line;
    return most;
  };
  return {
    top: run(height, width, (line, at) => isBlack(at, line)),
    bottom: run(height, width, (line, at) => isBlack(at, height - 1 - line)),
    left: run(width, height, (line, at) => isBlack(line, at)),
    right: run(width, height, (line, at) => isBlack(width - 1 - line, at)),
  };
}

/** The edges that are black in both. */
export function commonEdges(a: BlackBars, b: BlackBars): BlackBars {
  return {
    top: Math.min(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
    left: Math.min(a.left, b.left),
    right: Math.min(a.right, b.right),
  };
}

/**
 * Share of the picture that bars cover, 0 to {@link MOST_SHARE} and a little more: only black edges that lie evenly on
 * opposite sides are bars.
 */
export function barShare(edges: BlackBars, width: number, height: number): number {
  const across = evenShare(edges.left, edges.right, width);
  const down = evenShare(edges.top, edges.bottom, height);
  return 1 - (1 - across) * (1 - down);
}

function evenShare(first: number, second: number, side: number): number {
  const share = (first + second) / Math.max(1, side);
  return Math.abs(first - second) > UNEVEN || share > MOST_SHARE ? 0 : share;
}
