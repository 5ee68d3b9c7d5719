import { type Cue, compareCues, freeCueId, readMarkerComment, wordsOfComment } from "../../core/cue.ts";
import { isPauseName, pauseName } from "../../core/pause-to-write.ts";
import { estimateSpeakingSeconds } from "../../core/speaking-time.ts";
import { foldedWords } from "../../core/text.ts";
import { isSameTime } from "../../core/time-range.ts";
import type { Timeline, TimelineMarker } from "../../core/timeline.ts";
import type { AddMarker } from "../../host/edit-plan.ts";
import type { Placed, PlacedResult } from "../../result/result.ts";
import { isAddition, planPlacement } from "./place.ts";

/** What a marker of ours turned out to be. */
type MarkerState =
  /** As it was placed. */
  | "as-placed"
  /** Words, time or length are not as placed. */
  | "changed"
  /** A copy of another cue's marker with words or a time of its own: a cue of the editor's. */
  | "copy"
  /** A copy in every respect: one of the two is one too many. */
  | "duplicate"
  /** Its words were cleared: the cue is deleted. */
  | "emptied"
  /** A pause, in which nobody has written yet: no cue. */
  | "to-write"
  /** Tagged, but of a cue that the record does not know. */
  | "unknown";

/** A marker of ours as it is now. */
export interface OwnMarker {
  readonly cueId: string;
  readonly marker: TimelineMarker;
  readonly state: MarkerState;
}

/** What reading the markers of a sequence gave. */
export interface ReadBack {
  /** The cues as the editor has them now, on the programme clock, in order of time. */
  readonly cues: readonly Cue[];
  /** Every marker of ours; markers of others are in none of these lists. */
  readonly markers: readonly OwnMarker[];
  /** Cues of the record whose marker is gone. */
  readonly missing: readonly string[];
  /**
   * Not one marker of the record is left. Deleting all and undoing the placing look the same; whoever asks decides.
   */
  readonly isAllGone: boolean;
}

/** What reading back needs of what was placed. */
type ReadBackRecord = Pick<PlacedResult, "cues" | "toWrite" | "offsetSeconds" | "durationSeconds"> & {
  readonly placed: Pick<Placed, "markerIds">;
};

/** What reading back needs beside the timeline. */
export interface ReadBackContext {
  readonly timeline: Pick<Timeline, "rate" | "markers">;
  /** What was placed; `null` when the record is lost, damaged or of a version that cannot be read. */
  readonly record: ReadBackRecord | null;
  /** The described range, for a lost record; see `Result`. */
  readonly offsetSeconds: number;
  readonly durationSeconds: number;
}

/**
 * Reads the cues out of the markers of a sequence. A marker is ours by the tag in its comment; where the tag was removed,
 * by its identity together with its name or its words, because an identity alone may be a mere position. Of several
 * markers with one tag, the one with the recorded identity is the cue, else the one nearest to its place; the others are
 * copies. The marker of a pause is known by its name as well: whoever writes into it may well replace all that stands there. A
 * time that is where the marker was placed is the cue's own exact time, not the frame's.
 */
export function readBack(context: ReadBackContext): ReadBack {
  const placed = new Map((context.record?.cues ?? []).map((cue) => [cue.id, cue]));
  const expected = expectedMarkers(context);
  const byCue = new Map<string, TimelineMarker[]>();
  for (const marker of context.timeline.markers) {
    const cueId =
      readMarkerComment(marker.comment)?.cueId ??
      cueIdByIdentity(context, expected, marker) ??
      pauseIdByName(context, marker);
    if (cueId === null || !(placed.has(cueId) || isInRange(context, marker))) continue;
    byCue.set(cueId, [...(byCue.get(cueId) ?? []), marker]);
  }
  const taken = new Set([...placed.keys(), ...byCue.keys()]);
  const cues: Cue[] = [];
  const markers: OwnMarker[] = [];
  for (const [cueId, candidates] of byCue) {
    const wanted = expected.get(cueId);
    const [first, ...copies] = originalFirst(candidates, context.record?.placed.markerIds[cueId], wanted?.start);
    if (first === undefined) continue;
    const cue = cueOf(context, first, cueId, placed.get(cueId), wanted);
    markers.push({ cueId, marker: first, state: stateOf(cue, placed.get(cueId), first, wanted) });
    if (cue !== null) cues.push(cue);
    for (const marker of copies) {
      const copy = copiedCue(context, { marker, first, cueId, taken });
      markers.push(copy.own);
      if (copy.cue !== null) cues.push(copy.cue);
    }
  }
  const missing = [...placed.keys()].filter((id) => !byCue.has(id));
  return {
    cues: cues.sort(compareCues),
    markers,
    missing,
    isAllGone: placed.size > 0 && missing.length === placed.size,
  };
}

/** The markers as the record says they were placed, by cue. */
function expectedMarkers({ record, timeline }: ReadBackContext): Map<string, AddMarker> {
  if (record === null) return new Map();
  const { cues, offsetSeconds } = record;
  const plan = planPlacement({ sequence: { id: "", rate: timeline.rate }, offsetSeconds, cues });
  const steps = plan.groups.flatMap((group) => group.steps.filter(isAddition));
  return new Map(steps.map((step) => [step.cueId, step]));
}

