import { describe, expect, test } from "vitest";
import type { GivenCaptions } from "../../../src/core/settings.ts";
import { gapsIn, mapGaps } from "../../../src/workflow/gaps/gap-map.ts";
import { findSound } from "../../../src/workflow/gaps/look-for-gaps.ts";
import { aside } from "../../cli/run-aside.ts";
import { sharedMedia } from "../../shared-media.ts";

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

  test("aside gaps finds the known pauses of a real clip", async () => {
    const { stdout, code } = await aside(["gaps", sharedMedia("constructed/placed-speech-silence.mp4"), "--json"]);
    expect(code).toBe(0);
    const { gaps, advice }: { gaps: { start: number; end: number }[]; advice: string } = JSON.parse(stdout);
    expect(advice).toBe("standard");
    for (const [start, end] of [
      [49.29, 53.29],
      [61.91, 69.91],
      [82.98, 120],
    ] as const) {
      expect(gaps.some((gap) => Math.abs(gap.start - start) < 0.4 && Math.abs(gap.end - end) < 0.4)).toBe(true);
    }
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
