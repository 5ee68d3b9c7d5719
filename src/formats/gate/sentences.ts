import type { FrameRate } from "../../core/frame-rate.ts";
import { formatRateName } from "../../core/timecode.ts";
import type { ClockReading, TextClock, TextRate } from "./film-reading.ts";
import { type ScoredReading, startLabelOf } from "./readings.ts";

/** What a reading takes the times to be, and why, in a sentence without full stop. */
export function clockFact(reading: ClockReading, clock: TextClock): string {
  if (clock.counts === "numbers") {
    const told = reading.unit === "s.ff" ? "no fraction reaches the frame rate" : "by the length of the words";
    return `times in ${UNIT_NAMES[reading.unit]} (${reading.isUnitStated ? "as stated" : told})`;
  }
  const from = clock.counts === "frames" && reading.source === "text" ? clock.stated?.from : undefined;
  return `zero is ${startLabelOf(reading, clock)} (${from ?? SOURCE_NAMES[reading.source]})`;
}

/** In what readings differ: the unit, the start or unit, the rate. */
export function differences(
  rivals: readonly ScoredReading[],
): Record<"isOtherUnit" | "isOtherClock" | "isOtherRate", boolean> {
  const count = (of: (reading: ClockReading) => unknown) => new Set(rivals.map(({ reading }) => of(reading))).size;
  return {
    isOtherUnit: count(({ unit }) => unit) > 1,
    isOtherClock: count(({ zero, unit }) => `${zero} ${unit}`) > 1,
    isOtherRate: count(({ rate }) => rate?.factor ?? 1) > 1,
  };
}

/** What a person is asked where readings fit about as well. */
export function questionOf(rivals: readonly ScoredReading[]): string {
  const { isOtherUnit, isOtherClock, isOtherRate } = differences(rivals);
  if (!isOtherRate) return isOtherUnit ? "What do the times count?" : "What do the times count from?";
  return isOtherClock
    ? "What do the times count from, and for which frame rate were they made?"
    : "For which frame rate were the times made?";
}

/** A rate as editors write it: `23.976`. */
export function nameOfRate(rate: FrameRate): string {
  return formatRateName({ rate, isDropFrame: false });
}

/** One of several ways to read a text, as a person is told it: by what it differs in. */
export function wayLabel(reading: ClockReading, clock: TextClock, rivals: readonly ScoredReading[]): string {
  const { isOtherClock, isOtherRate } = differences(rivals);
  const isNumbers = clock.counts === "numbers";
  const way = isNumbers ? `Times in ${UNIT_NAMES[reading.unit]}` : `Times count from ${startLabelOf(reading, clock)}`;
  return isOtherRate ? [...(isOtherClock ? [way] : []), rateLabel(reading)].join(", ") : way;
}

function rateLabel({ rate }: ClockReading): string {
  if (rate === undefined || rate.factor === 1) return "Times made for this film's rate";
  return `Times made for ${nameOfRate(rate.rate)} frames a second, ${stretchOf(rate)}`;
}

/** `stretched by 4.3 %`. */
function stretchOf({ factor }: TextRate): string {
  return `${factor > 1 ? "stretched" : "shortened"} by ${Math.abs((factor - 1) * 100).toFixed(1)} %`;
}

/** What is told of a text made for another rate, in sentences without full stop. */
export function rateFacts({ rate }: ClockReading): string[] {
  if (rate === undefined || rate.factor === 1) return [];
  return [`the times are ${stretchOf(rate)}: they were made for ${nameOfRate(rate.rate)} frames a second`];
}

/** What times count, in words. */
export const UNIT_NAMES = {
  s: "seconds",
  ms: "milliseconds",
  frames: "frames",
  samples: "samples",
  "s.ff": "seconds and frames",
} as const;

const SOURCE_NAMES = {
  person: "as given",
  text: "as the text states",
  film: "the film's timecode",
  format: "the film's start",
  hour: "the whole hour before the first",
  leader: "the hour behind the leader",
} as const;
