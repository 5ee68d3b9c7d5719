import type { CueListBuilder } from "./cue-list.ts";
import type { LabelClock, LabelReading } from "./label-clock.ts";

/** A text with its times in frames of the labels it stands in. */
export interface FrameRow {
  readonly id?: string;
  readonly start: number;
  /** `null` where none is given. */
  readonly end: number | null;
  /** Plain, white space folded. */
  readonly text: string;
  readonly line: number;
}

/** Gives rows to a builder as cues on the programme clock, whose start is found as for every list of labels. */
export function addFrameRows(
  rows: readonly FrameRow[],
  clock: LabelClock,
  builder: CueListBuilder,
  reading: LabelReading,
): void {
  const first = rows.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY);
  const last = rows.reduce((most, { start, end }) => Math.max(most, end ?? start), 0);
  if (!Number.isFinite(first)) return;
  const startFrame = clock.startFrame(first, last, reading.durationSeconds);
  for (const { id = "", start, end, text, line } of rows) {
    builder.add(id, clock.seconds(start, startFrame), end === null ? null : clock.seconds(end, startFrame), text, line);
  }
}
