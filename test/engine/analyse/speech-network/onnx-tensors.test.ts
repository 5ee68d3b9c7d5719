import { describe, expect, test } from "vitest";
import { readOnnxTensors } from "../../../../src/engine/analyse/speech-network/onnx-tensors.ts";

// Messages of `onnx.proto`, written as its wire format has them.

type Bytes = readonly number[];

const varint = (value: number): Bytes =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(Math.floor(value / 0x80))];
const number = (field: number, value: number): Bytes => [...varint(field << 3), ...varint(value)];
const bytes = (field: number, value: Bytes): Bytes => [...varint((field << 3) | 2), ...varint(value.length), ...value];
const text = (field: number, value: string): Bytes => bytes(field, [...new TextEncoder().encode(value)]);

const FLOAT = 1;
/** A tensor by its name, its numbers as floats; of another type where that is said. */
const tensor = (name: string, values: readonly number[], type = FLOAT): Bytes => [
  ...number(1, 2),
  ...number(2, type),
  ...text(8, name),
  ...bytes(9, [...new Uint8Array(Float32Array.from(values).buffer)]),
];
/** A node that holds a tensor, or a branch of the graph, after an input and an output of its own. */
const node = (output: string, ...attributes: readonly Bytes[]): Bytes => [
  ...text(1, "input"),
  ...text(2, output),
  ...attributes.flatMap((attribute) => bytes(5, attribute)),
];
const constant = (values: Bytes): Bytes => [...text(1, "value"), ...bytes(5, values)];
const branch = (graph: Bytes): Bytes => [...text(1, "then"), ...bytes(6, graph)];
const model = (graph: Bytes): Uint8Array => Uint8Array.from([...number(1, 8), ...text(2, "maker"), ...bytes(7, graph)]);

describe("the tensors of an ONNX model", () => {
  test("are found by name wherever they stand: beside the graph, in its nodes, in their branches", () => {
    const inner = [...bytes(5, tensor("inner", [5])), ...bytes(1, node("deep", constant(tensor("same", [6, 7]))))];
    const graph = [
      ...bytes(5, tensor("first", [1, 2])),
      ...bytes(1, node("named", constant(tensor("same", [3])), constant(tensor("same", [4])))),
      ...bytes(1, node("if", branch(inner))),
      ...bytes(
        5,
        tensor(
          "last",
          Array.from({ length: 100 }, (_, at) => at / 2),
        ),
      ),
    ];
    const found = readOnnxTensors(model(graph));
    expect([...found].map(([name, values]) => [name, values.length])).toEqual([
      ["first", 2],
      ["named", 1],
      ["inner", 1],
      ["deep", 2],
      ["last", 100],
    ]);
    expect([...(found.get("deep") ?? [])]).toEqual([6, 7]);
    // Of a node's several, the last has its name.
    expect([...(found.get("named") ?? [])]).toEqual([4]);
    expect(found.get("last")?.[99]).toBe(49.5);
  });

  test("are floats alone, with numbers of their own", () => {
    const graph = [...bytes(5, tensor("whole", [1], 7)), ...bytes(5, [...number(2, FLOAT), ...text(8, "empty")])];
    expect([...readOnnxTensors(model(graph))]).toEqual([]);
    expect([...readOnnxTensors(new Uint8Array())]).toEqual([]);
  });

  test("are found past fields of other kinds, and none in what is no model or is cut off", () => {
    const eightBytes = [...varint((3 << 3) | 1), 1, 2, 3, 4, 5, 6, 7, 8];
    const fourBytes = [...varint((4 << 3) | 5), 1, 2, 3, 4];
    const graph = [...eightBytes, ...fourBytes, ...bytes(5, tensor("behind", [9]))];
    const file = model(graph);
    expect([...(readOnnxTensors(file).get("behind") ?? [])]).toEqual([9]);
    for (const end of [1, file.length - 1, file.length - 20]) {
      expect(() => readOnnxTensors(file.subarray(0, end))).toThrow(RangeError);
    }
    expect(() => readOnnxTensors(Uint8Array.of(0x0b, 1, 2))).toThrow(RangeError);
    expect(() => readOnnxTensors(new Uint8Array(20).fill(0xff))).toThrow(RangeError);
  });
});
