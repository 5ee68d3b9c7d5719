import type { Timeline, TimelineClip } from "../core/timeline.ts";
import { NARRATION_TRACK_NAME } from "./edit-plan.ts";

/**
 * Whether a timeline holds what it held: the same tracks, clips and markers. Its name does not count, nor the identities of
 * markers, nor an empty sound track of ours, which no host takes away again.
 */
export function isUntouched(asLeft: Timeline, now: Timeline): boolean {
  return JSON.stringify(held(asLeft)) === JSON.stringify(held(now));
}

function held({ rate, startFrame, tracks, markers }: Timeline) {
  const isOwnEmpty = ({ kind, name, clips }: Timeline["tracks"][number]) =>
    kind === "audio" && name === NARRATION_TRACK_NAME && clips.length === 0;
  return {
    rate,
    startFrame,
    tracks: tracks
      .filter((track) => !isOwnEmpty(track))
      .map(({ kind, name, isEnabled, clips }) => [kind, name, isEnabled, clips.map(placeOf)]),
    // In one order, whichever of two at one instant came first.
    markers: markers
      .map(({ start, end, name, comment, colour }) => JSON.stringify([start, end, name, comment, colour]))
      .sort(),
  };
}

function placeOf({ start, end, name, isEnabled, sourceStart, speed, source }: TimelineClip) {
  const media =
    source.kind === "nested" ? source.timeline.name : source.kind === "media" ? source.location : source.name;
  return [start, end, name, isEnabled, sourceStart, speed, source.kind, media];
}
