import type { FrameRate } from "../../core/frame-rate.ts";
import { defined } from "../../core/objects.ts";
import type { Timeline, TimelineClip, TimelineMarker, Track } from "../../core/timeline.ts";
import {
  type AddMarker,
  type ChangeMarker,
  type EditPlan,
  type EditStep,
  isNarrationTrack,
  NARRATION_TRACK_NAME,
  type PlaceAudio,
  tracksOfOurClips,
} from "../edit-plan.ts";
import { HostError } from "../host-error.ts";

/** What is known of a sound file that is placed. */
export interface PlacedSound {
  /** Where the timeline says the file is. */
  readonly location: string;
  readonly channels: number;
  readonly sampleRate: number;
}

/** A timeline after a plan. */
export interface AppliedToTimeline {
  readonly timeline: Timeline;
  /** Identity of each marker placed, by cue id. */
  readonly markerIds: Readonly<Record<string, string>>;
}

/**
 * The timeline as a plan makes it; the given one stays as it is. Either every step is possible or nothing happens. Sound
 * that finds its place taken goes onto a further track of the same name.
 *
 * @param soundOf Tells about each sound file that the plan places.
 * @throws HostError `apply_failed` when a step names a marker or track that is not there.
 */
export function applyPlan(
  timeline: Timeline,
  plan: EditPlan,
  soundOf: (path: string) => PlacedSound,
): AppliedToTimeline {
  const markerIds: Record<string, string> = {};
  let current = timeline;
  for (const step of plan.groups.flatMap((group) => group.steps)) {
    current = applyStep(current, step, soundOf);
    if (step.kind === "add-marker") markerIds[step.cueId] = step.cueId;
  }
  return { timeline: { ...current, markers: current.markers.toSorted((a, b) => a.start - b.start) }, markerIds };
}

function applyStep(timeline: Timeline, step: EditStep, soundOf: (path: string) => PlacedSound): Timeline {
  switch (step.kind) {
    case "add-marker":
      return { ...timeline, markers: [...timeline.markers, markerFrom(step)] };
    case "change-marker":
      return withMarker(timeline, step.markerId, (marker) => [changed(marker, step)]);
    case "remove-marker":
      return withMarker(timeline, step.markerId, () => []);
    case "place-audio":
      return placeAudio(timeline, step, soundOf(step.path));
    case "remove-audio": {
      const { clipNames } = step;
      const own = tracksOfOurClips(timeline);
      return withTracks(timeline, (track) =>
        own.includes(track) ? { ...track, clips: track.clips.filter((clip) => !clipNames.includes(clip.name)) } : track,
      );
    }
    case "mute-track": {
      const track = timeline.tracks[step.trackIndex];
      if (track === undefined) throw failed(`there is no track ${step.trackIndex + 1}`);
      return withTracks(timeline, (other) => (other === track ? { ...track, isEnabled: !step.isMuted } : other));
    }
  }
}

function markerFrom({ cueId, start, duration, name, comment, colour }: AddMarker): TimelineMarker {
  return { id: cueId, start, end: start + duration, name, comment, colour };
}

function changed(marker: TimelineMarker, change: ChangeMarker): TimelineMarker {
  const start = change.start ?? marker.start;
  const duration = change.duration ?? marker.end - marker.start;
  const colour = change.colour ?? marker.colour;
  return {
    ...marker,
    start,
    end: start + duration,
    name: change.name ?? marker.name,
    comment: change.comment ?? marker.comment,
    ...defined({ colour }),
  };
}

function withMarker(
  timeline: Timeline,
  markerId: string,
  change: (marker: TimelineMarker) => TimelineMarker[],
): Timeline {
  if (!timeline.markers.some(({ id }) => id === markerId)) throw failed(`there is no marker ${markerId}`);
  return {
    ...timeline,
    markers: timeline.markers.flatMap((marker) => (marker.id === markerId ? change(marker) : [marker])),
  };
}

function withTracks(timeline: Timeline, change: (track: Track) => Track): Timeline {
  return { ...timeline, tracks: timeline.tracks.map(change) };
}

/** Puts a clip on our audio track, or on a new one above the others when that is missing or its place taken. */
function placeAudio(timeline: Timeline, step: PlaceAudio, sound: PlacedSound): Timeline {
  const clip = audioClip(step, sound);
  const isTaken = ({ clips }: Track) => clips.some((other) => other.start < clip.end && clip.start < other.end);
  const free = timeline.tracks.find((track) => isNarrationTrack(track) && !isTaken(track));
  if (free === undefined) {
    const track: Track = { kind: "audio", name: NARRATION_TRACK_NAME, isEnabled: true, clips: [clip], transitions: [] };
    return { ...timeline, tracks: [...timeline.tracks, track] };
  }
  return withTracks(timeline, (track) =>
    track === free ? { ...track, clips: [...track.clips, clip].sort((a, b) => a.start - b.start) } : track,
  );
}

function audioClip(step: PlaceAudio, sound: PlacedSound): TimelineClip {
  return {
    name: step.clipName,
    start: step.start,
    end: step.start + step.durationSeconds,
    isEnabled: true,
    sourceStart: 0,
    speed: 1,
    source: {
      kind: "media",
      name: step.clipName,
      location: sound.location,
      durationSeconds: step.durationSeconds,
      hasVideo: false,
      audioChannels: sound.channels,
      audioSampleRate: sound.sampleRate,
    },
    effects: [],
    markers: [],
  };
}

function failed(reason: string): HostError {
  return new HostError("apply_failed", reason, { operation: "apply a plan", state: "nothing was changed" });
}

/** Frame duration of a rate in seconds: what two times of one timeline may differ by and still be the same place. */
export function frameSeconds(rate: FrameRate): number {
  return rate.denominator / rate.numerator;
}
