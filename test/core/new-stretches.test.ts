import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import type { PlacedClip } from "../../src/core/layout.ts";
import { newStretches } from "../../src/core/new-stretches.ts";

const RATE = frameRate(25);

function clip(media: string, start: number, end: number, sourceStart = 0, more: Partial<PlacedClip> = {}): PlacedClip {
  const base = { kind: "video", track: 0, name: media, media, file: media, start, end, sourceStart, speed: 1 } as const;
  return { ...base, ...more };
}

const BEFORE = [clip("a.mov", 0, 60), clip("b.mov", 60, 120, 5)];
const found = (after: readonly PlacedClip[], before = BEFORE, window = { start: 0, end: 200 }) =>
  newStretches(before, after, RATE, window);

describe("the new stretches of a cut", () => {
  test("an insert, with what is known around it", () => {
    const after = [clip("a.mov", 0, 30), clip("new.mov", 30, 38), clip("a.mov", 38, 68, 30), clip("b.mov", 68, 128, 5)];
    expect(found(after)).toEqual([{ start: 25, end: 43, inside: [{ start: 30, end: 38 }] }]);
    expect(found(after, BEFORE, { start: 33, end: 40 })).toEqual([
      { start: 33, end: 40, inside: [{ start: 33, end: 38 }] },
    ]);
  });

  test("a swap, a lift, another speed, black and a title over the picture are nothing new", () => {
    expect(found([clip("b.mov", 0, 60, 5), clip("a.mov", 60, 90)])).toEqual([]);
    expect(found([clip("a.mov", 10, 40, 0, { speed: 2 }), clip("b.mov", 80, 140, 5)])).toEqual([]);
    expect(found([...BEFORE, clip("Title", 10, 20, 0, { media: null, file: null, track: 3 })])).toEqual([]);
  });

  test("a shot let out at its end shows new picture; a still of any length does not", () => {
    const [let_out] = found([clip("a.mov", 0, 64), clip("b.mov", 64, 124, 5)]);
    expect(let_out).toMatchObject({ start: 55, end: 69 });
    expect(let_out?.inside[0]?.start).toBeCloseTo(60, 1);
    expect(let_out?.inside[0]?.end).toBe(64);
    const still = (end: number) => [clip("card.png", 0, end), clip("a.mov", end, end + 60)];
    expect(found(still(30), still(10))).toEqual([]);
    // Wherever among the clips it stands, and a title on black as well.
    const last = (still: Partial<PlacedClip>) => (end: number) => [...BEFORE, clip("card.png", 120, end, 0, still)];
    const title = { media: null, file: null, name: "Chapter 2" };
    for (const card of [last({}), last(title)]) expect(found(card(150), card(125))).toEqual([]);
  });

  test("new pictures whose context would meet are one stretch, and count together for the least length", () => {
    const at = (...starts: number[]) => [
      ...BEFORE,
      ...starts.map((start, i) => clip(`new-${i}.mov`, start, start + 1.5, 0, { track: 1 })),
    ];
    expect(found(at(20))).toEqual([]);
    expect(found(at(20, 31))).toEqual([
      { start: 15, end: 37.52, inside: [{ start: 20, end: 21.5 }, { start: 31, end: 32.5 }] }, // biome-ignore format: one stretch
    ]);
    expect(found(at(20, 32))).toEqual([]);
  });

  test("a title on black is new once, a project in another folder is the same, one file from elsewhere is not", () => {
    const card = clip("Chapter 2", 120, 124, 0, { media: null, file: null });
    expect(found([...BEFORE, card])).toMatchObject([{ start: 115, end: 129 }]);
    const elsewhere = BEFORE.map((one) => ({ ...one, media: `/other/${one.media}` }));
    expect(found(elsewhere)).toEqual([]);
    expect(found([BEFORE[0], elsewhere[1]].filter((one) => one !== undefined))).toMatchObject([
      { start: 55, end: 125 },
    ]);
  });
});

