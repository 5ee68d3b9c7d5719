/** Field numbers of the messages of `onnx.proto` (ONNX IR 1.x) that lead to a tensor. */
const MODEL_GRAPH = 7;
const GRAPH = { node: 1, initializer: 5 };
const NODE = { output: 2, attribute: 5 };
const ATTRIBUTE = { tensor: 5, graph: 6 };
const TENSOR = { dataType: 2, name: 8, rawData: 9 };

/** Number of the data type `FLOAT`. */
const FLOAT = 1n;

/**
 * All float tensors of an ONNX model by name: the weights of a network, wherever in the graph and its branches they stand.
 *
 * @throws RangeError when the file is not an ONNX model.
 */
export function readOnnxTensors(file: Uint8Array): Map<string, Float32Array> {
  const tensors = new Map<string, Float32Array>();
  for (const { number, bytes } of fields(file)) if (number === MODEL_GRAPH) collectGraph(bytes, tensors);
  return tensors;
}

function collectGraph(graph: Uint8Array, into: Map<string, Float32Array>): void {
  for (const { number, bytes } of fields(graph)) {
    if (number === GRAPH.initializer) collectTensor(bytes, null, into);
    if (number === GRAPH.node) collectNode([...fields(bytes)], into);
  }
}

/** A constant's tensor goes by the name of the constant; its own name is not unique. */
function collectNode(node: readonly ProtobufField[], into: Map<string, Float32Array>): void {
  const output = node.find(({ number }) => number === NODE.output)?.bytes ?? NO_BYTES;
  for (const attribute of node.filter(({ number }) => number === NODE.attribute)) {
    for (const { number, bytes } of fields(attribute.bytes)) {
      if (number === ATTRIBUTE.tensor) collectTensor(bytes, output, into);
      if (number === ATTRIBUTE.graph) collectGraph(bytes, into);
    }
  }
}

function collectTensor(tensor: Uint8Array, givenName: Uint8Array | null, into: Map<string, Float32Array>): void {
  const parts = [...fields(tensor)];
  const raw = parts.find((part) => part.number === TENSOR.rawData)?.bytes;
  const name = givenName ?? parts.find((part) => part.number === TENSOR.name)?.bytes;
  const isFloat = parts.some((part) => part.number === TENSOR.dataType && part.value === FLOAT);
  if (raw === undefined || name === undefined || !isFloat) return;
  // Copied, for the numbers need not stand at a multiple of four bytes in the file.
  into.set(new TextDecoder().decode(name), new Float32Array(Uint8Array.from(raw).buffer));
}

/** One field of a protocol buffer: a number, or bytes. */
interface ProtobufField {
  readonly number: number;
  readonly value: bigint;
  readonly bytes: Uint8Array;
}

const NO_BYTES = new Uint8Array();

function* fields(message: Uint8Array): Generator<ProtobufField, void> {
  for (let at = 0; at < message.length; ) {
    const key = readVarint(message, at);
    const [number, wireType] = [Number(key.value >> 3n), Number(key.value & 7n)];
    at = key.end;
    if (wireType === 0) {
      const read = readVarint(message, at);
      at = read.end;
      yield { number, value: read.value, bytes: NO_BYTES };
      continue;
    }
    const length = wireType === 2 ? readVarint(message, at) : { value: wireType === 1 ? 8n : 4n, end: at };
    const end = length.end + Number(length.value);
    if (![1, 2, 5].includes(wireType) || end > message.length) throw new RangeError("not an ONNX model");
    yield { number, value: 0n, bytes: message.subarray(length.end, end) };
    at = end;
  }
}

function readVarint(bytes: Uint8Array, at: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let shift = 0n, end = at; shift < 64n; shift += 7n) {
    const byte = bytes[end++];
    if (byte === undefined) break;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end };
  }
  throw new RangeError("not an ONNX model");
}
