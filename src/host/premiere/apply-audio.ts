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
import type { ClipSnapshot, TrackSnapshot } from "./snapshot.ts";
import { ticksFromSeconds, ticksOnGrid } from "./ticks.ts";
import type { Part } from "./transactor.ts";

/** "No video track", as audio-only plugins pass it; where it is refused, 0 puts nothing on V1 for a file without picture. */
const NO_VIDEO_TRACK = -1;

/** Steps of a plan that concern sound clips. */
export type AudioStep = PlaceAudio | RemoveAudio;

/** What one transaction does to a track that is there. */
interface TrackWork {
  readonly trackIndex: number;
  /** Clips to be removed, by their place on the track, and how many clips are there before. */
  readonly places: readonly number[];
  readonly clipCount: number;
  readonly placings: readonly PlaceAudio[];
}

/**
 * Removes clips of ours, by name, from the tracks that carry our track's name or, where none does, the clips, and imports
 * and places new ones on such a track, which is made when it is missing or taken; `last` is part of the last transaction. What goes and what comes on a
 * track that is there share a transaction, up to the pace.
 */
export async function applyAudio(
  context: ApplyContext,
  steps: readonly AudioStep[],
  label: string,
  last: readonly Part[],
): Promise<void> {
  const trackNames = [...new Set(steps.map(({ trackName }) => trackName))];
  for (const [index, trackName] of trackNames.entries()) {
    const ours = steps.filter((step) => step.trackName === trackName);
    await applyToTrack(context, trackName, ours, label, index === trackNames.length - 1 ? last : []);
  }
}

async function applyToTrack(
  context: ApplyContext,
  trackName: string,
  steps: readonly AudioStep[],
  label: string,
  last: readonly Part[],
): Promise<void> {
  const placings = steps.filter((step) => step.kind === "place-audio");
  const removed = new Set(steps.flatMap((step) => (step.kind === "remove-audio" ? step.clipNames : [])));
  const imported = await importFiles(
    context,
    placings.map(({ path }) => path),
  );
  const tracks = await readTracks(context.premiere, context.before.reference, "audio");
  const isNamed = tracks.some((track) => track.name === trackName);
  // Renamed, or never named by a Premiere that cannot: then its clips tell which it is.
  const isOurs = ({ name, clips }: TrackSnapshot) =>
    isNamed ? name === trackName : clips.some((clip) => removed.has(clip.name));
  const free = tracks.findIndex((track) => isOurs(track) && isFree(context, track, removed, placings));
  const isNew = placings.length > 0 && free < 0;
  const works = tracks.flatMap((track, trackIndex) => {
    if (!isOurs(track)) return [];
    const there = trackIndex === free ? placings : [];
    return worksOn(context, trackIndex, track, placesToClear(context, track, removed, there), there);
  });
  for (const [index, work] of works.entries()) {
    await transact(context, work, imported, label, !isNew && index === works.length - 1 ? last : []);
  }
  if (!isNew && works.length === 0 && last.length > 0) await context.transactor.run(label, ...last);
  if (isNew) await placeOnNewTrack(context, placings, imported, label);
  if (placings.length > 0) await nameClips(context, placings, isNew ? null : free, label, isNew ? last : []);
}

/** Where clips to be removed stand, later ones first; not those that a placing writes over wholly. */
function placesToClear(
  { before: { ticksPerFrame } }: ApplyContext,
  track: TrackSnapshot,
  removed: ReadonlySet<string>,
  placings: readonly PlaceAudio[],
): number[] {
  const written = placings.map((step) => {
    const start = ticksOnGrid(step.start, ticksPerFrame);
    // Premiere may floor a clip's length to frames: less than that is never written over.
    const length = ticksFromSeconds(step.durationSeconds);
    return { start, end: start + length - (length % ticksPerFrame) };
  });
  return track.clips
    .flatMap((clip, place) => {
      const isWrittenOver = written.some(({ start, end }) => clip.start >= start && clip.end <= end);
      return removed.has(clip.name) && !isWrittenOver ? [place] : [];
    })
    .reverse();
}

/** Cuts the work on a track into transactions: removals first, later clips before earlier ones, so that places stay true. */
function worksOn(
  { pace }: ApplyContext,
  trackIndex: number,
  track: TrackSnapshot,
  places: readonly number[],
  placings: readonly PlaceAudio[],
): TrackWork[] {
  let clipCount = track.clips.length;
  return batchesOf([...places, ...placings], pace.clipsPerTransaction).map((batch) => {
    const gone = batch.filter((one) => typeof one === "number");
    const work = { trackIndex, places: gone, clipCount, placings: batch.filter((one) => typeof one !== "number") };
    clipCount -= gone.length;
    return work;
  });
}

async function transact(
  context: ApplyContext,
  work: TrackWork,
  imported: ImportedFiles,
  label: string,
  last: readonly Part[],
): Promise<void> {
  const clearing = work.places.length === 0 ? [] : [removal(context, work, label)];
  if (work.placings.length === 0) return context.transactor.run(label, ...clearing, ...last);
  await withVideoIndex((videoIndex) => {
    const part = placing(context, work.placings, imported, {
      trackIndex: work.trackIndex,
      videoIndex,
      how: "overwrite",
    });
    return context.transactor.run(label, ...clearing, part, ...last);
  });
}

