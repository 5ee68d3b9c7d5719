import { defined } from "../../core/defined.ts";
import type { Timeline, TimelineClip, TimelineMarker, Track } from "../../core/timeline.ts";
import type { ClipSnapshot, MarkerSnapshot, SequenceSnapshot, TrackSnapshot } from "./snapshot.ts";
import { nearestFrame, rateFromTicksPerFrame, secondsFromTicks } from "./ticks.ts";

/**
 * The timeline of a snapshot: video tracks first, then audio tracks, each from the first one up. `nested` gives the
 * timeline of a nested sequence by its project item; where it has none, the clip becomes one without media.
 */
export function timelineFromSnapshot(
  snapshot: SequenceSnapshot,
  nested: (itemId: string) => Timeline | undefined = () => undefined,
): Timeline {
  const track = (kind: Track["kind"], from: TrackSnapshot): Track => ({
    kind,
    name: from.name,
    isEnabled: !from.isMuted,
    clips: from.clips.map((clip) => clipFromSnapshot(clip, kind, nested)),
    transitions: [],
  });
  return {
    name: snapshot.name,
    rate: rateFromTicksPerFrame(snapshot.ticksPerFrame),
    isDropFrame: snapshot.isDropFrame,
    startFrame: nearestFrame(snapshot.zeroPoint, snapshot.ticksPerFrame),
    frameSize: snapshot.frameSize,
    tracks: [
      ...snapshot.videoTracks.map((one) => track("video", one)),
      ...snapshot.audioTracks.map((one) => track("audio", one)),
    ],
    markers: snapshot.markers.map(markerFromSnapshot),
  };
}

function clipFromSnapshot(
  clip: ClipSnapshot,
  kind: Track["kind"],
  nested: (itemId: string) => Timeline | undefined,
): TimelineClip {
  return {
    start: secondsFromTicks(clip.start),
    end: secondsFromTicks(clip.end),
    name: clip.name,
    isEnabled: !clip.isDisabled,
    sourceStart: secondsFromTicks(clip.inPoint),
    speed: clip.isReversed ? -clip.speed : clip.speed,
    source: sourceOf(clip, kind, nested),
    effects: [],
    markers: [],
  };
}

function sourceOf(
  clip: ClipSnapshot,
  kind: Track["kind"],
  nested: (itemId: string) => Timeline | undefined,
): TimelineClip["source"] {
  const timeline = clip.isSequence && clip.itemId !== null ? nested(clip.itemId) : undefined;
  if (timeline !== undefined) return { kind: "nested", timeline };
  if (clip.mediaPath === null && clip.isOffline !== true) return { kind: "empty", name: clip.name };
  return {
    kind: "media",
    name: clip.name,
    location: clip.isOffline === true ? null : clip.mediaPath,
    hasVideo: kind === "video",
    // Premiere tells which track a clip is on, not how many channels its media has.
    audioChannels: kind === "audio" ? 1 : 0,
  };
}

function markerFromSnapshot(marker: MarkerSnapshot): TimelineMarker {
  return {
    start: secondsFromTicks(marker.start),
    end: secondsFromTicks(marker.start + marker.duration),
    name: marker.name,
    comment: marker.comments,
    ...defined({ colour: marker.colour }),
    id: marker.id,
  };
}
