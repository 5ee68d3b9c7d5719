import { type FrameRate, frameRate, framesPerSecond } from "../../core/frame-rate.ts";
import { SAME_SPEED } from "../../core/time-range.ts";
import type { TimelineClip } from "../../core/timeline.ts";
import { childAt, childrenNamed, type XmlElement } from "../xml/xml-element.ts";

/** A time as FCPXML states it: an exact fraction of seconds. */
export interface RationalTime {
  readonly numerator: bigint;
  /** Positive. */
  readonly denominator: bigint;
}

/** Time 0. */
export const ZERO_TIME: RationalTime = { numerator: 0n, denominator: 1n };

const TIME = /^(-?\d{1,30})(?:\/(\d{1,30}))?s$/;
const DECIMAL = /^(-?\d{1,15})\.(\d{1,15})s$/;

/** Reads `1001/30000s`, `5s`, `3.2s`; `null` when it is no such time. */
export function parseRationalTime(text: string | undefined): RationalTime | null {
  const trimmed = (text ?? "").trim();
  const parts = TIME.exec(trimmed);
  if (parts?.[1] !== undefined) {
    const denominator = BigInt(parts[2] ?? "1");
    return denominator === 0n ? null : { numerator: BigInt(parts[1]), denominator };
  }
  const decimal = DECIMAL.exec(trimmed);
  if (decimal === null) return null;
  return { numerator: BigInt(`${decimal[1]}${decimal[2]}`), denominator: 10n ** BigInt(decimal[2]?.length ?? 0) };
}

/** The sum of two times; `b` is taken away when `sign` is -1. */
export function addTimes(a: RationalTime, b: RationalTime, sign: 1 | -1 = 1): RationalTime {
  if (a.denominator === b.denominator) {
    return { numerator: a.numerator + BigInt(sign) * b.numerator, denominator: a.denominator };
  }
  const numerator = a.numerator * b.denominator + BigInt(sign) * b.numerator * a.denominator;
  return reduced(numerator, a.denominator * b.denominator);
}

/** A time multiplied by a fraction of whole numbers. */
export function scaleTime(time: RationalTime, numerator: number, denominator: number): RationalTime {
  return reduced(time.numerator * BigInt(numerator), time.denominator * BigInt(denominator));
}

/** Sums reduce, so that a chain of any length keeps small numbers. */
function reduced(numerator: bigint, denominator: bigint): RationalTime {
  let [x, y] = [numerator < 0n ? -numerator : numerator, denominator];
  while (y !== 0n) [x, y] = [y, x % y];
  return x <= 1n ? { numerator, denominator } : { numerator: numerator / x, denominator: denominator / x };
}

/** A time in seconds, as the nearest double. */
export function timeSeconds(time: RationalTime): number {
  const whole = time.numerator / time.denominator;
  const rest = time.numerator % time.denominator;
  const small = Number(rest) / Number(time.denominator);
  // Numbers below 2^53 divide exactly rounded in one step; larger ones need their whole part apart.
  const fits = time.numerator < MAX && time.numerator > -MAX && time.denominator < MAX;
  return fits ? Number(time.numerator) / Number(time.denominator) : Number(whole) + small;
}

const MAX = 2n ** 53n;

/** A part of a clip that runs at one speed. Times are seconds on the clip's own clock. */
interface SpeedPart {
  readonly start: number;
  readonly end: number;
  /** Time of the source's clock at `start`. */
  readonly sourceStart: number;
  /** Source seconds per second; 0 holds one picture, below 0 runs backwards. */
  readonly speed: number;
}

/** How a clip's own clock runs against that of its source. */
export interface ClipSpeed {
  /** The parts of a stretch of the clip, in order and without holes. */
  parts(start: number, end: number): SpeedPart[];
  /** The time of the source's clock at a time of the clip's. */
  sourceTime(clipTime: number): number;
}

interface Point {
  readonly time: number;
  readonly value: number;
}

/** A clip whose speed is not changed. */
export const NORMAL_SPEED: ClipSpeed = {
  parts: (start, end) => [{ start, end, sourceStart: start, speed: 1 }],
  sourceTime: (clipTime) => clipTime,
};

/**
 * The speed of a clip, by its `timeMap`: points that say which time of the source is shown at which time of the clip.
 * Between them, and beyond the first and the last, the speed is even: eased changes of speed become steps.
 *
 * @returns `null` for a map with fewer than two points that can be read.
 */
export function clipSpeed(clip: XmlElement): ClipSpeed | null {
  const map = childAt(clip, "timeMap");
  if (map === undefined) return NORMAL_SPEED;
  const points = childrenNamed(map, "timept")
    .flatMap((point): Point[] => {
      const time = parseRationalTime(point.attributes.get("time"));
      const value = parseRationalTime(point.attributes.get("value"));
      return time === null || value === null ? [] : [{ time: timeSeconds(time), value: timeSeconds(value) }];
    })
    .sort((a, b) => a.time - b.time)
    .filter((point, index, all) => index === 0 || point.time > (all[index - 1]?.time ?? 0));
  const lines = linesOf(points);
  return lines.length === 0 ? null : new MappedSpeed(lines);
}

