import type { GreyPicture, Lettering } from "../letter-strokes.ts";

/** A rectangle in pixels; `right` and `bottom` are outside. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** How much ink there is in each pixel of a picture, 0 to 1, row by row without gaps. */
export interface InkPicture {
  readonly width: number;
  readonly height: number;
  readonly ink: Float32Array;
}

/** Share of the strongest ink from which a pixel counts for where a line stands. */
const LETTER_INK = 0.5;

/** Pixels, as a share of all, that may be stronger ink than the letters, and how much stronger: specks. */
const SPECKS = { share: 0.002, times: 2 };

/** What stands out from the one colour of a card: light or dark. */
export function inkOnCard(picture: GreyPicture): InkPicture {
  const { width, height, stride, rows } = picture;
  const paper = mostCommon(lumaCounts(picture));
  const distances = new Uint32Array(256);
  const ink = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const distance = Math.abs((rows[y * stride + x] as number) - paper); // inside, as below
      ink[y * width + x] = distance;
      distances[distance] = (distances[distance] as number) + 1;
    }
  }
  let [strongest, above] = [
    Math.max(
      1,
      distances.findLastIndex((count) => count > 0),
    ),
    0,
  ];
  const least = strongest / SPECKS.times;
  while (strongest > least && above + (distances[strongest] as number) <= SPECKS.share * width * height) {
    above += distances[strongest] as number;
    strongest--;
  }
  for (let at = 0; at < ink.length; at++) ink[at] = Math.min(1, (ink[at] as number) / strongest);
  return { width, height, ink };
}

/** What is of the colour of lettering, whatever it is part of. */
export function inkOfColour({ width, height, stride, rows }: GreyPicture, { ink: kind, level }: Lettering): InkPicture {
  const flip = kind === "light" ? 0 : 255;
  const ink = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const here = (rows[y * stride + x] as number) ^ flip;
      ink[y * width + x] = Math.max(0, Math.min(1, 1 - (level - here) / COLOUR));
    }
  }
  return { width, height, ink };
}

/** Levels below that of lettering at which there is no ink of it any more. */
const COLOUR = 80;

/** Ink of a picture that is black on white. */
export function inkOfBlack({ width, height, stride, rows }: GreyPicture): InkPicture {
  const ink = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) ink[y * width + x] = 1 - (rows[y * stride + x] as number) / 255;
  }
  return { width, height, ink };
}

/** Levels of luma that are one colour. */
const ONE_COLOUR = 12;

/** Share of a picture that is of its most common luma, or nearly so: most of a card, less of a picture with a sky. */
export function paperShare(picture: GreyPicture): number {
  const counts = lumaCounts(picture);
  const paper = mostCommon(counts);
  const alike = counts.subarray(Math.max(0, paper - ONE_COLOUR), paper + ONE_COLOUR + 1);
  return alike.reduce((sum, count) => sum + count, 0) / (picture.width * picture.height);
}

function lumaCounts({ width, height, stride, rows }: GreyPicture): Uint32Array {
  const counts = new Uint32Array(256);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const luma = rows[y * stride + x] as number;
      counts[luma] = (counts[luma] as number) + 1;
    }
  }
  return counts;
}

function mostCommon(counts: Uint32Array): number {
  return counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0));
}

/** Share of it from which pixels hang together: hairlines of a letter are pale. */
const HAIRLINE_INK = 0.35;

/** A piece of ink that hangs together. */
export interface Part extends Box {
  /** Pixels. */
  readonly size: number;
}

