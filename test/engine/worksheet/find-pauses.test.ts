import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Shot } from "../../../src/core/shot.ts";
import { overlapDuration } from "../../../src/core/time-range.ts";
import { findPauses, hintsFor, type PausesRequest } from "../../../src/engine/worksheet/find-pauses.ts";
import { numbersBetween } from "../../numbers-between.ts";

const SHOT: Shot = {
  start: 0,
  end: 60,
  opening: "start",
  brightness: 0.4,
  contrast: 0.2,
  saturation: 0.4,
  motion: "slow",
  colours: [{ name: "blue", share: 0.3 }],
  frozenSeconds: 0,
  titleCard: false,
  keyFrameAt: 2,
};

function pauses(request: Partial<PausesRequest>) {
  return findPauses({
    durationSeconds: 60,
    language: "en-US",
    gaps: [],
    cues: [],
    shots: [SHOT],
    transcript: [],
    minimumSeconds: 0.75,
    pace: 1,
    ...request,
  });
}

const rangesOf = (found: ReturnType<typeof pauses>) => found.map(({ start, end }) => [start, end]);

describe("the pauses next to what a model is not sure of", () => {
  const gaps = [
    { start: 0, end: 6 },
    { start: 20, end: 26 },
    { start: 50, end: 56 },
  ];

  test("are found alone, with its words among their hints", () => {
    const unsure = [
      { start: 21, end: 24, text: "A boy waves." },
      { start: 22, end: 23, text: "A dog barks." },
    ];
    const [only, ...more] = pauses({ gaps, unsure });
    expect([only?.start, more]).toEqual([expect.closeTo(20, 0), []]);
    expect(only?.hints.slice(0, 2)).toEqual(["perhaps: “A boy waves.”", "perhaps: “A dog barks.”"]);
  });

  test("are the nearest where its picture is under speech, and none where that is far away", () => {
    const under = (start: number) => pauses({ gaps, unsure: [{ start, end: start + 1, text: "A boy waves." }] });
    expect(rangesOf(under(17)).map(([start]) => Math.round(start ?? 0))).toEqual([20]);
    expect(under(38)).toEqual([]);
  });
});

