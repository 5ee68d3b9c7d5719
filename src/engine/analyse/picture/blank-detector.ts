import type { FrameMeasures } from "./frame-measures.ts";
import { stepSize } from "./step-size.ts";

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
export interface BlankEdge {
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
export class BlankDetector {
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
