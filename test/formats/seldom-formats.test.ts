import { describe, expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { assText } from "../../src/formats/captions/ass.ts";
import { decodeFile } from "../../src/formats/decode-file.ts";
import { FormatProbe } from "../../src/formats/format.ts";
import { convertCues, FORMATS, readDocument } from "../../src/formats/index.ts";
import { rtfText } from "../../src/formats/office/rtf-text.ts";
import { corpusDecoded } from "../corpus/corpus-files.ts";

const GRID = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
const readOf = (path: string) => readDocument(corpusDecoded(`exchange/${path}`).text, { filename: path });
const codesOf = (path: string) => readOf(path).issues.map(({ code }) => code);
const rowsOf = (text: string, reading = {}) => {
  const { cues, format } = readDocument(text, reading);
  return { format, rows: cues.map(({ start, end, text }) => [Number(start.toFixed(3)), Number(end.toFixed(3)), text]) };
};

test("every one is told by its own files, and by no other's", () => {
  const folders = {
    "ebu-stl": "ebu-stl/example-in.stl",
    scc: "scc/pop_on.scc",
    ass: "ass/sub1.ass",
    "pro-tools": "protools/Charade.txt",
  };
  for (const [format, path] of Object.entries(folders)) {
    const { text } = corpusDecoded(`exchange/${path}`);
    const found = Object.entries(FORMATS).filter(([, { shows }]) => shows(new FormatProbe(text), false) === 1);
    expect(found.map(([name]) => name)).toEqual([format]);
  }
});

describe("EBU STL", () => {
  test("reads the programme's start as zero, and says what lies before it", () => {
    const { cues } = readOf("ebu-stl/test_tcp_processing.stl");
    expect(cues.find(({ text }) => text.startsWith("Start"))).toMatchObject({ start: 0, end: 1.96 });
    expect(codesOf("ebu-stl/test_tcp_processing.stl")).toContain("left-out-before");
  });

  test("reads accents, joins the blocks of a subtitle, leaves out what is never shown, and says so", () => {
    expect(readOf("ebu-stl/ebu_stl_iso6937.stl").cues[0]?.text).toContain(
      "r\u00e9alisateurs de ce film ont pass\u00e9 plus",
    );
    expect(readOf("ebu-stl/multi_tti_subtitle.stl").cues.map(({ text }) => text)).toEqual(["Foo Bar Baz"]);
    expect(codesOf("ebu-stl/requirement-0061-004_modified.stl")).toContain("never-shown");
    expect(codesOf("ebu-stl/contained_tti.stl")).toEqual(["overlap"]);
    expect(codesOf("ebu-stl/ebu_stl_iso6937.stl")).toEqual(["block-count"]);
  });

  test("counts its own frames, whatever the sequence does", () => {
    const { text } = corpusDecoded("exchange/ebu-stl/example-in.stl");
    const { cues } = readDocument(text, { grid: { rate: frameRate(24), isDropFrame: false, startFrame: 0 } });
    expect(cues[0]).toMatchObject({ start: 99, end: 101.04 });
  });
});

describe("SCC", () => {
  const scc = (...lines: string[]) => rowsOf(["Scenarist_SCC V1.0", ...lines].join("\n\n"));

  test("a caption is shown when its end is sent, and until it is taken away; doubled commands count once", () => {
    // RCL, row, HELLO, EOC; EDM a second later.
    const once = scc("00:00:10:00\t1420 1470 4845 4c4c 4f00 142f", "00:00:12:00\t142c");
    const twice = scc("00:00:10:00\t1420 1420 1470 1470 4845 4c4c 4f00 142f 142f", "00:00:12:00\t142c 142c");
    expect(once.rows).toEqual([[10.244, 12.079, "HELLO"]]);
    expect(twice.rows).toEqual([[10.31, 12.079, "HELLO"]]);
  });

  test("extended characters take the place of the one before, special ones stand for themselves", () => {
    expect(scc("00:00:10:00\t1420 4161 1230 1137 142f").rows[0]?.[2]).toBe("A\u00c0\u266a");
  });

  test("rows that roll up are a cue each", () => {
    expect(scc("00:00:01:00\t1425 142d 4f4e 4500", "00:00:03:00\t142d 5457 4f00", "00:00:05:00\t142c").rows).toEqual([
      [1.068, 3.07, "ONE"],
      [3.036, 5.072, "TWO"],
    ]);
  });

  test("another channel is left out and counted", () => {
    const { issues, cues } = readDocument("Scenarist_SCC V1.0\n\n00:00:10:00\t1c20 4845 1c2f");
    expect(cues).toEqual([]);
    expect(issues.map(({ code }) => code)).toContain("unknown-object");
  });
});

test("SubStation Alpha: tags and drawings are no words, comments are counted", () => {
  expect(assText("{\\pos(60,100)}The quick {\\b1}fox{\\b0}\\Njumps")).toBe("The quick fox jumps");
  expect(assText("{\\p1}m 0 0 l 10 10{\\p0}Word")).toBe("Word");
  const text =
    "[Events]\nFormat: Start, End, Text\nComment: 0:00:01.00,0:00:02.00,no\nDialogue: 0:00:03.00,0:00:04.50,One, two\n";
  expect(rowsOf(text)).toEqual({ format: "ass", rows: [[3, 4.5, "One, two"]] });
  expect(readDocument(text).issues.map(({ code }) => code)).toEqual(["unknown-object"]);
});

describe("Pro Tools", () => {
  test("markers of every ruler, the comment before the name", () => {
    const { cues } = readOf("protools/SessionText_MarkerRulersAndTrackMarkers_PT2023.12.txt");
    expect(cues.map(({ start, text }) => [start, text])).toEqual([
      [0, "Marker 1"],
      [1, "Some comments"],
      [2, "Marker 3"],
      [3, "Marker 4"],
      [4, "Marker 5"],
      [5, "More comments"],
      [6, "Marker 7"],
    ]);
  });

  test("bars and feet are refused where no sample says the time", () => {
    for (const kind of ["BarsBeats", "FeetFrames"]) {
      const { cues, issues } = readOf(`protools/SessionText_TimeFormats_${kind}_PT2022.9.txt`);
      expect(cues).toHaveLength(1);
      expect(issues).toContainEqual(
        expect.objectContaining({ code: "bad-timing", text: expect.stringContaining("Comment") }),
      );
    }
    const times = ["Samples", "Timecode_ShowSubframes"].map(
      (kind) => readOf(`protools/SessionText_TimeFormats_${kind}_PT2022.9.txt`).cues[0]?.start,
    );
    expect(times[0]).toBeCloseTo(times[1] ?? 0, 3);
  });

  test("line breaks inside a marker belong to it", () => {
    const { cues } = readOf("protools/SessionText_NewLinesAndTabs_DefaultExportOptions_PT2023.6.txt");
    expect(cues).toHaveLength(12);
    expect(cues[0]?.text).toBe("Marker Name With New Line");
    expect(cues[1]?.text).toBe("Comment Here With New Line");
  });
});

describe("Avid's markers as text", () => {
  const LIST = "editor\t01:00:01:00\tV1\tred\tA woman sits.\t1\neditor\t01:00:03:12\tA2\tgreen\tShe rises.\t50\t\n";

  test("rows without a head, the comment as the words", () => {
    expect(rowsOf(LIST, { grid: GRID })).toEqual({
      format: "avid-markers",
      rows: [
        [1, 2.091, "A woman sits."],
        [3.48, 5.48, "She rises."],
      ],
    });
  });

  test("come back as they were written, and stand there as they were typed, for no spreadsheet", () => {
    const cues = [{ id: "cue-0001", start: 1, end: 2, text: "=A woman\u2019s hat" }];
    const { text, losses } = convertCues(
      { format: null, cues, issues: [], extras: [] },
      { format: "avid-markers", grid: GRID },
    );
    expect(text).toBe("AD 1\t01:00:01:00\tV1\tgreen\t=A woman\u2019s hat\t25\n");
    expect(losses).toEqual([]);
    expect(readDocument(text, { grid: GRID })).toMatchObject({ format: "avid-markers", cues });
  });
});

describe("Resolve", () => {
  test("markers as an edit index in CSV", () => {
    const head = "#,Reel,Match,V,C,Dur,Source In,Source Out,Record In,Record Out,Name,Comments,Color,Notes";
    const csv = `${head}\n1,,,V1,C,00:00:02:00,00:00:00:00,00:00:02:00,01:00:01:00,01:00:03:00,Marker 1,,Blue,A woman sits.\n`;
    expect(rowsOf(csv, { grid: GRID, filename: "x.csv" })).toEqual({ format: "csv", rows: [[1, 3, "A woman sits."]] });
  });

  test("the time of a marker in an EDL is the timeline's, where the record side was left over", () => {
    const { text } = corpusDecoded("exchange/markers/resolve-60fps.edl");
    const { cues } = readDocument(text, { grid: { rate: frameRate(60), isDropFrame: false, startFrame: 0 } });
    expect(cues.map(({ start, text }) => [start, text])).toEqual([
      [0, "Intro"],
      [130.25, "Stuff"],
      [183.9, "Don't export this!"],
      [272 + 13 / 60, "Outro"],
    ]);
  });
});

describe("RTF", () => {
  test("a table of cues, its letters by number and by byte", () => {
    const { cues, format } = readDocument(corpusDecoded("exchange/documents/made-table.rtf").text, {
      grid: { ...GRID, startFrame: 900_000 },
    });
    expect(format).toBe("tsv");
    expect(cues.map(({ text }) => text)).toEqual([
      "Morning. Fog lies over the harbour.",
      "Anna, in a red coat, waits at the rail.",
      "She drops the letter.",
      "Title: \u201cThe Ferry\u201d \u2013 a film by M. \u00d8stby.",
      "\u00c9lodie runs; the gangway lifts.",
    ]);
    expect(cues[0]).toMatchObject({ start: 5, end: 8.48 });
  });

  test("letters of the document's own code page, without what is not read out", () => {
    const rtf = "{\\rtf1\\ansi\\ansicpg1251{\\info{\\author X}}{\\*\\hidden y}\\'c4\\'e0\\par}";
    expect(decodeFile(Uint8Array.from(rtf, (one) => one.charCodeAt(0)))?.text).toBe("\u0414\u0430\n");
    expect(rtfText("{\\rtf1 \\uc2\\u8217??s\\{ok\\}", () => "")).toBe("\u2019s{ok}");
  });
});
