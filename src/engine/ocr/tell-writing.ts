import { scriptsOf } from "../../core/scripts.ts";
import { type Box, type InkPicture, linesOfInk } from "./ink.ts";
import { type LineStrip, likelihoods, STRIP_ROWS, WRITING_SYSTEMS, type WritingSystem } from "./writing-net.ts";

/** What lines of lettering are written in, as far as it can be told. */
export interface ToldWriting {
  readonly system: WritingSystem;
  /** How certain this system is, 0 to 1. */
  readonly certainty: number;
  /** How certain it is that there is writing, of whichever system; 0 to 1. */
  readonly isWriting: number;
  /** Width of the lines together, in heights of a line: what is short is hard to tell. */
  readonly length: number;
}

/** Writing systems with letters that are like the Latin ones. */
export const LIKE_LATIN: readonly WritingSystem[] = ["Latin", "Cyrillic", "Greek", "Armenian", "Georgian"];

/** Heights of a line that count for all of it: a long one says no more than this. */
const MOST_HEIGHTS = 6;

/** Heights of a line that speak for themselves. */
const HEIGHTS_FOR_ONE = 2;

/** Room around a line, as a share of its height. */
const MARGIN = 0.04;

/**
 * What lines of lettering are written in, all of them together; `null` where they are no writing, such as leaves.
 *
 * @param ink The picture that they stand in.
 */
export function tellWriting(ink: InkPicture, lines: readonly Box[]): ToldWriting | null {
  const sums = new Float64Array(WRITING_SYSTEMS.length + 1);
  let length = 0;
  for (const line of lines) {
    const own = Math.min(MOST_HEIGHTS, (line.right - line.left) / (line.bottom - line.top));
    length += own;
    for (const [kind, likelihood] of likelihoods(stripOf(ink, line)).entries()) {
      sums[kind] = (sums[kind] ?? 0) + own * Math.log(likelihood + 1e-6);
    }
  }
  const most = Math.max(...sums);
  const best = sums.indexOf(most);
  const system = WRITING_SYSTEMS[best];
  if (length === 0 || system === undefined) return null;
  const parts = sums.map((one) => Math.exp((one - most) / Math.max(1, length / HEIGHTS_FOR_ONE)));
  const sum = parts.reduce((total, part) => total + part, 0);
  return { system, certainty: 1 / sum, isWriting: 1 - (parts.at(-1) ?? 0) / sum, length };
}

/** A line of a picture, brought to the height that the net reads. */
function stripOf({ width, height, ink }: InkPicture, box: Box): LineStrip {
  const margin = MARGIN * (box.bottom - box.top);
  const [top, bottom] = [box.top - margin, box.bottom + margin];
  const scale = (bottom - top) / STRIP_ROWS;
  const columns = Math.max(STRIP_ROWS / 2, Math.round((box.right - box.left) / scale));
  const across = (box.right - box.left) / columns;
  const strip = new Float32Array(STRIP_ROWS * columns);
  for (let y = 0; y < STRIP_ROWS; y++) {
    for (let x = 0; x < columns; x++) {
      let [sum, count] = [0, 0];
      for (let row = Math.floor(top + y * scale); row < top + (y + 1) * scale; row++) {
        for (let column = Math.floor(box.left + x * across); column < box.left + (x + 1) * across; column++) {
          count++;
          if (row >= 0 && row < height && column >= 0 && column < width) sum += ink[row * width + column] as number;
        }
      }
      strip[y * columns + x] = sum / Math.max(1, count);
    }
  }
  return { columns, ink: strip };
}

/**
 * How sure it must be that letters stand there, and whose: on a card there is nothing else; over a picture leaves and hair look like
 * some, and letters that are like others even more so.
 */
const SURE = { writing: 0.9, card: 0.85, shortOnCard: 0.998, picture: 0.95, alike: 0.995 };

/** Heights of a line that what stands over a picture is long at least; letters that are like others are hard to tell in less. */
const LEAST_LENGTH = 4;

/** Writing that nobody read. */
export interface UnreadWriting {
  /** What it is written in; `null` where that cannot be told. */
  readonly system: WritingSystem | null;
}

/**
 * What writing stands in a picture beside the lines that were read; `null` for none, and for what may be something else.
 *
 * @param readable First subtags of the languages that can be read: over a picture their own letters are nothing new.
 */
export function unreadWriting(
  ink: InkPicture,
  read: readonly Box[],
  readable: readonly string[],
  isCard: boolean,
): UnreadWriting | null {
  const lines = linesOfInk(ink).filter((line) => !read.some((other) => overlap(line, other)));
  const told = tellWriting(ink, lines);
  if (told === null) return null;
  const { system, certainty, isWriting, length } = told;
  const isReadable = readable.some((language) => scriptsOf(language).includes(system));
  const isAlike = !isReadable && LIKE_LATIN.includes(system);
  if (!isCard) {
    const least = isAlike ? SURE.alike : SURE.picture;
    return !isReadable && length >= LEAST_LENGTH && certainty >= least ? { system } : null;
  }
  if (isWriting < SURE.writing) return null;
  return { system: certainty >= (isAlike && length < LEAST_LENGTH ? SURE.shortOnCard : SURE.card) ? system : null };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}
