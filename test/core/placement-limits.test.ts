import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findGaps } from "../../src/core/gap.ts";
import { type Placeable, placeFreely, placeInGaps, SEEN_PLACEMENT_PROFILE } from "../../src/core/placement.ts";
import { placeWithHolds } from "../../src/core/placement-extended.ts";
import { mergeRanges, type TimeRange } from "../../src/core/time-range.ts";
import { numbersBetween } from "../numbers-between.ts";

const MINUTE = 60;
const EPSILON = 1e-6;

const speechRanges = fc
  .array(
    fc.record({
      start: numbersBetween(0, 58),
      length: numbersBetween(0.1, 9),
    }),
    { maxLength: 10 },
  )
  .map((rows) => mergeRanges(rows.map(({ start, length }) => ({ start, end: Math.min(MINUTE, start + length) }))));

const descriptions: fc.Arbitrary<Placeable[]> = fc
  .array(
    fc.record({
      at: numbersBetween(0, 58),
      shown: numbersBetween(0, 6),
      seconds: numbersBetween(0.2, 8),
      importance: numbersBetween(0.1, 1),
    }),
    { maxLength: 12 },
  )
  .map((rows) =>
    rows.map(({ at, shown, seconds, importance }, index) => ({
      id: `d${String(index).padStart(2, "0")}`,
      wordings: [
        { text: `long ${index}`, seconds },
        { text: `short ${index}`, seconds: seconds / 2 },
      ],
      picture: { start: at, end: Math.min(MINUTE, at + shown) },
      importance,
    })),
  );

const added = (cues: readonly { readonly holdSeconds: number }[]) =>
  cues.reduce((sum, { holdSeconds }) => sum + holdSeconds, 0);

/** Wall-to-wall speech but for a breath every ten seconds: whatever is told, the film is held for it. */
const TALK: readonly TimeRange[] = Array.from({ length: 6 }, (_, index) => ({
  start: 10 * index + 0.5,
  end: 10 * index + 10,
}));

function described(importances: readonly number[], seconds = 4): Placeable[] {
  return importances.map((importance, index) => ({
    id: `d${index}`,
    wordings: [{ text: `line ${index}`, seconds }],
    picture: { start: 10 * index, end: 10 * index + 3 },
    importance,
  }));
}

const held = (importances: readonly number[], maximumAddedSeconds?: number) =>
  placeWithHolds({
    descriptions: described(importances),
    speech: TALK,
    cuts: [],
    durationSeconds: MINUTE,
    profile: SEEN_PLACEMENT_PROFILE,
    ...(maximumAddedSeconds === undefined ? {} : { maximumAddedSeconds }),
  });

describe("a limit of added time", () => {
  test("is kept by all holds together, whatever is described, and nothing is told half a second before its picture", () => {
    fc.assert(
      fc.property(speechRanges, descriptions, numbersBetween(0, 30), (speech, wanted, maximumAddedSeconds) => {
        const cues = placeWithHolds({
          descriptions: wanted,
          speech,
          cuts: [0, 20, 40],
          durationSeconds: MINUTE,
          profile: SEEN_PLACEMENT_PROFILE,
          maximumAddedSeconds,
        });
        expect(added(cues)).toBeLessThanOrEqual(maximumAddedSeconds + EPSILON);
        for (const { id, start } of cues) {
          const { picture } = wanted.find((one) => one.id === id) ?? {};
          expect(start).toBeGreaterThanOrEqual((picture?.start ?? Number.POSITIVE_INFINITY) - 0.5 - EPSILON);
        }
        for (const { end, holdSeconds } of cues) {
          const isInSpeech = speech.some((line) => end > line.start + EPSILON && end < line.end - EPSILON);
          expect(holdSeconds > 0 && isInSpeech).toBe(false);
        }
      }),
    );
  });

  test("leaves out what matters less", () => {
    const importances = [0.3, 0.9, 0.4, 1, 0.5, 0.8];
    const ids = (limit?: number) => held(importances, limit).map(({ id }) => id);
    expect(ids()).toHaveLength(6);
    expect(ids(100)).toHaveLength(6);
    expect(ids(12)).toEqual(["d1", "d3", "d5"]);
    expect(ids(4)).toEqual(["d3"]);
    expect(ids(0)).toEqual([]);
  });

  test("of no time at all leaves every line that needs none, though another one needs as little as a blink", () => {
    const at = (id: string, start: number, seconds: number): Placeable => {
      return { id, wordings: [{ text: id, seconds }], picture: { start, end: start + 2 }, importance: 1 };
    };
    const cues = placeWithHolds({
      descriptions: [at("a", 10, 0.2), at("b", 35, 3), at("c", 50, 3)],
      speech: [
        { start: 0, end: 10 },
        { start: 10.05, end: 30 },
      ],
      cuts: [],
      durationSeconds: MINUTE,
      profile: SEEN_PLACEMENT_PROFILE,
      maximumAddedSeconds: 0,
    });
    expect(cues.map(({ id, holdSeconds }) => [id, holdSeconds])).toEqual([
      ["b", 0],
      ["c", 0],
    ]);
  });

  test("changes nothing where it is not reached", () => {
    const without = held([0.9, 0.9, 0.9]);
    expect(held([0.9, 0.9, 0.9], added(without))).toEqual(without);
  });

  test("takes a shorter wording rather than leave out a line", () => {
    const wanted = described([0.9, 0.9]).map((one) => ({
      ...one,
      wordings: [...one.wordings, { text: "short", seconds: 2 }],
    }));
    const cues = placeWithHolds({
      descriptions: wanted,
      speech: TALK,
      cuts: [],
      durationSeconds: MINUTE,
      maximumAddedSeconds: 4,
    });
    expect(cues.map(({ text }) => text)).toEqual(["short", "short"]);
  });
});

