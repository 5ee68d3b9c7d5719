import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findGaps } from "../../src/core/gap.ts";
import { DEFAULT_PLACEMENT_PROFILE, type Placeable, placeFreely, placeInGaps } from "../../src/core/placement.ts";
import { placeWithHolds } from "../../src/core/placement-extended.ts";
import { mergeRanges, overlapWithRanges, type TimeRange } from "../../src/core/time-range.ts";
import { numbersBetween } from "../numbers-between.ts";

const MINUTE = 60;

function description(id: string, at: number, seconds: number, more: Partial<Placeable> = {}): Placeable {
  return {
    id,
    wordings: [{ text: `${id} text`, seconds }],
    picture: { start: at, end: at + 2 },
    importance: 1,
    ...more,
  };
}

function gapsAround(speech: readonly TimeRange[], options: { music?: TimeRange[]; allowMusic?: boolean } = {}) {
  return findGaps({
    durationSeconds: MINUTE,
    speech,
    music: options.music ?? [],
    silence: [],
    allowMusic: options.allowMusic ?? true,
    minimumSeconds: 0.75,
  });
}

const speechRanges = fc
  .array(
    fc.record({
      start: numbersBetween(0, 58),
      length: numbersBetween(0.1, 9),
    }),
    { maxLength: 12 },
  )
  .map((rows) => mergeRanges(rows.map(({ start, length }) => ({ start, end: Math.min(MINUTE, start + length) }))));

const descriptions = fc
  .array(
    fc.record({
      at: numbersBetween(0, 59),
      seconds: numbersBetween(0.3, 8),
    }),
    { maxLength: 14 },
  )
  .map((rows) => rows.map(({ at, seconds }, index) => description(`d${String(index).padStart(2, "0")}`, at, seconds)));

