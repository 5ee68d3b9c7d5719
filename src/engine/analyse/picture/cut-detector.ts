import type { FrameMeasures } from "./frame-measures.ts";
import { stepSize } from "./step-size.ts";

/** Frames before and after a change that it is held against. */
const CONTEXT_FRAMES = 4;

/**
 * A hard cut: the step to a frame stands out from the steps around it. `plain`: a clear step, `ratio` times the usual
 * ones; `subtle`: a small step in a calm scene (two dark shots), which must stand out far more. Fixed thresholds alone do
 * not travel: flicker, grain and fast motion have steps of the size of a cut (measured on 119 known cuts, engine.md 4).
 */
const PLAIN = { step: 0.1, ratio: 3.5 };
const SUBTLE = { step: 0.04, ratio: 9 };

/** Added to the usual steps, so that a still picture does not make noise into a cut. */
const STILLNESS = 0.004;

/**
 * Share of a step that must be left when the frames on both sides of it are compared: after a flash the picture is what it
 * was before.
 */
const LASTING = 0.5;

/** Finds hard cuts in a run of frames, {@link CONTEXT_FRAMES} frames late. */
export class CutDetector {
  readonly #frames: FrameMeasures[] = [];
  /** Step to each frame of `#frames` from the one before. */
  readonly #steps: number[] = [];

  /** Adds the next frame; gives the time of the first frame after a cut, once it is certain. */
  add(frame: FrameMeasures): number | null {
    const previous = this.#frames.at(-1);
    this.#frames.push(frame);
    this.#steps.push(previous === undefined ? 0 : stepSize(previous, frame));
    if (this.#frames.length > 2 * CONTEXT_FRAMES + 1) {
      this.#frames.shift();
      this.#steps.shift();
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
    const step = this.#steps[index];
    const frame = this.#frames[index];
    if (step === undefined || frame === undefined || step < SUBTLE.step) return null;
    const [before, after] = [this.#steps[index - 1] ?? 0, this.#steps[index + 1] ?? 0];
    if (step < before || step <= after) return null;
    // A cut may be smeared over two frames, so the steps right beside it do not count as usual ones.
    const around = [-3, -2, 2, 3].flatMap((offset) => this.#steps[index + offset] ?? []);
    const usual = around.reduce((sum, value) => sum + value, 0) / Math.max(1, around.length);
    const ratio = step / (usual + STILLNESS);
    const stands = (limit: { readonly step: number; readonly ratio: number }) =>
      step >= limit.step && ratio >= limit.ratio;
    if (!stands(PLAIN) && !stands(SUBTLE)) return null;
    return this.#lasts(index, step) ? frame.at : null;
  }

  /** Whether the picture after the step differs from the one before it for longer than a flash. */
  #lasts(index: number, step: number): boolean {
    const later = this.#frames.slice(index + 1, index + 1 + CONTEXT_FRAMES);
    const earlier = this.#frames.slice(Math.max(0, index - CONTEXT_FRAMES), index);
    return later.every((after) => earlier.every((before) => stepSize(before, after) >= LASTING * step));
  }
}
