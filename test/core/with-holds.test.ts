import { expect, test } from "vitest";
import { partsAround, TimeMap, withHolds } from "../../src/core/time-map.ts";
import type { Timeline, TimelineClip } from "../../src/core/timeline.ts";

const MAP = new TimeMap([
  { at: 2, seconds: 3 },
  { at: 5, seconds: 1 },
  { at: 9, seconds: 4 },
]);

function clip(start: number, end: number, speed = 1): TimelineClip {
  const source = { kind: "empty", name: "c" } as const;
  return { name: "c", start, end, sourceStart: 100, speed, isEnabled: true, source, effects: [], markers: [] };
}

function timeline(...clips: readonly TimelineClip[]): Timeline {
  const track = { kind: "video", name: "V1", isEnabled: true, clips, transitions: [] } as const;
  const rate = { numerator: 25, denominator: 1 };
  return { name: "", rate, isDropFrame: false, startFrame: 0, tracks: [track], markers: [] };
}

const clipsOf = ({ tracks }: Timeline) => tracks.flatMap(({ clips }) => clips);

test("every instant of a clip is shown where the time map has it, from the same place of its source", () => {
  for (const speed of [1, 2, -1, 0]) {
    const whole = clip(1, 12, speed);
    const parts = clipsOf(withHolds(timeline(whole), MAP));
    for (let at = 1; at < 12; at += 0.25) {
      const now = MAP.departure(at);
      const part = parts.find(({ start, end }) => start <= now && now < end);
      expect(part, `${at}`).toBeDefined();
      expect((part?.sourceStart ?? 0) + (now - (part?.start ?? 0)) * speed).toBeCloseTo(100 + (at - 1) * speed, 9);
    }
    expect(parts.reduce((sum, { start, end }) => sum + end - start, 0)).toBeCloseTo(11, 9);
  }
});

test("nothing lies in a hold, and a clip that a hold only touches stays whole", () => {
  const parts = clipsOf(withHolds(timeline(clip(0, 2), clip(2, 5), clip(5, 9)), MAP));
  expect(parts.map(({ start, end, sourceStart }) => [start, end, sourceStart])).toEqual([
    [0, 2, 100],
    [5, 8, 100],
    [9, 13, 100],
  ]);
});

test("a range without a hold in it has one part, and holds at its edges do not part it", () => {
  expect(partsAround({ start: 2, end: 5 }, MAP)).toEqual([
    { before: { start: 2, end: 5 }, after: { start: 5, end: 8 } },
  ]);
  expect(partsAround({ start: 0, end: 1 }, MAP)).toEqual([
    { before: { start: 0, end: 1 }, after: { start: 0, end: 1 } },
  ]);
});
