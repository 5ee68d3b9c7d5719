/** A point of a letter: right and down from its upper left corner, in units of which a letter is {@link LETTER_HEIGHT} high. */
type Point = readonly [number, number];

/** Capital letters as strokes of a pen, which is drawn along each line from point to point. */
export interface Letter {
  readonly width: number;
  readonly strokes: readonly (readonly Point[])[];
}

/** Height of every letter, in units. */
export const LETTER_HEIGHT = 6;

/** Width of the pen, in units. */
export const PEN_WIDTH = 0.85;

/** Between the strokes of one letter and those of the next, in units. */
export const LETTER_SPACE = 1.6;

const POINTS_OF_ARC = 16;

/** A part of an ellipse; degrees count clockwise from the right. */
function arc([x, y]: Point, [across, down]: Point, from: number, to: number): Point[] {
  return Array.from({ length: POINTS_OF_ARC + 1 }, (_, index) => {
    const angle = ((from + ((to - from) * index) / POINTS_OF_ARC) * Math.PI) / 180;
    return [x + across * Math.cos(angle), y + down * Math.sin(angle)];
  });
}

const letter = (width: number, ...strokes: readonly (readonly Point[])[]): Letter => ({ width, strokes });
const line = (...points: readonly Point[]): readonly Point[] => points;

/** The left stem that many letters have. */
const STEM = line([0, 0], [0, 6]);

/** The upper bowl of P and R. */
const BOWL = [...line([0, 0], [2.2, 0]), ...arc([2.2, 1.65], [1.6, 1.65], -90, 90), ...line([2.2, 3.3], [0, 3.3])];

const LETTERS: Readonly<Record<string, Letter>> = {
  A: letter(4.4, line([0, 6], [2.2, 0], [4.4, 6]), line([0.75, 4], [3.65, 4])),
  B: letter(
    3.9,
    STEM,
    [...line([0, 0], [2.1, 0]), ...arc([2.1, 1.45], [1.5, 1.45], -90, 90), ...line([2.1, 2.9], [0, 2.9])],
    [...line([2.1, 2.9]), ...arc([2.2, 4.45], [1.7, 1.55], -90, 90), ...line([2.2, 6], [0, 6])],
  ),
  C: letter(4, arc([2.4, 3], [2.4, 3], -50, -310)),
  D: letter(4.2, STEM, [...line([0, 0], [1.6, 0]), ...arc([1.6, 3], [2.6, 3], -90, 90), ...line([1.6, 6], [0, 6])]),
  E: letter(3.5, line([3.5, 0], [0, 0], [0, 6], [3.5, 6]), line([0, 2.9], [3.1, 2.9])),
  F: letter(3.4, line([3.4, 0], [0, 0], [0, 6]), line([0, 2.9], [3, 2.9])),
  G: letter(4.4, [...arc([2.5, 3], [2.5, 3], -50, -330), ...line([4.6, 4.4], [4.6, 3.3], [2.9, 3.3])]),
  H: letter(4, STEM, line([4, 0], [4, 6]), line([0, 2.9], [4, 2.9])),
  I: letter(0, STEM),
  J: letter(2.8, [...line([2.8, 0], [2.8, 4.4]), ...arc([1.4, 4.4], [1.4, 1.6], 0, 170)]),
  K: letter(4, STEM, line([3.9, 0], [0, 3.7]), line([1.3, 2.5], [4, 6])),
  L: letter(3.3, line([0, 0], [0, 6], [3.3, 6])),
  M: letter(5, line([0, 6], [0, 0], [2.5, 4.4], [5, 0], [5, 6])),
  N: letter(4.1, line([0, 6], [0, 0], [4.1, 6], [4.1, 0])),
  O: letter(5, arc([2.5, 3], [2.5, 3], 0, 360)),
  P: letter(3.8, STEM, BOWL),
  Q: letter(5, arc([2.5, 3], [2.5, 3], 0, 360), line([3, 4.3], [4.9, 6.2])),
  R: letter(4, STEM, BOWL, line([2, 3.3], [4, 6])),
  S: letter(3.8, [...arc([1.95, 1.5], [1.7, 1.5], -25, -270), ...arc([1.95, 4.5], [1.85, 1.5], -90, 160)]),
  T: letter(4, line([0, 0], [4, 0]), line([2, 0], [2, 6])),
  U: letter(4.1, [...line([0, 0], [0, 3.9]), ...arc([2.05, 3.9], [2.05, 2.1], 180, 0), ...line([4.1, 3.9], [4.1, 0])]),
  V: letter(4.4, line([0, 0], [2.2, 6], [4.4, 0])),
  W: letter(6.2, line([0, 0], [1.5, 6], [3.1, 0.6], [4.7, 6], [6.2, 0])),
  X: letter(4.2, line([0, 0], [4.2, 6]), line([4.2, 0], [0, 6])),
  Y: letter(4.2, line([0, 0], [2.1, 3.1], [4.2, 0]), line([2.1, 3.1], [2.1, 6])),
  Z: letter(3.9, line([0, 0], [3.9, 0], [0, 6], [3.9, 6])),
};

const BLANK = letter(1.4);

/** How a letter is written; a blank for characters that are not drawn (anything but A to Z). */
export function letterOf(character: string): Letter {
  return LETTERS[character.toUpperCase()] ?? BLANK;
}
