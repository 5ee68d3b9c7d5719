import { fileNameOf } from "../../core/local-file.ts";
import type { MergeConflict, MergeEntry } from "../../core/merge-cues.ts";
import { defined } from "../../core/objects.ts";
import type { Timeline } from "../../core/timeline.ts";
import { cutOf } from "../../host/edit-plan.ts";
import type { ApplyReport } from "../../host/host.ts";
import { withIds } from "../../result/edit.ts";
import { type PlacedResult, type Result, rangeOf, soundingCues, wantedPauses } from "../../result/result.ts";
import { mergeIntoSequence, recordAfterMerge, type SequenceMerge, type SequenceMergeInput } from "./round-trip.ts";

/** Where a result is merged into. */
export type MergeTarget = Pick<
  SequenceMergeInput,
  "sequence" | "timeline" | "record" | "findings" | "choices" | "colours"
>;

/** Merges a result, with what the editor made of it, into the markers that are there. */
export function mergeResult(result: Result, target: MergeTarget): SequenceMerge {
  const { record } = target;
  // What was placed of the same result is what both sides come from: the editor's work on it is no new result.
  const base = record?.runId === result.runId ? { ...record, generated: record.cues } : record;
  return mergeIntoSequence({
    ...target,
    record: base,
    ...rangeOf(result),
    result: soundingCues(result),
    // A result without pauses leaves none of an earlier one.
    toWrite: wantedPauses(result) ?? [],
    ...defined({ held: result.held }),
  });
}

/** What the editor did to the markers, read into a result. */
export interface ReadIntoResult {
  readonly merge: SequenceMerge;
  /** Cues that were changed both in the result and on the timeline: the result keeps its own, the markers theirs. */
  readonly disputed: readonly string[];
}

/** Reads the markers of a sequence into a result that may have been edited since it was placed. Nothing of either is dropped. */
export function readIntoResult(result: Result, target: MergeTarget): ReadIntoResult {
  const merge = mergeResult(result, target);
  const disputed = merge.entries.flatMap(({ cueId, conflicts }) => (conflicts.length > 0 ? [cueId] : []));
  if (disputed.length === 0) return { merge, disputed };
  const choices = new Map(disputed.map((id) => [id, "theirs" as const]));
  return { merge: mergeResult(result, { ...target, choices }), disputed };
}

/** The first record of a result on a sequence, before anything of it is placed. */
export function firstRecord({ cut, ...result }: Result, sequenceId: string, before: Timeline): PlacedResult {
  const layout = cutOf(before);
  const placed = { sequenceId, markerIds: {}, clipNames: [], layout, ...defined({ described: cut?.described }) };
  return { ...result, revision: 0, voiced: {}, placed };
}

/**
 * The record of a sequence after a result was merged into it, once it is known which markers that gave.
 *
 * @param old What was placed before, or the {@link firstRecord}.
 */
export function recordAfterPlacing(
  old: PlacedResult,
  result: Result,
  merge: SequenceMerge,
  applied: Pick<ApplyReport, "markerIds">,
): PlacedResult {
  const named = withIds(result, merge.ids);
  const next = recordAfterMerge(taken(old, named), merge, applied);
  return {
    ...next,
    // What the service wrote, however the editor has changed it since: that is what the editor's work is told apart from.
    generated: named.generated ?? old.generated,
    // The sound of an earlier result stays where this one makes none.
    voiced: named.track === "none" ? old.voiced : named.voiced,
  };
}

/** A record with what it takes over from another result of the same range. */
function taken(old: PlacedResult, { placed: _, cut, ...result }: Result): PlacedResult {
  const { described: earlier, ...placed } = old.placed;
  // Another result described the cut as it was then.
  const described = old.runId === result.runId ? earlier : cut?.described;
  const { voicing } = old;
  return {
    ...result,
    revision: old.revision,
    // What a later voicing takes over belongs to the narration that it came with.
    ...(result.track === "none" && result.voicing === undefined && voicing !== undefined ? { voicing } : {}),
    placed: {
      ...placed,
      ...defined({ described }),
      clipNames: result.audio === undefined ? [] : [fileNameOf(result.audio.path)],
    },
  };
}

/** One line of what a merge will do. */
export interface MergeLine {
  readonly cueId: string;
  /** A sentence for people. */
  readonly message: string;
  /** Whether somebody may want to decide otherwise. */
  readonly isDisputed: boolean;
  readonly conflicts: readonly MergeConflict[];
}

const DISPUTES: Readonly<Record<MergeConflict, string>> = {
  text: "Both you and the new result changed the words",
  timing: "Both you and the new result moved it",
  "deleted-here": "You deleted it, and the new result changed it",
  "removed-there": "You changed it, and the new result has it no more",
};

/** What a merge will do, cue by cue and before it does it: everything but the cues that stay as they are. */
export function describeMerge(entries: readonly MergeEntry[]): MergeLine[] {
  return entries.flatMap((entry) => {
    const message = sentence(entry);
    if (message === null) return [];
    const { cueId, conflicts } = entry;
    return [{ cueId, message, isDisputed: conflicts.length > 0, conflicts }];
  });
}

/** The same in one line: "2 updated, 1 added, 1 deleted, 3 kept as you changed them, 1 to decide". */
export function countMerge(entries: readonly MergeEntry[]): string {
  const count = (...outcomes: readonly MergeEntry["outcome"][]) =>
    entries.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const parts: readonly (readonly [number, string])[] = [
    [count("updated"), "updated"],
    [count("added"), "added"],
    [count("removed"), "removed"],
    [count("edited", "own"), "kept as you changed them"],
    [count("deleted"), "stay deleted"],
    [entries.filter(({ conflicts }) => conflicts.length > 0).length, "to decide"],
  ];
  const told = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return told.length === 0 ? "Nothing changes" : told.join(", ");
}

function sentence(entry: MergeEntry): string | null {
  const words = quoted(entry);
  const dispute = entry.conflicts.map((conflict) => DISPUTES[conflict]).join(". ");
  const done = deed(entry);
  if (done === null && dispute === "") return null;
  return `${words}: ${[dispute, done ?? ""].filter((part) => part !== "").join(". ")}.`;
}

function deed({ outcome, conflicts, mine, result }: MergeEntry): string | null {
  const isDisputed = conflicts.length > 0;
  switch (outcome) {
    case "unchanged":
      return null;
    case "updated":
      return mine === undefined ? "It comes back, as the new result has it" : "It takes the new result";
    case "edited":
      return isDisputed ? "Yours stays" : "It stays as you changed it";
    case "own":
      return "It is yours and stays";
    case "added":
      return result === undefined ? null : "It is new";
    case "removed":
      return "The new result has it no more: it goes";
    case "deleted":
      return isDisputed ? "It stays deleted" : "It was deleted and stays so";
  }
}

/** Words shown of a cue, in characters. */
const SHOWN = 48;

function quoted({ cueId, result, mine, theirs, base }: MergeEntry): string {
  const text = (result ?? mine ?? theirs ?? base)?.text ?? "";
  const short = text.length > SHOWN ? `${text.slice(0, SHOWN - 1).trimEnd()}…` : text;
  return short === "" ? cueId : `“${short}”`;
}