test("what is new is every frame that the old cut did not show, and no other, in stretches that never meet", () => {
  const shot = fc
    .tuple(fc.constantFrom("a.mov", "b.mov", "c.mov", "d.mov"), fc.nat(60), fc.integer({ min: 10, max: 300 }))
    .map(([media, from, frames]) => ({ media, from: 5 * from, frames: 5 * frames }));
  const cuts = fc.array(shot, { minLength: 1, maxLength: 6 });
  const made = (shots: readonly { media: string; from: number; frames: number }[]) => {
    let at = 0;
    const shown: string[] = [];
    const clips = shots.map(({ media, from, frames }) => {
      const made = clip(media, at / 25, (at + frames) / 25, from / 25);
      at += frames;
      for (let frame = 0; frame < frames; frame++) shown.push(`${media} ${from + frame}`);
      return made;
    });
    return { clips, shown };
  };
  const inFrames = (seconds: number) => Math.round(seconds * 25);
  fc.assert(
    fc.property(cuts, cuts, fc.nat(100), fc.integer({ min: 100, max: 2000 }), (old, now, from, length) => {
      const [before, after] = [made(old), made(now)];
      const known = new Set(before.shown);
      // A medium of the old cut that is still there says that the project has not moved.
      const earlier = [clip("kept.mov", 100, 101), ...before.clips];
      const [first, last] = [from, from + length];
      const window = { start: first / 25, end: last / 25 };
      const fresh = after.shown.flatMap((frame, at) => (!known.has(frame) && at >= first && at < last ? [at] : []));
      const stretches = newStretches(earlier, [...after.clips, clip("kept.mov", 200, 201)], RATE, window);
      const inside = stretches.flatMap((stretch) =>
        stretch.inside.flatMap(({ start, end }) =>
          Array.from({ length: inFrames(end) - inFrames(start) }, (_, index) => inFrames(start) + index),
        ),
      );
      // Runs of new frames at most ten seconds apart, of which those of two seconds and more count.
      const runs: number[][] = [];
      for (const at of fresh) {
        const run = runs.at(-1);
        if (run !== undefined && at - (run.at(-1) ?? 0) - 1 <= 250) run.push(at);
        else runs.push([at]);
      }
      // Edges are counted to half a frame: what lies so near a limit may fall on either side of it.
      fc.pre(runs.every((run) => run.length < 46 || run.length > 64));
      fc.pre(fresh.every((at, index) => Math.abs(at - (fresh[index - 1] ?? -999) - 251) > 3));
      const enough = runs.filter((run) => run.length > 64);
      const wanted = new Set(enough.flat());
      expect(inside.filter((at) => !wanted.has(at) && !wanted.has(at - 1) && !wanted.has(at + 1))).toEqual([]);
      const found = new Set(inside);
      const lost = [...wanted].filter((at) => !found.has(at));
      expect(lost.length).toBeLessThanOrEqual(2 * now.length);
      expect(stretches).toHaveLength(enough.length);
      for (const { start, end, inside: parts } of stretches) {
        expect(Math.abs(inFrames(start) - Math.max(first, inFrames(parts[0]?.start ?? 0) - 125))).toBeLessThanOrEqual(
          1,
        );
        expect(Math.abs(inFrames(end) - Math.min(last, inFrames(parts.at(-1)?.end ?? 0) + 125))).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 50 },
  );
});

test("held pictures are new where their frame is, and one shown backwards is not", () => {
  const held = (from: number) => clip("a.mov", 0, 5, from, { speed: 0 });
  expect(found([held(30), ...BEFORE.map((one) => ({ ...one, start: one.start + 5, end: one.end + 5 }))])).toEqual([]);
  const parts = [clip("a.mov", 0, 20), clip("a.mov", 20, 40, 40)];
  const later = parts.map((one) => ({ ...one, start: one.start + 5, end: one.end + 5 }));
  for (const [from, isNew] of [
    [10, false],
    [30, true],
    [50, false],
  ] as const) {
    // biome-ignore format: one list
    expect(found([held(from), ...later], parts)).toHaveLength(isNew ? 1 : 0);
  }
  expect(found([held(90), clip("a.mov", 5, 65)])).toMatchObject([{ start: 0, inside: [{ start: 0, end: 5 }] }]);
  expect(found([clip("a.mov", 0, 60, 60, { speed: -1 })])).toEqual([]);
  const [back] = found([clip("a.mov", 0, 60, 65, { speed: -1 })]);
  expect(back?.inside[0]?.start).toBeCloseTo(0, 1);
  expect(back?.inside[0]?.end).toBeCloseTo(5, 1);
});