test("without a limit, as a script asks for, every description is placed", () => {
  fc.assert(
    fc.property(speechRanges, descriptions, (speech, wanted) => {
      const cues = placeWithHolds({ descriptions: wanted, speech, cuts: [], durationSeconds: MINUTE });
      expect(cues.map(({ id }) => id).sort()).toEqual(wanted.map(({ id }) => id).sort());
    }),
  );
});

test("without a limit, no short line is dropped for the sake of its neighbours' places", () => {
  const times = [
    { at: 0, seconds: 0.2 },
    { at: Number.MIN_VALUE, seconds: 0.2 + Number.EPSILON / 8 },
    { at: 0.1, seconds: 0.2 },
  ];
  const wanted = times.map(({ at, seconds }, index) => ({
    id: `d${index}`,
    wordings: [
      { text: "long", seconds },
      { text: "short", seconds: seconds / 2 },
    ],
    picture: { start: at, end: at },
    importance: 0.1,
  }));
  const cues = placeWithHolds({ descriptions: wanted, speech: [], cuts: [], durationSeconds: MINUTE });
  expect(cues.map(({ id }) => id)).toEqual(["d0", "d1", "d2"]);
});

test("in pauses, nothing that says when it is seen is told half a second before that, and a script's lines may lead", () => {
  fc.assert(
    fc.property(speechRanges, descriptions, (speech, wanted) => {
      const gaps = findGaps({
        durationSeconds: MINUTE,
        speech,
        music: [],
        silence: [],
        allowMusic: true,
        minimumSeconds: 0.75,
      });
      const request = { descriptions: wanted, speech, durationSeconds: MINUTE, profile: SEEN_PLACEMENT_PROFILE };
      for (const { placed } of [placeInGaps({ ...request, gaps })]) {
        for (const { id, start } of placed) {
          const { picture } = wanted.find((one) => one.id === id) ?? {};
          expect(start).toBeGreaterThanOrEqual((picture?.start ?? Number.POSITIVE_INFINITY) - 0.5 - EPSILON);
        }
      }
    }),
  );
  const [one] = described([1]);
  if (one === undefined) throw new Error("it is there");
  const late = { ...one, picture: { start: 5, end: 8 } };
  const gaps = [{ start: 0, end: 5, sound: "ambience" as const }];
  const request = { descriptions: [late], gaps, speech: [{ start: 5, end: 30 }], durationSeconds: 30 };
  expect(placeInGaps(request).placed).toHaveLength(1);
  expect(placeInGaps({ ...request, profile: SEEN_PLACEMENT_PROFILE }).placed).toHaveLength(0);
  expect(placeFreely({ ...request, profile: SEEN_PLACEMENT_PROFILE }).placed[0]?.start).toBeGreaterThanOrEqual(4.5);
});

test("while its picture lasts a line may wait, but not until another picture stands there", () => {
  const at = (picture: TimeRange) =>
    placeInGaps({
      descriptions: [{ id: "a", wordings: [{ text: "line", seconds: 2 }], picture, importance: 0.5 }],
      gaps: [{ start: 10, end: 20, sound: "ambience" }],
      speech: [{ start: 0, end: 9.7 }],
      durationSeconds: 20,
      profile: SEEN_PLACEMENT_PROFILE,
    }).placed.length;
  expect(at({ start: 4, end: 12 })).toBe(1);
  expect(at({ start: 4, end: 5 })).toBe(0);
});

test("a line that fills its pause to the last digit is spoken at its own pace, whole and inside of it", () => {
  // Between 1.1 and 1.9 there is a hair less than 0.8.
  const speech = [
    { start: 0, end: 1 },
    { start: 2, end: MINUTE },
  ];
  const facts = { durationSeconds: MINUTE, speech, music: [], silence: [], allowMusic: true, minimumSeconds: 0.75 };
  const said = { id: "a", wordings: [{ text: "A boat.", seconds: 0.8 }], picture: { start: 1, end: 3 }, importance: 1 };
  const { placed } = placeInGaps({
    descriptions: [said],
    gaps: findGaps(facts),
    speech,
    durationSeconds: MINUTE,
  });
  expect(placed).toMatchObject([{ start: 1.1, rate: 1 }]);
  expect(placed[0]?.end).toBeLessThanOrEqual(1.9);
});
