import { NARRATION_TRACK_NAME, type PlaceAudio, type RemoveAudio } from "../edit-plan.ts";
import { type ImportedFiles, importFiles } from "./import-files.ts";
import { type TrackWork, transact } from "./lay-clips.ts";
import { nameClips, placeOnNewTrack } from "./new-audio-track.ts";
import { batchesOf } from "./pace.ts";
import { readTracks } from "./read-snapshot.ts";
import type { TrackSnapshot } from "./snapshot.ts";
import { ticksFromSeconds, ticksOnGrid } from "./ticks.ts";
import type { ApplyContext, TransactionPart } from "./transactor.ts";

/** Steps of a plan that concern sound clips. */
export type AudioStep = PlaceAudio | RemoveAudio;

/**
 * Removes clips of ours, by name, from the tracks that carry our name or, where none does, the clips, and imports
 * and places new ones on such a track, which is made when it is missing or taken. What goes and what comes on a track that is
 * there share a transaction, up to the pace.
 *
 * @param shared Parts of the first transaction, and of the last one.
 */
export async function applyAudio(
  context: ApplyContext,
  steps: readonly AudioStep[],
  label: string,
  { first, last }: { readonly first: readonly TransactionPart[]; readonly last: readonly TransactionPart[] },
): Promise<void> {
  const placings = steps.filter((step) => step.kind === "place-audio");
  const removed = new Set(steps.flatMap((step) => (step.kind === "remove-audio" ? step.clipNames : [])));
  const imported = await importFiles(
    context,
    placings.map(({ path }) => path),
  );
  const tracks = await readTracks(context.premiere, context.before.reference, "audio");
  const isNamed = tracks.some((track) => track.name === NARRATION_TRACK_NAME);
  // Renamed, or never named by a Premiere that cannot: then its clips tell which it is.
  const isOurs = ({ name, clips }: TrackSnapshot) =>
    isNamed ? name === NARRATION_TRACK_NAME : clips.some((clip) => removed.has(clip.name));
  const free = tracks.findIndex((track) => isOurs(track) && isFree(context, track, removed, placings));
  const isNew = placings.length > 0 && free < 0;
  const works = tracks.flatMap((track, trackIndex) => {
    if (!isOurs(track)) return [];
    const there = trackIndex === free ? placings : [];
    return worksOn(context, trackIndex, track, placesToClear(context, track, removed, there), there);
  });
  for (const [index, work] of works.entries()) {
    await transact(context, work, imported, label, {
      first: index === 0 ? first : [],
      last: !isNew && index === works.length - 1 ? last : [],
    });
  }
  // A new track takes them along.
  const isFirstLeft = works.length === 0 && isNew;
  const left = works.length > 0 || isNew ? [] : [...first, ...last];
  if (left.length > 0) await context.transactor.run(label, ...left);
  // A locked track, and one of other channels, take nothing and do not say so.
  const isRefused = !isNew && placings.length > 0 && !(await holdsAny(context, free, placings, imported));
  const open = isNew ? last : [];
  const place =
    isNew || isRefused
      ? await placeOnNewTrack(context, placings, imported, { label, first: isFirstLeft ? first : [], last: open })
      : free;
  if (placings.length > 0) await nameClips(context, placings, place, label, place === null ? open : []);
}

/** Whether any of the sounds lies where it was laid on a track. */
async function holdsAny(
  { premiere, before }: ApplyContext,
  trackIndex: number,
  placings: readonly PlaceAudio[],
  { itemIds }: ImportedFiles,
): Promise<boolean> {
  const { clips = [] } = (await readTracks(premiere, before.reference, "audio"))[trackIndex] ?? {};
  return placings.some((step) => {
    const start = ticksOnGrid(step.start, before.ticksPerFrame);
    return clips.some((clip) => clip.start === start && clip.itemId === itemIds.get(step.path));
  });
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

/**
 * Cuts the work on a track into transactions. All that goes shares the first with what comes.
 */
function worksOn(
  { pace }: ApplyContext,
  trackIndex: number,
  track: TrackSnapshot,
  places: readonly number[],
  placings: readonly PlaceAudio[],
): TrackWork[] {
  const [first = [], ...rest] = batchesOf(placings, pace.clipsPerTransaction);
  if (places.length === 0 && first.length === 0) return [];
  const clipCount = track.clips.length;
  const more = rest.map((batch) => ({ trackIndex, places: [], clipCount, placings: batch }));
  return [{ trackIndex, places, clipCount, placings: first }, ...more];
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
