import { equalRates, type FrameRate, frameRate, framesPerSecond } from "../../core/frame-rate.ts";
import { type TimeRange, toThousandth, totalDuration } from "../../core/time-range.ts";
import { nominalFrameRate } from "../../core/timecode.ts";
import type { ClockReading, FilmReading, PlacedRow, TextClock, TextRate, TextRow } from "./film-reading.ts";
import { insideShare, roundedSeconds, sampleOf, spokenShare } from "./fit.ts";

/** What the times of a text made for another rate are off by at least, in seconds, so that speech can tell: half a line. */
const LEAST_DRIFT_SECONDS = 1;

/** Rows below which speech tells nothing of a rate. */
const LEAST_ROWS = 8;

/** Standard errors by which a rate has to meet speech better than another, to be asked about and to be taken. */
const BETTER = { asked: 3, taken: 5 } as const;

/** How much better than by chance a rate has to meet speech, 0 to 1, to be asked about and to be taken. */
const MEETS = { asked: 0.3, taken: 0.5 } as const;

/** How likely another rate is where only the film's end speaks for it. */
const PRIOR_BY_END = 0.5;

/**
 * The readings with those of other frame rates that the film speaks for: captions of a version at 25 frames a second run four
 * per cent fast beside a film of 24. A rate that a person named stands alone. Where speech tells clearly, what it speaks
 * against is left out.
 */
export function withRates(
  readings: readonly ClockReading[],
  rows: readonly TextRow[],
  clock: TextClock,
  film: FilmReading,
): ClockReading[] {
  const filmRate = film.grid?.rate;
  if (filmRate === undefined) return [...readings];
  if (film.textRate !== undefined) {
    const named = film.textRate;
    return readings.map((reading) => stretched(reading, rateFor(named, filmRate, reading, clock), clock));
  }
  const isOwn = clock.counts === "seconds" && clock.isOnFilmClock === true;
  const isDropFrame = clock.counts === "frames" && clock.format.isDropFrame;
  if (isOwn || isDropFrame || film.durationSeconds === undefined) return [...readings];
  const sample = sampleOf(rows);
  return readings.flatMap((reading) => {
    const isOfFrames = clock.counts === "numbers" && reading.unit === "frames";
    return isOfFrames ? [reading] : ratesOf(reading, filmRate, sample, clock, film);
  });
}

/** A reading, and those of it at other rates that are borne out. */
function ratesOf(
  reading: ClockReading,
  filmRate: FrameRate,
  rows: readonly TextRow[],
  clock: TextClock,
  film: FilmReading,
): ClockReading[] {
  const others = otherRates(filmRate, clock).map((rate) =>
    stretched(reading, rateFor(rate, filmRate, reading, clock), clock),
  );
  const placedBy = (one: ClockReading) => rows.map((row) => one.place(row));
  const plain = placedBy(reading);
  const { speech = [], holds } = film;
  if (holds !== "dialogue" || speech.length === 0) {
    const isOver = rowsBehind(plain, film) >= 2;
    const inside = isOver ? others.filter((one) => insideShare(placedBy(one), film) === 1) : [];
    return [reading, ...inside.map((one) => ({ ...one, prior: one.prior * PRIOR_BY_END }))];
  }
  const heard = others
    .map((one) => ({ reading: one, meets: new Meeting(placedBy(one), speech, film) }))
    .filter(({ meets }) => meets.gain >= MEETS.asked);
  const asIs = { reading, meets: new Meeting(plain, speech, film) };
  const borneOut = heard.filter(({ meets }) => meets.isBetterThan(asIs.meets, BETTER.asked));
  const best = borneOut.reduce((most, one) => (one.meets.gain > most.meets.gain ? one : most), asIs);
  const left = [asIs, ...borneOut].filter((one) => {
    if (one === best) return true;
    // Two rates so near that the film cannot tell them apart are the same to it.
    if (one !== asIs && best.meets.driftFrom(one.meets) < LEAST_DRIFT_SECONDS / 2) return false;
    return best.meets.gain < MEETS.taken || !best.meets.isBetterThan(one.meets, BETTER.taken);
  });
  return left.map((one) => one.reading);
}

/** How rows meet the speech that was heard. */
class Meeting {
  readonly #rows: readonly PlacedRow[];
  readonly #shares: readonly number[];
  /** How much better than by chance, 0 to 1; below 0 where worse. */
  readonly gain: number;

  constructor(rows: readonly PlacedRow[], speech: readonly TimeRange[], { durationSeconds = 0 }: FilmReading) {
    this.#rows = rows;
    this.#shares = rows.map((row) => spokenShare(row, speech));
    const chance = Math.min(0.99, totalDuration(speech) / Math.max(1e-6, durationSeconds));
    const share = this.#shares.reduce((sum, one) => sum + one, 0) / Math.max(1, rows.length);
    this.gain = (share - chance) / (1 - chance);
  }

