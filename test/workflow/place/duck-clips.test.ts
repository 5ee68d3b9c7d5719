import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DuckGlide, planDucking } from "../../../src/core/duck-plan.ts";
import { gainFromDecibels } from "../../../src/core/level.ts";
import type { TimelineClip } from "../../../src/core/timeline.ts";
import type { ClipLevel, LevelChange, LevelPoint } from "../../../src/host/editor.ts";
import { planDuckClips, planUnduck } from "../../../src/workflow/place/duck-clips.ts";
import { soundClip, soundTrack, timelineOf } from "./timelines.ts";

/** Glides under a few lines of a quiet narration over a loud programme, and over one that is hardly louder. */
const glidesUnder = fc
  .array(
    fc.record({
      start: fc.integer({ min: 5, max: 300 }),
      tenths: fc.integer({ min: 3, max: 60 }),
      programmeLufs: fc.constantFrom(-20, -26, -34),
    }),
    { maxLength: 5 },
  )
  .map((rows) =>
    rows
      .map(({ start, tenths, programmeLufs }, index) => ({
        cueId: `c${index}`,
        start: start / 10,
        end: (start + tenths) / 10,
        narrationLufs: -23,
        programmeLufs,
      }))
      .sort((a, b) => a.start - b.start),
  )
  .map((lines) => planDucking(lines, []).glides);