describe("placing in gaps", () => {
  test("GEN-22: never lies over speech, keeps clear of it, keeps order and distance, and loses no description silently", () => {
    fc.assert(
      fc.property(speechRanges, descriptions, (speech, wanted) => {
        const { placed, unplaced } = placeInGaps({
          descriptions: wanted,
          gaps: gapsAround(speech),
          speech,
          durationSeconds: MINUTE,
        });
        const clearance = DEFAULT_PLACEMENT_PROFILE.minimumClearance - 1e-9;
        let freeFrom = Number.NEGATIVE_INFINITY;
        for (const cue of placed) {
          const guarded = { start: cue.start - clearance, end: cue.end + clearance };
          expect(overlapWithRanges(guarded, speech)).toBe(0);
          expect(cue.start).toBeGreaterThanOrEqual(0);
          expect(cue.end).toBeLessThanOrEqual(MINUTE);
          expect(cue.start - freeFrom).toBeGreaterThanOrEqual(DEFAULT_PLACEMENT_PROFILE.minimumSeparation - 1e-9);
          freeFrom = cue.end;
        }
        const ids = [...placed, ...unplaced].map(({ id }) => id).sort();
        expect(ids).toEqual(wanted.map(({ id }) => id).sort());
      }),
      { numRuns: 300 },
    );
  });

  test("gives equal output for equal input in any order, also of pictures that begin together", () => {
    const together = descriptions.map((list) =>
      list.map((one) => ({ ...one, picture: { start: Math.floor(one.picture.start / 9) * 9, end: MINUTE } })),
    );
    fc.assert(
      fc.property(speechRanges, together, (speech, wanted) => {
        const request = { gaps: gapsAround(speech), speech, cuts: [], durationSeconds: MINUTE };
        const reversed = [...wanted].reverse();
        for (const place of [placeInGaps, placeFreely, placeWithHolds]) {
          expect(place({ ...request, descriptions: reversed })).toEqual(place({ ...request, descriptions: wanted }));
        }
        const told = placeWithHolds({ ...request, descriptions: reversed });
        const byPicture = [...wanted].sort((a, b) => a.picture.start - b.picture.start);
        expect(told.map(({ id }) => id)).toEqual(byPicture.map(({ id }) => id));
      }),
      { numRuns: 50 },
    );
  });

  test("a line that is just as long as its pause has its place there, at its own pace and without a hold", () => {
    const request = { descriptions: [description("a", 1, 4)], speech: [], cuts: [], durationSeconds: 4 };
    const whole = { id: "a", start: 0, end: 4 };
    expect(placeInGaps({ ...request, gaps: [{ start: 0, end: 4, sound: "silence" }] }).placed).toMatchObject([
      { ...whole, rate: 1 },
    ]);
    expect(placeFreely(request).placed).toMatchObject([whole]);
    expect(placeWithHolds(request)).toMatchObject([{ ...whole, holdSeconds: 0 }]);
  });

  test("a line may begin at the very first and the very last instant that the limits allow", () => {
    const profile = { ...DEFAULT_PLACEMENT_PROFILE, maximumLead: 1, maximumLag: 2 };
    const one = description("a", 10, 2, { picture: { start: 10, end: 10 } });
    const speech = [{ start: 0, end: MINUTE }];
    for (const at of [9, 12]) {
      const request = { descriptions: [one], durationSeconds: MINUTE, profile };
      const gaps = [{ start: at, end: at + 2, sound: "silence" as const }];
      expect(placeInGaps({ ...request, gaps, speech: [] }).placed).toMatchObject([{ start: at }]);
      const held = { ...request, speech, cuts: [], maximumAddedSeconds: 9 };
      expect(placeWithHolds({ ...held, phraseEnds: [at] })).toMatchObject([{ start: at, end: at, holdSeconds: 2 }]);
      expect(placeWithHolds({ ...held, phraseEnds: [at < 10 ? 8.9 : 12.1] })).toEqual([]);
    }
  });

  test("starts with the picture when nothing stands in the way", () => {
    const { placed } = placeInGaps({
      descriptions: [description("a", 20, 3)],
      gaps: gapsAround([]),
      speech: [],
      durationSeconds: MINUTE,
    });
    expect(placed).toMatchObject([{ id: "a", start: 20, end: 23, rate: 1 }]);
  });

  test("waits for the end of a line rather than giving the picture away far before it", () => {
    const speech = [{ start: 10, end: 21 }];
    const { placed } = placeInGaps({
      descriptions: [description("a", 20, 3)],
      gaps: gapsAround(speech),
      speech,
      durationSeconds: MINUTE,
    });
    expect(placed[0]?.start).toBeCloseTo(21.2, 5);
  });

  test("takes a shorter wording when the longest does not fit near the picture", () => {
    const speech = [
      { start: 0, end: 20 },
      { start: 23, end: MINUTE },
    ];
    const wordings = [
      { text: "long", seconds: 5 },
      { text: "middle", seconds: 3.4 },
      { text: "short", seconds: 2 },
    ];
    const { placed } = placeInGaps({
      descriptions: [description("a", 20, 0, { wordings })],
      gaps: gapsAround(speech),
      speech,
      durationSeconds: MINUTE,
    });
    expect(placed).toMatchObject([{ text: "short", wording: 2 }]);
  });

  test("speaks up to ten per cent faster before it gives up", () => {
    const speech = [
      { start: 0, end: 20 },
      { start: 23, end: MINUTE },
    ];
    const { placed } = placeInGaps({
      descriptions: [description("a", 20, 3)],
      gaps: gapsAround(speech),
      speech,
      durationSeconds: MINUTE,
    });
    expect(placed[0]?.rate).toBeCloseTo(1.1, 5);
    expect((placed[0]?.end ?? 0) - (placed[0]?.start ?? 0)).toBeCloseTo(3 / 1.1, 5);
  });

  test("a line that matters is hurried, and of one that matters less a shorter wording is said at its own pace", () => {
    const wordings = [
      { text: "long", seconds: 3 },
      { text: "short", seconds: 2 },
    ];
    const gaps = [{ start: 20, end: 22.87, sound: "silence" as const }];
    const said = (importance: number) =>
      placeInGaps({
        descriptions: [description("a", 20, 0, { wordings, importance })],
        gaps,
        speech: [],
        durationSeconds: MINUTE,
      }).placed.map(({ text, rate }) => [text, rate]);
    expect(said(1)).toEqual([["long", 1.05]]);
    expect(said(0.4)).toEqual([["short", 1]]);
  });

  test("GEN-26: uses a silent gap before one with music, and music when nothing else is near", () => {
    const speech = [{ start: 10, end: 12 }];
    const music = [{ start: 12, end: 15 }];
    const near = placeInGaps({
      descriptions: [description("a", 14.2, 2)],
      gaps: gapsAround(speech, { music }),
      speech,
      durationSeconds: MINUTE,
    });
    expect(near.placed[0]?.start).toBe(15);
    const only = [{ start: 0, end: MINUTE }];
    const under = placeInGaps({
      descriptions: [description("a", 30, 2)],
      gaps: gapsAround(speech, { music: only }),
      speech,
      durationSeconds: MINUTE,
    });
    expect(under.placed[0]?.start).toBe(30);
  });

  test("GEN-27: keeps out of music when that is not allowed", () => {
    const music = [{ start: 0, end: 30 }];
    const gaps = gapsAround([], { music, allowMusic: false });
    const { placed } = placeInGaps({
      descriptions: [description("a", 25, 2)],
      gaps,
      speech: [],
      durationSeconds: MINUTE,
    });
    expect(placed[0]?.start).toBe(30);
  });

  test("says why a description found no place", () => {
    const wall = [{ start: 0, end: MINUTE }];
    const inWall = placeInGaps({
      descriptions: [description("a", 20, 2)],
      gaps: gapsAround(wall),
      speech: wall,
      durationSeconds: MINUTE,
    });
    expect(inWall.unplaced).toEqual([{ id: "a", text: "a text", reason: "no-gap-near" }]);
    const tight = [
      { start: 0, end: 20 },
      { start: 21, end: MINUTE },
    ];
    const tooLong = placeInGaps({
      descriptions: [description("a", 20, 4)],
      gaps: gapsAround(tight),
      speech: tight,
      durationSeconds: MINUTE,
    });
    expect(tooLong.unplaced[0]?.reason).toBe("too-long");
    const minor = { importance: 0.2 };
    const crowd = placeInGaps({
      descriptions: [
        description("a", 27, 8),
        description("b", 30, 8, minor),
        description("c", 34, 8),
        description("d", 42, 8),
      ],
      gaps: gapsAround([
        { start: 0, end: 26 },
        { start: 52, end: MINUTE },
      ]),
      speech: [
        { start: 0, end: 26 },
        { start: 52, end: MINUTE },
      ],
      durationSeconds: MINUTE,
    });
    expect(crowd.unplaced).toEqual([{ id: "b", text: "b text", reason: "crowded" }]);
  });

  test("places two thousand descriptions of three hours exactly", () => {
    const speech = Array.from({ length: 1500 }, (_, index) => ({ start: index * 7.2, end: index * 7.2 + 4 }));
    const wanted = Array.from({ length: 2000 }, (_, index) =>
      description(`d${String(index).padStart(4, "0")}`, index * 5.4, 2),
    );
    const gaps = findGaps({
      durationSeconds: 10_800,
      speech,
      music: [],
      silence: [],
      allowMusic: true,
      minimumSeconds: 0.75,
    });
    const { placed } = placeInGaps({ descriptions: wanted, gaps, speech, durationSeconds: 10_800 });
    expect(placed.length).toBeGreaterThan(1400);
  });
});

