import type { Cue } from "../core/cue.ts";
import { DEFAULT_PLACEMENT_PROFILE } from "../core/placement.ts";
import { mayLieOverMusic } from "../core/settings.ts";
import { countWords, ESTIMATED_WORDS_PER_MINUTE, estimateSpeakingSeconds, highestRate } from "../core/speaking-time.ts";
import { mergeRanges, rangeDuration, subtractRanges, type TimeRange } from "../core/time-range.ts";
import { spokenLength, voiceLengths } from "../result/held.ts";
import { describedType, type Result, soundingCues } from "../result/result.ts";

/** What can be done about a cue whose narration is longer than its gap. */
export const REMEDY_KINDS = ["shorten", "move", "faster", "duck", "accept"] as const;

/** One of {@link REMEDY_KINDS}. */
export type RemedyKind = (typeof REMEDY_KINDS)[number];

/** A cue with the time that its words take at the voice's normal rate. */
export interface CueToFit extends Pick<Cue, "id" | "start" | "text"> {
  /** Seconds at the normal rate: measured, else estimated. */
  readonly seconds: number;
  /** Other wordings, if somebody has written any. */
  readonly wordings?: readonly { readonly text: string; readonly seconds: number }[];
}

/** Where a cue may be heard: times on the programme clock, clearance to speech and to other cues taken off already. */
export interface CueGap extends TimeRange {
  /** The same where it may lie over music too, with the programme lowered under it. */
  readonly withMusic: TimeRange;
}

/** One way out, and what comes of it. */
export interface Remedy {
  readonly kind: RemedyKind;
  /** Whether it makes the narration fit; accepting never does, and always can be done. */
  readonly isPossible: boolean;
  readonly text: string;
  /** When the narration would be heard. */
  readonly start: number;
  readonly end: number;
  /** Speaking rate relative to the normal one. */
  readonly rate: number;
  /** Seconds that would still lie beyond the gap. */
  readonly overrunSeconds: number;
  /** The outcome in words. */
  readonly outcome: string;
}

/** Lengths closer than this, in seconds, fit: less than a frame. */
const TOLERANCE = 0.02;

/** Whether the narration of a cue ends within its gap. */
export function fitsGap(cue: CueToFit, gap: CueGap): boolean {
  return cue.start >= gap.start - TOLERANCE && cue.start + cue.seconds <= gap.end + TOLERANCE;
}

/**
 * What can be done about a cue that is longer than its gap offers, each with its outcome: other words, another start,
 * a faster voice within the pace limit, music lowered under it, or leaving it. Always all five, in this order.
 */
export function remediesFor(cue: CueToFit, gap: CueGap): Remedy[] {
  const start = Math.min(Math.max(cue.start, gap.start), gap.end);
  const room = gap.end - start;
  return [shorten(cue, gap, start), move(cue, gap), faster(cue, gap, start, room), duck(cue, gap), accept(cue, gap)];
}

/** The programme around a cue. */
export interface GapContext {
  readonly cues: readonly Cue[];
  readonly speech: readonly TimeRange[];
  readonly music: readonly TimeRange[];
  readonly durationSeconds: number;
}

/**
 * The gap that a cue stands in: free of speech and other cues, and of music unless the cue begins over music already. It
 * is the one nearest to the cue's start.
 */
export function gapOf(cue: Pick<Cue, "id" | "start">, { cues, speech, music, durationSeconds }: GapContext): CueGap {
  const { minimumClearance, minimumSeparation } = DEFAULT_PLACEMENT_PROFILE;
  const others = cues.filter(({ id }) => id !== cue.id);
  const taken = [
    ...speech.map(({ start, end }) => ({ start: start - minimumClearance, end: end + minimumClearance })),
    ...others.map(({ start, end }) => ({ start: start - minimumSeparation, end: end + minimumSeparation })),
  ];
  const whole = { start: 0, end: durationSeconds };
  const withMusic = nearest(subtractRanges(whole, mergeRanges(taken)), cue.start);
  const isOverMusic = music.some(({ start, end }) => start <= cue.start && cue.start < end);
  const quiet = isOverMusic ? withMusic : nearest(subtractRanges(withMusic, mergeRanges(music)), cue.start);
  return { ...quiet, withMusic };
}

