import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { voicedCues } from "../../src/result/stale.ts";
import { fitsGap, gapOf, paceFactor, remediesFor, remediesIn } from "../../src/workflow/remedies.ts";
import { placedResult } from "../fakes/placed-result.ts";

const CUE = { id: "a", start: 10, text: "She opens the old letter slowly.", seconds: 4 };
const GAP = { start: 8, end: 13, withMusic: { start: 8, end: 16 } };
const kindsOf = (cue: typeof CUE, gap: typeof GAP) =>
  remediesFor(cue, gap)
    .filter(({ isPossible }) => isPossible)
    .map(({ kind }) => kind);

describe("what can be done about a cue that is too long", () => {
  test("all five are named, with what comes of each", () => {
    const wordings = [
      { text: "She opens the letter.", seconds: 2.5 },
      { text: "She reads.", seconds: 1 },
    ];
    expect(remediesFor({ ...CUE, wordings }, GAP)).toMatchObject([
      { kind: "shorten", isPossible: true, text: "She opens the letter.", start: 10, end: 12.5, overrunSeconds: 0 },
      { kind: "move", isPossible: true, start: 9, end: 13, outcome: "Begins 1.0 s earlier" },
      { kind: "faster", isPossible: false, rate: 1.1, outcome: "Even 10 % faster, the limit, it is too long" },
      { kind: "duck", isPossible: true, start: 10, end: 14 },
      {
        kind: "accept",
        isPossible: true,
        start: 10,
        end: 14,
        overrunSeconds: 1,
        outcome: "Stays, 1.0 s beyond its gap",
      },
    ]);
  });

  test("a little too long, it is spoken faster within the limit", () => {
    const [, , faster] = remediesFor({ ...CUE, seconds: 3.15 }, GAP);
    expect(faster).toMatchObject({ isPossible: true, rate: 1.05, end: 13, overrunSeconds: 0 });
  });

  test("where nothing helps, the words that would fit are counted", () => {
    const gap = { start: 9.5, end: 11.5, withMusic: { start: 9.5, end: 11.5 } };
    expect(kindsOf(CUE, gap)).toEqual(["accept"]);
    expect(remediesFor(CUE, gap)[0]?.outcome).toBe("About 2 words would fit");
  });

  test("whatever is possible fits", () => {
    const seconds = fc.double({ min: 0.1, max: 12, noNaN: true });
    fc.assert(
      fc.property(seconds, seconds, seconds, seconds, (length, before, after, music) => {
        const gap = { start: 10 - before, end: 10 + after, withMusic: { start: 10 - before, end: 10 + after + music } };
        for (const { kind, isPossible, start, end, overrunSeconds, rate } of remediesFor(
          { ...CUE, seconds: length },
          gap,
        )) {
          expect(end).toBeGreaterThan(start);
          expect(rate).toBeLessThanOrEqual(1.1);
          if (!isPossible || kind === "accept") continue;
          expect(overrunSeconds).toBe(0);
          expect(
            fitsGap({ ...CUE, start, seconds: end - start }, kind === "duck" ? { ...gap, ...gap.withMusic } : gap),
          ).toBe(true);
        }
      }),
    );
  });
});

describe("the gap of a cue", () => {
  const cue = { id: "a", start: 10, end: 12, text: "A." };
  const around = { cues: [cue], speech: [], music: [], durationSeconds: 60 };

  test("keeps clear of speech and of other cues", () => {
    const speech = [
      { start: 5, end: 8 },
      { start: 20, end: 25 },
    ];
    expect(gapOf(cue, { ...around, speech })).toMatchObject({ start: 8.1, end: 19.9 });
    const next = { id: "b", start: 14, end: 16, text: "B." };
    expect(gapOf(cue, { ...around, speech, cues: [cue, next] })).toMatchObject({ start: 8.1, end: 13.75 });
  });

  test("ends at music, and goes on over it", () => {
    const gap = gapOf(cue, { ...around, music: [{ start: 12, end: 30 }] });
    expect(gap).toEqual({ start: 0, end: 12, withMusic: { start: 0, end: 60 } });
  });

  test("is the music's own for a cue that begins over it", () => {
    const gap = gapOf(cue, { ...around, music: [{ start: 9, end: 30 }] });
    expect(gap).toEqual({ start: 0, end: 60, withMusic: { start: 0, end: 60 } });
  });

  test("of a cue over speech is the nearest one", () => {
    expect(gapOf(cue, { ...around, speech: [{ start: 4, end: 11 }] })).toMatchObject({ start: 11.1, end: 60 });
  });
});

test("the voice's own pace scales the estimate", () => {
  expect(paceFactor([])).toBe(1);
  const text = "She opens the old letter slowly.";
  const one = paceFactor([{ id: "a", start: 0, end: 2, text }]);
  expect(paceFactor([{ id: "a", start: 0, end: 4, text }])).toBeCloseTo(2 * one);
});

test("a voice that goes on behind its cue into the next one has ways out, as long as it says the words", () => {
  const cues = [
    { id: "a", start: 10, end: 12, text: "A dog runs along the beach." },
    { id: "b", start: 12.6, end: 13, text: "It swims." },
  ];
  const settings = { language: "en-US", voice: "Kore" };
  const kept = { settings: { ...placedResult([]).settings, ...settings } };
  const voiced = voicedCues(cues, settings);
  const audio = { path: "n.wav", durationSeconds: 60 };
  const [cue] = cues;
  if (cue === undefined) throw new Error("no cue");
  const of = (seconds?: number) => {
    const was = seconds === undefined ? voiced : { ...voiced, a: { ...voiced["a"], seconds } };
    return remediesIn(placedResult(cues, { ...kept, audio, voiced: was as typeof voiced }), cue, new Map());
  };
  expect(of()).toEqual([]);
  const ways = of(3);
  expect(ways.map(({ kind }) => kind)).toEqual(["move", "accept"]);
  expect(ways.find(({ kind }) => kind === "accept")?.end).toBe(13);
});
