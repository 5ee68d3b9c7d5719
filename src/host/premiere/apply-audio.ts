import type { Action, ProjectItem } from "@adobe/premierepro";
import type { PlaceAudio, RemoveAudio } from "../edit-plan.ts";
import { HostError } from "../host-error.ts";
import type { ApplyContext } from "./apply-context.ts";
import { tickTime } from "./apply-markers.ts";
import { type ImportedFiles, importFiles } from "./import-files.ts";
import { openSequence } from "./open-sequence.ts";
import { batchesOf } from "./pace.ts";
import { fetchItems } from "./project-bin.ts";
import { readTracks } from "./read-snapshot.ts";
import type { TrackSnapshot } from "./snapshot.ts";
import { ticksOnGrid } from "./ticks.ts";

/** "No video track", as audio-only plugins pass it; where it is refused, 0 puts nothing on V1 for a file without picture. */
const NO_VIDEO_TRACK = -1;

/** Imports and places sound on our own track, which is made when it is missing or taken. */
export async function placeAudio(context: ApplyContext, steps: readonly PlaceAudio[], label: string): Promise<void> {
  for (const [trackName, ours] of byTrack(steps)) {
    const imported = await importFiles(
      context,
      ours.map((step) => step.path),
    );
    const tracks = await readTracks(context.premiere, context.before.reference, "audio");
    const free = tracks.findIndex((track) => track.name === trackName && isFree(context, track, ours));
    if (free < 0) await placeOnNewTrack(context, ours, imported, tracks, label);
    else await placeOnTrack(context, ours, imported, free, label);
    await nameClips(context, ours, free < 0 ? tracks.length : free, free < 0 ? trackName : null, label);
  }
}

/** Removes clips of ours, by name, from the tracks that carry our track's name. */
export async function removeAudio(context: ApplyContext, steps: readonly RemoveAudio[], label: string): Promise<void> {
  const tracks = await readTracks(context.premiere, context.before.reference, "audio");
  for (const [trackName, ours] of byTrack(steps)) {
    const names = new Set(ours.flatMap((step) => step.clipNames));
    for (const [index, track] of tracks.entries()) {
      if (track.name !== trackName) continue;
      // Later clips first, so that the places of the earlier ones stay what they were read to be.
      const places = track.clips.flatMap((clip, place) => (names.has(clip.name) ? [place] : [])).reverse();
      let left = track.clips.length;
      for (const batch of batchesOf(places, context.pace.clipsPerTransaction)) {
        await removePlaces(context, index, batch, left, label);
        left -= batch.length;
      }
    }
  }
}

async function removePlaces(
  context: ApplyContext,
  trackIndex: number,
  places: readonly number[],
  expected: number,
  label: string,
): Promise<void> {
  const { premiere } = context;
  const fetchTrack = () => openSequence(premiere, context.before.reference).sequence.getAudioTrack(trackIndex);
  await context.transactor.run(label, fetchTrack, (track, open, add) => {
    const items = track.getTrackItems(premiere.Constants.TrackItemType.CLIP, false);
    if (items.length !== expected) throw changedMeanwhile(label);
    premiere.TrackItemSelection.createEmptySelection((selection) => {
      for (const place of places) {
        const item = items[place];
        if (item !== undefined) selection.addItem(item);
      }
      const editor = premiere.SequenceEditor.getEditor(open.sequence);
      add(editor.createRemoveItemsAction(selection, false, premiere.Constants.MediaType.AUDIO));
    });
  });
}

async function placeOnTrack(
  context: ApplyContext,
  steps: readonly PlaceAudio[],
  imported: ImportedFiles,
  trackIndex: number,
  label: string,
): Promise<void> {
  for (const batch of batchesOf(steps, context.pace.clipsPerTransaction)) {
    await transactPlacing(context, batch, imported, trackIndex, label, "overwrite");
  }
}

/**
 * Premiere has no call that adds a track: one appears when a clip is laid at the index after the last. Overwriting
 * cannot push other clips about, so it is tried first; where it does nothing, inserting is.
 */
async function placeOnNewTrack(
  context: ApplyContext,
  steps: readonly PlaceAudio[],
  imported: ImportedFiles,
  tracks: readonly TrackSnapshot[],
  label: string,
): Promise<void> {
  const [first, ...rest] = steps;
  if (first === undefined) return;
  for (const how of ["overwrite", "insert"] as const) {
    await transactPlacing(context, [first], imported, tracks.length, label, how);
    const after = await readTracks(context.premiere, context.before.reference, "audio");
    if (after.length > tracks.length) return placeOnTrack(context, rest, imported, tracks.length, label);
    const hit = after.find((track, index) => track.clips.length !== tracks[index]?.clips.length);
    if (hit !== undefined) throw landedElsewhere(hit.name, first.trackName);
  }
  throw new HostError(
    "apply_failed",
    `Premiere added no audio track. Add an empty one, name it "${first.trackName}", then place again.`,
    { operation: label, state: "the narration is in the bin, the timeline was not changed" },
  );
}

