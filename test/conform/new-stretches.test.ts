import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { framesFromSeconds, secondsFromFrames } from "../../src/core/frame-rate.ts";
import { BLACK, layoutOf, type PlacedClip, sourceAt, visiblePicture } from "../../src/core/layout.ts";
import { isStillName } from "../../src/core/local-file.ts";
import { LEAST_NEW_SECONDS, newStretches } from "../../src/core/new-stretches.ts";
import { overlapDuration, rangeDuration, type TimeRange, totalDuration } from "../../src/core/time-range.ts";
import type { Timeline } from "../../src/core/timeline.ts";
import { SeededRandom } from "../fakes/seeded-random.ts";
import { sharedCorpora } from "../shared-media.ts";
import { endOf, recut } from "./recut.ts";
import { realTimelines } from "./score-recuts.ts";

/** What is seen in the middle of each frame, as a word; the same word is the same picture. */
function framesOf(layout: readonly PlacedClip[], frame: number): { at: number; source: string; number: number }[] {
  return visiblePicture(layout).flatMap((stretch) => {
    const first = Math.ceil(stretch.start / frame - 0.5);
    const count = Math.max(0, Math.ceil(stretch.end / frame - 0.5) - first);
    return Array.from({ length: count }, (_, index) => {
      const at = (first + index + 0.5) * frame;
      return { at, source: stretch.source, number: Math.round(sourceAt(stretch, at) / frame) };
    });
  });
}

/** Runs of frames of the new cut that the old one did not show, found frame by frame. */
function newRuns(before: Timeline, after: Timeline): TimeRange[] {
  const frame = secondsFromFrames(1, before.rate);
  const [old, now] = [layoutOf(before, ""), layoutOf(after, "")];
  const stills = new Set(now.flatMap(({ media, file }) => (media !== null && isStillName(file ?? "") ? [media] : [])));
  const shown = new Map<string, Set<number>>();
  for (const { source, number } of framesOf(old, frame))
    shown.set(source, (shown.get(source) ?? new Set()).add(number));
  const isKnown = ({ source, number }: { source: string; number: number }) => {
    if (source === BLACK) return true;
    const seen = shown.get(source);
    const isTimeless = source.startsWith("empty ") || stills.has(source);
    return seen !== undefined && (isTimeless || [-1, 0, 1].some((off) => seen.has(number + off)));
  };
  const runs: { start: number; end: number }[] = [];
  for (const seen of framesOf(now, frame)) {
    if (isKnown(seen)) continue;
    const last = runs.at(-1);
    const range = { start: seen.at - frame / 2, end: seen.at + frame / 2 };
    if (last !== undefined && range.start - last.end < frame / 2) last.end = range.end;
    else runs.push(range);
  }
  return runs;
}

describe.skipIf(!existsSync(sharedCorpora("xml")))("new stretches of random re-cuts of real timelines", () => {
  const timelines = realTimelines();
  const found = Array.from({ length: 200 }, (_, seed) => {
    const timeline = timelines[seed % timelines.length];
    if (timeline === undefined) throw new Error("no timelines");
    const now = recut(timeline, new SeededRandom(seed + 1)).timeline;
    const window = { start: 0, end: endOf(now) };
    const stretches = newStretches(layoutOf(timeline, ""), layoutOf(now, ""), timeline.rate, window);
    return { seed, timeline, now, window, stretches, runs: newRuns(timeline, now) };
  });

  test("every new picture longer than the least lies in one of them", () => {
    for (const { seed, timeline, stretches, runs } of found) {
      const frame = secondsFromFrames(1, timeline.rate);
      for (const run of runs.filter((one) => rangeDuration(one) >= LEAST_NEW_SECONDS + 2 * frame)) {
        const isIn = ({ start, end }: TimeRange) => start <= run.start + frame && end >= run.end - frame;
        expect(stretches.some(isIn), `seed ${seed}: ${JSON.stringify([run, stretches])}`).toBe(true);
        const inside = stretches.flatMap((stretch) => stretch.inside.map((range) => overlapDuration(range, run)));
        expect(inside.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(rangeDuration(run) - 3 * frame);
      }
    }
    expect(found.flatMap(({ stretches }) => stretches).length).toBeGreaterThan(30);
  });

  test("each holds the least new picture, keeps to the window and its frames, and meets no other", () => {
    for (const { seed, timeline, stretches, runs, window } of found) {
      const frame = secondsFromFrames(1, timeline.rate);
      let last = Number.NEGATIVE_INFINITY;
      for (const stretch of stretches) {
        const fresh = runs.map((run) => overlapDuration(run, stretch)).reduce((sum, one) => sum + one, 0);
        expect(fresh, `seed ${seed}`).toBeGreaterThan(LEAST_NEW_SECONDS - (2 + runs.length) * frame);
        expect(totalDuration(stretch.inside)).toBeLessThanOrEqual(rangeDuration(stretch));
        expect(stretch.start).toBeGreaterThanOrEqual(Math.max(0, last));
        expect(stretch.end).toBeLessThanOrEqual(window.end);
        const onGrid = secondsFromFrames(framesFromSeconds(stretch.start, timeline.rate), timeline.rate);
        expect(onGrid).toBeCloseTo(stretch.start, 6);
        last = stretch.end;
      }
    }
  });

  test("a cut that is the same has none, nor has one that only lost and swapped picture", () => {
    for (const { timeline } of found.slice(0, timelines.length)) {
      const layout = layoutOf(timeline, "");
      const window = { start: 0, end: endOf(timeline) };
      expect(newStretches(layout, layout, timeline.rate, window)).toEqual([]);
    }
    for (const { runs, stretches } of found) if (runs.length === 0) expect(stretches).toEqual([]);
  });
});
