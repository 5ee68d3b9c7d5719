/** A hold of the programme: at `at` on the programme clock its picture stands still for `seconds`. */
export interface Pause {
  readonly at: number;
  readonly seconds: number;
}

/**
 * The two clocks of a programme that is held for extended descriptions: the programme clock, and the clock of the longer
 * video in which every pause has its time. Without pauses they are the same.
 */
export class TimeMap {
  /** In order, each at an instant of its own, all longer than 0. */
  readonly pauses: readonly Pause[];
  /** Seconds added by all pauses before each one. */
  readonly #addedBefore: readonly number[];
  /** Seconds by which the video is longer than the programme. */
  readonly addedSeconds: number;

  /** @param pauses Any order; those at one instant are one pause. */
  constructor(pauses: readonly Pause[]) {
    const merged = new Map<number, number>();
    for (const { at, seconds } of pauses) if (seconds > 0) merged.set(at, (merged.get(at) ?? 0) + seconds);
    this.pauses = [...merged].sort((a, b) => a[0] - b[0]).map(([at, seconds]) => ({ at, seconds }));
    let added = 0;
    this.#addedBefore = this.pauses.map(({ seconds }) => {
      added += seconds;
      return added - seconds;
    });
    this.addedSeconds = added;
  }

  /** When an instant of the programme is reached in the video; at a pause, when that begins. */
  arrival(programmeSeconds: number): number {
    return programmeSeconds + this.#added(this.#count((at) => at < programmeSeconds));
  }

  /** When the programme goes on from an instant in the video; at a pause, when that is over. */
  departure(programmeSeconds: number): number {
    return programmeSeconds + this.#added(this.#count((at) => at <= programmeSeconds));
  }

  /** The instant of the programme that is shown at a time of the video. */
  programmeTime(videoSeconds: number): number {
    const index = this.#count((at, added) => at + added <= videoSeconds) - 1;
    const pause = this.pauses[index];
    if (pause === undefined) return videoSeconds;
    return Math.max(pause.at, videoSeconds - (this.#addedBefore[index] ?? 0) - pause.seconds);
  }

  #added(count: number): number {
    return count === this.pauses.length ? this.addedSeconds : (this.#addedBefore[count] ?? 0);
  }

  /** How many of the pauses, from the first on, satisfy a test that later ones stop to satisfy. */
  #count(test: (at: number, addedBefore: number) => boolean): number {
    let low = 0;
    let high = this.pauses.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (test(this.pauses[middle]?.at ?? 0, this.#addedBefore[middle] ?? 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
