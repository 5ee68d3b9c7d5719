import {
  cutBelowZero,
  type Layer,
  type LineStrip,
  layerShapes,
  outcome,
  type Sheet,
  STRIP_ROWS,
  shares,
  taps,
  WRITING_SYSTEMS,
  weighed,
} from "../../../src/engine/ocr/writing-net.ts";
import type { Chance } from "./chance.ts";
import type { DrawnLine } from "./drawn-lines.ts";
import { cleanStrip, scribble, wornStrip } from "./worn-strips.ts";

/** Strips after which the weights change, and how many of them are no writing. */
const BATCH = { lines: 56, scribbles: 8 };

/** How far a step goes at first and at last. */
const PACE = { first: 3e-3, last: 5e-5 };

/** Likelihood that is left to other answers: a net that is never quite sure says when it is not. */
const DOUBT = 0.03;

/** How much of the steps and squares before counts, as Adam has them. */
const MEMORY = { steps: 0.9, squares: 0.999 };

/** A number that is learned, with what it learns from. */
class Learned {
  readonly values: Float32Array;
  readonly slopes: Float32Array;
  readonly #steps: Float32Array;
  readonly #squares: Float32Array;

  constructor(values: Float32Array) {
    this.values = values;
    this.slopes = new Float32Array(values.length);
    this.#steps = new Float32Array(values.length);
    this.#squares = new Float32Array(values.length);
  }

