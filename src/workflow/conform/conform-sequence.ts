import { type ConformedCue, type ConformReason, conformCues } from "../../core/conform.ts";
import { type Cue, compareCues } from "../../core/cue.ts";
import type { Finding } from "../../core/finding.ts";
import { defined } from "../../core/objects.ts";
import type { PauseToWrite } from "../../core/pause-to-write.ts";
import { isSameTime, rangeDuration, shiftRange, type TimeRange } from "../../core/time-range.ts";
import type { Timeline, TimelineClip } from "../../core/timeline.ts";
import {
  cutOf,
  type EditGroup,
  type EditPlan,
  type EditStep,
  isNameOfOurs,
  isNarrationTrack,
  type PlaceAudio,
} from "../../host/edit-plan.ts";
import type { SequenceInfo } from "../../host/host.ts";
import { type Placed, type PlacedResult, rangeOf } from "../../result/result.ts";
import { isClipOfCue, type NarrationClip } from "../place/narration-clips.ts";
import type { Placement } from "../place/place.ts";
import { readBack } from "../place/read-back.ts";
import { planMarkerReplacement } from "../place/replace.ts";

/** What is known of the descriptions when a re-cut is looked at. */
export type ConformRecord = Pick<
  PlacedResult,
  "cues" | "generated" | "toWrite" | "held" | "offsetSeconds" | "durationSeconds"
> & { readonly placed: Pick<Placed, "markerIds" | "layout"> };

/** What conforming needs. */
export interface ConformInput<Known extends ConformRecord = ConformRecord> {
  readonly sequence: Pick<SequenceInfo, "id" | "rate">;
  /** The sequence as it is cut now. */
  readonly timeline: Timeline;
  readonly record: Known;
  readonly colours?: NonNullable<Placement["colours"]>;
  /** Cues of picture that is new in this cut, see {@link ConformAddition}. */
  readonly added?: ConformAddition;
  /**
   * Clips of single lines, where each is heard in this cut: in place of the clips that these lines have, and of one clip that
   * holds several. None where the clips that are there only move.
   */
  readonly voices?: readonly NarrationClip[];
  /** Words that lines were given since they were placed, by cue id: they count where nobody edited the marker. */
  readonly texts?: ReadonlyMap<string, string>;
}

/** What comes into a cut beside the cues that follow it. */
export interface ConformAddition {
  /** On the clock of the sequence as it is cut now, under ids that nobody has. */
  readonly cues: readonly Cue[];
  /** Clips of their voices; none where there is no narration. */
  readonly sounds: readonly PlaceAudio[];
}

/** A cue after a re-cut, with the words it has now. */
interface ConformedDescription extends ConformedCue {
  readonly text: string;
  /** Whether somebody moved its marker to a place that is neither the old nor the new one: it stays there. */
  readonly isWhereEditorPutIt: boolean;
}

/** What conforming would do. Nothing is touched yet. */
export interface ConformPlan<Known extends ConformRecord = ConformRecord> {
  /** In order of the old cut. */
  readonly descriptions: readonly ConformedDescription[];
  /** Touched and orphaned ones, and new ones as notes, for review. */
  readonly findings: readonly Finding[];
  /** Markers and clips together: one group, no group when everything is where it belongs. */
  readonly plan: EditPlan;
  /** What the record says afterwards, but for marker identities. */
  readonly record: Known;
  /** Whether a clip of ours that holds several lines lies in the described range; whether any clip of ours does. */
  readonly hasStem: boolean;
  readonly hasNarration: boolean;
  /** Whether such a clip stays that holds cues that are now elsewhere: it has to be mixed again. */
  readonly isStemStale: boolean;
}

/** The rule that marks a cue as new. */
const NEW_CUE_RULE = "conform-new";

