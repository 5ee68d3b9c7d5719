import { nominalFrameRate } from "../core/timecode.ts";
import { labelEvidence, onFastGrid, type TimeText } from "./clock-time.ts";
import type { CueListBuilder } from "./cue-list.ts";
import { LabelClock, type LabelReading } from "./label-clock.ts";
import type { IssueList } from "./parse-issue.ts";

/** A row of a text or table: when, and what. */
export interface TimedRow {
  readonly id: string;
  readonly start: TimeText;
  readonly end: TimeText | null;
  /** How long it lasts, where no end is given: seconds, or a label that counts from zero. */
  readonly duration?: TimeText | null;
  /** Plain, white space folded. */
  readonly text: string;
  readonly line: number;
}

/** Gives rows to a builder as cues, reading labels on the grid where there are any. */
export function addTimedRows(
  given: readonly TimedRow[],
  builder: CueListBuilder,
  issues: IssueList,
  reading: LabelReading,
): void {
  const isFast = reading.grid !== undefined && nominalFrameRate(reading.grid.rate) > 100;
  const rows = isFast
    ? given.map((row) => ({
        ...row,
        start: onFastGrid(row.start),
        end: onFastGrid(row.end),
        duration: onFastGrid(row.duration ?? null),
      }))
    : given;
  const evidence = labelEvidence(timesOf(rows));
  const { secondsOf, lengthOf } =
    evidence === null
      ? { secondsOf: clockSeconds, lengthOf: clockSeconds }
      : labelReader(rows, evidence, issues, reading);
  for (const row of rows) {
    const start = secondsOf(row.start, row.line);
    const length = row.duration && start !== null ? lengthOf(row.duration, row.line) : null;
    const end = row.end === null ? (length === null ? null : (start ?? 0) + length) : secondsOf(row.end, row.line);
    if (start === null) issues.add("bad-timing", row.line, row.text);
    else builder.add(row.id, start, end, row.text, row.line);
  }
}

function labelReader(
  rows: readonly TimedRow[],
  evidence: { highestFrame: number; isDropFrame: boolean | null },
  issues: IssueList,
  reading: LabelReading,
): Readonly<Record<"secondsOf" | "lengthOf", (time: TimeText, line: number) => number | null>> {
  const clock = new LabelClock(reading, evidence, issues);
  const format = clock.formatFor(evidence.isDropFrame, 0);
  const frames = new Map<TimeText, number | null>();
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const row of rows) {
    for (const time of [row.start, row.end]) {
      if (time?.kind !== "label") continue;
      const frame = clock.frame(time.label, format, row.line);
      frames.set(time, frame);
      if (frame === null) continue;
      first = Math.min(first, frame);
      last = Math.max(last, frame);
    }
  }
  const start = Number.isFinite(first) ? clock.startFrame(first, last, reading.durationSeconds) : 0;
  return {
    secondsOf(time) {
      if (time.kind === "clock") return time.seconds;
      const frame = frames.get(time) ?? null;
      return frame === null ? null : clock.seconds(frame, start);
    },
    lengthOf(time, line) {
      if (time.kind === "clock") return time.seconds;
      const frame = clock.frame(time.label, format, line);
      return frame === null ? null : clock.seconds(frame, 0);
    },
  };
}

function clockSeconds(time: TimeText): number | null {
  return time.kind === "clock" ? time.seconds : null;
}

function* timesOf(rows: readonly TimedRow[]): Iterable<TimeText | null> {
  for (const row of rows) {
    yield row.start;
    yield row.end;
    yield row.duration ?? null;
  }
}

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
