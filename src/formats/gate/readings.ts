import { framesPerSecond, secondsFromFrames } from "../../core/frame-rate.ts";
import type { FrameGrid } from "../../core/settings.ts";
import {
  formatTimecode,
  framesPerDay,
  nominalFrameRate,
  parseTimecode,
  type TimecodeFormat,
} from "../../core/timecode.ts";
import { formatClockTime, parseClockTime } from "../clock-time.ts";
import type { ClockReading, FilmReading, StartSource, StatedStart, TextClock, TextRow } from "./film-reading.ts";
import { fitOf, insideShare, roundedSeconds } from "./fit.ts";
import { numberReadings } from "./numbers.ts";

/** A reading with how well the film bears it out, 0 to 1. */
export interface ScoredReading {
  readonly reading: ClockReading;
  readonly fit: number;
}

/** How likely a start is by where it comes from. Media times count from 0 by custom, labels as the film's own do. */
const PRIORS = {
  seconds: { person: 1, format: 1, film: 0.9, hour: 0.4 },
  frames: { person: 1, text: 1, leader: 1, film: 1, format: 0.35, hour: 0.35 },
} as const;

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3600;

/** Ways in which the times of a text may be meant, each once; never none. */
export function readingsOf(rows: readonly TextRow[], clock: TextClock, film: FilmReading): ClockReading[] {
  const counted = rows.filter(({ isClock }) => isClock !== true);
  if (clock.counts === "numbers") return numberReadings(counted, clock, film);
  const known = clock.counts === "frames" ? (clock.firstFrame ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  const first = counted.reduce((least, { start }) => Math.min(least, start), known);
  const starts =
    clock.counts === "frames"
      ? frameStarts(counted, first, clock, film)
      : clock.isOnFilmClock === true
        ? [{ zero: 0, source: "text", prior: 1 } as const]
        : secondStarts(counted, first, film);
  return starts.map(({ zero, source, prior }) => ({
    zero,
    source,
    unit: clock.counts === "frames" ? "frames" : "s",
    isUnitStated: true,
    prior,
    place: clock.counts === "frames" ? framePlacer(zero, clock.format) : secondPlacer(zero),
  }));
}

/** Readings with how well each fits, best first; of equal ones the likelier, then the earlier, stands first. */
export function scored(
  readings: readonly ClockReading[],
  rows: readonly TextRow[],
  film: FilmReading,
): ScoredReading[] {
  return readings
    .map((reading) => {
      const placed = rows.map((row) => reading.place(row));
      // Labels that lie in the film as its own timecode counts them are meant so, however late the first is.
      const isOwn = reading.unit === "frames" && reading.source === "film";
      return { reading, fit: reading.prior * fitOf(placed, film, isOwn) };
    })
    .sort((a, b) => b.fit - a.fit);
}

/** A count as a person sees it: a label, or a clock time. */
export function startLabelOf({ zero, unit }: ClockReading, clock: TextClock): string {
  if (clock.counts === "frames" && unit === "frames") return formatTimecode(Math.floor(zero), clock.format);
  return zero % 1 === 0 ? formatClockTime(zero).slice(0, 8) : formatClockTime(zero);
}

interface ClockStart {
  readonly zero: number;
  readonly source: StartSource;
  readonly prior: number;
}

/** Each start once, by its first source. */
function distinct(starts: readonly (ClockStart | null)[]): ClockStart[] {
  const found = new Map<number, ClockStart>();
  for (const start of starts) if (start !== null && !found.has(start.zero)) found.set(start.zero, start);
  return [...found.values()];
}

function secondStarts(rows: readonly TextRow[], first: number, film: FilmReading): ClockStart[] {
  const given = givenSeconds(film);
  const zero = { zero: 0, source: "format", prior: PRIORS.seconds.format } as const;
  if (given !== null) {
    // Media times count from 0 by custom: a start that they lie before was said of labels, unless it was said of this text.
    const isMeant = film.startLabel !== undefined || first >= given || given === 0;
    return isMeant ? [{ zero: given, source: "person", prior: PRIORS.seconds.person }] : [zero];
  }
  if (film.durationSeconds === undefined) return [zero];
  const own = film.grid === undefined ? 0 : nominalStart(film.grid);
  const hour = Math.floor(first / HOUR_SECONDS) * HOUR_SECONDS;
  // Without a reason to doubt it, media times count from 0, however late the first is.
  const isDoubtful = (film.speech?.length ?? 0) > 0 || insideShare(rows, film) < 1;
  return distinct([
    zero,
    own > 0 ? { zero: own, source: "film", prior: PRIORS.seconds.film } : null,
    Number.isFinite(hour) && isDoubtful ? { zero: hour, source: "hour", prior: PRIORS.seconds.hour } : null,
  ]);
}

/** Seconds of a clock that a person named for the start; `null` where nobody did. */
function givenSeconds({ grid, isStartGiven = false, startLabel }: FilmReading): number | null {
  if (startLabel !== undefined) return clockOfLabel(startLabel, grid === undefined ? 25 : nominalFrameRate(grid.rate));
  return isStartGiven && grid !== undefined ? nominalStart(grid) : null;
}

/** The label of a grid's start, as seconds of a clock. */
function nominalStart(grid: FrameGrid): number {
  return clockOfLabel(formatTimecode(grid.startFrame, grid), nominalFrameRate(grid.rate)) ?? 0;
}

/** A label, or a clock time, as seconds of a clock; `null` for what is neither. */
function clockOfLabel(label: string, framesInSecond: number): number | null {
  const [, clock = "", frames] = /^(.*?\d:\d\d:\d\d|\d+;\d\d;\d\d)[:;](\d{2,3})$/.exec(label) ?? [];
  if (frames === undefined) return parseClockTime(label);
  const whole = parseClockTime(clock.replaceAll(";", ":"));
  return whole === null ? null : whole + Number(frames) / framesInSecond;
}

function secondsInFrames(label: string, format: TimecodeFormat): number | null {
  const seconds = parseClockTime(label);
  return seconds === null ? null : frameOf(`${formatClockTime(seconds).slice(0, 8)}:00`, format);
}

/** Seconds behind a whole hour within which a text begins that is counted from it. */
const SOON_SECONDS = 900;

/** Seconds before a whole hour at which a leader begins. */
const LEADER_SECONDS = 600;

/** What stands in a leader, and never in a film. */
const OF_LEADER =
  /^(?:[\d-]*\s*(?:two|2)?[-\s]?pops?|leader|head|countdown|slate|bars(?: and tone)?|tone|ident|line[- ]?up)$/i;

function frameStarts(
  rows: readonly TextRow[],
  first: number,
  { format, stated }: Extract<TextClock, { readonly counts: "frames" }>,
  film: FilmReading,
): ClockStart[] {
  const given = givenFrame(film, format);
  if (given !== null) return [{ zero: given, source: "person", prior: PRIORS.frames.person }];
  const hour = framesPerDay(format) / 24;
  const wholeHour = Number.isFinite(first) ? Math.floor(first / hour) * hour : 0;
  const named = stated === undefined ? null : statedStart(rows, stated, format);
  const own = film.grid === undefined ? null : frameOnGrid(film.grid, format);
  if (film.durationSeconds === undefined) {
    if (named !== null) return [named];
    const isOwn = stated === undefined && own !== null && first >= own && first < own + hour;
    if (isOwn) return [{ zero: own, source: "film", prior: PRIORS.frames.film }];
    const isSoon = stated === undefined || first - wholeHour <= SOON_SECONDS * framesPerSecond(format.rate);
    return [{ zero: isSoon ? wholeHour : 0, source: wholeHour > 0 && isSoon ? "hour" : "format", prior: 1 }];
  }
  return distinct([
    named,
    own === null ? null : { zero: own, source: "film", prior: PRIORS.frames.film },
    { zero: 0, source: "format", prior: PRIORS.frames.format },
    { zero: wholeHour, source: "hour", prior: PRIORS.frames.hour },
  ]);
}

/**
 * The start that a text names, as far as its rows bear it out: those that lie before it are not of the film, but if all do, it was
 * not counted from. A leader ends on the hour. A start of zero is what writers leave in when nobody filled it in.
 */
function statedStart(rows: readonly TextRow[], stated: StatedStart, format: TimecodeFormat): ClockStart | null {
  const { count, hasLeader = false } = stated;
  if (count === 0) return null;
  const day = framesPerDay(format);
  const isBehind = ({ start }: TextRow) => (start - count + day) % day < day / 2;
  const behind = rows.filter(isBehind).length;
  if (behind * 2 < rows.length) return behind === 0 ? { zero: 0, source: "format", prior: 1 } : null;
  const hour = day / 24;
  const nextHour = Math.ceil(count / hour) * hour;
  const leader = nextHour - count;
  const isLeader =
    hasLeader &&
    leader > 0 &&
    leader <= LEADER_SECONDS * framesPerSecond(format.rate) &&
    rows.every((row) => row.start >= nextHour || !isBehind(row) || OF_LEADER.test(row.text));
  return isLeader
    ? { zero: nextHour, source: "leader", prior: PRIORS.frames.leader }
    : { zero: count, source: "text", prior: PRIORS.frames.text };
}

/** The frame of the start that a person named, on a text's own grid; `null` where nobody did. */
function givenFrame(film: FilmReading, format: TimecodeFormat): number | null {
  const { grid, isStartGiven = false, startLabel } = film;
  if (startLabel !== undefined) return frameOf(startLabel, format) ?? secondsInFrames(startLabel, format);
  return isStartGiven && grid !== undefined ? frameOnGrid(grid, format) : null;
}

function frameOnGrid(grid: FrameGrid, format: TimecodeFormat): number | null {
  return frameOf(formatTimecode(grid.startFrame, grid), format);
}

function frameOf(label: string, format: TimecodeFormat): number | null {
  const parsed = parseTimecode(label, format, { dropped: "next" });
  return parsed.ok ? parsed.frame : null;
}

function framePlacer(zero: number, format: TimecodeFormat): ClockReading["place"] {
  const day = framesPerDay(format);
  const seconds = (frame: number) => {
    const since = frame - zero;
    // Timecode is a clock of 24 hours: what lies just behind midnight lies on the next day.
    const isNextDay = since < 0 && since + day < day / 2;
    return secondsFromFrames(isNextDay ? since + day : since, format.rate);
  };
  const start = zero / nominalFrameRate(format.rate);
  const clock = secondPlacer(start);
  return (row) => {
    if (row.isClock === true) return row.start >= start ? clock(row) : row;
    return { start: seconds(row.start), end: row.end === null ? null : seconds(row.end), text: row.text };
  };
}

function secondPlacer(zero: number): ClockReading["place"] {
  if (zero === 0) return (row) => row;
  const seconds = (time: number) => {
    const since = time - zero;
    return since < 0 && since + DAY_SECONDS < DAY_SECONDS / 2 ? since + DAY_SECONDS : roundedSeconds(since);
  };
  return ({ start, end, text }) => ({ start: seconds(start), end: end === null ? null : seconds(end), text });
}
