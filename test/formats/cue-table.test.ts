import { describe, expect, test } from "vitest";
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
import { corpusDecoded, corpusText } from "../corpus/corpus-files.ts";

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

describe("the column that holds words", () => {
  const row = (head: string, ...rows: string[]) => rowsOf([head, ...rows].join("\n")).map(([, , text]) => text);

  test("is the description, wherever it stands, and not the dialogue or the notes beside it", () => {
    expect(
      row(
        "Dialogue,In,Out,Notes,Description",
        '"He: Where, now?",0:01,0:02,quick,A woman sits.',
        ",0:03,0:04,,She rises.",
      ),
    ).toEqual(["A woman sits.", "She rises."]);
  });

  test("is another where the description is empty throughout", () => {
    expect(row("Description,In,Out,Comments", ",0:01,0:02,A woman sits.", ",0:03,0:04,She rises.")).toEqual([
      "A woman sits.",
      "She rises.",
    ]);
  });

  test("is a column of an unknown name that holds sentences, before names and codes", () => {
    expect(
      row(
        "In,Out,Name,Beschreibung,Farbe",
        "0:01,0:02,AD 1,Eine Frau sitzt da.,rot",
        "0:03,0:04,AD 2,Sie steht auf.,rot",
      ),
    ).toEqual(["Eine Frau sitzt da.", "Sie steht auf."]);
    expect(row("D\u00e9but;In;Out;Texte lu", "1;0:01;0:02;Une femme est assise.")).toEqual(["Une femme est assise."]);
  });

  test("is the name where nothing else holds words, whatever the type says", () => {
    expect(
      row("Name\tStart\tDuration\tTime Format\tType\tDescription", "First\t1:34.813\t0:00.000\tdecimal\tCue\t"),
    ).toEqual(["First"]);
  });
});

test("a row of plain text that holds names of columns is no head of a table", () => {
  expect(readCues("[00:00:00.000 - 00:00:01.000] ,Start,End\n", { format: "plaintext" }).format).toBe("plaintext");
});

test("a table of unquoted lines is read whole", () => {
  expect(
    parseCueTable(corpusText("exchange/documents/csv_ansi.csv"), { grid: GRID }).cues.map(({ text }) => text),
  ).toEqual(["Oh! Can I believe my eyes!", "If Heaven and earth, if mortals and angels"]);
});

test("Premiere's own list of chapters gives every marker its name", () => {
  const { text } = corpusDecoded("exchange/markers/premiere-chapters.csv");
  const { cues, format } = readCues(text, { filename: "chapters.csv", grid: GRID });
  expect({ format, count: cues.length, first: cues[0]?.text, last: cues.at(-1)?.text }).toEqual({
    format: "tsv",
    count: 144,
    first: "Why Obsidian",
    last: "Obsidian Starter Kit Automated Note Filing",
  });
});
