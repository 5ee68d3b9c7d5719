import type { MergeConflict, MergeEntry } from "../../core/merge-cues.ts";

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