/** The pieces of ink in a part of a picture, corners touching; what its edge cuts off counts as far as it goes. */
export function partsIn({ width, height, ink }: InkPicture, box: Box): Part[] {
  const [left, top] = [Math.max(0, Math.floor(box.left)), Math.max(0, Math.floor(box.top))];
  const [right, bottom] = [Math.min(width, Math.ceil(box.right)), Math.min(height, Math.ceil(box.bottom))];
  const columns = right - left;
  if (columns <= 0 || bottom <= top) return [];
  const seen = new Uint8Array(columns * (bottom - top));
  const isNew = (x: number, y: number) =>
    x >= left &&
    y >= top &&
    x < right &&
    y < bottom &&
    seen[(y - top) * columns + x - left] === 0 &&
    (ink[y * width + x] ?? 0) >= HAIRLINE_INK;
  const parts: Part[] = [];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      if (!isNew(x, y)) continue;
      const part = { left: x, right: x + 1, top: y, bottom: y + 1, size: 0 };
      const open: [number, number][] = [[x, y]];
      seen[(y - top) * columns + x - left] = 1;
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const [column, row] = next;
        part.size++;
        part.left = Math.min(part.left, column);
        part.right = Math.max(part.right, column + 1);
        part.top = Math.min(part.top, row);
        part.bottom = Math.max(part.bottom, row + 1);
        for (let dy = -1; dy <= 1; dy++) {
          for (let dx = -1; dx <= 1; dx++) {
            if (!isNew(column + dx, row + dy)) continue;
            seen[(row + dy - top) * columns + column + dx - left] = 1;
            open.push([column + dx, row + dy]);
          }
        }
      }
      parts.push(part);
    }
  }
  return parts;
}

/** Rows of a line of lettering at least: below, nobody reads it. */
const LEAST_ROWS = 10;

/** A row of small signs belongs to a line that is so many times higher, and no further away than this share of it. */
const SMALL = { height: 0.5, distance: 0.35 };

/** Heights of a line that a gap in it has at most. */
const WIDEST_GAP = 2;

/** Where lines of lettering stand: rows with ink, with the marks above and below them, cut at wide gaps. */
export function linesOfInk(picture: InkPicture): Box[] {
  const { width, height, ink } = picture;
  const hasInk = (y: number) => {
    for (let x = 0; x < width; x++) if ((ink[y * width + x] as number) >= LETTER_INK) return true;
    return false;
  };
  const bands: { top: number; bottom: number }[] = [];
  for (let y = 0; y < height; y++) {
    if (!hasInk(y)) continue;
    const last = bands.at(-1);
    if (last?.bottom === y) last.bottom = y + 1;
    else bands.push({ top: y, bottom: y + 1 });
  }
  return withMarks(bands)
    .filter(({ top, bottom }) => bottom - top >= LEAST_ROWS)
    .flatMap((band) => piecesOf(picture, band));
}

/** Bands of small signs put to the nearer of their neighbours. */
function withMarks(bands: readonly { readonly top: number; readonly bottom: number }[]) {
  const rest = bands.map((band) => ({ ...band }));
  for (let at = 0; at < rest.length; ) {
    const [before, band, after] = [rest[at - 1], rest[at], rest[at + 1]];
    if (band === undefined) break;
    const above = before === undefined ? Number.POSITIVE_INFINITY : band.top - before.bottom;
    const below = after === undefined ? Number.POSITIVE_INFINITY : after.top - band.bottom;
    const near = above < below ? before : after;
    const size = near === undefined ? 0 : near.bottom - near.top;
    const isMark = band.bottom - band.top < SMALL.height * size && Math.min(above, below) < SMALL.distance * size;
    if (near === undefined || !isMark) {
      at++;
      continue;
    }
    near.top = Math.min(near.top, band.top);
    near.bottom = Math.max(near.bottom, band.bottom);
    rest.splice(at, 1);
    at = Math.max(0, at - 1);
  }
  return rest;
}

function piecesOf({ width, ink }: InkPicture, { top, bottom }: { top: number; bottom: number }): Box[] {
  const hasInk = (x: number) => {
    for (let y = top; y < bottom; y++) if ((ink[y * width + x] as number) >= LETTER_INK) return true;
    return false;
  };
  const pieces: { left: number; right: number; top: number; bottom: number }[] = [];
  for (let x = 0; x < width; x++) {
    if (!hasInk(x)) continue;
    const last = pieces.at(-1);
    if (last !== undefined && x - last.right <= WIDEST_GAP * (bottom - top)) last.right = x + 1;
    else pieces.push({ left: x, right: x + 1, top, bottom });
  }
  return pieces;
}
