import { rangeDuration, type TimeRange } from "../../../core/time-range.ts";
import { LEVELS_PER_SECOND } from "./level-track.ts";

/** Steps of 10 ms beside a pause in which the voice is measured, and inside its ends that still belong to the voice. */
const STEPS = { voice: 120, edge: 10 };

/**
 * A murmur: at most so many decibels below the softer voice beside it, at least so many above the quiet of the pause, for so many
 * steps in all. Measured on the meetings of `npm run bench:hearing`.
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
  const within = levels.subarray(first + STEPS.edge, Math.max(first + STEPS.edge, end - STEPS.edge)).toSorted();
  const voice = Math.min(
    loudest(levels.subarray(Math.max(0, first - STEPS.voice), first)),
    loudest(levels.subarray(end, end + STEPS.voice)),
  );
  return { within, quiet: within[Math.floor(within.length / 4)], voice };
}

/** The level that a tenth of the steps exceed. */
function loudest(levels: Float32Array): number {
  return levels.toSorted()[Math.floor(0.9 * levels.length)] ?? Number.NEGATIVE_INFINITY;
}
