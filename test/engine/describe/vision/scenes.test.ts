import { describe, expect, test } from "vitest";
import { overlapWithRanges } from "../../../../src/core/time-range.ts";
import { reelsOf, type Scene, scenesTogether } from "../../../../src/engine/describe/vision/scenes.ts";
import { describeRequest, SMALL_FILM, SMALL_FILM_SHOWS, shot } from "../describe-request.ts";
import { scenesAt } from "./at-pace.ts";
import { eventAt } from "./event-at.ts";

const EVENTS = SMALL_FILM_SHOWS.map(({ at, what }, index) => eventAt(index + 1, at, what));

/** Shots of ten seconds without a word, of which those that begin so open softly. */
function silentFilm(count: number, soft: readonly number[] = []) {
  const shots = Array.from({ length: count }, (_, index) =>
    shot(10 * index, 10 * index + 10, soft.includes(10 * index) ? "dissolve" : "cut"),
  );
  const durationSeconds = 10 * count;
  return describeRequest({ shots, durationSeconds, gaps: [{ start: 0, end: durationSeconds, sound: "ambience" }] });
}

describe("scenes", () => {
  test("hold every event once, in the beat in which it begins to be seen", () => {
    const scenes = scenesAt(0.4, describeRequest(SMALL_FILM), EVENTS);
    const beats = scenes.flatMap((scene) => scene.beats);
    expect(beats[0]?.start).toBe(0);
    expect(beats.at(-1)?.end).toBe(40);
    expect(beats.flatMap(({ events }) => events)).toMatchObject(EVENTS);
    for (const { start, end, events } of beats)
      for (const { seen } of events) expect(seen.start >= start && seen.start < end).toBe(true);
  });

  test("have a beat end at a cut, or later where something begins to be seen, once fourteen words or nearly so fit into it", () => {
    const gaps = [{ start: 0, end: 40, sound: "ambience" as const }];
    const starts = (cuts: readonly number[], changes: readonly number[]) => {
      const shots = [0, ...cuts].map((start) => shot(start, 40));
      const events = changes.map((at, index) => eventAt(index + 1, at, "he waves"));
      const film = describeRequest({ durationSeconds: 40, gaps, shots });
      return scenesAt(0.5, film, events).flatMap(({ beats }) => beats.map(({ start }) => start));
    };
    // Fourteen words take 7.45 s, those of any line 2.45 s.
    expect(starts([], [7.5, 15])).toEqual([0, 7.5, 15]);
    expect(starts([], [7.4, 15])).toEqual([0, 15]);
    expect(starts([5, 10], [])).toEqual([0, 5, 10]);
    expect(starts([4.9, 10], [])).toEqual([0, 10]);
  });

  test("hold what is first seen at the very end", () => {
    const last = eventAt(1, 40, "the end");
    const scenes = scenesAt(0.4, describeRequest(SMALL_FILM), [last]);
    expect(scenes.flatMap(({ beats }) => beats.flatMap(({ events }) => events))).toMatchObject([last]);
  });

  test.each([0.25, 0.4, 0.6])(
    "have two fifths more words to choose from than the voice says in the pause, at %s s a word",
    (perWord) => {
      const request = describeRequest(SMALL_FILM);
      const scenes = scenesAt(perWord, request, EVENTS);
      const beats = scenes.flatMap((scene) => scene.beats);
      expect(beats.some(({ words }) => words > 0)).toBe(true);
      for (const { start, end, words } of beats) {
        const free = overlapWithRanges({ start, end }, request.gaps);
        expect(words * perWord).toBeLessThanOrEqual(1.4 * free);
        // Between two lines some time is left, and beside speech a little more.
        const spoken = free - 0.35 - 0.2 - 0.45 * Math.max(1, Math.round(free / 3.5));
        if (words > 0) expect((words + 1) * perWord).toBeGreaterThan(1.4 * spoken);
        expect(words === 0 || words >= 4).toBe(true);
      }
      for (const { beats: own, words } of scenes) expect(words).toBe(own.reduce((sum, beat) => sum + beat.words, 0));
    },
  );

  test("have no room under speech, and in pauses that are too short for four words", () => {
    const gaps = [
      { start: 0, end: 2, sound: "ambience" as const },
      { start: 10, end: 12.4, sound: "ambience" as const },
    ];
    const roomy = (perWord: number) =>
      scenesAt(perWord, describeRequest({ ...SMALL_FILM, gaps }), EVENTS)
        .flatMap(({ beats }) => beats)
        .filter(({ words }) => words > 0)
        .map(({ start, end, words }) => [start, end, words]);
    expect(roomy(0.3)).toEqual([
      [0, 1.65, 5],
      [10.2, 12.05, 6],
    ]);
    expect(roomy(0.349)).toEqual([[10.2, 12.05, 5]]);
    expect(roomy(0.5)).toEqual([]);
  });

  test("end where a shot opens softly, else later at a cut", () => {
    const starts = (soft: readonly number[]) => scenesAt(0.4, silentFilm(20, soft), []).map(({ start }) => start);
    expect(starts([])).toEqual([0, 80, 160]);
    expect(starts([40])).toEqual([0, 40, 120]);
    expect(starts([20, 40])).toEqual([0, 40, 120]);
    // Too soon after the last one.
    expect(starts([20])).toEqual([0, 80, 160]);
  });

  test("end when there is more in them than one question holds", () => {
    const events = Array.from({ length: 150 }, (_, index) => eventAt(index + 1, 10 + index / 4, `thing ${index}`));
    const scenes = scenesAt(0.4, silentFilm(6), events);
    expect(scenes.length).toBeGreaterThan(2);
    for (const { beats } of scenes.slice(0, -1)) {
      // One beat more than is needed may come in.
      const before = beats.slice(0, -1).reduce((sum, one) => sum + one.events.length, 0);
      expect(before).toBeLessThan(60);
    }
  });

  test.each([
    [1, 10, [0, 90, 180]],
    [1, 9, [0, 90, 180]],
    [20, 8, [0, 24, 48, 72, 96, 120, 144, 168, 192]],
    [19, 8, [0, 32, 64, 96, 128, 160, 192]],
  ])("end after ninety seconds, or sixty events: of %i every %i s", (count, seconds, starts) => {
    const events = Array.from({ length: count * Math.floor(200 / seconds) }, (_, index) =>
      eventAt(index + 1, seconds * Math.floor(index / count), `thing ${index}`),
    );
    const gaps = [{ start: 0, end: 200, sound: "ambience" as const }];
    const film = describeRequest({ durationSeconds: 200, gaps });
    expect(scenesAt(0.5, film, events).map(({ start }) => start)).toEqual(starts);
  });

  test("in extended AD, have the words that pauses and the time that may be added take", () => {
    const request = describeRequest({ ...SMALL_FILM, type: "extended" });
    const words = (maximumAddedShare: number) =>
      scenesAt(0.5, { ...request, maximumAddedShare }, EVENTS).reduce((sum, scene) => sum + scene.words, 0);
    // 40 s times the share, and 32.9 s of pauses.
    expect(words(0)).toBeLessThanOrEqual(1.4 * 65);
    expect(words(0.5) - words(0)).toBeGreaterThanOrEqual(1.4 * 34);
    expect(words(0.5) - words(0)).toBeLessThanOrEqual(1.4 * 41);
    for (const { beats } of scenesAt(0.5, request, EVENTS))
      for (const beat of beats) expect(beat.words).toBeGreaterThan(4);
  });
});

