import { describe, expect, test } from "vitest";
import type { LeftOutLine } from "../../../src/contract/job.ts";
import { TimeMap } from "../../../src/core/time-map.ts";
import type { FittedCue } from "../../../src/engine/pipeline/fit.ts";
import { heldFor, heldLines, heldReport, videoReport } from "../../../src/engine/pipeline/held-job.ts";
import {
  jobReport,
  leftOutLines,
  leftOutNotes,
  notEnoughGaps,
  type ReportParts,
} from "../../../src/engine/pipeline/job-report.ts";
import { doubtsOf, wordingsOf } from "../../../src/engine/pipeline/line-findings.ts";
import { ANALYSIS_VERSION } from "../../../src/engine/programme-analysis.ts";

const shot = (start: number, end: number) => ({
  ...({ start, end, opening: "cut", brightness: 0.5, contrast: 0.1, saturation: 0.2, motion: "slow" } as const),
  ...{ colours: [], frozenSeconds: 0, titleCard: false, keyFrameAt: start },
});
const heard = (start: number, end: number, confidence: number) => ({ start, end, confidence });
const leftOut = (text: string, start: number, reason: LeftOutLine["reason"] = "too-long"): LeftOutLine => ({
  ...{ text, start, end: start + 2, seconds: 3, reason },
});

/** Two of everything, at times that have more than three decimals. */
const PARTS: ReportParts = {
  analysis: {
    version: ANALYSIS_VERSION,
    durationSeconds: 60,
    heard: {
      speech: [heard(1.00049, 2, 0.91234), heard(4, 5.9996, 1)],
      music: [heard(10, 20, 0.5), heard(30.1234, 40, 0.75)],
      silence: [
        { start: 50, end: 51.5555 },
        { start: 55, end: 60 },
      ],
      unknown: [
        { start: 20, end: 21 },
        { start: 22.22222, end: 23 },
      ],
    },
    levels: [0, 60],
    shots: [shot(0, 7.0004), shot(7.0004, 60)],
    hasVisiblePicture: true,
    keyFrames: [],
    lettering: [],
  },
  describer: "vision",
  transcript: [
    { start: 1, end: 2, text: "Who is there?" },
    { start: 4.4444, end: 6, text: "Me." },
  ],
  singing: [
    { start: 10.9999, end: 12 },
    { start: 13, end: 14 },
  ],
  notes: ["One.", "Two."],
  stageSeconds: { analyse: 1, fit: 2 },
  mix: {
    ...{ sampleCount: 48_000, channels: 2, programmeLufs: null, narrationGainDb: 1, volumeGainDb: 0 },
    ...{ integratedLufs: -23.04, truePeakDbtp: null },
    cues: [
      {
        ...{ cueId: "a", start: 1, seconds: 2, narrationLufs: -23.16, programmeLufs: null, isOverMusic: false },
        ...{ duckDb: 0, marginLu: null, isCut: false },
      },
      {
        ...{ cueId: "b", start: 5, seconds: 2, narrationLufs: -22.94, programmeLufs: -30.25, isOverMusic: true },
        ...{ duckDb: 6.06, marginLu: 13.33, isCut: false },
      },
    ],
  },
  leftOut: [leftOut("A cat.", 3.33333), leftOut("A dog.", 4.44444, "crowded")],
};