/** Clips side by side, each of a source of its own that begins somewhere, with its gain. */
const clipsWithGains = fc
  .array(
    fc.record({
      seconds: fc.integer({ min: 1, max: 12 }),
      sourceStart: fc.integer({ min: 0, max: 90 }),
      gain: fc.constantFrom(0.2, 0.5, 1),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((rows) => {
    let end = 0;
    return rows.map(({ seconds, sourceStart, gain }, index) => {
      end += seconds;
      return { clip: soundClip(`take-${index}.wav`, end - seconds, end, { sourceStart }), gain };
    });
  });

/** What the glides make of a gain of 1 at a time of the sequence: between two values it runs in a straight line. */
function ratioAt(at: number, glides: readonly DuckGlide[]): number {
  const under = glides.find(({ start, end }) => start <= at && at < end);
  if (under !== undefined) {
    const [from, to] = [gainFromDecibels(under.fromDb), gainFromDecibels(under.toDb)];
    return from + ((to - from) * (at - under.start)) / (under.end - under.start);
  }
  return gainFromDecibels(glides.filter(({ end }) => end <= at).at(-1)?.toDb ?? 0);
}

/** The gain of a clip with points at a time of its source, as a host plays it. */
function heardAt(at: number, points: readonly LevelPoint[], gain: number): number {
  const next = points.find((point) => point.at > at);
  const last = points.filter((point) => point.at <= at).at(-1);
  if (last === undefined || next === undefined) return (last ?? next)?.gain ?? gain;
  return last.gain + ((next.gain - last.gain) * (at - last.at)) / (next.at - last.at);
}

const levelOf = (clipIndex: number, gain: number, changes: Partial<ClipLevel> = {}): ClipLevel => ({
  trackIndex: 0,
  clipIndex,
  sourceId: `source-${clipIndex}`,
  gain,
  points: [],
  ...changes,
});

/** The volumes after changes: points are kept in order, and a clip that has some has no one gain. */
function changed(levels: readonly ClipLevel[], changes: readonly LevelChange[]): ClipLevel[] {
  return levels.map((level) => {
    const change = changes.find((one) => one.trackIndex === level.trackIndex && one.clipIndex === level.clipIndex);
    if (change === undefined) return level;
    return { ...level, points: change.points, gain: change.points.length > 0 ? null : change.gain };
  });
}

const programme = (clips: readonly TimelineClip[]) => timelineOf([soundTrack(clips, { name: "Audio 1" })]);

describe("the volumes under lines", () => {
  test("each clip sounds as the mix would have it at every time, by its own gain and on the clock of its source", () => {
    fc.assert(
      fc.property(clipsWithGains, glidesUnder, (clips, glides) => {
        const timeline = programme(clips.map(({ clip }) => clip));
        const levels = clips.map(({ gain }, index) => levelOf(index, gain));
        const { changes, leftAlone } = planDuckClips(timeline, levels, glides);
        expect(leftAlone).toEqual([]);
        for (const [index, { clip, gain }] of clips.entries()) {
          const points = changes.find(({ clipIndex }) => clipIndex === index)?.points ?? [];
          expect(points).toEqual([...points].sort((a, b) => a.at - b.at));
          const [from, to] = [clip.sourceStart - 1e-6, clip.sourceStart + clip.end - clip.start + 1e-6];
          expect(points.every(({ at }) => at >= from && at <= to)).toBe(true);
          expect(points.some(({ at }, number) => number > 0 && at - (points[number - 1]?.at ?? 0) < 1e-6)).toBe(false);
          const times = Array.from({ length: 200 }, (_, step) => clip.start + ((clip.end - clip.start) * step) / 200);
          const off = times.map(
            (at) => heardAt(clip.sourceStart + at - clip.start, points, gain) - gain * ratioAt(at, glides),
          );
          expect(Math.max(...off.map(Math.abs))).toBeLessThan(1e-6);
          // Where nothing glides one point says it, or none is needed.
          const isSteady = glides.every(({ start, end }) => end <= clip.start || start >= clip.end);
          if (isSteady) expect(points).toHaveLength(ratioAt(clip.start, glides) === 1 ? 0 : 1);
        }
      }),
    );
  });

  test("come back to what they were, wherever the clips lie by now and into whatever parts they were cut", () => {
    fc.assert(
      fc.property(clipsWithGains, glidesUnder, fc.integer({ min: 0, max: 9 }), (clips, glides, later) => {
        const timeline = programme(clips.map(({ clip }) => clip));
        const levels = clips.map(({ gain }, index) => levelOf(index, gain));
        const { changes, note } = planDuckClips(timeline, levels, glides);
        expect(note === "").toBe(changes.length === 0);
        // Each ducked clip was cut in two since, and moved.
        const parts = changed(levels, changes).flatMap((level, index) => {
          const { clip } = clips[index] ?? { clip: soundClip("", 0, 0) };
          const cut = Math.ceil(level.points.length / 2);
          const halves =
            level.points.length > 1 ? [level.points.slice(0, cut), level.points.slice(cut)] : [level.points];
          return halves.map((points) => ({
            clip: { ...clip, start: clip.start + later },
            level: { ...level, points },
          }));
        });
        const now = programme(parts.map(({ clip }) => clip));
        const found = parts.map(({ level }, clipIndex) => ({ ...level, clipIndex }));
        const back = planUnduck(now, found, note);
        expect(back).toMatchObject({ leftAlone: [], note: "" });
        for (const [index, level] of changed(found, back.changes).entries()) {
          const was = levels.find(({ sourceId }) => sourceId === level.sourceId);
          expect([level.gain, level.points, index]).toEqual([was?.gain, [], index]);
        }
      }),
    );
  });

  const GLIDES: DuckGlide[] = [
    { start: 2, end: 3, fromDb: 0, toDb: -12 },
    { start: 5, end: 6, fromDb: -12, toDb: 0 },
  ];

  test("stay what they are on a clip with a curve or a pace of its own, which is told; and where nothing is heard", () => {
    const own = [{ at: 1, gain: 0.5 }];
    const clips = [
      soundClip("curve.wav", 0, 4),
      soundClip("slow.wav", 4, 8, { speed: 0.5 }),
      soundClip("curve-away.wav", 20, 24),
    ];
    const levels = [levelOf(0, 1, { points: own }), levelOf(1, 1), levelOf(2, 1, { points: own }), levelOf(3, 1)];
    const untold = [...levels, levelOf(0, 1, { trackIndex: 9 })];
    const alone = planDuckClips(programme(clips), untold, GLIDES);
    expect(alone).toEqual({ changes: [], note: "", leftAlone: ["curve.wav (Audio 1)", "slow.wav (Audio 1)"] });
    const varied = { ...levelOf(0, 1), gain: null };
    expect(planDuckClips(programme(clips), [varied], GLIDES).leftAlone).toEqual(["curve.wav (Audio 1)"]);

    const whole = soundClip("take.wav", 0, 10);
    for (const track of [
      soundTrack([whole]),
      soundTrack([whole], { name: "Audio 1", isEnabled: false }),
      soundTrack([{ ...whole, isEnabled: false }], { name: "Audio 1" }),
      soundTrack([whole], { name: "Video 1", kind: "video" }),
    ]) {
      expect(planDuckClips(timelineOf([track]), [levelOf(0, 1)], GLIDES)).toEqual({
        changes: [],
        note: "",
        leftAlone: [],
      });
    }
  });

  test("stay what they are on our narration, on whichever track it lies", () => {
    const clips = [soundClip("aside-cue-0001.wav", 0, 60), soundClip("take.wav", 60, 70)];
    const levels = clips.map((_, index) => levelOf(index, 1));
    const { changes } = planDuckClips(programme(clips), levels, GLIDES);
    expect(changes.filter(({ clipIndex }) => clipIndex === 0)).toEqual([]);
    expect(planDuckClips(programme([soundClip("take.wav", 0, 60)]), [levelOf(0, 1)], GLIDES).changes).toHaveLength(1);
  });

  test("that somebody has changed since stay, and are told; so does what no note speaks of", () => {
    const timeline = programme([soundClip("take.wav", 0, 10)]);
    const { changes, note } = planDuckClips(timeline, [levelOf(0, 0.5)], GLIDES);
    const [ducked] = changed([levelOf(0, 0.5)], changes);
    if (ducked === undefined) throw new Error("it is there");
    const touched = (change: Partial<LevelPoint>) => ({
      ...ducked,
      points: ducked.points.map((point, index) => (index === 1 ? { ...point, ...change } : point)),
    });
    const { at = 0, gain = 0 } = ducked.points[1] ?? {};
    for (const level of [touched({ at: at + 0.04 }), touched({ gain: gain * 1.01 }), touched({ gain: gain * 0.99 })]) {
      expect(planUnduck(timeline, [level], note)).toEqual({ changes: [], note: "", leftAlone: ["take.wav (Audio 1)"] });
    }
    const nothing = { changes: [], note: "", leftAlone: [] };
    // Somebody took the points away by hand; and a source that was never ducked.
    expect(planUnduck(timeline, [{ ...ducked, points: [], gain: 0.7 }], note)).toEqual(nothing);
    expect(planUnduck(timeline, [{ ...ducked, sourceId: "other" }], note)).toEqual(nothing);
    const kept = (clips: unknown, version = 1) => JSON.stringify({ version, clips });
    const [clip] = JSON.parse(note).clips;
    expect(planUnduck(timeline, [ducked], kept([clip])).changes).toHaveLength(1);
    const [sourceId, own, points] = clip;
    for (const bad of [
      null,
      "",
      "{",
      "null",
      "7",
      "{}",
      kept([clip], 2),
      JSON.stringify({ clips: [clip] }),
      kept(clip[0]),
      kept([null]),
      kept([[7, own, points]]),
      kept([[sourceId, "1", points]]),
      kept([[sourceId, own, null]]),
      kept([[sourceId, own, [[1]]]]),
      kept([[sourceId, own, [["1", 2]]]]),
      kept([[sourceId, own, [null]]]),
    ]) {
      expect(planUnduck(timeline, [ducked], bad), String(bad)).toEqual(nothing);
    }
  });

  test("of two clips of one source come back each to its own", () => {
    const clips = [soundClip("take.wav", 0, 4), soundClip("take.wav", 4, 8)];
    const levels = [levelOf(0, 1, { sourceId: "s" }), levelOf(1, 0.5, { sourceId: "s" })];
    const { changes, note } = planDuckClips(programme(clips), levels, GLIDES);
    expect(changes).toHaveLength(2);
    expect(planUnduck(programme(clips), changed(levels, changes), note).changes.map(({ gain }) => gain)).toEqual([
      1, 0.5,
    ]);
  });
});