describe("placing freely", () => {
  test("GEN-23: puts every description at its picture over wall-to-wall speech", () => {
    const wall = [{ start: 0, end: MINUTE }];
    const { placed, unplaced } = placeFreely({
      descriptions: [description("a", 10, 3), description("b", 30, 3)],
      speech: wall,
      durationSeconds: MINUTE,
    });
    expect(unplaced).toEqual([]);
    expect(placed.map(({ start }) => start)).toEqual([10, 30]);
  });

  test("leaves out a line that is longer than the programme, and says so", () => {
    const { placed, unplaced } = placeFreely({
      descriptions: [description("a", 1, 5)],
      speech: [],
      durationSeconds: 4,
    });
    expect(placed).toEqual([]);
    expect(unplaced).toEqual([{ id: "a", text: "a text", reason: "longer-than-programme" }]);
  });

  test("never lets two descriptions overlap", () => {
    const { placed } = placeFreely({
      descriptions: [description("a", 10, 3), description("b", 11, 3)],
      speech: [],
      durationSeconds: MINUTE,
    });
    expect(placed.length).toBe(2);
    expect(placed[1]?.start).toBeGreaterThanOrEqual(
      (placed[0]?.end ?? 0) + DEFAULT_PLACEMENT_PROFILE.minimumSeparation - 1e-9,
    );
  });
});

