import type { premierepro } from "@adobe/premierepro";
import type { Timeline } from "../../core/timeline.ts";
import type { Files } from "../files.ts";
import { identityOf, listed } from "./answers.ts";
import { openSequence } from "./open-sequence.ts";
import { readSnapshot } from "./read-snapshot.ts";
import type { SequenceReference, SequenceSnapshot, TrackSnapshot } from "./snapshot.ts";
import { timelineFromSnapshot } from "./timeline-from-snapshot.ts";

/** Sequences inside sequences are followed this deep; Premiere's own limit is not documented. */
const DEEPEST_NESTING = 8;

/** Reads a sequence as a timeline, with the sequences nested in it. Where Premiere does not say whether media is offline, the disk does. */
export async function readTimeline(
  premiere: premierepro,
  reference: SequenceReference,
  files: Pick<Files, "size">,
): Promise<Timeline> {
  return timelineOf(premiere, await readWithDisk(premiere, reference, files), DEEPEST_NESTING, files);
}

async function readWithDisk(
  premiere: premierepro,
  reference: SequenceReference,
  files: Pick<Files, "size">,
): Promise<SequenceSnapshot> {
  const snapshot = await readSnapshot(premiere, reference);
  const sizes = new Map<string, Promise<boolean>>();
  const isGone = (path: string) => {
    const known =
      sizes.get(path) ??
      files.size(path).then(
        (size) => size === null,
        () => false,
      );
    sizes.set(path, known);
    return known;
  };
  const told = async (track: TrackSnapshot): Promise<TrackSnapshot> => {
    const clips = track.clips.map(async (clip) => {
      if (clip.isOffline !== null || clip.mediaPath === null) return clip;
      return { ...clip, isOffline: await isGone(clip.mediaPath) };
    });
    return { ...track, clips: await Promise.all(clips) };
  };
  const [videoTracks, audioTracks] = [snapshot.videoTracks, snapshot.audioTracks].map((tracks) => tracks.map(told));
  return {
    ...snapshot,
    videoTracks: await Promise.all(videoTracks ?? []),
    audioTracks: await Promise.all(audioTracks ?? []),
  };
}

async function timelineOf(
  premiere: premierepro,
  snapshot: SequenceSnapshot,
  depth: number,
  files: Pick<Files, "size">,
): Promise<Timeline> {
  const nested = new Map<string, Timeline>();
  const clips = [...snapshot.videoTracks, ...snapshot.audioTracks].flatMap((track) => track.clips);
  const itemIds = new Set(clips.flatMap((clip) => (clip.isSequence && clip.itemId !== null ? [clip.itemId] : [])));
  if (itemIds.size > 0 && depth > 0) {
    for (const [itemId, sequenceId] of await sequencesByItem(premiere, snapshot.reference)) {
      if (!itemIds.has(itemId)) continue;
      const inner = await readWithDisk(premiere, { ...snapshot.reference, sequenceId }, files);
      nested.set(itemId, await timelineOf(premiere, inner, depth - 1, files));
    }
  }
  return timelineFromSnapshot(snapshot, (itemId) => nested.get(itemId));
}

/** Which project item stands for which sequence. */
async function sequencesByItem(premiere: premierepro, reference: SequenceReference): Promise<Map<string, string>> {
  const { project } = await openSequence(premiere, reference);
  const ids = await Promise.all(listed("Project.getSequences", await project.getSequences()).map(identityOf));
  const found = new Map<string, string>();
  for (const sequenceId of ids) {
    const { sequence } = await openSequence(premiere, { ...reference, sequenceId });
    found.set(await (await sequence.getProjectItem()).getId(), sequenceId);
  }
  return found;
}
