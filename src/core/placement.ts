import { type Candidate, chooseCandidates } from "./candidate-choice.ts";
import type { Cue } from "./cue.ts";
import type { Gap } from "./gap.ts";
import { highestRate } from "./speaking-time.ts";
import {
  clipRanges,
  firstEndingAfter,
  mergeRanges,
  overlapWithRanges,
  ROUNDING_ERROR_SECONDS,
  subtractRanges,
  type TimeRange,
} from "./time-range.ts";

/** One wording of a description with the time a voice takes for it at its normal rate. */
interface TimedWording {
  readonly text: string;
  readonly seconds: number;
}

/** A description to be placed. */
export interface Placeable {
  readonly id: string;
  /** From the longest to the shortest, at least one. */
  readonly wordings: readonly TimedWording[];
  /** The picture it tells of, on the programme clock. */
  readonly picture: TimeRange;
  /** How much is lost without it, 0 to 1. */
  readonly importance: number;
}

/** A description with its place. `start` and `end` are those of the narration, on the programme clock. */
export interface PlacedCue extends Cue {
  /** Which wording was taken, counted from the longest. */
  readonly wording: number;
  /** Speaking rate relative to the voice's normal one. */
  readonly rate: number;
}

/** Why a description found no place. */
export type UnplacedReason =
  /** No gap lies near its picture. */
  | "no-gap-near"
  /** Even the shortest wording, spoken as fast as allowed, is longer than every gap near its picture. */
  | "too-long"
  /** Over speech, where it may lie there: even the shortest wording is longer than what is left of the programme. */
  | "longer-than-programme"
  /** Its place went to descriptions that matter more, or it would crowd them. */
  | "crowded"
  /** Extended AD: the holds that matter more take all the time that may be added. */
  | "added-time"
  /** No wording has a word to speak. */
  | "nothing-to-say"
  /** The voice gave no sound for any wording. */
  | "no-sound";

/** A description that found no place. */
export interface UnplacedDescription {
  readonly id: string;
  readonly text: string;
  readonly reason: UnplacedReason;
}

/** Result of placing; both lists in programme order. */
export interface PlacedDescriptions {
  readonly placed: readonly PlacedCue[];
  readonly unplaced: readonly UnplacedDescription[];
}

/**
 * Limits and prices of placing. Prices are points; leaving out a description of importance 1 costs 100. Limits are
 * traced to `field.md` 2.2 and 2.5; prices are this project's own and order the preferences: never over speech, near the
 * picture, off music, unhurried, uncrowded.
 */
export interface PlacementProfile {
  /** Seconds wanted between a line of speech and the narration after it (Audesia: 0.2). */
  readonly clearanceBefore: number;
  /** Seconds wanted between the narration and the next line of speech (practitioners: 0.35). */
  readonly clearanceAfter: number;
  /** Seconds of either that are never given up; below 0.1 the default check fails. */
  readonly minimumClearance: number;
  /** Seconds between two cues that are never given up. */
  readonly minimumSeparation: number;
  /** Furthest a description may start before its picture, in seconds. */
  readonly maximumLead: number;
  /** Furthest a description may start after its picture ended, in seconds. */
  readonly maximumLag: number;
}

/** Profile used unless a caller says otherwise. */
export const DEFAULT_PLACEMENT_PROFILE: PlacementProfile = {
  clearanceBefore: 0.2,
  clearanceAfter: 0.35,
  minimumClearance: 0.1,
  minimumSeparation: 0.25,
  maximumLead: 5,
  maximumLag: 12,
};

/**
 * Profile for descriptions that say when what they tell is seen: nothing is
 * told more than half a second before that, which is about as exact as the times are. A script's own times are when
 * somebody meant it to be spoken, which leaves more room.
 */
export const SEEN_PLACEMENT_PROFILE: PlacementProfile = { ...DEFAULT_PLACEMENT_PROFILE, maximumLead: 0.5 };

/** What {@link placeInGaps} needs. */
export interface PlacementRequest {
  readonly descriptions: readonly Placeable[];
  /** Gaps as `findGaps` gives them: ordered, disjoint; touching ones may be used together. */
  readonly gaps: readonly Gap[];
  /** Speech to keep clear of; any order. */
  readonly speech: readonly TimeRange[];
  readonly durationSeconds: number;
  readonly profile?: PlacementProfile;
}

/** Price in points of leaving out a description of importance 1. */
const WORTH = 100;
/** Price of speaking at all: below it, silence is better. */
const SILENCE_WORTH = 5;
/** Share of its worth that a description keeps with its second, third, ... wording. */
const WORDING_SHARE = [1, 0.88, 0.74, 0.6] as const;
/**
 * Price of a second before the picture, and after its start while it lasts: a description too early gives away, one too
 * late tells of what is gone.
 */
const LEAD_PRICE = 6;
const WITHIN_PRICE = 3.5;
/** Price of speaking once the picture is over, when another one is seen, and of each second after that. */
const LAG_FIXED_PRICE = 10;
const LAG_PRICE = 7;
/**
 * Price of a second of missing clearance, and of a second over music with a fixed part, so that quiet wins where it is
 * near; what is sung is speech, and whoever wants no word over music says so.
 */
