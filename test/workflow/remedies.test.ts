import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ESTIMATED_WORDS_PER_MINUTE, estimateSpeakingSeconds } from "../../src/core/speaking-time.ts";
import { voicedCues } from "../../src/result/stale.ts";
import { fitsGap, gapOf, paceFactor, remediesFor, remediesIn, roomFor } from "../../src/workflow/remedies.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { numbersBetween } from "../numbers-between.ts";

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
    const seconds = numbersBetween(0.1, 12);
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

describe("each way out", () => {
  const way = (kind: string, cue: Parameters<typeof remediesFor>[0], gap = GAP) => {
    const found = remediesFor(cue, gap).find((one) => one.kind === kind);
    if (found === undefined) throw new Error(kind);
    return found;
  };

  test("other words are the longest that fit, though others are listed before them; none fits what is too short", () => {
    const words = (...lengths: number[]) => lengths.map((seconds) => ({ text: `${seconds}`, seconds }));
    const shorten = (...lengths: number[]) => way("shorten", { ...CUE, wordings: words(...lengths) });
    expect(shorten(1, 2.5, 2)).toMatchObject({
      isPossible: true,
      text: "2.5",
      end: 12.5,
      outcome: "Says “2.5” in 2.5 s",
    });
    expect(shorten(3.4, 3.01, 1)).toMatchObject({ isPossible: true, text: "3.01", overrunSeconds: 0 });
    expect(shorten(3.03, 4)).toMatchObject({ isPossible: false, text: CUE.text, outcome: "About 4 words would fit" });
    // Of words that take no time the pace is the usual one.
    expect(way("shorten", { ...CUE, seconds: 0 }).outcome).toBe(
      `About ${Math.floor((3 * ESTIMATED_WORDS_PER_MINUTE) / 60)} words would fit`,
    );
    const full = { ...GAP, end: 8 };
    expect(way("shorten", CUE, full).outcome).toBe("No word would fit");
  });

  test("another start is the nearest at which all of it fits, told by how far and to which side it lies", () => {
    expect(way("move", { ...CUE, start: 7 })).toMatchObject({
      isPossible: true,
      start: 8,
      outcome: "Begins 1.0 s later",
    });
    expect(way("move", { ...CUE, start: 12 })).toMatchObject({
      isPossible: true,
      start: 9,
      outcome: "Begins 3.0 s earlier",
    });
    expect(way("move", { ...CUE, start: 8.5 })).toMatchObject({ start: 8.5, outcome: "Begins 0.0 s later" });
    expect(way("move", { ...CUE, seconds: 5.01 })).toMatchObject({ isPossible: true, overrunSeconds: 0 });
    expect(way("move", { ...CUE, seconds: 5.03 })).toMatchObject({
      isPossible: false,
      outcome: "The gap has 5.0 s, and 5.0 s are needed",
    });
  });

  test("a faster voice is as fast as it needs to be, up to the limit and never slower than the normal one", () => {
    expect(way("faster", { ...CUE, seconds: 3.3 })).toMatchObject({ isPossible: true, outcome: "Speaks 10 % faster" });
    expect(way("faster", { ...CUE, seconds: 3.31 }).isPossible).toBe(false);
    expect(way("faster", { ...CUE, seconds: 1 })).toMatchObject({ isPossible: true, rate: 1, end: 11 });
    expect(way("faster", { ...CUE, start: 14 })).toMatchObject({ isPossible: false, rate: 1.1 });
    expect(way("faster", { ...CUE, seconds: 0, start: 14 }).isPossible).toBe(false);
  });

  test("music lowered under it is one where it makes room that the gap has not", () => {
    const duck = (seconds: number, withMusic: { start: number; end: number }) =>
      way("duck", { ...CUE, seconds }, { ...GAP, withMusic });
    expect(duck(8, { start: 8, end: 16 })).toMatchObject({ isPossible: true, start: 8, end: 16, overrunSeconds: 0 });
    expect(duck(8.01, { start: 8, end: 16 })).toMatchObject({ isPossible: true, overrunSeconds: 0 });
    expect(duck(8.03, { start: 8, end: 16 }).isPossible).toBe(false);
    expect(duck(4, { start: 8, end: 13 }).isPossible).toBe(false);
    expect(duck(4, { start: 8, end: 13.01 }).isPossible).toBe(false);
  });

  test("what stays tells how far it lies beyond its gap, before it and behind it", () => {
    const accept = (start: number, seconds: number) => way("accept", { ...CUE, start, seconds });
    expect(accept(7, 7)).toMatchObject({ overrunSeconds: 2, outcome: "Stays, 2.0 s beyond its gap" });
    expect(accept(7.99, 5.02)).toMatchObject({ overrunSeconds: expect.closeTo(0, 5) });
    expect(accept(9, 4.01)).toMatchObject({ overrunSeconds: 0 });
    expect(accept(9, 4.03).overrunSeconds).toBeCloseTo(0.03, 9);
  });

  test("a cue fits that begins and ends within its gap, to less than a frame", () => {
    const fits = (start: number, seconds: number) => fitsGap({ ...CUE, start, seconds }, GAP);
    expect([fits(8, 5), fits(7.99, 1), fits(9, 4.01)]).toEqual([true, true, true]);
    expect([fits(7.97, 1), fits(9, 4.03), fits(14, 0.1)]).toEqual([false, false, false]);
  });
});