/** A clip whose media runs at another pace than its own clock says, from a time of that clock on. */
export function atPace(local: number, pace: number): ClipSpeed {
  return new MappedSpeed([{ time: local, value: local, speed: pace }]);
}

/** A line of the map: from a point on, at a speed. */
interface SpeedLine extends Point {
  readonly speed: number;
}

/** The lines between the points; points on one line are left out. */
function linesOf(points: readonly Point[]): SpeedLine[] {
  const lines: SpeedLine[] = [];
  for (const [index, point] of points.entries()) {
    const next = points[index + 1];
    if (next === undefined) break;
    const speed = (next.value - point.value) / (next.time - point.time);
    const last = lines.at(-1);
    if (last === undefined || Math.abs(last.speed - speed) > SAME_SPEED) lines.push({ ...point, speed });
  }
  return lines;
}

class MappedSpeed implements ClipSpeed {
  readonly #lines: readonly SpeedLine[];

  constructor(lines: readonly SpeedLine[]) {
    this.#lines = lines;
  }

  parts(start: number, end: number): SpeedPart[] {
    const inside = this.#lines.slice(1).flatMap(({ time }) => (time > start && time < end ? [time] : []));
    const edges = [start, ...inside, end];
    return edges.slice(0, -1).map((from, index) => {
      const { speed } = this.#lineAt(from);
      return { start: from, end: edges[index + 1] ?? end, sourceStart: this.sourceTime(from), speed };
    });
  }

  sourceTime(clipTime: number): number {
    const { time, value, speed } = this.#lineAt(clipTime);
    return value + (clipTime - time) * speed;
  }

  #lineAt(clipTime: number): SpeedLine {
    const [first, ...later] = this.#lines;
    const begun = later.filter(({ time }) => time <= clipTime).at(-1);
    return begun ?? first ?? { time: 0, value: 0, speed: 1 };
  }
}

/**
 * A clip as one clip for each part of it that runs at one speed; what hangs on it stays with the first.
 *
 * @param local Time of the clip's own clock at its start.
 * @param zero Time of the source's clock at the source's first instant.
 */
export function atSpeed(clip: TimelineClip, speed: ClipSpeed, local: number, zero: number): TimelineClip[] {
  if (speed === NORMAL_SPEED) return [clip];
  const parts = speed.parts(local, local + (clip.end - clip.start));
  return parts.map((part, index) => ({
    ...clip,
    start: index === 0 ? clip.start : clip.start + (part.start - local),
    end: index === parts.length - 1 ? clip.end : clip.start + (part.end - local),
    sourceStart: part.sourceStart - zero,
    speed: part.speed,
    markers: index === 0 ? clip.markers : [],
  }));
}

/** Rates of media as `conform-rate` names them; the others are whole numbers (FCPXML DTD, `srcFrameRate`). */
const NAMED_RATES: ReadonlyMap<string, FrameRate> = new Map([
  ["23.98", frameRate(24000, 1001)],
  ["29.97", frameRate(30000, 1001)],
  ["47.95", frameRate(48000, 1001)],
  ["59.94", frameRate(60000, 1001)],
  ["119.88", frameRate(120000, 1001)],
]);

/** How far rates may be apart, as a share, for media to be shown frame for frame; 24 and 25 are. */
const SAME_FRAMES = 0.05;

/** A clip's own seconds for each second of the sequence. */
export interface ConformPace {
  readonly numerator: number;
  readonly denominator: number;
}

/**
 * The pace of a clip whose media has another rate than its sequence (`conform-rate`). Rates that are close, or close to half or
 * double, are shown frame for frame, so that 25 fps in a sequence of 24 runs at 24/25; others keep their speed, as do those with
 * `scaleEnabled="0"`.
 *
 * @returns `null` where the clip keeps its speed.
 */
export function conformPace(clip: XmlElement, sequence: FrameRate): ConformPace | null {
  const conform = childAt(clip, "conform-rate");
  const name = conform?.attributes.get("srcFrameRate") ?? "";
  const whole = /^\d{1,3}$/.test(name) && Number(name) > 0 ? frameRate(Number(name)) : undefined;
  const source = NAMED_RATES.get(name) ?? whole;
  if (source === undefined || conform?.attributes.get("scaleEnabled") === "0") return null;
  const ratio = framesPerSecond(sequence) / framesPerSecond(source);
  const steps = [1, 2, 0.5].find((step) => Math.abs(ratio * step - 1) < SAME_FRAMES);
  if (steps === undefined || ratio * steps === 1) return null;
  return {
    numerator: sequence.numerator * source.denominator * (steps === 2 ? 2 : 1),
    denominator: sequence.denominator * source.numerator * (steps === 0.5 ? 2 : 1),
  };
}