function removal(context: ApplyContext, { trackIndex, places, clipCount }: TrackWork, label: string): Part {
  const { premiere } = context;
  return async () => {
    const track = await openSequence(premiere, context.before.reference).sequence.getAudioTrack(trackIndex);
    return (open, add) => {
      const items = track.getTrackItems(premiere.Constants.TrackItemType.CLIP, false);
      if (items.length !== clipCount) throw changedMeanwhile(label);
      premiere.TrackItemSelection.createEmptySelection((selection) => {
        for (const place of places) {
          const item = items[place];
          if (item !== undefined) selection.addItem(item);
        }
        const editor = premiere.SequenceEditor.getEditor(open.sequence);
        add(editor.createRemoveItemsAction(selection, false, premiere.Constants.MediaType.AUDIO));
      });
    };
  };
}

/** Where and how clips are laid. */
interface Laying {
  readonly trackIndex: number;
  readonly videoIndex: number;
  readonly how: "overwrite" | "insert";
}

function placing(
  context: ApplyContext,
  steps: readonly PlaceAudio[],
  imported: ImportedFiles,
  { trackIndex, videoIndex, how }: Laying,
): Part {
  const { premiere } = context;
  return async () => {
    const items = await fetchItems(context, imported.binId);
    return (open, add) => {
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
    };
  };
}

/** Runs a transaction with "no video track", and with V1 where Premiere refuses that. */
async function withVideoIndex(run: (videoIndex: number) => Promise<void>): Promise<void> {
  try {
    await run(NO_VIDEO_TRACK);
  } catch (error) {
    if (!(error instanceof Error && /(invalid|illegal) parameter/i.test(error.message))) throw error;
    await run(0);
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
  label: string,
): Promise<void> {
  const [first, ...rest] = steps;
  if (first === undefined) return;
  const tracks = await readTracks(context.premiere, context.before.reference, "audio");
  const trackIndex = tracks.length;
  for (const how of ["overwrite", "insert"] as const) {
    await withVideoIndex((videoIndex) =>
      context.transactor.run(label, placing(context, [first], imported, { trackIndex, videoIndex, how })),
    );
    const after = await readTracks(context.premiere, context.before.reference, "audio");
    const made = after[trackIndex];
    if (made !== undefined) {
      for (const work of worksOn(context, trackIndex, made, [], rest))
        await transact(context, work, imported, label, []);
      return;
    }
    const hit = after.find((track, index) => !hasSameClips(track, tracks[index]));
    if (hit !== undefined) throw landedElsewhere(hit.name, first.trackName);
  }
  throw new HostError(
    "apply_failed",
    `Premiere added no audio track. Add an empty one, name it "${first.trackName}", then place again.`,
    { operation: label, state: "the narration is in the bin, the timeline was not changed" },
  );
}

/**
 * Names the clips, and the track when it is new: then it is the last one, and `trackIndex` is `null`. A track can be named
 * only once it is there, in a transaction of its own. Older versions cannot name tracks; reading back reports it.
 */
async function nameClips(
  context: ApplyContext,
  steps: readonly PlaceAudio[],
  trackIndex: number | null,
  label: string,
  last: readonly Part[],
): Promise<void> {
  const { premiere, before } = context;
  const tracks = await readTracks(premiere, before.reference, "audio");
  const index = trackIndex ?? tracks.length - 1;
  const clips = tracks[index]?.clips ?? [];
  const names = steps.flatMap((step) => {
    const start = ticksOnGrid(step.start, before.ticksPerFrame);
    const place = clips.findIndex((clip) => clip.start === start && clip.name !== step.clipName);
    return place < 0 ? [] : [{ place, name: step.clipName }];
  });
  const trackName = trackIndex === null ? steps[0]?.trackName : undefined;
  if (trackName === undefined && names.length === 0) return;
  const naming: Part = async () => {
    const track = await openSequence(premiere, before.reference).sequence.getAudioTrack(index);
    return (_open, add) => {
      // The declarations call the action of a track's name a plain object.
      if (trackName !== undefined && "createSetNameAction" in track)
        add(track.createSetNameAction(trackName) as Action);
      const items = track.getTrackItems(premiere.Constants.TrackItemType.CLIP, false);
      if (items.length !== clips.length) throw changedMeanwhile(label);
      for (const { place, name } of names) {
        const action = items[place]?.createSetNameAction(name);
        if (action !== undefined) add(action);
      }
    };
  };
  await context.transactor.run(`${label}: name the ${trackName === undefined ? "clips" : "track"}`, naming, ...last);
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

function hasSameClips(a: TrackSnapshot, b: TrackSnapshot | undefined): boolean {
  const isSame = (clip: ClipSnapshot, other: ClipSnapshot | undefined) =>
    clip.itemId === other?.itemId && clip.start === other?.start && clip.end === other.end;
  return a.clips.length === b?.clips.length && a.clips.every((clip, index) => isSame(clip, b.clips[index]));
}

/** Whether nothing stays on a track where sounds are to be placed. */
function isFree(
  { before: { ticksPerFrame } }: ApplyContext,
  track: TrackSnapshot,
  removed: ReadonlySet<string>,
  steps: readonly PlaceAudio[],
): boolean {
  return steps.every((step) => {
    const start = ticksOnGrid(step.start, ticksPerFrame);
    const end = ticksOnGrid(step.start + step.durationSeconds, ticksPerFrame);
    return track.clips.every((clip) => removed.has(clip.name) || clip.end <= start || clip.start >= end);
  });
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
