import type { HeardRange } from "../../../core/heard.ts";
import { rangeDuration, type TimeRange } from "../../../core/time-range.ts";
import { type ConfidenceEvidence, FRAME_SECONDS, speechConfidence } from "./speech-confidence.ts";
import { refineEdges } from "./speech-edges.ts";
import { isAsLoudAsVoice, isMurmured } from "./speech-pauses.ts";

/** What {@link decideSpeech} judges by. */
export interface SpeechEvidence extends ConfidenceEvidence {
  /** Level of the dialogue in dBFS, every 10 ms. */
  readonly levels: Float32Array;
  readonly durationSeconds: number;
}

/** Frames on either side that a frame's evidence is averaged with: what comes after a sound tells as much as before. */
const CONTEXT_FRAMES = 3;

/**
 * A stretch counts as speech while its mean log-odds stay above `stay` (a probability of 0.12) if they reach `reach`
 * (0.38) anywhere in it. So low because a missed word is worse than a lost gap; measured with `npm run bench:hearing`.
 */
const LOG_ODDS = { stay: -2, reach: -0.5 };

/** Pauses inside speech that are too short for anything to be said in them, in seconds. */
const BRIDGE_SECONDS = 0.25;

/** Pauses up to so many seconds belong to the speech around them when something is murmured in them. */
const MURMURED_SECONDS = 1.6;

/**
 * Pauses up to so many seconds, as loud as the voices around them, belong to the speech while their mean log-odds are above this (a
 * probability of 0.03): a voice on the radio goes on under an engine that drowns it.
 */
const COVERED_SECONDS = 2;
const COVERED_LOG_ODDS = -3.5;

/** A range that counts as speech. */
interface FoundSpeech extends TimeRange {
  /** Mean probability of its frames. */
  readonly probability: number;
}

/** Ranges of speech, in order and disjoint, with how likely they are to be speech. */
export function decideSpeech(evidence: SpeechEvidence): HeardRange[] {
  return findSpeech(evidence).map(({ start, end, probability }) => {
    return { start, end, confidence: speechConfidence({ start, end }, probability, evidence) };
  });
}

/** Ranges of speech, in order and disjoint. */
export function findSpeech(evidence: SpeechEvidence): FoundSpeech[] {
  const { probabilities, durationSeconds } = evidence;
  const logOdds = smoothedLogOdds(probabilities);
  const frames = candidateFrames(logOdds);
  const edges = refineEdges(
    frames.map(([first, end]) => ({ start: first * FRAME_SECONDS, end: end * FRAME_SECONDS })),
    evidence.levels,
  );
  const found: { start: number; end: number; probability: number; weight: number }[] = [];
  for (const [index, [first, end]] of frames.entries()) {
    const range = edges[index];
    if (range === undefined) continue;
    const start = Math.max(0, range.start);
    const stop = Math.min(durationSeconds, range.end);
    if (stop <= start) continue;
    const probability = mean(probabilities.subarray(first, end));
    const weight = end - first;
    const last = found.at(-1);
    const before = frames[index - 1]?.[1] ?? first;
    if (
      last === undefined ||
      !belongTogether({ start: last.end, end: start }, logOdds.subarray(before, first), evidence.levels)
    ) {
      found.push({ start, end: stop, probability, weight });
      continue;
    }
    last.probability = (last.probability * last.weight + probability * weight) / (last.weight + weight);
    last.weight += weight;
    last.end = Math.max(last.end, stop);
  }
  return found.map(({ start, end, probability }) => ({ start, end, probability }));
}

/** Whether a pause belongs to the speech around it: nobody can speak in it, or somebody may. */
function belongTogether(pause: TimeRange, logOdds: Float32Array, levels: Float32Array): boolean {
  const seconds = rangeDuration(pause);
  if (seconds <= BRIDGE_SECONDS || (seconds <= MURMURED_SECONDS && isMurmured(pause, levels))) return true;
  return seconds <= COVERED_SECONDS && mean(logOdds) >= COVERED_LOG_ODDS && isAsLoudAsVoice(pause, levels);
}

/** Probabilities nearer to 0 or 1 than this add nothing: one certain frame shall not outvote its neighbours. */
const CERTAIN = 0.001;

function smoothedLogOdds(probabilities: Float32Array): Float32Array {
  const sums = new Float64Array(probabilities.length + 1);
  for (const [index, probability] of probabilities.entries()) {
    const kept = Math.min(1 - CERTAIN, Math.max(CERTAIN, probability));
    sums[index + 1] = (sums[index] ?? 0) + Math.log(kept / (1 - kept));
  }
  return Float32Array.from(probabilities, (_, index) => {
    const from = Math.max(0, index - CONTEXT_FRAMES);
    const to = Math.min(probabilities.length, index + CONTEXT_FRAMES + 1);
    return ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
  });
}

/** Runs of frames that count as speech, as first frame and the one after the last. */
function candidateFrames(logOdds: Float32Array): [number, number][] {
  const runs: [number, number][] = [];
  let first = -1;
  let highest = Number.NEGATIVE_INFINITY;
  for (let frame = 0; frame <= logOdds.length; frame++) {
    const value = logOdds[frame] ?? Number.NEGATIVE_INFINITY;
    if (value >= LOG_ODDS.stay) {
      if (first < 0) {
        first = frame;
        highest = value;
      }
      highest = Math.max(highest, value);
    } else if (first >= 0) {
      if (highest >= LOG_ODDS.reach) runs.push([first, frame]);
      first = -1;
    }
  }
  return runs;
}

function mean(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}
