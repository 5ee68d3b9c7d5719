import type { Heard } from "../core/heard.ts";
import type { Shot } from "../core/shot.ts";
import type { TimeRange } from "../core/time-range.ts";

/** Raised when the meaning of a stored analysis changes, so that an older one is made again. */
export const ANALYSIS_VERSION = 8;

/** Everything one decode pass over a programme measured. Plain data: it is kept as JSON beside the media. */
export interface ProgrammeAnalysis {
  readonly version: typeof ANALYSIS_VERSION;
  /** Length of the programme in seconds, as decoded. */
  readonly durationSeconds: number;
  readonly heard: Heard;
  /** How loud it is, in equal parts: the loudest sample of each, in dB above -60 dBFS. Empty without sound. */
  readonly levels: readonly number[];
  /** In order, without holes, covering the programme; empty when there is no picture. */
  readonly shots: readonly Shot[];
  /**
   * Whether there is anything to see: `false` for a picture of one colour throughout. A job on such media fails with
   * `no_video_stream`.
   */
  readonly hasVisiblePicture: boolean;
  /**
   * Key frames as JPEG files beside the analysis, in order of time: at least one of every shot, about one a second where
   * something moves, one in ten seconds where nothing does.
   */
  readonly keyFrames: readonly KeyFrame[];
  /** Where something looks like lettering, in order of time, each with the still that shows most of it. */
  readonly lettering: readonly LetteringFrame[];
}

/** One still that shows what looks like lettering, of a stretch of one shot that does, in seconds on the programme clock. */
export interface LetteringFrame extends TimeRange {
  readonly at: number;
  /** File name inside the folder the analysis was written to. */
  readonly file: string;
}

/** One still of the programme. */
export interface KeyFrame {
  /** Seconds on the programme clock. */
  readonly at: number;
  /** File name inside the folder the analysis was written to. */
  readonly file: string;
  /**
   * How different it is from the key frame before it in its shot, 0 (the same) to below 1 (nothing in common); 1 for the
   * first of a shot, and for no other.
   */
  readonly novelty: number;
}