/** The cue of a marker whose tag is gone: its recorded identity, and its name or its words to prove it. */
function cueIdByIdentity(
  { record }: ReadBackContext,
  expected: ReadonlyMap<string, AddMarker>,
  marker: TimelineMarker,
): string | null {
  if (record === null || marker.id === undefined) return null;
  const cueId = record.cues.find(({ id }) => record.placed.markerIds[id] === marker.id)?.id;
  const step = cueId === undefined ? undefined : expected.get(cueId);
  if (cueId === undefined || step === undefined) return null;
  const words = record.cues.find(({ id }) => id === cueId)?.text ?? "";
  const isProven = marker.name === step.name || wordsOf(marker, cueId) === foldedWords(words);
  return isProven ? cueId : null;
}

/**
 * The pause of a marker that has the name of one: that of a tag with words beside it, else the nearest with this name, else one
 * that only this marker tells of.
 */
function pauseIdByName({ record, ...range }: ReadBackContext, { name, comment, start }: TimelineMarker): string | null {
  if (!isPauseName(name)) return null;
  const [, tagged] = /AD·(pause-\d+)/u.exec(comment) ?? [];
  if (tagged !== undefined) return tagged;
  const at = start - (record ?? range).offsetSeconds;
  const [nearest] = (record?.toWrite ?? [])
    .filter((pause) => pauseName(pause) === name)
    .sort((a, b) => Math.abs(a.start - at) - Math.abs(b.start - at));
  return nearest?.id ?? `pause-at-${Math.round(at * 1000)}`;
}

function isInRange({ record, ...range }: ReadBackContext, marker: TimelineMarker): boolean {
  const { offsetSeconds, durationSeconds } = record ?? range;
  const isAfter = marker.start >= offsetSeconds || isSameTime(marker.start, offsetSeconds);
  return isAfter && marker.start < offsetSeconds + durationSeconds;
}

function originalFirst(
  candidates: readonly TimelineMarker[],
  recordedId: string | undefined,
  start: number | undefined,
): TimelineMarker[] {
  const rank = (marker: TimelineMarker) =>
    marker.id !== undefined && marker.id === recordedId ? -1 : Math.abs(marker.start - (start ?? 0));
  return [...candidates].sort((a, b) => rank(a) - rank(b) || a.start - b.start);
}

function copiedCue(
  context: ReadBackContext,
  copy: { readonly marker: TimelineMarker; readonly first: TimelineMarker; readonly cueId: string; taken: Set<string> },
): { readonly own: OwnMarker; readonly cue: Cue | null } {
  const { marker, first, cueId, taken } = copy;
  const isSame =
    isSameTime(marker.start, first.start) &&
    isSameTime(marker.end, first.end) &&
    wordsOf(marker, cueId) === wordsOf(first, cueId);
  if (isSame) return { own: { cueId, marker, state: "duplicate" }, cue: null };
  const ownId = freeCueId(taken, cueId);
  const cue = cueOf(context, marker, cueId, undefined, undefined);
  if (cue === null) return { own: { cueId, marker, state: "emptied" }, cue };
  taken.add(ownId);
  return { own: { cueId: ownId, marker, state: "copy" }, cue: { ...cue, id: ownId } };
}

/** The cue that a marker is now; `null` when it has no words. */
function cueOf(
  context: ReadBackContext,
  marker: TimelineMarker,
  id: string,
  placed: Cue | undefined,
  wanted: AddMarker | undefined,
): Cue | null {
  const text = wordsOf(marker, id);
  if (text === "") return null;
  const isUntouchedText = placed !== undefined && text === foldedWords(placed.text);
  const length = marker.end - marker.start;
  const offset = context.record?.offsetSeconds ?? context.offsetSeconds;
  if (placed === undefined || wanted === undefined) {
    const start = Math.max(0, marker.start - offset);
    return { id, start, end: start + (length > 0 ? length : estimateSpeakingSeconds(text)), text };
  }
  const isMoved = !isSameTime(marker.start, wanted.start);
  // A marker made a point has no length to give: the cue keeps its own.
  const isResized = length > 0 && !isSameTime(length, wanted.duration);
  const start = isMoved ? Math.max(0, marker.start - offset) : placed.start;
  const end = isResized ? start + length : start + (placed.end - placed.start);
  return { id, start, end, text: isUntouchedText ? placed.text : text };
}

function stateOf(
  cue: Cue | null,
  placed: Cue | undefined,
  marker: TimelineMarker,
  wanted: AddMarker | undefined,
): MarkerState {
  if (cue === null) return isPauseName(marker.name) ? "to-write" : "emptied";
  if (placed === undefined || wanted === undefined) return "unknown";
  const isPlaced =
    foldedWords(cue.text) === foldedWords(placed.text) &&
    isSameTime(marker.start, wanted.start) &&
    isSameTime(marker.end - marker.start, wanted.duration);
  return isPlaced ? "as-placed" : "changed";
}

function wordsOf(marker: TimelineMarker, cueId: string): string {
  const tagged = readMarkerComment(marker.comment);
  return foldedWords(wordsOfComment(tagged?.text ?? marker.comment, tagged?.cueId ?? cueId));
}
