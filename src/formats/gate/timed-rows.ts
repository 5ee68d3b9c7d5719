import { framesFromSeconds, framesPerSecond } from "../../core/frame-rate.ts";
import { nominalFrameRate, type TimecodeFormat } from "../../core/timecode.ts";
import { type LabelTime, labelEvidence, onFastGrid, type TimeText } from "../clock-time.ts";
import type { TextRow } from "./film-reading.ts";
import { LabelClock, type LabelEvidence } from "./label-clock.ts";
import type { TextRows } from "./text-rows.ts";

/** A row of a text or table as it stands there: when, and what. */
export interface TimedRow {
  readonly id: string;
  /** `null` where none can be read, which is told. */
  readonly start: TimeText | null;
  readonly end: TimeText | null;
  /** How long it lasts, where no end is given: seconds, or a label that counts from zero. */
  readonly duration?: TimeText | null;
  /** The same of a marker as a number of frames; the end counts where it is later. One of a single frame is a point, without end. */
  readonly frames?: number;
  /** Plain, white space folded. */
  readonly text: string;
  /** The row as a person is shown it where its start cannot be read; its text otherwise. */
  readonly shown?: string;
  /** What is not seen or heard, as it is called in a receipt: `muted clip`. */
  readonly hidden?: string;
  readonly line: number;
}

/** What a text says of its times beside its rows. */
export interface ClockStatement {
  /** How its labels count, whatever the film does. */
  readonly format?: TimecodeFormat;
  /** Whether they are drop-frame, where it states that alone; `null` where their own semicolons say it. */
  readonly isDropFrame?: boolean | null;
  /** The start that it states, where that stands, and whether a leader may stand before the film. */
  readonly start?: { readonly label: LabelTime; readonly from: string; readonly hasLeader?: boolean };
  /** Rows without words: they too tell how labels count, and where the first is. */
  readonly wordless?: readonly TimedRow[];
  /** Whether rows stand by their track: their order says nothing then. */
  readonly isByTrack?: boolean;
}

/**
 * Gives rows as they stand, and says how they count: in labels where there are any, in numbers where there is nothing else.
 *
 * @returns How labels count, where rows have any.
 */
export function addTimedRows(
  given: readonly TimedRow[],
  rows: TextRows,
  statement: ClockStatement = {},
): TimecodeFormat | null {
  const { issues, film } = rows;
  const isFast = film.grid !== undefined && nominalFrameRate(film.grid.rate) > 100;
  const timed = (isFast ? given.map(onFastGridAll) : given).flatMap((row) => {
    const { start, line, text, shown = text } = row;
    if (start === null) issues.add("bad-timing", line, shown);
    return start === null ? [] : [{ ...row, start }];
  });
  const { format, wordless = [], isDropFrame = null } = statement;
  const seen = labelEvidence(timesOf([...timed, ...wordless]));
  if (seen !== null || format !== undefined) {
    const evidence: LabelEvidence = {
      ...(format === undefined ? {} : { format }),
      highestFrame: seen?.highestFrame ?? 0,
      isDropFrame: isDropFrame ?? seen?.isDropFrame ?? null,
    };
    const labels = new LabelClock(film, evidence, issues);
    addLabelled(timed, rows, labels, statement);
    return labels.format;
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
  return null;
}

/** A row whose start can be read. */
type StartedRow = TimedRow & { readonly start: TimeText };

function addLabelled(
  timed: readonly StartedRow[],
  rows: TextRows,
  labels: LabelClock,
  { start: stated, wordless = [], isByTrack = false }: ClockStatement,
): void {
  const { format } = labels;
  const rate = framesPerSecond(format.rate);
  const begin = stated === undefined ? 0 : (labels.frame(stated.label, 0) ?? 0);
  const frameOf = (time: TimeText, line: number) => {
    if (time.kind === "label") return labels.frame(time, line);
    return time.kind === "elapsed" ? begin + time.seconds * rate : framesFromSeconds(time.seconds, format.rate);
  };
  const firstFrame = wordless.reduce((least, { start, end, line }) => {
    if (end !== null) frameOf(end, line);
    return Math.min(least, (start === null ? null : frameOf(start, line)) ?? least);
  }, Number.POSITIVE_INFINITY);
  const endsAreLengths = timed.some(({ frames, end }) => frames !== undefined && end === null);
  rows.clock = {
    counts: "frames",
    format,
    ...(stated === undefined ? {} : { stated: { ...stated, count: begin } }),
    ...(wordless.length > 0 ? { firstFrame } : {}),
    ...(endsAreLengths ? { endsAreLengths } : {}),
  };
  const counted = timed.flatMap((row): TextRow[] => {
    const { id, start, end, duration, frames, text, line } = row;
    const isClock = start.kind === "clock";
    const from = isClock ? start.seconds : frameOf(start, line);
    if (from === null) {
      rows.issues.add("bad-timing", line, text);
      return [];
    }
    const count = (time: TimeText) => (isClock ? clockSeconds(time) : frameOf(time, line));
    const lengthOf = (time: TimeText) => {
      const length = time.kind === "label" ? labels.frame(time, line) : time.seconds * rate;
      return length === null ? null : length / (isClock ? rate : 1);
    };
    // Of a row in seconds an end in frames says nothing without knowing where the labels start.
    const until = end === null ? null : count(end);
    const length = frames !== undefined ? frames / (isClock ? rate : 1) : duration ? lengthOf(duration) : null;
    const behind = length === null ? null : from + length;
    if (frames === undefined) return [{ id, start: from, end: end === null ? behind : until, text, line, isClock }];
    const last = Math.max(until ?? from, behind ?? from);
    return [{ id, start: from, end: last - from > 1 ? last : null, text, line, isClock }];
  });
  if (isByTrack) counted.sort((a, b) => a.start - b.start);
  for (const { id, start, end, text, line, isClock } of counted) rows.add(id, start, end, text, line, isClock);
}

function onFastGridAll(row: TimedRow): TimedRow {
  const { start, end, duration = null } = row;
  return { ...row, start: onFastGrid(start), end: onFastGrid(end), duration: onFastGrid(duration) };
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
