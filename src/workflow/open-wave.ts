import { readWaveHeader, WAVE_HEAD_BYTES, type WaveLayout, waveLength } from "../formats/wave/read-wave.ts";
import { frameBytes } from "../formats/wave/wave-format.ts";
import { samplesFromWave } from "../formats/wave/wave-samples.ts";
import type { Files } from "../host/files.ts";

/** A WAV file that is read in pieces. */
export interface OpenWave {
  /** Samples per second and channel. */
  readonly sampleRate: number;
  /**
   * Samples of two channels, full scale 1, from one of the file on: silence before its start and behind its end. A single
   * channel is heard on both sides; of more, the first two are.
   */
  read(first: number, count: number): Promise<[Float32Array, Float32Array]>;
}

/** Opens a sound for reading; `null` where it is no WAV file that can be read. */
export async function openWave(files: Pick<Files, "size" | "readBytes">, path: string): Promise<OpenWave | null> {
  const size = await files.size(path);
  if (size === null) return null;
  const reading = readWaveHeader(await files.readBytes(path, 0, WAVE_HEAD_BYTES));
  return reading.ok ? wavePieces(files, path, reading.layout, waveLength(reading.layout, size).samples) : null;
}

/** A WAV file whose layout is known, and how many samples of each channel it holds. */
export function wavePieces(
  files: Pick<Files, "readBytes">,
  path: string,
  layout: WaveLayout,
  samples: number,
): OpenWave {
  return {
    sampleRate: layout.format.sampleRate,
    async read(first, count) {
      const from = Math.min(samples, Math.max(0, first));
      const to = Math.min(samples, Math.max(from, first + count));
      const planes = to > from ? await readPart(files, path, layout, from, to - from) : [];
      const [left = new Float32Array(0), right = left] = planes;
      return [padded(left, from - first, count), padded(right, from - first, count)];
    },
  };
}

async function readPart(
  files: Pick<Files, "readBytes">,
  path: string,
  { format, dataOffset }: WaveLayout,
  from: number,
  count: number,
): Promise<Float32Array[]> {
  const bytes = frameBytes(format);
  return samplesFromWave(await files.readBytes(path, dataOffset + from * bytes, count * bytes), format);
}

function padded(samples: Float32Array, at: number, count: number): Float32Array {
  const plane = new Float32Array(count);
  if (samples.length > 0) plane.set(samples.subarray(0, count), Math.min(at, count));
  return plane;
}
