import { frameRate } from "../../../src/core/frame-rate.ts";
import type { Timeline, TimelineClip, TimelineMarker, Track } from "../../../src/core/timeline.ts";
import { NARRATION_TRACK_NAME } from "../../../src/host/edit-plan.ts";

/** Frames of the timelines here: a second is a whole number of them. */
export const RATE = frameRate(25);

/** A timeline with these tracks and markers. */
export function timelineOf(tracks: readonly Track[], markers: readonly TimelineMarker[] = []): Timeline {
  return { name: "Harbour", rate: RATE, isDropFrame: false, startFrame: 0, tracks, markers };
}

/** A clip of a sound file as long as itself. */
export function soundClip(name: string, start: number, end: number, changes: Partial<TimelineClip> = {}): TimelineClip {
  return {
    name,
    start,
    end,
    isEnabled: true,
    sourceStart: 0,
    speed: 1,
    source: { kind: "media", name, location: `/${name}`, hasVideo: false, audioChannels: 1 },
    effects: [],
    markers: [],
    ...changes,
  };
}

/** A row of sound; ours where nothing else is said. */
export function soundTrack(clips: readonly TimelineClip[], changes: Partial<Track> = {}): Track {
  return { kind: "audio", name: NARRATION_TRACK_NAME, isEnabled: true, clips, transitions: [], ...changes };
}
