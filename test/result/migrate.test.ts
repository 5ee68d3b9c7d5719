import { describe, expect, test } from "vitest";
import { fingerprintOf } from "../../src/core/bytes.ts";
import { frameRate } from "../../src/core/frame-rate.ts";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";
import { resultFromReport } from "../../src/result/read-report.ts";
import { type EarlierReview, readRecord, resultFromReview } from "../../src/result/record.ts";
import { askedSettings, RESULT_VERSION } from "../../src/result/result.ts";
import { staleCues } from "../../src/result/stale.ts";

const CUES = [
  { id: "cue-0001", start: 1, end: 2, text: "A dog." },
  { id: "cue-0002", start: 4, end: 6, text: "A cat." },
];
const WRITTEN = CUES.map((cue) => ({ ...cue, text: `${cue.text} Big.` }));
const LAYOUT = [
  { kind: "video", track: 0, name: "A", media: "m", file: "a.mov", start: 0, end: 9, sourceStart: 0, speed: 1 },
];
const VOICED = { words: "w", start: 1, end: 2, language: "en-US", voice: "Kore", level: "none" };
const SETTINGS = { ...DEFAULT_SETTINGS, voice: "Kore", captions: { content: "secret", filename: "a.srt" } };

/** One of each that earlier versions wrote, field by field as they wrote it. */
const RECORD_1 = {
  version: 1,
  revision: 3,
  sequenceId: "s1",
  runId: "run-1",
  jobId: "job-1",
  settings: SETTINGS,
  track: "ad_only",
  offsetSeconds: 10,
  durationSeconds: 60,
  cues: CUES,
  markerIds: { "cue-0001": "m-1" },
  clipNames: ["aside-1.wav"],
  layout: LAYOUT,
};
const RECORD_2 = {
  ...RECORD_1,
  version: 2,
  generated: WRITTEN,
  toWrite: [{ id: "pause-0001", start: 20, end: 25, words: 12, hints: ["dark"] }],
  voiced: { "cue-0001": VOICED },
  voicing: { track: "ad_only", narrationGainDb: 2, lines: [] },
  described: LAYOUT,
  signOff: { name: "Kim", signedAt: "2026-01-01T00:00:00.000Z", cuesHash: "h" },
};
const REVIEW_1: EarlierReview = {
  runId: "run-1",
  exported: { offsetSeconds: 10, durationSeconds: 60 },
  cues: CUES,
  original: WRITTEN,
  findings: [{ rule: "pace", severity: "warn", cueIds: ["cue-0001"], message: "fast" }],
  standing: [{ rule: "conform-touched", severity: "warn", cueIds: ["cue-0002"], message: "cut" }],
  issues: [],
  notices: ["moved"],
  rawFormat: "vtt",
  speech: [{ start: 2, end: 3, confidence: 0.9 }],
  music: [{ start: 7, end: 8 }],
  wordings: { "cue-0001": [{ text: "Dog.", seconds: 0.4 }] },
  audio: { path: "/out/narration.wav", durationSeconds: 60 },
  pieces: { "cue-0002": { path: "/out/2.wav", start: 4, durationSeconds: 1 } },
  isRecut: true,
  type: "standard",
  acceptedIds: ["cue-0001"],
  mutedIds: ["cue-0002"],
};
const SEQUENCE = { name: "Harbour", rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
const JOB = { jobId: "job-1", settings: SETTINGS, track: "ad_only" as const, sequence: SEQUENCE };
const REPORT = {
  generator: "aside",
  job_id: "job-1",
  cues: WRITTEN.map((cue) => ({ ...cue, timecode: "01:00:01:00" })),
  settings: { voice: "Kore", track: "mixed" },
  service_report: {
    describer: "text",
    speech: [[2, 3, 0.9]],
    music: [
      [1, 2, 0.4],
      [7, 8, 0.6],
    ],
    dialogue: [{ start: 2, end: 3, text: "Who is there?" }, { start: 4 }],
  },
  programme: {
    name: "Harbour",
    duration_seconds: 60,
    frame_rate: "30000/1001",
    drop_frame: true,
    start_timecode: "00:01:00;02",
  },
};
const recordText = (value: object) => `${fingerprintOf(JSON.stringify(value))} ${JSON.stringify(value)}`;

describe("a result of an earlier version", () => {
  test("a record of version 1 opens: what was placed counts as what was generated, and nothing is known of its sound", () => {
    expect(readRecord(recordText(RECORD_1))).toMatchObject({
      ok: true,
      record: {
        version: RESULT_VERSION,
        revision: 3,
        runId: "run-1",
        jobId: "job-1",
        settings: askedSettings(SETTINGS),
        cues: CUES,
        generated: CUES,
        voiced: {},
        placed: { sequenceId: "s1", markerIds: { "cue-0001": "m-1" }, clipNames: ["aside-1.wav"], layout: LAYOUT },
      },
    });
  });

  test("a record of version 2 opens with all that it held", () => {
    const { toWrite, voicing, signOff, described } = RECORD_2;
    const reading = readRecord(recordText(RECORD_2));
    expect(reading).toMatchObject({
      ok: true,
      record: { cues: CUES, generated: WRITTEN, toWrite, voicing, signOff, voiced: { "cue-0001": VOICED } },
    });
    expect(reading).toMatchObject({ record: { placed: { described, layout: LAYOUT } } });
    expect(readRecord(recordText({ ...RECORD_2, generated: null }))).toMatchObject({ record: { generated: null } });
  });

  test("no text that was given along is taken over", () => {
    expect(JSON.stringify(readRecord(recordText(RECORD_2)))).not.toContain("secret");
    expect(JSON.stringify(resultFromReview(REVIEW_1, JOB))).not.toContain("secret");
  });

  test("a result that the panel kept opens with every word, choice and sound", () => {
    const { rawFormat: _, type: __, exported, original, ...same } = REVIEW_1;
    const result = resultFromReview(REVIEW_1, JOB);
    expect(result).toMatchObject({
      ...same,
      ...exported,
      generated: original,
      version: RESULT_VERSION,
      jobId: "job-1",
      track: "ad_only",
      sequence: SEQUENCE,
    });
    expect(result).not.toHaveProperty("original");
    expect(result).not.toHaveProperty("rawFormat");
    // Its narration was made from what the service wrote, so that each of the editor's words is to be voiced.
    expect(staleCues(result, result.cues, result.settings).map(({ reasons }) => reasons)).toEqual([
      ["words"],
      ["words"],
    ]);
    expect(resultFromReview({ ...REVIEW_1, voiced: { "cue-0001": VOICED } }, JOB).voiced).toEqual({
      "cue-0001": VOICED,
    });
    expect(resultFromReview(REVIEW_1, { ...JOB, track: "none" }).voiced).toEqual({});
    expect(resultFromReview({ ...REVIEW_1, speech: null }, JOB)).not.toHaveProperty("speech");
  });

  test("the report of a run opens as a result that nobody has worked on", () => {
    expect(resultFromReport(JSON.stringify(REPORT))).toMatchObject({
      cues: WRITTEN,
      generated: WRITTEN,
      settings: { voice: "Kore", language: "en-US" },
      track: "mixed",
      describer: "text",
      durationSeconds: 60,
      sequence: {
        name: "Harbour",
        rate: { numerator: 30_000, denominator: 1001 },
        isDropFrame: true,
        startFrame: 1800,
      },
      speech: [{ start: 2, end: 3, confidence: 0.9 }],
      music: [{ start: 7, end: 8 }],
      dialogue: [{ start: 2, end: 3, text: "Who is there?" }],
    });
    for (const text of [JSON.stringify({ ...REPORT, generator: "other" }), "WEBVTT", "{}", "null", "[]"]) {
      expect(resultFromReport(text)).toBeNull();
    }
  });
});
