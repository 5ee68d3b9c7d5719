import type { ShotOpening } from "../../../core/shot.ts";
import { BlankDetector } from "./blank-detector.ts";
import { CutDetector } from "./cut-detector.ts";
import { DissolveDetector } from "./dissolve-detector.ts";
import type { FrameMeasures } from "./frame-measures.ts";

/** Where a shot begins, and how. */
export interface ShotBoundary {
  /** Seconds on the programme clock: the time of the first frame of the new shot alone. */
  readonly at: number;
  readonly opening: Exclude<ShotOpening, "start">;
  /** Where the change begins that ends in this shot; boundaries found within it are none. Absent for sudden ones. */
  readonly since?: number;
}

/** The latest that a boundary is found after its time: seconds, or frames where they are far apart. */
export const FOUND_WITHIN = { seconds: 0.6, frames: 5 };

/** Puts hard cuts, dissolves and fades together. */
export class ShotFinder {
  readonly #cuts = new CutDetector();
  readonly #dissolves = new DissolveDetector();
  readonly #blanks = new BlankDetector();
  /** End of the last slow change; the steps within it are no cuts. */
  #slowUntil = Number.NEGATIVE_INFINITY;

  /** Adds the next frame; gives the boundaries that have become certain, in no order. */
  add(frame: FrameMeasures): ShotBoundary[] {
    const found: ShotBoundary[] = this.#blanks.add(frame);
    const cut = this.#cuts.add(frame);
    if (cut !== null) {
      this.#dissolves.reset();
      if (cut > this.#slowUntil) found.push({ at: cut, opening: "cut" });
    }
    const dissolve = this.#dissolves.add(frame);
    if (dissolve !== null) {
      this.#slowUntil = dissolve.end;
      found.push({ at: dissolve.end, opening: "dissolve", since: dissolve.start });
    }
    return found;
  }

  /** Boundaries that the end of the picture leaves. */
  finish(): ShotBoundary[] {
    return this.#cuts.finish().map((at) => ({ at, opening: "cut" as const }));
  }

  /** How much the last frame differed from the one before, 0 to 1. */
  get lastStep(): number {
    return this.#cuts.lastStep;
  }
}