/** Why a cue needs a person, as a sentence. */
export const CONFORM_REASONS: Readonly<Record<ConformReason, string>> = {
  "picture-cut": "Part of the picture it describes was cut out or trimmed",
  "speed-changed": "The picture it describes runs at another speed",
  "sound-changed": "Other sound lies under it or beside it",
  "media-replaced": "The picture it describes was replaced by another",
  "picture-gone": "The picture it describes is no longer in the edit",
  "no-picture": "It lies over black, and what is around it changed",
};

/**
 * Compares the cut at the time of placing with the cut of today and plans, in one step, markers and clips of ours to where
 * their pictures went. Words and lengths that the editor changed stay; a marker that the editor moved elsewhere stays where
 * it is; deleted cues stay deleted.
 */
export function planConform<Known extends ConformRecord>({
  sequence,
  timeline,
  record,
  colours,
  added,
  voices = [],
  texts = new Map(),
}: ConformInput<Known>): ConformPlan<Known> {
  const back = readBack({ timeline, record, ...rangeOf(record) });
  const known = new Map(record.cues.map((cue) => [cue.id, cue]));
  const worded = (cue: Cue) => (cue.text === known.get(cue.id)?.text ? (texts.get(cue.id) ?? cue.text) : cue.text);
  const there = back.isAllGone ? record.cues : back.cues;
  const now = new Map(there.map((cue) => [cue.id, { ...cue, text: worded(cue) }]));
  const placed = record.cues.filter((cue) => now.has(cue.id)).map((cue) => shiftRange(cue, record.offsetSeconds));
  const layout = cutOf(timeline);
  const conformed = conformCues(record.placed.layout, layout, placed, timeline.rate);
  const shifts = new Map<string, number>();
  const descriptions: ConformedDescription[] = [];
  for (const [index, was] of placed.entries()) {
    const [is, mine] = [conformed[index], now.get(was.id)];
    if (is === undefined || mine === undefined) continue;
    const start = mine.start + record.offsetSeconds;
    const isWhereEditorPutIt = !isSameTime(start, was.start) && !isSameTime(start, is.start);
    if (!isWhereEditorPutIt && is.state !== "orphaned") shifts.set(was.id, is.start - was.start);
    descriptions.push({ ...is, text: mine.text, isWhereEditorPutIt });
  }
  const own = back.cues.filter((cue) => !record.cues.some(({ id }) => id === cue.id));
  const cues = [...record.cues.flatMap((cue) => conformedCue(cue, now.get(cue.id), shifts.get(cue.id))), ...own];
  const fresh = (added?.cues ?? []).map((cue) => shiftRange(cue, -record.offsetSeconds));
  const pauses = conformedPauses(record, layout, timeline);
  const next = rebased({ ...record, ...pauses }, [...cues, ...fresh].sort(compareCues), shifts, layout, fresh);
  const findings = [...descriptions.flatMap(findingOf), ...fresh.map(newFinding)];
  const markers = planMarkerReplacement({
    sequence,
    timeline,
    readBack: back,
    cues: next.cues,
    offsetSeconds: next.offsetSeconds,
    durationSeconds: next.durationSeconds,
    findings,
    ...(next.toWrite === undefined ? {} : { toWrite: next.toWrite }),
    ...defined({ colours, held: next.held }),
  });
  const touched = new Set(descriptions.flatMap(({ state, cueId }) => (state === "touched" ? [cueId] : [])));
  const clips = clipMoves(timeline, { shifts, touched }, record, voices);
  const steps: EditStep[] = [
    ...markers.groups.flatMap((group) => group.steps),
    ...clips.steps,
    ...(added?.sounds ?? []),
  ];
  const count = fresh.length === 0 ? descriptions.length : fresh.length;
  const counted = `${count}${fresh.length === 0 ? "" : " new"} description${count === 1 ? "" : "s"}`;
  const moved = count === 0 ? "pauses to write" : counted;
  const label = fresh.length === 0 ? `Follow the cut: ${moved}` : `Place ${moved}`;
  const groups: EditGroup[] = steps.length === 0 ? [] : [{ label, steps }];
  return {
    descriptions,
    findings,
    plan: { sequenceId: sequence.id, groups },
    record: next,
    hasStem: clips.hasStem,
    hasNarration: clips.hasNarration,
    isStemStale: clips.hasStem && voices.length === 0 && [...shifts.values()].some((shift) => !isSameTime(shift, 0)),
  };
}

