import { expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { parseDelimited } from "../../src/formats/delimited.ts";
import {
  decodeText,
  detectFormat,
  parseCueTable,
  readCues,
  writeCsv,
  writeMarkerList,
} from "../../src/formats/index.ts";
import { corpusText } from "../corpus/corpus-files.ts";

const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 90000 };
const DROP = { rate: frameRate(30000, 1001), isDropFrame: true, startFrame: 0 };
const rowsOf = (text: string, reading = {}) =>
  parseCueTable(text, reading).cues.map((cue) => [cue.start, cue.end, cue.text]);

const PREMIERE = [
  "Marker Name\tDescription\tIn\tOut\tDuration\tMarker Type",
  "1 · 2.0 s\tA woman sits.\t01:00:01:05\t01:00:03:05\t00:00:02:00\tComment",
  "only a name\t\t01:00:04:00\t01:00:05:00\t00:00:01:00\tComment",
].join("\r\n");

test("reads Premiere's marker list, in UTF-16 as it is written, description before name", () => {
  const bytes = new Uint8Array(Uint16Array.from(`\ufeff${PREMIERE}`, (one) => one.charCodeAt(0)).buffer);
  const text = decodeText(bytes)?.text ?? "";
  expect(detectFormat(text)).toMatchObject({ format: "tsv", confidence: 0.95 });
  expect(rowsOf(text, { grid: GRID })).toEqual([
    [1.2, 3.2, "A woman sits."],
    [4, 5, "only a name"],
  ]);
});

test("reads drop-frame labels with semicolons throughout, as Premiere writes them", () => {
  const text =
    "Marker Name\tDescription\tIn\tOut\tDuration\tMarker Type\nx\ty\t00;01;00;02\t00;01;01;02\t00;00;01;00\tComment";
  expect(parseCueTable(text, { grid: DROP }).cues[0]?.start).toBe((1800 * 1001) / 30000);
});

test.each([
  ["start,end,text", ",", "0:01", "0:02.5", "x"],
  ["Timecode In;Timecode Out;Audio Description", ";", "00:00:01.000", "00:00:02.500", "x"],
  ["ID|Start|Duration|Notes", "|", "a|00:00:01.0", "1.5", "x"],
])("reads a spreadsheet with the head %s", (head, delimiter, ...row) => {
  expect(rowsOf(`${head}\n${row.join(delimiter)}\n`)).toEqual([[1, 2.5, "x"]]);
});

test("reads values in quotes with delimiters, quotes and line breaks inside", () => {
  expect(rowsOf('start,end,text\n0:01,0:02,"He says ""no"", and\nleaves."\n0:03,0:04,plain "quoted" words\n')).toEqual([
    [1, 2, 'He says "no", and leaves.'],
    [3, 4, 'plain "quoted" words'],
  ]);
});

test("reads a table without a head: times, then the longest column", () => {
  expect(parseCueTable(corpusText("srt/same-content/sonnet001.csv")).cues[1]).toEqual({
    id: "f000002",
    start: 2.68,
    end: 5.88,
    text: "From fairest creatures we desire increase,",
  });
});

test("reports rows without a time, and keeps the line they stand on", () => {
  const { issues } = parseCueTable('start,end,text\n0:01,0:02,"a\nb"\nlater,0:04,c\n');
  expect(issues.map((issue) => [issue.code, issue.line])).toEqual([["bad-timing", 4]]);
});

test("writes tables that read back the same", () => {
  const cues = [
    { id: "cue-0001", start: 1.2, end: 3.2, text: 'Comma, "quote"; tab' },
    { id: "b", start: 3.2, end: 4, text: "00:01" },
  ];
  expect(readCues(writeCsv(cues))).toMatchObject({ format: "csv", cues });
  const list = readCues(writeMarkerList(cues, GRID), { grid: GRID });
  expect(list).toMatchObject({ format: "tsv", cues: cues.map(({ start, end, text }) => ({ start, end, text })) });
  expect(writeMarkerList(cues, DROP)).toContain("00;00;01;06");
});

test("nothing that a person typed is a formula to a spreadsheet, and it reads back as it was typed", () => {
  const typed = [
    "=1+1",
    "+49 30",
    "-Hello.",
    "@SUM(A1)",
    "'=quoted",
    "''-twice",
    "'tis",
    "=cmd|' /C calc'!A0",
    "＝1",
    "a=b",
    '="a"',
  ];
  const cues = typed.map((text, index) => ({ id: `=${index}`, start: index, end: index + 0.5, text }));
  const tables = [
    { text: writeCsv(cues), delimiter: "," as const },
    { text: writeMarkerList(cues, GRID), delimiter: "\t" as const },
  ];
  for (const { text, delimiter } of tables) {
    for (const { values } of parseDelimited(text, delimiter)) {
      for (const value of values) expect(value).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
    }
    expect(readCues(text, { grid: GRID }).cues.map((cue) => cue.text)).toEqual(typed);
  }
  expect(readCues(writeCsv(cues)).cues.map(({ id }) => id)).toEqual(cues.map(({ id }) => id));
});
