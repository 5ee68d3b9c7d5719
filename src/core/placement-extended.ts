import { type Candidate, chooseCandidates } from "./candidate-choice.ts";
import {
  byPicture,
  DEFAULT_PLACEMENT_PROFILE,
  type Placeable,
  type PlacementProfile,
  rangesNear,
  startsIn,
  windowOf,
  worthOf,
} from "./placement.ts";
import { firstEndingAfter, mergeRanges, ROUNDING_ERROR_SECONDS, subtractRanges, type TimeRange } from "./time-range.ts";

/**
 * A description placed with the right to hold the programme.
 *
 * The narration begins at `start`; the programme runs on under it until `end`, is held there for `holdSeconds`, and
 * then goes on. Without a hold `end` is the end of the narration; with one, the narration ends with the hold.
 */
export interface ExtendedCue extends TimeRange {
  readonly id: string;
  readonly text: string;
  readonly wording: number;
  /** Seconds the programme is held at `end`; 0 when the narration fits its gap. */
  readonly holdSeconds: number;
}

/** What {@link placeWithHolds} needs. Seconds on the programme clock. */
export interface ExtendedPlacementRequest {
  readonly descriptions: readonly Placeable[];
  /** Speech to keep clear of; the programme is never held inside it. Any order. */
  readonly speech: readonly TimeRange[];
  /** Instants between two phrases of speech, where it can be held too; any order, none where nobody knows the words. */
  readonly phraseEnds?: readonly number[];
  /** Starts of shots: a hold is least noticed there. In order. */
  readonly cuts: readonly number[];
  readonly durationSeconds: number;
  readonly profile?: PlacementProfile;
  /**
   * Seconds that all holds together may add. What matters least is left out for it; without a limit every description is
   * placed, as a person's script is to be.
   */
  readonly maximumAddedSeconds?: number;
}

/** Price in points of a second of hold: enough to use a gap that is near, not enough to lose a wording. */
const HOLD_PRICE = 1.5;
/** Price of a second after the picture's start while it lasts: less than in standard AD, for the picture can be held. */
const WITHIN_PRICE = 1.5;
/** Price of interrupting at all, away from a cut and at one. */
const INTERRUPTION_PRICE = 6;
const INTERRUPTION_AT_CUT_PRICE = 2;
/** Seconds by which a hold may stand beside a cut and still count as at it. */
const AT_CUT = 0.05;
/** The shortest hold worth making, in seconds; a shorter lack is made up by a full one of this length. */
const SHORTEST_HOLD = 0.5;

/**
 * Quiet that a hold needs around it, in seconds: the programme's sound fades out before it and back in after it, and no
 * word is to be under either.
 */
const FADE_OUT_SECONDS = 0.1;
const FADE_IN_SECONDS = 0.2;

interface ExtendedCandidate extends Candidate {
  readonly wording: number;
  readonly holdSeconds: number;
}

/**
 * Places descriptions where their picture is, holding the programme where its gap is too short: extended AD. The total of
 * nearness, completeness and least lengthening is the exact optimum over the places tried: gap ends, ends of shots and a
 * fine grid; never inside speech. Within a limit of added time, a second of it costs as much as keeps the limit, so that
 * what matters most is told.
 */
export function placeWithHolds(request: ExtendedPlacementRequest): ExtendedCue[] {
  const descriptions = [...request.descriptions].sort(byPicture);
  const candidates = allCandidates(descriptions, request);
  const limit = request.maximumAddedSeconds;
  if (limit === undefined) return cuesOf(descriptions, candidates, 0, WORTH_OF_ANY_PLACE);
  const free = cuesOf(descriptions, candidates, 0);
  if (addedSeconds(free) <= limit) return free;
  // The higher the price of a second, the fewer are added: the lowest one that keeps the limit is looked for.
  let [low, high] = [0, HIGHEST_PRICE];
  const unheld = candidates.map((all) => all.filter(({ holdSeconds }) => holdSeconds === 0));
  let best = cuesOf(descriptions, unheld, 0);
  for (let step = 0; step < PRICE_STEPS; step++) {
    const price = (low + high) / 2;
    const cues = cuesOf(descriptions, candidates, price);
    if (addedSeconds(cues) > limit) low = price;
    else {
      high = price;
      best = cues;
    }
  }
  return best;
}

/** Price of an added second at which hardly a description is worth one, and how finely prices are tried. */
const HIGHEST_PRICE = 200;
const PRICE_STEPS = 12;

/** More than all else together can be worth: that a line is told comes before where and how. */
const WORTH_OF_ANY_PLACE = 100_000;

function addedSeconds(cues: readonly ExtendedCue[]): number {
  return cues.reduce((sum, { holdSeconds }) => sum + holdSeconds, 0);
}

function cuesOf(
  descriptions: readonly Placeable[],
  candidates: readonly (readonly ExtendedCandidate[])[],
  priceOfSecond: number,
  worthOfAnyPlace = 0,
): ExtendedCue[] {
  const pricedWorth = ({ worth, holdSeconds }: ExtendedCandidate) =>
    worthOfAnyPlace + worth - priceOfSecond * holdSeconds;
  const priced = candidates.map((all) => all.map((candidate) => ({ ...candidate, worth: pricedWorth(candidate) })));
  const chosen = chooseCandidates(priced, { minimumSeconds: 0, comfort: [] });
  return descriptions.flatMap((description, index) => {
    const candidate = chosen[index] ?? null;
    if (candidate === null) return [];
    const { start, end, wording, holdSeconds } = candidate;
    return [{ id: description.id, start, end, text: description.wordings[wording]?.text ?? "", wording, holdSeconds }];
  });
}