describe("the pauses to be written", () => {
  test("keep clear of speech on both sides, but not of the programme's ends", () => {
    const gaps = [
      { start: 0, end: 4 },
      { start: 10, end: 15 },
      { start: 55, end: 60 },
    ];
    expect(rangesOf(pauses({ gaps }))).toEqual([
      [0, 3.65],
      [10.2, 14.65],
      [55.2, 60],
    ]);
  });

  test("are what a spoken description leaves of a gap; gaps that touch are one", () => {
    const gaps = [
      { start: 0, end: 5 },
      { start: 5, end: 10 },
    ];
    const cues = [{ start: 2, end: 7 }];
    expect(rangesOf(pauses({ gaps, cues }))).toEqual([
      [0, 1.75],
      [7.25, 9.65],
    ]);
    // What is left is shorter than a pause is wanted.
    expect(rangesOf(pauses({ gaps, cues, minimumSeconds: 2 }))).toEqual([[7.25, 9.65]]);
  });

  test("have room for as many words as the voice says in them", () => {
    const gaps = [{ start: 0, end: 60 }];
    const shots = [SHOT, { ...SHOT, start: 6 }, { ...SHOT, start: 12 }];
    const [first] = pauses({ gaps, shots });
    expect([first?.end, first?.words, first?.unit]).toEqual([12, 33, undefined]);
    expect(pauses({ gaps, shots, pace: 1.5 })[0]?.words).toBe(22);
    expect(pauses({ gaps, shots, language: "ja-JP" })[0]).toMatchObject({ words: 60, unit: "characters" });
  });

  test("are cut where a shot begins, else evenly, and into nothing too short to say anything", () => {
    const cutAt = (...starts: number[]) =>
      rangesOf(
        pauses({
          gaps: [{ start: 0, end: 26 }],
          durationSeconds: 26,
          shots: starts.map((start) => ({ ...SHOT, start })),
        }),
      );
    expect(cutAt(0, 1, 5, 9, 14)).toEqual([
      [0, 9],
      [9, 14],
      [14, 26],
    ]);
    expect(cutAt(0)).toEqual([
      [0, 8.667],
      [8.667, 17.334],
      [17.334, 26],
    ]);
    // Three seconds are enough to say something.
    expect(cutAt(0, 3).map(([start]) => start)).toEqual([0, 3, 14.5]);
    expect(cutAt(0, 2.999).map(([start]) => start)).toEqual([0, 8.667, 17.334]);
    const lastFrom = (start: number) =>
      rangesOf(pauses({ gaps: [{ start: 0, end: 13 }], durationSeconds: 13, shots: [SHOT, { ...SHOT, start }] })).at(
        -1,
      );
    expect([lastFrom(10), lastFrom(10.001)]).toEqual([
      [10, 13],
      [6.5, 13],
    ]);
  });

  test("bring the dialogue next to them, and none from far away", () => {
    const line = (start: number, text: string) => ({ start, end: start + 2, text });
    const transcript = [
      line(1, "Far."),
      line(17.5, "The boat is late."),
      line(27, "It will come."),
      line(50, "Later."),
    ];
    const [pause] = pauses({ gaps: [{ start: 18.8, end: 27 }], transcript });
    expect(pause).toMatchObject({ before: "The boat is late.", after: "It will come." });
    const [alone] = pauses({ gaps: [{ start: 35, end: 38 }], transcript });
    expect([alone?.before, alone?.after]).toEqual(["It will come.", undefined]);
    // Ten seconds are near; a caption stays up for reading, up to two seconds into a pause.
    const around = (endsBefore: number, startsAfter: number) => {
      const lines = [
        { start: 1, end: 30.2 - endsBefore, text: "Before." },
        { start: 34.65 + startsAfter, end: 60, text: "After." },
      ];
      const [between] = pauses({ gaps: [{ start: 30, end: 35 }], transcript: lines });
      return [between?.before, between?.after];
    };
    expect([around(9.9, 9.9), around(10.1, 10.1)]).toEqual([
      ["Before.", "After."],
      [undefined, undefined],
    ]);
    expect([around(-1.9, -1.9), around(-2.1, -2.1)]).toEqual([
      ["Before.", "After."],
      [undefined, undefined],
    ]);
  });

  test("lie in gaps, in order, apart from what is spoken, none longer than a line, each with an id of its own", () => {
    const range = fc
      .tuple(numbersBetween(0, 200), numbersBetween(0.1, 60))
      .map(([start, seconds]) => ({ start, end: start + seconds }));
    fc.assert(
      fc.property(fc.array(range), fc.array(range), fc.array(numbersBetween(0, 200)), (gaps, cues, cuts) => {
        const shots = [0, ...cuts.sort((a, b) => a - b)].map((start) => ({ ...SHOT, start }));
        const found = pauses({ gaps, cues, shots, durationSeconds: 300 });
        let end = 0;
        for (const pause of found) {
          expect(pause.start).toBeGreaterThanOrEqual(end);
          expect(pause.end - pause.start).toBeLessThanOrEqual(12.002);
          for (const cue of cues) expect(overlapDuration(pause, cue)).toBe(0);
          end = pause.end;
        }
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      }),
    );
  });
});

describe("hints", () => {
  const shots: Shot[] = [
    { ...SHOT, end: 5, brightness: 0.01, contrast: 0.01 },
    { ...SHOT, start: 5, end: 8, opening: "fade", brightness: 0.1, colours: [{ name: "blue", share: 0.6 }] },
    { ...SHOT, start: 8, end: 12, opening: "cut", motion: "fast", saturation: 0.01 },
    { ...SHOT, start: 12, end: 20, opening: "cut", titleCard: true, frozenSeconds: 8, brightness: 0.7 },
  ];
  test("say in a few words what was measured while the pause lasts", () => {
    expect(hintsFor({ start: 1, end: 4 }, shots)).toEqual(["black"]);
    expect(hintsFor({ start: 4, end: 7.9 }, shots)).toEqual(["fade", "black", "dark", "mostly blue"]);
    expect(hintsFor({ start: 8, end: 19 }, shots)).toEqual([
      "cut",
      "black and white",
      "fast movement",
      "title card",
      "bright",
      "still",
    ]);
    expect(hintsFor({ start: 6, end: 19 }, shots)[0]).toBe("2 cuts");
    // The cut at 12 is over before anybody sees what follows.
    expect(hintsFor({ start: 9, end: 12.1 }, shots)).toEqual(["black and white", "fast movement"]);
  });
});
