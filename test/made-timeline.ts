import { frameRate } from "../src/core/frame-rate.ts";
import type { MediaSource, Timeline, TimelineClip, Track } from "../src/core/timeline.ts";

/** A medium with picture and stereo sound. */
export function madeMedia(name: string, more: Partial<MediaSource> = {}): MediaSource {
  return { kind: "media", name, location: `/${name}`, hasVideo: true, audioChannels: 2, ...more };
}

/** A clip that shows its source from the beginning, at its own speed. */
export function madeClip(
  source: TimelineClip["source"],
  start: number,
  end: number,
  more: Partial<TimelineClip> = {},
): TimelineClip {
  const name = source.kind === "nested" ? source.timeline.name : source.name;
  return {
    name,
    start,
    end,
    isEnabled: true,
    sourceStart: 0,
    speed: 1,
    source,
    effects: [],
    markers: [],
    ...more,
  };
}

/** A track that is switched on, without transitions. */
export function madeTrack(kind: Track["kind"], clips: readonly TimelineClip[], more: Partial<Track> = {}): Track {
  return { kind, name: "", isEnabled: true, clips, transitions: [], ...more };
}

/** A sequence at 25 that starts at 01:00:00:00. */
export function madeTimeline(tracks: readonly Track[], more: Partial<Timeline> = {}): Timeline {
  return {
    name: "cut",
    rate: frameRate(25),
    isDropFrame: false,
    startFrame: 90_000,
    tracks,
    markers: [],
    ...more,
  };
}
