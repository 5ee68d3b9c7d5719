import { CLIP_NAME_PREFIX, NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { SAMPLE_SEQUENCE_ID } from "../../../fakes/premiere/sample-project.ts";
import type { SequenceState, TrackState } from "../../../fakes/premiere/state.ts";
import type { PanelOnDoubles } from "../../open-panel.ts";

/** A stretch of the sample's source in frames, from and to; or frames of nothing. */
export type Piece = readonly [from: number, to: number] | number;

/** The sample's sequence as it is now. */
export function sequenceOf({ premiere }: PanelOnDoubles): SequenceState {
  return premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID);
}

/** Markers of ours, in order of time. */
export function ownMarkers(panel: PanelOnDoubles) {
  return sequenceOf(panel).markers.filter(({ name }) => name.startsWith("AD "));
}

/** First frame of each marker of ours. */
export function markerFrames(panel: PanelOnDoubles): number[] {
  const { ticksPerFrame } = sequenceOf(panel);
  return ownMarkers(panel).map(({ start }) => Number(start / ticksPerFrame));
}

/** Words of each marker of ours. */
export function markerWords(panel: PanelOnDoubles): (string | undefined)[] {
  return ownMarkers(panel).map(({ comments }) => comments.split("\n")[0]);
}

/** Cuts every track but the narration's anew, as an editor does: these stretches of the source, one after the other. */
export function recut(panel: PanelOnDoubles, pieces: readonly Piece[]): void {
  panel.premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Cut", (sequence) => ({
    ...sequence,
    videoTracks: sequence.videoTracks.map((track) => cutTrack(track, pieces, sequence.ticksPerFrame)),
    audioTracks: sequence.audioTracks.map((track) =>
      isOurs(track) ? track : cutTrack(track, pieces, sequence.ticksPerFrame),
    ),
  }));
}

/** By its name, or by its clips where Premiere names no tracks. */
function isOurs({ name, items }: TrackState): boolean {
  return name === NARRATION_TRACK_NAME || items.some((item) => item.name.startsWith(CLIP_NAME_PREFIX));
}

function cutTrack(track: TrackState, pieces: readonly Piece[], ticksPerFrame: bigint): TrackState {
  const [clip] = track.items;
  if (clip === undefined) return track;
  let at = 0;
  const items = pieces.flatMap((piece, index) => {
    if (typeof piece === "number") {
      at += piece;
      return [];
    }
    const [from, to] = piece;
    const start = BigInt(at) * ticksPerFrame;
    at += to - from;
    const end = BigInt(at) * ticksPerFrame;
    return [{ ...clip, id: `${clip.id}-${index}`, start, end, inPoint: BigInt(from) * ticksPerFrame }];
  });
  return { ...track, items };
}
