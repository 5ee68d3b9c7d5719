import { LETTER_HEIGHT, LETTER_SPACE, letterOf, PEN_WIDTH } from "./letters.ts";

/** Red, green and blue, 0 to 255 each. */
type Colour = readonly [number, number, number];

/** Right and down, in pixels. */
type Place = readonly [number, number];

/** How much of a pixel is covered, 0 to 1. */
interface Ink {
  /** Its place, counted row by row. */
  readonly pixel: number;
  readonly cover: number;
}

/** A picture in memory that simple shapes can be drawn on; out-of-bounds parts of a shape are cut off. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #pixels: Uint8ClampedArray;
  /** What was written once is written in many frames. */
  readonly #written = new Map<string, readonly Ink[]>();

  /** @param width and height in pixels; both even, for 4:2:0 output. */
  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#pixels = new Uint8ClampedArray(width * height * 3);
  }

  fill(colour: Colour): void {
    this.rectangle(0, 0, this.width, this.height, colour);
  }

  rectangle(x: number, y: number, width: number, height: number, colour: Colour): void {
    const left = Math.max(0, Math.round(x));
    const right = Math.min(this.width, Math.round(x + width));
    const bottom = Math.min(this.height, Math.round(y + height));
    for (let row = Math.max(0, Math.round(y)); row < bottom; row++) this.#fillRow(row, left, right, colour);
  }

  /** Writes capital letters centred on a point, with soft edges; `size` is the height of a letter in pixels. */
  text(words: string, centreX: number, centreY: number, size: number, colour: Colour): void {
    const key = [words, centreX, centreY, size].join(" ");
    const ink = this.#written.get(key) ?? inkOf(words, [centreX, centreY], size, this.width);
    this.#written.set(key, ink);
    for (const { pixel, cover } of ink) {
      for (const [channel, value] of colour.entries()) {
        const under = this.#pixels[pixel * 3 + channel] ?? 0;
        this.#pixels[pixel * 3 + channel] = under + (value - under) * cover;
      }
    }
  }

  /** The picture as planar 4:2:0 in BT.601 limited range, as `writeMovie` takes it. */
  toYuv420(): Uint8Array {
    const { width, height } = this;
    const planes = new Uint8Array((width * height * 3) / 2);
    const blue = width * height;
    const red = blue + blue / 4;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = (y * width + x) * 3;
        const r = this.#pixels[at] ?? 0;
        const g = this.#pixels[at + 1] ?? 0;
        const b = this.#pixels[at + 2] ?? 0;
        planes[y * width + x] = 16 + 0.257 * r + 0.504 * g + 0.098 * b;
        if ((x | y) & 1) continue;
        const chroma = (y / 2) * (width / 2) + x / 2;
        planes[blue + chroma] = 128 - 0.148 * r - 0.291 * g + 0.439 * b;
        planes[red + chroma] = 128 + 0.439 * r - 0.368 * g - 0.071 * b;
      }
    }
    return planes;
  }

  #fillRow(row: number, left: number, right: number, colour: Colour): void {
    for (let at = (row * this.width + left) * 3; at < (row * this.width + right) * 3; at += 3) {
      this.#pixels[at] = colour[0];
      this.#pixels[at + 1] = colour[1];
      this.#pixels[at + 2] = colour[2];
    }
  }
}

/** The pixels that words cover, centred on a point, in a picture of this width. They must lie within it. */
function inkOf(words: string, [centreX, centreY]: Place, size: number, pictureWidth: number): Ink[] {
  const unit = size / LETTER_HEIGHT;
  const letters = [...words].map(letterOf);
  const width = letters.reduce((sum, letter) => sum + letter.width + LETTER_SPACE, -LETTER_SPACE);
  const top = centreY - size / 2;
  let left = centreX - (width * unit) / 2;
  return letters.flatMap(({ width, strokes }) => {
    const placed = strokes.map((stroke) => stroke.map(([x, y]): Place => [left + x * unit, top + y * unit]));
    left += (width + LETTER_SPACE) * unit;
    return inkOfLetter(placed, (PEN_WIDTH * unit) / 2, pictureWidth);
  });
}

/** The pixels that a round pen covers on its way along lines. */
function inkOfLetter(lines: readonly (readonly Place[])[], radius: number, pictureWidth: number): Ink[] {
  const xs = lines.flat().map(([x]) => x);
  const ys = lines.flat().map(([, y]) => y);
  const ink: Ink[] = [];
  for (let y = Math.floor(Math.min(...ys) - radius); y <= Math.ceil(Math.max(...ys) + radius); y++) {
    for (let x = Math.floor(Math.min(...xs) - radius); x <= Math.ceil(Math.max(...xs) + radius); x++) {
      const distance = Math.min(...lines.map((points) => distanceToLine([x, y], points)));
      const cover = Math.min(1, Math.max(0, radius + 0.5 - distance));
      if (cover > 0) ink.push({ pixel: y * pictureWidth + x, cover });
    }
  }
  return ink;
}

/** From a place to the nearest point of a line through points, in pixels. */
function distanceToLine([x, y]: Place, points: readonly Place[]): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let index = 0; index + 1 < points.length; index++) {
    const [fromX, fromY] = points[index] ?? [0, 0];
    const [toX, toY] = points[index + 1] ?? [0, 0];
    const [alongX, alongY] = [toX - fromX, toY - fromY];
    const length = alongX * alongX + alongY * alongY;
    const share = length === 0 ? 0 : ((x - fromX) * alongX + (y - fromY) * alongY) / length;
    const along = Math.min(1, Math.max(0, share));
    nearest = Math.min(nearest, Math.hypot(x - fromX - along * alongX, y - fromY - along * alongY));
  }
  return nearest;
}