/** Scenes of so many seconds one after the other, each with an event. */
function scenesOfSeconds(seconds: number, count: number): Scene[] {
  return Array.from({ length: count }, (_, index): Scene => {
    const [start, end] = [seconds * index, seconds * (index + 1)];
    return { start, end, beats: [{ start, end, words: 9, events: [eventAt(index + 1, start, "he waves")] }], words: 9 };
  });
}

describe("reels", () => {
  test("hold every scene once, in order, and each about as many as the others", () => {
    const scenes = scenesOfSeconds(80, 90);
    for (const most of [1, 2, 4, 16]) {
      const reels = reelsOf(scenes, most);
      expect(reels.flat()).toEqual(scenes);
      expect(reels).toHaveLength(Math.min(most, 8));
      const sizes = reels.map(({ length }) => length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }
  });

  test("are not made of what is shorter than half an hour", () => {
    expect(reelsOf(scenesOfSeconds(80, 22), 4)).toHaveLength(1);
    expect(reelsOf([], 4)).toEqual([]);
  });
});

describe("scenes of which a part is written", () => {
  test("are put together with their neighbours, over five minutes and sixty events at the most", () => {
    const scenes = scenesOfSeconds(80, 9).filter((_, index) => index !== 2);
    const together = scenesTogether(scenes);
    expect(together.flatMap(({ beats }) => beats)).toEqual(scenes.flatMap(({ beats }) => beats));
    expect(together.map(({ start, end, words }) => [start, end, words])).toEqual([
      [0, 160, 18],
      [240, 480, 27],
      [480, 720, 27],
    ]);
    // Seven of them would take a second more than five minutes; five of a minute do not.
    const spans = (seconds: number, count: number) =>
      scenesTogether(scenesOfSeconds(seconds, count)).map(({ start, end }) => [start, end]);
    expect(spans(43, 8)).toEqual([
      [0, 258],
      [258, 344],
    ]);
    expect(spans(60, 5)).toEqual([[0, 300]]);
    const events = Array.from({ length: 31 }, (_, index) => eventAt(index + 1, 0, "he waves"));
    const full = scenesOfSeconds(20, 2).map((scene) => ({
      ...scene,
      beats: [{ start: 0, end: 20, words: 9, events }],
    }));
    expect(scenesTogether(full)).toEqual(full);
  });
});
