import { isSamePlace, isSameText } from "./align-cues.ts";
import { type Cue, compareCues } from "./cue.ts";
import { defined } from "./objects.ts";

/** Whose version of a disputed cue is taken. */
export type MergeSide = "mine" | "theirs";

/**
 * What two sides disagree on: both changed the words, both moved it, the editor deleted what the new result changed, or
 * the editor changed what the new result leaves out.
 */
export type MergeConflict = "text" | "timing" | "deleted-here" | "removed-there";

/** What becomes of a cue. */
type MergeOutcome = "unchanged" | "updated" | "edited" | "added" | "own" | "removed" | "deleted";

/** One cue in a merge: the three versions of it, and what comes of them. */
export interface MergeEntry {
  readonly cueId: string;
  /**
   * `updated`: takes the new result; `edited`: keeps what the editor changed; `added`: new in the result; `own`: made by the
   * editor; `removed`: the new result has it no more; `deleted`: the editor deleted it.
   */
  readonly outcome: MergeOutcome;
  /** Empty when nothing is disputed. */
  readonly conflicts: readonly MergeConflict[];
  readonly base?: Cue;
  readonly mine?: Cue;
  readonly theirs?: Cue;
  /** Absent for a cue that goes. */
  readonly result?: Cue;
}

/** A finished merge. */
export interface CueMerge {
  /** In order of time. */
  readonly cues: readonly Cue[];
  /** Every cue that any side has, in order of time. */
  readonly entries: readonly MergeEntry[];
}

/** What is merged. Cues are the same description where they have the same id; see `alignCues` for results without. */
export interface MergeInput {
  /** The result that both sides come from. `null` when it is lost: then every difference is the editor's. */
  readonly base: readonly Cue[] | null;
  /** As the editor has them now. */
  readonly mine: readonly Cue[];
  /** A new result; the base itself when there is none. */
  readonly theirs: readonly Cue[];
  /** Whose version a disputed cue takes, by cue id; the editor's where not said. */
  readonly choices?: ReadonlyMap<string, MergeSide>;
  /** Cues that the editor made a mark on beside words and timing, such as a name: none of them goes without a word. */
  readonly marked?: ReadonlySet<string>;
}

/**
 * Merges what the editor did with a new result, cue by cue. What only one side changed is taken from that side, words and
 * timing apart; what both changed stays the editor's and is listed as a conflict; deleted stays deleted.
 *
 * Laws, each with a test: `merge(b, m, b)` is `m`; `merge(b, b, t)` is `t`; `merge(b, m, t)` holds every word of `m` that
 * is not in `b` unless a choice gave it up; merging the outcome again with the same result changes nothing.
 */
export function mergeCues({ base, mine, theirs, choices, marked }: MergeInput): CueMerge {
  const sides = { base: byId(base ?? []), mine: byId(mine), theirs: byId(theirs) };
  const ids = new Set([...sides.mine.keys(), ...sides.theirs.keys(), ...sides.base.keys()]);
  const entries = [...ids].map((cueId) => {
    const versions = {
      cueId,
      base: sides.base.get(cueId),
      mine: sides.mine.get(cueId),
      theirs: sides.theirs.get(cueId),
      isMarked: marked?.has(cueId) ?? false,
    };
    return entryOf(base === null ? withoutBase(versions) : versions, choices?.get(cueId) ?? "mine");
  });
  entries.sort((a, b) => compareCues(latestOf(a), latestOf(b)));
  const cues = entries.flatMap(({ result }) => (result === undefined ? [] : [result])).sort(compareCues);
  return { cues, entries };
}

interface Versions {
  readonly cueId: string;
  readonly base: Cue | undefined;
  readonly mine: Cue | undefined;
  readonly theirs: Cue | undefined;
  readonly isMarked: boolean;
}

/** Without a base nobody knows who changed what: what the editor has is taken for the editor's doing. */
function withoutBase(versions: Versions): Versions {
  const { mine, theirs } = versions;
  return { ...versions, base: mine === undefined ? undefined : theirs };
}

function entryOf(versions: Versions, choice: MergeSide): MergeEntry {
  const { base, mine, theirs } = versions;
  if (mine !== undefined && theirs !== undefined) return changedEntry(versions, mine, theirs, choice);
  if (mine !== undefined) return withoutTheirs(versions, mine, choice);
  if (theirs !== undefined) {
    if (base === undefined) return entry(versions, "added", [], theirs);
    const isDisputed = !isSame(base, theirs);
    if (isDisputed && choice === "theirs") return entry(versions, "updated", ["deleted-here"], theirs);
    return entry(versions, "deleted", isDisputed ? ["deleted-here"] : []);
  }
  return entry(versions, "deleted", []);
}

/** The editor has it, the new result has not. */
function withoutTheirs(versions: Versions, mine: Cue, choice: MergeSide): MergeEntry {
  const { base, isMarked } = versions;
  if (base === undefined) return entry(versions, "own", [], mine);
  if (isSame(base, mine) && !isMarked) return entry(versions, "removed", []);
  if (choice === "theirs") return entry(versions, "removed", ["removed-there"]);
  return entry(versions, "edited", ["removed-there"], mine);
}

/** Both have it. */
function changedEntry(versions: Versions, mine: Cue, theirs: Cue, choice: MergeSide): MergeEntry {
  // Made on both sides under one id: nothing says what they have in common, so all of it is disputed.
  const base = versions.base;
  const text = pick(base, mine, theirs, isSameText, choice);
  const timing = pick(base, mine, theirs, isSamePlace, choice);
  const conflicts: MergeConflict[] = [];
  if (text.isDisputed) conflicts.push("text");
  if (timing.isDisputed) conflicts.push("timing");
  const { start, end } = timing.from;
  const result: Cue = { id: versions.cueId, start, end, text: text.from.text };
  if (base !== undefined && isSame(base, result)) return entry(versions, "unchanged", conflicts, result);
  const isTheirs = isSame(theirs, result) && !isSame(mine, theirs);
  return entry(versions, isTheirs ? "updated" : isSame(mine, theirs) ? "unchanged" : "edited", conflicts, result);
}

function pick(
  base: Cue | undefined,
  mine: Cue,
  theirs: Cue,
  isEqual: (a: Cue, b: Cue) => boolean,
  choice: MergeSide,
): { readonly from: Cue; readonly isDisputed: boolean } {
  if (isEqual(mine, theirs)) return { from: mine, isDisputed: false };
  if (base !== undefined && isEqual(base, mine)) return { from: theirs, isDisputed: false };
  if (base !== undefined && isEqual(base, theirs)) return { from: mine, isDisputed: false };
  return { from: choice === "mine" ? mine : theirs, isDisputed: true };
}

function entry(
  { cueId, base, mine, theirs }: Versions,
  outcome: MergeOutcome,
  conflicts: readonly MergeConflict[],
  result?: Cue,
): MergeEntry {
  return {
    cueId,
    outcome,
    conflicts,
    ...defined({ base, mine, theirs, result }),
  };
}

function latestOf({ cueId, result, mine, theirs, base }: MergeEntry): Cue {
  return result ?? mine ?? theirs ?? base ?? { id: cueId, start: 0, end: 0, text: "" };
}

function byId(cues: readonly Cue[]): Map<string, Cue> {
  return new Map(cues.map((cue) => [cue.id, cue]));
}

function isSame(a: Cue, b: Cue): boolean {
  return isSameText(a, b) && isSamePlace(a, b);
}
