import type { AudioClipTrackItem, ProjectItem, TrackItemSelection } from "@adobe/premierepro";
import type { PlaceAudio } from "../edit-plan.ts";
import { HostError } from "../host-error.ts";
import { clipsOn } from "./answers.ts";
import type { ImportedFiles } from "./import-files.ts";
import { openSequence } from "./open-sequence.ts";
import { batchesOf } from "./pace.ts";
import { fetchItems } from "./project-bin.ts";
import { ticksOnGrid, tickTime } from "./ticks.ts";
import type { ApplyContext, TransactionPart } from "./transactor.ts";

/** "No video track", as audio-only plugins pass it; where it is refused, 0 puts nothing on V1 for a file without picture. */
const NO_VIDEO_TRACK = -1;

/** What one transaction does to a track that is there. */
export interface TrackWork {
  readonly trackIndex: number;
  /** Clips to be removed, by their place on the track, and how many clips are there before. */
  readonly places: readonly number[];
  readonly clipCount: number;
  readonly placings: readonly PlaceAudio[];
}

/** Does one piece of work in one transaction, which it may share with parts before and after it. */
export async function transact(
  context: ApplyContext,
  work: TrackWork,
  imported: ImportedFiles,
  label: string,
  shared: { readonly first?: readonly TransactionPart[]; readonly last?: readonly TransactionPart[] } = {},
): Promise<void> {
  const { first = [], last = [] } = shared;
  const lay = async (before: readonly TransactionPart[]) => {
    if (work.placings.length === 0) return context.transactor.run(label, ...before, ...last);
    await withVideoIndex((videoIndex) => {
      const part = placing(context, work.placings, imported, {
        trackIndex: work.trackIndex,
        videoIndex,
        how: "overwrite",
      });
      return context.transactor.run(label, ...before, part, ...last);
    });
  };
  if (work.places.length === 0) return lay(first);
  const { committed } = context.transactor;
  try {
    await lay([...first, removal(context, work, label)]);
  } catch (error) {
    // Whatever was refused, and by which words: nothing was changed, and there is a second way.
    if (error instanceof OtherTimelineError || context.signal.aborted || context.transactor.committed > committed)
      throw error;
    await removeBySelectionOfSequence(context, work, label, first);
    await lay([]);
  }
}

/** The timeline is another one than was planned for: no other way of doing it helps. */
class OtherTimelineError extends HostError {}

/** A selection that cannot be used even where it was made. */
class SelectionRefusedError extends Error {}

/** Removes clips by selections that live inside their callbacks, where the actions are made: some clips an action. */
function removal(context: ApplyContext, { trackIndex, places, clipCount }: TrackWork, label: string): TransactionPart {
  const { premiere } = context;
  return async () => {
    const { sequence } = await openSequence(premiere, context.before.reference);
    const items = await clipsOn(premiere, await sequence.getAudioTrack(trackIndex));
    if (items.length !== clipCount) throw changedMeanwhile(label);
    return (add, { editor }) => {
      for (const batch of batchesOf(places, context.pace.clipsPerRemoval)) {
        let isMade = false;
        try {
          premiere.TrackItemSelection.createEmptySelection((selection) => {
            select(selection, items, batch);
            add(editor().createRemoveItemsAction(selection, false, premiere.Constants.MediaType.AUDIO));
            isMade = true;
          });
        } catch {
          // By whichever words: a handle gone stale would have the parts of the transaction tried one by one.
          throw new SelectionRefusedError(
            "TrackItemSelection.createEmptySelection gave what is refused where it was made",
          );
        }
        if (!isMade) throw new SelectionRefusedError("TrackItemSelection.createEmptySelection made no selection");
      }
    };
  };
}

/**
 * Removes clips by the selection of the sequence itself, in transactions of their own: the second way, seen to work where a
 * selection was refused in its callback. Later clips go first, so that the places of the others stay.
 */
