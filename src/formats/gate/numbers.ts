import { framesPerSecond } from "../../core/frame-rate.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { nominalFrameRate } from "../../core/timecode.ts";
import { TIME_UNITS, type TimeUnit } from "../../core/verdict.ts";
import type { ClockReading, FilmReading, TextClock, TextRow } from "./film-reading.ts";
import { roundedSeconds } from "./fit.ts";

/** How likely a unit is before anything is held against the film; `s.ff` as one fraction below the frame rate leaves it. */
const UNIT_PRIORS: Readonly<Record<TimeUnit, number>> = { s: 1, ms: 0.38, frames: 0.25, samples: 0.2, "s.ff": 0.1 };

/** Numbers of this size alone may be samples. */
const LEAST_SAMPLES = 10_000;

/** What numbers without a unit may count, a reading each. */
export function numberReadings(
  rows: readonly TextRow[],
  { unit: stated, sampleRate = 48_000, mayHoldFrames = false }: Extract<TextClock, { readonly counts: "numbers" }>,
  film: FilmReading,
): ClockReading[] {
  const times = rows.flatMap(({ start, end }) => (end === null ? [start] : [start, end]));
  const isWhole = times.every((time) => Number.isInteger(time));
  const most = times.reduce((a, b) => Math.max(a, b), 0);
  const favour = mayHoldFrames && film.grid !== undefined ? framesFavour(times, film.grid) : 0;
  const units = TIME_UNITS.filter((unit) => {
    if (film.unit !== undefined) return unit === film.unit;
    if (unit === "s.ff") return favour > 0;
    if (unit === stated || unit === "s") return true;
    return isWhole && (unit !== "samples" || most >= LEAST_SAMPLES) && (unit !== "frames" || film.grid !== undefined);
  });
  const perSecond: Readonly<Record<TimeUnit, number>> = {
    s: 1,
    ms: 1000,
    frames: film.grid === undefined ? 25 : framesPerSecond(film.grid.rate),
    samples: sampleRate,
    "s.ff": 1,
  };
  const priorOf = (unit: TimeUnit) => {
    const prior = UNIT_PRIORS[unit] * (unit === "s.ff" ? favour : 1);
    return prior / Math.max(1, favour * UNIT_PRIORS["s.ff"]);
  };
  return units.map((unit) => {
    const seconds = (time: number) => {
      if (unit === "s.ff") return secondsOfFrames(time, perSecond.frames);
      return unit === "s" ? time : time / perSecond[unit];
    };
    return {
      zero: 0,
      source: "format",
      unit,
      isUnitStated: unit === stated || unit === film.unit,
      // What the text says of itself is believed unless the film contradicts it.
      prior: unit === stated || unit === film.unit ? 1 : priorOf(unit) * (stated === undefined ? 1 : 0.02),
      place: ({ start, end, text }) => ({
        start: seconds(start),
        end: end === null ? null : seconds(end),
        text,
      }),
    };
  });
}

/** Two digits behind a point, as a whole number. */
function hundredths(time: number): number {
  return Math.round((time - Math.floor(time)) * 100);
}

/**
 * How many times likelier two digits behind a point are frames than hundredths, by what they are: of hundredths, few lie below the
 * frame rate. 0 where one does not, or where there are none.
 */
function framesFavour(times: readonly number[], { rate }: FrameGrid): number {
  const nominal = nominalFrameRate(rate);
  const different = new Set(times.map(hundredths).filter((count) => count > 0));
  if (different.size === 0 || [...different].some((count) => count >= nominal)) return 0;
  return (100 / nominal) ** Math.min(12, different.size);
}

function secondsOfFrames(time: number, perSecond: number): number {
  const frames = hundredths(time);
  return roundedSeconds((frames === 100 ? Math.ceil(time) : Math.floor(time)) + (frames % 100) / perSecond);
}
