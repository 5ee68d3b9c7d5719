import { type Box, type InkPicture, partsIn } from "./ink.ts";

/** Shares of the height of a word's highest piece: what is a letter, and how far from it a mark of it stands, at most how high. */
const LETTER = 0.45;
const MARK = { above: 0.45, below: 0.3, height: 0.5 };

/** Pixels of a mark at least. */
const LEAST_MARK = 3;

/** Share of a mark's width that lies over its letter. */
const OVER = 0.5;

/** Heights of a letter within which two marks belong to one: the two dots of an umlaut. */
const ONE_MARK = 0.35;

/** Room around a word in which marks are looked for, as shares of its line's height; and in pixels beside it. */
const AROUND = { above: 0.4, below: 0.3, beside: 2 };

/** How far a letter reaches below the others, as a share of their height, for it to have a tail. */
const TAIL = 0.15;

/** Signs with a tail, in one font or another. */
const WITH_TAIL = /[fgjpqyzßJQŋ3-9@,;()[\]{}|/&§µβγζημξρςφχψруфцщдђџјДЦЩ]/gu;

/** Letters with a dot by themselves. */
const DOTTED = /[ijіј]/gu;

/** Combining marks below letters, or through them; all others stand above. */
const BELOW = /[\u0316-\u0319\u031c-\u0333\u0339-\u033c\u0345\u0347-\u0349\u034d\u034e\u0353-\u0356\u0321-\u0328]/gu;

/** Signs with a part of their own above or below another one, and how many of each there are. */
const STACKED = { above: /[:;÷=≠"“”%‰‽!?¡¿§]/gu, below: /[:;!?‽÷=%‰]/gu };

/**
 * Whether a word stands in a picture with more marks over or under its letters than it was read with: an accent that data without it
 * leaves out makes another word. Where letters run together, marks may be missed.
 *
 * @param box Where the word stands; its line's height counts.
 */
export function hasMoreMarks(ink: InkPicture, text: string, box: Box): boolean {
  const height = box.bottom - box.top;
  const around = {
    left: box.left - AROUND.beside,
    right: box.right + AROUND.beside,
    top: Math.floor(box.top - AROUND.above * height),
    bottom: Math.ceil(box.bottom + AROUND.below * height),
  };
  // What is cut off belongs to the line above or below.
  const parts = partsIn(ink, around).filter(({ top, bottom }) => top > around.top && bottom < around.bottom);
  const highest = Math.max(0, ...parts.map(heightOf));
  const letters = parts.filter((part) => heightOf(part) >= LETTER * highest);
  const heights = letters.map(heightOf).sort((a, b) => a - b);
  const letterHeight = heights[Math.floor(heights.length / 2)] ?? 0;
  const marks = parts.filter(
    (part) =>
      !letters.includes(part) &&
      part.size >= LEAST_MARK &&
      heightOf(part) <= MARK.height * letterHeight &&
      // What is cut off is some of a letter.
      part.left > around.left &&
      part.right < around.right,
  );
  const stands = (mark: Box, isOf: (letter: Box) => boolean) =>
    letters.some((letter) => isOver(mark, letter) && isOf(letter));
  const above = marks.filter((mark) =>
    stands(mark, ({ top }) => mark.bottom <= top + 1 && top - mark.bottom <= MARK.above * letterHeight),
  );
  const below = marks.filter((mark) =>
    stands(mark, ({ bottom }) => mark.top >= bottom - 1 && mark.top - bottom <= MARK.below * letterHeight),
  );
  const bottoms = letters.map(({ bottom }) => bottom).sort((a, b) => a - b);
  const baseline = bottoms[Math.floor(bottoms.length / 4)] ?? 0;
  const tails = letters.filter(({ bottom }) => bottom > baseline + TAIL * letterHeight).length;
  const wanted = marksOf(text);
  return (
    together(above, letterHeight) > wanted.above || together(below, letterHeight) > wanted.below || tails > wanted.tails
  );
}

/** The marks that a word's letters have. */
function marksOf(text: string): { readonly above: number; readonly below: number; readonly tails: number } {
  const count = (pattern: RegExp, of = text) => of.match(pattern)?.length ?? 0;
  // A letter with an accent has no dot beside it.
  const apart = text.normalize("NFD").replace(/[iі](?=[\u0300-\u0314])/gu, "");
  const below = count(BELOW, apart);
  const above = count(/\p{Mn}/gu, apart) - below + count(DOTTED, apart);
  const tails = count(WITH_TAIL, apart) + below;
  return { above: above + count(STACKED.above), below: below + count(STACKED.below), tails };
}

function heightOf({ top, bottom }: Box): number {
  return bottom - top;
}

function isOver(mark: Box, letter: Box): boolean {
  return Math.min(mark.right, letter.right) - Math.max(mark.left, letter.left) >= OVER * (mark.right - mark.left);
}

/** How many letters marks belong to. */
function together(marks: readonly Box[], letterHeight: number): number {
  const inOrder = marks.toSorted((a, b) => a.left - b.left);
  return inOrder.filter((mark, at) => {
    const before = inOrder[at - 1];
    return before === undefined || mark.left - before.right > ONE_MARK * letterHeight;
  }).length;
}
