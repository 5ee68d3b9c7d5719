import { readFile } from "node:fs/promises";
import { readWaveHeader, type WaveLayout, waveLength } from "../../../src/formats/wave/read-wave.ts";
import { samplesFromWave } from "../../../src/formats/wave/wave-format.ts";

/** A WAV file as it lies on disk. */
export interface SoundFile {
  readonly bytes: Buffer;
  readonly layout: WaveLayout;
  readonly planes: Float32Array[];
  /** Samples per channel. */
  readonly length: number;
}

/** Reads a whole WAV file. */
export async function readSoundFile(path: string): Promise<SoundFile> {
  const bytes = await readFile(path);
  const reading = readWaveHeader(bytes);
  if (!reading.ok) throw new Error(reading.code);
  const { layout } = reading;
  const end = layout.dataOffset + (layout.dataBytes ?? 0);
  const planes = samplesFromWave(bytes.subarray(layout.dataOffset, end), layout.format);
  return { bytes, layout, planes, length: waveLength(layout, bytes.length).samples };
}
