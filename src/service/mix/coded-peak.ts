import { rm } from "node:fs/promises";
import { decibelsFromGain } from "../../core/level.ts";
import { decodeSound } from "../ffmpeg/decode-sound.ts";
import { encodeSound } from "../ffmpeg/encode-sound.ts";
import { TruePeakMeter } from "./true-peak.ts";

/**
 * The true peak of a sound file as it comes out of a video, in dBTP: it is encoded as a video's sound is, and decoded.
 * `-Infinity` for silence. Streams.
 *
 * @param path WAV file.
 * @param shape Its samples per second, and its length.
 * @param scratchPath File that is written and removed.
 * @throws MediaProcessError; the signal's reason when it aborts.
 */
export async function codedTruePeak(
  path: string,
  scratchPath: string,
  shape: { readonly sampleRate: number; readonly durationSeconds: number },
  signal: AbortSignal,
): Promise<number> {
  const options = { ...shape, reusesBlocks: true, signal };
  try {
    await encodeSound(path, scratchPath, options);
    let meter: TruePeakMeter | null = null;
    for await (const block of decodeSound(scratchPath, options)) {
      meter ??= new TruePeakMeter(block.length);
      meter.add(block);
    }
    return decibelsFromGain(meter?.finish() ?? 0);
  } finally {
    await rm(scratchPath, { force: true });
  }
}
