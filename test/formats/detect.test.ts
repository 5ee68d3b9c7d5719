import { expect, test } from "vitest";
import { candidatesAmong } from "../../src/formats/format.ts";
import { type DocumentFormat, detectFormat, formatOfName, readCues } from "../../src/formats/index.ts";
import { detectServiceFormat, SERVICE_FORMATS, type ServiceFormat } from "../../src/formats/service-formats.ts";
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

const EVENT = "001 AX V C 01:00:00:00 01:00:01:00 01:00:00:00 01:00:01:00";
const TEXTS: readonly (readonly [text: string, format: DocumentFormat | null, confidence: number])[] = [
  ...(["WEBVTT", "WEBVTT\nx", "\ufeff \nWEBVTT x"] as const).map((text) => [text, "vtt", 1] as const),
  ...["WEBVTTx", "x WEBVTT", "nothing", "", " \n"].map((text) => [text, null, 0] as const),
  ...["[]", "[ ", "{", "{ }x", '{"a":1}', "[-1]", '[{"a":1}]', "[[1]]", "[12] a", '{"a":"OTIO_SCHEMA"}'].map(
    (text) => [text, "json", 0.9] as const,
  ),
  ...["[x]", "[a] words", "{b} words", 'x {"a":1}'].map((text) => [text, null, 0] as const),
  ["[00:01] words", "plaintext", 0.85],
  ["[0:01 - 0:02] a", "plaintext", 0.85],
  ["7\n00:00:01,000 --> 00:00:02,000\na", "srt", 0.95],
  [" 12 \n00:00:01,5 -> 00:00:02,5\na", "srt", 0.95],
  ["00:00:01,000 --> 00:00:02,000\na", "srt", 0.8],
  ["1\n00:00:01.000 --> 00:00:02.000\na", "srt", 0.8],
  ["1\n00:00:01 --> 00:00:02,000\na", "srt", 0.8],
  ["00:00:01.000 --> 00:00:02.000\na", "srt", 0.6],
  ["x1\n00:01.000 --> 00:02.000\na", "srt", 0.6],
  ["1x\n00:01.000 --> 00:02.000\na", "srt", 0.6],
  ["x 1,2 a\n00:01.000-->00:02.000\na", "srt", 0.6],
  ["00:00:01,000-->00:00:02,000\na", "srt", 0.8],
  ["01 ---> 2", "srt", 0.6],
  ...["01 ----> 2", "a --> 1", "1 --> b"].map((text) => [text, null, 0] as const),
  ["TITLE: a", "edl", 0.5],
  ["  fcm : NON", "edl", 0.5],
  [`TITLE: a\n${EVENT}`, "edl", 1],
  [`\n ${EVENT}`, "edl", 0.9],
  ...["TITLE a", "x TITLE: a", `x ${EVENT}`].map((text) => [text, null, 0] as const),
  ["0:01 a", "plaintext", 0.85],
  ["0:01 a\n\n \nb", "plaintext", 0.65],
  ["0:01 a\nb\nc\nd", "plaintext", 0.525],
  [`TITLE: a\n${EVENT}\n0:01 a`, "edl", 1],
  ["0:00:01.000,0:00:02.000 \na", "sbv", 0.95],
  ["1\n00:00:01,000 --> 00:00:02,000\n0:00:01.000,0:00:02.000", "srt", 0.95],
  ["0:00:01.000,0:00:02.000\n00:00:01.000 --> 00:00:02.000", "sbv", 0.95],
  ["x0:00:01.000,0:00:02.000", null, 0],
  ['xFile type = "ooTextFile"', null, 0],
  ...["<tt/>", "<a:tt>", "<tt", "<TT>", "<?xml version='1.0'?><tt>", "<!-- <smil> -->\n<!DOCTYPE a>\n<tt>"].map(
    (text) => [text, "ttml", 1] as const,
  ),
  ["<xmeml/>", "fcp7-xml", 1],
  ["<fcpxml/>", "fcpxml", 1],
  ...["<other/>", "<ttx>", "<?xml", "<!-- a", "<?xml?>", "< tt>", "x<tt/>"].map((text) => [text, null, 0] as const),
  ['{"OTIO_SCHEMA": "Timeline.1"}', "otio", 1],
  ['{"OTIO_SCHEMA" :1}', "otio", 1],
  ['x {"OTIO_SCHEMA":1}', null, 0],
  ["start,end,text\n0:01,0:02,a", "csv", 0.95],
  ["Ferry\n\nstart;end;text\n0:01;0:02;a", "csv", 0.95],
  ["start\tend\ttext\n0:01\t0:02\ta", "tsv", 0.95],
  ["0:01,0:02,a\nstart,end,text", "csv", 0.8],
  ["0:01,0:02,a b", "csv", 0.8],
  ["0:01;0:02;a b", "csv", 0.8],
  ["0:01\t0:02\ta\tb", "tsv", 0.95],
  ["Ferry\n0:01\t0:02\ta\tb", "tsv", 0.95],
  ["0:01\t0:02\ta", "plaintext", 0.85],
  ["Ferry\n0:01,0:02,a b", null, 0],
  ["0:01 a\n0:02,0:03,b", "plaintext", 0.65],
];

test.each(TEXTS)("%j is %s, as sure as %d", (text, format, confidence) => {
  const found = detectFormat(text);
  expect([found?.format ?? null, found?.confidence ?? 0]).toEqual([format, confidence]);
});

test("of what a service knows, the same is found; the rest is none to it", () => {
  const ofServices = new Set<string | null>([
    "vtt",
    "srt",
    "edl",
    "json",
    "plaintext",
    null,
  ] satisfies (ServiceFormat | null)[]);
  for (const [text, format, confidence] of TEXTS.filter(([, format]) => ofServices.has(format))) {
    const found = detectServiceFormat(text);
    expect([text, found?.format ?? null, found?.confidence ?? 0]).toEqual([text, format, confidence]);
  }
  const kinds = (text: string) =>
    candidatesAmong<ServiceFormat>(SERVICE_FORMATS, text)
      .map(({ format, confidence }) => `${format} ${confidence}`)
      .sort();
  expect(kinds("1\n00:00:01.000 --> 00:00:02.000\n0:01 a\nb")).toEqual(["plaintext 0.525", "srt 0.8", "vtt 0.5"]);
  expect(kinds("00:01.000 --> 00:02.000\na")).toEqual(["srt 0.6", "vtt 0.59"]);
  expect(kinds("00:01,000 --> 00:02,000\na")).toEqual(["srt 0.8"]);
});

test("a name adds to what the text speaks for, and never makes surer than sure", () => {
  expect(detectFormat("0:01 a\nb", "a.b.TXT ")?.confidence).toBeCloseTo(0.85, 9);
  expect(detectFormat("0:01 a\nb", "txt")?.confidence).toBe(0.65);
  expect(detectFormat("WEBVTT", "a.vtt")?.confidence).toBe(1);
  expect(detectServiceFormat("00:01.000 --> 00:02.000\na", "a.webvtt")).toEqual({ format: "vtt", confidence: 0.79 });
  expect(detectServiceFormat("nothing", "a.json")).toEqual({ format: "json", confidence: 0.1 });
  expect(detectServiceFormat(" \n", "a.json")).toBeNull();
  expect(detectServiceFormat("nothing", "a.csv")).toBeNull();
  expect(["a.stl", "a.SSA", "x.dfxp", "x", "x.", "x.prproj", undefined].map((name) => formatOfName(name))).toEqual([
    ...["ebu-stl", "ass", "ttml"],
    ...Array.from({ length: 4 }, () => undefined),
  ]);
});
