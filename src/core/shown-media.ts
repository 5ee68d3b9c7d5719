import { defined } from "./objects.ts";
import { subtractRanges, type TimeRange } from "./time-range.ts";
import type { MediaSource, Timeline, TimelineClip, Track } from "./timeline.ts";

/** A stretch of a sequence that shows, or sounds like, one medium. */
export interface MediaStretch extends TimeRange {
  readonly media: MediaSource;
  /** Source time in seconds, from the media's first frame, at `start`. */
  readonly sourceStart: number;
  /** Source seconds per sequence second; 0 holds one picture, below 0 runs backwards. */
  readonly speed: number;
  /** The one channel that is heard, counted from 1; absent where all are. */
  readonly sourceChannel?: number;
}

/** Sequences inside each other further down than this are left out; no editor allows as many. */
const DEEPEST = 16;

/**
 * What a viewer of a sequence sees, in order and without overlap: at each time the topmost clip of the tracks that are
 * shown. What lies between the stretches is black. Nested sequences are opened; titles, generators and other clips without
 * media are seen through.
 */
export function shownPictures(timeline: Timeline): MediaStretch[] {
  return picturesIn(timeline, { start: 0, end: Number.POSITIVE_INFINITY }, 0).sort((a, b) => a.start - b.start);
}

/** What sounds in a sequence, in order of start: every clip of the audio tracks that are heard, side by side. */
export function heardSounds(timeline: Timeline): MediaStretch[] {
  return soundsIn(timeline, { start: 0, end: Number.POSITIVE_INFINITY }, 0).sort((a, b) => a.start - b.start);
}

/** When a sequence ends: the last end of any clip that is shown or heard, in seconds; 0 for an empty one. */
export function timelineEnd(timeline: Timeline): number {
  const clips = timeline.tracks.flatMap((track) => clipsOn(track, track.kind));
  return clips.reduce((end, clip) => Math.max(end, clip.end), 0);
}

function picturesIn(timeline: Timeline, window: TimeRange, depth: number): MediaStretch[] {
  const found: MediaStretch[] = [];
  let free: TimeRange[] = [window];
  for (const track of [...timeline.tracks].reverse()) {
    const own = clipsOn(track, "video").flatMap((clip) =>
      free.flatMap((hole) => stretchesOf(clip, hole, (inner, part) => picturesIn(inner, part, depth + 1), depth)),
    );
    found.push(...own);
    free = free.flatMap((hole) => subtractRanges(hole, own));
  }
  return found;
}

function soundsIn(timeline: Timeline, window: TimeRange, depth: number): MediaStretch[] {
  return timeline.tracks
    .flatMap((track) => clipsOn(track, "audio"))
    .flatMap((clip) => stretchesOf(clip, window, (inner, part) => soundsIn(inner, part, depth + 1), depth));
}

function clipsOn(track: Track, kind: Track["kind"]): TimelineClip[] {
  return track.kind === kind && track.isEnabled ? track.clips.filter((clip) => clip.isEnabled) : [];
}

/** The media of a clip inside a window of its sequence; `inside` tells what of a nested sequence lies in a part of it. */
function stretchesOf(
  clip: TimelineClip,
  window: TimeRange,
  inside: (timeline: Timeline, part: TimeRange) => MediaStretch[],
  depth: number,
): MediaStretch[] {
  const { source, speed } = clip;
  const start = Math.max(clip.start, window.start);
  const end = Math.min(clip.end, window.end);
  if (!(end > start)) return [];
  const sourceStart = clip.sourceStart + (start - clip.start) * speed;
  if (source.kind === "empty") return [];
  if (source.kind === "media") {
    const { sourceChannel } = clip;
    const shownSpeed = source.isStill === true ? 0 : speed;
    return [defined({ start, end, media: source, sourceStart, speed: shownSpeed, sourceChannel })];
  }
  if (depth >= DEEPEST) return [];
  if (speed === 0) return heldPicture(inside(source.timeline, momentAt(sourceStart)), { start, end }, sourceStart);
  const sourceEnd = sourceStart + (end - start) * speed;
  const part = { start: Math.min(sourceStart, sourceEnd), end: Math.max(sourceStart, sourceEnd) };
  return inside(source.timeline, part).map((inner) => {
    const [first, last] = speed > 0 ? [inner.start, inner.end] : [inner.end, inner.start];
    return {
      ...inner,
      start: start + (first - sourceStart) / speed,
      end: start + (last - sourceStart) / speed,
      sourceStart: inner.sourceStart + (first - inner.start) * inner.speed,
      speed: inner.speed * speed,
    };
  });
}

/** Length of a moment in seconds: short enough to hold no second picture. */
const MOMENT_SECONDS = 0.001;

function momentAt(seconds: number): TimeRange {
  return { start: seconds, end: seconds + MOMENT_SECONDS };
}

function heldPicture(found: readonly MediaStretch[], range: TimeRange, seconds: number): MediaStretch[] {
  return found.slice(0, 1).map((inner) => ({
    ...inner,
    ...range,
    sourceStart: inner.sourceStart + (seconds - inner.start) * inner.speed,
    speed: 0,
  }));
}

/**
 * What of a sequence is not in its render, in sentences for people: transitions are rendered as cuts; effects, titles and
 * generators are left out.
 */
export function leftOutOfRender(timeline: Timeline): string[] {
  const counts = {
    transitions: new Map<string, number>(),
    effects: new Map<string, number>(),
    titles: new Map<string, number>(),
  };
  count(timeline, counts, 0);
  const sentence = (found: ReadonlyMap<string, number>, start: string): string[] => {
    const names = [...found].map(([name, times]) => (times > 1 ? `${name} (${times})` : name));
    const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
    return names.length === 0 ? [] : [`${start}: ${names.slice(0, MOST_NAMED).join(", ")}${more}.`];
  };
  return [
    ...sentence(counts.transitions, "Transitions were rendered as cuts"),
    ...sentence(counts.effects, "Effects were not rendered"),
    ...sentence(counts.titles, "Titles and generators were not rendered"),
  ];
}

/** Effects on the clips of a sequence, those of nested sequences among them. */
export function countEffects(timeline: Timeline): number {
  const counts = { transitions: new Map(), effects: new Map<string, number>(), titles: new Map() };
  count(timeline, counts, 0);
  return [...counts.effects.values()].reduce((sum, times) => sum + times, 0);
}

/** Names that a sentence lists. */
const MOST_NAMED = 8;

function count(
  timeline: Timeline,
  counts: Record<"transitions" | "effects" | "titles", Map<string, number>>,
  depth: number,
): void {
  const add = (kind: keyof typeof counts, name: string) => {
    counts[kind].set(name || "without a name", (counts[kind].get(name || "without a name") ?? 0) + 1);
  };
  for (const track of timeline.tracks) {
    const clips = clipsOn(track, track.kind);
    if (track.isEnabled) for (const { name } of track.transitions) add("transitions", name);
    for (const clip of clips) {
      for (const effect of clip.effects) add("effects", effect);
      if (clip.source.kind === "empty" && track.kind === "video") add("titles", clip.name || clip.source.name);
      if (clip.source.kind === "nested" && depth < DEEPEST) count(clip.source.timeline, counts, depth + 1);
    }
  }
}
