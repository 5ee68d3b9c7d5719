import type { HeardRange } from "../../../core/heard.ts";
import { sigmoid } from "../speech-network/network-layer.ts";
import { MUSIC_STEP_SECONDS } from "./music-detector.ts";

/** Scores on either side that a score is averaged with: music goes on for seconds, a sung vowel does not. */
const CONTEXT_SCORES = 2;

/**
 * A stretch counts as music while its mean score stays above `stay` if it reaches `reach` anywhere in it. Scores of
 * speech, noise and crowds stay below 1.7 nearly always, those of music above 2.2 (`npm run bench:hearing`).
 */
const SCORE = { stay: 1.5, reach: 1.9 };

/** Scores over which the confidence climbs from 0.5 to 0.73. */
const SCORE_SPREAD = 0.35;

/** Shorter music is not told apart from a ringing bell; shorter pauses (a drum alone, a general pause) belong to it. */
const SECONDS = { shortest: 3, bridge: 4 };

/** Ranges of music, in order and disjoint, exact to about a second. */
export function decideMusic(scores: Float32Array, durationSeconds: number): HeardRange[] {
  const even = Float32Array.from(scores, (_, i) =>
    mean(scores.subarray(Math.max(0, i - CONTEXT_SCORES), i + CONTEXT_SCORES + 1)),
  );
  const runs: { first: number; end: number }[] = [];
  for (let first = 0; first < even.length; first++) {
    if ((even[first] ?? 0) < SCORE.stay) continue;
    let end = first;
    let highest = 0;
    for (; (even[end] ?? 0) >= SCORE.stay; end++) highest = Math.max(highest, even[end] ?? 0);
    const last = runs.at(-1);
    const isNear = last !== undefined && (first - last.end) * MUSIC_STEP_SECONDS <= SECONDS.bridge;
    if (highest >= SCORE.reach && isNear) last.end = end;
    else if (highest >= SCORE.reach) runs.push({ first, end });
    first = end;
  }
  return runs.flatMap((run) => {
    const start = Math.max(0, (run.first - 0.5) * MUSIC_STEP_SECONDS);
    const end = Math.min(durationSeconds, (run.end - 0.5) * MUSIC_STEP_SECONDS);
    if (end - start < Math.min(SECONDS.shortest, durationSeconds)) return [];
    return [
      { start, end, confidence: sigmoid((mean(even.subarray(run.first, run.end)) - SCORE.reach) / SCORE_SPREAD) },
    ];
  });
}

function mean(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}