describe("the room of a cue in a result", () => {
  const text = "She opens the old letter slowly.";
  const cue = { id: "a", start: 10, end: 12, text };
  const other = { id: "b", start: 20, end: 24, text: "He waits there." };
  const result = placedResult([cue, other], { speech: [{ start: 16, end: 18 }], durationSeconds: 60 });
  const none = new Map();
  const stale = new Map([["a", true]]);

  test("is what is left of its gap behind its words: as long as they are spoken, else as the voice would take for them", () => {
    const spoken = roomFor(result, cue, text, none);
    expect(spoken.seconds).toBe(2);
    // The speech begins at 16 s, and is kept clear of.
    expect(spoken.left).toBeCloseTo(15.9 - 12, 9);
    const pace = paceFactor([other]);
    const words = "She opens the very old letter.";
    for (const [room, of] of [
      [roomFor(result, cue, words, stale), words],
      [roomFor(result, cue, text, stale), text],
    ] as const) {
      expect(room.seconds).toBeCloseTo(estimateSpeakingSeconds(of) * pace, 9);
      expect(room.left).toBeCloseTo(5.9 - room.seconds, 9);
      expect(room.wordsLeft).toBe(Math.floor((room.left * ESTIMATED_WORDS_PER_MINUTE) / 60 / pace));
    }
    // What was never spoken has no length of its own, whatever its cue says.
    const empty = { ...cue, text: "" };
    expect(roomFor({ ...result, cues: [empty, other] }, empty, "", none).seconds).toBe(0);
    const typed = roomFor(result, cue, words, none);
    expect(typed.seconds).toBeCloseTo(estimateSpeakingSeconds(words) * paceFactor([cue, other]), 9);
  });

  test("is missing where its words are too long, in seconds and in words", () => {
    const long = `${text} ${text} ${text} ${text}`;
    const room = roomFor(result, cue, long, stale);
    expect(room.left).toBeLessThan(0);
    expect(room.wordsLeft).toBeLessThan(0);
    expect(Number.isInteger(room.wordsLeft)).toBe(true);
  });

  test("counts from its start, or from where its gap begins or ends", () => {
    const at = (start: number) => roomFor(result, { ...cue, start, end: start + 2 }, text, none);
    expect(at(5).left).toBeCloseTo(15.9 - 5 - 2, 9);
    // Over the speech: the nearest pause begins behind it.
    const over = at(17.5);
    expect(over.left).toBeCloseTo(19.75 - 18.1 - 2, 9);
    expect(at(16.2).left).toBeCloseTo(-2, 9);
  });

  test("ways out are those that are possible, with the wordings that a service wrote for that very cue", () => {
    const crowded = { ...result, cues: [{ ...cue, end: 17 }, other] };
    const wordings = { a: [{ text: "She opens it.", seconds: 1 }], b: [{ text: "He waits.", seconds: 0.5 }] };
    const kinds = (of: Partial<typeof result>) =>
      remediesIn({ ...crowded, ...of }, { ...cue, end: 17 }, none).map(({ kind, text: words }) => [kind, words]);
    expect(kinds({})).toEqual([
      ["move", text],
      ["accept", text],
    ]);
    expect(kinds({ wordings })).toEqual([
      ["shorten", "She opens it."],
      ["move", text],
      ["accept", text],
    ]);
    expect(remediesIn(result, cue, none)).toEqual([]);
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

  test("is that of the music which the cue begins over, also where there is other music", () => {
    const two = [
      { start: 30, end: 40 },
      { start: 10, end: 14 },
    ];
    expect(gapOf(cue, { ...around, music: two })).toMatchObject({ start: 0, end: 60 });
    expect(gapOf({ ...cue, start: 14 }, { ...around, music: two })).toMatchObject({ start: 14, end: 30 });
    const full = gapOf(cue, { ...around, speech: [{ start: 0, end: 60 }] });
    expect(full).toEqual({ start: 10, end: 10, withMusic: { start: 10, end: 10 } });
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
  expect(paceFactor([{ id: "a", start: 0, end: 2, text: "" }])).toBe(1);
  expect(paceFactor([{ id: "a", start: 2, end: 2, text: "She opens it." }])).toBe(1);
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
