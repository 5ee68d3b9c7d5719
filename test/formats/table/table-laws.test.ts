import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { frameRate, secondsFromFrames } from "../../../src/core/frame-rate.ts";
import { formatTimecode } from "../../../src/core/timecode.ts";
import { parseCueTable, tableExtras } from "../../../src/formats/table/cue-table.ts";
import { type Delimiter, parseDelimited, writeDelimited } from "../../../src/formats/table/delimited.ts";

const delimiters = fc.constantFrom<Delimiter>(",", "\t", ";", "|");

describe("values parted by a delimiter", () => {
  const pieces = fc.constantFrom('"', ",", "\t", ";", "|", "\n", " ", "a", "ü", "=", "'");
  const values = fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join(""));
  const rows = fc.array(fc.array(values, { minLength: 1, maxLength: 4 }), { maxLength: 6 });

  test("come back as they were written, each row with the line it begins on, empty ones left out", () => {
    fc.assert(
      fc.property(rows, delimiters, fc.boolean(), (table, delimiter, isEnded) => {
        const lines = table.map((row) => writeDelimited(row, delimiter));
        const text = lines.join("\n") + (isEnded ? "\n" : "");
        let line = 1;
        const expected = table.flatMap((row, index) => {
          const at = line;
          line += (lines[index] ?? "").split("\n").length;
          return row.some((value) => value.trim() !== "") ? [{ values: row, line: at }] : [];
        });
        expect(parseDelimited(text, delimiter)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  test("a quote that is never closed, or that something follows, is a character like any other", () => {
    const valuesOf = (text: string) => parseDelimited(text, ",").map((row) => row.values);
    expect(valuesOf('"a,b\nc"d,"e"\n')).toEqual([
      ['"a', "b"],
      ['c"d', "e"],
    ]);
    expect(valuesOf('"a" b,c\n"d""e","f\n')).toEqual([
      ['"a" b', "c"],
      ['d"e', '"f'],
    ]);
    expect(valuesOf(',"a""\nb')).toEqual([["", '"a""'], ["b"]]);
    expect(valuesOf('"a"')).toEqual([["a"]]);
    expect(valuesOf("a,")).toEqual([["a", ""]]);
  });
});

describe("a table of cues", () => {
  const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
  const NAMES = {
    id: ["Cue", "NR", "line number", "Cue No. (AD)"],
    start: ["In", "start time", "TC IN", "Timecode"],
    end: ["Out", "End", "tc out:", "Stop"],
    text: ["Description", "Audio Description [en]", "narration", "AD  Text"],
    notes: ["Comment", "notes", "Dialogue"],
    other: ["Colour", "Track", "Voice", "Mood"],
  } as const;
  const row = fc.record({
    wait: fc.integer({ min: 0, max: 400 }),
    length: fc.integer({ min: 1, max: 200 }),
    text: fc.constantFrom("A woman sits.", "He says, softly", "one; two | three", "=1+1 is two"),
    note: fc.constantFrom("", "quiet"),
    other: fc.constantFrom("", "red", "V1"),
  });
  const tables = fc.record({
    delimiter: delimiters,
    rows: fc.array(row, { minLength: 1, maxLength: 5 }),
    columns: fc
      .record(Object.fromEntries(Object.entries(NAMES).map(([column, names]) => [column, fc.constantFrom(...names)])))
      .chain((names) => fc.shuffledSubarray(Object.entries(names), { minLength: 6 })),
    isLabelled: fc.boolean(),
    isRepeated: fc.boolean(),
    title: fc.constantFrom("", "The Ferry"),
  });

  test("columns may stand in any order, be called by any of their names, and be parted by anything", () => {
    fc.assert(
      fc.property(tables, ({ delimiter, rows, columns, isLabelled, isRepeated, title }) => {
        let frame = 0;
        const cues = rows.map(({ wait, length, text }, index) => {
          const start = frame + wait;
          frame = start + length;
          return { id: `k${index}`, start, end: frame, text };
        });
        const time = (at: number) =>
          isLabelled ? formatTimecode(at + GRID.startFrame, GRID) : `00:00:${(at / 25).toFixed(3).padStart(6, "0")}`;
        const isShort = isLabelled || frame < 60 * 25;
        fc.pre(isShort);
        const head = columns.map(([, name]) => name);
        const lines = cues.map(({ id, start, end, text }, index) => {
          const own: Record<string, string> = {
            ...{ id, start: time(start), end: time(end), text },
            ...{ notes: rows[index]?.note ?? "", other: rows[index]?.other ?? "" },
          };
          return columns.map(([column]) => own[column] ?? "");
        });
        const written = [
          ...(title === "" ? [] : [[title]]),
          head,
          ...lines.flatMap((line) => (isRepeated ? [head, line] : [line])),
        ]
          .map((line) => writeDelimited(line, delimiter))
          .join("\n");
        const read = parseCueTable(written, { grid: GRID });
        expect(read.cues).toEqual(
          cues.map(({ start, end, ...cue }) => ({
            ...cue,
            start: secondsFromFrames(start, GRID.rate),
            end: secondsFromFrames(end, GRID.rate),
          })),
        );
        expect(read.issues.map(({ code, line, text }) => [code, line, text])).toEqual(
          title === "" ? [] : [["bad-timing", 1, title]],
        );
        const noted = rows.filter(({ note }) => note !== "").length;
        const extras = tableExtras(written).filter(({ name }) => !/colour|track|voice|mood/i.test(name));
        expect(extras.map(({ count }) => count)).toEqual(noted === 0 ? [] : [noted]);
      }),
      { numRuns: 150 },
    );
  });

  test("a length stands for an end; in and out may stand in one cell", () => {
    const rowsOf = (text: string) => parseCueTable(text).cues.map(({ start, end, text }) => [start, end, text]);
    expect(rowsOf("start,duration,text\n0:01,0:02.5,a\n")).toEqual([[1, 3.5, "a"]]);
    expect(rowsOf("start,duration,text\n0:01,1.5,a\n")).toEqual([[1, 2.5, "a"]]);
    for (const between of [" - ", " --> ", " to ", "–", " / ", "  "]) {
      expect(rowsOf(`time;text\n0:01${between}0:02;a\n`), between).toEqual([[1, 2, "a"]]);
    }
    expect(rowsOf("7,0:01 - 0:02,first words\n8,0:03 - 0:04,second words\n")).toEqual([
      [1, 2, "first words"],
      [3, 4, "second words"],
    ]);
  });

  test("where the descriptions are empty the remarks are the words, else a column of prose", () => {
    const rowsOf = (text: string) => parseCueTable(text).cues.map((cue) => cue.text);
    expect(rowsOf("in,out,description,comment\n0:01,0:02,,a\n0:03,0:04,,b\n")).toEqual(["a", "b"]);
    expect(rowsOf("in,out,name,beschreibung\n0:01,0:02,n1,Eine Frau sitzt da.\n0:03,0:04,n2,Sie geht weg.\n")).toEqual([
      "Eine Frau sitzt da.",
      "Sie geht weg.",
    ]);
    expect(rowsOf("in,out,name,x\n0:01,0:02,n1,7\n0:03,0:04,n2,8\n")).toEqual(["n1", "n2"]);
  });
});
