import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findGaps, type Gap } from "../../src/core/gap.ts";
import {
  DEFAULT_PLACEMENT_PROFILE,
  type Placeable,
  type PlacedCue,
  type PlacementProfile,
  placeFreely,
  placeInGaps,
} from "../../src/core/placement.ts";
import { placeWithHolds } from "../../src/core/placement-extended.ts";
import { countWords, MAXIMUM_SPEAKING_RATE, MAXIMUM_WORDS_PER_MINUTE } from "../../src/core/speaking-time.ts";
import { mergeRanges, overlapWithRanges, subtractRanges, type TimeRange } from "../../src/core/time-range.ts";

const MINUTE = 60;
const EPSILON = 1e-6;
const P = DEFAULT_PLACEMENT_PROFILE;

// The prices as the profile's description states them: points, of which leaving out what matters most costs a hundred.
const WORDING_WORTH = [100, 88, 74, 60, 60];
const SILENCE = 5;
const SECOND_BEFORE_PICTURE = 6;
const SECOND_OF_PICTURE = 3.5;
const AFTER_PICTURE = 10;
const SECOND_AFTER_PICTURE = 7;
const SECOND_OF_MISSING_CLEARANCE = 30;
const OVER_MUSIC = 4;
const SECOND_OVER_MUSIC = 0.5;
const PER_CENT_FASTER = 1.2;
const SECOND_OVER_SPEECH = 10;
// Where the programme may be held: its picture can wait, and holding it costs.
const SECOND_OF_HELD_PICTURE = 1.5;
const SECOND_HELD = 1.5;
const HELD_AT_CUT = 2;
const HELD_ELSEWHERE = 6;
const SHORTEST_HOLD = 0.5;
const FADE_OUT = 0.1;
const FADE_IN = 0.2;

/** Points for a description spoken from a time, by its picture alone. */
function nearness(
  { picture, importance }: Placeable,
  wording: number,
  start: number,
  secondOfPicture = SECOND_OF_PICTURE,
): number {
  const worth = (WORDING_WORTH[wording] ?? 0) * importance - SILENCE;
  if (start < picture.start) return worth - SECOND_BEFORE_PICTURE * (picture.start - start);
  if (start <= picture.end) return worth - secondOfPicture * (start - picture.start);
  const gone = AFTER_PICTURE + SECOND_AFTER_PICTURE * (start - picture.end);
  return worth - secondOfPicture * (picture.end - picture.start) - gone;
}

/** Seconds of the wanted clearance that narration lacks. */
function missing(narration: TimeRange, speech: readonly TimeRange[]): number {
  const before = speech.filter(({ end }) => end <= narration.start).map(({ end }) => narration.start - end);
  const after = speech.filter(({ start }) => start >= narration.end).map(({ start }) => start - narration.end);
  const lack = (wanted: number, distances: readonly number[]) => Math.max(0, wanted - Math.min(wanted, ...distances));
  return lack(P.clearanceBefore, before) + lack(P.clearanceAfter, after);
}

function pointsInGap(
  one: Placeable,
  cue: Omit<PlacedCue, "id" | "text">,
  speech: readonly TimeRange[],
  gaps: readonly Gap[],
) {
  const music = overlapWithRanges(cue, mergeRanges(gaps.filter(({ sound }) => sound === "music")));
  const overMusic = music > 0 ? OVER_MUSIC + SECOND_OVER_MUSIC * music : 0;
  const haste = 100 * (cue.rate - 1) * PER_CENT_FASTER;
  return nearness(one, cue.wording, cue.start) - overMusic - haste - SECOND_OF_MISSING_CLEARANCE * missing(cue, speech);
}

/** Times to try: a tenth of a second apart, with both ends and the picture's own. */
function starts(from: number, to: number, ideal: number): number[] {
  const grid = Array.from({ length: MINUTE * 10 + 1 }, (_, step) => step * 0.1);
  return [...grid, from, to, ideal].filter((time) => time >= from && time <= to);
}

/** What the slowest pace is at which a line fits a stretch, of three up to the highest allowed. */
function slowest(text: string, seconds: number, room: number): number | undefined {
  const pace = (countWords(text) * 60) / seconds;
  const highest = Math.max(1, Math.min(MAXIMUM_SPEAKING_RATE, pace === 0 ? 1 : MAXIMUM_WORDS_PER_MINUTE / pace));
  return [1, (1 + highest) / 2, highest].find((rate) => seconds / rate <= room + EPSILON);
}