/** How much longer the voice of a timeline speaks than estimated, from cues whose narration is as long as they are. */
export function paceFactor(spoken: readonly Cue[]): number {
  const seconds = spoken.reduce((sum, cue) => sum + rangeDuration(cue), 0);
  const estimated = spoken.reduce((sum, { text }) => sum + estimateSpeakingSeconds(text), 0);
  return estimated > 0 && seconds > 0 ? seconds / estimated : 1;
}

function shorten(cue: CueToFit, gap: CueGap, start: number): Remedy {
  const room = Math.max(0, gap.end - start);
  const fitting = (cue.wordings ?? []).filter(({ seconds }) => seconds <= room + TOLERANCE);
  const best = fitting.sort((a, b) => b.seconds - a.seconds)[0];
  if (best !== undefined) {
    const outcome = `Says “${best.text}” in ${best.seconds.toFixed(1)} s`;
    return remedy(gap, "shorten", { text: best.text, start, seconds: best.seconds }, true, outcome);
  }
  const pace = cue.seconds > 0 ? countWords(cue.text) / cue.seconds : ESTIMATED_WORDS_PER_MINUTE / 60;
  const words = Math.floor(room * pace);
  const outcome = words > 0 ? `About ${words} words would fit` : "No word would fit";
  return remedy(gap, "shorten", { text: cue.text, start, seconds: cue.seconds }, false, outcome);
}

function move(cue: CueToFit, gap: CueGap): Remedy {
  const isPossible = cue.seconds <= rangeDuration(gap) + TOLERANCE;
  const start = Math.max(gap.start, Math.min(cue.start, gap.end - cue.seconds));
  const by = start - cue.start;
  const outcome = isPossible
    ? `Begins ${Math.abs(by).toFixed(1)} s ${by < 0 ? "earlier" : "later"}`
    : `The gap has ${rangeDuration(gap).toFixed(1)} s, and ${cue.seconds.toFixed(1)} s are needed`;
  return remedy(gap, "move", { text: cue.text, start, seconds: cue.seconds }, isPossible, outcome);
}

function faster(cue: CueToFit, gap: CueGap, start: number, room: number): Remedy {
  const needed = room > 0 ? Math.max(1, cue.seconds / room) : Number.POSITIVE_INFINITY;
  const highest = highestRate(cue.text, cue.seconds);
  const isPossible = needed <= highest + 1e-9;
  const rate = isPossible ? needed : highest;
  const more = Math.round((rate - 1) * 100);
  const outcome = isPossible ? `Speaks ${more} % faster` : `Even ${more} % faster, the limit, it is too long`;
  return remedy(gap, "faster", { text: cue.text, start, seconds: cue.seconds / rate, rate }, isPossible, outcome);
}

function duck(cue: CueToFit, gap: CueGap): Remedy {
  const room = gap.withMusic;
  const isPossible =
    cue.seconds <= rangeDuration(room) + TOLERANCE && rangeDuration(room) > rangeDuration(gap) + TOLERANCE;
  const start = Math.max(room.start, Math.min(cue.start, room.end - cue.seconds));
  const outcome = isPossible
    ? "Lies over music, which is lowered under it"
    : "No music beside the gap makes room enough";
  return remedy(isPossible ? room : gap, "duck", { text: cue.text, start, seconds: cue.seconds }, isPossible, outcome);
}

function accept(cue: CueToFit, gap: CueGap): Remedy {
  const made = remedy(gap, "accept", { text: cue.text, start: cue.start, seconds: cue.seconds }, true, "");
  return { ...made, outcome: `Stays, ${made.overrunSeconds.toFixed(1)} s beyond its gap` };
}

