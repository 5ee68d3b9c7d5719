import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTimecodeTrack } from "../../../../src/engine/ffmpeg/probe/quicktime-timecode.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const words = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
};
const box = (type: string, ...parts: readonly Buffer[]) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([words(content.length + 8), Buffer.from(type, "latin1"), content]);
};

/** A QuickTime file of one timecode track, whose sample is `frame`. */
async function written({ flags = 0, scale = 30_000, duration = 1001, frame = 0, handler = "tmcd" }): Promise<string> {
  const sample = box("mdat", words(frame));
  const header = words(0, 0, 0, 600, 6_000, 0);
  // Version, count; then the entry: size, `tmcd`, index of the data, and the description itself.
  const entry = Buffer.concat([
    words(0, 1, 34),
    Buffer.from("tmcd"),
    words(0, 1),
    words(0),
    words(flags, scale, duration),
    Buffer.from([30, 0, 0, 0]),
  ]);
  const table = box("stbl", box("stsd", entry), box("stco", words(0, 1, 8)));
  const media = box(
    "mdia",
    box("mdhd", header),
    box("hdlr", words(0, 0), Buffer.from(handler), words(0)),
    box("minf", table),
  );
  const path = join(await temporaryFolder(), "timecode.mov");
  await writeFile(path, Buffer.concat([sample, box("moov", box("trak", media))]));
  return path;
}

test.each([
  [0, "00:59:56:12"],
  // The flag of drop-frame is one bit; others say that labels wrap at midnight, that they may be negative, or are a counter.
  [1, "01:00:00;00"],
  [2, "00:59:56:12"],
  [3, "01:00:00;00"],
  [6, "00:59:56:12"],
  [7, "01:00:00;00"],
])("a timecode track with the flags %i starts at %s", async (flags, startTimecode) => {
  expect(await readTimecodeTrack(await written({ flags, frame: 107_892 }))).toEqual({
    durationSeconds: 10,
    startTimecode,
  });
});

test("a rate that has no drop-frame, a track of another kind, and what counts nothing are not read", async () => {
  expect(await readTimecodeTrack(await written({ flags: 1, scale: 25, duration: 1 }))).toBeNull();
  expect(await readTimecodeTrack(await written({ scale: 25, duration: 1, frame: 90_000 }))).toMatchObject({
    startTimecode: "01:00:00:00",
  });
  expect(await readTimecodeTrack(await written({ handler: "vide" }))).toBeNull();
  expect(await readTimecodeTrack(await written({ duration: 0 }))).toBeNull();
});