test("a report has all of what was measured, in seconds to a thousandth and levels to a tenth", () => {
  expect(jobReport(PARTS)).toEqual({
    describer: "vision",
    speech: [
      [1, 2, 0.912],
      [4, 6, 1],
    ],
    music: [
      [10, 20, 0.5],
      [30.123, 40, 0.75],
    ],
    silence: [
      [50, 51.556],
      [55, 60],
    ],
    unknown: [
      [20, 21],
      [22.222, 23],
    ],
    singing: [
      [11, 12],
      [13, 14],
    ],
    levels: [0, 60],
    shots: [0, 7],
    dialogue: [
      { start: 1, end: 2, text: "Who is there?" },
      { start: 4.444, end: 6, text: "Me." },
    ],
    notes: ["One.", "Two."],
    stage_seconds: { analyse: 1, fit: 2 },
    mix: {
      ...{ channels: 2, integrated_lufs: -23, true_peak_dbtp: null },
      cues: [
        { id: "a", narration_lufs: -23.2, programme_lufs: null, ducked_db: 0, margin_lu: null, over_music: false },
        { id: "b", narration_lufs: -22.9, programme_lufs: -30.2, ducked_db: 6.1, margin_lu: 13.3, over_music: true },
      ],
    },
    left_out: [
      { text: "A cat.", start: 3.333, end: 5.333, seconds: 3, reason: "too-long" },
      { text: "A dog.", start: 4.444, end: 6.444, seconds: 3, reason: "crowded" },
    ],
  });
});

const cue = (id: string, start: number, more: Partial<FittedCue> = {}): FittedCue => ({
  ...{ id, start, end: start + 2, text: `Words of ${id}.`, rate: 1, narrationSeconds: 2, holdSeconds: 0 },
  ...more,
});

test("a held programme is told pause by pause and line by line, on the clock of the video", () => {
  const map = new TimeMap([
    { at: 10, seconds: 2.00049 },
    { at: 20, seconds: 3 },
  ]);
  const cues = [
    { id: "a", text: "A.", start: 10.00012, end: 12 },
    { id: "b", text: "B.", start: 22.00049, end: 25 },
  ];
  expect(heldReport({ map, cues }, 60)).toEqual({
    duration_seconds: 65,
    pauses: [
      { at: 10, video_time: 10, seconds: 2 },
      { at: 20, video_time: 22, seconds: 3 },
    ],
    cues: [
      { id: "a", start: 10, end: 12 },
      { id: "b", start: 22, end: 25 },
    ],
  });
});

test("every line that has to wait holds the programme, whatever is known of its picture", () => {
  const lines = [
    cue("a", 5, { end: 6, narrationSeconds: 3, holdSeconds: 2 }),
    cue("b", 20, { end: 21, narrationSeconds: 4, holdSeconds: 3 }),
  ];
  const held = heldFor(lines, { picture: null } as never, 60);
  expect(held.map.holds.map(({ at }) => Math.round(at))).toEqual([6, 21]);
  expect(held.cues.map(({ id, end, start }) => [id, Math.round(end - start)])).toEqual([
    ["a", 3],
    ["b", 4],
  ]);
});

test("every line of a video is heard at its own time and rate, and the programme runs under it until it is held", () => {
  const map = new TimeMap([
    { at: 10, seconds: 2 },
    { at: 20, seconds: 3 },
  ]);
  const heard = [
    { id: "a", text: "A.", start: 1, end: 4 },
    { id: "b", text: "B.", start: 8, end: 12 },
    { id: "c", text: "C.", start: 22, end: 25 },
    { id: "d", text: "D.", start: 30, end: 31 },
  ];
  const fitted = heard.map(({ id }, index) => cue(id, 0, { rate: 1 + index / 10 }));
  expect(heldLines(fitted, { map, cues: heard })).toEqual([
    { id: "a", text: "A.", start: 1, rate: 1, runningSeconds: 3 },
    { id: "b", text: "B.", start: 8, rate: 1.1, runningSeconds: 2 },
    { id: "c", text: "C.", start: 22, rate: 1.2, runningSeconds: 0 },
    { id: "d", text: "D.", start: 30, rate: 1.3, runningSeconds: 1 },
  ]);
  const held = { map, cues: [] };
  expect(videoReport(held, 60, { isPictureCopied: true, encodedSeconds: 7.00049 })).toMatchObject({
    ...{ picture: "copied", encoded_seconds: 7, duration_seconds: 65 },
    pauses: [{ at: 10 }, { at: 20 }],
  });
  expect(videoReport(held, 60, { isPictureCopied: false, encodedSeconds: 0 })).not.toHaveProperty("encoded_seconds");
});