const seconds = (min: number, max: number) =>
  fc.integer({ min: min * 20, max: max * 20 }).map((twentieths) => twentieths / 20);
const rangesOf = (longest: number, most: number) =>
  fc
    .array(fc.tuple(seconds(0, 58), seconds(0.2, longest)), { maxLength: most })
    .map((rows) => mergeRanges(rows.map(([start, length]) => ({ start, end: Math.min(MINUTE, start + length) }))));
const described: fc.Arbitrary<Placeable> = fc
  .record({
    at: seconds(0, 58),
    shown: seconds(0, 6),
    lengths: fc.array(
      fc.tuple(
        seconds(0.3, 8),
        fc.constantFrom("one", "one two three four", "one two three four five six seven eight nine ten eleven"),
      ),
      {
        minLength: 1,
        maxLength: 5,
      },
    ),
    importance: fc.constantFrom(0.05, 0.2, 0.6, 1),
  })
  .map(({ at, shown, lengths, importance }) => ({
    id: "a",
    wordings: lengths.map(([length, text]) => ({ text, seconds: length })),
    picture: { start: at, end: at + shown },
    importance,
  }));

const windowOf = ({ picture }: Placeable, { maximumLead, maximumLag }: PlacementProfile = P) => ({
  start: picture.start - maximumLead,
  end: picture.end + maximumLag,
});

describe("the best place of a description", () => {
  test("in pauses is the one of the most points, of all pauses, wordings, paces and times", () => {
    fc.assert(
      fc.property(described, rangesOf(9, 8), rangesOf(12, 3), (one, speech, music) => {
        const gaps = findGaps({
          durationSeconds: MINUTE,
          speech,
          music,
          silence: [],
          allowMusic: true,
          minimumSeconds: 0.75,
        });
        const guarded = speech.map(({ start, end }) => ({
          start: start - P.minimumClearance,
          end: end + P.minimumClearance,
        }));
        const window = windowOf(one);
        let best = 0;
        let reason = "no-gap-near";
        for (const gap of mergeRanges(gaps)) {
          for (const stretch of subtractRanges(gap, guarded)) {
            const isNear = stretch.end > window.start && stretch.start <= window.end;
            if (isNear && reason === "no-gap-near") reason = "too-long";
            for (const [wording, { text, seconds: length }] of one.wordings.entries()) {
              const rate = slowest(text, length, stretch.end - stretch.start);
              if (rate === undefined) continue;
              const [from, to] = [
                Math.max(window.start, stretch.start),
                Math.min(window.end, Math.max(stretch.start, stretch.end - length / rate)),
              ];
              for (const start of starts(from, to, one.picture.start)) {
                const cue = { start, end: start + length / rate, wording, rate };
                best = Math.max(best, pointsInGap(one, cue, speech, gaps));
                reason = "crowded";
              }
            }
          }
        }
        const { placed, unplaced } = placeInGaps({ descriptions: [one], gaps, speech, durationSeconds: MINUTE });
        const [cue] = placed;
        expect(placed.length + unplaced.length).toBe(1);
        if (cue === undefined) {
          expect(best).toBeLessThanOrEqual(EPSILON);
          expect(unplaced).toEqual([{ id: one.id, text: one.wordings[0]?.text, reason }]);
          return;
        }
        expect(pointsInGap(one, cue, speech, gaps)).toBeCloseTo(best, 5);
        expect(cue.start).toBeGreaterThanOrEqual(window.start - EPSILON);
        expect(cue.start).toBeLessThanOrEqual(window.end + EPSILON);
        expect(cue.text).toBe(one.wordings[cue.wording]?.text);
      }),
      { numRuns: 150 },
    );
  });

  test("over speech, where that may be, is the one with the most points too, and is found wherever the programme has room", () => {
    fc.assert(
      fc.property(described, rangesOf(9, 8), (one, speech) => {
        const window = windowOf(one);
        const points = (wording: number, start: number) => {
          const length = one.wordings[wording]?.seconds ?? 0;
          const over = overlapWithRanges({ start, end: start + length }, speech);
          return Math.max(1, nearness(one, wording, start) - SECOND_OVER_SPEECH * over);
        };
        const all = one.wordings.flatMap(({ seconds: length }, wording) =>
          starts(Math.max(0, window.start), Math.min(window.end, MINUTE - length), one.picture.start).map((start) =>
            points(wording, start),
          ),
        );
        const { placed, unplaced } = placeFreely({ descriptions: [one], speech, durationSeconds: MINUTE });
        const [cue] = placed;
        if (cue === undefined) {
          expect(all).toEqual([]);
          expect(unplaced).toMatchObject([{ id: "a", reason: "longer-than-programme" }]);
          return;
        }
        expect(cue.rate).toBe(1);
        expect(points(cue.wording, cue.start)).toBeCloseTo(Math.max(...all), 5);
        expect(cue.start).toBeGreaterThanOrEqual(Math.max(0, window.start) - EPSILON);
        expect(cue.start).toBeLessThanOrEqual(window.end + EPSILON);
        expect(cue.end).toBeLessThanOrEqual(MINUTE + EPSILON);
      }),
      { numRuns: 150 },
    );
  });
});

