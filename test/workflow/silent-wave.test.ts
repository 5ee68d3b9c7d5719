import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readWaveHeader, waveLength } from "../../src/formats/wave/read-wave.ts";
import { nodeFiles } from "../../src/host/headless/files.ts";
import { writeSilence } from "../../src/workflow/wave-files.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test.each([0, 0.00001, 0.5, 2, 2.00001])(
  "%d s of silence are a whole WAV file, by less than a sample longer",
  async (seconds) => {
    const path = join(await temporaryFolder(), "silence.wav");
    await writeSilence(nodeFiles, path, seconds);
    const bytes = await readFile(path);
    const reading = readWaveHeader(bytes);
    if (!reading.ok) throw new Error(reading.code);
    const { format, dataOffset } = reading.layout;
    expect(format).toMatchObject({ channels: 2, sampleRate: 48_000, bits: 16 });
    const { seconds: long, isCut } = waveLength(reading.layout, bytes.length);
    expect(bytes.length).toBe(dataOffset + 4 * Math.ceil(seconds * 48_000));
    expect(isCut).toBe(false);
    expect(long).toBeGreaterThanOrEqual(seconds);
    expect(long - seconds).toBeLessThan(1 / 48_000);
    expect(bytes.subarray(dataOffset).every((byte) => byte === 0)).toBe(true);
  },
);

test("a file of that length is taken as it is, one of another length is written over", async () => {
  const path = join(await temporaryFolder(), "silence.wav");
  await writeSilence(nodeFiles, path, 1);
  const marked = (await readFile(path)).fill(7, 100);
  await writeFile(path, marked);
  await writeSilence(nodeFiles, path, 1);
  expect(await readFile(path)).toEqual(marked);
  await writeSilence(nodeFiles, path, 1.5);
  expect((await readFile(path)).includes(7, 200)).toBe(false);
});
