import type { TimeRange } from "../core/time-range.ts";
import { readWaveHeader, WAVE_HEAD_BYTES, waveLength } from "../formats/wave/read-wave.ts";
import { frameBytes } from "../formats/wave/wave-format.ts";
import { waveHeader, waveTrailer } from "../formats/wave/write-wave.ts";
import type { Files } from "../host/files.ts";
import { type OpenWave, wavePieces } from "./open-wave.ts";
import { writeWhole } from "./write-whole.ts";

/** Files as cutting needs them. */
export type CutterFiles = Pick<Files, "size" | "readBytes" | "openWriter" | "rename">;

/** A WAV file that stretches are cut out of. */
export interface WaveCutter extends OpenWave {
  /** Length of its sound. */
  readonly seconds: number;
  /**
   * Writes a stretch, in seconds from the file's start, as a WAV file of the same format; what lies beyond the end is
   * silence. The file is there whole or not at all.
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
  const { format, dataOffset } = layout;
  const { samples, seconds } = waveLength(layout, size);
  const width = frameBytes(format);
  const silence = format.encoding === "integer" && format.bits === 8 ? 0x80 : 0;
  return {
    ...wavePieces(files, path, layout, samples),
    seconds,
    async cut({ start, end }, into) {
      const first = Math.max(0, Math.round(start * format.sampleRate));
      const contents = { format, sampleCount: Math.max(0, Math.round(end * format.sampleRate) - first) };
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
