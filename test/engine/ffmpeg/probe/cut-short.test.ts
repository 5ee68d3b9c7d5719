import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isCutShort } from "../../../../src/engine/ffmpeg/probe/cut-short.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

/** Whether a file is cut short: as long as it says, and with a byte less. */
async function cut(whole: Buffer): Promise<readonly [whole: boolean, lacking: boolean]> {
  const folder = await temporaryFolder();
  const paths = [join(folder, "whole"), join(folder, "lacking")] as const;
  await writeFile(paths[0], whole);
  await writeFile(paths[1], whole.subarray(0, -1));
  return [await isCutShort(paths[0]), await isCutShort(paths[1])];
}

const filled = (...head: readonly (Buffer | number)[]) =>
  Buffer.concat(head.map((part) => (typeof part === "number" ? Buffer.alloc(part) : part)));
const hex = (digits: string) => Buffer.from(digits.replaceAll(" ", ""), "hex");
const riff = (length: number, bytes: number) => {
  const head = Buffer.from("RIFF0000WAVE");
  head.writeUInt32LE(length, 4);
  return filled(head, bytes - head.length);
};
const box = (type: string, stated: number, bytes = stated) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(stated);
  head.write(type, 4, "latin1");
  return filled(head, bytes - head.length);
};

test.each([
  ["its chunk", riff(92, 100)],
  ["its chunk, be it as short as can be", riff(9, 17)],
  ["its last box", filled(box("ftyp", 16), box("mdat", 100))],
  ["its segment, its length in one byte", filled(hex("1a45dfa3 84"), 4, hex("18538067 a0"), 32)],
  ["its segment, behind a header with a length of two bytes", filled(hex("1a45dfa3 4004"), 4, hex("18538067 a0"), 32)],
  ["its segment, its length in eight bytes", filled(hex("1a45dfa3 84"), 4, hex("18538067 0100000000000102"), 258)],
  ["its segment, as far behind as is read", filled(hex("1a45dfa3 af"), 47, hex("18538067 0100000000000102"), 258)],
])("a file is cut short that ends before %s does", async (_what, whole) => {
  expect(await cut(whole)).toEqual([false, true]);
});

test.each([
  ["leaves its chunk open", riff(0xffff_ffff, 100)],
  ["has no length of its chunk", riff(0, 100)],
  ["leaves its segment open in one byte", filled(hex("1a45dfa3 84"), 4, hex("18538067 ff"), 32)],
  ["leaves its segment open in eight", filled(hex("1a45dfa3 84"), 4, hex("18538067 01ffffffffffffff"), 32)],
  ["has a length of its segment that is none", filled(hex("1a45dfa3 84"), 4, hex("18538067 00ff00000000000102"), 32)],
  ["has something else in place of a segment", filled(hex("1a45dfa3 84"), 4, hex("18538068 ff00"), 32)],
  ["has its segment farther behind than is read", filled(hex("1a45dfa3 b0"), 48, hex("18538067 0100000000000102"), 8)],
  ["is of another kind", filled(Buffer.from("fLaC"), 40)],
  ["is too short to tell", Buffer.from("RIFF\xff\0\0\0WAVEfmt", "latin1")],
])("a file that %s is not known to be cut short", async (_what, whole) => {
  expect(await cut(whole)).toEqual([false, false]);
});

test("a file of sixteen bytes tells already", async () => {
  expect(await cut(riff(92, 16))).toEqual([true, false]);
});