const CLEARANCE_PRICE = 30;
const MUSIC_PRICE = 0.5;
const MUSIC_FIXED_PRICE = 4;
/** Price of ten per cent more speed. */
const RATE_PRICE = 12;
/** Distances between neighbours that cost something (HomerScribe and F113 ask for room; the figures are ours). */
const COMFORT = [
  { belowSeconds: 1.2, cost: 3 },
  { belowSeconds: 0.6, cost: 7 },
] as const;
/** Starts are tried on this grid, in seconds, beside the exact ends of each gap. */
const GRID = 0.1;
/** Rates between normal and the largest one that are tried. */
const RATE_STEPS = 2;

interface PlacedCandidate extends Candidate {
  readonly wording: number;
  readonly rate: number;
}

/**
 * Places descriptions into gaps: standard AD. The result is the exact optimum, over starts on a fine grid, of nearness to
 * the picture, clearance to speech, length of wording, quiet over music, unhurried pace and distance between cues; no
 * cue ever lies over speech, and all stand in the order of their pictures.
 */
export function placeInGaps(request: PlacementRequest): PlacedDescriptions {
  const profile = request.profile ?? DEFAULT_PLACEMENT_PROFILE;
  const descriptions = [...request.descriptions].sort(byPicture);
  const room = new NarrationRoom(request.gaps, mergeRanges(request.speech), request.durationSeconds, profile);
  const candidates = descriptions.map((description) => candidatesOf(description, room, profile));
  return chosenOf(descriptions, candidates, profile, (description) =>
    room.stretchesNear(windowOf(description, profile)).length === 0 ? "no-gap-near" : "too-long",
  );
}

/** What {@link placeFreely} needs. */
export interface FreePlacementRequest {
  readonly descriptions: readonly Placeable[];
  /** Speech, which may be spoken over where nothing else is near; any order. */
  readonly speech: readonly TimeRange[];
  readonly durationSeconds: number;
  readonly profile?: PlacementProfile;
}

/** Price of a second over speech where that is allowed. */
const SPEECH_PRICE = 10;

/**
 * Places descriptions at their picture, over speech if need be (`auto_fit` off). Cues keep their order and never overlap
 * each other; a near place without speech is preferred.
 */
export function placeFreely(request: FreePlacementRequest): PlacedDescriptions {
  const profile = request.profile ?? DEFAULT_PLACEMENT_PROFILE;
  const speech = mergeRanges(request.speech);
  const descriptions = [...request.descriptions].sort(byPicture);
  const candidates = descriptions.map((description) =>
    description.wordings.flatMap((wording, index) => {
      const window = windowOf(description, profile);
      const range = {
        start: Math.max(0, window.start),
        end: Math.min(window.end, request.durationSeconds - wording.seconds),
      };
      return startsIn(range, description.picture.start).map((start): PlacedCandidate => {
        const narration = { start, end: start + wording.seconds };
        const overSpeech = overlapWithRanges(narration, speech);
        const worth = worthOf(description, index, start) - SPEECH_PRICE * overSpeech;
        return { ...narration, worth: Math.max(worth, MINIMAL_WORTH), wording: index, rate: 1 };
      });
    }),
  );
  return chosenOf(descriptions, candidates, profile, () => "longer-than-programme");
}

/** Worth that keeps a candidate choosable where nothing but a full programme may leave it out. */
const MINIMAL_WORTH = 1;

/** Order of the picture, then of id, so that equal input gives equal output. */
export function byPicture(a: Pick<Placeable, "id" | "picture">, b: Pick<Placeable, "id" | "picture">): number {
  return a.picture.start - b.picture.start || (a.id < b.id ? -1 : 1);
}

/** Starts that are allowed for a description, by its picture alone. */
export function windowOf(description: Placeable, profile: PlacementProfile): TimeRange {
  const { picture } = description;
  return { start: picture.start - profile.maximumLead, end: picture.end + profile.maximumLag };
}

/**
 * Points for a wording of a description spoken from `start`, before anything about sound is counted.
 *
 * @param withinPrice of a second after the picture's start while it lasts.
 */
export function worthOf(
  description: Placeable,
  wording: number,
  start: number,
  withinPrice: number = WITHIN_PRICE,
): number {
  const share = WORDING_SHARE[wording] ?? WORDING_SHARE[WORDING_SHARE.length - 1] ?? 0;
  const { picture } = description;
  const lead = Math.max(0, picture.start - start);
  const lag = Math.max(0, start - picture.end);
  const within = Math.max(0, Math.min(start, picture.end) - picture.start);
  const gone = lag > 0 ? LAG_FIXED_PRICE + LAG_PRICE * lag : 0;
  const distance = LEAD_PRICE * lead + gone + withinPrice * within;
  return WORTH * description.importance * share - SILENCE_WORTH - distance;
}

/** Those of some ranges in which one of the allowed starts may lie; the last start is allowed too. */
export function rangesNear(ranges: readonly TimeRange[], window: TimeRange): TimeRange[] {
  return ranges.filter(({ start, end }) => end > window.start && start <= window.end);
}