describe("lines that are left out", () => {
  const descriptions = ["a", "b", "c"].map((id, index) => ({
    ...{ id, wordings: [`Words of ${id}.`], picture: { start: 10 * index, end: 10 * index + 2 }, importance: 1 },
  }));
  const late = [
    { id: "late", wordings: ["After."], picture: { start: 70, end: 73 }, importance: 1 },
    { id: "later", wordings: ["Long after."], picture: { start: 65, end: 66 }, importance: 1 },
  ];

  test("stand at the script's own times, in their order, those behind the end among them", () => {
    const unplaced = [
      { id: "c", text: "Words of c.", seconds: 4, reason: "crowded" },
      { id: "b", text: "Words of b.", seconds: 5, reason: "too-long" },
      { id: "x", text: "Of no script.", seconds: 5, reason: "too-long" },
    ] as const;
    expect(leftOutLines(unplaced, { descriptions, late })).toEqual([
      { text: "Words of b.", start: 10, end: 12, seconds: 5, reason: "too-long" },
      { text: "Words of c.", start: 20, end: 22, seconds: 4, reason: "crowded" },
      { text: "Long after.", start: 65, end: 66, seconds: 1, reason: "after-end" },
      { text: "After.", start: 70, end: 73, seconds: 3, reason: "after-end" },
    ]);
  });

  test("are told of one by one, with the reason", () => {
    expect(leftOutNotes([leftOut("A cat.", 3, "no-sound"), leftOut("A dog.", 4, "after-end")])).toEqual([
      'Left out, because the voice gave no sound for it: "A cat."',
      'Left out, because it begins after the programme\'s end: "A dog."',
    ]);
  });

  test("are named where nothing has a place: eight of them, sixty characters of each, the rest as a number", () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => leftOut(`Line ${index}.`, 60 * index));
    const messageOf = (some: readonly LeftOutLine[], gap = 1.25) => notEnoughGaps(some, gap).message;
    expect(messageOf(lines(2))).toContain(
      'as the longest gap lasts 1.3 s: 00:00:00.000 "Line 0." takes 3.0 s; 00:01:00.000 "Line 1." takes 3.0 s.',
    );
    expect(messageOf(lines(8))).toContain('00:07:00.000 "Line 7." takes 3.0 s. Set auto_fit');
    expect(messageOf(lines(10))).toContain('00:07:00.000 "Line 7." takes 3.0 s; and 2 lines more. Set auto_fit');
    expect(messageOf([leftOut("x".repeat(60), 0)])).toContain(`"${"x".repeat(60)}"`);
    expect(messageOf([leftOut("x".repeat(61), 0)])).toContain(`"${"x".repeat(59)}…"`);
    expect(messageOf(lines(1), 0)).toContain("as there is no gap");
  });
});

test("what a person has to look at is told of every line: other wordings, and doubts", () => {
  const others = [{ text: "Short.", seconds: 1 }];
  const cues = [cue("a", 0), cue("b", 10, { others }), cue("c", 20, { others })];
  expect(wordingsOf({ cues, unplaced: [] })).toEqual([
    { said: "Words of b.", others },
    { said: "Words of c.", others },
  ]);
  const written = ["a", "b", "c", "unplaced"].map((id, index) => ({
    ...{ id, wordings: ["As written."], picture: { start: 0, end: 1 }, importance: 1 },
    ...(index === 0 ? {} : { confidence: index / 5, doubt: "dark" }),
  }));
  expect(doubtsOf(written, { cues, unplaced: [] })).toEqual([
    { said: "Words of b.", confidence: 0.2, why: "dark" },
    { said: "Words of c.", confidence: 0.4, why: "dark" },
  ]);
  expect([wordingsOf, doubtsOf.bind(null, [])].map((of) => of({ cues: [], unplaced: [] }))).toEqual([
    undefined,
    undefined,
  ]);
});
