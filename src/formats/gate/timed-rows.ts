import { framesFromSeconds, framesPerSecond } from "../../core/frame-rate.ts";
import { defined } from "../../core/objects.ts";
import { nominalFrameRate, type TimecodeFormat } from "../../core/timecode.ts";
import { type LabelTime, labelEvidence, onFastGrid, type TimeText } from "../clock-time.ts";
import type { TextClock, TextRow } from "./film-reading.ts";
import { LabelClock } from "./label-clock.ts";
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
 * @returns How labels count, where there are any.
 */
export function addTimedRows(
  given: readonly TimedRow[],
  rows: TextRows,
  statement: ClockStatement = {},
): TimecodeFormat | null {
  const { start: stated, wordless = [], isByTrack = false } = statement;
  const { grid } = rows.film;
  const timed = grid !== undefined && nominalFrameRate(grid.rate) > 100 ? given.map(onFastGridAll) : given;
  const labels = labelsOf([...timed, ...wordless], rows, statement);
  const begin = stated === undefined ? 0 : (labels?.frame(stated.label, 0) ?? 0);
  const counts = new RowCounts(labels, begin);
  const counted = timed.flatMap((row) => {
    const found = counts.of(row);
    if (found === null) rows.issues.add("bad-timing", row.line, row.shown ?? row.text);
    return found ?? [];
  });
  if (labels === null) rows.clock = clockOf(timed);
  else {
    const starts = wordless.map((row) => counts.of(row)?.start ?? Number.POSITIVE_INFINITY);
    rows.clock = {
      counts: "frames",
      format: labels.format,
      firstFrame: starts.reduce((least, start) => Math.min(least, start), Number.POSITIVE_INFINITY),
      endsAreLengths: timed.some(({ frames, end }) => frames !== undefined && end === null),
      ...(stated === undefined ? {} : { stated: { ...stated, count: begin } }),
    };
  }
  if (isByTrack) counted.sort((a, b) => a.start - b.start);
  for (const { id, start, end, text, line, isClock } of counted) rows.add(id, start, end, text, line, isClock);
  return labels?.format ?? null;
}

function onFastGridAll(row: TimedRow): TimedRow {
  const { start, end, duration = null } = row;
  return { ...row, start: onFastGrid(start), end: onFastGrid(end), duration: onFastGrid(duration) };
}

/** What reads the labels of a text; `null` where it has none. */
function labelsOf(all: readonly TimedRow[], { film, issues }: TextRows, statement: ClockStatement): LabelClock | null {
  const { format, isDropFrame } = statement;
  const seen = labelEvidence(all.flatMap(({ start, end, duration = null }) => [start, end, duration]));
  if (seen === null && format === undefined) return null;
  const { highestFrame, isDropFrame: isSeen } = seen ?? { highestFrame: 0, isDropFrame: null };
  return new LabelClock(film, { highestFrame, isDropFrame: isDropFrame ?? isSeen, ...defined({ format }) }, issues);
}

/** How rows without labels count: in numbers, where all begin with one that does not say what it counts. */
function clockOf(timed: readonly TimedRow[]): TextClock {
  const started = timed.filter(({ start }) => start !== null);
  const isNumber = ({ start }: TimedRow) => start?.kind === "clock" && start.isNumber === true;
  if (started.length === 0 || !started.every(isNumber)) return { counts: "seconds" };
  const mayBe = (time: TimeText | null) => time?.kind !== "clock" || time.mayHoldFrames === true;
  const mayHoldFrames = started.every(({ start, end, duration }) => !duration && mayBe(start) && mayBe(end));
  return { counts: "numbers", mayHoldFrames };
}

/** Counts times: in frames of labels, in seconds where a row begins with a clock time or nothing has labels. */
class RowCounts {
  readonly #labels: LabelClock | null;
  /** The frame of the start that the text states. */
  readonly #begin: number;
  readonly #rate: number;

  constructor(labels: LabelClock | null, begin: number) {
    this.#labels = labels;
    this.#begin = begin;
    this.#rate = labels === null ? 1 : framesPerSecond(labels.format.rate);
  }

  /** A row in its counts; `null` for one whose start cannot be read. */
  of({ id, start, end, duration, frames, text, line }: TimedRow): TextRow | null {
    const isClock = start?.kind === "clock";
    const perSecond = isClock ? 1 : this.#rate;
    const from = start === null ? null : this.#count(start, isClock, line);
    if (from === null) return null;
    const seconds = duration ? this.#seconds(duration, line) : null;
    const length = frames === undefined ? (seconds ?? 0) * perSecond : frames / (this.#rate / perSecond);
    const until = end === null ? null : this.#count(end, isClock, line);
    const row = { id, start: from, text, line, isClock: isClock && this.#labels !== null };
    if (frames === undefined) return { ...row, end: end === null && seconds !== null ? from + length : until };
    const last = Math.max(from + length, until ?? from);
    return { ...row, end: last - from > 1 ? last : null };
  }

  #count(time: TimeText, isClock: boolean, line: number): number | null {
    // Of a row in seconds an end in frames says nothing without knowing where the labels start.
    if (isClock) return time.kind === "clock" ? time.seconds : null;
    if (this.#labels === null) return null;
    if (time.kind === "label") return this.#labels.frame(time, line);
    const { rate } = this.#labels.format;
    return time.kind === "clock"
      ? framesFromSeconds(time.seconds, rate)
      : this.#begin + time.seconds * framesPerSecond(rate);
  }

  /** Seconds that a length takes; `null` for one that cannot be read. */
  #seconds(length: TimeText, line: number): number | null {
    if (length.kind !== "label") return length.seconds;
    const frames = this.#labels?.frame(length, line) ?? null;
    return frames === null ? null : frames / this.#rate;
  }
}
