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
