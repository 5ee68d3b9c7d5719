import type { FrameRate } from "../../core/frame-rate.ts";
import type { FrameGrid } from "../../core/settings.ts";
import type { TimeRange } from "../../core/time-range.ts";
import type { TimecodeFormat } from "../../core/timecode.ts";
import type { TimeUnit } from "../../core/verdict.ts";

/** What a caller knows of the film that a text belongs to, and what a person chose. */
export interface FilmReading {
  /** The film's rate and the label of its start. Without it a rate is assumed from the labels, and reported. */
  readonly grid?: FrameGrid;
  /** Whether a person said where the grid starts: it counts, wherever the labels lie. */
  readonly isStartGiven?: boolean;
  /** What a person says that the film's first instant is called in the text: `10:00:00:00`, `10:00:00`, `10:00:00.000`. */
  readonly startLabel?: string;
  /** What a person said that numbers count. */
  readonly unit?: TimeUnit;
  /** The frame rate that the text was made for, as a person said. */
  readonly textRate?: FrameRate;
  /** Length of the film: what cannot lie in it is no reading of the text. */
  readonly durationSeconds?: number;
  /** Where somebody was heard to speak, seconds on the programme clock, ordered and disjoint. */
  readonly speech?: readonly TimeRange[];
  /** What the text is of: dialogue lies where somebody speaks, descriptions beside it. */
  readonly holds?: "dialogue" | "descriptions";
}

/** The frame rate that a text was made for, as one reading takes it. */
export interface TextRate {
  readonly rate: FrameRate;
  /** Seconds of the film to a second of the text. */
  readonly factor: number;
}

/** A start that a text names, in frames or seconds of its own clock. */
export interface StatedStart {
  readonly count: number;
  /** Where it stands: `from the head`. */
  readonly from: string;
  /** Whether its writer sets it of itself: a leader may stand before the film. */
  readonly hasLeader?: boolean;
}

/** How a text counts its times. */
export type TextClock =
  /** Seconds: clock times. `isOnFilmClock`: the text says that 0 is the film's first frame. */
  | { readonly counts: "seconds"; readonly isOnFilmClock?: boolean }
  /** Frames of labels, from 00:00:00:00 on. `firstFrame` is the first of the whole text, of which rows are a part. */
  | {
      readonly counts: "frames";
      readonly format: TimecodeFormat;
      readonly stated?: StatedStart;
      readonly firstFrame?: number;
      /** Whether ends are starts and a number of frames, not labels. */
      readonly endsAreLengths?: boolean;
    }
  /** Numbers whose unit is stated in the text, or nowhere. */
  | {
      readonly counts: "numbers";
      readonly unit?: TimeUnit;
      readonly sampleRate?: number;
      /** Whether two digits stand behind the point of each, which may be frames. */
      readonly mayHoldFrames?: boolean;
    };

/** A row of a text: when, in the counts of its clock, and what. */
export interface TextRow {
  /** Empty where the text gives none. */
  readonly id: string;
  readonly start: number;
  /** `null` where none is given. */
  readonly end: number | null;
  /** Plain, white space folded. */
  readonly text: string;
  /** Counted from 1; 0 where a text has no lines. */
  readonly line: number;
  /** Seconds of a clock in a text that else counts frames. */
  readonly isClock?: boolean;
}

/** A row at the times that one reading of its text gives it, seconds on the programme clock. */
export interface PlacedRow {
  readonly start: number;
  /** `null` where none is given. */
  readonly end: number | null;
  readonly text: string;
}

/** Why a start was looked at. */
export type StartSource = "person" | "text" | "film" | "format" | "hour" | "leader";

/** One way in which the times of a text may be meant. */
export interface ClockReading {
  /** The count that the film's first instant has in the text. */
  readonly zero: number;
  readonly source: StartSource;
  readonly unit: TimeUnit;
  /** Whether the text names the unit, a person chose it, or nothing else is possible. */
  readonly isUnitStated: boolean;
  /** How likely it is before anything is held against the film, 0 to 1. */
  readonly prior: number;
  /** The frame rate that the text is taken to be made for; none where its times stand as they are. */
  readonly rate?: TextRate;
  /** Times of a row on the programme clock. */
  place(row: TextRow): PlacedRow;
}