async function removeBySelectionOfSequence(
  context: ApplyContext,
  { trackIndex, places, clipCount }: TrackWork,
  label: string,
  first: readonly TransactionPart[],
): Promise<void> {
  const { premiere, before, transactor, pace } = context;
  if (first.length > 0) await transactor.run(label, ...first);
  let left = clipCount;
  for (const batch of batchesOf(places, pace.clipsPerRemoval)) {
    await transactor.run(label, async () => {
      await (await openSequence(premiere, before.reference)).sequence.clearSelection();
      const { sequence } = await openSequence(premiere, before.reference);
      const [track, selection] = await Promise.all([sequence.getAudioTrack(trackIndex), sequence.getSelection()]);
      const items = await clipsOn(premiere, track);
      if (items.length !== left) throw changedMeanwhile(label);
      return (add, { editor }) => {
        select(selection, items, batch);
        add(editor().createRemoveItemsAction(selection, false, premiere.Constants.MediaType.AUDIO));
      };
    });
    left -= batch.length;
  }
}

/** Puts clips into a selection, by their place on their track. */
export function select(
  selection: TrackItemSelection,
  items: readonly AudioClipTrackItem[],
  places: readonly number[],
): void {
  for (const place of places) {
    const item = items[place];
    if (item !== undefined) selection.addItem(item, true);
  }
}

/** Where and how clips are laid. */
interface Laying {
  readonly trackIndex: number;
  readonly videoIndex: number;
  /** `insert` pushes aside what is on the same track, `push aside` what is on any. */
  readonly how: "overwrite" | "insert" | "push aside";
}

/** Lays imported sounds on a track. */
export function placing(
  context: ApplyContext,
  steps: readonly PlaceAudio[],
  imported: ImportedFiles,
  { trackIndex, videoIndex, how }: Laying,
): TransactionPart {
  const { premiere } = context;
  return async () => {
    const items = await itemsFor(context, steps, imported);
    return (add, handles) => {
      const editor = handles.editor();
      for (const [index, step] of steps.entries()) {
        const item = items[index];
        if (item === undefined) throw removedMeanwhile();
        const time = tickTime(premiere, ticksOnGrid(step.start, context.before.ticksPerFrame));
        add(
          how === "overwrite"
            ? editor.createOverwriteItemAction(item, time, videoIndex, trackIndex)
            : editor.createInsertProjectItemAction(item, time, videoIndex, trackIndex, how === "insert"),
        );
      }
    };
  };
}

/** Runs a transaction with "no video track", and with V1 where Premiere refuses that. */
export async function withVideoIndex(run: (videoIndex: number) => Promise<void>): Promise<void> {
  try {
    await run(NO_VIDEO_TRACK);
  } catch (error) {
    if (!(error instanceof Error && /(invalid|illegal) parameter/i.test(error.message))) throw error;
    await run(0);
  }
}

/** The items of the sounds, in the order of their steps. */
async function itemsFor(
  context: ApplyContext,
  steps: readonly PlaceAudio[],
  imported: ImportedFiles,
): Promise<readonly ProjectItem[]> {
  const items = await fetchItems(context, imported);
  const ids = await Promise.all(items.map(async (item) => item.getId()));
  return steps.map((step) => {
    const item = items[ids.indexOf(imported.itemIds.get(step.path) ?? "")];
    if (item === undefined) throw removedMeanwhile();
    return item;
  });
}

function removedMeanwhile(): HostError {
  return new OtherTimelineError("apply_failed", "The narration was removed from the project meanwhile. Place again.", {
    operation: "place the narration",
    state: "the step was not applied",
    tried: ["FolderItem.getItems gave no item that has the id of an imported file"],
  });
}

/** The timeline is not as it was when a step was planned. */
export function changedMeanwhile(label: string): HostError {
  return new OtherTimelineError("apply_failed", "The timeline was changed meanwhile. Look at it, then place again.", {
    operation: label,
    state: "the step was not applied",
    tried: ["AudioTrack.getTrackItems gave other clips than before"],
  });
}