function remedy(
  within: TimeRange,
  kind: RemedyKind,
  heard: { readonly text: string; readonly start: number; readonly seconds: number; readonly rate?: number },
  isPossible: boolean,
  outcome: string,
): Remedy {
  const { text, start, seconds, rate = 1 } = heard;
  const end = start + seconds;
  const beyond = Math.max(0, end - within.end) + Math.max(0, within.start - start);
  const overrunSeconds = beyond <= TOLERANCE ? 0 : beyond;
  return { kind, isPossible, text, start, end, rate, overrunSeconds, outcome };
}

/** The range that holds a time, else the nearest; none: an empty one at that time. */
function nearest(ranges: readonly TimeRange[], at: number): TimeRange {
  const distance = ({ start, end }: TimeRange) => Math.max(0, start - at, at - end);
  return [...ranges].sort((a, b) => distance(a) - distance(b))[0] ?? { start: at, end: at };
}

/** What a cue's words take, and what the gap that it stands in offers from its start on. */
export interface CueRoom {
  /** Seconds that the words take: as they were spoken, else estimated at the voice's pace. */
  readonly seconds: number;
  /** Seconds that are left over; below 0 they are missing. */
  readonly left: number;
  /** About so many words fill what is left over; below 0 they are too many. */
  readonly wordsLeft: number;
}

/**
 * The room that words have in the place of a cue.
 *
 * @param text The words, as they are being typed.
 * @param stale The cues whose narration is out of date: the others are as long as they are spoken.
 */
export function roomFor(result: Result, cue: Cue, text: string, stale: ReadonlyMap<string, unknown>): CueRoom {
  // What has no words yet was never spoken.
  const isStale = stale.has(cue.id) || text !== cue.text || cue.text === "";
  const { seconds, gap, wordsPerSecond } = standingOf(result, { ...cue, text }, isStale, stale);
  const left = gap.end - Math.min(Math.max(cue.start, gap.start), gap.end) - seconds;
  return { seconds, left, wordsLeft: Math.floor(left * wordsPerSecond) };
}

/**
 * Ways out for a cue of a result whose words take longer than its gap offers; none where they fit. A voice that says the
 * words counts as long as it is, also behind the end of its cue.
 *
 * @param stale The cues whose narration is out of date: the others are as long as they are spoken.
 */
export function remediesIn(result: Result, cue: Cue, stale: ReadonlyMap<string, unknown>): Remedy[] {
  const { seconds, gap } = standingOf(result, cue, stale.has(cue.id), stale);
  const wordings = result.wordings?.[cue.id] ?? [];
  const toFit = { id: cue.id, start: cue.start, text: cue.text, seconds, wordings };
  return fitsGap(toFit, gap) ? [] : remediesFor(toFit, gap).filter(({ isPossible }) => isPossible);
}

/**
 * How long a cue is spoken, and the gap that it stands in.
 *
 * @param isStale Whether its narration says other words, or is none.
 * @param stale As in {@link roomFor}.
 */
export function standingOf(result: Result, cue: Cue, isStale: boolean, stale: ReadonlyMap<string, unknown>) {
  return finderOf(result, stale).of(cue, isStale);
}

/** The finder of each result, by what is out of date in it; a result is never changed in place. */
const finders = new WeakMap<Result, { readonly stale: ReadonlyMap<string, unknown>; readonly finder: RoomFinder }>();

/** What is known of a result, found once: a list asks about each of its rows, whenever it is drawn. */
function finderOf(result: Result, stale: ReadonlyMap<string, unknown>): RoomFinder {
  const present = finders.get(result);
  if (present?.stale === stale) return present.finder;
  const finder = new RoomFinder(result, stale);
  finders.set(result, { stale, finder });
  return finder;
}

/** How far around a line its pause is looked for, in seconds: in a long film that is most of the work. */
const NEARBY_SECONDS = 60;

