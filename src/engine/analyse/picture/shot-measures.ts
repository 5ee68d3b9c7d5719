import type { ColourName, Motion, Shot, ShotColour, ShotOpening } from "../../../core/shot.ts";
import { median } from "../../../core/time-range.ts";
import { COLOUR_NAMES } from "./colour-names.ts";
import {
  type BlackBars,
  barShare,
  commonEdges,
  evenedDistance,
  type FrameMeasures,
  lumaDistance,
} from "./frame-measures.ts";
import { isBlack } from "./shot-finder.ts";

/** Colours counted in one frame. */
export interface ColourCounts {
  /** Pixels of each of `COLOUR_NAMES`. */
  readonly named: Uint32Array;
  /** All pixels, those without a name among them. */
  readonly pixels: number;
}

/** Mean difference of luma up to which two frames are the same picture: codec noise of a held frame. */
const FROZEN_DISTANCE = 0.0012;

/** Shorter standstills are those of animation drawn in twos and threes, or of a low frame rate. In seconds. */
const FROZEN_SECONDS = 0.5;

/** Seconds between the frames that motion is judged by. */
const MOTION_SECONDS = 0.2;

/**
 * Median change over {@link MOTION_SECONDS}, as a share of the picture's contrast: below `still` nothing moves but
 * details, from `fast` on most of the picture does.
 */
const MOTION = { still: 0.05, fast: 0.3 };

/** Contrast below which change is not divided any further: noise in the dark is no motion. */
const LEAST_CONTRAST = 0.12;

/** Colours named at most, and the least share that is worth a name. */
const COLOURS = { most: 3, share: 0.1 };

/** Share of looked-at stills that must look like a title for the shot to be one. */
const TITLE_SHARE = 0.6;

/** Sums up the frames of one shot. */
export class ShotMeasures {
  readonly start: number;
  readonly #opening: ShotOpening;
  readonly #colours = new Float64Array(COLOUR_NAMES.length);
  #colouredPixels = 0;
  readonly #motions: number[] = [];
  #frames = 0;
  #brightness = 0;
  /** Sums over the frames that contrast is reckoned from: of mean squares, and of squared means. */
  #squares = 0;
  #squaredMeans = 0;
  #saturation = 0;
  #frozenSeconds = 0;
  #frozenSince: number | null = null;
  #last: FrameMeasures | null = null;
  #motionFrom: FrameMeasures | null = null;
  #bars: { readonly edges: BlackBars; readonly width: number; readonly height: number } | null = null;
  #stills = 0;
  #titles = 0;

  constructor(start: number, opening: ShotOpening) {
    this.start = start;
    this.#opening = opening;
  }

  /** Adds a frame of the shot. */
  add(frame: FrameMeasures): void {
    this.#frames++;
    this.#brightness += frame.brightness;
    this.#squares += frame.contrast ** 2 + frame.brightness ** 2;
    this.#squaredMeans += frame.brightness ** 2;
    this.#saturation = Math.max(this.#saturation, frame.saturation);
    this.#watchBars(frame);
    this.#watchFreeze(frame);
    if (this.#motionFrom === null || frame.at - this.#motionFrom.at >= MOTION_SECONDS) {
      if (this.#motionFrom !== null) {
        const contrast = Math.max(LEAST_CONTRAST, (this.#motionFrom.contrast + frame.contrast) / 2);
        this.#motions.push(evenedDistance(this.#motionFrom, frame) / contrast);
      }
      this.#motionFrom = frame;
    }
    this.#last = frame;
  }

  /** Adds what one of the shot's frames showed on a closer look. */
  addStill(colours: ColourCounts, isTitle: boolean): void {
    for (const [index, count] of colours.named.entries()) this.#colours[index] = (this.#colours[index] ?? 0) + count;
    this.#colouredPixels += colours.pixels;
    this.#stills++;
    if (isTitle) this.#titles++;
  }

  /** The shot as measured. */
  finish(end: number, keyFrameAt: number): Shot {
    this.#endFreeze(end);
    // Bars are black and of no colour: what was measured with them, divided by the rest, is the measure of the rest.
    const bars = this.#barShare();
    const frames = Math.max(1, this.#frames) * (1 - bars);
    return {
      start: this.start,
      end,
      opening: this.#opening,
      brightness: this.#brightness / frames,
      contrast: Math.sqrt(Math.max(0, (this.#squares - this.#squaredMeans / (1 - bars)) / frames)),
      saturation: this.#saturation,
      motion: this.#motion(),
      colours: this.#mainColours(bars),
      frozenSeconds: this.#frozenSeconds,
      titleCard: this.#stills > 0 && this.#titles >= TITLE_SHARE * this.#stills,
      keyFrameAt,
    };
  }

  #watchBars(frame: FrameMeasures): void {
    if (isBlack(frame)) return;
    const { width, height } = frame;
    const edges = this.#bars === null ? frame.edges : commonEdges(this.#bars.edges, frame.edges);
    this.#bars = { edges, width, height };
  }

  /** Share of the picture that black bars cover throughout the shot. */
  #barShare(): number {
    return this.#bars === null ? 0 : barShare(this.#bars.edges, this.#bars.width, this.#bars.height);
  }

  #watchFreeze(frame: FrameMeasures): void {
    if (this.#last === null) return;
    if (lumaDistance(this.#last, frame) <= FROZEN_DISTANCE) this.#frozenSince ??= this.#last.at;
    else this.#endFreeze(this.#last.at);
  }

  #endFreeze(at: number): void {
    const seconds = this.#frozenSince === null ? 0 : at - this.#frozenSince;
    if (seconds >= FROZEN_SECONDS) this.#frozenSeconds += seconds;
    this.#frozenSince = null;
  }

  #motion(): Motion {
    const usual = median(this.#motions);
    return usual < MOTION.still ? "still" : usual < MOTION.fast ? "slow" : "fast";
  }

  #mainColours(bars: number): ShotColour[] {
    const blackBars = bars * this.#colouredPixels;
    const total = Math.max(1, this.#colouredPixels - blackBars);
    return COLOUR_NAMES.map((name: ColourName, index) => {
      const count = this.#colours[index] ?? 0;
      return { name, share: Math.max(0, name === "black" ? count - blackBars : count) / total };
    })
      .filter(({ share }) => share >= COLOURS.share)
      .sort((a, b) => b.share - a.share)
      .slice(0, COLOURS.most);
  }
}
