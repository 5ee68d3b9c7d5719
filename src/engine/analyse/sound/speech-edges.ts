import { rangeDuration, type TimeRange } from "../../../core/time-range.ts";
import { LEVELS_PER_SECOND } from "./level-track.ts";

/** Steps per second of the levels that edges are found in. */
const STEPS = 100;

/** How far an edge may move, in steps: outwards to take in a soft consonant or a falling voice, inwards to drop silence. */
const REACH = { startOut: 35, startIn: 25, endOut: 45, endIn: 30 };

/** Steps outside an edge in which the sound without speech is measured, and inside it in which the voice is. */
const MEASURED = { outside: 100, inside: 120 };

/**
 * Decibels between voice and what would still count as voice. From `seen` on, the quiet ends of words stand out as well,
 * and an edge may move inwards; below `guessed`, level says nothing.
 */
const CONTRAST = { seen: 28, guessed: 8 };

/** What counts as voice: so many decibels above the surroundings, unless so far below the voice that nobody hears it. */
const VOICE = { aboveFloor: 7, belowVoice: 42 };

/** Steps of quiet inside a word (the closure of a consonant) that do not end it. */
const CLOSURE = 8;

/** Margins in seconds that are kept around an edge that was seen, and around one that was not. */
const MARGIN = { seenStart: 0.04, seenEnd: 0.06, unseenStart: 0.16, unseenEnd: 0.12 };

/**
 * Moves the edges of speech, found to a few hundredths of a second by the network, to where its sound begins and ends.
 * Where voice and surroundings cannot be told apart by level (music, noise), the edges only get a margin.
 *
 * @param ranges In order and disjoint.
 * @param levels dBFS every 10 ms.
 */
export function refineEdges(ranges: readonly TimeRange[], levels: Float32Array): TimeRange[] {
  return ranges.map((range, index) => {
    const before = Math.round((ranges[index - 1]?.end ?? 0) * STEPS);
    const after = Math.round((ranges[index + 1]?.start ?? levels.length / STEPS) * STEPS);
    const first = Math.round(range.start * STEPS);
    const last = Math.min(levels.length, Math.round(range.end * STEPS)) - 1;
    const start = findEdge(levels, first, -1, { limit: before, far: last, out: REACH.startOut, in: REACH.startIn });
    const end = findEdge(levels, last, 1, { limit: after - 1, far: first, out: REACH.endOut, in: REACH.endIn });
    const seenStart = start.at / STEPS - MARGIN.seenStart;
    const seenEnd = (end.at + 1) / STEPS + MARGIN.seenEnd;
    return {
      start: start.isSure ? seenStart : Math.min(seenStart, range.start - MARGIN.unseenStart),
      end: end.isSure ? seenEnd : Math.max(seenEnd, range.end + MARGIN.unseenEnd),
    };
  });
}

interface EdgeBounds {
  /** Step of the neighbouring speech, which the search does not enter. */
  readonly limit: number;
  /** Step of the range's other edge. */
  readonly far: number;
  readonly out: number;
  readonly in: number;
}

/**
 * The outermost step of the voice that belongs to an edge, and whether the voice stands out so far that it cannot go on
 * unseen.
 *
 * @param outwards -1 for a start, 1 for an end.
 */
function findEdge(
  levels: Float32Array,
  edge: number,
  outwards: -1 | 1,
  bounds: EdgeBounds,
): { readonly at: number; readonly isSure: boolean } {
  const span = (from: number, steps: number, direction: number, stop: number) => {
    const values: number[] = [];
    for (let step = 0; step < steps; step++) {
      const at = from + direction * step;
      if (at < 0 || at >= levels.length || (stop - at) * direction < 0) break;
      values.push(levels[at] ?? 0);
    }
    return values.sort((a, b) => a - b);
  };
  const inside = span(edge, MEASURED.inside, -outwards, bounds.far);
  const outside = span(edge + 5 * outwards, MEASURED.outside, outwards, bounds.limit);
  if (inside.length === 0 || outside.length < 10) return { at: edge, isSure: false };
  const voice = quantile(inside, 0.9);
  const threshold = Math.max(quantile(outside, 0.25) + VOICE.aboveFloor, voice - VOICE.belowVoice);
  if (voice - threshold < CONTRAST.guessed) return { at: edge, isSure: false };
  const isSure = voice - threshold >= CONTRAST.seen;
  const isVoice = (at: number) => (levels[at] ?? Number.NEGATIVE_INFINITY) >= threshold;
  let found = edge;
  if (isSure) for (let step = 0; step < bounds.in && !isVoice(found); step++) found -= outwards;
  let quiet = 0;
  for (let at = edge; Math.abs(at - edge) <= bounds.out && (bounds.limit - at) * outwards >= 0; at += outwards) {
    if (isVoice(at)) {
      found = at;
      quiet = 0;
    } else if (++quiet > CLOSURE) break;
  }
  return { at: found, isSure };
}

