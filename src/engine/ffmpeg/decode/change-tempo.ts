import { AV_CHANNEL_LAYOUT_MONO } from "node-av/constants";
import { TempoFilter } from "./tempo-filter.ts";

/** Tempo factors at which speech stays speech. */
const TEMPO_LIMITS = { minimum: 0.5, maximum: 2 } as const;

/**
 * A mono sound `tempo` times as fast at the same pitch, for speech whose engine cannot change its pace.
 *
 * @throws RangeError for a tempo outside 0.5 to 2.
 */
export function changeTempo(
  sound: { readonly samples: Float32Array; readonly sampleRate: number },
  tempo: number,
): { samples: Float32Array; sampleRate: number } {
  if (!(tempo >= TEMPO_LIMITS.minimum && tempo <= TEMPO_LIMITS.maximum)) throw new RangeError(`tempo ${tempo}`);
  const { samples, sampleRate } = sound;
  using filter = new TempoFilter(sampleRate, AV_CHANNEL_LAYOUT_MONO, tempo);
  const parts = [...filter.convert([samples]), ...filter.flush()].flatMap(([plane]) =>
    plane === undefined ? [] : [plane],
  );
  const joined = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return { samples: joined, sampleRate };
}
