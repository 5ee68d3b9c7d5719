import type { TimelineClip, TimelineTransition, Track } from "../../core/timeline.ts";
import { withoutOverlap } from "../clips-in-order.ts";

/** Tracks being filled, by lane and kind. */
export type Lanes = Map<number, ClipLane>;

/** What lies on one lane. */
interface ClipLane {
  readonly clips: TimelineClip[];
  readonly transitions: TimelineTransition[];
  readonly audio: TimelineClip[];
}

/** The lane of a number, made when it is new. */
export function laneOf(lanes: Lanes, lane: number): ClipLane {
  const found = lanes.get(lane) ?? { clips: [], transitions: [], audio: [] };
  lanes.set(lane, found);
  return found;
}

/** Lanes as tracks, lowest first, picture before sound. */
export function tracksOf(lanes: Lanes): Track[] {
  const ordered = [...lanes].sort(([a], [b]) => a - b);
  const name = (lane: number) => (lane === 0 ? "Primary storyline" : `Lane ${lane}`);
  const track = (
    kind: Track["kind"],
    lane: number,
    clips: readonly TimelineClip[],
    transitions: readonly TimelineTransition[],
  ): Track => ({
    kind,
    name: name(lane),
    isEnabled: true,
    clips: withoutOverlap(clips),
    transitions,
  });
  return [
    ...ordered.flatMap(([lane, { clips, transitions }]) =>
      clips.length === 0 && transitions.length === 0 ? [] : [track("video", lane, clips, transitions)],
    ),
    ...ordered.flatMap(([lane, { audio }]) => (audio.length === 0 ? [] : [track("audio", lane, audio, [])])),
  ];
}