/** Starts to try in a range: its two ends, the ideal one, and a grid between that is the same for every description. */
export function startsIn(range: TimeRange, ideal: number): number[] {
  if (range.end < range.start) return [];
  const starts = new Set([range.start, range.end, Math.min(Math.max(ideal, range.start), range.end)]);
  for (let step = Math.ceil(range.start / GRID); step * GRID < range.end; step++) starts.add(step * GRID);
  return [...starts];
}

function candidatesOf(description: Placeable, room: NarrationRoom, profile: PlacementProfile): PlacedCandidate[] {
  const window = windowOf(description, profile);
  return room.stretchesNear(window).flatMap((stretch) =>
    description.wordings.flatMap((wording, index) => {
      const rate = slowestRate(wording, stretch);
      if (rate === null) return [];
      const seconds = wording.seconds / rate;
      const starts = {
        start: Math.max(window.start, stretch.start),
        end: Math.min(window.end, Math.max(stretch.start, stretch.end - seconds)),
      };
      return startsIn(starts, description.picture.start).map((start): PlacedCandidate => {
        const narration = { start, end: Math.min(start + seconds, stretch.end) };
        const haste = ((rate - 1) * RATE_PRICE) / 0.1;
        return {
          ...narration,
          worth: worthOf(description, index, start) - haste - room.priceOf(narration),
          wording: index,
          rate,
        };
      });
    }),
  );
}

/** The slowest rate at which a wording fits a stretch, `null` when none does. */
function slowestRate({ text, seconds }: TimedWording, stretch: TimeRange): number | null {
  const room = stretch.end - stretch.start;
  const highest = highestRate(text, seconds);
  for (let step = 0; step <= RATE_STEPS; step++) {
    const rate = 1 + ((highest - 1) * step) / RATE_STEPS;
    if (seconds / rate <= room + ROUNDING_ERROR_SECONDS) return rate;
  }
  return null;
}

/** Where narration may lie, and what each place costs. */
class NarrationRoom {
  /** Joined gaps less the clearance that is never given up; ordered, disjoint. */
  readonly #stretches: readonly TimeRange[];
  readonly #music: readonly TimeRange[];
  readonly #speech: readonly TimeRange[];
  readonly #profile: PlacementProfile;

  constructor(gaps: readonly Gap[], speech: readonly TimeRange[], durationSeconds: number, profile: PlacementProfile) {
    const clearance = profile.minimumClearance;
    const guarded = mergeRanges(speech.map(({ start, end }) => ({ start: start - clearance, end: end + clearance })));
    const joined = clipRanges(mergeRanges(gaps), { start: 0, end: durationSeconds });
    this.#stretches = joined.flatMap((gap) => subtractRanges(gap, clipRanges(guarded, gap)));
    this.#music = mergeRanges(gaps.filter((gap) => gap.sound === "music"));
    this.#speech = speech;
    this.#profile = profile;
  }

  /** Stretches in which one of the allowed starts may lie. */
  stretchesNear(window: TimeRange): TimeRange[] {
    return rangesNear(this.#stretches, window);
  }

  /** Points that narration there costs: for music under it, and for standing too close to speech. */
  priceOf(narration: TimeRange): number {
    const music = overlapWithRanges(narration, this.#music);
    const musicPrice = music > 0 ? MUSIC_FIXED_PRICE + MUSIC_PRICE * music : 0;
    const { clearanceBefore, clearanceAfter } = this.#profile;
    const next = this.#speech[firstEndingAfter(this.#speech, narration.start)];
    const previous = this.#speech[firstEndingAfter(this.#speech, narration.start) - 1];
    const before = previous === undefined ? clearanceBefore : narration.start - previous.end;
    const after = next === undefined ? clearanceAfter : next.start - narration.end;
    const missing = Math.max(0, clearanceBefore - before) + Math.max(0, clearanceAfter - after);
    return musicPrice + CLEARANCE_PRICE * missing;
  }
}

/** The best of all choices, with the reason for each description that is left out: `reasonOf` tells that of one without candidates. */
function chosenOf(
  descriptions: readonly Placeable[],
  candidates: readonly (readonly PlacedCandidate[])[],
  { minimumSeparation }: PlacementProfile,
  reasonOf: (description: Placeable) => UnplacedReason,
): PlacedDescriptions {
  const chosen = chooseCandidates(candidates, { minimumSeconds: minimumSeparation, comfort: COMFORT });
  const placed: PlacedCue[] = [];
  const unplaced: UnplacedDescription[] = [];
  for (const [index, description] of descriptions.entries()) {
    const candidate = chosen[index] ?? null;
    const text = description.wordings[candidate?.wording ?? 0]?.text ?? "";
    if (candidate === null) {
      const reason = candidates[index]?.length === 0 ? reasonOf(description) : "crowded";
      unplaced.push({ id: description.id, text, reason });
    } else {
      const { start, end, wording, rate } = candidate;
      placed.push({ id: description.id, start, end, text, wording, rate });
    }
  }
  return { placed, unplaced };
}
