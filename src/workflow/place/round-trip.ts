import { alignedIds } from "../../core/align-cues.ts";
import { type Cue, compareCues, readMarkerComment, withId } from "../../core/cue.ts";
import { type CueMerge, type MergeSide, mergeCues } from "../../core/merge-cues.ts";
import { defined } from "../../core/objects.ts";
import type { PauseToWrite } from "../../core/pause-to-write.ts";
import type { Timeline } from "../../core/timeline.ts";
import type { EditPlan } from "../../host/edit-plan.ts";
import type { ApplyReport, SequenceInfo } from "../../host/host.ts";
import { heldUnder } from "../../result/held.ts";
import { readRecord } from "../../result/record.ts";
import { type PlacedResult, type Result, rangeOf } from "../../result/result.ts";
import { isOurMarkerName, type Placement } from "./place.ts";
import { type ReadBack, readBack } from "./read-back.ts";
import { planMarkerReplacement } from "./replace.ts";

/** What a merge into a sequence is made from. */
export interface SequenceMergeInput {
  readonly sequence: Pick<SequenceInfo, "id" | "rate">;
  /** The sequence as it is now. */
  readonly timeline: Timeline;
  /** `null` when there is none that can be read. */
  readonly record: PlacedResult | null;
  /** The described range: sequence time of the programme's time 0, and its length. */
  readonly offsetSeconds: number;
  readonly durationSeconds: number;
  /** Cues of a new result, on the programme clock. Absent: the markers are only read back. */
  readonly result?: readonly Cue[];
  /** How long the cues of the new result are spoken, where the programme is held for them. */
  readonly held?: Result["held"];
  /** Pauses that the new result leaves to be written; absent: those of the record. */
  readonly toWrite?: readonly PauseToWrite[];
  /** Whose version a disputed cue takes, by cue id. */
  readonly choices?: ReadonlyMap<string, MergeSide>;
  /** What it means that every marker of ours is gone; default `undone`: they are placed again. */
  readonly allGoneMeans?: "undone" | "deleted";
  readonly findings?: Placement["findings"];
  readonly colours?: NonNullable<Placement["colours"]>;
}

/** What a merge into a sequence would do. Nothing is touched yet. */
export interface SequenceMerge extends CueMerge {
  readonly readBack: ReadBack;
  /** The id that each cue of the new result has here, by the one it had there; empty where there is no new one. */
  readonly ids: ReadonlyMap<string, string>;
  /** The new result under the ids of the record; the last one where there is no new one, `null` where none is known. */
  readonly generated: readonly Cue[] | null;
  /** Markers alone; no group when the timeline is as it should be. */
  readonly plan: EditPlan;
}

/**
 * Reads the markers of a sequence, merges what the editor did with a new result, and plans the markers that come of it.
 * Markers of others are in no plan.
 */
export function mergeIntoSequence(input: SequenceMergeInput): SequenceMerge {
  const { sequence, timeline, record, offsetSeconds, durationSeconds, choices, findings, colours } = input;
  const toWrite = input.toWrite ?? record?.toWrite;
  const back = readBack({ timeline, record, offsetSeconds, durationSeconds });
  const base = record?.generated ?? null;
  const mine = back.isAllGone && input.allGoneMeans !== "deleted" ? (record?.cues ?? []) : back.cues;
  // Tags outside the described range count too: one tag, one description. That of a pause is there for whoever describes it.
  const waiting = new Set(back.markers.flatMap(({ marker, state }) => (state === "to-write" ? [marker] : [])));
  const tagged = timeline.markers.filter((marker) => !waiting.has(marker));
  const tags = tagged.flatMap(({ comment }) => readMarkerComment(comment)?.cueId ?? []);
  const inUse = [...[...mine, ...(record?.cues ?? [])].map((cue) => cue.id), ...tags];
  const { result } = input;
  const ids: ReadonlyMap<string, string> = result === undefined ? new Map() : alignedIds(base ?? mine, result, inUse);
  const generated = result?.map((cue) => withId(cue, ids.get(cue.id) ?? cue.id)).sort(compareCues) ?? base;
  const named = back.markers.filter(({ marker }) => !isOurMarkerName(marker.name));
  const marked = new Set(named.map(({ cueId }) => cueId));
  const merge = mergeCues({
    base,
    mine,
    theirs: generated ?? mine,
    marked,
    ...defined({ choices }),
  });
  const held = result === undefined ? record?.held : input.held && heldUnder(input.held, (id) => ids.get(id) ?? id);
  const plan = planMarkerReplacement({
    sequence,
    offsetSeconds,
    durationSeconds,
    timeline,
    cues: merge.cues,
    readBack: back,
    ...defined({ toWrite, held, findings, colours }),
  });
  return { ...merge, readBack: back, ids, generated, plan };
}

