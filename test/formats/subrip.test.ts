import { expect, test } from "vitest";
import { parseSubRip, writeSubRip } from "../../src/formats/index.ts";
import { corpusText } from "../corpus/corpus-files.ts";

const codesOf = (text: string) => parseSubRip(text).issues.map((issue) => `${issue.code}@${issue.line}`);
const rowsOf = (text: string) => parseSubRip(text).cues.map((cue) => [cue.start, cue.end, cue.text]);

test("FMT-03: writes numbers, comma times and blank lines between cues", () => {
  const cues = [
    { id: "a", start: 0.5, end: 3.1, text: "A woman sits at a desk." },
    { id: "b", start: 3600, end: 3661.0014, text: "She\nopens the letter." },
  ];
  expect(writeSubRip(cues)).toBe(
    "1\n00:00:00,500 --> 00:00:03,100\nA woman sits at a desk.\n\n2\n01:00:00,000 --> 01:01:01,001\nShe opens the letter.\n",
  );
});

test("reads a file in the letter of the format without an issue", () => {
  const { cues, issues } = parseSubRip(corpusText("srt/odd/webvttpy-sample.srt"));
  expect(cues.map((cue) => cue.text)).toEqual([1, 2, 3, 4, 5].map((n) => `Caption text #${n}`));
  expect(issues).toEqual([]);
});

test("takes a fraction as decimals whatever its length: ,04 is 40 ms", () => {
  const { cues, issues } = parseSubRip(corpusText("srt/odd/astisub-missing-sequence-in.srt"));
  expect([cues[0]?.start, cues[0]?.end]).toEqual([99, 101.04]);
  expect(cues).toHaveLength(6);
  expect(new Set(issues.map((issue) => issue.code))).toEqual(new Set(["odd-time"]));
});

test("keeps a number that is the whole text of a cue", () => {
  expect(rowsOf("1\n00:00:00,000 --> 00:00:01,000\n1\n\n2\n00:00:01,000 --> 00:00:02,000\n42")).toEqual([
    [0, 1, "1"],
    [1, 2, "42"],
  ]);
});

test("takes text behind a blank line as more of the cue, and says so", () => {
  const text = "1\n00:00:00,000 --> 00:00:01,000\nOne\n\nstill one\n\n2\n00:00:01,000 --> 00:00:02,000\nTwo\n";
  expect(rowsOf(text)).toEqual([
    [0, 1, "One still one"],
    [1, 2, "Two"],
  ]);
  expect(codesOf(text)).toEqual(["blank-line-in-text@4"]);
});

test("drops text under a number without times, and says so", () => {
  const { cues, issues } = parseSubRip(corpusText("srt/odd/webvttpy-missing_timeframe.srt"));
  expect(cues.map((cue) => cue.text)).toEqual([1, 3, 4, 5].map((n) => `Caption text #${n}`));
  expect(issues.map((issue) => issue.code)).toEqual(["missing-timing"]);
});

test("drops the text under times that cannot be read, and names the line", () => {
  const text = "1\n00:00:00,000 --> 00:0x:01,000\nlost\n\n2\n00:00:01,000 --> 00:00:02,000\nkept\n";
  expect(rowsOf(text)).toEqual([[1, 2, "kept"]]);
  expect(codesOf(text)).toEqual(["bad-timing@2"]);
});

test("takes no other sign for a digit, the one behind nine and the one before naught neither", () => {
  const from = (time: string) => rowsOf(`1\n${time} --> 00:59:59,000\nx`).map(([start]) => start);
  expect(from("00:09:09,009")).toEqual([549.009]);
  for (const sign of [":", "/"]) {
    for (const at of [0, 1, 3, 4, 6, 7, 9, 10, 11]) {
      const time = `00:00:00,000`.slice(0, at) + sign + `00:00:00,000`.slice(at + 1);
      expect(from(time), time).toEqual([]);
    }
  }
});

test.each([1, 2, 3, 4])("finds no cue in the invalid file %i and says why", (number) => {
  const { cues, issues } = parseSubRip(corpusText(`srt/odd/webvttpy-invalid_format${number}.srt`));
  expect(cues).toEqual([]);
  expect(issues.map((issue) => issue.code)).toContain("no-cues");
});

test("strips SubRip's own tags, override blocks and coordinates, and reads references that nobody types", () => {
  const text =
    '1\n00:00:00,000 --> 00:00:01,000 X1:40 X2:600\n{\\an8}<i>Go,</ i> <FONT color="#fff">a</font> &lt;b>&#233;\n';
  expect(rowsOf(text)).toEqual([[0, 1, "Go, a <b>é"]]);
});

test("takes a file that was written as HTML for one, and says so", () => {
  const text = "1\n00:00:01,000 --> 00:00:02,000\nGo,&nbsp;a &lt; b &amp; c\n";
  expect(rowsOf(text)).toEqual([[1, 2, "Go, a < b & c"]]);
  expect(codesOf(text)).toEqual(["escaped-text@0"]);
});

test.each(["A sign reads <EXIT>.", "R&amp;B &lt;3 &quot;", "x<y and y>z", "{b} below", "<v Bob>", "a <is> b"])(
  "reads %j as the words that they are, and writes them so",
  (words) => {
    const text = `1\n00:00:01,000 --> 00:00:02,000\n${words}\n`;
    expect(rowsOf(text)).toEqual([[1, 2, words]]);
    expect(writeSubRip([{ id: "a", start: 1, end: 2, text: words }])).toBe(text);
  },
);

test.each([
  "a <b> c",
  "&lt;b> &amp;lt;b> &#39; &amp;#39;",
  "AT&amp;T",
  "{\\an8} up",
  "00:00 --> 00:01",
  "x < y & z",
  "1 --> 2",
])("writes %j such that it reads back", (text) => {
  expect(rowsOf(writeSubRip([{ id: "a", start: 1, end: 2, text }]))).toEqual([[1, 2, text]]);
});