async function transactPlacing(
  context: ApplyContext,
  steps: readonly PlaceAudio[],
  imported: ImportedFiles,
  trackIndex: number,
  label: string,
  how: "overwrite" | "insert",
): Promise<void> {
  const { premiere } = context;
  const run = (videoIndex: number) =>
    context.transactor.run(
      label,
      () => fetchItems(context, imported.binId),
      (items, open, add) => {
        const editor = premiere.SequenceEditor.getEditor(open.sequence);
        for (const step of steps) {
          const item = itemFor(items, imported, step);
          const time = tickTime(premiere, ticksOnGrid(step.start, context.before.ticksPerFrame));
          add(
            how === "overwrite"
              ? editor.createOverwriteItemAction(item, time, videoIndex, trackIndex)
              : editor.createInsertProjectItemAction(item, time, videoIndex, trackIndex, true),
          );
        }
      },
    );
  try {
    await run(NO_VIDEO_TRACK);
  } catch (error) {
    if (!(error instanceof Error && /(invalid|illegal) parameter/i.test(error.message))) throw error;
    await run(0);
  }
}

/** Names the clips, and the track when it is new. Older versions cannot name tracks; reading back reports it. */
async function nameClips(
  context: ApplyContext,
  steps: readonly PlaceAudio[],
  trackIndex: number,
  trackName: string | null,
  label: string,
): Promise<void> {
  const { premiere, before } = context;
  const track = (await readTracks(premiere, before.reference, "audio"))[trackIndex];
  const clips = track?.clips ?? [];
  const names = steps.flatMap((step) => {
    const start = ticksOnGrid(step.start, before.ticksPerFrame);
    const place = clips.findIndex((clip) => clip.start === start && clip.name !== step.clipName);
    return place < 0 ? [] : [{ place, name: step.clipName }];
  });
  const fetchTrack = () => openSequence(premiere, before.reference).sequence.getAudioTrack(trackIndex);
  if (trackName === null && names.length === 0) return;
  await context.transactor.run(label, fetchTrack, (current, _open, add) => {
    // The declarations call the action of a track's name a plain object.
    if (trackName !== null && "createSetNameAction" in current) add(current.createSetNameAction(trackName) as Action);
    const items = current.getTrackItems(premiere.Constants.TrackItemType.CLIP, false);
    if (items.length !== clips.length) throw changedMeanwhile(label);
    for (const { place, name } of names) {
      const action = items[place]?.createSetNameAction(name);
      if (action !== undefined) add(action);
    }
  });
}

function itemFor(items: readonly ProjectItem[], imported: ImportedFiles, step: PlaceAudio): ProjectItem {
  const id = imported.itemIds.get(step.path);
  const item = items.find((one) => one.getId() === id);
  if (item !== undefined) return item;
  throw new HostError("apply_failed", "The narration was removed from the project meanwhile. Place again.", {
    operation: "place the narration",
    state: "the step was not applied",
  });
}

function isFree(context: ApplyContext, track: TrackSnapshot, steps: readonly PlaceAudio[]): boolean {
  const { ticksPerFrame } = context.before;
  return steps.every((step) => {
    const start = ticksOnGrid(step.start, ticksPerFrame);
    const end = ticksOnGrid(step.start + step.durationSeconds, ticksPerFrame);
    return track.clips.every((clip) => clip.end <= start || clip.start >= end);
  });
}

function byTrack<Step extends { readonly trackName: string }>(steps: readonly Step[]): Map<string, Step[]> {
  const groups = new Map<string, Step[]>();
  for (const step of steps) groups.set(step.trackName, [...(groups.get(step.trackName) ?? []), step]);
  return groups;
}

function changedMeanwhile(label: string): HostError {
  return new HostError("apply_failed", "The timeline was changed meanwhile. Look at it, then place again.", {
    operation: label,
    state: "the step was not applied",
  });
}

function landedElsewhere(track: string, wanted: string): HostError {
  return new HostError(
    "apply_failed",
    `Premiere laid the narration on "${track}" instead of a new track. Choose Undo in Premiere once, add an empty audio ` +
      `track named "${wanted}", then place again.`,
    { operation: "place the narration", state: `"${track}" was written over` },
  );
}