/** The pauses whose picture and sound are all there, where they are now; the others are no pauses any more. */
function conformedPauses(
  { toWrite, offsetSeconds, placed: { layout: before } }: ConformRecord,
  after: Placed["layout"],
  { rate }: Pick<Timeline, "rate">,
): Pick<ConformRecord, "toWrite"> {
  if (toWrite === undefined) return {};
  const placed = toWrite.map((pause) => shiftRange(pause, offsetSeconds));
  const conformed = conformCues(before, after, placed, rate);
  return {
    toWrite: toWrite.flatMap((pause, index): PauseToWrite[] => {
      const [was, is] = [placed[index], conformed[index]];
      const isThere = is?.state === "unchanged" || is?.state === "moved";
      return was === undefined || !isThere ? [] : [shiftRange(pause, is.start - was.start)];
    }),
  };
}

/** A cue with the editor's words and length at its picture's place; nothing for one that was deleted. */
function conformedCue(placed: Cue, mine: Cue | undefined, shift: number | undefined): Cue[] {
  if (mine === undefined) return [];
  if (shift === undefined) return [mine];
  const start = placed.start + shift;
  return [{ ...mine, start, end: start + (mine.end - mine.start) }];
}

/** The record on a programme clock that has no cue before its 0. */
function rebased<Known extends ConformRecord>(
  record: Known,
  cues: readonly Cue[],
  shifts: ReadonlyMap<string, number>,
  layout: Placed["layout"],
  fresh: readonly Cue[],
): Known {
  const first = Math.min(0, ...cues.map((cue) => cue.start));
  const known = record.generated?.map((cue) => shiftRange(cue, (shifts.get(cue.id) ?? 0) - first)) ?? null;
  const generated =
    known === null ? null : [...known, ...fresh.map((cue) => shiftRange(cue, -first))].sort(compareCues);
  const own = cues.map((cue) => shiftRange(cue, -first));
  const end = Math.max(record.durationSeconds, ...own.map((cue) => cue.end));
  const toWrite = record.toWrite?.map((pause) => shiftRange(pause, -first));
  const rebasedRecord = { ...record, offsetSeconds: record.offsetSeconds + first, durationSeconds: end };
  const placed = { ...record.placed, layout };
  // Nobody knows of holds in the new cut; how long a cue is spoken stays.
  const held = record.held && { ...record.held, holds: null };
  return { ...rebasedRecord, cues: own, generated, placed, ...defined({ toWrite, held }) };
}

function findingOf({ state, reason, cueId, isWhereEditorPutIt }: ConformedDescription): Finding[] {
  if ((state !== "touched" && state !== "orphaned") || reason === undefined) return [];
  const message = isWhereEditorPutIt
    ? `${CONFORM_REASONS[reason]}; its marker stays where you put it`
    : CONFORM_REASONS[reason];
  return [{ rule: `conform-${state}`, severity: state === "orphaned" ? "fail" : "warn", cueIds: [cueId], message }];
}

function newFinding({ id }: Cue): Finding {
  return {
    rule: NEW_CUE_RULE,
    severity: "note",
    cueIds: [id],
    message: "It describes picture that is new in this cut",
  };
}

