import type { IRational, Stream } from "node-av/lib";
import { type FrameRate, frameRate, framesPerSecond } from "../../../core/frame-rate.ts";

/** What the times of a picture stream say about its rate. */
export interface PictureRate {
  readonly rate: FrameRate | null;
  readonly isVariableRate: boolean;
}

/** Rates that are common enough for a header within {@link SNAP} of one to mean exactly that one. */
const STANDARD_RATES: readonly FrameRate[] = [
  [24000, 1001],
  [24, 1],
  [25, 1],
  [30000, 1001],
  [30, 1],
  [48000, 1001],
  [48, 1],
  [50, 1],
  [60000, 1001],
  [60, 1],
  [100, 1],
  [120000, 1001],
  [120, 1],
].map(([numerator = 1, denominator]) => frameRate(numerator, denominator));

/** Relative distance within which a stated rate is taken for a standard one; 24 and 24000/1001 lie 1e-3 apart. */
const SNAP = 2e-4;

/** Relative distance within which a stated rate explains the measured distance of frames. */
const EXPLAINS = 0.01;

/** How many times its average a variable rate may be: a rate that is stated, with frames left out, not the ticks of a clock. */
const FRAMES_LEFT_OUT = 1.6;

/** Rates outside these, in frames per second, are artefacts of a time base rather than rates. */
const SENSIBLE = { minimum: 1, maximum: 300 };

/** Share of uneven distances between frames from which a stream counts as variable: a dropped frame does not. */
const UNEVEN_SHARE = 0.02;

/**
 * Judges a picture stream's rate from its header and the presentation times of some of its frames. Of a variable rate it is
 * the stated one where only some frames are left out, else the standard rate next to the average: a header may state ticks.
 *
 * @param times Presentation times in seconds, any order; a few hundred are enough.
 * @param tickSeconds Resolution of the times: what a container that counts in milliseconds rounds to.
 */
export function judgePictureRate(stream: Stream, times: readonly number[], tickSeconds: number): PictureRate {
  const header = [stream.rFrameRate, stream.codecpar.frameRate].flatMap(asRate);
  const average = asRate(stream.avgFrameRate);
  const distances = frameDistances(times);
  const usual = distances[distances.length >> 1];
  if (usual === undefined || usual <= 0) {
    return { rate: standardOrNone(header[0] ?? average[0]), isVariableRate: false };
  }
  const tolerance = Math.max(1.5 * tickSeconds, 0.1 * usual);
  const even = distances.filter((distance) => Math.abs(distance - usual) <= tolerance);
  const isUneven = distances.length - even.length > UNEVEN_SHARE * distances.length;
  const isVariableRate = isUneven || averageIsOff(stream, usual);
  const explains = (rate: FrameRate) => Math.abs(framesPerSecond(rate) * mean(even) - 1) < EXPLAINS;
  const stated = [...header, ...average].find(explains);
  if (isVariableRate) return { rate: variableRate(stated, averageOf(stream, times)), isVariableRate };
  const nearest = nearestRate(STANDARD_RATES.filter(explains), 1 / mean(even));
  return { rate: standardOrNone(stated ?? nearest), isVariableRate };
}

function variableRate(stated: FrameRate | undefined, average: number): FrameRate | null {
  if (stated !== undefined && framesPerSecond(stated) <= FRAMES_LEFT_OUT * average) return standardRate(stated);
  // Nobody slows what is slower than film by a thousandth.
  const rates = STANDARD_RATES.filter(({ denominator }) => denominator === 1 || average > 23.5);
  return nearestRate(rates, average) ?? null;
}

/** The rate next to so many frames per second: 24 and 24000/1001 both explain the distances of the other. */
function nearestRate(rates: readonly FrameRate[], perSecond: number): FrameRate | undefined {
  const distanceOf = (rate: FrameRate) => Math.abs(Math.log(framesPerSecond(rate) / perSecond));
  return [...rates].sort((a, b) => distanceOf(a) - distanceOf(b))[0];
}

/** Frames per second: as the header counts them, else of those whose times are known. */
function averageOf(stream: Stream, times: readonly number[]): number {
  const { num, den } = stream.avgFrameRate;
  if (stream.nbFrames > 0n && num > 0 && den > 0) return num / den;
  const span = Math.max(...times) - Math.min(...times);
  return span > 0 ? (times.length - 1) / span : 1;
}

function asRate({ num, den }: IRational): FrameRate[] {
  if (num <= 0 || den <= 0 || num / den < SENSIBLE.minimum || num / den > SENSIBLE.maximum) return [];
  return [frameRate(num, den)];
}

/** Distances between neighbouring frames in seconds, shortest first. */
function frameDistances(times: readonly number[]): number[] {
  const ordered = [...times].sort((a, b) => a - b);
  return ordered
    .slice(1)
    .map((time, index) => time - (ordered[index] ?? time))
    .sort((a, b) => a - b);
}

/** Whether a header that counts every frame puts their average far from their usual distance, later in the file then. */
function averageIsOff(stream: Stream, usualSeconds: number): boolean {
  const { num, den } = stream.avgFrameRate;
  if (stream.nbFrames <= 0n || num <= 0 || den <= 0) return false;
  return Math.abs((num / den) * usualSeconds - 1) > AVERAGE_OFF;
}

/** Relative distance of average and usual rate that dropped frames and rounding do not explain. */
const AVERAGE_OFF = 0.05;

/** `rate`, or the standard rate that it is a rounded form of: 2997/100 means 30000/1001. */
export function standardRate(rate: FrameRate): FrameRate {
  return (
    STANDARD_RATES.find((standard) => Math.abs(framesPerSecond(rate) / framesPerSecond(standard) - 1) < SNAP) ?? rate
  );
}

function standardOrNone(rate: FrameRate | undefined): FrameRate | null {
  return rate === undefined ? null : standardRate(rate);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
