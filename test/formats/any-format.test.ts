import { describe, expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import {
  isCueFormat,
  isTimelineFormat,
  parseTimeline,
  readCues,
  readDocument,
  writeCmx3600,
  writeCueJson,
  writeCues,
  writeSubRip,
  writeWebVtt,
} from "../../src/formats/index.ts";
import { decodeCharacterReferences } from "../../src/formats/plain-markup.ts";
import { readServiceText } from "../../src/formats/service-formats.ts";
import { fileUrl } from "../../src/formats/timeline-document.ts";

const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
const CUES = [{ id: "a", start: 1, end: 2, text: "A door." }];

test("a format that is asked for is written by its writer, with what it has a place for", () => {
  const more = { grid: GRID, title: "Ferry", language: "de" };
  expect(writeCues(CUES, "vtt", more)).toBe(writeWebVtt(CUES, { title: "Ferry", language: "de" }));
  expect(writeCues(CUES, "srt", more)).toBe(writeSubRip(CUES));
  expect(writeCues(CUES, "json", more)).toBe(writeCueJson(CUES));
  expect(writeCues(CUES, "edl", more)).toBe(writeCmx3600(CUES, { grid: GRID, title: "Ferry" }));
  expect(writeCues(CUES, "edl", { grid: GRID })).toBe(writeCmx3600(CUES, { grid: GRID }));
  expect(() => writeCues(CUES, "edl")).toThrow(TypeError);
});

describe("the reader of a text", () => {
  const VTT = "WEBVTT\n\n00:01.000 --> 00:02.000\na\n";
  const SRT = "00:00:01,000 --> 00:00:02,000\na\n";
  const codes = (read: { issues: readonly { code: string }[] }) => read.issues.map(({ code }) => code);

  test("is the one that was asked for where it reads a cue, unless the text plainly is in another format", () => {
    expect(readCues(SRT, { format: "srt" })).toMatchObject({ format: "srt", confidence: 1 });
    expect(readCues(SRT)).toMatchObject({ format: "srt", confidence: 0.8 });
    // Times with arrows are read as WebVTT too.
    expect(readCues(SRT, { format: "vtt" })).toMatchObject({ format: "vtt", confidence: 1, cues: [{ text: "a" }] });
    expect(readCues(VTT, { format: "srt" })).toMatchObject({ format: "vtt", confidence: 1 });
    expect(readCues(SRT, { format: "json" })).toMatchObject({ format: "srt", confidence: 0.8, cues: [{ text: "a" }] });
    expect(readCues("WEBVTT\n", { format: "vtt" })).toMatchObject({ format: "vtt", confidence: 1, cues: [] });
    // Of 95 hundredths on a text is plainly in its format.
    expect(readCues(`1\n${SRT}`, { format: "vtt" })).toMatchObject({ format: "srt", confidence: 0.95 });
  });

  test("says of a text in none what was asked for, what stands there and that it cannot be read", () => {
    const none = readCues(` nothing ${"x".repeat(300)} `, { format: "srt" });
    expect(none).toMatchObject({
      format: "srt",
      confidence: 0,
      cues: [],
      issues: [{ code: "unknown-format", line: 0 }],
    });
    expect(none.issues[0]?.text).toMatch(/^nothing x+…$/);
    expect(readCues("nothing")).toMatchObject({ format: null });
    expect([codes(readCues(" \n", { format: "srt" })), codes(readCues("x"))]).toEqual([
      ["empty-text"],
      ["unknown-format"],
    ]);
  });

  test("of a service takes its formats alone, and names none that it does not know", () => {
    const grid = GRID;
    for (const [text, format] of [
      [VTT, "vtt"],
      [`1\n${SRT}`, "srt"],
      [writeCueJson(CUES), "json"],
      ["[0:01 - 0:02] a", "plaintext"],
      [writeCmx3600(CUES, { grid }), "edl"],
    ] as const) {
      const read = readServiceText(text, { grid });
      expect(read).toMatchObject({ format, cues: [{ start: 1, end: 2 }] });
      expect(read).not.toHaveProperty("events");
    }
    expect(codes(readServiceText("<tt/>"))).toEqual(["unknown-format"]);
    expect(readServiceText("x", { filename: "a.srt" })).toMatchObject({ format: "srt", confidence: 0.1 });
  });
});

describe("a document", () => {
  test("of a sequence has its markers as cues, the comment before the name", () => {
    const marker = (inner: string) => `<marker>${inner}</marker>`;
    const text = `<xmeml><sequence><name>Ferry</name><rate><timebase>25</timebase></rate>${[
      marker("<in>25</in><out>50</out><name>n</name><comment> said  so </comment>"),
      marker("<in>75</in><out>-1</out><name>n</name>"),
      marker("<in>100</in><out>125</out>"),
    ].join("")}</sequence></xmeml>`;
    const read = readDocument(text);
    expect(read).toMatchObject({
      format: "fcp7-xml",
      title: "Ferry",
      grid: { rate: frameRate(25), isDropFrame: false, startFrame: 0 },
    });
    expect(read.cues.map(({ start, end, text }) => [start, end, text])).toEqual([
      [1, 2, "said so"],
      [3, 3.5, "n"],
    ]);
    expect(read.issues.map(({ code }) => code)).toEqual(["missing-end", "missing-text"]);
    expect(parseTimeline(text)).toMatchObject({ format: "fcp7-xml", timeline: { name: "Ferry" } });
    expect(parseTimeline("WEBVTT\n")).toEqual({ format: null, timeline: null, issues: [] });
    expect(readDocument("<xmeml/>")).toMatchObject({
      format: "fcp7-xml",
      cues: [],
      extras: [],
      issues: [{ code: "no-timeline" }],
    });
  });

  test("names what would be lost of WebVTT and of TTML", () => {
    const vtt = `WEBVTT

NOTE a

REGION
id:r

STYLE
x

00:01.000 --> 00:02.000 align:left
a

00:01.000 --> 00:02.000 position:5%
<b>a
b

00:01.000 --> 00:02.000 xline:0 size:5%
1 < 2

00:01.000 --> 00:02.000 size:5% region:r
</i>
`;
    const extras = (text: string) =>
      Object.fromEntries(readDocument(text).extras.map(({ name, count }) => [name, count]));
    expect(extras(vtt)).toEqual({
      ...{ notes: 1, "style sheets": 1, regions: 1, "cues placed on the picture": 2, "cues with markup": 2 },
      "line breaks inside a cue": 1,
    });
    const ttml = `<tt xml:lang="en"><body><div begin="1s" end="2s" daptm:represents="visual.text" tta:gain="0.5"><ttm:desc>n</ttm:desc><ttm:desc>o</ttm:desc>
      <p>a</p><p xml:lang="fr">b</p></div><p begin="3s" end="4s">c</p></body></tt>`;
    expect(extras(ttml)).toEqual({
      ...{ "texts in a further language": 1, "gains of the programme": 1, notes: 2 },
      "statements of what a cue represents": 1,
    });
    expect(readDocument(ttml).language).toBe("en");
  });

  test("is of cues, or of a sequence, or neither", () => {
    expect(
      (["vtt", "csv", "scc", "otio", "fcp7-xml", "fcpxml", "ttml"] as const).map((format) => [
        isCueFormat(format),
        isTimelineFormat(format),
      ]),
    ).toEqual([
      ...Array.from({ length: 3 }, () => [true, false]),
      ...Array.from({ length: 3 }, () => [false, true]),
      [false, false],
    ]);
  });
});

test.each([
  ["/a b/c#d.wav", "file:///a%20b/c%23d.wav"],
  ["/a/12:30.wav", "file:///a/12:30.wav"],
  ["C:\\a b\\c.wav", "file:///C:/a%20b/c.wav"],
  ["c:/a.wav", "file:///c:/a.wav"],
  ["\\\\server\\a b\\c.wav", "file://server/a%20b/c.wav"],
  ["a\\b c.wav", "a%5Cb%20c.wav"],
  ["a b/c.wav", "a%20b/c.wav"],
  ["file://localhost/a%20b.wav", "file://localhost/a%20b.wav"],
  ["https://x/a b", "https://x/a b"],
  ["S3+x-1.0:y z", "S3+x-1.0:y z"],
  ["1a:b c", "1a:b%20c"],
  ["/ü\ud800.wav", "file:///%C3%BC%EF%BF%BD.wav"],
])("the address of %j is %j", (location, url) => {
  expect(fileUrl(location)).toBe(url);
});

test.each([
  ["&amp;&lt;&gt;&quot;&apos;", "&<>\"'"],
  ["&#65;&#x42;&#X43;&#0000068;", "ABCD"],
  ["&#0;&#xd800;&#xDFFF;&#x110000;&#55295;&#57344;&#x10ffff;", "\ufffd\ufffd\ufffd\ufffd\ud7ff\ue000\u{10ffff}"],
  ["&#128;&#x9f;&#127;&#160;&#x8d;", "€Ÿ\u007f\u00a0\u008d"],
  ["&eacute;&Zcaron;&quml;&eacutex;&eacute", "éŽ&quml;&eacutex;&eacute"],
  ["&acute;&E;&1;&#;&#x;&#xg;&;", "&acute;&E;&1;&#;&#x;&#xg;&;"],
  ["&frac12;&sup2;&ndash;&euro;", "½²–€"],
])("the references %j stand for %j", (text, characters) => {
  expect(decodeCharacterReferences(text)).toBe(characters);
});