/** The record after a merge was applied: a revision later, with the cues as placed and the markers they have. */
export function recordAfterMerge(
  record: PlacedResult,
  merge: SequenceMerge,
  applied: Pick<ApplyReport, "markerIds">,
): PlacedResult {
  const ids = new Set(merge.cues.map((cue) => cue.id));
  const present = merge.readBack.markers.flatMap(({ cueId, marker, state }) =>
    marker.id === undefined || state === "duplicate" || state === "emptied" || state === "to-write"
      ? []
      : [[cueId, marker.id] as const],
  );
  const all = new Map([...present, ...Object.entries(applied.markerIds)]);
  return {
    ...record,
    revision: record.revision + 1,
    cues: merge.cues,
    generated: merge.generated,
    placed: { ...record.placed, markerIds: Object.fromEntries([...all].filter(([cueId]) => ids.has(cueId))) },
  };
}

/**
 * The record after a plan was applied in part: a cue whose marker is not yet as planned stays as it was before, and one
 * whose planned marker is missing is not recorded, so that placing again completes it. Otherwise its missing marker would
 * look like one that the editor deleted.
 *
 * @param before `null` when nothing was placed before.
 */
export function recordAfterPart(
  before: PlacedResult | null,
  planned: PlacedResult,
  timeline: Pick<Timeline, "rate" | "markers">,
): PlacedResult {
  const { markers } = readBack({ timeline, record: planned, ...rangeOf(planned) });
  const there = new Set(markers.map(({ cueId }) => cueId));
  const placed = new Set(markers.flatMap(({ cueId, state }) => (state === "as-placed" ? [cueId] : [])));
  const missing = new Set(planned.cues.flatMap(({ id }) => (there.has(id) ? [] : [id])));
  const actual = (next: readonly Cue[], old: readonly Cue[] = []) => {
    const earlier = new Map(old.flatMap((cue) => (missing.has(cue.id) ? [] : [[cue.id, cue] as const])));
    const kept = next.flatMap((cue) => (placed.has(cue.id) ? [cue] : (earlier.get(cue.id) ?? [])));
    const ids = new Set(next.map(({ id }) => id));
    return [...kept, ...old.filter(({ id }) => there.has(id) && !ids.has(id))].sort(compareCues);
  };
  const generated = planned.generated === null ? null : actual(planned.generated, before?.generated ?? []);
  return { ...planned, cues: actual(planned.cues, before?.cues), generated };
}

/** A record that was chosen, and what has to be said about it. */
export interface ChosenRecord {
  readonly record: PlacedResult | null;
  /** Sentences for people. */
  readonly notices: readonly string[];
}

/**
 * Chooses among the records that are kept of a sequence: the one in the project, which travels with undo, and the one
 * beside it, which does not. The one whose cues most markers still match counts; of equals, the later revision, then the
 * one that knows more markers: the project's is written with the markers, before they have an identity. A record of another
 * sequence is used for a copy of it, and becomes the copy's own.
 *
 * @param texts As they were kept; `null` where there is none.
 */
export function chooseRecord(
  texts: readonly (string | null)[],
  sequenceId: string,
  timeline: Pick<Timeline, "rate" | "markers">,
): ChosenRecord {
  const readings = texts.flatMap((text) => (text === null || text === "" ? [] : [readRecord(text)]));
  const records = readings.flatMap((reading) => (reading.ok ? [reading.record] : []));
  const matches = (record: PlacedResult) =>
    readBack({ timeline, record, ...rangeOf(record) }).markers.filter(({ state }) => state === "as-placed").length;
  const known = (record: PlacedResult) => Object.keys(record.placed.markerIds).length;
  const [best] = [...records].sort((a, b) => matches(b) - matches(a) || b.revision - a.revision || known(b) - known(a));
  const notices: string[] = [];
  if (best === undefined) {
    if (readings.some((reading) => !reading.ok && reading.fault === "other-version")) {
      notices.push("The record of this sequence was written by a newer version of Aside. It is left as it is.");
    } else if (readings.length > 0) {
      notices.push("The record of this sequence is damaged. The markers are read by their tags alone.");
    }
    return { record: null, notices };
  }
  if (records.some((record) => record.revision > best.revision)) {
    notices.push("The markers are those of an earlier placing, as after an undo. They are taken as they are.");
  }
  if (best.placed.sequenceId === sequenceId) return { record: best, notices };
  notices.push(
    `The descriptions were placed on another sequence, of which this is a copy. It has its own from now on.`,
  );
  return { record: { ...best, placed: { ...best.placed, sequenceId } }, notices };
}