describe("the best place where the programme may be held", () => {
  /** Points for a wording spoken from `start`, under which the programme runs on until `end`. */
  const pointsHeld = (one: Placeable, wording: number, { start, end }: TimeRange, cuts: readonly number[]) => {
    const hold = Math.max(0, (one.wordings[wording]?.seconds ?? 0) - (end - start));
    const isAtCut = cuts.some((cut) => Math.abs(cut - end) <= 0.05);
    const interruption = hold < EPSILON ? 0 : isAtCut ? HELD_AT_CUT : HELD_ELSEWHERE;
    return nearness(one, wording, start, SECOND_OF_HELD_PICTURE) - interruption - SECOND_HELD * hold;
  };
  /** All places in pauses: a wording, where it begins, and until when the programme runs on under it. */
  function* inPauses(one: Placeable, speech: readonly TimeRange[], cuts: readonly number[]) {
    const guarded = speech.map(({ start, end }) => ({
      start: start - P.minimumClearance,
      end: end + P.minimumClearance,
    }));
    const window = windowOf(one);
    for (const pause of subtractRanges({ start: 0, end: MINUTE }, guarded)) {
      const lastHold = pause.end < MINUTE ? pause.end - (FADE_IN - P.minimumClearance) : pause.end;
      const [from, to] = [Math.max(pause.start, window.start), Math.min(pause.end, window.end)];
      for (const start of starts(from, to, one.picture.start)) {
        for (const [wording, { seconds: length }] of one.wordings.entries()) {
          const end = start + length;
          const latest = Math.min(lastHold, end - SHORTEST_HOLD);
          if (end <= pause.end + EPSILON) yield { wording, start, end };
          else if (start <= lastHold) yield { wording, start, end: Math.max(start, latest) };
          for (const cut of cuts) if (cut >= start && cut <= latest) yield { wording, start, end: cut };
        }
      }
    }
  }
  /** The instants at which a whole line can be spoken: two before its picture's start and three from there on. */
  const seamsNear = (at: number, speech: readonly TimeRange[], phraseEnds: readonly number[]) => {
    const inPause = subtractRanges({ start: 0, end: MINUTE }, speech).flatMap(({ start, end }) => {
      const first = start === 0 ? start : start + FADE_OUT;
      const last = end === MINUTE ? end : end - FADE_IN;
      return first <= last ? [first, (first + last) / 2, last] : [start + (end - start) / 3];
    });
    const seams = [...new Set([0, ...inPause, ...phraseEnds, MINUTE])].sort((a, b) => a - b);
    return [...seams.filter((seam) => seam < at).slice(-2), ...seams.filter((seam) => seam >= at).slice(0, 3)];
  };
  // A little beside the grid of all other times, so that "at a cut" is never a matter of the last digit.
  const cutTimes = fc
    .uniqueArray(seconds(0, 59), { maxLength: 8 })
    .map((list) => list.map((time) => time + 0.02).sort((a, b) => a - b));
  const phrases = fc.array(seconds(0, 59), { maxLength: 4 });

  test("is the one of the most points, of all pauses, seams, cuts, wordings and times; without a limit there is always one", () => {
    fc.assert(
      fc.property(described, rangesOf(20, 8), cutTimes, phrases, fc.boolean(), (one, speech, cuts, ends, isLimited) => {
        const phraseEnds = ends.filter((time) => speech.some(({ start, end }) => start < time && time < end));
        const window = windowOf(one);
        const allowed = seamsNear(one.picture.start, speech, phraseEnds).filter(
          (seam) => !isLimited || (seam >= window.start && seam <= window.end),
        );
        const atSeams = allowed.flatMap((seam) =>
          one.wordings.map((_, wording) => pointsHeld(one, wording, { start: seam, end: seam }, cuts)),
        );
        const all = [...inPauses(one, speech, cuts)].map((place) => pointsHeld(one, place.wording, place, cuts));
        const best = Math.max(...all, ...atSeams);
        const [cue] = placeWithHolds({
          descriptions: [one],
          speech,
          phraseEnds,
          cuts,
          durationSeconds: MINUTE,
          ...(isLimited ? { maximumAddedSeconds: 1000 } : {}),
        });
        if (cue === undefined) {
          expect(isLimited).toBe(true);
          expect(best).toBeLessThanOrEqual(EPSILON);
          return;
        }
        expect(pointsHeld(one, cue.wording, cue, cuts)).toBeCloseTo(best, 5);
        const length = one.wordings[cue.wording]?.seconds ?? 0;
        expect(cue.end - cue.start + cue.holdSeconds).toBeCloseTo(length, 6);
        expect(cue.text).toBe(one.wordings[cue.wording]?.text);
        // What runs on under the programme is clear of speech, and no hold is a flicker.
        const clearance = P.minimumClearance - EPSILON;
        if (cue.end > cue.start) {
          const heard = { start: cue.start - clearance, end: cue.end + clearance };
          expect(overlapWithRanges(heard, speech)).toBeLessThan(EPSILON);
        }
        if (cue.holdSeconds > 0) {
          expect(cue.holdSeconds).toBeGreaterThanOrEqual(Math.min(length, SHORTEST_HOLD) - EPSILON);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("limits of lead and lag", () => {
  const profiles = fc
    .tuple(seconds(0, 6), seconds(0, 14))
    .map(([maximumLead, maximumLag]): PlacementProfile => ({ ...P, maximumLead, maximumLag }));
  test("hold for every line, whatever is around it, and a wider limit never places less", () => {
    fc.assert(
      fc.property(fc.array(described, { maxLength: 5 }), rangesOf(9, 8), profiles, (list, speech, profile) => {
        const descriptions = list.map((one, index) => ({ ...one, id: `d${index}` }));
        const gaps = findGaps({
          durationSeconds: MINUTE,
          speech,
          music: [],
          silence: [],
          allowMusic: true,
          minimumSeconds: 0.75,
        });
        const request = { descriptions, speech, durationSeconds: MINUTE, profile };
        const { placed, unplaced } = placeInGaps({ ...request, gaps });
        const free = placeFreely(request);
        const held = placeWithHolds({ ...request, cuts: [], maximumAddedSeconds: 1000 });
        for (const { id, start } of [...placed, ...free.placed, ...held]) {
          const window = windowOf(descriptions.find((one) => one.id === id) as Placeable, profile);
          expect(start).toBeGreaterThanOrEqual(window.start - EPSILON);
          expect(start).toBeLessThanOrEqual(window.end + EPSILON);
        }
        for (const { id, reason } of unplaced) {
          const one = descriptions.find((other) => other.id === id) as Placeable;
          const window = windowOf(one, profile);
          const near = mergeRanges(gaps).flatMap((gap) => {
            const clear = speech.map(({ start, end }) => ({
              start: start - P.minimumClearance,
              end: end + P.minimumClearance,
            }));
            return subtractRanges(gap, clear).filter(({ start, end }) => end > window.start && start <= window.end);
          });
          expect(near.length === 0).toBe(reason === "no-gap-near");
        }
        const wider = { ...profile, maximumLead: profile.maximumLead + 2, maximumLag: profile.maximumLag + 2 };
        const [first] = descriptions;
        if (first === undefined) return;
        const alone = { ...request, gaps, descriptions: [first] };
        expect(placeInGaps({ ...alone, profile: wider }).placed.length).toBeGreaterThanOrEqual(
          placeInGaps(alone).placed.length,
        );
      }),
    );
  });
});
