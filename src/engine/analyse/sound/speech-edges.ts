import type { TimeRange } from "../../../core/time-range.ts";

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
