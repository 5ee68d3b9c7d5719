import { rangeDuration, type TimeRange } from "../../../core/time-range.ts";
import { PITCHES_PER_SECOND } from "./pitch-track.ts";

/** Length of a frame of the speech network: 512 samples at 16 kHz. */
export const FRAME_SECONDS = 0.032;

/** What a range of speech is trusted by. */
export interface ConfidenceEvidence {
  /** Probability of speech of each frame of the whole sound, 0 to 1. */
  readonly probabilities: Float32Array;
  /** Pitch in Hz of the whole sound, {@link PITCHES_PER_SECOND}; 0 where nothing is voiced. */
  readonly pitches: Float32Array;
}

/**
 * A drawn-out voice: a stretch of `seconds` and more of which the network is not sure (mean probability up to `mean`),
 * with one smooth tone of `tone` seconds or more in it, and where it sounds like a voice (frames above `voice`), no more than
 * `turns` changes a second between voiced and unvoiced. A yawn, a hum and a flute are like that; words have their consonants.
 * Measured with `npm run bench:confidence`.
 */
const DRAWN_OUT = { seconds: 2, mean: 0.65, tone: 0.65, voice: 0.4, turns: 4 };

/** Octaves that the pitch of one tone moves at most from one pitch to the next. */
const GLIDE_OCTAVES = 0.12;

/**
 * Share of the time of other ranges in which somebody speaks, by the mean probability of their frames; interpolated
 * between. Measured with `npm run bench:confidence`: under music the network is less sure of speech, and seldom wrong.
 */
const SHARES: readonly (readonly [mean: number, share: number])[] = [
  [0.25, 0.6],
  [0.4, 0.8],
  [0.65, 0.86],
  [0.85, 0.9],
  [0.95, 0.92],
];

/** The same for a drawn-out voice: none of two was speech, which by the rule of succession makes one in four. */
const DRAWN_OUT_SHARE = 0.25;

/**
 * How likely a range is to be speech, as the share of the time of ranges like it that was speech on labelled material.
 *
 * @param mean Mean probability of the range's frames.
 */
export function speechConfidence(range: TimeRange, mean: number, evidence: ConfidenceEvidence): number {
  if (isDrawnOut(range, mean, evidence)) return DRAWN_OUT_SHARE;
  let [from, share] = [0, SHARES[0]?.[1] ?? 0];
  for (const [to, next] of SHARES) {
    if (mean < to) return share + ((mean - from) / (to - from)) * (next - share);
    [from, share] = [to, next];
  }
  return share;
}

function isDrawnOut(range: TimeRange, mean: number, { probabilities, pitches }: ConfidenceEvidence): boolean {
  if (rangeDuration(range) < DRAWN_OUT.seconds || mean > DRAWN_OUT.mean) return false;
  const end = Math.min(pitches.length, Math.round(range.end * PITCHES_PER_SECOND));
  let [tone, longest, turns, voice] = [0, 0, 0, 0];
  for (let at = Math.round(range.start * PITCHES_PER_SECOND) + 1; at < end; at++) {
    const [before = 0, pitch = 0] = [pitches[at - 1], pitches[at]];
    const goesOn = before > 0 && pitch > 0 && Math.abs(Math.log2(pitch / before)) < GLIDE_OCTAVES;
    tone = goesOn ? tone + 1 : 0;
    longest = Math.max(longest, tone);
    const probability = probabilities[Math.floor(at / PITCHES_PER_SECOND / FRAME_SECONDS)] ?? 0;
    if (probability <= DRAWN_OUT.voice) continue;
    voice++;
    if (before > 0 !== pitch > 0) turns++;
  }
  return longest >= DRAWN_OUT.tone * PITCHES_PER_SECOND && turns <= (DRAWN_OUT.turns * voice) / PITCHES_PER_SECOND;
}
