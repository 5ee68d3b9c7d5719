import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KeyFrame } from "../../programme-analysis.ts";
import { novelty, type PictureBlocks } from "./picture-blocks.ts";

/** A picture that may become a key frame. */
export interface KeyFrameCandidate extends Disposable {
  /** Seconds on the programme clock. */
  readonly at: number;
  /** How clear it is beside others of its shot: the higher, the better. */
  readonly clearness: number;
  /** Whether some of the neighbouring shot may still be in it. */
  readonly isAtEdge: boolean;
  readonly blocks: PictureBlocks;
  readonly toJpeg: () => Buffer;
}

/**
 * When a picture is kept: `change` is its novelty beside the one kept before times the seconds between the two, so that
 * after a while little is enough. Two are never closer than `closest` seconds; after `longest` one is kept whatever it
 * shows. The last of a shot needs no more than `lastShare` of the change.
 */
const KEPT = { change: 0.08, closest: 0.24, longest: 10, lastShare: 0.5 };

/**
 * Pictures a second where all moves, and how many may be saved up in stiller moments for faster ones. The fewer are left,
 * the more change one of them takes; it is as if never fewer than `least` were left.
 */
const ALLOWANCE = { perSecond: 1.75, most: 6, least: 0.25 };

/** Seconds within which the better of two pictures stands for both. */
const NEIGHBOUR_SECONDS = 0.26;

/** What it costs a picture to be at the edge of its shot. */
const EDGE_MERIT = 0.5;

/** Seconds that a picture waits to be written: as long as a dissolve lasts in which it may turn out to lie. */
const WAIT_SECONDS = 2.5;

/** What must be known of a picture to tell how new the next one is. */
type KeptSight = Pick<KeyFrameCandidate, "at" | "blocks">;

/**
 * Chooses pictures of each shot by what changes in it, and writes them as JPEG files: the first, the last, and between them those
 * that differ from the one before.
 */
export class KeyFrameWriter implements Disposable {
  readonly keyFrames: KeyFrame[] = [];
  readonly #folder: string | null;
  /** Chosen but not written yet, in order of time. */
  #chosen: KeyFrameCandidate[] = [];
  /** The last candidate, where it is not chosen. */
  #spare: KeyFrameCandidate | null = null;
  /** The last of the shot that is written. */
  #written: KeptSight | null = null;
  #clearest: { readonly at: number; readonly merit: number } | null = null;
  /** What is left of the allowance, and when a picture was last taken from it. */
  #left = { pictures: ALLOWANCE.most, at: 0 };

  /** @param folder Where the files go; it exists. `null` chooses pictures without writing them. */
  constructor(folder: string | null) {
    this.#folder = folder;
  }

