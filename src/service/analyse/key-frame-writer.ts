import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KeyFrame } from "../programme-analysis.ts";

/** A picture that may become a key frame. */
export interface KeyFrameCandidate extends Disposable {
  /** Seconds on the programme clock. */
  readonly at: number;
  /** The higher, the better. */
  readonly merit: number;
  readonly toJpeg: () => Buffer;
}

/** Seconds of a shot that one key frame stands for; longer shots get several. */
const SLOT_SECONDS = 10;

/** Chooses the best candidate of each part of a shot and writes it as a JPEG file. */
export class KeyFrameWriter {
  readonly keyFrames: KeyFrame[] = [];
  readonly #folder: string;
  #slotStart = 0;
  #best: KeyFrameCandidate | null = null;
  #bestOfShot: { readonly at: number; readonly merit: number } | null = null;

  /** @param folder Where the files go; it exists. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Begins a shot. */
  begin(start: number): void {
    this.#slotStart = start;
    this.#bestOfShot = null;
  }

  /** Takes a candidate over; it is disposed of here. */
  async offer(candidate: KeyFrameCandidate): Promise<void> {
    if (candidate.at >= this.#slotStart + SLOT_SECONDS) {
      await this.#write();
      this.#slotStart += SLOT_SECONDS * Math.floor((candidate.at - this.#slotStart) / SLOT_SECONDS);
    }
    if (this.#best !== null && this.#best.merit >= candidate.merit) {
      candidate[Symbol.dispose]();
      return;
    }
    this.#best?.[Symbol.dispose]();
    this.#best = candidate;
  }

  /** Ends the shot; gives the time of its best key frame, `null` when it had no candidate. */
  async end(): Promise<number | null> {
    await this.#write();
    return this.#bestOfShot?.at ?? null;
  }

  /** Lets go of what is held. */
  [Symbol.dispose](): void {
    this.#best?.[Symbol.dispose]();
    this.#best = null;
  }

  async #write(): Promise<void> {
    const best = this.#best;
    if (best === null) return;
    this.#best = null;
    using candidate = best;
    const file = `key-frame-${String(Math.round(candidate.at * 1000)).padStart(9, "0")}.jpg`;
    await writeFile(join(this.#folder, file), candidate.toJpeg());
    this.keyFrames.push({ at: candidate.at, file });
    if (this.#bestOfShot === null || candidate.merit > this.#bestOfShot.merit) this.#bestOfShot = candidate;
  }
}
