import type { Action, AudioTrack } from "@adobe/premierepro";
import { NARRATION_TRACK_NAME, type PlaceAudio } from "../edit-plan.ts";
import { HostError } from "../host-error.ts";
import { clipsOn } from "./answers.ts";
import type { ImportedFiles } from "./import-files.ts";
import { changedMeanwhile, placing, type TrackWork, transact, withVideoIndex } from "./lay-clips.ts";
import { openSequence } from "./open-sequence.ts";
import { batchesOf } from "./pace.ts";
import { readTracks } from "./read-snapshot.ts";
import type { ClipSnapshot, TrackSnapshot } from "./snapshot.ts";
import { ticksOnGrid } from "./ticks.ts";
import type { ApplyContext, TransactionPart } from "./transactor.ts";

/**
 * Premiere has no call that adds a track: one appears when a clip is laid at the index after the last. Overwriting
 * cannot push other clips about, so it is tried first; where it does nothing, inserting is.
 *
 * The track is named along with the last clips, where any are left by then.
 *
 * @param how `first`: parts that share the first transaction. `last`: those that share the one that names the track.
 * @returns The place of the track, where it is named and `last` is done; else `null`.
 */
export async function placeOnNewTrack(
  context: ApplyContext,
  steps: readonly PlaceAudio[],
  imported: ImportedFiles,
  { label, first: shared, last }: NewTrackWork,
): Promise<number | null> {
  const [first, ...rest] = steps;
  if (first === undefined) return null;
  // Whatever becomes of the track, what shares its transaction is done.
  let left = shared;
  const tracks = await readTracks(context.premiere, context.before.reference, "audio");
  const trackIndex = tracks.length;
  if (await holdsClips(context, trackIndex)) throw miscounted(trackIndex);
  for (const how of ["overwrite", "insert"] as const) {
    const { committed } = context.transactor;
    try {
      await withVideoIndex((videoIndex) =>
        context.transactor.run(label, ...left, placing(context, [first], imported, { trackIndex, videoIndex, how })),
      );
    } catch (error) {
      if (left.length > 0 && context.transactor.committed === committed) await context.transactor.run(label, ...left);
      throw error;
    }
    left = [];
    const after = await readTracks(context.premiere, context.before.reference, "audio");
    const made = after[trackIndex];
    if (made !== undefined) {
      const clipCount = made.clips.length;
      const works = batchesOf(rest, context.pace.clipsPerTransaction).map((placings) => {
        return { trackIndex, places: [], clipCount, placings };
      });
      for (const work of works.slice(0, -1)) await transact(context, work, imported, label);
      const [work] = works.slice(-1);
      return work === undefined ? null : layAndName(context, work, imported, { label, last });
    }
    const hit = after.find((track, index) => !hasSameClips(track, tracks[index]));
    if (hit !== undefined) throw landedElsewhere(hit.name);
  }
  throw new HostError(
    "apply_failed",
    `Premiere added no audio track. Add an empty one, name it "${NARRATION_TRACK_NAME}", then place again.`,
    {
      operation: label,
      state: "the narration is in the bin, the timeline was not changed",
      tried: [
        `SequenceEditor.createOverwriteItemAction and createInsertProjectItemAction at track ${trackIndex + 1} added none`,
      ],
    },
  );
}

/** What goes with clips on a new track. */
interface NewTrackWork {
  readonly label: string;
  readonly first: readonly TransactionPart[];
  readonly last: readonly TransactionPart[];
}

/** Lays clips and names their track in one transaction; without the name where Premiere refuses both together. */
async function layAndName(
  context: ApplyContext,
  work: TrackWork,
  imported: ImportedFiles,
  { label, last }: Pick<NewTrackWork, "label" | "last">,
): Promise<number | null> {
  const { committed } = context.transactor;
  const naming: TransactionPart = async () => {
    const { sequence } = await openSequence(context.premiere, context.before.reference);
    const track = await sequence.getAudioTrack(work.trackIndex);
    return (add) => addTrackName(add, track);
  };
  try {
    await transact(context, work, imported, label, { last: [naming, ...last] });
    return work.trackIndex;
  } catch (error) {
    if (context.signal.aborted || context.transactor.committed > committed) throw error;
    await transact(context, work, imported, label);
    return null;
  }
}

function addTrackName(add: (action: Action) => void, track: AudioTrack): void {
  // The declarations call the action of a track's name a plain object.
  if ("createSetNameAction" in track) add(track.createSetNameAction(NARRATION_TRACK_NAME) as Action);
}

/**
 * Names the clips, and the track when it has no name yet: then it is the last one, and `trackIndex` is `null`. A track can be named
 * only once it is there. Older versions name no tracks, and the report says so.
 */
export async function nameClips(
  context: ApplyContext,
  steps: readonly PlaceAudio[],
  trackIndex: number | null,
  label: string,
  last: readonly TransactionPart[],
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
  const isNew = trackIndex === null;
  if (!isNew && names.length === 0) return;
  const naming: TransactionPart = async () => {
    const track = await (await openSequence(premiere, before.reference)).sequence.getAudioTrack(index);
    const items = await clipsOn(premiere, track);
    if (items.length !== clips.length) throw changedMeanwhile(label);
    return (add) => {
      if (isNew) addTrackName(add, track);
      for (const { place, name } of names) {
        const action = items[place]?.createSetNameAction(name);
        if (action !== undefined) add(action);
      }
    };
  };
  await context.transactor.run(`${label}: name the ${isNew ? "track" : "clips"}`, naming, ...last);
}

/** Whether there is a track with clips where none should be: laid there, the narration would write over them. */
async function holdsClips({ premiere, before }: ApplyContext, trackIndex: number): Promise<boolean> {
  try {
    const { sequence } = await openSequence(premiere, before.reference);
    // The declarations leave out that there may be none.
    const track: AudioTrack | null | undefined = await sequence.getAudioTrack(trackIndex);
    return track ? (await clipsOn(premiere, track)).length > 0 : false;
  } catch {
    // Older versions raise an error where there is no track.
    return false;
  }
}

function miscounted(count: number): HostError {
  return new HostError(
    "apply_failed",
    "Premiere counts fewer audio tracks than the sequence has. Nothing was laid, so that nothing is written over.",
    {
      operation: "place the narration",
      state: "the narration is in the bin, the timeline was not changed",
      tried: [
        `Sequence.getAudioTrackCount answered ${count}, and Sequence.getAudioTrack(${count}) gave a track with clips`,
      ],
    },
  );
}

function hasSameClips(a: TrackSnapshot, b: TrackSnapshot | undefined): boolean {
  const isSame = (clip: ClipSnapshot, other: ClipSnapshot | undefined) =>
    clip.itemId === other?.itemId && clip.start === other?.start && clip.end === other.end;
  return a.clips.length === b?.clips.length && a.clips.every((clip, index) => isSame(clip, b.clips[index]));
}

function landedElsewhere(track: string): HostError {
  return new HostError(
    "apply_failed",
    `Premiere laid the narration on "${track}" instead of a new track. Choose Undo in Premiere once, add an empty audio ` +
      `track named "${NARRATION_TRACK_NAME}", then place again.`,
    {
      operation: "place the narration",
      state: `"${track}" was written over`,
      tried: ["SequenceEditor.createOverwriteItemAction behind the last track changed another one"],
    },
  );
}
