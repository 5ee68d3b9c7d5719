import { FilterAPI } from "node-av/api";
import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_FLTP } from "node-av/constants";
import { Frame } from "node-av/lib";
import { bytesOf } from "./resampler.ts";

/** Tempo factors that FFmpeg's filter takes in one step. */
const TEMPO_LIMITS = { minimum: 0.5, maximum: 2 } as const;

/** Samples given to the filter at a time. */
const BLOCK_SAMPLES = 8_192;

/**
 * A mono sound `tempo` times as fast at the same pitch (overlap-add of matching waves), for speech whose engine cannot
 * change its pace.
 *
 * @throws RangeError for a tempo outside 0.5 to 2.
 */
export function changeTempo(
  sound: { readonly samples: Float32Array; readonly sampleRate: number },
  tempo: number,
): { samples: Float32Array; sampleRate: number } {
  if (!(tempo >= TEMPO_LIMITS.minimum && tempo <= TEMPO_LIMITS.maximum)) throw new RangeError(`tempo ${tempo}`);
  const { samples, sampleRate } = sound;
  const parts: Float32Array[] = [];
  const take = (frame: Frame) => {
    const plane = frame.extendedData?.[0];
    if (plane !== undefined)
      parts.push(new Float32Array(plane.buffer.slice(plane.byteOffset, plane.byteOffset + 4 * frame.nbSamples)));
    frame.free();
  };
  using filter = FilterAPI.create(`atempo=${tempo.toFixed(4)}`);
  for (let at = 0; at < samples.length; at += BLOCK_SAMPLES) {
    const block = samples.slice(at, at + BLOCK_SAMPLES);
    using frame = Frame.fromAudioBuffer(bytesOf(block), {
      nbSamples: block.length,
      format: AV_SAMPLE_FMT_FLTP,
      sampleRate,
      channelLayout: AV_CHANNEL_LAYOUT_MONO,
      pts: BigInt(at),
      timeBase: { num: 1, den: sampleRate },
    });
    for (const made of filter.processAllSync(frame)) take(made);
  }
  for (const made of filter.flushFramesSync()) take(made);
  const joined = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return { samples: joined, sampleRate };
}