function quantile(ordered: readonly number[], share: number): number {
  return ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] ?? 0;
}

/** Steps of 10 ms beside a pause in which the voice is measured, and inside its ends that still belong to the voice. */
const PAUSE_STEPS = { voice: 120, edge: 10 };

/**
 * A murmur: at most so many decibels below the softer voice beside it, at least so many above the quiet of the pause, for so many
 * steps in all. Measured on the meetings of `npm run tool -- bench:hearing`.
 */
const MURMUR = { belowVoice: 18, aboveQuiet: 8, steps: 3 };

/**
 * Whether a pause holds soft voice that the network does not call speech: a murmured word, a breath taken in. Under music
 * or noise, where a pause has no quiet of its own, level says nothing and nothing is murmured.
 *
 * @param levels dBFS every 10 ms.
 */
export function isMurmured(pause: TimeRange, levels: Float32Array): boolean {
  const { within, quiet, voice } = levelsOf(pause, levels);
  const murmur = within.at(-MURMUR.steps);
  if (quiet === undefined || murmur === undefined) return false;
  return murmur >= voice - MURMUR.belowVoice && murmur >= quiet + MURMUR.aboveQuiet;
}

/** How far below the voices around it a pause that drowns them lies at most, in dB. */
const DROWNING = 6;

/**
 * Whether a pause is as loud throughout as the voices around it, so that nobody can tell that nothing is said in it.
 *
 * @param levels dBFS every 10 ms.
 */
export function isAsLoudAsVoice(pause: TimeRange, levels: Float32Array): boolean {
  const { quiet, voice } = levelsOf(pause, levels);
  return quiet !== undefined && quiet >= voice - DROWNING;
}

/** Speech this long, in seconds, may need a hold inside it. */
const LONG_SECONDS = 8;

/** A dip: steps in a row that lie at least so many dB below the voice. As long as a pause between words that a programme is held in. */
const DIP = { steps: 15, belowVoice: 18 };

/**
 * The middles of the dips in long speech, in seconds, in order: where somebody who goes on and on draws breath.
 *
 * @param levels dBFS every 10 ms.
 */
export function dipsIn(speech: readonly TimeRange[], levels: Float32Array): number[] {
  return speech.flatMap((range) => {
    if (rangeDuration(range) < LONG_SECONDS) return [];
    const first = Math.round(range.start * LEVELS_PER_SECOND);
    const within = levels.subarray(first, Math.round(range.end * LEVELS_PER_SECOND));
    const most = loudest(within) - DIP.belowVoice;
    const dips: number[] = [];
    let run = 0;
    for (const [step, level] of within.entries()) {
      if (level <= most) {
        run++;
        continue;
      }
      if (run >= DIP.steps && run < step) dips.push((first + step - run / 2) / LEVELS_PER_SECOND);
      run = 0;
    }
    return dips;
  });
}

/** The levels inside a pause, the faintest first; the one that a quarter of them stay below; and that of the fainter voice beside it. */
function levelsOf(pause: TimeRange, levels: Float32Array) {
  const first = Math.round(pause.start * LEVELS_PER_SECOND);
  const end = Math.round(pause.end * LEVELS_PER_SECOND);
  const within = levels
    .subarray(first + PAUSE_STEPS.edge, Math.max(first + PAUSE_STEPS.edge, end - PAUSE_STEPS.edge))
    .toSorted();
  const voice = Math.min(
    loudest(levels.subarray(Math.max(0, first - PAUSE_STEPS.voice), first)),
    loudest(levels.subarray(end, end + PAUSE_STEPS.voice)),
  );
  return { within, quiet: within[Math.floor(within.length / 4)], voice };
}

/** The level that a tenth of the steps exceed. */
function loudest(levels: Float32Array): number {
  return levels.toSorted()[Math.floor(0.9 * levels.length)] ?? Number.NEGATIVE_INFINITY;
}
