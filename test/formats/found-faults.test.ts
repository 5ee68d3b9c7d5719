import { expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { convertCues, parseFcpxml, parseSubRip, readDocument, type WritableFormat } from "../../src/formats/index.ts";

// Inputs that once went wrong, found by laws and fuzzing, as small as they could be made.

test.each<[WritableFormat, string]>([
  ["vtt", "{\\an8} is no override block"],
  ["srt", "0:00:01.000,0:00:02.000"],
  ["sbv", "0:00:01.000,0:00:02.000"],
  ["sbv", "one[br]two"],
  ["csv", "<i>"],
  ["tsv", "{i} <"],
  ["plaintext", ",Start,Text"],
])("%s keeps the words %j", (format, text) => {
  const grid = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };
  const cues = [{ id: "a", start: 1, end: 2, text }];
  const written = convertCues({ format: null, cues, issues: [], extras: [] }, { format, grid }).text;
  expect(readDocument(written, { format, grid }).cues.map((cue) => cue.text)).toEqual([text]);
});

test.each([false, true])("three digits count frames above 100 fps, drop-frame %s", (isDropFrame) => {
  const grid = { rate: frameRate(120000, 1001), isDropFrame, startFrame: 0 };
  const cues = [{ id: "a", start: 0, end: 1001 / 120000, text: "x" }];
  const written = convertCues({ format: null, cues, issues: [], extras: [] }, { format: "tsv", grid }).text;
  expect(readDocument(written, { grid }).cues).toMatchObject([{ start: 0, end: 1001 / 120000 }]);
});

test("markers of an OTIO file of ours count from 0, however late the first one is", () => {
  const grid = { rate: frameRate(24), isDropFrame: false, startFrame: 86_400 };
  const cues = [{ id: "cue-0001", start: 3600, end: 3601, text: "x" }];
  const written = convertCues({ format: null, cues, issues: [], extras: [] }, { format: "otio", grid }).text;
  expect(readDocument(written).cues).toEqual(cues);
});

test("an arrow behind a million digits is looked at once", () => {
  const { issues } = parseSubRip(`1\n${"1".repeat(1_000_000)} -x->\n`);
  expect(issues.map((issue) => issue.code)).toContain("missing-timing");
});

test("a time that no double can tell from its neighbours is dropped", () => {
  const { cues, issues } = readDocument(
    '[{"start": 1e30, "end": 2e30, "text": "x"}, {"start": 1, "end": 2, "text": "y"}]',
  );
  expect(cues.map((cue) => cue.text)).toEqual(["y"]);
  expect(issues.map((issue) => issue.code)).toEqual(["bad-timing"]);
});

test("FCPXML clips whose offsets overlap follow each other, and a marker never ends before it starts", () => {
  const { timeline } = parseFcpxml(
    '<fcpxml><resources><asset id="r" duration="100s" hasVideo="1"/></resources><sequence><spine>' +
      '<asset-clip ref="r"/><asset-clip ref="r" offset="5s" duration="2s"><marker start="1s" duration="-8s" value="m"/>' +
      "</asset-clip></spine></sequence></fcpxml>",
  );
  expect(timeline?.tracks[0]?.clips.map(({ start, end }) => [start, end])).toEqual([
    [0, 5],
    [5, 7],
  ]);
  expect(timeline?.markers).toMatchObject([{ start: 6, end: 6 }]);
});

test("a start of Final Cut Pro 7 XML beyond what a number counts exactly is none", () => {
  const { timeline } = readDocument(
    "<xmeml><sequence><timecode><frame>9999999999999999</frame></timecode></sequence></xmeml>",
  );
  expect(timeline?.startFrame).toBe(0);
});

test("an id of TTML on several lines is kept on one, so that a table of the cues is still known for one", () => {
  const { cues } = readDocument('<tt><body><p xml:id="\n9\n0,6->0" begin="0s" end="1s">T</p></body></tt>');
  expect(cues).toMatchObject([{ id: "9 0,6->0", text: "T" }]);
  const grid = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };
  const { text } = convertCues({ format: null, cues, issues: [], extras: [] }, { format: "csv", grid });
  expect(readDocument(text, { format: "csv" }).cues).toEqual(cues);
});

test("a transition of FCPXML that ends before it starts is reported, and is none", () => {
  const { timeline, issues } = parseFcpxml(
    '<fcpxml><sequence><spine><transition name="Cross Dissolve" duration="-1s"/></spine></sequence></fcpxml>',
  );
  expect(timeline?.tracks).toEqual([]);
  expect(issues).toMatchObject([{ code: "bad-time", text: "transition Cross Dissolve" }]);
});

test("a very long id of white space is read at once", () => {
  const id = "\ufeff".repeat(400_000);
  const { cues } = readDocument(`<tt><body><p xml:id="${id}" begin="0s" end="1s">T</p></body></tt>`);
  expect(cues).toMatchObject([{ text: "T" }]);
});

test("a start of FCPXML beyond what a number counts exactly is none", () => {
  const { timeline } = parseFcpxml('<fcpxml><sequence tcStart="999999999999999s"><spine/></sequence></fcpxml>');
  expect(timeline?.startFrame).toBe(0);
});
