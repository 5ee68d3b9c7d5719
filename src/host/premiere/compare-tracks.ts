import { type MuteTrack, NARRATION_TRACK_NAME, type PlaceAudio, type RemoveAudio } from "../edit-plan.ts";
import type { ClipSnapshot, SequenceSnapshot, TrackSnapshot } from "./snapshot.ts";
import { nearestFrame, ticksOnGrid } from "./ticks.ts";

/** Steps of a plan that concern tracks. */
export type TrackStep = PlaceAudio | RemoveAudio | MuteTrack;

/**
 * Compares the tracks that are there with those a plan asks for: every sound that was to be placed lies where it should,
 * what was to be removed is gone, mutes are set, and every other clip of every track is as it was.
 */
export function compareTracks(
  before: SequenceSnapshot,
  after: SequenceSnapshot,
  steps: readonly TrackStep[],
): readonly string[] {
  const placings = steps.filter((step) => step.kind === "place-audio");
  const removals = steps.filter((step) => step.kind === "remove-audio");
  const placed = new Set<ClipSnapshot>();
  const differences = placings.flatMap((step) => placingDifferences(before, after, step, placed));
  differences.push(...before.videoTracks.flatMap((track, i) => changes(track, after.videoTracks[i], [], placed)));
  const isNamed = before.audioTracks.some((track) => track.name === NARRATION_TRACK_NAME);
  for (const [i, track] of before.audioTracks.entries()) {
    const here = track.name === NARRATION_TRACK_NAME || !isNamed ? removals : [];
    differences.push(...changes(track, after.audioTracks[i], here, placed));
  }
  for (const track of after.audioTracks.slice(before.audioTracks.length)) {
    for (const clip of track.clips) {
      if (!placed.has(clip)) differences.push(`"${track.name}" holds the clip "${clip.name}", which was not asked for`);
    }
  }
  return [...differences, ...muteDifferences(before, after, steps)];
}

/** The new track that holds narration and was not given its name, by its place; a track that was there has the editor's. */
export function unnamedTrack(
  before: SequenceSnapshot,
  after: SequenceSnapshot,
  steps: readonly TrackStep[],
): { readonly index: number; readonly name: string } | null {
  const placed = new Set(steps.flatMap((step) => (step.kind === "place-audio" ? [step.clipName] : [])));
  const index = after.audioTracks.findIndex(
    ({ name, clips }, at) =>
      at >= before.audioTracks.length && name !== NARRATION_TRACK_NAME && clips.some((clip) => placed.has(clip.name)),
  );
  const track = after.audioTracks[index];
  return track === undefined ? null : { index, name: track.name };
}

/** Which track a step means by its index: video tracks first, then audio tracks, as in the timeline that was read. */
export function trackAt(snapshot: SequenceSnapshot, index: number): { kind: "video" | "audio"; index: number } {
  const videos = snapshot.videoTracks.length;
  return index < videos ? { kind: "video", index } : { kind: "audio", index: index - videos };
}

function placingDifferences(
  before: SequenceSnapshot,
  after: SequenceSnapshot,
  step: PlaceAudio,
  placed: Set<ClipSnapshot>,
): string[] {
  const start = ticksOnGrid(step.start, before.ticksPerFrame);
  for (const track of after.audioTracks) {
    const clip = track.clips.find((one) => one.name === step.clipName && one.start === start && !placed.has(one));
    if (clip === undefined) continue;
    placed.add(clip);
    const frames = nearestFrame(clip.end - clip.start, before.ticksPerFrame);
    const wanted = nearestFrame(ticksOnGrid(step.durationSeconds, before.ticksPerFrame), before.ticksPerFrame);
    return Math.abs(frames - wanted) > 1 ? [`the clip "${step.clipName}" has another length`] : [];
  }
  return [`the clip "${step.clipName}" is not where it should be`];
}

function changes(
  before: TrackSnapshot,
  after: TrackSnapshot | undefined,
  removals: readonly RemoveAudio[],
  placed: ReadonlySet<ClipSnapshot>,
): string[] {
  if (after === undefined) return [`the track "${before.name}" is gone`];
  const removed = new Set(removals.flatMap((step) => step.clipNames));
  const free = after.clips.filter((clip) => !placed.has(clip));
  const differences: string[] = [];
  for (const clip of before.clips) {
    const at = free.findIndex((one) => isSameClip(one, clip));
    const now = at < 0 ? undefined : free.splice(at, 1)[0];
    if (removed.has(clip.name)) {
      if (now !== undefined) differences.push(`the clip "${clip.name}" is still there`);
    } else if (now === undefined) differences.push(`the clip "${clip.name}" on "${before.name}" was changed`);
  }
  for (const clip of free) differences.push(`"${before.name}" holds the clip "${clip.name}", which was not asked for`);
  return differences;
}

function muteDifferences(before: SequenceSnapshot, after: SequenceSnapshot, steps: readonly TrackStep[]): string[] {
  return steps.flatMap((step) => {
    if (step.kind !== "mute-track") return [];
    const { kind, index } = trackAt(before, step.trackIndex);
    const track = (kind === "video" ? after.videoTracks : after.audioTracks)[index];
    if (track === undefined) return [`there is no track ${step.trackIndex + 1} to mute`];
    if (track.isMuted === step.isMuted) return [];
    return [`the track "${track.name}" is ${track.isMuted ? "still muted" : "not muted"}`];
  });
}

function isSameClip(a: ClipSnapshot, b: ClipSnapshot): boolean {
  return (
    a.name === b.name && a.start === b.start && a.end === b.end && a.inPoint === b.inPoint && a.itemId === b.itemId
  );
}
