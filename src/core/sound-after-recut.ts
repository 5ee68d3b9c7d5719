import { type KnownSpeech, mergeKnown } from "./gap.ts";
import { audibleSound, type ClipStretch, cutStretch, type PlacedClip, relinkedClips } from "./layout.ts";
import {
  clipRanges,
  mergeRanges,
  rangeDuration,
  SAME_SPEED,
  subtractRanges,
  type TimeRange,
  totalDuration,
} from "./time-range.ts";

/** Sounds shorter than this are none: clips are cut on frames. In seconds. */
const SHORTEST_SECONDS = 0.001;

/** What is known of the sound of a new cut from what was heard in the old one. */
export interface SoundAfterRecut {
  /** Where what was heard lies now and how sure that is, in order and disjoint; what was cut out is not in it. */
  readonly ranges: readonly KnownSpeech[];
  /** Whether all sound of the new cut was in the old one: else nobody has listened to some of it. */
  readonly isAllKnown: boolean;
}

/**
 * Takes ranges of what was heard along with a re-cut: each goes where its sound went, by the source under it. The same
 * sound at another speed is taken for new.
 *
 * @param heard Ranges on the sequence clock of the old cut: speech, or music.
 * @param listened The part of the old cut that was listened to, on the same clock.
 */
export function soundAfterRecut(
  heard: readonly KnownSpeech[],
  listened: TimeRange,
  before: readonly PlacedClip[],
  after: readonly PlacedClip[],
): SoundAfterRecut {
  const { old, now } = soundsOf(before, after);
  // Without sound in the layout nothing can be told of it; what was heard stays where it was.
  if (old.length === 0) return { ranges: mergeKnown(heard), isAllKnown: now.length === 0 };
  const places = (range: TimeRange) => placesOf(range, old, now);
  const known = mergeRanges(places(listened), SHORTEST_SECONDS);
  const unknown = now.flatMap((stretch) => subtractRanges(stretch, known));
  const moved = heard.flatMap((range) => places(range).map((place) => ({ ...range, ...place })));
  return {
    ranges: mergeKnown(moved.filter((range) => rangeDuration(range) > SHORTEST_SECONDS)),
    isAllKnown: totalDuration(unknown) < SHORTEST_SECONDS * Math.max(1, now.length),
  };
}

/**
 * Takes lines of what is said along with a re-cut: each goes wherever at least half of its sound went, else where most of it
 * did. What was cut out is gone. On the sequence clock.
 */
export function linesAfterRecut<Line extends TimeRange>(
  lines: readonly Line[],
  before: readonly PlacedClip[],
  after: readonly PlacedClip[],
): Line[] {
  const { old, now } = soundsOf(before, after);
  // Without sound in the layout nothing can be told of it.
  if (old.length === 0) return [...lines];
  const moved = lines.flatMap((line) => {
    // A cut through it that was there before, or plays on, parts nothing.
    const places = mergeRanges(placesOf(line, old, now), SHORTEST_SECONDS)
      .filter((place) => rangeDuration(place) > SHORTEST_SECONDS)
      .sort((a, b) => rangeDuration(b) - rangeDuration(a));
    const kept = places.filter((place, index) => index === 0 || rangeDuration(place) >= rangeDuration(line) / 2);
    return kept.map((place) => ({ ...line, ...place }));
  });
  return moved.sort((a, b) => a.start - b.start);
}

/** What is heard of two cuts, each source under one name. */
function soundsOf(before: readonly PlacedClip[], after: readonly PlacedClip[]) {
  return { old: audibleSound(relinkedClips(before, after)), now: audibleSound(after) };
}

/** Where the sound of a range of the old cut is heard in the new one. */
function placesOf(range: TimeRange, old: readonly ClipStretch[], now: readonly ClipStretch[]): TimeRange[] {
  return old.flatMap((stretch) => {
    const piece = cutStretch(stretch, range);
    return piece === null ? [] : now.flatMap((other) => placeIn(other, piece));
  });
}

/** Where a stretch of the new cut plays the sound of a piece of the old one; none where it does not. */
function placeIn(stretch: ClipStretch, piece: ClipStretch): TimeRange[] {
  const { source, speed, sourceStart } = piece;
  if (stretch.source !== source || speed <= 0 || Math.abs(stretch.speed - speed) > SAME_SPEED) return [];
  const start = stretch.start + (sourceStart - stretch.sourceStart) / speed;
  return clipRanges([{ start, end: start + rangeDuration(piece) }], stretch);
}
