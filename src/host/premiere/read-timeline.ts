import type { premierepro } from "@adobe/premierepro";
import type { Timeline } from "../../core/timeline.ts";
import { openSequence } from "./open-sequence.ts";
import { readSnapshot } from "./read-snapshot.ts";
import type { SequenceReference, SequenceSnapshot } from "./snapshot.ts";
import { timelineFromSnapshot } from "./timeline-from-snapshot.ts";

/** Sequences inside sequences are followed this deep; Premiere's own limit is not documented. */
const DEEPEST_NESTING = 8;

/** Reads a sequence as a timeline, with the sequences nested in it. */
export async function readTimeline(premiere: premierepro, reference: SequenceReference): Promise<Timeline> {
  return timelineOf(premiere, await readSnapshot(premiere, reference), DEEPEST_NESTING);
}

async function timelineOf(premiere: premierepro, snapshot: SequenceSnapshot, depth: number): Promise<Timeline> {
  const nested = new Map<string, Timeline>();
  const clips = [...snapshot.videoTracks, ...snapshot.audioTracks].flatMap((track) => track.clips);
  const itemIds = new Set(clips.flatMap((clip) => (clip.isSequence && clip.itemId !== null ? [clip.itemId] : [])));
  if (itemIds.size > 0 && depth > 0) {
    for (const [itemId, sequenceId] of await sequencesByItem(premiere, snapshot.reference)) {
      if (!itemIds.has(itemId)) continue;
      const inner = await readSnapshot(premiere, { ...snapshot.reference, sequenceId });
      nested.set(itemId, await timelineOf(premiere, inner, depth - 1));
    }
  }
  return timelineFromSnapshot(snapshot, (itemId) => nested.get(itemId));
}

/** Which project item stands for which sequence. */
async function sequencesByItem(premiere: premierepro, reference: SequenceReference): Promise<Map<string, string>> {
  const sequences = await openSequence(premiere, reference).project.getSequences();
  const ids = sequences.map((sequence) => sequence.guid.toString());
  const found = new Map<string, string>();
  for (const sequenceId of ids) {
    const item = await openSequence(premiere, { ...reference, sequenceId }).sequence.getProjectItem();
    found.set(item.getId(), sequenceId);
  }
  return found;
}
