import { SeededRandom } from "../../../test/fakes/seeded-random.ts";

/** Chance that comes out the same in every run. */
export class Chance {
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  /** From 0 to 1, below 1. */
  share(): number {
    return this.#random.next();
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.share();
  }

  /** A whole number from 0. */
  below(end: number): number {
    return Math.floor(end * this.share());
  }

  isSo(likelihood: number): boolean {
    return this.share() < likelihood;
  }

  /** @throws RangeError when there is none. */
  oneOf<T>(all: readonly T[]): T {
    const one = all[this.below(all.length)];
    if (one === undefined) throw new RangeError("there is nothing to choose from");
    return one;
  }

  /** Around 0, most of them within 1. */
  around(): number {
    return Math.sqrt(-2 * Math.log(1 - this.share())) * Math.cos(2 * Math.PI * this.share());
  }
}
