import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findLettering, type GreyPicture } from "../../letter-strokes.ts";
import type { LetteringFrame } from "../../programme-analysis.ts";

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
