import { readWaveHeader, type WaveLayout } from "../../../src/formats/wave/read-wave.ts";
import type { WaveMarker } from "../../../src/formats/wave/wave-format.ts";
import { type WaveContents, waveHeader, waveTrailer } from "../../../src/formats/wave/write-wave.ts";

/** A WAV file of silence. */
export function waveFile(contents: WaveContents): Buffer {
  const { format, sampleCount } = contents;
  const data = Buffer.alloc((sampleCount * format.channels * format.bits) / 8);
  return Buffer.concat([waveHeader(contents), data, waveTrailer(contents)]);
}

/** Where the samples of a WAV file are; fails where it is none. */
export function layoutOf(bytes: Uint8Array): WaveLayout {
  const reading = readWaveHeader(bytes);
  if (!reading.ok) throw new Error(reading.code);
  return reading.layout;
}

/** A chunk of a RIFF file. */
export interface Chunk {
  readonly id: string;
  readonly body: Buffer;
}

/** The chunks of a WAV file by a reading of its own, for files whose sizes fit 32 bits. */
export function chunksOf(file: Buffer, from = 12, to = file.length): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = from; at + 8 <= to; ) {
    const size = file.readUInt32LE(at + 4);
    chunks.push({ id: file.toString("latin1", at, at + 4), body: file.subarray(at + 8, at + 8 + size) });
    at += 8 + size + (size % 2);
  }
  return chunks;
}

/** The body of the first chunk of a name. */
export function chunkOf(file: Buffer, id: string): Buffer {
  const found = chunksOf(file).find((chunk) => chunk.id === id);
  if (found === undefined) throw new Error(`no "${id}" chunk`);
  return found.body;
}

/** The markers of a WAV file. */
export function markersOf(file: Buffer): WaveMarker[] {
  const cues = chunkOf(file, "cue ");
  const notes = chunksOf(chunkOf(file, "LIST"), 4);
  return Array.from({ length: cues.readUInt32LE(0) }, (_, index) => {
    const id = cues.readUInt32LE(4 + 24 * index);
    const note = (kind: string) => notes.find((entry) => entry.id === kind && entry.body.readUInt32LE(0) === id)?.body;
    return {
      sample: cues.readUInt32LE(4 + 24 * index + 20),
      lengthSamples: note("ltxt")?.readUInt32LE(4) ?? 0,
      label: note("labl")?.subarray(4, -1).toString("utf8") ?? "",
    };
  });
}
