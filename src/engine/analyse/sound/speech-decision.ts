import type { HeardRange } from "../../../core/gap.ts";
import { rangeDuration, type TimeRange } from "../../../core/time-range.ts";
import { sigmoid } from "../speech-network/network-layer.ts";
import { PITCHES_PER_SECOND } from "./pitch-track.ts";
import { isAsLoudAsVoice, isMurmured, refineEdges } from "./speech-edges.ts";

/** What {@link decideSpeech} judges by. */
export interface SpeechEvidence extends ConfidenceEvidence {
  /** Probability of speech of each frame where all that was asked counts; absent where that is the network alone. */
  readonly heard?: Float32Array;
  /** Level of the dialogue in dBFS, every 10 ms. */
  readonly levels: Float32Array;
  readonly durationSeconds: number;
}

/** Frames on either side that a frame's evidence is averaged with: what comes after a sound tells as much as before. */
const CONTEXT_FRAMES = 3;

/**
 * A stretch counts as speech while its mean log-odds stay above `stay` (a probability of 0.12) if they reach `reach`
 * (0.38) anywhere in it. So low because a missed word is worse than a lost gap; measured with `npm run tool -- bench:hearing`.
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
  const { probabilities, heard = probabilities, durationSeconds } = evidence;
  const logOdds = smoothedLogOdds(heard);
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

/**
 * What is added to the mean log-odds of both networks under music: each of them misses what the other hears, and a missed word is
 * worse than a lost gap. Measured with `npm run tool -- bench:hearing`.
 */
const UNDER_MUSIC_LOG_ODDS = 0.35;

/**
 * Probabilities of speech by both networks: the newer one's, and where there is music the mean of both, where that is more.
 *
 * @param newer One per frame, as `older`.
 */
export function heardUnderMusic(
  newer: Float32Array,
  older: Float32Array,
  music: readonly TimeRange[],
): Float32Array<ArrayBuffer> {
  const heard = Float32Array.from(newer);
  for (const { start, end } of music) {
    const first = Math.max(0, Math.ceil(start / FRAME_SECONDS - 0.5));
    const last = Math.min(heard.length, Math.ceil(end / FRAME_SECONDS - 0.5));
    for (let frame = first; frame < last; frame++) {
      const alone = newer[frame] ?? 0;
      const both = sigmoid(0.5 * (logOddsOf(alone) + logOddsOf(older[frame] ?? 0)) + UNDER_MUSIC_LOG_ODDS);
      heard[frame] = Math.max(alone, both);
    }
  }
  return heard;
}

/** Probabilities nearer to 0 or 1 than this add nothing: one certain frame shall not outvote its neighbours. */
const CERTAIN = 0.001;

/** The logarithm of the odds for a probability. */
function logOddsOf(probability: number): number {
  const kept = Math.min(1 - CERTAIN, Math.max(CERTAIN, probability));
  return Math.log(kept / (1 - kept));
}

function smoothedLogOdds(probabilities: Float32Array): Float32Array {
  const sums = new Float64Array(probabilities.length + 1);
  for (const [index, probability] of probabilities.entries()) {
    sums[index + 1] = (sums[index] ?? 0) + logOddsOf(probability);
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
 * Measured with `npm run tool -- bench:confidence`.
 */
const DRAWN_OUT = { seconds: 2, mean: 0.65, tone: 0.65, voice: 0.4, turns: 4 };

/** Octaves that the pitch of one tone moves at most from one pitch to the next. */
const GLIDE_OCTAVES = 0.12;

/**
 * Share of the time of other ranges in which somebody speaks, by the mean probability of their frames; interpolated
 * between. Measured with `npm run tool -- bench:confidence`: under music the network is less sure of speech, and seldom wrong.
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