/** What the places of a description hang on beside its own words and picture. */
interface Context extends Pick<ExtendedPlacementRequest, "durationSeconds" | "maximumAddedSeconds"> {
  readonly profile: PlacementProfile;
  readonly cuts: readonly TimeRange[];
}

function allCandidates(
  descriptions: readonly Placeable[],
  request: ExtendedPlacementRequest,
): (readonly ExtendedCandidate[])[] {
  const profile = request.profile ?? DEFAULT_PLACEMENT_PROFILE;
  const whole = { start: 0, end: request.durationSeconds };
  const clearance = profile.minimumClearance;
  const speech = mergeRanges(request.speech);
  const guarded = speech.map(({ start, end }) => ({ start: start - clearance, end: end + clearance }));
  const free = subtractRanges(whole, guarded);
  const seams = [...new Set([...seamsOf(speech, whole), ...(request.phraseEnds ?? [])])].sort((a, b) => a - b);
  const context = { ...request, profile, cuts: request.cuts.map((at) => ({ start: at, end: at })) };
  return descriptions.map((description) => [
    ...candidatesInGaps(description, free, context),
    ...candidatesAtSeams(description, seams, context),
  ]);
}

/** Instants between lines of speech (and both ends of the programme) at which it can be held for a whole description. */
function seamsOf(speech: readonly TimeRange[], whole: TimeRange): number[] {
  const between = subtractRanges(whole, speech).flatMap(({ start, end }) => {
    const first = start === whole.start ? start : start + FADE_OUT_SECONDS;
    const last = end === whole.end ? end : end - FADE_IN_SECONDS;
    if (first <= last) return [first, (first + last) / 2, last];
    // Too short for both fades: each gets its share.
    return [start + ((end - start) * FADE_OUT_SECONDS) / (FADE_OUT_SECONDS + FADE_IN_SECONDS)];
  });
  return [whole.start, ...between, whole.end];
}

function candidatesInGaps(
  description: Placeable,
  free: readonly TimeRange[],
  { cuts, profile, durationSeconds }: Context,
): ExtendedCandidate[] {
  const window = windowOf(description, profile);
  const candidates: ExtendedCandidate[] = [];
  for (const gap of rangesNear(free, window)) {
    const isBeforeSpeech = gap.end < durationSeconds;
    const lastHold = isBeforeSpeech ? gap.end - Math.max(0, FADE_IN_SECONDS - profile.minimumClearance) : gap.end;
    const starts = startsIn(
      { start: Math.max(gap.start, window.start), end: Math.min(gap.end, window.end) },
      description.picture.start,
    );
    for (const [wording, { seconds }] of description.wordings.entries()) {
      for (const start of starts) {
        for (const end of holdsIn(start, gap, { seconds, cuts, lastHold })) {
          candidates.push(candidateOf(description, wording, start, end, seconds, cuts));
        }
      }
    }
  }
  return candidates;
}

/** Where the programme may be held under a narration from `start`: not at all, at the gap's end, at the last cut. */
function holdsIn(
  start: number,
  gap: TimeRange,
  line: { readonly seconds: number; readonly cuts: readonly TimeRange[]; readonly lastHold: number },
): number[] {
  const { seconds, cuts, lastHold } = line;
  const end = start + seconds;
  const isLonger = end > gap.end + ROUNDING_ERROR_SECONDS;
  if (isLonger && start > lastHold) return [];
  const latest = Math.max(start, Math.min(lastHold, end - SHORTEST_HOLD));
  // One that fits may also stop with its shot, which leaves the next picture to the next line.
  const cut = lastCutBy(cuts, latest);
  return [isLonger ? latest : end, ...(cut < start ? [] : [cut])];
}

/**
 * A full hold at the seams nearest to the picture. Where nothing limits the time, there is always one: no description is
 * without a place then.
 */
function candidatesAtSeams(
  description: Placeable,
  seams: readonly number[],
  { cuts, profile, maximumAddedSeconds }: Context,
): ExtendedCandidate[] {
  const next = seams.filter((seam) => seam < description.picture.start).length;
  const near = seams.slice(Math.max(0, next - 2), next + 3);
  const window = windowOf(description, profile);
  const isAllowed = (seam: number) => maximumAddedSeconds === undefined || (seam >= window.start && seam <= window.end);
  return near
    .filter(isAllowed)
    .flatMap((seam) =>
      description.wordings.map(({ seconds }, wording) => candidateOf(description, wording, seam, seam, seconds, cuts)),
    );
}

function candidateOf(
  description: Placeable,
  wording: number,
  start: number,
  end: number,
  seconds: number,
  cuts: readonly TimeRange[],
): ExtendedCandidate {
  // Where the narration ends with its cue nothing is held: a difference of rounded times is no hold.
  const holdSeconds = end === start + seconds ? 0 : seconds - (end - start);
  const isAtCut = lastCutBy(cuts, end + AT_CUT) >= end - AT_CUT;
  const interruption = holdSeconds === 0 ? 0 : isAtCut ? INTERRUPTION_AT_CUT_PRICE : INTERRUPTION_PRICE;
  const worth = worthOf(description, wording, start, WITHIN_PRICE) - interruption - HOLD_PRICE * holdSeconds;
  return { start, end, worth, wording, holdSeconds };
}

/** The last cut that is not after `time`; before all time where every one is. */
function lastCutBy(cuts: readonly TimeRange[], time: number): number {
  return cuts[firstEndingAfter(cuts, time) - 1]?.start ?? Number.NEGATIVE_INFINITY;
}
