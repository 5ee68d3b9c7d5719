/** A picture of one byte a pixel, 0 (black) to 255 (white). */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  /** Pixels from one row to the next. */
  readonly stride: number;
  readonly rows: Uint8Array;
}

/** Whether letters are lighter or darker than what they stand on. */
type Ink = "light" | "dark";

/** A piece of a row of pixels that may be part of a letter. */
interface Stroke {
  readonly from: number;
  readonly to: number;
  /** Luma at its lightest, 0 to 255; of dark ink at its darkest, counted from white. */
  readonly level: number;
}

/** Strokes of lettering in one ink and one colour. */
export interface Lettering {
  readonly ink: Ink;
  /** The level that most strokes have, see `Stroke`. */
  readonly level: number;
  /** How much lettering there is: strokes in rows that hold it one below the other, as if the picture had one row. 0 for none. */
  readonly amount: number;
  /** By row, of rows with lettering. */
  readonly strokes: ReadonlyMap<number, readonly Stroke[]>;
}

/** Luma by which a stroke differs from what is left and right of it, over so many pixels: an edge may be soft. */
const EDGE = { luma: 40, pixels: 3 };

/** How far strokes of one writing differ in level: it is of one colour, as leaves, hair and crowds are not. */
const ONE_COLOUR = 30;

/** Strokes near each other in a row that make it a row of lettering: three letters of two, or fewer that are wide. */
const STROKES = 4;

/** The widest stroke, as a share of the width: the bar of a letter that fills the picture. Strokes of one row lie twice as far apart. */
const WIDEST = 0.14;

/** Rows of lettering one below the other, as a share of the height, that make a line of it; below lie subtitles of a phone. */
const LINE_HEIGHT = 0.022;

/**
 * Finds lettering of one colour, whatever it stands on: the ink with more of it.
 *
 * @param rowStep Every so many-th row is looked at; 1 for all.
 */
export function findLettering(picture: GreyPicture, rowStep: number): Lettering {
  const light = letteringIn(picture, "light", rowStep);
  const dark = letteringIn(picture, "dark", rowStep);
  return dark.amount > light.amount ? dark : light;
}

/** Finds lettering of one ink, see {@link findLettering}. */
function letteringIn(picture: GreyPicture, ink: Ink, rowStep: number): Lettering {
  const strokes = new Map<number, Stroke[]>();
  const levels = new Uint32Array(256);
  for (let y = 0; y < picture.height; y += rowStep) {
    const found = strokesOfRow(picture, y, ink);
    if (found.length === 0) continue;
    strokes.set(y, found);
    for (const { level } of found) levels[level] = (levels[level] ?? 0) + 1;
  }
  const level = mostCommon(levels);
  const least = Math.max(2, Math.round((LINE_HEIGHT * picture.height) / rowStep));
  let [amount, run, inRun] = [0, 0, 0];
  for (let y = 0; y < picture.height + rowStep; y += rowStep) {
    const own = strokes.get(y)?.filter((stroke) => Math.abs(stroke.level - level) <= ONE_COLOUR).length ?? 0;
    if (own >= STROKES) {
      run++;
      inRun += own;
      continue;
    }
    if (run >= least) amount += inRun;
    [run, inRun] = [0, 0];
  }
  return { ink, level, amount: (amount * rowStep) / picture.height, strokes };
}

/** The strokes of a row that stand in a chain of one colour. */
function strokesOfRow({ width, stride, rows }: GreyPicture, y: number, ink: Ink): Stroke[] {
  const widest = WIDEST * width;
  const flip = ink === "light" ? 0 : 255;
  const found: Stroke[] = [];
  let chain: Stroke[] = [];
  let [from, level] = [-1, 0];
  const end = y * stride + width;
  for (let at = y * stride + EDGE.pixels; at < end; at++) {
    const here = (rows[at] as number) ^ flip; // inside the picture, as below
    const step = here - ((rows[at - EDGE.pixels] as number) ^ flip);
    const x = at - y * stride;
    if (from >= 0 && here > level) level = here;
    if (from < 0) {
      if (step >= EDGE.luma) [from, level] = [x - 1, here];
    } else if (step <= -EDGE.luma) {
      const last = chain.at(-1);
      const isNext = last !== undefined && Math.abs(last.level - level) <= ONE_COLOUR && from - last.to <= 2 * widest;
      if (!isNext) {
        if (chain.length >= STROKES) found.push(...chain);
        chain = [];
      }
      chain.push({ from, to: x - 1, level });
      from = -1;
    } else if (x - from > widest) from = -1;
  }
  if (chain.length >= STROKES) found.push(...chain);
  return found;
}

