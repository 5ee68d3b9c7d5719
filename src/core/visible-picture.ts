import type { PlacedClip } from "./layout.ts";
import { subtractRanges, type TimeRange } from "./time-range.ts";

/** A stretch of one clip, where nothing of another begins or ends. */
export interface ClipStretch extends TimeRange {
  /** What is known of the source: its media's identity, or a title's name. */
  readonly source: string;
  /** Source time at `start`, in seconds. */
  readonly sourceStart: number;
  /** Source seconds per sequence second. */
  readonly speed: number;
}

/**
 * The picture that is seen, in order and without overlaps: the topmost clip with media at every instant. Titles, adjustment
 * layers and other clips without media lie over a picture and hide none; where there is nothing else, they are the picture.
 * Where there is nothing at all, black is seen, up to the end of the last clip.
 */
export function visiblePicture(layout: readonly PlacedClip[]): ClipStretch[] {
  const clips = layout.filter((clip) => clip.kind === "video" && clip.end > clip.start);
  // Overlays first, so that every picture is laid over them; among equals the order is that of the tracks.
  const ordered = [...clips.filter(({ media }) => media === null), ...clips.filter(({ media }) => media !== null)];
  let seen: ClipStretch[] = [];
  for (const clip of ordered) seen = laidOver(seen, stretchOf(clip));
  const end = layout.reduce((latest, clip) => Math.max(latest, clip.end), 0);
  const black = subtractRanges({ start: 0, end }, seen);
  return [...seen, ...black.map((range) => ({ ...range, source: BLACK, sourceStart: 0, speed: 0 }))].sort(
    (a, b) => a.start - b.start,
  );
}

/** The source of no picture. */
export const BLACK = "black";

/** The sound that is heard, clip by clip: tracks sound together, so stretches overlap. */
export function audibleSound(layout: readonly PlacedClip[]): ClipStretch[] {
  return layout.flatMap((clip) => (clip.kind === "audio" && clip.end > clip.start ? [stretchOf(clip)] : []));
}

/** The part of a stretch inside a range; `null` when there is none. */
export function cutStretch(stretch: ClipStretch, range: TimeRange): ClipStretch | null {
  const start = Math.max(stretch.start, range.start);
  const end = Math.min(stretch.end, range.end);
  if (end <= start) return null;
  return { ...stretch, start, end, sourceStart: sourceAt(stretch, start) };
}

/** Source time that a stretch shows at a time of the sequence. */
export function sourceAt(stretch: ClipStretch, time: number): number {
  return stretch.sourceStart + (time - stretch.start) * stretch.speed;
}

function stretchOf({ media, name, start, end, sourceStart, speed }: PlacedClip): ClipStretch {
  return { source: media ?? `empty ${name}`, start, end, sourceStart, speed };
}

function laidOver(below: readonly ClipStretch[], top: ClipStretch): ClipStretch[] {
  const left = below.flatMap((stretch) => {
    if (stretch.end <= top.start || stretch.start >= top.end) return [stretch];
    const before = cutStretch(stretch, { start: Number.NEGATIVE_INFINITY, end: top.start });
    const after = cutStretch(stretch, { start: top.end, end: Number.POSITIVE_INFINITY });
    return [before, after].filter((part) => part !== null);
  });
  return [...left, top];
}
