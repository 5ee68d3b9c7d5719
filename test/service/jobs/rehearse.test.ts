import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { type FitRequest, fitDescriptions, rehearse } from "../../../src/engine/pipeline/fit.ts";

const { signal } = new AbortController();
const words = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`).join(" ");

/** Four lines of 11 words, about four seconds each, under speech but for five seconds at the start and at the end. */
const REQUEST: FitRequest = {
  descriptions: [0, 10, 20, 35].map((start, index) => ({
    id: `cue-${index}`,
    wordings: [words(11, `w${index}x`)],
    picture: { start, end: start + 2 },
    importance: [0.5, 0.9, 0.6, 0.8][index] ?? 0,
  })),
  settings: DEFAULT_SETTINGS,
  gaps: [
    { start: 0, end: 5, sound: "ambience" },
    { start: 35, end: 40, sound: "ambience" },
  ],
  speech: [{ start: 5, end: 35 }],
  phraseEnds: [],
  cuts: [],
  durationSeconds: 40,
};
const extended = (share?: number, script?: string): FitRequest => ({
  ...REQUEST,
  // Speech with a breath at each picture.
  speech: [
    { start: 0.5, end: 10 },
    { start: 10.5, end: 20 },
    { start: 20.5, end: 35 },
    { start: 35.5, end: 40 },
  ],
  settings: {
    ...DEFAULT_SETTINGS,
    type: "extended",
    ...(share === undefined ? {} : { describing: { maximumAddedShare: share } }),
    ...(script === undefined ? {} : { script }),
  },
});

describe("rehearsing", () => {
  test("says what would be spoken, when, and what has no place", async () => {
    const { spoken, unspoken } = await rehearse(REQUEST, null, signal);
    const { cues } = await fitDescriptions(REQUEST, null, signal, () => {});
    expect(spoken.map(({ id, start, text }) => [id, start, text])).toEqual(
      cues.map(({ id, start, text }) => [id, start, text]),
    );
    expect(spoken.map(({ id }) => id)).toEqual(["cue-0", "cue-3"]);
    expect([...unspoken].sort()).toEqual(["cue-1", "cue-2"]);
  });

  test("counts a held line for as long as it is heard", async () => {
    const { spoken } = await rehearse(extended(10), null, signal);
    expect(spoken).toHaveLength(4);
    for (const { start, end } of spoken) expect(end - start).toBeCloseTo(4, 6);
  });
});

describe("added time", () => {
  const added = async (request: FitRequest) => {
    const { cues, unplaced } = await fitDescriptions(request, null, signal, () => {});
    return { cues, unplaced, seconds: cues.reduce((sum, { holdSeconds }) => sum + holdSeconds, 0) };
  };

  test("keeps to the share of the programme that was asked for, and says of what it leaves out why", async () => {
    const { cues, unplaced, seconds } = await added(extended(0.2));
    expect(seconds).toBeLessThanOrEqual(8);
    expect(cues.map(({ id }) => id)).toEqual(["cue-1", "cue-3"]);
    expect(unplaced.map(({ id, reason }) => [id, reason])).toEqual([
      ["cue-0", "added-time"],
      ["cue-2", "added-time"],
    ]);
  });

  test("is half of the programme unless somebody says otherwise", async () => {
    const long = {
      ...extended(),
      descriptions: REQUEST.descriptions.map((one) => ({ ...one, wordings: [words(22, one.id)] })),
    };
    const { seconds, unplaced } = await added(long);
    expect(seconds).toBeGreaterThan(10);
    expect(seconds).toBeLessThanOrEqual(20);
    expect(unplaced.length).toBeGreaterThan(0);
  });

  test("has no limit for a script: a person wants every line told", async () => {
    const { cues, unplaced } = await added(extended(0.01, "00:00 Mine."));
    expect(cues).toHaveLength(4);
    expect(unplaced).toEqual([]);
  });
});

test("what says when it is seen is told from then on; a script's line may come before", async () => {
  const [line] = REQUEST.descriptions;
  if (line === undefined) throw new Error("it is there");
  const late = { ...REQUEST, descriptions: [{ ...line, picture: { start: 5, end: 7 }, importance: 1 }] };
  expect((await rehearse(late, null, signal)).spoken).toEqual([]);
  const script = { ...late, settings: { ...DEFAULT_SETTINGS, script: "00:05 Mine." } };
  const { spoken } = await rehearse(script, null, signal);
  expect(spoken[0]?.start).toBeLessThan(5);
});
