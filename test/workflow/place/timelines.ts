import { frameRate } from "../../../src/core/frame-rate.ts";
import type { Timeline, TimelineClip, TimelineMarker, Track } from "../../../src/core/timeline.ts";
import { NARRATION_TRACK_NAME } from "../../../src/host/edit-plan.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../made-timeline.ts";

/** Frames of the timelines here: a second is a whole number of them. */
export const RATE = frameRate(25);

/** A timeline with these tracks and markers. */
export function timelineOf(tracks: readonly Track[], markers: readonly TimelineMarker[] = []): Timeline {
  return madeTimeline(tracks, { name: "Harbour", startFrame: 0, markers });
}

/** A clip of a sound file as long as itself. */
export function soundClip(name: string, start: number, end: number, changes: Partial<TimelineClip> = {}): TimelineClip {
  return madeClip(madeMedia(name, { hasVideo: false, audioChannels: 1 }), start, end, changes);
}

/** A row of sound; ours where nothing else is said. */
export function soundTrack(clips: readonly TimelineClip[], changes: Partial<Track> = {}): Track {
  return madeTrack("audio", clips, { name: NARRATION_TRACK_NAME, ...changes });
}