describe("placing with pauses", () => {
  test("VIDEO-11: places every description and never holds the programme inside speech", () => {
    fc.assert(
      fc.property(speechRanges, descriptions, (speech, wanted) => {
        const cues = placeWithHolds({ descriptions: wanted, speech, cuts: [0, 15, 30, 45], durationSeconds: MINUTE });
        expect(cues.map(({ id }) => id).sort()).toEqual(wanted.map(({ id }) => id).sort());
        let from = 0;
        for (const cue of cues) {
          expect(cue.start).toBeGreaterThanOrEqual(from);
          from = cue.end;
          expect(overlapWithRanges(cue, speech)).toBe(0);
          expect(speech.some(({ start, end }) => cue.end > start + 1e-9 && cue.end < end - 1e-9)).toBe(false);
          const wording = wanted.find(({ id }) => id === cue.id)?.wordings[cue.wording];
          expect(cue.end - cue.start + cue.holdSeconds).toBeCloseTo(wording?.seconds ?? 0, 6);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("opens no pause where a line fills the gap to the last digit", () => {
    // Between 1.1 and 1.9 there is a hair less than 0.8.
    const speech = [
      { start: 0, end: 1 },
      { start: 2, end: MINUTE },
    ];
    const [cue] = placeWithHolds({
      descriptions: [description("a", 1, 0.8)],
      speech,
      cuts: [],
      durationSeconds: MINUTE,
    });
    expect(cue).toMatchObject({ start: 1.1, holdSeconds: 0 });
  });

  test("opens no pause where the gap is long enough, and only the missing seconds where it is not", () => {
    const speech = [
      { start: 0, end: 20 },
      { start: 24, end: MINUTE },
    ];
    const fits = placeWithHolds({
      descriptions: [description("a", 20, 3)],
      speech,
      cuts: [],
      durationSeconds: MINUTE,
    });
    expect(fits[0]?.holdSeconds).toBe(0);
    const short = placeWithHolds({
      descriptions: [description("a", 20, 6)],
      speech,
      cuts: [],
      durationSeconds: MINUTE,
    });
    expect(short[0]?.holdSeconds).toBeGreaterThan(2);
    expect(short[0]?.holdSeconds).toBeLessThan(2.5);
  });
});

describe("pace", () => {
  const speech = [
    { start: 0, end: 10 },
    { start: 12.1, end: 60 },
  ];
  const placedAt = (text: string) =>
    placeInGaps({
      descriptions: [description("a", 10, 2, { wordings: [{ text, seconds: 2 }] })],
      gaps: gapsAround(speech),
      speech,
      durationSeconds: MINUTE,
    });

  test("a line is spoken faster to fit, but not beyond 180 words per minute", () => {
    // 1.9 s are free for 2 s: five words come to 158 words per minute, six would come to 189.
    expect(placedAt("one two three four five").placed[0]?.rate).toBeGreaterThan(1.05);
    expect(placedAt("one two three four five six")).toMatchObject({ placed: [], unplaced: [{ reason: "too-long" }] });
  });

  test("ten per cent more speed costs as much as three and a half seconds of the picture", () => {
    const placedBeside = (laterStart: number) =>
      placeInGaps({
        descriptions: [
          description("a", 10, 3, { wordings: [{ text: "one two", seconds: 3 }], picture: { start: 10, end: 20 } }),
        ],
        gaps: [
          { start: 10, end: 12.8, sound: "ambience" },
          { start: laterStart, end: 20, sound: "ambience" },
        ],
        speech: [],
        durationSeconds: MINUTE,
      }).placed;
    expect(placedBeside(13.4)).toMatchObject([{ start: 13.4, rate: 1 }]);
    expect(placedBeside(13.45)).toMatchObject([{ start: 10, rate: 1.1 }]);
  });

  test("to begin over music costs as much as four thirds of a second of the picture", () => {
    const placedBeside = (quietFrom: number) =>
      placeInGaps({
        descriptions: [description("a", 10, 2, { picture: { start: 10, end: 20 } })],
        gaps: [
          { start: 10, end: quietFrom, sound: "music" },
          { start: quietFrom, end: 20, sound: "ambience" },
        ],
        speech: [],
        durationSeconds: MINUTE,
      }).placed;
    // A second of the picture is 3.5 points; music is 4, and half a point a second.
    expect(placedBeside(12.4)).toMatchObject([{ start: 10 }]);
    expect(placedBeside(11.3)).toMatchObject([{ start: 11.3 }]);
    expect(placedBeside(11.35)).toMatchObject([{ start: 10 }]);
  });

  test("a line that its voice speaks faster than that is left as it is", () => {
    const { placed } = placeInGaps({
      descriptions: [description("a", 20, 1, { wordings: [{ text: "one two three four five six", seconds: 1 }] })],
      gaps: gapsAround([]),
      speech: [],
      durationSeconds: MINUTE,
    });
    expect(placed[0]?.rate).toBe(1);
  });
});

test("no word is under the fades of a pause, wherever there is room for them", () => {
  fc.assert(
    fc.property(speechRanges, fc.array(numbersBetween(0, 55), { maxLength: 8 }), (speech, ats) => {
      const descriptions = ats.map((at, index) => description(`d${index}`, at, 4));
      for (const { end, holdSeconds } of placeWithHolds({
        descriptions,
        speech,
        cuts: [],
        durationSeconds: MINUTE,
      })) {
        if (holdSeconds === 0) continue;
        const before = Math.max(0, ...speech.filter((line) => line.end <= end + 1e-9).map((line) => line.end));
        const after = Math.min(MINUTE, ...speech.filter((line) => line.start >= end - 1e-9).map((line) => line.start));
        if (after - before < 0.3) continue;
        if (before > 0) expect(end - before).toBeGreaterThanOrEqual(0.1 - 1e-6);
        if (after < MINUTE) expect(after - end).toBeGreaterThanOrEqual(0.2 - 1e-6);
      }
    }),
  );
});
