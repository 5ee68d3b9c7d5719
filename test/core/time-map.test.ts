import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { type HoldingCue, holdProgramme } from "../../src/core/held-programme.ts";
import { TimeMap } from "../../src/core/time-map.ts";
import { numbersBetween } from "../numbers-between.ts";

describe("the two clocks of a held programme", () => {
  test("are the same without pauses", () => {
    const map = new TimeMap([]);
    expect([map.arrival(3), map.departure(3), map.programmeTime(3), map.addedSeconds]).toEqual([3, 3, 3, 0]);
  });

  test("part at each pause, and an instant at a pause has its beginning and its end", () => {
    const map = new TimeMap([
      { at: 10, seconds: 3 },
      { at: 4, seconds: 2 },
      { at: 4, seconds: 1 },
    ]);
    expect(map.holds).toEqual([
      { at: 4, seconds: 3 },
      { at: 10, seconds: 3 },
    ]);
    expect([map.arrival(4), map.departure(4), map.arrival(10), map.departure(12)]).toEqual([4, 7, 13, 18]);
    expect([3, 5, 7, 8, 14, 17].map((time) => map.programmeTime(time))).toEqual([3, 4, 4, 5, 10, 11]);
    expect(map.addedSeconds).toBe(6);
  });

  test("lead back from the video to the programme", () => {
    const pauses = fc.array(
      fc.record({ at: fc.integer({ min: 0, max: 100 }), seconds: fc.integer({ min: 0, max: 9 }) }),
    );
    fc.assert(
      fc.property(pauses, numbersBetween(0, 110), (list, at) => {
        const map = new TimeMap(list);
        expect(map.programmeTime(map.departure(at))).toBeCloseTo(at, 9);
        expect(map.programmeTime(map.arrival(at))).toBeCloseTo(at, 9);
        expect(map.departure(at)).toBeGreaterThanOrEqual(map.arrival(at));
      }),
    );
  });
});

describe("pauses laid on a picture", () => {
  const RATE = frameRate(30_000, 1001);
  const clock = { rate: RATE, firstFrameSeconds: 0, durationSeconds: 60 };
  const cue = (start: number, end: number, holdSeconds: number, id = `${start}`): HoldingCue => ({
    id,
    start,
    end,
    text: id,
    holdSeconds,
    narrationSeconds: end - start + holdSeconds,
  });

  test("begin with a frame, last whole frames, and are long enough for what is said", () => {
    const { map, cues } = holdProgramme([cue(1, 2.51, 3), cue(20, 22, 0), cue(30, 30, 4.2)], clock);
    for (const { at, seconds } of map.holds) {
      for (const time of [at, seconds])
        expect((time * 30_000) / 1001).toBeCloseTo(Math.round((time * 30_000) / 1001), 6);
    }
    expect(map.holds).toHaveLength(2);
    for (const { end } of cues.filter((_, index) => index !== 1)) {
      const back = map.holds.map(({ at }) => map.departure(at)).find((time) => time >= end) ?? 0;
      expect(back - end).toBeGreaterThanOrEqual(0.199);
      expect(back - end).toBeLessThan(0.26);
    }
    expect(cues[1]?.start).toBeCloseTo(20 + (map.holds[0]?.seconds ?? 0), 9);
  });

  test("are shared by descriptions that hold the programme at one frame, which are heard one after another", () => {
    const { map, cues } = holdProgramme([cue(8, 10, 1, "a"), cue(10, 10, 3, "b"), cue(10, 10, 2, "c")], clock);
    expect(map.holds).toHaveLength(1);
    expect(cues.map(({ start }) => start)).toEqual([8, expect.closeTo(11.2, 6), expect.closeTo(14.4, 6)]);
    expect(map.addedSeconds).toBeGreaterThanOrEqual(6.6);
  });

  test("stand between the first frame and the last", () => {
    const { map } = holdProgramme([cue(0, 0, 2), cue(60, 60, 2)], clock);
    expect(map.holds[0]?.at).toBeCloseTo(1001 / 30_000, 9);
    expect(map.holds[1]?.at).toBeLessThan(60);
  });

  test("stay where they are in a picture of uneven rate", () => {
    const { map } = holdProgramme([cue(1, 2.517, 3)], { ...clock, rate: null });
    expect(map.holds).toEqual([{ at: 2.517, seconds: expect.closeTo(3.2, 9) }]);
  });

  test("narrations never overlap and never begin before their time", () => {
    const lists = fc.array(fc.tuple(numbersBetween(0, 3), numbersBetween(0, 4)));
    fc.assert(
      fc.property(lists, (steps) => {
        let at = 0;
        const cues = steps.map(([run, pause], index) => {
          const made = cue(at, at + run, pause, `${index}`);
          at += run;
          return made;
        });
        const { map, cues: heard } = holdProgramme(cues, { ...clock, durationSeconds: at + 1 });
        for (const [index, { start }] of heard.entries()) {
          expect(start).toBeGreaterThanOrEqual((heard[index - 1]?.end ?? 0) - 1e-9);
          expect(start).toBeGreaterThanOrEqual(map.arrival((cues[index]?.start ?? 0) - 0.05));
        }
      }),
    );
  });
});
