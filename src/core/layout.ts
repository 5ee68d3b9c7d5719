import { fingerprintOf } from "./fingerprint.ts";
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
