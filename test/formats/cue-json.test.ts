import { expect, test } from "vitest";
import { parseCueJson, readCues, writeCueJson } from "../../src/formats/index.ts";

const entry = { start_time: 0.5, end_time: 3.1, description: "A woman sits at a desk." };
const expected = [[0.5, 3.1, "A woman sits at a desk."]];
const rows = (input: unknown) => parseCueJson(input).cues.map((cue) => [cue.start, cue.end, cue.text]);

const SHAPES: Record<string, unknown> = {
  "content as text": { output: { format: "json", content: JSON.stringify([entry]) } },
  "content as array": { output: { format: "json", content: [entry] } },
  segments: { output: { format: "json", segments: [{ id: 1, ...entry }] } },
  "segments in content text": { output: { format: "json", content: JSON.stringify({ segments: [entry] }) } },
  items: {
    output: {
      language: "en-US",
      ad_type: "extended_ad",
      items: [{ start: 0.5, end: 3.1, text: "A woman sits at a desk." }],
      vtt: "WEBVTT\n",
    },
  },
  "vtt alone": { output: { language: "en-US", vtt: "WEBVTT\n\n00:00.500 --> 00:03.100\nA woman sits at a desk.\n" } },
  "bare array": [entry],
  "times as text": [{ start: "00:00:00.500", end: "0:03.1", text: "A woman sits at a desk." }],
  "start and duration": [{ start: 0.5, duration: 2.6, text: "A woman sits at a desk." }],
};

test.each(Object.keys(SHAPES))("OPEN-15: reads the shape %s, parsed and as text", (name) => {
  expect(rows(SHAPES[name])).toEqual(expected);
  expect(rows(JSON.stringify(SHAPES[name]))).toEqual(expected);
});

test("keeps the language a reply states", () => {
  expect(parseCueJson(SHAPES["items"]).language).toBe("en-US");
});

test("reads times with frame numbers on the given grid", () => {
  const grid = { rate: { numerator: 25, denominator: 1 }, isDropFrame: false, startFrame: 0 };
  const { cues } = parseCueJson([{ start: "00:00:01:05", end: "00:00:02:10", text: "x" }], { grid });
  expect([cues[0]?.start, cues[0]?.end]).toEqual([1.2, 2.4]);
});

test("reports entries that are no cue, and keeps the others", () => {
  const { cues, issues } = parseCueJson([entry, 7, { start_time: 1 }, { description: "no time" }, null]);
  expect(cues).toHaveLength(1);
  expect(issues.map((issue) => [issue.code, issue.message.split(": ")[1]])).toEqual([
    ["bad-entry", "entry 2"],
    ["bad-entry", "entry 3"],
    ["bad-entry", "entry 4"],
    ["bad-entry", "entry 5"],
  ]);
});

test.each(["{", "[1,", '"text"', "", "nul"])("never throws on %j", (text) => {
  expect(parseCueJson(text).cues).toEqual([]);
});

test("says that a text is not JSON", () => {
  expect(parseCueJson("{").issues.map((issue) => issue.code)).toContain("bad-json");
});

test("FMT-01: writes an array of entries with times in seconds and the text", () => {
  const text = writeCueJson([{ id: "cue-0001", start: 1 / 3, end: 2, text: 'He says "no".' }]);
  expect(JSON.parse(text)).toEqual([{ id: "cue-0001", start_time: 0.333, end_time: 2, description: 'He says "no".' }]);
  expect(readCues(text).format).toBe("json");
  expect(JSON.parse(writeCueJson([]))).toEqual([]);
});
