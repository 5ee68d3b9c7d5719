import { nominalFrameRate } from "../core/timecode.ts";
import type { CueListBuilder } from "./cue-list.ts";
import { LabelClock, type LabelReading } from "./label-clock.ts";
import type { IssueList } from "./parse-issue.ts";
import { labelEvidence, onFastGrid, type TimeText } from "./time-text.ts";

/** A row of a text or table: when, and what. */
export interface TimedRow {
  readonly id: string;
  readonly start: TimeText;
  readonly end: TimeText | null;
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
    ? given.map((row) => ({ ...row, start: onFastGrid(row.start), end: onFastGrid(row.end) }))
    : given;
  const evidence = labelEvidence(timesOf(rows));
  const secondsOf = evidence === null ? clockSeconds : labelReader(rows, evidence, issues, reading);
  for (const row of rows) {
    const start = secondsOf(row.start, row.line);
    const end = row.end === null ? null : secondsOf(row.end, row.line);
    if (start === null) issues.add("bad-timing", row.line, row.text);
    else builder.add(row.id, start, end, row.text, row.line);
  }
}

function labelReader(
  rows: readonly TimedRow[],
  evidence: { highestFrame: number; isDropFrame: boolean | null },
  issues: IssueList,
  reading: LabelReading,
): (time: TimeText, line: number) => number | null {
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
  return (time) => {
    if (time.kind === "clock") return time.seconds;
    const frame = frames.get(time) ?? null;
    return frame === null ? null : clock.seconds(frame, start);
  };
}

function clockSeconds(time: TimeText): number | null {
  return time.kind === "clock" ? time.seconds : null;
}

function* timesOf(rows: readonly TimedRow[]): Iterable<TimeText | null> {
  for (const row of rows) {
    yield row.start;
    yield row.end;
  }
}
