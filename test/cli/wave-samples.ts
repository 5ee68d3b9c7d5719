import { readFile } from "node:fs/promises";
import { readWaveHeader } from "../../src/formats/wave/read-wave.ts";

/** The samples of a WAV file at 48 kHz, as bytes of one time each. */
export async function samplesOf(path: string) {
  const bytes = await readFile(path);
  const reading = readWaveHeader(bytes);
  if (!reading.ok) throw new Error(reading.code);
  const { dataOffset, dataBytes, format } = reading.layout;
  const width = (format.channels * format.bits) / 8;
  const data = bytes.subarray(dataOffset, dataOffset + (dataBytes ?? 0));
  const part = (from: number, to: number) =>
    data.subarray(Math.round(from * 48_000) * width, Math.round(to * 48_000) * width);
  return { data, seconds: data.length / width / 48_000, part };
}
