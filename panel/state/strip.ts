import type { Cue } from "../../src/core/cue.ts";
import { levelColumns } from "../../src/core/level.ts";
import type { TimeRange } from "../../src/core/time-range.ts";
import type { SequenceInfo } from "../../src/host/host.ts";
import { type FoundSound, type GapMap, gapsIn } from "../../src/workflow/gaps/gap-map.ts";
import { type Form, rangeOf } from "./form.ts";
import type { JobEntry } from "./saved.ts";

/** A piece of a lane, in buckets from the left. */
export interface StripPiece {
  readonly from: number;
  readonly count: number;
  /** 1: something is there; 2: something with a finding. */
  readonly level: 1 | 2;
}

/** How many columns the strip is drawn in: finer is not seen, and every piece is an element. */
export const STRIP_COLUMNS = 240;

/** Seconds between the times of a ruler: the first that gives few enough is taken. */
const RULER_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];

/** Most times that a ruler shows. */
const MOST_RULER_TIMES = 6;

/** The times that are written over a stretch of a programme, in seconds: few, evenly apart, round. */
export function rulerTimes({ start, end }: TimeRange): number[] {
  const length = end - start;
  const step = RULER_STEPS.find((seconds) => length / seconds <= MOST_RULER_TIMES) ?? length;
  const first = length > 0 ? Math.ceil(start / step) : 0;
  const count = length > 0 ? Math.ceil(end / step) - first : 0;
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}

/** Shortest stretch that a strip shows, in seconds: a line and its pause are told apart there on any panel. */
const SHORTEST_WINDOW = 30;

/** Longest programme that is seen well as a whole, in seconds. */
const SEEN_WHOLE = 120;

/** How many doublings a strip may be zoomed in by; 0 for a programme that is seen well as a whole. */
export function mostZoom(durationSeconds: number): number {
  return durationSeconds <= SEEN_WHOLE ? 0 : Math.ceil(Math.log2(durationSeconds / SHORTEST_WINDOW));
}

/** The stretch of a programme that a strip shows: `at` in its middle, as far as the programme reaches. */
export function stripWindow(durationSeconds: number, zoom: number, at: number): TimeRange {
  const length = durationSeconds / 2 ** Math.min(zoom, mostZoom(durationSeconds));
  const start = Math.min(Math.max(0, at - length / 2), durationSeconds - length);
  return { start, end: start + length };
}

/** What of ranges lies in a stretch, counted from its start. */
export function withinWindow<Range extends TimeRange>(ranges: readonly Range[], { start, end }: TimeRange): Range[] {
  return ranges
    .filter((range) => range.end > start && range.start < end)
    .map((range) => ({
      ...range,
      start: Math.max(range.start, start) - start,
      end: Math.min(range.end, end) - start,
    }));
}

/** Where ranges lie in a programme, as pieces of equal columns; a bounded number, however many ranges there are. */
export function stripPieces(
  ranges: readonly TimeRange[],
  durationSeconds: number,
  hasFinding: (range: TimeRange) => boolean = () => false,
): StripPiece[] {
  const levels = new Uint8Array(STRIP_COLUMNS);
  for (const range of ranges) {
    const level = hasFinding(range) ? 2 : 1;
    const first = columnOf(range.start, durationSeconds);
    const last = Math.max(first, Math.ceil((range.end / durationSeconds) * STRIP_COLUMNS) - 1);
    for (let column = first; column <= last && column < STRIP_COLUMNS; column++) {
      if (level > (levels[column] ?? 0)) levels[column] = level;
    }
  }
  return runsOf(levels).map(({ value, ...run }) => ({ ...run, level: value === 2 ? 2 : 1 }));
}

/** Equal columns beside each other as one; those of value 0 are none. */
function runsOf(
  columns: ArrayLike<number>,
): { readonly from: number; readonly count: number; readonly value: number }[] {
  const runs: { from: number; count: number; value: number }[] = [];
  for (let column = 0; column < columns.length; column++) {
    const value = columns[column] ?? 0;
    const last = runs.at(-1);
    if (value === 0) continue;
    if (last !== undefined && last.value === value && last.from + last.count === column) last.count += 1;
    else runs.push({ from: column, count: 1, value });
  }
  return runs;
}

/** Heights that a level is drawn in: finer is not seen, and equal neighbours are one element. */
const LEVEL_STEPS = 8;

/** A bar from the bottom of a lane, in columns from the left; its height is a share of the lane, 0 to 1. */
export interface LevelBar extends Pick<StripPiece, "from" | "count"> {
  readonly height: number;
}

/** How loud a stretch of a programme is, as bars. `levels` are of the whole, evenly apart; `share` is what of it is shown, 0 to 1. */
export function levelBars(levels: readonly number[], share: TimeRange = { start: 0, end: 1 }): LevelBar[] {
  const shown = levels.slice(Math.floor(share.start * levels.length), Math.ceil(share.end * levels.length));
  const steps = levelColumns(shown, STRIP_COLUMNS).map((level) => Math.round(level * LEVEL_STEPS));
  return runsOf(steps).map(({ value, ...run }) => ({ ...run, height: value / LEVEL_STEPS }));
}

/** The lane of cues: those named by a finding stand out. */
export function cuePieces(cues: readonly Cue[], durationSeconds: number, flagged: ReadonlySet<string>): StripPiece[] {
  return stripPieces(cues, durationSeconds, (range) => "id" in range && flagged.has(String(range.id)));
}

function columnOf(seconds: number, durationSeconds: number): number {
  return Math.min(STRIP_COLUMNS - 1, Math.max(0, Math.floor((seconds / durationSeconds) * STRIP_COLUMNS)));
}

/** What was found of the sound, and for which sequence and range. */
export interface GapLook extends FoundSound {
  readonly place: string;
  /** The place, and the captions that were chosen. */
  readonly key: string;
}

/** What a look for pauses is asked about. */
interface GapQuestion {
  readonly form: Form;
  readonly sequence: SequenceInfo | null;
}

/** What was found so far; `null` until somebody looked. */
interface GapsFound {
  readonly gaps: GapLook | null;
}

/** What the pauses offer by the settings as they are. */
export interface ShownGaps extends FoundSound {
  readonly map: GapMap;
  /** Sequence time of the start of what was looked at, in seconds. */
  readonly offsetSeconds: number;
}

/** What was found, as long as it is about what the form asks for. */
export function shownGaps(state: GapQuestion & GapsFound): ShownGaps | null {
  const { gaps, form, sequence } = state;
  if (gaps === null || sequence === null || gaps.key !== gapKeys(state).key) return null;
  return { ...gaps, map: gapsIn(gaps, form.settings), offsetSeconds: rangeOf(form, sequence).start };
}

/** What was heard in the range that a job is about, where somebody listened. */
export function heardBefore(
  { gaps }: GapsFound,
  job: Pick<JobEntry, "form" | "sequence">,
): (Pick<FoundSound, "speech"> & { readonly music: NonNullable<FoundSound["music"]> }) | null {
  if (gaps === null || gaps.music === null || gaps.place !== placeOf(job)) return null;
  return { speech: gaps.speech, music: gaps.music };
}

/** What a look is about, as {@link GapLook} keeps it. */
export function gapKeys(asked: GapQuestion): Pick<GapLook, "place" | "key"> {
  const { captionSource, captionFile } = asked.form;
  const place = placeOf(asked);
  return { place, key: [place, captionSource, captionFile?.filename].join(" ") };
}

function placeOf({ form, sequence }: GapQuestion): string {
  const range = sequence === null ? [] : Object.values(rangeOf(form, sequence));
  return [sequence?.id, ...range].join(" ");
}
