import type { TimeRange } from "./time-range.ts";

/** One word as it is spoken, with the signs written at it. Seconds on the programme clock. */
export interface SpokenWord extends TimeRange {
  readonly text: string;
}

/** A line of what is said, as a list shows it. Seconds on the programme clock. */
export type DialogueLine = Omit<TranscriptLine, "words">;

/** A line of what is said: a caption, a subtitle, or a sentence that a machine heard. Seconds on the programme clock. */
export interface TranscriptLine extends TimeRange {
  readonly text: string;
  /** Who says it, where the source tells: a name, or a label such as `A`. */
  readonly speaker?: string;
  /** Its words in order, where the source has their times. */
  readonly words?: readonly SpokenWord[];
}
