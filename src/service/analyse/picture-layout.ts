import type { ColourName } from "../../core/shot.ts";
import { COLOUR_NAMES } from "./colour-names.ts";

/** Where light and colour lie in a shot, as far as it is beyond doubt. */
export interface PictureLayout {
  /** Colour of most of the upper third, and of the lower; absent where no one colour covers it. */
  readonly above?: ColourName;
  readonly below?: ColourName;
  /** Whether the middle is much brighter than all around it. */
  readonly isLitInTheMiddle: boolean;
}

/** Share of a third, averaged over a shot, that one colour covers to be its colour. */
const COVERING_SHARE = 0.5;

/** Mean luma, 0 to 1, by which the middle is brighter than the rest, and up to which the rest is dark enough for it. */
const LIT = { brighter: 0.22, around: 0.35 };

/** A frame as it is counted. */
interface CountedPicture {
  readonly width: number;
  /** Rows that are no black bars: from `top` to before `bottom`. */
  readonly top: number;
  readonly bottom: number;
}

/** Counts, over the frames of a shot, which colours lie in the upper and lower third, and how bright the middle is. */
export class LayoutCounts {
  readonly #above = new Uint32Array(COLOUR_NAMES.length);
  readonly #below = new Uint32Array(COLOUR_NAMES.length);
  #abovePixels = 0;
  #belowPixels = 0;
  #middle = { luma: 0, pixels: 0 };
  #around = { luma: 0, pixels: 0 };

  /**
   * Counts one pixel of a frame.
   *
   * @param at Its index, row by row.
   * @param luma 0 (black) to 255 (white).
   * @param colour Index in `COLOUR_NAMES`; below 0 for a colour without a name.
   */
  count({ width, top, bottom }: CountedPicture, at: number, luma: number, colour: number): void {
    const row = Math.floor(at / width);
    if (row < top || row >= bottom) return;
    const third = Math.floor((3 * (row - top)) / (bottom - top));
    if (third === 0) {
      this.#abovePixels++;
      if (colour >= 0) this.#above[colour] = (this.#above[colour] ?? 0) + 1;
    } else if (third === 2) {
      this.#belowPixels++;
      if (colour >= 0) this.#below[colour] = (this.#below[colour] ?? 0) + 1;
    }
    const column = Math.floor((3 * (at - row * width)) / width);
    const part = third === 1 && column === 1 ? this.#middle : this.#around;
    part.luma += luma;
    part.pixels++;
  }

  /** Adds what was counted of another frame. */
  add(other: LayoutCounts): void {
    for (let i = 0; i < COLOUR_NAMES.length; i++) {
      this.#above[i] = (this.#above[i] ?? 0) + (other.#above[i] ?? 0);
      this.#below[i] = (this.#below[i] ?? 0) + (other.#below[i] ?? 0);
    }
    this.#abovePixels += other.#abovePixels;
    this.#belowPixels += other.#belowPixels;
    for (const [mine, theirs] of [
      [this.#middle, other.#middle],
      [this.#around, other.#around],
    ] as const) {
      mine.luma += theirs.luma;
      mine.pixels += theirs.pixels;
    }
  }

  /** What lies where. */
  layout(): PictureLayout {
    const above = covering(this.#above, this.#abovePixels);
    const below = covering(this.#below, this.#belowPixels);
    const around = meanOf(this.#around);
    const isLitInTheMiddle = around <= LIT.around && meanOf(this.#middle) - around >= LIT.brighter;
    return { ...(above === null ? {} : { above }), ...(below === null ? {} : { below }), isLitInTheMiddle };
  }
}

function covering(counts: Uint32Array, pixels: number): ColourName | null {
  const most = counts.reduce((best, count, index) => (count > (counts[best] ?? 0) ? index : best), 0);
  return (counts[most] ?? 0) >= COVERING_SHARE * Math.max(1, pixels) ? (COLOUR_NAMES[most] ?? null) : null;
}

function meanOf({ luma, pixels }: { readonly luma: number; readonly pixels: number }): number {
  return luma / Math.max(1, pixels) / 255;
}
