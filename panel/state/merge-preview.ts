import type { Cue } from "../../src/core/cue.ts";
import type { MergeEntry } from "../../src/core/merge-cues.ts";
import { defined } from "../../src/core/objects.ts";
import type { Result } from "../../src/result/result.ts";
import { countMerge, describeMerge, type MergeLine } from "../../src/workflow/place/merge-result.ts";
import type { SequenceMerge } from "../../src/workflow/place/round-trip.ts";

/** A line of what a merge will do, with both versions of a cue that is to be decided. */
export interface PreviewLine extends MergeLine {
  /** As the editor has it; absent where it was deleted. */
  readonly mine?: Cue;
  /** As the new result has it; absent where it was left out. */
  readonly theirs?: Cue;
}

/** What placing will do to markers that somebody worked on, before it does it. */
export interface MergePreview {
  /** All of it in one line. */
  readonly counts: string;
  /** What is to be decided first, then the rest, each in order of time. */
  readonly lines: readonly PreviewLine[];
  /** Sentences about the record that was read. */
  readonly notices: readonly string[];
}

/** Whether the editor must see a merge before it is done: another result over markers, or markers that were worked on. */
export function mustBeShown(
  { entries, readBack }: SequenceMerge,
  record: Pick<Result, "runId"> | null,
  runId: string,
): boolean {
  // A cue that was deleted on the timeline may have been edited since in the panel: no marker of it is left.
  if (entries.some(({ conflicts }) => conflicts.length > 0)) return true;
  if (readBack.markers.length === 0) return false;
  if (record?.runId !== runId) return describeMerge(entries).length > 0;
  return entries.some(({ outcome }) => /edited|own|deleted/.test(outcome));
}

/** What a merge will do, for the editor to read and decide. */
export function previewOf({ entries }: SequenceMerge, notices: readonly string[]): MergePreview {
  const byId = new Map(entries.map((entry) => [entry.cueId, entry]));
  const lines = describeMerge(entries).map((line) => ({ ...line, ...versionsOf(byId.get(line.cueId)) }));
  const rest = lines.filter(({ isDisputed }) => !isDisputed);
  return { counts: countMerge(entries), lines: [...lines.filter(({ isDisputed }) => isDisputed), ...rest], notices };
}

function versionsOf(entry: MergeEntry | undefined): Pick<PreviewLine, "mine" | "theirs"> {
  const { mine, theirs } = entry ?? {};
  return defined({ mine, theirs });
}
