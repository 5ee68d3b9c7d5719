import STORED from "./writing-net.json" with { type: "json" };

/** Rows of a strip: every line of lettering is brought to this height. */
export const STRIP_ROWS = 24;

/** A line of lettering, brought to {@link STRIP_ROWS} rows. */
export interface LineStrip {
  readonly columns: number;
  /** How much ink there is, 0 to 1, row by row. */
  readonly ink: Float32Array;
}

/** Values in channels, each of rows one after another. */
export interface Sheet {
  readonly channels: number;
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
}

/** A layer of the net: patches of the sheet before, weighed. */
export interface Layer {
  readonly from: number;
  readonly to: number;
  /** Rows and columns of a patch. */
  readonly patch: readonly [number, number];
  /** Rows and columns from one patch to the next. */
  readonly step: number;
  /** Rows and columns of nothing around the sheet. */
  readonly margin: readonly [number, number];
  /** By channel of the next sheet, of this one, row and column of the patch. */
  readonly weights: Float32Array;
  readonly biases: Float32Array;
}

/** The layers, but for their weights: strokes, what they make together, letters, and what these say. */
export function layerShapes(kinds: number): Omit<Layer, "weights" | "biases">[] {
  return [
    { from: 1, to: 12, patch: [5, 5], step: 2, margin: [2, 2] },
    { from: 12, to: 24, patch: [3, 3], step: 2, margin: [1, 1] },
    { from: 24, to: 48, patch: [STRIP_ROWS / 4, 5], step: 1, margin: [0, 2] },
    { from: 48, to: kinds, patch: [1, 1], step: 1, margin: [0, 0] },
  ];
}

/** What the net tells apart, by the names that Unicode has for scripts; Japanese is what holds kana. */
export const WRITING_SYSTEMS = [
  "Latin", "Cyrillic", "Greek", "Arabic", "Hebrew", "Devanagari", "Bengali", "Gujarati", "Gurmukhi", "Tamil", "Telugu",
  "Kannada", "Malayalam", "Thai", "Han", "Japanese", "Hangul", "Georgian", "Armenian",
] as const; // biome-ignore format: a table reads better in rows

/** A way to write. */
export type WritingSystem = (typeof WRITING_SYSTEMS)[number];

let layers: readonly Layer[] | undefined;

/** How likely it is, 0 to 1, that a strip holds letters of each of {@link WRITING_SYSTEMS}; the last is for no letters at all. */
export function likelihoods(strip: LineStrip): Float64Array {
  layers ??= storedLayers();
  return shares(outcome(strip, layers));
}

/** What the last layer says of a strip as a whole: the higher, the likelier. */
export function outcome({ ink, columns }: LineStrip, net: readonly Layer[]): Float64Array {
  let sheet: Sheet = { channels: 1, rows: STRIP_ROWS, columns, values: ink };
  for (const [index, layer] of net.entries()) {
    sheet = weighed(sheet, layer);
    if (index < net.length - 1) cutBelowZero(sheet.values);
  }
  return Float64Array.from({ length: sheet.channels }, (_, channel) => {
    const of = sheet.values.subarray(channel * sheet.columns, (channel + 1) * sheet.columns);
    return of.reduce((sum, value) => sum + value, 0) / Math.max(1, sheet.columns);
  });
}

/** Numbers of any size as shares of 1. */
export function shares(values: Float64Array): Float64Array {
  const most = Math.max(...values);
  const raised = values.map((value) => Math.exp(value - most));
  const sum = raised.reduce((total, value) => total + value, 0);
  return raised.map((value) => value / sum);
}

/** Takes away what is below nothing. */
export function cutBelowZero(values: Float32Array): void {
  for (let at = 0; at < values.length; at++) if ((values[at] as number) < 0) values[at] = 0; // inside
}

/** The next sheet: what each patch of the one before makes with the weights. */
export function weighed(sheet: Sheet, layer: Layer): Sheet {
  const { rows, columns } = sizeAfter(sheet, layer);
  const { to, step, weights, biases } = layer;
  const values = new Float32Array(to * rows * columns);
  for (let channel = 0; channel < to; channel++) {
    values.fill(biases[channel] as number, channel * rows * columns, (channel + 1) * rows * columns); // inside, as below
  }
  for (const { channel, before, down, across, weight, first, end } of taps(sheet, layer, columns)) {
    const by = weights[weight] as number;
    for (let y = 0; y < rows; y++) {
      const row = y * step + down;
      if (row < 0 || row >= sheet.rows) continue;
      const into = (channel * rows + y) * columns;
      const of = (before * sheet.rows + row) * sheet.columns + across;
      for (let x = first; x < end; x++) {
        values[into + x] = (values[into + x] as number) + by * (sheet.values[of + x * step] as number);
      }
    }
  }
  return { channels: to, rows, columns, values };
}

/** Rows and columns of the sheet that a layer makes. */
function sizeAfter(
  { rows, columns }: Pick<Sheet, "rows" | "columns">,
  { patch, step, margin }: Pick<Layer, "patch" | "step" | "margin">,
): { readonly rows: number; readonly columns: number } {
  return {
    rows: Math.floor((rows + 2 * margin[0] - patch[0]) / step) + 1,
    columns: Math.floor((columns + 2 * margin[1] - patch[1]) / step) + 1,
  };
}

/** One weight of a layer, and what it takes into what. */
interface Tap {
  /** Of the next sheet, and of the one before. */
  readonly channel: number;
  readonly before: number;
  /** From a place of the next sheet, times the step, to the one before. */
  readonly down: number;
  readonly across: number;
  /** Its place among the weights. */
  readonly weight: number;
  /** Columns of the next sheet for which the one before has some. */
  readonly first: number;
  readonly end: number;
}

/** Every weight of a layer, in order. */
export function* taps(sheet: Sheet, { from, to, patch, step, margin }: Layer, columns: number): Generator<Tap> {
  let weight = 0;
  for (let channel = 0; channel < to; channel++) {
    for (let before = 0; before < from; before++) {
      for (let row = 0; row < patch[0]; row++) {
        for (let column = 0; column < patch[1]; column++) {
          const across = column - margin[1];
          const first = Math.max(0, Math.ceil(-across / step));
          const end = Math.min(columns, Math.floor((sheet.columns - 1 - across) / step) + 1);
          yield { channel, before, down: row - margin[0], across, weight: weight++, first, end };
        }
      }
    }
  }
}

/** The layers with the weights that come along, a byte each. */
function storedLayers(): Layer[] {
  return layerShapes(WRITING_SYSTEMS.length + 1).map((shape, index) => {
    const stored = STORED.layers[index];
    if (stored === undefined) throw new RangeError("the net lacks a layer");
    const bytes = Buffer.from(stored.weights, "base64");
    const each = bytes.length / shape.to;
    const weights = Float32Array.from(
      { length: bytes.length },
      (_, at) => bytes.readInt8(at) * (stored.units[Math.floor(at / each)] ?? 0),
    );
    return { ...shape, weights, biases: Float32Array.from(stored.biases) };
  });
}