  /** Takes the next candidate of the shot over; it is disposed of here. */
  async offer(candidate: KeyFrameCandidate): Promise<void> {
    const last = this.#chosen.at(-1);
    const isNeighbour = candidate.at - this.#left.at <= NEIGHBOUR_SECONDS;
    if (this.#isNewEnough(candidate, 1) && !this.#isWorseThanSpare(candidate)) this.#choose(candidate);
    else if (last !== undefined && isNeighbour) this.#judgeNeighbours(last, candidate);
    else this.#setAside(candidate);
    while ((this.#chosen[0]?.at ?? candidate.at) < candidate.at - WAIT_SECONDS) await this.#writeNext();
  }

  /**
   * Ends the shot.
   *
   * @param mixedFrom Seconds on the programme clock from which its pictures are mixed with those of the next shot.
   * @returns The time of its clearest key frame, `null` when it had no candidate.
   */
  async end(mixedFrom = Number.POSITIVE_INFINITY): Promise<number | null> {
    const spare = this.#spare;
    this.#spare = null;
    if (spare !== null && spare.at < mixedFrom && this.#isNewEnough(spare, KEPT.lastShare)) this.#choose(spare);
    else spare?.[Symbol.dispose]();
    while (this.#chosen.length > 0) {
      const isPure = (this.#chosen[0]?.at ?? 0) < mixedFrom;
      if (isPure || this.#written === null) await this.#writeNext();
      else this.#chosen.shift()?.[Symbol.dispose]();
    }
    const clearest = this.#clearest;
    this.#written = null;
    this.#clearest = null;
    return clearest?.at ?? null;
  }

  /** Lets go of what is held. */
  [Symbol.dispose](): void {
    this.#spare?.[Symbol.dispose]();
    this.#spare = null;
    for (const candidate of this.#chosen.splice(0)) candidate[Symbol.dispose]();
  }

  /** Whether a candidate shows enough that the one kept before does not, `share` being how much of the change it takes. */
  #isNewEnough(candidate: KeyFrameCandidate, share: number): boolean {
    const before = this.#chosen.at(-1) ?? this.#written;
    if (before === null) return true;
    const seconds = candidate.at - before.at;
    if (seconds < KEPT.closest) return false;
    if (seconds >= KEPT.longest) return true;
    const scarcity = ALLOWANCE.most / Math.max(ALLOWANCE.least, this.#leftAt(candidate.at));
    return novelty(candidate.blocks, before.blocks) * seconds >= share * KEPT.change * scarcity;
  }

  /** Whether a candidate at the edge of its shot comes right after one that is not, which will do as the last. */
  #isWorseThanSpare({ at, isAtEdge }: KeyFrameCandidate): boolean {
    const spare = this.#spare;
    return isAtEdge && spare !== null && !spare.isAtEdge && at - spare.at <= NEIGHBOUR_SECONDS;
  }

  #leftAt(at: number): number {
    return Math.min(ALLOWANCE.most, this.#left.pictures + (at - this.#left.at) * ALLOWANCE.perSecond);
  }

  #choose(candidate: KeyFrameCandidate): void {
    this.#left = { pictures: this.#leftAt(candidate.at) - 1, at: candidate.at };
    this.#chosen.push(candidate);
    this.#spare?.[Symbol.dispose]();
    this.#spare = null;
  }

  /** Keeps a candidate in case it is the last; one at the edge only where there is no other. */
  #setAside(candidate: KeyFrameCandidate): void {
    const isWorse = candidate.isAtEdge && this.#spare?.isAtEdge === false;
    const [kept, other] = isWorse ? [this.#spare, candidate] : [candidate, this.#spare];
    other?.[Symbol.dispose]();
    this.#spare = kept;
  }

  /** Puts a candidate in the place of the chosen one just before it, where it is clearer and as new. */
  #judgeNeighbours(chosen: KeyFrameCandidate, candidate: KeyFrameCandidate): void {
    const before = this.#chosen.at(-2) ?? this.#written;
    const merit = (one: KeyFrameCandidate) => meritOf(one) * (before === null ? 1 : novelty(one.blocks, before.blocks));
    if (merit(candidate) <= merit(chosen)) {
      this.#setAside(candidate);
      return;
    }
    this.#chosen.splice(-1, 1, candidate);
    chosen[Symbol.dispose]();
  }

  async #writeNext(): Promise<void> {
    using candidate = this.#chosen.shift();
    if (candidate === undefined) return;
    const { at, blocks } = candidate;
    const file = `key-frame-${String(Math.round(at * 1000)).padStart(9, "0")}.jpg`;
    if (this.#folder !== null) await writeFile(join(this.#folder, file), candidate.toJpeg());
    this.keyFrames.push({ at, file, novelty: this.#written === null ? 1 : novelty(blocks, this.#written.blocks) });
    this.#written = { at, blocks };
    const merit = meritOf(candidate);
    if (this.#clearest === null || merit > this.#clearest.merit) this.#clearest = { at, merit };
  }
}

function meritOf({ clearness, isAtEdge }: KeyFrameCandidate): number {
  return isAtEdge ? EDGE_MERIT * clearness : clearness;
}