/** The middle of the {@link ONE_COLOUR} levels that hold most. */
function mostCommon(levels: Uint32Array): number {
  let [most, level] = [0, 0];
  for (let middle = 0; middle < levels.length; middle++) {
    let sum = 0;
    const [first, last] = [Math.max(0, middle - ONE_COLOUR / 2), Math.min(255, middle + ONE_COLOUR / 2)];
    for (let near = first; near <= last; near++) sum += levels[near] ?? 0;
    if (sum > most) [most, level] = [sum, middle];
  }
  return level;
}

/** Share of a patch of ink that strokes cover at least, for it to be a letter as a whole. */
const LETTER_SHARE = 0.35;

/** The largest letter, as shares of the picture, and the fewest rows and pixels of one. */
const LETTER = { width: 0.4, height: 0.6, rows: 4, pixels: 8 };

/**
 * Lettering alone, black on white, without gaps between rows: patches of its colour that its strokes lie in. Of a patch that runs on
 * into the picture, the strokes.
 *
 * @param lettering As found with a `rowStep` of 1.
 * @param tolerance Levels below that of the lettering that are still ink: soft edges, or less of what lies behind.
 */
export function letteringAlone(picture: GreyPicture, lettering: Lettering, tolerance: number): GreyPicture {
  const { width, height, stride, rows } = picture;
  const flip = lettering.ink === "light" ? 0 : 255;
  const isInk = (at: number) =>
    ((rows[Math.floor(at / width) * stride + (at % width)] as number) ^ flip) >= lettering.level - tolerance; // inside, as below
  const paper = new Uint8Array(width * height).fill(255);
  const inStroke = new Uint8Array(width * height);
  const seeds: number[] = [];
  for (const [y, strokes] of lettering.strokes) {
    for (const { from, to, level } of strokes) {
      if (Math.abs(level - lettering.level) > ONE_COLOUR) continue;
      for (let at = y * width + from; at <= y * width + to; at++) {
        if (!isInk(at)) continue;
        inStroke[at] = 1;
        seeds.push(at);
      }
    }
  }
  const isSeen = new Uint8Array(width * height);
  for (const seed of seeds) {
    if (isSeen[seed] === 1) continue;
    const patch = patchFrom(seed, width, height, isSeen, isInk);
    let [left, right, top, bottom, strokes] = [width, 0, height, 0, 0];
    for (const at of patch) {
      const [x, y] = [at % width, Math.floor(at / width)];
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
      strokes += inStroke[at] as number; // of one size with the picture
    }
    const isSized =
      patch.length >= LETTER.pixels &&
      bottom - top >= LETTER.rows &&
      right - left < LETTER.width * width &&
      bottom - top < LETTER.height * height;
    const isLetter = isSized && strokes >= LETTER_SHARE * patch.length;
    for (const at of patch) if (isLetter || inStroke[at] === 1) paper[at] = 0;
  }
  return { width, height, stride: width, rows: paper };
}

/** The ink that hangs together with a pixel. */
function patchFrom(
  seed: number,
  width: number,
  height: number,
  isSeen: Uint8Array,
  isInk: (at: number) => boolean,
): number[] {
  const patch = [seed];
  isSeen[seed] = 1;
  for (let index = 0; index < patch.length; index++) {
    const at = patch[index] as number; // below the length
    const x = at % width;
    const neighbours = [x > 0 ? at - 1 : at, x < width - 1 ? at + 1 : at, at - width, at + width];
    for (const next of neighbours) {
      if (next < 0 || next >= width * height || isSeen[next] === 1 || !isInk(next)) continue;
      isSeen[next] = 1;
      patch.push(next);
    }
  }
  return patch;
}

/** A picture with light and dark exchanged. */
export function inverted(picture: GreyPicture): GreyPicture {
  return { ...picture, rows: picture.rows.map((luma) => 255 - luma) };
}

/** A picture a whole number of times smaller, without gaps between rows: each pixel the mean of those it takes the place of. */
export function shrunk({ width, height, stride, rows }: GreyPicture, times: number): GreyPicture {
  const [columns, lines] = [Math.floor(width / times), Math.floor(height / times)];
  const means = new Uint8Array(columns * lines);
  for (let y = 0; y < lines; y++) {
    for (let x = 0; x < columns; x++) {
      let sum = 0;
      for (let dy = 0; dy < times; dy++) {
        for (let dx = 0; dx < times; dx++) sum += rows[(y * times + dy) * stride + x * times + dx] as number; // inside
      }
      means[y * columns + x] = Math.round(sum / (times * times));
    }
  }
  return { width: columns, height: lines, stride: columns, rows: means };
}
