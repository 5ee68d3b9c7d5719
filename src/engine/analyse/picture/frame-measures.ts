import type { SmallPicture } from "../../ffmpeg/decode/small-picture.ts";

/** What one frame looks like, in numbers. */
export interface FrameMeasures {
  /** Seconds on the programme clock. */
  readonly at: number;
  /** Mean luma, 0 (black) to 1 (white). */
  readonly brightness: number;
  /** Standard deviation of luma, 0 to 0.5. */
  readonly contrast: number;
  /** Saturation that {@link SATURATED_SHARE} of the pixels have at least, 0 (grey) to 1. */
  readonly saturation: number;
  /** Share of pixels that are black or nearly so, 0 to 1. */
  readonly dark: number;
  /** Edges that are black throughout; all else is measured with them. */
  readonly edges: BlackBars;
  readonly width: number;
  readonly height: number;
  /** Luma of each pixel, 0 to 255 from black to white. */
  readonly luma: Uint8Array;
  /** Shares of pixels: {@link LUMA_BINS} of luma, then {@link CHROMA_BINS} of chroma. */
  readonly histogram: Float32Array;
}

/** Bins of the histogram. Chroma is divided finely near grey, where most pictures are. */
const LUMA_BINS = 32;
const CHROMA_BINS = 64;

/** Luma, of 255, up to which a pixel counts as dark: video black with its noise. */
const DARK = 18;

/** Chroma distance from grey, of 181, that counts as full saturation: the primaries of BT.709 lie at about 110 to 130. */
const FULL_CHROMA = 120;

/** Share of the pixels that the saturation of a frame is told by: two cars in a grey street are in colour. */
const SATURATED_SHARE = 0.003;

/** Code of black and distance to white in limited range (ITU-R BT.709). */
const LIMITED = { black: 16, span: 219 };

const FULL_SCALE = Uint8Array.from({ length: 256 }, (_, code) => code);
const LIMITED_SCALE = Uint8Array.from({ length: 256 }, (_, code) =>
  Math.max(0, Math.min(255, Math.round(((code - LIMITED.black) * 255) / LIMITED.span))),
);

/** Bin of a chroma code on one axis, 0 to 7: borders at 8, 20 and 40 from grey. */
const CHROMA_BIN = Uint8Array.from({ length: 256 }, (_, code) => {
  const distance = Math.abs(code - 128);
  const step = distance < 8 ? 0 : distance < 20 ? 1 : distance < 40 ? 2 : 3;
  return code < 128 ? 3 - step : 4 + step;
});

/** Measures a frame; nothing of the picture is kept but a copy of its luma. */
export function measureFrame(at: number, picture: SmallPicture): FrameMeasures {
  const { width, height, blue, red } = picture;
  const scale = picture.isFullRange ? FULL_SCALE : LIMITED_SCALE;
  const luma = new Uint8Array(picture.luma.length);
  // Whole numbers until the end: this loop sees every pixel of every frame.
  const counts = new Uint32Array(LUMA_BINS + CHROMA_BINS);
  const chroma = new Uint32Array(FULL_CHROMA + 1);
  let [sum, squares, dark] = [0, 0, 0];
  for (let i = 0; i < luma.length; i++) {
    const y = scale[picture.luma[i] as number] as number; // a byte is an index of 256
    luma[i] = y;
    sum += y;
    squares += y * y;
    if (y <= DARK) dark++;
    const b = blue[i] as number; // planes are of one length
    const r = red[i] as number;
    const fromGrey = Math.min(FULL_CHROMA, Math.sqrt((b - 128) * (b - 128) + (r - 128) * (r - 128)) | 0);
    chroma[fromGrey] = (chroma[fromGrey] as number) + 1; // cut off at its end
    const lumaBin = y >> 3;
    const chromaBin = LUMA_BINS + 8 * (CHROMA_BIN[b] as number) + (CHROMA_BIN[r] as number);
    counts[lumaBin] = (counts[lumaBin] as number) + 1; // every bin is inside
    counts[chromaBin] = (counts[chromaBin] as number) + 1;
  }
  const pixels = Math.max(1, luma.length);
  const histogram = Float32Array.from(counts, (count) => count / pixels);
  const mean = sum / pixels;
  return {
    at,
    brightness: mean / 255,
    contrast: Math.sqrt(Math.max(0, squares / pixels - mean * mean)) / 255,
    saturation: saturationOf(chroma, SATURATED_SHARE * pixels),
    dark: dark / pixels,
    edges: blackEdges(luma, picture),
    width,
    height,
    luma,
    histogram,
  };
}

/** @param chroma Pixels by chroma distance from grey. */
function saturationOf(chroma: Uint32Array, pixels: number): number {
  let [counted, distance] = [0, chroma.length - 1];
  while (distance > 0) {
    counted += chroma[distance] ?? 0;
    if (counted >= pixels) break;
    distance--;
  }
  return distance / FULL_CHROMA;
}

/** Mean difference of luma of two frames of one size, 0 to 1; 1 for frames of different sizes. */
export function lumaDistance(a: FrameMeasures, b: FrameMeasures): number {
  if (a.luma.length !== b.luma.length) return 1;
  let sum = 0;
  for (let i = 0; i < a.luma.length; i++) sum += Math.abs((a.luma[i] as number) - (b.luma[i] as number)); // same length
  return sum / Math.max(1, a.luma.length) / 255;
}

/** Like {@link lumaDistance}, but blind to a change of brightness as a whole. */
export function evenedDistance(a: FrameMeasures, b: FrameMeasures): number {
  if (a.luma.length !== b.luma.length) return 1;
  const shift = 255 * (b.brightness - a.brightness);
  let sum = 0;
  for (let i = 0; i < a.luma.length; i++) sum += Math.abs((b.luma[i] as number) - (a.luma[i] as number) - shift); // same length
  return sum / Math.max(1, a.luma.length) / 255;
}

/** How differently two frames are made up, wherever things are in them: 0 (alike) to 1. */
function makeUpDistance(a: FrameMeasures, b: FrameMeasures): number {
  let sum = 0;
  for (let i = 0; i < a.histogram.length; i++) sum += Math.abs((a.histogram[i] ?? 0) - (b.histogram[i] ?? 0));
  // Luma and chroma each add up to 1 per frame, so that four is the most.
  return sum / 4;
}

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
function blackEdges(luma: Uint8Array, { width, height, blue, red }: SmallPicture): BlackBars {
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

/** The bars among black edges: those that lie evenly on opposite sides, and leave a picture between them. */
export function evenBars(edges: BlackBars, { width, height }: Pick<FrameMeasures, "width" | "height">): BlackBars {
  const across = evenShare(edges.left, edges.right, width) > 0;
  const down = evenShare(edges.top, edges.bottom, height) > 0;
  return {
    top: down ? edges.top : 0,
    bottom: down ? edges.bottom : 0,
    left: across ? edges.left : 0,
    right: across ? edges.right : 0,
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

/** Bars count up to this share of the picture: of a night scene more may be black at its edges. */
const MOST_BARS = 0.5;

/** How much changes from one frame to another, between the black bars of both: in place, and in what the picture is made up of. */
export function stepSize(a: FrameMeasures, b: FrameMeasures): number {
  // Bars are the same in both, so that all of a distance lies between them.
  const bars = Math.min(MOST_BARS, barShare(commonEdges(a.edges, b.edges), a.width, a.height));
  return Math.sqrt(lumaDistance(a, b) * makeUpDistance(a, b)) / (1 - bars);
}
