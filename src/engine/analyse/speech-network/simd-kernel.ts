/**
 * The inner loop of the speech network as a WebAssembly function: JavaScript has no vector instructions, and nearly all
 * of the network's time is spent here (0.9 ns per multiplication without, 0.1 ns with them).
 *
 * The function is written out below, instruction by instruction; in its text form it reads
 *
 * ```wat
 * (func (param $weights i32) (param $rows i32) (param $inputs i32) (param $column i32) (param $stride i32) (param $sums i32)
 *   (local $at i32) (local $left i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $x v128)
 *   loop $rows                       ;; four rows at once, four lanes each
 *     a, b, c, d = sums[0..3]
 *     at = column, left = inputs
 *     loop $inputs
 *       x = *at                      ;; one input of four lanes
 *       a += splat(weights[0]) * x   ;; and b, c, d likewise
 *       weights += 16, at += stride, left -= 1
 *       br_if $inputs (left)
 *     end
 *     sums[0..3] = a, b, c, d
 *     sums += 64, rows -= 4
 *     br_if $rows (rows)
 *   end)
 * ```
 */
export class SimdKernel {
  readonly #memory: WebAssembly.Memory;
  readonly #run: (weights: number, rows: number, inputs: number, column: number, stride: number, sums: number) => void;
  #used = 0;

  /** @param floats How many numbers {@link allocate} can give out in all. */
  constructor(floats: number) {
    const pages = Math.ceil((4 * floats) / PAGE_BYTES);
    this.#memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const instance = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes(pages)), {
      host: { memory: this.#memory },
    });
    const { multiply } = instance.exports;
    if (typeof multiply !== "function") throw new TypeError("the kernel exports no function");
    this.#run = (...operands) => {
      multiply(...operands);
    };
  }

  /** Zeros that the kernel can reach; `length` must be a multiple of four. */
  allocate(length: number): Float32Array {
    const floats = new Float32Array(this.#memory.buffer, 4 * this.#used, length);
    this.#used += length;
    return floats;
  }

  /**
   * Adds weights × column to `sums`, for four lanes side by side. All three must come from {@link allocate}.
   *
   * @param weights In blocks of four rows, see {@link packRows}.
   * @param from Index of the first input in `column`; input `i` of lane `l` stands at `from + i * stride + l`.
   * @param sums Row `r` of lane `l` stands at `4 * r + l`.
   */
  multiplyAdd(
    weights: Float32Array,
    inputs: number,
    column: Float32Array,
    from: number,
    stride: number,
    sums: Float32Array,
  ): void {
    const columnAt = column.byteOffset + 4 * from;
    this.#run(weights.byteOffset, sums.length / 4, inputs, columnAt, 4 * stride, sums.byteOffset);
  }
}

/** Reorders rows of weights into blocks of four: the four rows' first weights, their second weights, and so on. */
export function packRows(rows: Float32Array, inputs: number): Float32Array {
  return Float32Array.from(rows, (_, index) => {
    const block = Math.floor(index / (4 * inputs));
    const [input, row] = [Math.floor((index % (4 * inputs)) / 4), index % 4];
    return rows[(4 * block + row) * inputs + input] ?? 0;
  });
}

const PAGE_BYTES = 65_536;

// WebAssembly Core Specification 2.0, section 5: types, instructions and sections by their binary codes.
const [I32, V128, EMPTY] = [0x7f, 0x7b, 0x40];
const [LOOP, END, BRANCH_IF] = [0x03, 0x0b, 0x0d];
const [GET, SET, TEE] = [0x20, 0x21, 0x22];
const [CONSTANT, ADD, SUBTRACT] = [0x41, 0x6a, 0x6b];
const [VECTOR, LOAD, LOAD_SPLAT, STORE] = [0xfd, 0x00, 0x09, 0x0b];
const [VECTOR_ADD, VECTOR_MULTIPLY] = [
  [VECTOR, 0xe4, 0x01],
  [VECTOR, 0xe6, 0x01],
];
/** Index of each parameter and local. */
const P = { weights: 0, rows: 1, inputs: 2, column: 3, stride: 4, sums: 5, at: 6, left: 7, sum: 8, x: 12 };

function moduleBytes(pages: number): Uint8Array<ArrayBuffer> {
  const advance = (pointer: number, bytes: number) => [GET, pointer, CONSTANT, ...signed(bytes), ADD, SET, pointer];
  const countDown = (counter: number, by: number) => [GET, counter, CONSTANT, ...signed(by), SUBTRACT, TEE, counter];
  // A load or store is followed by its alignment (a power of two) and offset.
  const rows = [0, 1, 2, 3];
  const body = [
    ...[LOOP, EMPTY],
    ...rows.flatMap((row) => [GET, P.sums, VECTOR, LOAD, 2, 16 * row, SET, P.sum + row]),
    ...[GET, P.column, SET, P.at, GET, P.inputs, SET, P.left],
    ...[LOOP, EMPTY],
    ...[GET, P.at, VECTOR, LOAD, 2, 0, SET, P.x],
    ...rows.flatMap((row) => [
      ...[GET, P.sum + row, GET, P.weights, VECTOR, LOAD_SPLAT, 2, 4 * row],
      ...[GET, P.x, ...VECTOR_MULTIPLY, ...VECTOR_ADD, SET, P.sum + row],
    ]),
    ...advance(P.weights, 16),
    ...[GET, P.at, GET, P.stride, ADD, SET, P.at],
    ...[...countDown(P.left, 1), BRANCH_IF, 0, END],
    ...rows.flatMap((row) => [GET, P.sums, GET, P.sum + row, VECTOR, STORE, 2, 16 * row]),
    ...advance(P.sums, 64),
    ...[...countDown(P.rows, 4), BRANCH_IF, 0, END],
    END,
  ];
  const locals = [2, 2, I32, 5, V128];
  return Uint8Array.from([
    ...[0x00, ...text("asm"), 1, 0, 0, 0],
    ...section(1, [1, 0x60, 6, I32, I32, I32, I32, I32, I32, 0]),
    ...section(2, [1, ...name("host"), ...name("memory"), 0x02, 0x01, ...unsigned(pages), ...unsigned(pages)]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name("multiply"), 0x00, 0]),
    ...section(10, [1, ...unsigned(locals.length + body.length), ...locals, ...body]),
  ]);
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function name(word: string): number[] {
  return [word.length, ...text(word)];
}

function text(word: string): number[] {
  return [...new TextEncoder().encode(word)];
}

/** LEB128, seven bits at a time, lowest first. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >> 7)];
}

/** Signed LEB128 of a number from 0 up: bit 6 of the last byte is the sign, so it must be free. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
