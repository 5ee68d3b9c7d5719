import { expect, test } from "vitest";
import { detectFormat, readCues } from "../../src/formats/index.ts";
import { corpusText } from "../corpus/corpus-files.ts";

test.each([
  ["webvtt/odd/webvttpy-sample.vtt", "vtt"],
  ["srt/odd/webvttpy-sample.srt", "srt"],
  ["srt/odd/astisub-missing-sequence-in.srt", "srt"],
  ["srt/plaintext-like/webvttpy-sample.sbv", "sbv"],
  ["srt/same-content/sonnet001.sub", "sbv"],
  ["edl/otio/25fps.edl", "edl"],
  ["edl/resolve-markers/Timeline.edl", "edl"],
  ["srt/same-content/sonnet001.json", "json"],
  ["srt/same-content/sonnet001.txt", "plaintext"],
])("names %s as %s and is nearly sure", (path, format) => {
  const found = detectFormat(corpusText(path));
  expect(found?.format).toBe(format);
  expect(found?.confidence).toBeGreaterThanOrEqual(0.8);
});

test("the text counts more than the name, the name more than nothing", () => {
  expect(detectFormat("WEBVTT\n", "a.srt")?.format).toBe("vtt");
  expect(detectFormat("00:01.000 --> 00:02.000\nx", "a.vtt")?.format).toBe("vtt");
  expect(detectFormat("00:01.000 --> 00:02.000\nx", "a.srt")?.format).toBe("srt");
  expect(detectFormat("nothing to see", "a.srt")).toEqual({ format: "srt", confidence: 0.1 });
  expect(detectFormat("nothing to see")).toBeNull();
  expect(detectFormat("", "a.srt")).toBeNull();
});

test("a row in brackets is no JSON", () => {
  expect(detectFormat("[00:01.5] Hello\n[00:02.5] You")?.format).toBe("plaintext");
  expect(detectFormat('[{"start": 1}]')?.format).toBe("json");
});

test("a format given for certain gives way when nothing can be read in it", () => {
  const text = "WEBVTT\n\n00:01.000 --> 00:02.000\nx\n";
  expect(readCues(text, { format: "edl" })).toMatchObject({ format: "vtt", cues: [{ text: "x" }] });
  expect(readCues(text, { format: "vtt" })).toMatchObject({ format: "vtt", confidence: 1 });
});

test("says that a text is empty, or in no format", () => {
  expect(readCues(" \n").issues.map((issue) => issue.code)).toEqual(["empty-text"]);
  const unknown = readCues("nothing to see");
  expect(unknown.issues.map((issue) => issue.code)).toEqual(["unknown-format"]);
  expect(unknown).toMatchObject({ format: null, confidence: 0, cues: [] });
});

test.each([
  ["ttml", "srt/same-content/sonnet001.ttml"],
  ["otio", "xml/otio/transition.otio"],
  ["fcpxml", "xml/fcpxml/24.fcpxml"],
])("names %s, which it does not read, and says what to do", (format, path) => {
  const { cues, issues } = readCues(corpusText(path));
  expect(cues).toEqual([]);
  expect(issues[0]?.message).toContain(`it is ${format}`);
});

test("hands on the language a WebVTT header states", () => {
  expect(readCues("WEBVTT\nKind: descriptions\nLanguage: de\n\n00:01.000 --> 00:02.000\nx\n").language).toBe("de");
});
