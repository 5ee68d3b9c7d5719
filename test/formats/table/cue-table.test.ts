import { describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import {
  decodeText,
  detectFormat,
  parseCueTable,
  readCues,
  writeCsv,
  writeMarkerList,
} from "../../../src/formats/index.ts";
import { tableExtras } from "../../../src/formats/table/cue-table.ts";
import { parseDelimited } from "../../../src/formats/table/delimited.ts";
import { hasTimeCell, isCueTable, isCueTableHead } from "../../../src/formats/table/table-text.ts";
import { corpusDecoded, corpusText } from "../../corpus/corpus-files.ts";

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

test("reads a table without a head: times, then the column of words", () => {
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

describe("a head", () => {
  const first = (...lines: readonly string[]) => {
    const [cue] = parseCueTable(lines.join("\n")).cues;
    return cue === undefined ? null : [cue.id, cue.start, cue.end, cue.text];
  };

  test.each([
    ["No.,In,Out,Description", "7,0:01,0:02,a", ["7", 1, 2, "a"]],
    [" cue #  ,TC  IN:,Out [s] ,AD TEXT (en)", "7,0:01,0:02,a", ["7", 1, 2, "a"]],
    ["ID,From,Duration,Text", "7,0:01,0:02,a", ["7", 1, 3, "a"]],
    ["Start,End,Comment", "0:01,0:02,a", ["cue-0001", 1, 2, "a"]],
    ["Start,End,Clip Name", "0:01,0:02,a", ["cue-0001", 1, 2, "a"]],
    // The first column of a name counts.
    ["In,Start,Out,Text,Description", "0:01,0:05,0:02,a,b", ["cue-0001", 1, 2, "a"]],
    // In and out are enough for a head where nothing in it is a number.
    ["In,Out,Gesprochenes", "0:01,0:02,one two three", ["cue-0001", 1, 2, "one two three"]],
  ])("%j above %j gives %j", (head, row, cue) => {
    expect(first("The Ferry, part two", head, row)).toEqual(cue);
    expect(isCueTableHead(head)).toBe(true);
  });

  test.each(["In,Out", "In,Text 0:01", "Out,Text", "In,Out,5", "Start", "1:00,In,Text", ""])("%j is none", (line) => {
    expect(isCueTableHead(line)).toBe(false);
  });

  test("that comes again is none of the rows, but for one that says something else", () => {
    const rows = parseCueTable("In,Out,Text\n0:01,0:02,a\nIn,Out,Text\n0:03,0:04,b\nin, out ,TEXT\nIn,Out,said\n");
    expect(rows.cues.map(({ text }) => text)).toEqual(["a", "b"]);
    expect(rows.issues.map(({ code, line, text }) => `${code}@${line} ${text}`)).toEqual(["bad-timing@6 In Out said"]);
  });

  test("is none below a row with a time, nor below fifty rows", () => {
    const titles = (count: number) => Array.from({ length: count }, () => "x,y,z");
    expect(first(...titles(49), "In,Out,Text", "0:01,0:02,a")?.[3]).toBe("a");
    const { issues } = parseCueTable(["0:01,0:02,a", "In,Out,Text", "0:03,0:04,b"].join("\n"));
    expect(issues.map(({ code, line, text }) => `${code}@${line} ${text}`)).toEqual(["bad-timing@2 In Out Text"]);
  });
});

describe("rows without a head", () => {
  const first = (...rows: readonly string[]) => {
    const [cue] = parseCueTable(rows.join("\n")).cues;
    return [cue?.id, cue?.start, cue?.end, cue?.text];
  };

  test("have in and out in the first columns of times, their words in the one other that holds several in a row, an id at the front", () => {
    expect(first("k7,0:01,0:02,a,some words,b")).toEqual(["k7", 1, 2, "some words"]);
    expect(first("0:01,some words,0:02,a")).toEqual(["cue-0001", 1, 2, "some words"]);
    expect(first("some words,0:01,0:02")).toEqual(["cue-0001", 1, 2, "some words"]);
    expect(first("k 7,0:01,0:02,some words")).toEqual(["cue-0001", 1, 2, "some words"]);
    expect(first("k7,0:01,0:02,0:03,w")).toEqual(["k7", 1, 2, "w"]);
    expect(first(`${"k".repeat(65)},0:01,0:02,some words here`)[0]).toBe("cue-0001");
    expect(first("7;0:01 - 0:02;words")).toEqual(["7", 1, 2, "words"]);
  });

  test("have a time where more than half of a column's values are one", () => {
    expect(first("0:01,0:02,a b", "0:03,0:04,0:05", "0:06,0:07,c d e")).toEqual(["cue-0001", 1, 2, "a b"]);
    expect(first("0:01,a,0:02", "0:03,b,later", "0:04,c d,0:05")).toEqual(["cue-0001", 1, 2, "a"]);
  });

  test("are a table where a row has both times and words in columns of their own", () => {
    expect(["0:01,0:02,a", "a,0:01 - 0:02,b", "0:01;a;0:02"].map((text) => isCueTable(text))).toEqual([
      true,
      true,
      true,
    ]);
    expect(["0:01,0:02", "0:01,a,b", "a,b,c", "7,8,a", ""].map((text) => isCueTable(text))).toEqual(
      Array(5).fill(false),
    );
    expect(["0:01\t0:02\ta", "0:01\t0:02\ta\tb", "0:01 - 0:02\ta\tb"].map((text) => isCueTable(text, "\t"))).toEqual([
      false,
      true,
      true,
    ]);
    expect(["0:01,a", "a;0:01;b", "a|0:01", "0:01 - 0:02"].map(hasTimeCell)).toEqual([true, true, true, true]);
    expect(["a,b", "at 0:01", "", "12"].map(hasTimeCell)).toEqual([false, false, false, false]);
  });
});

test("notes beside the words are counted by their column, details are not", () => {
  const head = "In,Out,Description,Notes,Voice,Mood,,Dialogue";
  expect(tableExtras(`${head}\n0:01,0:02,a,n,v,m,x,d\n0:03,0:04,b, ,v,m,x,\n`)).toEqual([
    { name: 'cells of the column "Notes"', count: 1 },
    { name: 'cells of the column "Mood"', count: 2 },
    { name: "cells of dialogue", count: 1 },
  ]);
  expect(tableExtras("0:01,0:02,a,n\n")).toEqual([]);
});
