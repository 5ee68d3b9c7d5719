import type { ShotOpening } from "../../../core/shot.ts";
import { DissolveDetector } from "./dissolve-detector.ts";
import { type FrameMeasures, stepSize } from "./frame-measures.ts";
import { type SeenFrame, structureChange } from "./picture-blocks.ts";

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
  add(frame: SeenFrame): ShotBoundary[] {
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

/** Frames before and after a change that it is held against. */
const CONTEXT_FRAMES = 4;

/**
 * A hard cut: the step to a frame stands out from the steps around it. `plain`: a clear step, `ratio` times the usual
 * ones; `subtle`: a small step in a calm scene (two dark shots), which must stand out far more. Fixed thresholds alone do
 * not travel: flicker, grain and fast motion have steps of the size of a cut (measured on 119 known cuts, engine.md 4).
 */
const PLAIN = { step: 0.1, ratio: 3.5 };
const SUBTLE = { step: 0.04, ratio: 9 };

/**
 * A cut between two shots that are made up alike, as those of a black-and-white film are: the structure of the picture is lost at
 * once, and `ratio` times as much of it as from frame to frame around. Of 44 cuts of like brightness in drawn films the least
 * lost 0.15; in the films of the tests, motion and flashes lost as much only among steps of the like.
 */
const BROKEN = { change: 0.15, ratio: 7 };

/** Added to the usual losses of structure, for grain. */
const GRAIN = 0.02;

/** Added to the usual steps, so that a still picture does not make noise into a cut. */
const STILLNESS = 0.004;

/**
 * Share of a step that must be left when the frames on both sides of it are compared: after a flash the picture is what it
 * was before.
 */
const LASTING = 0.5;

/** Finds hard cuts in a run of frames, {@link CONTEXT_FRAMES} frames late. */
class CutDetector {
  readonly #frames: SeenFrame[] = [];
  /** Step to each frame of `#frames` from the one before. */
  readonly #steps: number[] = [];
  /** Structure that each lost against the one before. */
  readonly #changes: number[] = [];

  /** Adds the next frame; gives the time of the first frame after a cut, once it is certain. */
  add(frame: SeenFrame): number | null {
    const previous = this.#frames.at(-1);
    this.#frames.push(frame);
    this.#steps.push(previous === undefined ? 0 : stepSize(previous, frame));
    this.#changes.push(previous === undefined ? 0 : structureChange(previous, frame));
    if (this.#frames.length > 2 * CONTEXT_FRAMES + 1) {
      for (const list of [this.#frames, this.#steps, this.#changes]) list.shift();
    }
    return this.#judge(this.#frames.length - 1 - CONTEXT_FRAMES);
  }

  /** The step of the frame that came last, 0 to 1. */
  get lastStep(): number {
    return this.#steps.at(-1) ?? 0;
  }

  /** Judges the frames whose followers never came; the end of the picture. */
  finish(): number[] {
    const from = Math.max(0, this.#frames.length - CONTEXT_FRAMES);
    return this.#frames.slice(from).flatMap((_, index) => this.#judge(from + index) ?? []);
  }

  #judge(index: number): number | null {
    const frame = this.#frames[index];
    if (frame === undefined) return null;
    const before = this.#frames[index - 1];
    // Where a blank begins and ends is told by how long it lasts, and by what follows.
    if (before !== undefined && isBlank(before) !== isBlank(frame)) return null;
    if (this.#isStep(index)) {
      return this.#lasts(index, stepSize, this.#steps[index] ?? 0) ? frame.at : this.#behindFlash(index);
    }
    // A cut that is smeared over two frames is where its step is.
    if (!this.#isBreak(index) || this.#isStep(index - 1) || this.#isStep(index + 1)) return null;
    return this.#lasts(index, structureChange, this.#changes[index] ?? 0) ? frame.at : null;
  }

  #isStep(index: number): boolean {
    if (!isPeak(this.#steps, index)) return false;
    const step = this.#steps[index] ?? 0;
    const ratio = step / (usualOf(this.#steps, index) + STILLNESS);
    return [PLAIN, SUBTLE].some((limit) => step >= limit.step && ratio >= limit.ratio);
  }

  #isBreak(index: number): boolean {
    if (!isPeak(this.#changes, index)) return false;
    const change = this.#changes[index] ?? 0;
    return change >= leastBreak(usualOf(this.#changes, index));
  }

  /**
   * The cut that a flash of a few frames hides: behind it, the structure of the picture is another one.
   *
   * @param index Where the larger of its two steps is: the one to it, or of a flash of one frame the one away from it.
   */
  #behindFlash(index: number): number | null {
    const size = LASTING * (this.#steps[index] ?? 0);
    const isEnd = (this.#steps[index - 1] ?? 0) >= size;
    const from = isEnd ? index - 1 : index;
    const before = this.#frames[from - 1];
    if (before === undefined) return null;
    const last = index + CONTEXT_FRAMES;
    const end = this.#frames.findIndex((after, at) => at > from && at <= last && stepSize(before, after) < size);
    if (end < 0) return null;
    // What changes in the flash itself is not usual.
    const around = [...this.#changes.slice(Math.max(0, from - 3), from), ...this.#changes.slice(end + 1, last + 1)];
    const least = leastBreak(mean(around));
    const behind = this.#frames.slice(end, last + 1);
    return behind.every((after) => structureChange(before, after) >= least) ? (behind[0]?.at ?? null) : null;
  }

  /** Whether the picture after the step differs from the one before it for longer than a flash. */
  #lasts(index: number, distance: (a: SeenFrame, b: SeenFrame) => number, size: number): boolean {
    const later = this.#frames.slice(index + 1, index + 1 + CONTEXT_FRAMES);
    const earlier = this.#frames.slice(Math.max(0, index - CONTEXT_FRAMES), index);
    return later.every((after) => earlier.every((before) => distance(before, after) >= LASTING * size));
  }
}

/** Whether a value is the largest of its neighbours; of two that are alike, the later one is. */
function isPeak(values: readonly number[], index: number): boolean {
  const value = values[index] ?? 0;
  return value > 0 && value >= (values[index - 1] ?? 0) && value > (values[index + 1] ?? 0);
}

/** What is usual around a frame. A cut may be smeared over two frames, so those right beside it do not count. */
function usualOf(values: readonly number[], index: number): number {
  const around = [-3, -2, 2, 3].flatMap((offset) => values[index + offset] ?? []);
  return mean(around);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Structure that a cut takes at the least where so much is lost from frame to frame around it. */
function leastBreak(usual: number): number {
  return Math.max(BROKEN.change, BROKEN.ratio * (usual + GRAIN));
}

/** A frame with nothing in it: of one colour throughout but for noise. */
const BLANK_CONTRAST = 0.02;

/** Share of dark pixels from which a frame is black to FFmpeg's `blackdetect`, though lettering may stand in it. */
const BLACK_SHARE = 0.98;

/** How much the picture after a short blank must differ from the one before it to be another one (see `stepSize`). */
const OTHER_PICTURE = 0.15;

/** Blank stretches this long, in seconds, are a shot of their own; shorter ones belong to the shot before. */
const OWN_SHOT_SECONDS = 0.5;

/** Seconds after a blank stretch in which a fade shows, and how much the contrast grows in them at least. */
const FADE = { seconds: 0.3, growth: 1.15 };

/** Where a picture begins after nothing, or nothing after a picture. */
interface BlankEdge {
  readonly at: number;
  readonly opening: "cut" | "fade";
}

/** Whether a frame shows nothing. */
export function isBlank(frame: FrameMeasures): boolean {
  return frame.contrast < BLANK_CONTRAST;
}

/** Whether a frame is black but for two hundredths of its pixels. */
export function isBlack(frame: FrameMeasures): boolean {
  return frame.dark >= BLACK_SHARE;
}

/** Finds the ends of blank stretches, and the beginnings of long ones, half a second late at most. */
class BlankDetector {
  /** The last frames that showed something, newest last. */
  readonly #shown: FrameMeasures[] = [];
  #blank: { readonly since: number; readonly opening: "cut" | "fade"; isOwnShot: boolean } | null = null;
  /** A picture that has just begun after nothing: when, and the contrast it had then. */
  #emerging: { readonly at: number; readonly contrast: number; readonly before: FrameMeasures | null } | null = null;
  #isFirst = true;

  /** Adds the next frame; gives the edges that have become certain by it. */
  add(frame: FrameMeasures): BlankEdge[] {
    const edges = this.#judgeEmerging(frame);
    if (!isBlank(frame)) {
      if (this.#blank !== null) {
        // After a long blank any picture is a new shot; after a short one it may be the old one, blotted out for a moment.
        const before = this.#blank.isOwnShot ? null : (this.#shown[0] ?? null);
        this.#emerging = { at: frame.at, contrast: frame.contrast, before };
        this.#shown.length = 0;
      }
      this.#blank = null;
      this.#shown.push(frame);
      while ((this.#shown[0]?.at ?? frame.at) < frame.at - FADE.seconds) this.#shown.shift();
    } else if (this.#blank === null) {
      this.#blank = { since: frame.at, opening: this.#hasSunk() ? "fade" : "cut", isOwnShot: this.#isFirst };
    } else if (!this.#blank.isOwnShot && frame.at - this.#blank.since >= OWN_SHOT_SECONDS) {
      this.#blank.isOwnShot = true;
      edges.push({ at: this.#blank.since, opening: this.#blank.opening });
    }
    this.#isFirst = false;
    return edges;
  }

  #judgeEmerging(frame: FrameMeasures): BlankEdge[] {
    const emerging = this.#emerging;
    if (emerging === null || (frame.at - emerging.at < FADE.seconds && !isBlank(frame))) return [];
    this.#emerging = null;
    if (emerging.before !== null && stepSize(emerging.before, frame) < OTHER_PICTURE) return [];
    const hasGrown = frame.contrast > FADE.growth * emerging.contrast;
    return [{ at: emerging.at, opening: hasGrown ? "fade" : "cut" }];
  }

  /** Whether the picture before a blank stretch had lost contrast step by step. */
  #hasSunk(): boolean {
    const [first, last] = [this.#shown[0], this.#shown.at(-1)];
    return first !== undefined && last !== undefined && first.contrast > FADE.growth * last.contrast;
  }
}
