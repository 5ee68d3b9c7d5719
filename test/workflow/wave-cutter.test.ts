import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readWaveHeader, waveLength } from "../../src/formats/wave/read-wave.ts";
import { waveHeader, waveTrailer } from "../../src/formats/wave/write-wave.ts";
import { nodeFiles } from "../../src/host/headless/files.ts";
import { openWaveCutter } from "../../src/workflow/wave-files.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const RATE = 8_000;

/** A second of 8 or 16 bits, mono, whose bytes tell their own place; as a file of this kind. */
async function second(bits: 8 | 16, kind: "RIFF" | "RF64" | "BW64" = "RIFF"): Promise<string> {
  const format = { encoding: "integer", bits, channels: 1, channelMask: 0, sampleRate: RATE } as const;
  const contents = { format, sampleCount: RATE };
  const header = waveHeader(contents);
  // A long file says its sizes elsewhere, or nowhere.
  header.set(Buffer.from(kind));
  if (kind !== "RIFF") header.fill(0xff, header.length - 4);
  const samples = Uint8Array.from({ length: (RATE * bits) / 8 }, (_entry, index) => index % 251);
  const path = join(await temporaryFolder(), "second.wav");
  await writeFile(path, Buffer.concat([header, samples, waveTrailer(contents)]));
  return path;
}

async function cut(path: string, start: number, end: number): Promise<Uint8Array> {
  const into = `${path}.cut.wav`;
  await (await openWaveCutter(nodeFiles, path))?.cut({ start, end }, into);
  return nodeFiles.readBytes(into, 0, (await nodeFiles.size(into)) ?? 0);
}

test.each(["RIFF", "RF64", "BW64"] as const)(
  "a stretch of an %s file is a plain WAV file of the very samples",
  async (kind) => {
    const path = await second(16, kind);
    expect((await openWaveCutter(nodeFiles, path))?.seconds).toBe(1);
    const bytes = await cut(path, 0.25, 0.5);
    const reading = readWaveHeader(bytes);
    if (!reading.ok) throw new Error(reading.code);
    expect(Buffer.from(bytes).toString("latin1", 0, 4)).toBe("RIFF");
    expect(Buffer.from(bytes).readUInt32LE(4)).toBe(bytes.length - 8);
    expect(waveLength(reading.layout, bytes.length)).toEqual({ samples: 2_000, seconds: 0.25, isCut: false });
    expect(bytes[reading.layout.dataOffset]).toBe((0.25 * RATE * 2) % 251);
  },
);

test("a stretch has the timecode of its first sample where the whole has one, and none where it has none", async () => {
  const format = { encoding: "integer", bits: 16, channels: 1, channelMask: 0, sampleRate: RATE } as const;
  const broadcast = {
    description: "Audio description alone",
    originator: "Aside",
    timeReferenceSamples: 36_000 * RATE,
  };
  const path = join(await temporaryFolder(), "timed.wav");
  await writeFile(path, Buffer.concat([waveHeader({ format, sampleCount: RATE, broadcast }), Buffer.alloc(2 * RATE)]));
  const timed = readWaveHeader(await cut(path, 0.25, 0.5));
  expect(timed.ok && timed.layout.broadcast).toMatchObject({ ...broadcast, timeReferenceSamples: 36_000.25 * RATE });
  const plain = readWaveHeader(await cut(await second(16), 0.25, 0.5));
  expect(plain.ok && plain.layout.broadcast).toBeUndefined();
});

test("an odd number of bytes is padded, and silence of 8 bits is the middle of its range", async () => {
  const path = await second(8);
  const bytes = await cut(path, 1 - 3 / RATE, 1 + 2 / RATE);
  const reading = readWaveHeader(bytes);
  if (!reading.ok) throw new Error(reading.code);
  const { dataOffset, dataBytes } = reading.layout;
  expect(dataBytes).toBe(5);
  expect(bytes.length).toBe(dataOffset + 6);
  const last = [3, 2, 1].map((back) => (RATE - back) % 251);
  expect([...bytes.subarray(dataOffset, dataOffset + 5)]).toEqual([...last, 0x80, 0x80]);
});

test("a long stretch is cut in pieces to the very bytes, from before the file's beginning to behind its end", async () => {
  const format = { encoding: "float", bits: 32, channels: 2, channelMask: 0, sampleRate: 48_000 } as const;
  const sampleCount = 48_000 * 8;
  const samples = Uint8Array.from({ length: sampleCount * 8 }, (_entry, index) => 1 + (index % 251));
  const path = join(await temporaryFolder(), "long.wav");
  await writeFile(path, Buffer.concat([waveHeader({ format, sampleCount }), samples]));
  const bytes = await cut(path, 0.5, 8.5);
  const reading = readWaveHeader(bytes);
  if (!reading.ok) throw new Error(reading.code);
  const { dataOffset, format: read } = reading.layout;
  expect(read).toEqual(format);
  const data = Buffer.from(bytes.subarray(dataOffset));
  expect(data.length).toBe(48_000 * 8 * 8);
  const there = samples.subarray(48_000 * 4);
  expect(data.subarray(0, there.length).equals(Buffer.from(there))).toBe(true);
  expect(data.subarray(there.length).every((byte) => byte === 0)).toBe(true);
  // No time before the file's own 0 is cut.
  const early = await cut(path, -1, 0.25);
  expect(early.length).toBe(dataOffset + 48_000 * 2);
  expect(Buffer.from(early.subarray(dataOffset)).equals(Buffer.from(samples.subarray(0, 48_000 * 2)))).toBe(true);
});

test("what is no WAV file cannot be cut", async () => {
  const path = join(await temporaryFolder(), "a.wav");
  await writeFile(path, "no sound");
  expect(await openWaveCutter(nodeFiles, path)).toBeNull();
});
