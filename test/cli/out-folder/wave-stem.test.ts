import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WaveStem } from "../../../src/cli/out-folder/wave-stem.ts";
import { readWaveHeader } from "../../../src/formats/wave/read-wave.ts";
import { waveHeader } from "../../../src/formats/wave/write-wave.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const RATE = 8000;

/** A narration of two seconds whose every byte is another one than its neighbours. */
async function narration(bits: number, channels: number, encoding: "integer" | "float" = "integer"): Promise<string> {
  const path = join(await temporaryFolder(), "narration.wav");
  const sampleCount = 2 * RATE;
  const head = waveHeader({ format: { encoding, channels, sampleRate: RATE, bits, channelMask: 0 }, sampleCount });
  const data = Buffer.alloc((sampleCount * channels * bits) / 8);
  for (let at = 0; at < data.length; at++) data[at] = at % 61;
  await writeFile(path, Buffer.concat([head, data]));
  return path;
}

async function partsOf(path: string, from: number, to: number): Promise<readonly [Buffer, Buffer, Buffer]> {
  const bytes = await readFile(path);
  const reading = readWaveHeader(bytes);
  if (!reading.ok) throw new Error(reading.code);
  const { dataOffset, format } = reading.layout;
  const at = (seconds: number) => dataOffset + (Math.round(seconds * RATE) * format.channels * format.bits) / 8;
  return [bytes.subarray(0, at(from)), bytes.subarray(at(from), at(to)), bytes.subarray(at(to))];
}

describe("a line in the narration of a whole programme", () => {
  test.each([
    [16, 1],
    [16, 2],
    [24, 1],
    [24, 2],
  ])(
    "takes the place of what was there, to the byte, once that is said: %i bits, %i channels",
    async (bits, channels) => {
      const path = await narration(bits, channels);
      const before = await partsOf(path, 0.5, 1.25);
      await using stem = await WaveStem.open(path, "r+");
      const line = Float32Array.from({ length: RATE / 2 }, (_, at) => Math.sin(at / 9) / 2);
      await stem.replace({ start: 0.5, durationSeconds: 0.75 }, line);
      const after = await partsOf(path, 0.5, 1.25);
      expect([after[0].equals(before[0]), after[1].equals(before[1]), after[2].equals(before[2])]).toEqual([
        true,
        false,
        true,
      ]);
      const heard = await stem.read({ start: 0.5, end: 1 }, RATE);
      expect(heard).toHaveLength(line.length);
      for (const [at, sample] of heard.entries()) expect(Math.abs(sample - (line[at] ?? 0))).toBeLessThan(1 / 16_000);
      // Behind a line that is shorter it is silent.
      expect([...(await stem.read({ start: 1, end: 1.25 }, RATE))].every((sample) => sample === 0)).toBe(true);
      expect(await stem.read({ start: 1.5, end: 9 }, RATE)).toHaveLength(RATE / 2);
    },
  );

  test("is not put into what is only read, nor into samples that are no whole numbers", async () => {
    const [whole, real] = [await narration(16, 1), await narration(32, 1, "float")];
    for (const [path, access] of [
      [whole, "r"],
      [real, "r+"],
    ] as const) {
      // biome-ignore format: two
      const before = await readFile(path);
      await using stem = await WaveStem.open(path, access);
      await expect(stem.replace({ start: 0, durationSeconds: 1 }, new Float32Array(9))).rejects.toThrow();
      expect((await readFile(path)).equals(before)).toBe(true);
    }
  });
});

test.skipIf(process.platform !== "linux")(
  "a file is not held open longer than it is read, nor where it is no sound",
  async () => {
    const path = await narration(16, 1);
    const text = join(await temporaryFolder(), "text.wav");
    await writeFile(text, "no sound at all");
    const held = async () => (await readdir("/proc/self/fd")).length;
    const before = await held();
    for (let time = 0; time < 5; time++) {
      {
        await using stem = await WaveStem.open(path, "r");
        expect(stem.sampleRate).toBe(RATE);
      }
      await expect(WaveStem.open(text, "r")).rejects.toMatchObject({ code: "file_unreadable" });
    }
    expect(await held()).toBeLessThan(before + 3);
  },
);
