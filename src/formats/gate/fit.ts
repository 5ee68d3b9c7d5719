import { countSpokenWords } from "../../core/speaking-time.ts";
import { overlapWithRanges, type TimeRange, totalDuration } from "../../core/time-range.ts";
import type { FilmReading, PlacedRow } from "./film-reading.ts";

/** How far past the film's end a text may reach, in seconds: players hold the last caption, rates are rounded. */
const SLACK_SECONDS = 1;

/** How far before the film a time may lie and count as its first instant, in seconds. */
const EARLY_SECONDS = 0.05;

/** Words a second of speech, about which texts lie. */
const USUAL_PACE = 2.5;

/** Rows that are looked at: a film's texts are alike from end to end. */
const MOST_ROWS = 2000;

/** As many rows as are looked at, spread over the whole. */
export function sampleOf<Row>(rows: readonly Row[]): readonly Row[] {
  const step = Math.max(1, Math.ceil(rows.length / MOST_ROWS));
  return step === 1 ? rows : rows.filter((_, index) => index % step === 0);
}

/** Least that pace and speech leave of a fit: neither alone says that a text is of another film. */
const LEAST = 0.02;

/** Share of the rows that lie inside the film, 0 to 1; where its length is not known, that do not lie before it. */
export function insideShare(rows: readonly PlacedRow[], { durationSeconds }: FilmReading): number {
  if (rows.length === 0) return 0;
  const latest = durationSeconds ?? Number.POSITIVE_INFINITY;
  const inside = rows.filter(
    ({ start, end }) => start >= -EARLY_SECONDS && start < latest && (end === null || end <= latest + SLACK_SECONDS),
  );
  return inside.length / rows.length;
}

/**
 * How well a text can be true at these times, 0 to 1: inside the film, speakable, beginning soon, in tune with what was heard.
 *
 * @param mayBeginLate Whether a late beginning says nothing.
 */
export function fitOf(rows: readonly PlacedRow[], film: FilmReading, mayBeginLate = false): number {
  const inside = insideShare(rows, film);
  if (inside === 0) return 0;
  const sample = sampleOf(rows);
  const beginning = mayBeginLate ? 1 : beginningFit(sample);
  // A reading under which nothing is left over is better than one that leaves a little.
  const whole = inside < 1 ? 0.7 : 1;
  return (
    whole *
    inside *
    inside *
    orderFit(rows) *
    paceFit(sample) *
    lengthFit(sample, film) *
    beginning *
    speechFit(sample, film)
  );
}

/**
 * How well the words go with the times that they have, 0 to 1: by their ends, else by when the next begins. Faster than anyone
 * speaks counts heavily, slower lightly: descriptions are far apart.
 */
function paceFit(rows: readonly PlacedRow[]): number {
  const fits = rows.flatMap(({ start, end, text }, index) => {
    const until = end ?? rows[index + 1]?.start;
    const seconds = until === undefined ? 0 : until - start;
    const words = countSpokenWords(text);
    if (until === undefined || words === 0 || seconds === 0) return [];
    if (seconds < 0) return [LEAST];
    const off = Math.log(words / seconds / USUAL_PACE);
    return [off > 0 ? Math.exp(-off * off) : 1 / (1 + (off * off) / (end === null ? 16 : 4))];
  });
  return fits.length === 0 ? 1 : Math.max(LEAST * LEAST, mean(fits));
}

/** A text in the order of its rows is likely read right: midnight alone turns the order. */
function orderFit(rows: readonly PlacedRow[]): number {
  return rows.some(({ start }, index) => start < (rows[index - 1]?.start ?? start)) ? 0.5 : 1;
}

/** Longest film that is likely, in seconds, where its length is not known. */
const LIKELY_SECONDS = 6 * 3600;

function lengthFit(rows: readonly PlacedRow[], { durationSeconds }: FilmReading): number {
  return durationSeconds === undefined && rows.some(({ start }) => start > LIKELY_SECONDS) ? 0.3 : 1;
}

/** Seconds before the first row that say nothing: titles, a prologue without words. */
const QUIET_SECONDS = 300;

/** A text that is silent for far longer before its first row than between its rows is likely counted from elsewhere. */
function beginningFit(rows: readonly PlacedRow[]): number {
  const first = rows.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY);
  const last = rows.reduce((most, { start }) => Math.max(most, start), 0);
  const usual = Math.max(QUIET_SECONDS, (5 * (last - first)) / rows.length);
  return first <= usual ? 1 : 0.3;
}

/** What is left of a fit that agrees with what was heard as well as chance would. */
const BY_CHANCE = 0.1;

/** How much of a row has to meet speech, or keep clear of it, to go with what was heard. */
const MOSTLY = 0.5;

/** How many rows go with the film: they lie in it and, where it is known what they hold and who speaks when, with that too. */
export function fittingRows(rows: readonly PlacedRow[], film: FilmReading): number {
  const { speech = [], holds } = film;
  return rows.filter((row) => {
    if (insideShare([row], film) === 0) return false;
    if (holds === undefined || speech.length === 0) return true;
    const share = spokenShare(row, speech);
    return holds === "dialogue" ? share >= MOSTLY : share <= MOSTLY;
  }).length;
}

/** Share of the time in which a row is likely said that lies in speech, 0 to 1. */
export function spokenShare(row: PlacedRow, speech: readonly TimeRange[]): number {
  const range = spokenRange(row);
  return overlapWithRanges(range, speech) / Math.max(1e-6, range.end - range.start);
}

/** When a row is likely said: by its end, but hardly longer than its words take. */
function spokenRange({ start, end, text }: PlacedRow): TimeRange {
  const seconds = Math.max(0.5, (countSpokenWords(text) * 60) / 165);
  return { start, end: Math.min(end ?? start + seconds, start + seconds + 1) };
}

/** How much better than by chance the rows meet the speech that was heard, or keep clear of it, as 0.02 to 1. */
function speechFit(rows: readonly PlacedRow[], { speech = [], holds, durationSeconds = 0 }: FilmReading): number {
  const spoken = totalDuration(speech);
  if (holds === undefined || spoken === 0 || durationSeconds <= spoken) return 1;
  const ranges = rows.filter(({ start }) => start < durationSeconds).map(spokenRange);
  const length = totalDuration(ranges);
  if (length === 0) return LEAST;
  const share = ranges.reduce((sum, range) => sum + overlapWithRanges(range, speech), 0) / length;
  const chance = spoken / durationSeconds;
  const met = holds === "dialogue" ? share : 1 - share;
  const byChance = holds === "dialogue" ? chance : 1 - chance;
  const gain = (met - byChance) / (1 - byChance);
  return Math.max(LEAST, Math.min(1, BY_CHANCE + (1 - BY_CHANCE) * gain));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Seconds without what calculating with decimals adds. */
export function roundedSeconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
