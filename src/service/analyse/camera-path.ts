import type { CameraMove } from "../../core/shot.ts";
import type { ViewFinding } from "./view-step.ts";

/** What a shot must add up to before its movement is named: shares of the width, of the width, and of the size. */
const NAMED = { across: 0.1, along: 0.07, growth: 0.1 };

/** Share of the way that must go in one direction: a hand that shakes goes nowhere. */
const DIRECTED = 0.8;

/** Least share of the steps that must be measured, and the most of those with detail whose parts may move apart. */
const STEPS = { measured: 0.4, apart: 0.2 };

/** Steps smaller than these are standing still: what is left of noise. In widths, and as a share of the size. */
const NOISE = { shift: 0.0005, growth: 0.0005 };

/** Adds up how the view moves within a shot. */
export class CameraPath {
  #steps = 0;
  #measured = 0;
  #apart = 0;
  readonly #across = new Way(NOISE.shift);
  readonly #down = new Way(NOISE.shift);
  readonly #growth = new Way(NOISE.growth);

  /** Adds what was found between the next two frames. */
  add(step: ViewFinding): void {
    this.#steps++;
    if (step === "apart") this.#apart++;
    if (typeof step === "string") return;
    this.#measured++;
    this.#across.add(step.x);
    this.#down.add(step.y);
    this.#growth.add(step.growth);
  }

  /** How the view moves; `undefined` where it stands, goes to and fro, or cannot be told. */
  move(): CameraMove | undefined {
    if (!this.#isTold()) return undefined;
    const candidates: readonly {
      readonly way: Way;
      readonly named: number;
      readonly names: readonly [CameraMove, CameraMove];
    }[] = [
      // What is shown moves to the left: the view goes to the right.
      { way: this.#across, named: NAMED.across, names: ["right", "left"] },
      { way: this.#down, named: NAMED.along, names: ["down", "up"] },
      { way: this.#growth, named: NAMED.growth, names: ["away", "closer"] },
    ];
    const [most] = candidates
      .map(({ way, named, names }) => ({ way, size: Math.abs(way.total) / named, name: names[way.total < 0 ? 0 : 1] }))
      .sort((a, b) => b.size - a.size);
    return most === undefined || most.size < 1 || !most.way.isDirected ? undefined : most.name;
  }

  #isTold(): boolean {
    const isMeasured = this.#measured > 0 && this.#measured >= STEPS.measured * this.#steps;
    return isMeasured && this.#apart <= STEPS.apart * (this.#measured + this.#apart);
  }
}

/** A way in one dimension. */
class Way {
  readonly #noise: number;
  #length = 0;
  total = 0;

  constructor(noise: number) {
    this.#noise = noise;
  }

  get isDirected(): boolean {
    return Math.abs(this.total) >= DIRECTED * this.#length;
  }

  add(step: number): void {
    if (Math.abs(step) < this.#noise) return;
    this.total += step;
    this.#length += Math.abs(step);
  }
}
