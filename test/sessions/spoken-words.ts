import { fingerprintOf } from "../../src/core/bytes.ts";
import type { Cue } from "../../src/core/cue.ts";
import { readWaveHeader } from "../../src/formats/wave/read-wave.ts";
import { waveHeader } from "../../src/formats/wave/write-wave.ts";

/** What the pretended Premiere takes every sound file for. */
const SAMPLE_RATE = 48_000;
const CHANNELS = 2;

const FORMAT = { encoding: "integer", bits: 16, channels: CHANNELS, channelMask: 0, sampleRate: SAMPLE_RATE } as const;

/** The sample that stands for words: the same for the same words, never 0. */
export function sampleOf(words: string): number {
  return 1 + (Number.parseInt(fingerprintOf(words).slice(0, 8), 16) % 32_000);
}

/** A narration as a WAV file in which each cue is one value, that of its words, and everything else is silence. */
export function spokenWav(cues: readonly Cue[], seconds: number): Uint8Array {
  const sampleCount = Math.round(seconds * SAMPLE_RATE);
  const samples = new Int16Array(sampleCount * CHANNELS);
  const at = (time: number) => Math.round(time * SAMPLE_RATE) * CHANNELS;
  for (const { start, end, text } of cues) samples.fill(sampleOf(text), at(start), at(end));
  return Buffer.concat([
    waveHeader({ format: FORMAT, sampleCount }),
    Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength),
  ]);
}

/** The values that are heard in a stretch of a WAV file, in seconds from its start; those at its edges may be cut. */
export function valuesIn(wav: Uint8Array, start: number, end: number): ReadonlySet<number> {
  const reading = readWaveHeader(wav);
  if (!reading.ok) throw new Error(`no WAV file: ${reading.code}`);
  const { dataOffset, format } = reading.layout;
  const view = new DataView(wav.buffer, wav.byteOffset + dataOffset, wav.byteLength - dataOffset);
  const width = format.channels * 2;
  const heard = new Set<number>();
  const last = Math.min(Math.floor(view.byteLength / width), Math.round(end * format.sampleRate));
  for (let at = Math.max(0, Math.round(start * format.sampleRate)); at < last; at++) {
    heard.add(view.getInt16(at * width, true));
  }
  heard.delete(0);
  return heard;
}
