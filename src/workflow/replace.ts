import type { Timeline, TimelineClip, TimelineMarker } from "../core/timeline.ts";
import {
  type AddMarker,
  type ChangeMarker,
  type EditPlan,
  type EditStep,
  type MarkerColour,
  NARRATION_TRACK_NAME,
  type RemoveMarker,
} from "../host/edit-plan.ts";
import { type Placement, planPlacement, readMarkerComment } from "./place.ts";

/** Every sound file of ours is named with this in front; it is how a clip of ours is known again. */
const CLIP_NAME_PREFIX = "aside-";

/** What is to be placed on a timeline that may hold an earlier result. */
export interface Replacement extends Placement {
  /** The timeline as it is now. */
  readonly timeline: Timeline;
  /** Length of the described range, from the export offset on. */
  readonly durationSeconds: number;
}

/** Times closer than this, in seconds, are the same frame at any rate in use. */
const SAME_FRAME_SECONDS = 0.004;

/**
 * Plans the markers of a result: new ones are added, ours of the same cue changed where they differ, ours of the described
 * range that have no cue any more removed. Other markers, and ours outside the range, are left alone. No group when there
 * is nothing to do.
 */
export function planMarkerReplacement(replacement: Replacement): EditPlan {
  const { audio: _, ...markersOnly } = replacement;
  const wanted = planPlacement(markersOnly).groups.flatMap(({ steps }) => steps.filter(isAddition));
  const present = ownMarkers(replacement);
  const steps: EditStep[] = [];
  for (const step of wanted) {
    const marker = present.get(step.cueId);
    if (marker === undefined) steps.push(step);
    else if (hasDifference(step, marker)) steps.push(changeTo(step, marker));
    present.delete(step.cueId);
  }
  for (const [cueId, marker] of present) {
    if (marker.id !== undefined) steps.unshift(removal(cueId, marker.id));
  }
  const count = wanted.length;
  const label = `Place ${count} description marker${count === 1 ? "" : "s"}`;
  return { sequenceId: replacement.sequence.id, groups: steps.length === 0 ? [] : [{ label, steps }] };
}

/**
 * Plans the sound of a result: clips of ours in the described range go, the new one is placed. `mutesOthers` mutes the
 * other sound tracks, for a mix that holds the programme's sound too. No group when there is nothing to do.
 */
export function planNarrationReplacement(replacement: Replacement & { readonly mutesOthers?: boolean }): EditPlan {
  const { sequence, audio, offsetSeconds, timeline } = replacement;
  const groups: { label: string; steps: EditStep[] }[] = [];
  if (audio !== undefined) {
    const ours = ownClips(replacement);
    const isThere = ours.some((clip) => clip.name === audio.clipName && isSameTime(clip.start, offsetSeconds));
    const clipNames = ours.filter((clip) => !isThere || clip.name !== audio.clipName).map((clip) => clip.name);
    const trackName = NARRATION_TRACK_NAME;
    const steps: EditStep[] = [];
    if (clipNames.length > 0) steps.push({ kind: "remove-audio", trackName, clipNames });
    if (!isThere) steps.push({ kind: "place-audio", trackName, start: offsetSeconds, ...audio });
    if (steps.length > 0) groups.push({ label: "Place narration", steps });
  }
  if (replacement.mutesOthers === true) {
    const steps = mutes(timeline);
    if (steps.length > 0) groups.push({ label: "Mute the other sound tracks", steps });
  }
  return { sequenceId: sequence.id, groups };
}

function isAddition(step: EditStep): step is AddMarker {
  return step.kind === "add-marker";
}

/** Markers of ours that belong to this result, by cue; of two with the same tag the first counts, the other is a copy. */
function ownMarkers(replacement: Replacement): Map<string, TimelineMarker> {
  const { offsetSeconds, durationSeconds, timeline } = replacement;
  const cueIds = new Set(replacement.cues.map((cue) => cue.id));
  const end = offsetSeconds + durationSeconds;
  const found = new Map<string, TimelineMarker>();
  for (const marker of timeline.markers) {
    const cueId = readMarkerComment(marker.comment)?.cueId;
    if (cueId === undefined || found.has(cueId) || marker.id === undefined) continue;
    const isInRange = marker.start >= offsetSeconds - SAME_FRAME_SECONDS && marker.start < end;
    if (isInRange || cueIds.has(cueId)) found.set(cueId, marker);
  }
  return found;
}

function hasDifference(step: AddMarker, marker: TimelineMarker): boolean {
  return (
    !isSameTime(step.start, marker.start) ||
    !isSameTime(step.duration, marker.end - marker.start) ||
    step.name !== marker.name ||
    step.comment !== marker.comment ||
    step.colour !== marker.colour
  );
}

/** Only the fields that differ: each is an action of its own in the host. */
function changeTo(step: AddMarker, marker: TimelineMarker): ChangeMarker {
  const isMoved = !isSameTime(step.start, marker.start);
  const isLonger = !isSameTime(step.duration, marker.end - marker.start);
  return {
    kind: "change-marker",
    cueId: step.cueId,
    markerId: marker.id ?? "",
    ...(isMoved ? { start: step.start } : {}),
    ...(isMoved || isLonger ? { duration: step.duration } : {}),
    ...(step.name === marker.name ? {} : { name: step.name }),
    ...(step.comment === marker.comment ? {} : { comment: step.comment }),
    ...(step.colour === marker.colour ? {} : { colour: step.colour }),
  };
}

function removal(cueId: string, markerId: string): RemoveMarker {
  return { kind: "remove-marker", cueId, markerId };
}

/** Clips of ours in the described range, on tracks that carry our name. */
function ownClips(replacement: Replacement): TimelineClip[] {
  const { offsetSeconds, durationSeconds, timeline } = replacement;
  return timeline.tracks
    .filter((track) => track.kind === "audio" && track.name === NARRATION_TRACK_NAME)
    .flatMap((track) => track.clips)
    .filter((clip) => clip.name.startsWith(CLIP_NAME_PREFIX))
    .filter((clip) => clip.end > offsetSeconds && clip.start < offsetSeconds + durationSeconds);
}

function mutes(timeline: Timeline): EditStep[] {
  return timeline.tracks.flatMap((track, trackIndex) => {
    if (track.kind !== "audio" || !track.isEnabled || track.name === NARRATION_TRACK_NAME) return [];
    return [{ kind: "mute-track", trackIndex, isMuted: true } as const];
  });
}

function isSameTime(a: number, b: number): boolean {
  return Math.abs(a - b) < SAME_FRAME_SECONDS;
}

/** A colour a marker was read with, as one that can be set; the host's own for new markers where it is none of these. */
export function settableColour(colour: string | undefined): MarkerColour {
  const known = ["green", "red", "magenta", "orange", "yellow", "blue", "cyan"] as const;
  return known.find((one) => one === colour) ?? "green";
}
