import { decibelsFromGain } from "../../core/level.ts";
import { type DecodeSoundOptions, decodeSound } from "../ffmpeg/decode-sound.ts";
import { TruePeakMeter } from "./true-peak.ts";

/**
 * The true peak of a sound file as it is decoded, in dBTP; `-Infinity` for silence. A coder adds to it. Streams.
 *
 * @throws MediaProcessError; the signal's reason when it aborts.
 */
export async function decodedTruePeak(path: string, options: DecodeSoundOptions): Promise<number> {
  let meter: TruePeakMeter | null = null;
  for await (const block of decodeSound(path, options)) {
    meter ??= new TruePeakMeter(block.length);
    meter.add(block);
  }
  return decibelsFromGain(meter?.finish() ?? 0);
}
