import type { premierepro } from "@adobe/premierepro";
import { defined } from "../../core/objects.ts";
import type { Timeline, TimelineClip, TimelineMarker, Track } from "../../core/timeline.ts";
import type { Files } from "../files.ts";
import { identityOf, listed } from "./answers.ts";
import { openSequence } from "./open-sequence.ts";
import { readSnapshot } from "./read-snapshot.ts";
import type { ClipSnapshot, MarkerSnapshot, SequenceReference, SequenceSnapshot, TrackSnapshot } from "./snapshot.ts";
import { nearestFrame, rateFromTicksPerFrame, secondsFromTicks } from "./ticks.ts";

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
  if (clip.mediaPath === null && clip.isOffline !== true) {
    return { kind: "empty", name: clip.name, ...defined({ isUntold: clip.isUntold }) };
  }
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