  /** Goes a step against the slopes of so many strips, and forgets them. */
  step(pace: number, strips: number, turn: number): void {
    const [steps, squares] = [1 - MEMORY.steps ** turn, 1 - MEMORY.squares ** turn];
    for (let at = 0; at < this.values.length; at++) {
      const slope = (this.slopes[at] as number) / strips; // all of one length, as below
      const step = MEMORY.steps * (this.#steps[at] as number) + (1 - MEMORY.steps) * slope;
      const square = MEMORY.squares * (this.#squares[at] as number) + (1 - MEMORY.squares) * slope * slope;
      this.#steps[at] = step;
      this.#squares[at] = square;
      this.values[at] = (this.values[at] as number) - (pace * (step / steps)) / (Math.sqrt(square / squares) + 1e-8);
      this.slopes[at] = 0;
    }
  }
}

/** A layer that learns. */
interface LearningLayer extends Layer {
  readonly learned: { readonly weights: Learned; readonly biases: Learned };
}

/**
 * Teaches the net.
 *
 * @param rounds How often every line is looked at.
 * @param told Hears how it goes after each round.
 */
export function teach(
  lines: readonly DrawnLine[],
  rounds: number,
  chance: Chance,
  told: (round: string, net: readonly Layer[]) => void,
): Layer[] {
  const net = newNet(chance);
  const batches = Math.floor(lines.length / BATCH.lines);
  let turn = 0;
  for (let round = 0; round < rounds; round++) {
    const order = shuffled(lines, chance);
    let loss = 0;
    for (let batch = 0; batch < batches; batch++) {
      const pace = PACE.first + (PACE.last - PACE.first) * ((round * batches + batch) / (rounds * batches));
      for (const line of order.slice(batch * BATCH.lines, (batch + 1) * BATCH.lines)) {
        loss += learnFrom(net, wornStrip(line, chance), WRITING_SYSTEMS.indexOf(line.system));
      }
      for (let count = 0; count < BATCH.scribbles; count++) {
        loss += learnFrom(net, scribble(chance), WRITING_SYSTEMS.length);
      }
      turn++;
      for (const { learned } of net) {
        for (const one of [learned.weights, learned.biases]) one.step(pace, BATCH.lines + BATCH.scribbles, turn);
      }
    }
    told(`round ${round + 1}: loss ${(loss / (batches * (BATCH.lines + BATCH.scribbles))).toFixed(3)}`, net);
  }
  return net;
}

function newNet(chance: Chance): LearningLayer[] {
  return layerShapes(WRITING_SYSTEMS.length + 1).map((shape) => {
    const count = shape.from * shape.patch[0] * shape.patch[1];
    const size = Math.sqrt(2 / count);
    const weights = new Learned(Float32Array.from({ length: shape.to * count }, () => size * chance.around()));
    const biases = new Learned(new Float32Array(shape.to));
    return { ...shape, weights: weights.values, biases: biases.values, learned: { weights, biases } };
  });
}

function shuffled<T>(all: readonly T[], chance: Chance): T[] {
  const order = [...all];
  for (let at = order.length - 1; at > 0; at--) {
    const other = chance.below(at + 1);
    [order[at], order[other]] = [order[other] as T, order[at] as T]; // both inside
  }
  return order;
}

/** Adds what a strip teaches to the slopes. @returns How far off the net was. */
function learnFrom(net: readonly LearningLayer[], strip: LineStrip, right: number): number {
  const sheets: Sheet[] = [{ channels: 1, rows: STRIP_ROWS, columns: strip.columns, values: strip.ink }];
  for (const [index, layer] of net.entries()) {
    const next = weighed(sheets[index] as Sheet, layer); // the one made before
    if (index < net.length - 1) cutBelowZero(next.values);
    sheets.push(next);
  }
  const last = sheets[net.length] as Sheet;
  const told = shares(outcome(strip, net));
  const wanted = (kind: number) => (kind === right ? 1 - DOUBT : 0) + DOUBT / last.channels;
  let slopes: Float32Array = Float32Array.from(
    { length: last.values.length },
    (_, at) => ((told[Math.floor(at / last.columns)] ?? 0) - wanted(Math.floor(at / last.columns))) / last.columns,
  );
  for (let index = net.length - 1; index >= 0; index--) {
    const [sheet, layer, after] = [sheets[index] as Sheet, net[index] as LearningLayer, sheets[index + 1] as Sheet];
    if (index < net.length - 1) {
      for (let at = 0; at < slopes.length; at++) if (after.values[at] === 0) slopes[at] = 0;
    }
    slopes = learnLayer(layer, sheet, after, slopes);
  }
  return -Math.log(told[right] ?? 1);
}

/** Adds to a layer's slopes. @returns Those of the sheet before. */
function learnLayer(layer: LearningLayer, sheet: Sheet, after: Sheet, slopes: Float32Array): Float32Array {
  const { learned, step, weights } = layer;
  const before = new Float32Array(sheet.values.length);
  const size = after.rows * after.columns;
  for (let at = 0; at < slopes.length; at++) {
    const channel = Math.floor(at / size);
    learned.biases.slopes[channel] = (learned.biases.slopes[channel] as number) + (slopes[at] as number); // inside, as below
  }
  for (const tap of taps(sheet, layer, after.columns)) {
    const weight = weights[tap.weight] as number;
    let sum = 0;
    for (let y = 0; y < after.rows; y++) {
      const row = y * step + tap.down;
      if (row < 0 || row >= sheet.rows) continue;
      const out = (tap.channel * after.rows + y) * after.columns;
      const of = (tap.before * sheet.rows + row) * sheet.columns + tap.across;
      for (let x = tap.first; x < tap.end; x++) {
        const slope = slopes[out + x] as number;
        if (slope === 0) continue;
        const at = of + x * step;
        sum += slope * (sheet.values[at] as number);
        before[at] = (before[at] as number) + slope * weight;
      }
    }
    learned.weights.slopes[tap.weight] = (learned.weights.slopes[tap.weight] as number) + sum;
  }
  return before;
}

/** Share of lines that a net tells right, and of each system what it takes wrongly for what. */
export function measure(
  net: readonly Layer[],
  lines: readonly DrawnLine[],
): { readonly right: number; readonly table: string } {
  const wrong = new Map<string, string[]>();
  const count = new Map<string, number>();
  let right = 0;
  for (const line of lines) {
    const values = outcome(cleanStrip(line), net);
    const told = WRITING_SYSTEMS[values.indexOf(Math.max(...values))] ?? "no writing";
    count.set(line.system, (count.get(line.system) ?? 0) + 1);
    if (told === line.system) right++;
    else wrong.set(line.system, [...(wrong.get(line.system) ?? []), told]);
  }
  const rows = [...count].map(([system, lines]) => {
    const taken = wrong.get(system) ?? [];
    const names = [...new Set(taken)].map((name) => `${name} ${taken.filter((one) => one === name).length}`);
    return `${system.padEnd(12)}${String(lines).padStart(5)}  ${(1 - taken.length / lines).toFixed(3)}  ${names.join(", ")}`;
  });
  return { right: right / Math.max(1, lines.length), table: rows.join("\n") };
}
