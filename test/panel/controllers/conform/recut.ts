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

/**
 * Takes a range of frames out of every track, the narration's too, and closes up, as Premiere does where tracks are locked in step:
 * what the range goes through is parted there.
 */
export function extract(panel: PanelOnDoubles, [from, to]: readonly [from: number, to: number]): void {
  panel.premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Extract", (sequence) => {
    const [first, last] = [BigInt(from) * sequence.ticksPerFrame, BigInt(to) * sequence.ticksPerFrame];
    const without = (track: TrackState): TrackState => ({
      ...track,
      items: track.items.flatMap((item) => {
        const before = { ...item, end: item.end < first ? item.end : first };
        const cutTo = item.start > last ? item.start : last;
        const behind = {
          ...item,
          id: item.start < first ? `${item.id}-behind` : item.id,
          start: cutTo - (last - first),
          end: item.end - (last - first),
          inPoint: item.inPoint + (cutTo - item.start),
        };
        return [...(before.end > before.start ? [before] : []), ...(behind.end > behind.start ? [behind] : [])];
      }),
    });
    const { videoTracks, audioTracks } = sequence;
    return { ...sequence, videoTracks: videoTracks.map(without), audioTracks: audioTracks.map(without) };
  });
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
