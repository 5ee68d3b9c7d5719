import { framesFromSeconds, framesPerSecond } from "../../core/frame-rate.ts";
import { nominalFrameRate, type TimecodeFormat } from "../../core/timecode.ts";
import { labelEvidence, onFastGrid, type TimeText } from "../clock-time.ts";
import { LabelClock } from "./label-clock.ts";
import type { TextRows } from "./text-rows.ts";

/** A row of a text or table: when, and what. */
export interface TimedRow {
  readonly id: string;
  readonly start: TimeText;
  readonly end: TimeText | null;
  /** How long it lasts, where no end is given: seconds, or a label that counts from zero. */
  readonly duration?: TimeText | null;
  /** The same as a number of frames. */
  readonly frames?: number;
  /** Plain, white space folded. */
  readonly text: string;
  readonly line: number;
}

/** Gives rows as they stand, and says how they count: in labels where there are any, in numbers where there is nothing else. */
export function addTimedRows(given: readonly TimedRow[], rows: TextRows): void {
  const { issues, film } = rows;
  const isFast = film.grid !== undefined && nominalFrameRate(film.grid.rate) > 100;
  const timed = isFast
    ? given.map((row) => ({
        ...row,
        start: onFastGrid(row.start),
        end: onFastGrid(row.end),
        duration: onFastGrid(row.duration ?? null),
      }))
    : given;
  const evidence = labelEvidence(timesOf(timed));
  if (evidence !== null) {
    const labels = new LabelClock(film, evidence, issues);
    addLabelled(timed, rows, labels, labels.formatFor(evidence.isDropFrame, 0));
    return;
  }
  const isNumbers = timed.length > 0 && timed.every(({ start }) => start.kind === "clock" && start.isNumber === true);
  const mayHoldFrames = (time: TimeText | null) => time?.kind !== "clock" || time.mayHoldFrames === true;
  const isOfFrames = timed.every(({ start, end, duration }) => !duration && mayHoldFrames(start) && mayHoldFrames(end));
  if (isNumbers) rows.clock = { counts: "numbers", ...(isOfFrames ? { mayHoldFrames: true } : {}) };
  for (const { id, start, end, duration, text, line } of timed) {
    const from = clockSeconds(start) ?? 0;
    const length = duration ? clockSeconds(duration) : null;
    const behind = length === null ? null : from + length;
    rows.add(id, from, end === null ? behind : clockSeconds(end), text, line);
  }
}

function addLabelled(timed: readonly TimedRow[], rows: TextRows, labels: LabelClock, format: TimecodeFormat): void {
  const rate = framesPerSecond(format.rate);
  const endsAreLengths = timed.some(({ frames }) => frames !== undefined);
  rows.clock = { counts: "frames", format, ...(endsAreLengths ? { endsAreLengths } : {}) };
  for (const { id, start, end, duration, frames, text, line } of timed) {
    const isClock = start.kind === "clock";
    const count = (time: TimeText) => {
      if (time.kind === "label") return labels.frame(time.label, format, line);
      return isClock ? time.seconds : framesFromSeconds(time.seconds, format.rate);
    };
    const lengthOf = (time: TimeText) => {
      if (time.kind === "clock") return time.seconds;
      const frames = labels.frame(time.label, format, line);
      return frames === null ? null : frames / rate;
    };
    const from = count(start);
    // Of a row in seconds an end in frames says nothing without knowing where the labels start.
    const until = end === null || (isClock && end.kind === "label") ? null : count(end);
    const length = duration ? lengthOf(duration) : frames === undefined ? null : frames / rate;
    const behind = from === null || length === null ? null : from + (isClock ? length : (frames ?? length * rate));
    const to = end === null ? behind : until;
    if (from === null) rows.issues.add("bad-timing", line, text);
    else rows.add(id, from, to, text, line, isClock);
  }
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
