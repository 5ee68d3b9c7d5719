import type { TimeRange } from "../../../core/time-range.ts";
import type { KeyFrame } from "../../programme-analysis.ts";

/** A key frame with how much is new in it beside the one that stays before it. */
interface Thinned {
  readonly frame: KeyFrame;
  readonly novelty: number;
  /** Whether it must stay as long as others can go. */
  readonly isHeld: boolean;
}

/**
 * The key frames of a stretch, at most `most`, those left out in which least is new. The first and the last one stay, and one of each
 * shot, as far as `most` allows. A stretch without a key frame has the last one before it; none is given only where the
 * programme has none before the end of the stretch.
 *
 * @param keyFrames In order of time.
 * @param range Seconds on the programme clock.
 * @throws RangeError when `most` is below 1.
 */
export function pickKeyFrames(keyFrames: readonly KeyFrame[], range: TimeRange, most: number): KeyFrame[] {
  if (!(most >= 1)) throw new RangeError(`most must be at least 1, not ${most}`);
  const inside = keyFrames.filter(({ at }) => at >= range.start && at < range.end);
  if (inside.length === 0) return keyFrames.filter(({ at }) => at < range.end).slice(-1);
  let kept = inside.map((frame, index): Thinned => {
    const isHeld = index === 0 || index === inside.length - 1 || frame.novelty === 1;
    return { frame, novelty: frame.novelty, isHeld };
  });
  while (kept.length > most) kept = withoutOne(kept);
  return kept.map(({ frame }) => frame);
}

/** All but the one in which least is new. What is new in it passes to the next one of its shot, which must now show it. */
function withoutOne(kept: readonly Thinned[]): Thinned[] {
  const out = kept.reduce((least, _, index) => (isLessWorth(kept, index, least) ? index : least), kept.length - 1);
  return kept.flatMap((one, index) => {
    if (index === out) return [];
    const isNext = index === out + 1 && one.frame.novelty < 1;
    return [isNext ? { ...one, novelty: one.novelty + (kept[out]?.novelty ?? 0) } : one];
  });
}

/** Whether a frame can rather be missed than another. The first never can, the last only beside the first alone. */
function isLessWorth(kept: readonly Thinned[], index: number, other: number): boolean {
  const [one, two] = [kept[index], kept[other]];
  if (one === undefined || two === undefined || index === 0 || index === kept.length - 1) return false;
  if (other === kept.length - 1) return true;
  if (one.isHeld !== two.isHeld) return two.isHeld;
  if (one.novelty !== two.novelty) return one.novelty < two.novelty;
  return secondsAround(kept, index) < secondsAround(kept, other);
}

/** Seconds that would lie between the neighbours of a frame without it. */
function secondsAround(kept: readonly Thinned[], index: number): number {
  return (kept[index + 1]?.frame.at ?? 0) - (kept[index - 1]?.frame.at ?? 0);
}

/** Pictures of a film that are looked at in any case, and more of them for each second. */
const SHOWN = { always: 1800, perSecond: 0.6 };

/**
 * Pictures of a film that are looked at, at the most: all of a film of half an hour; of a longer one in which all moves those
 * in which least is new are left out, for each look takes time and money.
 */
export function mostShown(durationSeconds: number): number {
  return Math.ceil(SHOWN.always + SHOWN.perSecond * durationSeconds);
}