/** Clips of one cue each go with their cue; a clip that holds several cannot, and gives way to clips of single lines. */
function clipMoves(
  timeline: Timeline,
  { shifts, touched }: { readonly shifts: ReadonlyMap<string, number>; readonly touched: ReadonlySet<string> },
  { cues, ...record }: ConformRecord,
  voices: readonly NarrationClip[],
): { readonly steps: EditStep[]; readonly hasStem: boolean; readonly hasNarration: boolean } {
  const range = { start: record.offsetSeconds, end: record.offsetSeconds + record.durationSeconds };
  const gone = new Set<string>();
  const placings: PlaceAudio[] = voices.map(({ path, place: { name, start, durationSeconds } }) => {
    return { kind: "place-audio", path, clipName: name, start, durationSeconds };
  });
  let [hasStem, hasNarration] = [false, false];
  const parts = new Map<Cue, TimelineClip[]>();
  for (const clip of timeline.tracks.filter(isNarrationTrack).flatMap((track) => track.clips)) {
    if (!isNameOfOurs(clip.name)) continue;
    const cue = cues.find(({ id }) => isClipOfCue(clip.name, id));
    // Narration of another range of the sequence is another result's.
    const isStem = cue === undefined && clip.end > range.start && clip.start < range.end;
    hasStem ||= isStem;
    hasNarration ||= isStem || cue !== undefined;
    if (voices.some(({ place }) => isStem || place.cueId === cue?.id)) gone.add(clip.name);
    else if (cue !== undefined) parts.set(cue, [...(parts.get(cue) ?? []), clip]);
  }
  for (const [cue, clips] of parts) {
    const shift = shifts.get(cue.id);
    const was = shiftRange(cue, record.offsetSeconds);
    const move = shift === undefined ? null : soundMove(clips, was, shift, touched.has(cue.id));
    if (move === null) continue;
    for (const { name } of clips) gone.add(name);
    placings.push(move);
  }
  // All go before any comes back: one may need the place of another.
  const removals = [...gone].map((name): EditStep => ({ kind: "remove-audio", clipNames: [name] }));
  return { steps: [...removals, ...placings], hasStem, hasNarration };
}

/** What a clip that the cut went through has lost at least, in seconds: clips lie on frames, cues do not. */
const LOST_SECONDS = 0.1;

/**
 * Where the sound of a cue goes; `null` where it is there already, because Premiere moves the tracks that are locked in step along
 * with a cut. A sound that the cut went through comes back whole.
 *
 * @param was When its cue was heard, on the sequence clock.
 * @param isTouched Whether the cut took some of its picture.
 */
function soundMove(
  clips: readonly TimelineClip[],
  was: TimeRange,
  shift: number,
  isTouched: boolean,
): PlaceAudio | null {
  const [first] = [...clips].sort((a, b) => a.start - b.start);
  if (first?.source.kind !== "media" || first.source.location === null) return null;
  const whole = first.source.durationSeconds ?? rangeDuration(was);
  // Sound that carries a timecode may be counted from that: then nobody knows where in it a clip begins.
  const isCounted = clips.every(({ sourceStart }) => sourceStart < whole + LOST_SECONDS);
  const from = (clip: TimelineClip) => (isCounted ? clip.sourceStart : 0);
  const begins = first.start - from(first);
  const isThere = Math.abs(begins - (was.start + shift)) < Math.abs(begins - was.start) || isSameTime(shift, 0);
  const heard = Math.max(...clips.map((clip) => from(clip) + clip.end - clip.start));
  const isCut = isTouched && heard < rangeDuration(was) - LOST_SECONDS;
  const isWhole = clips.length === 1 && isSameTime(from(first), 0) && !isCut;
  // What an editor trimmed by hand where nothing was cut stays so.
  const isByHand = clips.length === 1 && isSameTime(shift, 0) && !isTouched;
  if (isByHand || (isWhole && isThere)) return null;
  const start = Math.max(0, isThere ? begins : begins + shift);
  const hasLost = isCut || (clips.length > 1 && !isCounted);
  const durationSeconds = hasLost ? Math.max(heard, whole) : heard;
  return { kind: "place-audio", path: first.source.location, clipName: first.name, start, durationSeconds };
}
