import { expect, test } from "vitest";
import { EMPTY_BIBLE } from "../../../src/core/film-bible.ts";
import { writeBible } from "../../../src/formats/bible-text.ts";
import { jobReport, type ReportParts } from "../../../src/service/jobs/job-report.ts";
import { ANALYSIS_VERSION } from "../../../src/service/programme-analysis.ts";

const PARTS: ReportParts = {
  analysis: {
    version: ANALYSIS_VERSION,
    durationSeconds: 5,
    heard: { speech: [], music: [], silence: [] },
    shots: [],
    hasVisiblePicture: true,
    keyFrames: [],
  },
  describer: "vision",
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
