import { fingerprintOf } from "./bytes.ts";
import { clipRanges, subtractRanges, type TimeRange } from "./time-range.ts";
import type { Timeline, TimelineClip } from "./timeline.ts";

/** A clip as it lay when descriptions were placed: what a re-cut is compared with. Seconds on the sequence clock. */
export interface PlacedClip {
  readonly kind: "video" | "audio";
  /** Place of its track in the timeline; of a clip in a nested sequence, that of the clip that nests it. */
  readonly track: number;
  readonly name: string;
  /** Identity of its media that names no place on this computer; `null` for clips without media. */
  readonly media: string | null;
  /** Name of its media's file, without its folder; `null` where there is none. */
  readonly file: string | null;
  /** Whether the host did not answer when it was asked for the media: there may be some. */
  readonly isUntold?: boolean;
  readonly start: number;
  readonly end: number;
  readonly sourceStart: number;
  readonly speed: number;
}

/** Sequences inside sequences are followed this deep. */
const DEEPEST_NESTING = 8;

/**
 * What is seen and heard of a timeline, clip by clip, bottom track first: without our own track, without what is switched
 * off, without any place on this computer. Nested sequences are laid open, so that a change inside one is a change.
 * Muting a sound track changes no cut and is not looked at.
 */
export function layoutOf(timeline: Timeline, ownTrackName: string): PlacedClip[] {
  return timeline.tracks.flatMap((track, index) => {
    if (track.name === ownTrackName || (track.kind === "video" && !track.isEnabled)) return [];
    return track.clips.flatMap((clip) => placedClips(clip, track.kind, index, DEEPEST_NESTING));
  });
}

function placedClips(clip: TimelineClip, kind: "video" | "audio", track: number, depth: number): PlacedClip[] {
  if (!clip.isEnabled) return [];
  const { source } = clip;
  if (source.kind === "nested" && clip.speed > 0 && depth > 0)
    return innerClips(clip, source.timeline, kind, track, depth);
  const location = source.kind === "media" ? source.location : null;
  const { name, start, end, sourceStart, speed } = clip;
  return [
    {
      kind,
      track,
      name,
      media: mediaIdentity(clip),
      file: location === null ? null : fileName(location),
      start,
      end,
      sourceStart,
      speed,
      ...(source.kind === "empty" && source.isUntold === true ? { isUntold: true } : {}),
    },
  ];
}

/** The clips inside a nested sequence, on the outer clock and cut to what the outer clip shows. */
function innerClips(
  outer: TimelineClip,
  timeline: Timeline,
  kind: "video" | "audio",
  track: number,
  depth: number,
): PlacedClip[] {
  const from = outer.sourceStart;
  const to = from + (outer.end - outer.start) * outer.speed;
  const inner = timeline.tracks.filter((one) => one.kind === kind && (kind === "audio" || one.isEnabled));
  return inner
    .flatMap((one) => one.clips.flatMap((clip) => placedClips(clip, kind, track, depth - 1)))
    .flatMap((clip): PlacedClip[] => {
      const start = Math.max(clip.start, from);
      const end = Math.min(clip.end, to);
      if (end <= start) return [];
      return [
        {
          ...clip,
          start: outer.start + (start - from) / outer.speed,
          end: outer.start + (end - from) / outer.speed,
          sourceStart: clip.sourceStart + (start - clip.start) * clip.speed,
          speed: clip.speed * outer.speed,
        },
      ];
    });
}

function mediaIdentity({ source, name }: TimelineClip): string | null {
  if (source.kind === "empty") return null;
  if (source.kind === "nested") return fingerprintOf("nested", source.timeline.name);
  // Offline media has no place; its name is all there is.
  return source.location === null ? fingerprintOf("offline", source.name || name) : fingerprintOf(source.location);
}

function fileName(location: string): string {
  const last = location.split(/[\\/]/).at(-1) ?? location;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/**
 * The clips of the old cut with the identity that their media has now: where not one file of the old cut is where it was,
 * the project has moved to another place, and files of the same name are taken for the same. A single file in another place
 * is a replaced one. A clip whose media the host did not tell, then or now, has that of the clips of its name.
 */
export function relinkedClips(before: readonly PlacedClip[], after: readonly PlacedClip[]): readonly PlacedClip[] {
  return toldClips(movedClips(before, after), after);
}

/** Clips whose media were not told, and clips of which they are not told now, with what all clips of their name have now. */
function toldClips(before: readonly PlacedClip[], after: readonly PlacedClip[]): readonly PlacedClip[] {
  if (![...before, ...after].some(({ isUntold }) => isUntold === true)) return before;
  return before.map((clip) => {
    const [first, ...more] = after.filter(({ kind, name }) => kind === clip.kind && name === clip.name);
    if (first === undefined || more.some(({ media }) => media !== first.media)) return clip;
    if (clip.isUntold !== true && first.isUntold !== true) return clip;
    return { ...clip, media: first.media, file: first.file };
  });
}

function movedClips(before: readonly PlacedClip[], after: readonly PlacedClip[]): readonly PlacedClip[] {
  const now = new Set(after.map(({ media }) => media));
  const located = before.filter(({ file }) => file !== null);
  if (located.length === 0 || located.some(({ media }) => now.has(media))) return before;
  const byName = new Map<string, Set<string>>();
  for (const { file, media } of after) {
    if (file !== null && media !== null) byName.set(file, (byName.get(file) ?? new Set()).add(media));
  }
  const relinked = new Map<string, string>();
  for (const { file, media } of located) {
    const [only, ...more] = byName.get(file ?? "") ?? [];
    if (only !== undefined && more.length === 0 && media !== null) relinked.set(media, only);
  }
  return before.map((clip) => ({ ...clip, media: relinked.get(clip.media ?? "") ?? clip.media }));
}

/** A jump in the source that is smaller than this, in seconds, is none: the rounding of two halves of a frame. */
const LEAST_JUMP_SECONDS = 0.02;

/**
 * Where the picture of a cut changes from one piece to the next, in order: the beginning of every piece that is seen but the
 * first. A razor cut that leaves the picture as it was is none. Seconds from the beginning of the window.
 *
 * @param window The part of the sequence that counts, in seconds on the sequence clock.
 */
export function editPoints(layout: readonly PlacedClip[], window: TimeRange): number[] {
  const seen = visiblePicture(layout);
  return seen.flatMap((stretch, index) => {
    const before = seen[index - 1];
    if (before === undefined || clipRanges([stretch], window).length === 0 || stretch.start <= window.start) return [];
    const goesOn =
      before.source === stretch.source &&
      before.speed === stretch.speed &&
      Math.abs(sourceAt(before, stretch.start) - stretch.sourceStart) < LEAST_JUMP_SECONDS;
    return goesOn ? [] : [stretch.start - window.start];
  });
}

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
