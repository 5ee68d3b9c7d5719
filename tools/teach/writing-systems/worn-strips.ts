import { type LineStrip, STRIP_ROWS } from "../../../src/engine/ocr/writing-net.ts";
import type { Chance } from "./chance.ts";
import type { DrawnLine } from "./drawn-lines.ts";

/** Columns of a strip to learn from. */
const STRIP_COLUMNS = 4 * STRIP_ROWS;

/** A piece of a line as a film may show it: cut narrowly or widely, stretched, blurred, pale, grainy. */
export function wornStrip(line: DrawnLine, chance: Chance): LineStrip {
  const [above, below] = [chance.between(-0.05, 0.14) * line.rows, chance.between(-0.05, 0.14) * line.rows];
  const coarse = chance.isSo(0.5) ? chance.between(10, 40) : 48;
  const whole = resized(line, { top: -above, bottom: line.rows + below }, coarse, Math.exp(0.12 * chance.around()));
  const strip = whole.rows === STRIP_ROWS ? whole : resized(whole, { top: 0, bottom: whole.rows }, STRIP_ROWS, 1);
  const [bend, grain] = [Math.exp(0.25 * chance.around()), chance.between(0, 0.1)];
  const cut = chance.isSo(0.3) ? chance.between(0.25, 0.6) : null;
  const ink = new Float32Array(STRIP_ROWS * STRIP_COLUMNS);
  const spare = strip.columns - STRIP_COLUMNS;
  const from = spare > 0 ? chance.below(spare + 1) : -chance.below(1 - spare);
  for (let y = 0; y < STRIP_ROWS; y++) {
    for (let x = 0; x < STRIP_COLUMNS; x++) {
      const column = from + x;
      const drawn = column < 0 || column >= strip.columns ? 0 : (strip.ink[y * strip.columns + column] ?? 0);
      const worn = (drawn / 255) ** bend + grain * chance.around();
      ink[y * STRIP_COLUMNS + x] = cut === null ? Math.max(0, Math.min(1, worn)) : Number(worn > cut);
    }
  }
  return { columns: STRIP_COLUMNS, ink };
}

/** A line as it is, whole. */
export function cleanStrip(line: DrawnLine): LineStrip {
  const { columns, ink } = resized(line, { top: -0.04 * line.rows, bottom: 1.04 * line.rows }, STRIP_ROWS, 1);
  return { columns, ink: Float32Array.from(ink, (value) => value / 255) };
}

interface Ink {
  readonly columns: number;
  readonly rows: number;
  readonly ink: ArrayLike<number>;
}

/** Some rows of a line, brought to another height and stretched: each pixel the mean of those it takes the place of. */
function resized(
  { columns, rows, ink }: Ink,
  { top, bottom }: { top: number; bottom: number },
  height: number,
  stretch: number,
) {
  const size = Math.round(height);
  const down = (bottom - top) / size;
  const width = Math.max(4, Math.round((columns / down) * stretch));
  const across = columns / width;
  const made = new Float32Array(width * size);
  for (let y = 0; y < size; y++) {
    const [first, end] = [Math.floor(top + y * down), top + (y + 1) * down];
    for (let x = 0; x < width; x++) {
      let [sum, count] = [0, 0];
      for (let row = first; row < end; row++) {
        for (let column = Math.floor(x * across); column < (x + 1) * across; column++) {
          count++;
          if (row >= 0 && row < rows && column < columns) sum += ink[row * columns + column] ?? 0;
        }
      }
      made[y * width + x] = count === 0 ? 0 : sum / count;
    }
  }
  return { columns: width, rows: size, ink: made };
}

/** What is no writing: clouds, leaves, strokes, boxes. */
export function scribble(chance: Chance): LineStrip {
  const ink = new Float32Array(STRIP_ROWS * STRIP_COLUMNS);
  const kind = chance.share();
  if (kind < 0.4) clouds(ink, chance);
  else if (kind < 0.8) strokes(ink, chance);
  else boxes(ink, chance);
  return { columns: STRIP_COLUMNS, ink };
}

function each(ink: Float32Array, value: (x: number, y: number, old: number) => number): void {
  for (let y = 0; y < STRIP_ROWS; y++) {
    for (let x = 0; x < STRIP_COLUMNS; x++) {
      const at = y * STRIP_COLUMNS + x;
      ink[at] = Math.max(0, Math.min(1, value(x, y, ink[at] ?? 0)));
    }
  }
}

function clouds(ink: Float32Array, chance: Chance): void {
  const layers = Array.from({ length: 1 + chance.below(3) }, () => {
    const size = chance.oneOf([2, 3, 4, 6, 8, 12]);
    const [columns, rows] = [Math.ceil(STRIP_COLUMNS / size) + 2, Math.ceil(STRIP_ROWS / size) + 2];
    return {
      size,
      columns,
      part: chance.share(),
      points: Array.from({ length: columns * rows }, () => chance.around()),
    };
  });
  const heights: number[] = [];
  each(ink, (x, y) => {
    let sum = 0;
    for (const { size, columns, part, points } of layers) {
      const [column, row] = [Math.floor(x / size), Math.floor(y / size)];
      const [right, down] = [x / size - column, y / size - row];
      const point = (dx: number, dy: number) => points[(row + dy) * columns + column + dx] ?? 0;
      const upper = point(0, 0) * (1 - right) + point(1, 0) * right;
      const lower = point(0, 1) * (1 - right) + point(1, 1) * right;
      sum += part * (upper * (1 - down) + lower * down);
    }
    heights.push(sum);
    return 0;
  });
  const [least, most] = [Math.min(...heights), Math.max(...heights)];
  const isHard = chance.isSo(0.6);
  const [level, hardness] = [chance.between(0.4, 0.7), chance.between(5, 30)];
  each(ink, (x, y) => {
    const share = ((heights[y * STRIP_COLUMNS + x] ?? 0) - least) / (most - least + 1e-6);
    return isHard ? 1 / (1 + Math.exp(-(share - level) * hardness)) : share;
  });
}

function strokes(ink: Float32Array, chance: Chance): void {
  for (let count = 2 + chance.below(24); count > 0; count--) {
    const [left, top] = [chance.between(0, STRIP_COLUMNS), chance.between(-4, STRIP_ROWS + 4)];
    const [angle, length, thick] = [chance.between(0, Math.PI), chance.between(2, 40), chance.between(0.5, 5)];
    const [level, bend, isRound] = [chance.between(0.3, 1), chance.between(-0.03, 0.03), chance.isSo(0.5)];
    each(ink, (x, y, old) => {
      const along = (x - left) * Math.cos(angle) + (y - top) * Math.sin(angle);
      const beside = (y - top) * Math.cos(angle) - (x - left) * Math.sin(angle);
      const isIn = isRound
        ? (along / length) ** 2 + (beside / thick) ** 2 < 1
        : Math.abs(along) < length / 2 && Math.abs(beside + bend * along * along) < thick / 2;
      return isIn ? Math.max(old, level) : old;
    });
  }
}

function boxes(ink: Float32Array, chance: Chance): void {
  for (let count = 1 + chance.below(6); count > 0; count--) {
    const [left, top] = [chance.between(0, STRIP_COLUMNS), chance.between(0, STRIP_ROWS)];
    const [right, bottom] = [chance.between(left, STRIP_COLUMNS), chance.between(top, STRIP_ROWS)];
    const level = chance.share();
    each(ink, (x, y, old) => (x >= left && x < right && y >= top && y < bottom ? level : old));
  }
  const grain = chance.between(0, 0.15);
  each(ink, (_x, _y, old) => old + grain * chance.around());
}
