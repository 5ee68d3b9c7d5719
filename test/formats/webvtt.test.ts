import { expect, test } from "vitest";
import { parseWebVtt, writeWebVtt } from "../../src/formats/index.ts";

const codesOf = (text: string) => parseWebVtt(text).issues.map((issue) => `${issue.code}@${issue.line}`);
const rowsOf = (text: string) => parseWebVtt(text).cues.map((cue) => [cue.start, cue.end, cue.text]);

test("FMT-02: writes a file that the standard's parser reads without an issue, cues to the millisecond", () => {
  const cues = [
    { id: "cue-0001", start: 0.5, end: 3.1, text: "A woman & a man: 1 < 2 --> 3." },
    { id: "cue-0002", start: 359_999.9994, end: 360_000, text: "Late" },
  ];
  const text = writeWebVtt(cues, { language: "en-US", title: "Aside --> x" });
  const read = parseWebVtt(text, { isStrict: true });
  expect(read.issues).toEqual([]);
  expect(read.language).toBe("en-US");
  expect(read.cues).toEqual([cues[0], { ...cues[1], start: 359_999.999 }]);
});

test.each([
  ["WEBVTT - a title\n\n00:01.000 --> 00:02.000\nx", []],
  ["WEBVTT\nKind: captions\nLanguage: en\n\n00:01.000 --> 00:02.000\nx", []],
  ["WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n\n00:01.000 --> 00:02.000\nx", []],
  ["WEBVTT\n00:01.000 --> 00:02.000\nx", []],
  ["\ufeffWEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\nx", []],
  ["WEBVTT FILE\r\r1\r00:01.000 --> 00:02.000\rx", []],
  ["webvtt\n\n00:01.000 --> 00:02.000\nx", ["missing-header@1"]],
  ["\n\nWEBVTT\n\n00:01.000 --> 00:02.000\nx", ["missing-header@1"]],
  ["00:01.000 --> 00:02.000\nx", ["missing-header@1"]],
  ["WEBVTT\n\n00:01,000 --> 00:02\nx", ["odd-time@3"]],
])("reads the header and times of %j", (text, issues) => {
  expect(rowsOf(text)).toEqual([[1, 2, "x"]]);
  expect(codesOf(text)).toEqual(issues);
});

test("drops in strict mode what the standard's parser drops", () => {
  expect(parseWebVtt("00:01.000 --> 00:02.000\nx", { isStrict: true }).cues).toEqual([]);
  expect(parseWebVtt("WEBVTT\n\n00:01,000 --> 00:02\nx", { isStrict: true }).cues).toEqual([]);
});

test.each([
  ["WEBVTT\n\n00:01.000 --> 00:0x.000\nx", "bad-timing@3"],
  ["WEBVTT\n\n00:01.000 --> 00:02.000\nx\n\nSTYLE\na", "stray-text@6"],
  ["WEBVTT\n\nfree text\n\n00:01.000 --> 00:02.000\nx", "missing-timing@3"],
  ["WEBVTT\n\n00:01.000 --> 00:02.000\n\n", "missing-text@3"],
  ["WEBVTT\n\n00:02.000 --> 00:01.000\nx", "end-before-start@3"],
  ["WEBVTT\n\na\n00:01.000 --> 00:02.000\nx\n\na\n00:02.000 --> 00:03.000\ny", "duplicate-id@8"],
  ["WEBVTT\n\n00:02.000 --> 00:03.000\nx\n\n00:01.000 --> 00:02.000\ny", "out-of-order@6"],
])("reports %j as %s", (text, issue) => {
  expect(codesOf(text)).toContain(issue);
});

test("gives equal ids numbers, keeps the others, and names cues without one", () => {
  const block = (id: string, second: number) => `${id}00:0${second}.000 --> 00:0${second + 1}.000\nx\n`;
  const text = ["WEBVTT\n", block("a\n", 1), block("a\n", 2), block("", 3), block("cue-0003\n", 4)].join("\n");
  const ids = parseWebVtt(text).cues.map((cue) => cue.id);
  expect(ids[0]).toBe("a");
  expect(ids[3]).toBe("cue-0003");
  expect(new Set(ids).size).toBe(4);
});

test("leaves out tags, voices, inner times and ruby readings, and decodes references", () => {
  const text = "<v Bob><c.yellow>Go</c></v> <00:01.500><ruby>漢<rt>kan</rt></ruby>&nbsp;&amp; a < b";
  expect(rowsOf(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}`)).toEqual([[1, 2, "Go 漢 & a < b"]]);
});

test.each([
  ["&eacute;&Ouml;&ccedil;&ntilde;&Scaron;&aring;", "éÖçñŠå"],
  ["&quot;a&quot; &amp; &lt;b&gt; &mdash; &hellip; &AElig;&oslash;&szlig;", '"a" & <b> — … Æøß'],
  ["&#233; &#x2014; &copy; &copy &nonsense; &constructor;", "é — © &copy &nonsense; &constructor;"],
])("references in plain words: %s", (text, words) => {
  expect(parseWebVtt(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`).cues).toMatchObject([{ text: words }]);
});

test("an id that would be read as something else is left out; words keep their marks", () => {
  const text = (id: string, words: string) => writeWebVtt([{ id, start: 1, end: 2, text: words }]);
  const block = (head: string, words: string) => `WEBVTT\n\n${head}00:00:01.000 --> 00:00:02.000\n${words}\n`;
  expect(text("a", "x")).toBe(block("a\n", "x"));
  expect(text("", "x")).toBe(block("", "x"));
  expect(text("a --> b", "x")).toBe(block("", "x"));
  expect(text("a\r\n\0b", "x")).toBe(block("a b\n", "x"));
  // Only what players take for an override block is written otherwise.
  expect(text("a", "{so} it is")).toBe(block("a\n", "{so} it is"));
  expect(text("a", "{i} so")).toBe(block("a\n", "&#123;i} so"));
  expect(text("a", "b &amp; c")).toBe(block("a\n", "b &amp;amp; c"));
});
