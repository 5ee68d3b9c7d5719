/** Values of a tensor with its shape. */
interface Tensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly type: ElementType;
  readonly values: readonly number[];
}

/** Element types by their ONNX number. */
const TYPES = { float: 1, int32: 6, int64: 7 } as const;

/** Element type of a tensor. */
export type ElementType = keyof typeof TYPES;

/** One operation of a graph. */
interface GraphNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, number | string>>;
}

/** A value that goes into a graph or comes out of it; a word as a dimension stands for any length. */
interface GraphValue {
  readonly name: string;
  readonly type: ElementType;
  readonly dims: readonly (number | string)[];
}

/** Newest version of the format and of its operations that every ONNX Runtime of the last years reads. */
const IR_VERSION = 8;
const OPERATIONS_VERSION = 17;

/** An ONNX model that is built node by node, and written as the file that any ONNX Runtime loads. */
export class OnnxModel {
  readonly #nodes: GraphNode[] = [];
  readonly #constants: Tensor[] = [];
  readonly #inputs: GraphValue[] = [];
  readonly #outputs: GraphValue[] = [];
  readonly #metadata: Readonly<Record<string, string>>;

  /** @param metadata What the model says of itself. */
  constructor(metadata: Readonly<Record<string, string | number>> = {}) {
    this.#metadata = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]));
  }

  input(name: string, type: ElementType, dims: GraphValue["dims"]): string {
    this.#inputs.push({ name, type, dims });
    return name;
  }

  output(name: string, type: ElementType, dims: GraphValue["dims"]): void {
    this.#outputs.push({ name, type, dims });
  }

  constant(type: ElementType, values: readonly number[], dims: readonly number[] = [values.length]): string {
    const name = `constant${this.#constants.length}`;
    this.#constants.push({ name, dims, type, values });
    return name;
  }

  /** Adds an operation with one result. @returns The name of the result. */
  node(
    op: string,
    inputs: readonly string[],
    attributes: GraphNode["attributes"] = {},
    output = `value${this.#nodes.length}`,
  ): string {
    this.#nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  }

  /** The file. */
  bytes(): Buffer {
    const graph = Buffer.concat([
      ...this.#nodes.map((node) => field(1, nodeBytes(node))),
      field(2, text("graph")),
      ...this.#constants.map((tensor) => field(5, tensorBytes(tensor))),
      ...this.#inputs.map((value) => field(11, valueBytes(value))),
      ...this.#outputs.map((value) => field(12, valueBytes(value))),
    ]);
    return Buffer.concat([
      number(1, IR_VERSION),
      field(2, text("aside test")),
      field(7, graph),
      field(8, Buffer.concat([field(1, text("")), number(2, OPERATIONS_VERSION)])),
      ...Object.entries(this.#metadata).map(([key, value]) =>
        field(14, Buffer.concat([field(1, text(key)), field(2, text(value))])),
      ),
    ]);
  }
}

/** Kinds of attributes by their ONNX number. */
const ATTRIBUTE = { int: 2, string: 3 };

function nodeBytes({ op, inputs, outputs, attributes }: GraphNode): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => field(1, text(name))),
    ...outputs.map((name) => field(2, text(name))),
    field(4, text(op)),
    ...Object.entries(attributes).map(([name, value]) =>
      field(
        5,
        Buffer.concat(
          typeof value === "string"
            ? [field(1, text(name)), field(4, text(value)), number(20, ATTRIBUTE.string)]
            : [field(1, text(name)), number(3, value), number(20, ATTRIBUTE.int)],
        ),
      ),
    ),
  ]);
}

function tensorBytes({ name, dims, type, values }: Tensor): Buffer {
  const raw = Buffer.alloc(values.length * (type === "int64" ? 8 : 4));
  for (const [index, value] of values.entries()) {
    if (type === "float") raw.writeFloatLE(value, index * 4);
    else if (type === "int32") raw.writeInt32LE(value, index * 4);
    else raw.writeBigInt64LE(BigInt(value), index * 8);
  }
  return Buffer.concat([
    ...dims.map((dim) => number(1, dim)),
    number(2, TYPES[type]),
    field(8, text(name)),
    field(9, raw),
  ]);
}

function valueBytes({ name, type, dims }: GraphValue): Buffer {
  const shape = dims.map((dim) => field(1, typeof dim === "number" ? number(1, dim) : field(2, text(dim))));
  const tensor = Buffer.concat([number(1, TYPES[type]), field(2, Buffer.concat(shape))]);
  return Buffer.concat([field(1, text(name)), field(2, field(1, tensor))]);
}

// Protocol buffers: a field is its number with the kind of its content, then the content.
const LENGTH_GIVEN = 2;

function field(id: number, content: Buffer): Buffer {
  return Buffer.concat([varint((id << 3) | LENGTH_GIVEN), varint(content.length), content]);
}

function number(id: number, value: number): Buffer {
  return Buffer.concat([varint(id << 3), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const more = rest > 0x7fn ? 0x80 : 0;
    bytes.push(Number(rest & 0x7fn) | more);
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
}

function text(words: string): Buffer {
  return Buffer.from(words, "utf8");
}
