import { expect, test } from "vitest";
import { EMPTY_BIBLE } from "../../../src/core/film-bible.ts";
import { jobReport, type ReportParts } from "../../../src/engine/pipeline/job-report.ts";
import { ANALYSIS_VERSION } from "../../../src/engine/programme-analysis.ts";
import { writeBible } from "../../../src/formats/bible-text.ts";

const PARTS: ReportParts = {
  analysis: {
    version: ANALYSIS_VERSION,
    durationSeconds: 5,
    heard: { speech: [], music: [], silence: [] },
    levels: [],
    shots: [],
    hasVisiblePicture: true,
    keyFrames: [],
    lettering: [],
  },
  describer: "vision",
  transcript: [],
  notes: [],
  stageSeconds: {},
};
const found = { ...EMPTY_BIBLE, story: "He waits.", persons: [{ label: "the man", looks: "tall" }] };

test("a report holds what was learned of the film, under an editor's own words letter by letter", () => {
  expect(jobReport(PARTS)).not.toHaveProperty("bible");
  expect(jobReport({ ...PARTS, bible: { found, given: undefined } }).bible).toBe(writeBible(found));
  const given = "story\n  He  hides.\n";
  const completed = jobReport({ ...PARTS, bible: { found: { ...found, story: "He hides." }, given } }).bible;
  expect(completed).toBe("story\n  He  hides.\n\n# Persons\nthe man = tall\n");
});

test("a report names the lines that their writer was not sure of", () => {
  const doubts = [{ said: "A man runs.", confidence: 0.4, why: "dark" }];
  expect(jobReport({ ...PARTS, doubts }).doubts).toEqual(doubts);
  expect(jobReport(PARTS)).not.toHaveProperty("doubts");
});

test("a report lists what is said, to the millisecond and without times of words", () => {
  const line = {
    start: 1.23456,
    end: 2,
    text: "Who\nis there?",
    speaker: "A",
    words: [{ start: 1.3, end: 1.5, text: "Who" }],
  };
  const sound = { start: 3, end: 4, text: "[a door slams]" };
  expect(jobReport({ ...PARTS, transcript: [sound, line] }).dialogue).toEqual([
    { start: 1.235, end: 2, text: "Who is there?", speaker: "A" },
  ]);
  expect(jobReport({ ...PARTS, transcript: [sound] })).not.toHaveProperty("dialogue");
});
