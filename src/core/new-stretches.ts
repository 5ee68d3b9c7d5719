import { type FrameRate, secondsFromFrames, snapToFrame } from "./frame-rate.ts";
import { BLACK, type ClipStretch, type PlacedClip, relinkedClips, sourceAt, visiblePicture } from "./layout.ts";
import { isStillName } from "./local-file.ts";
import { clipRanges, mergeRanges, subtractRanges, type TimeRange, totalDuration } from "./time-range.ts";

/** A stretch of a new cut that is worth a job of its own. Seconds on the sequence clock, on its frames. */
export interface NewStretch extends TimeRange {
  /** The picture in it that was never described, in order and disjoint; the rest is known and gives the context. */
  readonly inside: readonly TimeRange[];
}

/**
 * Known picture and sound before and after new picture, in seconds: as far as conforming looks around a cue. Enough for a
 * pause that begins or ends outside, and for what was said last.
 */
const CONTEXT_SECONDS = 5;

/**
 * New picture shorter than this in a stretch is worth no job, in seconds: with 0.35 s of clearance at both ends, 1.3 s are
 * left, which is three words.
 */
export const LEAST_NEW_SECONDS = 2;

/**
 * The stretches of a new cut whose picture was not in the old one, with context around them. New pictures whose contexts
 * would meet are one stretch: two would send, and pay for, the same seconds twice. What the old cut showed is known at any
 * speed and in any place; black is nothing to describe; a title is new where it is all that is seen; a file from another
 * folder is new unless the whole project moved. Sound alone makes nothing new: music under a described film changes no picture.
 *
 * @param window The part of the new cut that counts, such as from in to out.
 */
export function newStretches(
  before: readonly PlacedClip[],
  after: readonly PlacedClip[],
  rate: FrameRate,
  window: TimeRange,
): NewStretch[] {
  const fresh = clipRanges(newPicture(before, after, rate), window);
  const runs = mergeRanges(fresh, 2 * CONTEXT_SECONDS);
  return runs.flatMap((run) => {
    const inside = clipRanges(fresh, run);
    if (totalDuration(inside) < LEAST_NEW_SECONDS - secondsFromFrames(1, rate) / 2) return [];
    const start = Math.max(window.start, snapToFrame(run.start - CONTEXT_SECONDS, rate, "floor"));
    const end = Math.min(window.end, snapToFrame(run.end + CONTEXT_SECONDS, rate, "ceil"));
    return [{ start, end, inside }];
  });
}

/** What is seen of the new cut that was not seen in the old one, in order and disjoint. */
function newPicture(before: readonly PlacedClip[], after: readonly PlacedClip[], rate: FrameRate): TimeRange[] {
  const known = relinkedClips(before, after);
  const timeless = timelessSources([...known, ...after]);
  const frame = secondsFromFrames(1, rate);
  const shown = new Map<string, TimeRange[]>();
  for (const stretch of visiblePicture(known)) {
    shown.set(stretch.source, [...(shown.get(stretch.source) ?? []), sourceRange(stretch, frame)]);
  }
  const ranges = visiblePicture(after).flatMap((stretch) => {
    if (stretch.source === BLACK) return [];
    const seen = shown.get(stretch.source);
    if (seen === undefined) return [stretch];
    return timeless.has(stretch.source) ? [] : notSeen(stretch, mergeRanges(seen, frame), frame);
  });
  // Where old and new cut lie on other halves of a frame, a part of one is left over.
  return mergeRanges(ranges, frame / 2).filter(({ start, end }) => end - start > 0.6 * frame);
}

/** Sources that show the same at every time: stills and titles. */
function timelessSources(clips: readonly PlacedClip[]): ReadonlySet<string> {
  return new Set(
    clips.flatMap(({ media, file, name }) => {
      if (media === null) return [`empty ${name}`];
      return file !== null && isStillName(file) ? [media] : [];
    }),
  );
}

/** What a stretch shows of its source: a held picture is as long as a frame. */
function sourceRange(stretch: ClipStretch, frame: number): TimeRange {
  const [one, other] = [stretch.sourceStart, sourceAt(stretch, stretch.end)];
  return { start: Math.min(one, other) - frame / 2, end: Math.max(one, other) + frame / 2 };
}

/** The parts of a stretch whose source times are not among those that were seen. */
function notSeen(stretch: ClipStretch, seen: readonly TimeRange[], frame: number): TimeRange[] {
  const { start, end, speed, sourceStart } = stretch;
  if (speed === 0) {
    return seen.some((range) => sourceStart >= range.start - frame / 2 && sourceStart <= range.end) ? [] : [stretch];
  }
  const all = sourceRange(stretch, 0);
  const timeOf = (source: number) => start + (source - sourceStart) / speed;
  return subtractRanges(all, seen)
    .map((left) => [timeOf(left.start), timeOf(left.end)].sort((a, b) => a - b))
    .map(([from = start, to = end]) => ({ start: Math.max(start, from), end: Math.min(end, to) }));
}
