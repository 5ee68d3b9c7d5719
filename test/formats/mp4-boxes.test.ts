import { describe, expect, test } from "vitest";
import { findMp4Box, MOST_BOXES, mp4Boxes } from "../../src/formats/mp4-boxes.ts";

/** A box of a type around bytes; `size` in place of its own where one is given, or as a long one. */
function box(type: string, body: Uint8Array, size: number | "long" = body.length + 8): Buffer {
  const head = Buffer.alloc(size === "long" ? 16 : 8);
  head.writeUInt32BE(size === "long" ? 1 : size, 0);
  head.write(type, 4, "latin1");
  if (size === "long") head.writeBigUInt64BE(BigInt(body.length + 16), 8);
  return Buffer.concat([head, body]);
}

const readerOf = (bytes: Uint8Array) => async (offset: number, length: number) =>
  bytes.subarray(offset, offset + length);

async function boxesOf(bytes: Uint8Array, from = 0, to = bytes.length): Promise<string[]> {
  const found: string[] = [];
  for await (const { type, start, end } of mp4Boxes(readerOf(bytes), from, to)) found.push(`${type} ${start}-${end}`);
  return found;
}

describe("the boxes of a file", () => {
  test("follow each other, short and long ones, the last one up to the end where it says so", async () => {
    const bytes = Buffer.concat([
      box("ftyp", Buffer.alloc(4)),
      box("free", Buffer.alloc(0)),
      box("mdat", Buffer.alloc(10), "long"),
      box("moov", Buffer.alloc(3), 0),
    ]);
    expect(await boxesOf(bytes)).toEqual(["ftyp 8-12", "free 20-20", "mdat 36-46", `moov 54-${bytes.length}`]);
    expect(await boxesOf(bytes, 12, 20)).toEqual(["free 20-20"]);
    expect(await boxesOf(bytes, 12, 19)).toEqual([]);
  });

  test("end before one whose size cannot be, or whose head is cut off", async () => {
    const good = box("free", Buffer.alloc(0));
    expect(await boxesOf(Buffer.concat([good, box("bad ", Buffer.alloc(20), 7)]))).toEqual(["free 8-8"]);
    expect(await boxesOf(Buffer.concat([good, box("ok  ", Buffer.alloc(0), 8)]))).toEqual(["free 8-8", "ok   16-16"]);
    expect(await boxesOf(Buffer.concat([good, good.subarray(0, 7)]), 0, 100)).toEqual(["free 8-8"]);
    // A long one whose size is cut off is none.
    expect(await boxesOf(box("mdat", Buffer.alloc(0), "long").subarray(0, 15), 0, 100)).toEqual([]);
    expect(await boxesOf(box("mdat", Buffer.alloc(4), 1000))).toEqual(["mdat 8-1000"]);
  });

  test("are looked at up to a number of them", async () => {
    const many = Buffer.concat(Array.from({ length: MOST_BOXES + 5 }, () => box("free", Buffer.alloc(0))));
    expect(await boxesOf(many)).toHaveLength(MOST_BOXES);
  });

  test("are found by a path of their types, the first of each", async () => {
    const inner = Buffer.concat([
      box("trak", Buffer.alloc(1)),
      box("mvhd", Buffer.alloc(2)),
      box("mvhd", Buffer.alloc(9)),
    ]);
    const bytes = Buffer.concat([
      box("mvhd", Buffer.alloc(5)),
      box("moov", inner),
      box("moov", box("udta", Buffer.alloc(0))),
    ]);
    const find = (...path: readonly string[]) => findMp4Box(readerOf(bytes), path, 0, bytes.length);
    expect(await find("moov", "mvhd")).toEqual({ type: "mvhd", start: 38, end: 40 });
    expect(await find("mvhd")).toEqual({ type: "mvhd", start: 8, end: 13 });
    expect(await find("moov")).toEqual({ type: "moov", start: 21, end: 21 + inner.length });
    expect([await find("moov", "udta"), await find("moof"), await find("moov", "trak", "mdia")]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
