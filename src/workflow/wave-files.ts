import type { TimeRange } from "../core/time-range.ts";
import { readWaveHeader, WAVE_HEAD_BYTES, type WaveLayout, waveLength } from "../formats/wave/read-wave.ts";
import { frameBytes, samplesFromWave } from "../formats/wave/wave-format.ts";
import { waveHeader, waveTrailer } from "../formats/wave/write-wave.ts";
import type { Files, FileWriter } from "../host/files.ts";

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
function wavePieces(files: Pick<Files, "readBytes">, path: string, layout: WaveLayout, samples: number): OpenWave {
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

/** Files as cutting needs them. */
export type CutterFiles = Pick<Files, "size" | "readBytes" | "openWriter" | "rename">;

/** A WAV file that stretches are cut out of. */
export interface WaveCutter extends OpenWave {
  /** Length of its sound. */
  readonly seconds: number;
  /**
   * Writes a stretch, in seconds from the file's start, as a WAV file of the same format; what lies beyond the end is
   * silence. The file is there whole or not at all. It has the timecode of its stretch where the whole has one (`bext`).
   */
  cut(stretch: TimeRange, into: string): Promise<void>;
}

/** Bytes copied at a time. */
const COPY_BYTES = 1 << 20;

/**
 * Opens a sound for reading and cutting; `null` where it is no WAV file whose samples can be read.
 *
 * @throws HostError `file_not_found` when there is none.
 */
export async function openWaveCutter(files: CutterFiles, path: string): Promise<WaveCutter | null> {
  const size = await files.size(path);
  const reading = readWaveHeader(await files.readBytes(path, 0, WAVE_HEAD_BYTES));
  if (size === null || !reading.ok) return null;
  const { layout } = reading;
  const { format, dataOffset, broadcast } = layout;
  const { samples, seconds } = waveLength(layout, size);
  const width = frameBytes(format);
  const silence = format.encoding === "integer" && format.bits === 8 ? 0x80 : 0;
  return {
    ...wavePieces(files, path, layout, samples),
    seconds,
    async cut({ start, end }, into) {
      const first = Math.max(0, Math.round(start * format.sampleRate));
      const timeReferenceSamples = (broadcast?.timeReferenceSamples ?? 0) + first;
      const contents = {
        format,
        sampleCount: Math.max(0, Math.round(end * format.sampleRate) - first),
        ...(broadcast === undefined
          ? {}
          : {
              broadcast: { description: broadcast.description, originator: broadcast.originator, timeReferenceSamples },
            }),
      };
      await writeWhole(files, into, async (writer) => {
        const header = waveHeader(contents);
        await writer.write(0, header.buffer);
        const bytes = contents.sampleCount * width;
        for (let done = 0; done < bytes; done += COPY_BYTES) {
          const wanted = Math.min(COPY_BYTES, bytes - done);
          const there = Math.max(0, Math.min(wanted, (samples - first) * width - done));
          const piece = new Uint8Array(wanted).fill(silence, there);
          if (there > 0) piece.set(await files.readBytes(path, dataOffset + first * width + done, there));
          await writer.write(header.length + done, piece.buffer);
        }
        const trailer = waveTrailer(contents);
        if (trailer.length > 0) await writer.write(header.length + bytes, trailer.buffer);
      });
    },
  };
}

const FORMAT = { channels: 2, sampleRate: 48_000, encoding: "integer", bits: 16, channelMask: 0 } as const;

/**
 * Writes a silent sound that is no shorter than so many seconds, by less than a sample: an editor floors a sound to frames. A file
 * of that length that is there is taken as it is.
 *
 * @throws HostError when it cannot be written.
 */
export async function writeSilence(
  files: Pick<Files, "size" | "openWriter" | "rename">,
  path: string,
  seconds: number,
): Promise<void> {
  const sampleCount = Math.ceil(seconds * FORMAT.sampleRate);
  const header = waveHeader({ format: FORMAT, sampleCount });
  const width = frameBytes(FORMAT);
  const length = header.length + sampleCount * width;
  if ((await files.size(path)) === length) return;
  await writeWhole(files, path, async (writer) => {
    await writer.write(0, header.buffer);
    // What lies between is zeros.
    if (sampleCount > 0) await writer.write(length - width, new ArrayBuffer(width));
  });
}

/**
 * Writes a file that is there whole or not at all: it has another name until it is finished.
 *
 * @throws what `write` rejects with, and HostError.
 */
export async function writeWhole(
  files: Pick<Files, "openWriter" | "rename">,
  path: string,
  write: (writer: FileWriter) => Promise<void>,
): Promise<void> {
  const part = `${path}.part`;
  const writer = await files.openWriter(part);
  try {
    await write(writer);
  } finally {
    await writer.close();
  }
  // Last of all: whoever finds the name trusts what is behind it.
  await files.rename(part, path);
}
