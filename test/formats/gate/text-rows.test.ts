import { describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { type FilmReading, readDocument } from "../../../src/formats/index.ts";

const AT_25 = { rate: frameRate(25), isDropFrame: false };
const FILM = { grid: { ...AT_25, startFrame: 900_000 }, durationSeconds: 40 } as const satisfies FilmReading;
const UNLABELLED = { ...FILM, grid: { ...AT_25, startFrame: 0 } };

/** SubRip of texts at their clock times. */
const srt = (...lines: readonly (readonly [start: string, end: string, text: string])[]) =>
  lines.map(([start, end, text], at) => `${at + 1}\n${start},000 --> ${end},000\n${text}\n`).join("\n");

const ON_TIMECODE = srt(
  ["10:00:05", "10:00:08", "Is anybody there?"],
  ["10:00:22", "10:00:27", "Quietly now, quietly."],
);

const read = (text: string, film: FilmReading = {}, filename = "a.srt") => readDocument(text, { filename, ...film });
const startsOf = (...given: Parameters<typeof read>) => read(...given).cues.map(({ start }) => start);

describe("media times count from", () => {
  test("0 where nothing is known of the film, and nothing is said of it", () => {
    expect(startsOf(ON_TIMECODE)).toEqual([36_005, 36_022]);
    expect(read(ON_TIMECODE)).toMatchObject({ verdict: { kind: "fits" }, receipt: { facts: ["2 cues"] } });
  });

  test("the film's timecode where they cannot lie in the film otherwise, which is told", () => {
    const found = read(ON_TIMECODE, { ...FILM, holds: "dialogue" });
    expect(found.cues.map(({ start }) => start)).toEqual([5, 22]);
    expect(found.verdict).toEqual({ kind: "repaired", how: ["zero is 10:00:00 (the film's timecode)"] });
    expect(found.receipt?.facts).toEqual(["2 captions", "zero is 10:00:00 (the film's timecode)"]);
  });

  test("the whole hour before the first, of a film that has no timecode", () => {
    expect(startsOf(ON_TIMECODE, UNLABELLED)).toEqual([5, 22]);
  });

  test("what a person says, whatever the film's timecode is", () => {
    expect(startsOf(ON_TIMECODE, { ...FILM, startLabel: "10:00:05:00" })).toEqual([0, 17]);
    expect(startsOf(ON_TIMECODE, { startLabel: "10:00:00" })).toEqual([5, 22]);
  });

  test("the next day behind midnight", () => {
    const text = srt(["23:59:55", "23:59:58", "She waits here."], ["00:00:03", "00:00:06", "The bell rings."]);
    const grid = { ...AT_25, startFrame: 25 * (86_400 - 10) };
    expect(startsOf(text, { grid, durationSeconds: 40 })).toEqual([5, 13]);
  });
});

test("a text of which nothing lies in the film is none of it, and why is said", () => {
  const found = read(srt(["00:05:00", "00:05:03", "Far away."]), FILM);
  expect(found).toMatchObject({ cues: [], verdict: { kind: "does not fit" } });
  expect(found.verdict).toMatchObject({
    why: expect.stringContaining("from 300.0 s to 303.0 s, the film ends at 40.0 s"),
  });
});

describe("where both the film's timecode and 0 are possible", () => {
  const hour = { grid: { ...AT_25, startFrame: 90_000 }, durationSeconds: 7200 };
  const text = srt(["01:04:00", "01:04:03", "Who is it?"], ["01:40:00", "01:40:03", "Nobody at all."]);

  test("nothing is read before a person has chosen, and each choice gives what it shows", () => {
    const { cues, verdict, receipt } = read(text, { ...hour, durationSeconds: 6100 });
    expect(cues).toEqual([]);
    if (verdict?.kind !== "unsure") throw new Error(`it is ${verdict?.kind}`);
    expect(receipt).toEqual({ facts: [], leftOut: [] });
    expect(verdict.readings.map(({ choice, preview }) => [choice.start, preview[0]?.start])).toEqual([
      ["00:00:00", 3840],
      ["01:00:00", 240],
    ]);
    expect(startsOf(text, { ...hour, startLabel: "01:00:00" })).toEqual([240, 2400]);
    expect(startsOf(text, { ...hour, startLabel: "00:00:00" })).toEqual([3840, 6000]);
  });

  test("the speech that was heard decides for dialogue, and against descriptions", () => {
    const speech = [
      { start: 239.5, end: 244 },
      { start: 2399.5, end: 2404 },
    ];
    expect(startsOf(text, { ...hour, speech, holds: "dialogue" })).toEqual([240, 2400]);
    expect(startsOf(text, { ...hour, speech, holds: "descriptions" })).toEqual([3840, 6000]);
  });
});

describe("numbers without a unit are", () => {
  const table = (...rows: readonly string[]) => ["start\tend\ttext", ...rows].join("\n");
  const whisper = table("5100\t8900\tIs anybody there?", "22500\t27800\tQuietly now, quietly.");

  test("milliseconds where seconds would be hours for four words, with and without a film", () => {
    for (const film of [{}, UNLABELLED]) expect(startsOf(whisper, film, "a.tsv")).toEqual([5.1, 22.5]);
    expect(read(whisper, {}, "a.tsv").issues.map(({ code }) => code)).toContain("assumed-unit");
  });

  test("seconds where people speak as fast as they do", () => {
    expect(startsOf(table("5.1\t8.9\tIs anybody there?"), {}, "a.tsv")).toEqual([5.1]);
    expect(startsOf(table("5\t9\tIs anybody there?"), UNLABELLED, "a.tsv")).toEqual([5]);
  });

  test("frames of the film, or what a person says", () => {
    const frames = table("125\t225\tIs anybody there?", "550\t690\tQuietly now, quietly.");
    expect(startsOf(frames, UNLABELLED, "a.tsv")).toEqual([5, 22]);
    expect(startsOf(whisper, { unit: "samples" }, "a.tsv")).toEqual([5100 / 48_000, 22_500 / 48_000]);
  });
});

test("cues behind the film's end are told of", () => {
  const found = read(
    srt(["00:00:05", "00:00:08", "Here."], ["00:00:30", "00:00:33", "And here."], ["00:00:50", "00:00:53", "Late."]),
    UNLABELLED,
  );
  expect(found.receipt?.facts).toContain("1 of them lie behind the film's end");
});

describe("two digits behind a point are", () => {
  const list = (...times: readonly string[]) =>
    times.map((time, at) => `[${time}] Line ${at} is spoken here.`).join("\n");

  test("frames where there are many and none reaches the film's rate, which is told", () => {
    const found = read(list("4.22", "9.07", "1.04.12", "1.10.24"), { ...UNLABELLED, durationSeconds: 90 }, "a.txt");
    expect(found.cues.map(({ start }) => start)).toEqual([4.88, 9.28, 64.48, 70.96]);
    expect(found.verdict).toEqual({
      kind: "repaired",
      how: ["times in seconds and frames (no fraction reaches the frame rate)"],
    });
  });

  test("hundredths where one is no frame, where the film's rate is not known, or a unit stands behind them", () => {
    expect(startsOf(list("4.22", "9.07", "12.25"), UNLABELLED, "a.txt")).toEqual([4.22, 9.07, 12.25]);
    expect(startsOf(list("4.22", "9.07", "1.04.12"), {}, "a.txt")).toEqual([4.22, 9.07, 64.12]);
    expect(startsOf(list("4.22s", "9.07s", "12.12s"), UNLABELLED, "a.txt")).toEqual([4.22, 9.07, 12.12]);
  });

  test("asked about where there are few, and each choice gives what it shows", () => {
    const text = list("4.22", "9.07");
    const { verdict } = read(text, UNLABELLED, "a.txt");
    if (verdict?.kind !== "unsure") throw new Error(`it is ${verdict?.kind}`);
    expect(verdict.question).toBe("What do the times count?");
    expect(verdict.readings.map(({ choice }) => choice.unit).sort()).toEqual(["s", "s.ff"]);
    expect(startsOf(text, { ...UNLABELLED, unit: "s" }, "a.txt")).toEqual([4.22, 9.07]);
    expect(startsOf(text, { ...UNLABELLED, unit: "s.ff" }, "a.txt")).toEqual([4.88, 9.28]);
  });
});
