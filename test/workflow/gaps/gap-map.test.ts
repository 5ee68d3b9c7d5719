import { describe, expect, test } from "vitest";
import type { GivenCaptions } from "../../../src/core/settings.ts";
import { gapsIn, mapGaps } from "../../../src/workflow/gaps/gap-map.ts";
import { findSound } from "../../../src/workflow/gaps/look-for-gaps.ts";

const map = (speech: readonly (readonly [number, number])[], durationSeconds = 120) =>
  mapGaps({
    durationSeconds,
    speech: speech.map(([start, end]) => ({ start, end })),
    music: [],
    allowsOverMusic: true,
    minimumCueSeconds: 0.75,
  });

describe("the map of a programme's pauses", () => {
  test("counts pauses and the words that fit, with the clearance at both ends", () => {
    const { gaps, words, expectedCues, advice, credits } = map([
      [3, 60],
      [64, 120],
    ]);
    expect(gaps).toEqual([
      { start: 0, end: 3, words: 6 },
      { start: 60, end: 64, words: 9 },
    ]);
    expect({ words, expectedCues, advice, credits }).toEqual({
      words: 15,
      expectedCues: 2,
      advice: "standard",
      credits: { text: 1, audio: 1.5, video: 2 },
    });
  });

  test("speech beyond the end, as captions of another cut have it, fills nothing", () => {
    expect(map([[60, 3000]]).speechShare).toBe(0.5);
  });

  test("without a pause it foretells the failure and advises extended descriptions", () => {
    expect(map([[0, 120]])).toMatchObject({ gaps: [], advice: "extended", expectsNotEnoughGaps: true });
    expect(map([[2, 100]])).toMatchObject({ advice: "extended", longestWithout: 98, expectsNotEnoughGaps: false });
  });

  test("says how much of the programme is spoken, how much of it is pause, and what a job takes", () => {
    const found = map([
      [10, 40],
      [30, 50],
      [60, 100],
    ]);
    expect(found).toMatchObject({ durationSeconds: 120, gapSeconds: 40, minutes: 2, expectsNotEnoughGaps: false });
    expect(found.speechShare).toBeCloseTo(80 / 120, 9);
    expect(found.longestWithout).toBe(40);
    expect(map([], 0)).toMatchObject({ speechShare: 0, minutes: 0, gaps: [], words: 0, longestWithout: 0 });
  });

  test("expects one description in each pause that holds a sentence, and more in a longer one", () => {
    const cues = (seconds: number) => map([[seconds, 120]]).expectedCues;
    expect([1.9, 2, 10, 22, 23, 100].map(cues)).toEqual([0, 1, 1, 1, 2, 7]);
    expect(map([[5, 100]]).expectedCues).toBe(2);
  });

  test("no word fits into a pause that its clearance fills", () => {
    const short = mapGaps({
      durationSeconds: 60,
      speech: [{ start: 0.39, end: 60 }],
      music: [],
      allowsOverMusic: true,
      minimumCueSeconds: 0.2,
    });
    expect(short.gaps).toEqual([{ start: 0, end: 0.39, words: 0 }]);
  });

  test("advises extended descriptions where a listener would go without for long, and says for how long", () => {
    const advice = (from: number, to: number) => map([[from, to]], 300);
    expect(advice(10, 100)).toMatchObject({ advice: "standard", longestWithout: 90 });
    expect(advice(10, 100.4)).toMatchObject({ advice: "extended", reason: expect.stringContaining("For 90 s") });
    // A pause too short for a sentence is none of those.
    expect(
      map(
        [
          [10, 60],
          [61, 110],
        ],
        300,
      ),
    ).toMatchObject({ advice: "extended", longestWithout: 100 });
    expect(map([[1.9, 300]], 300).reason).toContain("No pause");
    expect(advice(10, 20).reason).toContain("often enough");
  });
});

describe("looking for pauses", () => {
  const rules = { allowsOverMusic: true, minimumCueSeconds: 0.75 };
  const captions = (seconds: number) => ({ content: `WEBVTT\n\n00:00.000 --> 00:${seconds}.000\nHello there.\n` });
  const heard = { speech: [{ start: 0, end: 40, confidence: 0.9 }], music: [] };
  const look = async (
    transcript: object | null,
    sound: typeof heard | null,
    given: { captions?: GivenCaptions } = {},
  ) => {
    const ports = { transcript: async () => (transcript === null ? null : captions(30)), listen: async () => sound };
    const found = await findSound(ports, { durationSeconds: 60, ...given });
    return found === null ? null : { ...found, map: gapsIn(found, rules) };
  };

  test("takes captions before a transcript, and a transcript before what is heard", async () => {
    const basisAndStart = async (...given: Parameters<typeof look>) => {
      const found = await look(...given);
      return [found?.basis, found?.map.gaps[0]?.start];
    };
    expect(await basisAndStart({}, null, { captions: captions(20) })).toEqual(["captions", 20]);
    expect(await basisAndStart({}, null)).toEqual(["transcript", 30]);
    expect(await basisAndStart(null, heard)).toEqual(["sound", 40]);
    expect(await look(null, null)).toBeNull();
  });

  test("captions refine what was heard, and never replace it", async () => {
    // Said from 0 to 20 s, heard from 0 to 40 s: the caption does not make a pause of what was heard.
    const found = await look(null, heard, { captions: captions(20) });
    expect([found?.basis, found?.speech]).toEqual(["captions", [{ start: 0, end: 40 }]]);
    const faint = await look(null, { speech: [], music: [] }, { captions: captions(20) });
    expect(faint?.speech).toEqual([{ start: 0, end: 20 }]);
  });

  test("what is heard faintly is speech beside captions alone, and music is what is heard for certain", async () => {
    const faint = [0.1, 0.9].map((confidence, index) => ({ start: 10 * index, end: 10 * index + 5, confidence }));
    const found = await look(null, { speech: faint, music: faint as never });
    expect(found?.speech).toEqual(faint.slice(1));
    expect(found?.music).toEqual([{ start: 10, end: 15 }]);
    expect(found?.durationSeconds).toBe(60);
  });

  test("captions of sounds are no speech", async () => {
    const sounds = { content: "WEBVTT\n\n00:00.000 --> 00:30.000\n[door slams]\n" };
    expect((await look(null, null, { captions: sounds }))?.map.gaps).toMatchObject([{ start: 0, end: 60 }]);
  });

  test("listens where nothing else tells, and knows of music only then", async () => {
    const asked: boolean[] = [];
    const find = (transcript: GivenCaptions | null) =>
      findSound(
        {
          transcript: async () => transcript,
          async listen(isNeeded) {
            asked.push(isNeeded);
            return isNeeded ? { speech: [], music: [{ start: 0, end: 60, confidence: 0.9 }] } : null;
          },
        },
        { durationSeconds: 60 },
      );
    const read = await find(captions(30));
    const heardSound = await find(null);
    expect(asked).toEqual([false, true]);
    expect([read?.music, heardSound?.music]).toEqual([null, [{ start: 0, end: 60 }]]);
    if (heardSound === null) throw new Error("nothing was found");
    // Music counts as a pause only where it may be spoken over.
    expect(gapsIn(heardSound, rules).gaps).toHaveLength(1);
    expect(gapsIn(heardSound, { ...rules, allowsOverMusic: false }).gaps).toHaveLength(0);
  });

  test("expects several descriptions in a long pause", async () => {
    expect((await look(null, { speech: [], music: [] }))?.map.expectedCues).toBe(4);
  });
});