  /** Whether the same rows meet speech better here, by so many standard errors. */
  isBetterThan(other: Meeting, errors: number): boolean {
    const count = this.#shares.length;
    if (count < LEAST_ROWS || this.driftFrom(other) < LEAST_DRIFT_SECONDS) return false;
    const differences = this.#shares.map((share, index) => share - (other.#shares[index] ?? 0));
    const mean = differences.reduce((sum, one) => sum + one, 0) / count;
    const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (count - 1);
    return mean > 0 && mean >= errors * Math.sqrt(variance / count);
  }

  /** Most seconds by which a row lies elsewhere. */
  driftFrom(other: Meeting): number {
    return this.#rows.reduce((most, { start }, index) => {
      return Math.max(most, Math.abs(start - (other.#rows[index]?.start ?? start)));
    }, 0);
  }
}

function rowsBehind(rows: readonly PlacedRow[], film: FilmReading): number {
  return rows.filter((row) => row.start >= 0 && insideShare([row], film) === 0).length;
}

/** Frames a second of the pictures that a version of a film is made of: pulldown and doubling repeat them, and change no time. */
function pictureRate(rate: FrameRate): number {
  const nominal = nominalFrameRate(rate);
  const pictures = nominal % 25 === 0 ? 25 : nominal % 24 === 0 || nominal % 15 === 0 ? 24 : nominal;
  return (pictures * framesPerSecond(rate)) / nominal;
}

/** The rates of a film's other versions. Labels count pictures: 23.976 and 24 are one to them. */
function otherRates(filmRate: FrameRate, clock: TextClock): FrameRate[] {
  const nominal = nominalFrameRate(filmRate);
  const isPal = nominal % 25 === 0;
  if (!isPal && nominal % 24 !== 0 && nominal % 30 !== 0) return [];
  const isNtsc = filmRate.denominator === 1001;
  const near = isNtsc ? frameRate(nominal) : frameRate(nominal * 1000, 1001);
  const rates = isPal ? [frameRate(24), frameRate(24_000, 1001)] : [frameRate(25), near];
  return clock.counts === "frames" ? rates.slice(0, 1) : rates;
}

function rateFor(rate: FrameRate, filmRate: FrameRate, { unit }: ClockReading, clock: TextClock): TextRate {
  // Numbers of frames count pictures, which every version has.
  const isOfFrames = clock.counts === "numbers" && unit === "frames";
  return { rate, factor: isOfFrames || equalRates(rate, filmRate) ? 1 : pictureRate(rate) / pictureRate(filmRate) };
}

/** A reading whose times are stretched from its zero on; labels are taken for those of the other rate. */
function stretched(reading: ClockReading, rate: TextRate, clock: TextClock): ClockReading {
  const labels = clock.counts === "frames" && !clock.format.isDropFrame ? clock : null;
  const isPlain = labels === null ? rate.factor === 1 : equalRates(rate.rate, labels.format.rate);
  if (isPlain) return { ...reading, rate };
  const seconds = labels === null ? (time: number) => time * rate.factor : labelStretch(labels.format.rate, rate);
  const length = labels?.endsAreLengths === true ? frameLength(labels.format.rate, rate) : null;
  return {
    ...reading,
    rate,
    place: (row) => {
      const { start, end, text } = reading.place(row);
      const from = roundedSeconds(seconds(start));
      if (end === null) return { start: from, end, text };
      return { start: from, end: roundedSeconds(length === null ? seconds(end) : from + length(end - start)), text };
    },
  };
}

/** Frames behind whole seconds count at the rate of the text, which was not known when its labels were read. */
function labelStretch(readAt: FrameRate, { rate, factor }: TextRate): (seconds: number) => number {
  const [readNominal, nominal] = [nominalFrameRate(readAt), nominalFrameRate(rate)];
  // A label of 23.976 counts to 24: its second is longer than a second.
  const labelSecond = (factor * nominal) / framesPerSecond(rate);
  return (seconds) => {
    const frames = toThousandth(seconds * framesPerSecond(readAt));
    const whole = Math.floor(frames / readNominal);
    return (whole + (frames - whole * readNominal) / nominal) * labelSecond;
  };
}

/** A length in frames of the text, from one read as frames of the film. */
function frameLength(readAt: FrameRate, { rate, factor }: TextRate): (seconds: number) => number {
  return (seconds) => ((seconds * framesPerSecond(readAt)) / framesPerSecond(rate)) * factor;
}
