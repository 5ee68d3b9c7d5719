import { scriptsOf } from "../../core/scripts.ts";
import { type Box, type InkPicture, linesOfInk } from "./ink.ts";
import { LIKE_LATIN, tellWriting } from "./tell-writing.ts";
import type { WritingSystem } from "./writing-net.ts";

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