/** Most of such stretches that one range is looked for in: a day, however far it claims to go. */
const MOST_STRETCHES = (24 * 3600) / NEARBY_SECONDS;

/** So many lines tell the pace of a voice. */
const PACE_LINES = 200;

/** What is known of a result once, however many of its lines are asked about. */
class RoomFinder {
  readonly #result: Result;
  readonly #words: ReadonlyMap<string, string>;
  readonly #voiced: ReadonlyMap<string, number>;
  readonly #written: ReadonlyMap<string, string>;
  readonly #pace: number;
  readonly #cues: Nearby<Cue>;
  readonly #speech: Nearby<TimeRange>;
  readonly #music: Nearby<TimeRange>;

  constructor(result: Result, stale: ReadonlyMap<string, unknown>) {
    this.#result = result;
    this.#written = new Map(result.generated?.map(({ id, text }) => [id, text]));
    this.#words = new Map(result.cues.map(({ id, text }) => [id, text]));
    // What is muted is as long as its voice all the same.
    this.#voiced = voiceLengths({ ...result, mutedIds: [] });
    const spoken = spokenIn(result, stale, this.#voiced);
    const each = Math.ceil(spoken.length / PACE_LINES);
    this.#pace = paceFactor(spoken.filter((_, index) => index % each === 0));
    const { speech = [], settings } = result;
    // What may lie over music has its room too: there is nothing to be said about it.
    const music = mayLieOverMusic(settings) ? [] : (result.music ?? []);
    // What is muted takes nobody's room.
    this.#cues = new Nearby(soundingCues(result));
    this.#speech = new Nearby(speech);
    this.#music = new Nearby(music);
  }

  /** How long a line is spoken, and its pause. `isStale`: its narration says other words, or is none. */
  of(cue: Cue, isStale: boolean) {
    const { durationSeconds } = this.#result;
    const [cues, speech, music] = [this.#cues.to(cue.start), this.#speech.to(cue.start), this.#music.to(cue.start)];
    const voiced = this.#words.get(cue.id) === cue.text ? this.#voiced.get(cue.id) : undefined;
    const estimate = () => estimateSpeakingSeconds(cue.text) * this.#pace;
    const isUnspoken = isStale || this.#isReworded(cue);
    const seconds = voiced ?? (isUnspoken ? estimate() : spokenLength(this.#result, cue).seconds);
    const gap = gapOf(cue, { cues, speech, music, durationSeconds });
    const wordsPerSecond = ESTIMATED_WORDS_PER_MINUTE / 60 / this.#pace;
    return { seconds, gap, wordsPerSecond, isVoiced: voiced !== undefined };
  }

  /** Whether a line says other words than the service gave a length to: then its own is nobody's measure of them. */
  #isReworded({ id, text }: Cue): boolean {
    const { generated, held } = this.#result;
    return generated !== null && held === undefined && this.#written.get(id) !== text;
  }
}

/** Ranges by the stretches of the film that they lie in, so that those near a time are found at once. */
class Nearby<Range extends TimeRange> {
  readonly #stretches = new Map<number, Range[]>();

  constructor(ranges: readonly Range[]) {
    for (const range of ranges) {
      const first = Math.floor(range.start / NEARBY_SECONDS);
      const last = Math.min(Math.floor(range.end / NEARBY_SECONDS), first + MOST_STRETCHES);
      for (let stretch = first; stretch <= last; stretch++) {
        const present = this.#stretches.get(stretch);
        if (present === undefined) this.#stretches.set(stretch, [range]);
        else present.push(range);
      }
    }
  }

  /** Those in the stretch of a time and in the ones beside it. */
  to(seconds: number): Range[] {
    const stretch = Math.floor(seconds / NEARBY_SECONDS);
    const near = [-1, 0, 1].flatMap((by) => this.#stretches.get(stretch + by) ?? []);
    return [...new Set(near)];
  }
}

/** The cues as long as they are spoken, as far as that is known: by their voice, else as the service wrote them. */
function spokenIn(result: Result, stale: ReadonlyMap<string, unknown>, voiced: ReadonlyMap<string, number>): Cue[] {
  const written = new Map(result.generated?.map((cue) => [cue.id, cue]));
  return result.cues.flatMap((cue) => {
    if (stale.has(cue.id)) return [];
    const seconds = voiced.get(cue.id);
    if (seconds !== undefined) return [{ ...cue, end: cue.start + seconds }];
    const was = written.get(cue.id);
    return was === undefined ? [] : [was];
  });
}

/** A line that takes longer than its pause. */
export interface MissingRoom {
  readonly cueId: string;
  /** Seconds that are missing, of which nobody hears the first. */
  readonly missing: number;
}

/** Which of some lines take longer than their pause, by more than anybody hears; in order of time. */
export function tooLongIn(result: Result, ids: readonly string[], stale: ReadonlyMap<string, unknown>): MissingRoom[] {
  if (ids.length === 0) return [];
  const finder = finderOf(result, stale);
  const asked = new Set(ids);
  return result.cues.flatMap((cue) => {
    if (!asked.has(cue.id)) return [];
    const { seconds, gap } = finder.of(cue, stale.has(cue.id));
    const missing = seconds - (gap.end - Math.min(Math.max(cue.start, gap.start), gap.end));
    return missing > HEARD_SECONDS ? [{ cueId: cue.id, missing }] : [];
  });
}

/** Nobody hears that a line takes less than this longer than its pause, in seconds. */
export const HEARD_SECONDS = 0.05;

/** A pace at which any voice speaks without haste. */
const CALM_WORDS_PER_MINUTE = 160;

/** Shortest line, in seconds: words that nobody can count the time of leave a line as long as it was. */
const SHORTEST_SECONDS = 0.1;

/**
 * Where lines of a result lie that follow their words and their pause: as long as their voice, or its estimate; a little faster where
 * that fills the pause; else as long as it takes. Lines of a video that is held for them stay as they are.
 *
 * @param result With the words as they are now.
 * @param mayMove Whether a line may begin elsewhere in its pause where it does not fit from its start on.
 * @returns By cue id.
 */
export function timesByWords(
  result: Result,
  ids: readonly string[],
  { stale, mayMove = false }: { readonly stale: ReadonlyMap<string, unknown>; readonly mayMove?: boolean },
): ReadonlyMap<string, TimeRange> {
  if (ids.length === 0 || describedType(result) !== "standard") return new Map();
  const finder = finderOf(result, stale);
  const asked = new Set(ids);
  const times = result.cues.flatMap((cue) => {
    if (!asked.has(cue.id)) return [];
    const { seconds, gap, isVoiced } = finder.of(cue, true);
    // What nobody has spoken yet has the time for a calm pace, where its pause has it: its voice may be a slow one.
    const calm = isVoiced ? seconds : Math.max(seconds, (countWords(cue.text) * 60) / CALM_WORDS_PER_MINUTE);
    return seconds < SHORTEST_SECONDS ? [] : [[cue.id, timesIn(gap, cue, { seconds, calm }, mayMove)] as const];
  });
  return new Map(times);
}

function timesIn(
  gap: TimeRange,
  { start, text }: Cue,
  { seconds, calm }: { readonly seconds: number; readonly calm: number },
  mayMove: boolean,
): TimeRange {
  const isWithin = start >= gap.start - TOLERANCE && start < gap.end;
  const room = mayMove ? rangeDuration(gap) : isWithin ? gap.end - start : 0;
  const isFilled = calm > room && seconds / highestRate(text, seconds) <= room + TOLERANCE;
  const length = isFilled ? room : calm;
  const begins = mayMove ? Math.max(gap.start, Math.min(start, gap.end - length)) : start;
  return { start: begins, end: begins + length };
}
