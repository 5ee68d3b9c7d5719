import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BitReader,
  BitWriter,
  withEmulation,
  withoutEmulation,
} from "../../../../src/engine/ffmpeg/splice/h264/bits.ts";

/** What is written, as ones and zeros, without what completes the last byte. */
function bitsOf(write: (writer: BitWriter) => void): string {
  const writer = new BitWriter();
  write(writer);
  const bits = [...writer.toBytes()].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const unused = (8 - writer.bitsInByte) % 8;
  expect(bits.slice(bits.length - unused)).toBe("0".repeat(unused));
  return bits.slice(0, bits.length - unused);
}

describe("a bit string of H.264", () => {
  test("has Exp-Golomb numbers as table 9-1 of the standard lists them", () => {
    const codes = ["1", "010", "011", "00100", "00101", "00110", "00111", "0001000", "0001001"];
    for (const [value, bits] of codes.entries()) expect(bitsOf((writer) => writer.golomb(value))).toBe(bits);
    const signed = [0, 1, -1, 2, -2, 3, -3, 4, -4];
    for (const [index, value] of signed.entries()) {
      expect(bitsOf((writer) => writer.signedGolomb(value))).toBe(codes[index]);
    }
  });

  test("has numbers of so many bits, the highest first", () => {
    expect(bitsOf((writer) => writer.unsigned(5, 4))).toBe("0101");
    expect(bitsOf((writer) => writer.unsigned(0xffff_fffe, 32))).toBe(`${"1".repeat(31)}0`);
    expect(bitsOf((writer) => writer.unsigned(0, 0))).toBe("");
  });

  test("is read as it was written, whatever stands in it", () => {
    const part = fc.oneof(
      fc.record({ kind: fc.constant("bit" as const), value: fc.integer({ min: 0, max: 1 }) }),
      fc.record({ kind: fc.constant("golomb" as const), value: fc.integer({ min: 0, max: 70_000 }) }),
      fc.record({ kind: fc.constant("signedGolomb" as const), value: fc.integer({ min: -9_000, max: 9_000 }) }),
      fc.record({ kind: fc.constant("unsigned" as const), value: fc.integer({ min: 0, max: 0xffff }) }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const writer = new BitWriter();
        for (const { kind, value } of parts) writer[kind](value, 16);
        const reader = new BitReader(writer.toBytes());
        const read = parts.map(({ kind }) => ({ kind, value: reader[kind](16) }));
        expect(read).toEqual(parts);
      }),
    );
  });

  test("tells where its payload ends, and is nothing but zeros behind its end", () => {
    expect(new BitReader(Uint8Array.of(0b1010_0000)).payloadBits).toBe(2);
    expect(new BitReader(Uint8Array.of(0xff, 0b1000_0000, 0, 0)).payloadBits).toBe(8);
    expect(new BitReader(Uint8Array.of(0xff, 0xff)).payloadBits).toBe(15);
    const reader = new BitReader(Uint8Array.of(0xff));
    expect(reader.unsigned(12)).toBe(0xff0);
    expect(reader.position).toBe(12);
    // A number that is nothing but zeros ends all the same.
    expect(new BitReader(new Uint8Array(8)).golomb()).toBeGreaterThan(0);
  });
});

describe("the bytes of a unit", () => {
  test("never look like a start code, and are what they were without what keeps them from it", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 60 }), (values) => {
        const raw = Uint8Array.from(values);
        const unit = withEmulation(raw);
        expect(withoutEmulation(unit)).toEqual(raw);
        const starts = [...unit.keys()].filter((at) => unit[at] === 0 && unit[at + 1] === 0 && (unit[at + 2] ?? 9) < 3);
        expect(starts).toEqual([]);
      }),
    );
  });

  test("are left alone where nothing looks like one", () => {
    const plain = Uint8Array.of(0, 0, 4, 0, 1, 3, 0, 255, 0, 0);
    expect(withEmulation(plain)).toEqual(plain);
    expect([...withEmulation(Uint8Array.of(0, 0, 3))]).toEqual([0, 0, 3, 3]);
    expect([...withEmulation(Uint8Array.of(0, 0, 0, 0, 0))]).toEqual([0, 0, 3, 0, 0, 3, 0]);
    expect(withoutEmulation(Uint8Array.of(1, 3, 0, 3))).toEqual(Uint8Array.of(1, 3, 0, 3));
  });
});
