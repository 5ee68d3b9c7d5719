import { describe, expect, test } from "vitest";
import { markerComment } from "../../src/core/cue.ts";
import { frameRate } from "../../src/core/frame-rate.ts";
import { writeOtio } from "../../src/formats/index.ts";
import { FILE_ENDINGS, readFile } from "../../src/formats/read-file.ts";
import { FORMATS } from "../../src/formats/registry.ts";
import { parseWebVtt, writeWebVtt } from "../../src/formats/webvtt/webvtt.ts";
import { thoroughTest } from "../thorough/thorough-test.ts";

const bytesOf = (text: string, encoding: BufferEncoding = "utf8") => Uint8Array.from(Buffer.from(text, encoding));

const CUES = [
  { id: "a", start: 1, end: 2, text: "A gull." },
  { id: "b", start: 3, end: 4, text: "A boat." },
];

test("the endings are those of every format, and of documents", () => {
  for (const { endings } of Object.values(FORMATS)) expect(FILE_ENDINGS).toEqual(expect.arrayContaining([...endings]));
  expect(FILE_ENDINGS).toEqual(expect.arrayContaining(["docx", "xlsx", "rtf"]));
  expect(new Set(FILE_ENDINGS).size).toBe(FILE_ENDINGS.length);
});

describe("a timeline", () => {
  const grid = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };
  const markers = [
    { start: 0.2, end: 0.2, name: "Check the grade", comment: "" },
    ...CUES.map(({ id, start, end, text }) => ({ start, end, name: "AD", comment: markerComment(id, text) })),
    { start: 5, end: 6, name: "AD", comment: markerComment("c", "") },
  ];
  const otio = (of: typeof markers) => bytesOf(writeOtio({ name: "Cut", ...grid, tracks: [], markers: of }));

  test("with markers of ours holds these alone, without their tags; emptied ones are no cues", () => {
    expect(readFile(otio(markers), "cut.otio", {}).cues).toEqual(CUES);
  });

  test("of which nothing lies in the film is none of it; what lies behind its end is told, and no start is asked for", () => {
    const at = (durationSeconds: number, named = markers) =>
      readFile(otio(named), "cut.otio", { grid: { ...grid, startFrame: 25 }, durationSeconds });
    const late = at(0.5, markers.slice(1));
    expect([late.cues, late.verdict.kind]).toEqual([[], "does not fit"]);
    const { cues, verdict, receipt } = at(2.5);
    expect([cues, verdict.kind]).toEqual([CUES, "fits"]);
    expect(receipt.facts).toContain('4 markers of the timeline "Cut"');
    expect(receipt.facts).toContain("2 of them lie behind the film's end");
    expect([receipt.choices, receipt.facts.some((fact) => fact.startsWith("zero is"))]).toEqual([undefined, false]);
    expect(at(2.5, markers.slice(0, 1)).receipt.facts).toContain('1 marker of the timeline "Cut"');
  });

  test("without any holds them all", () => {
    const { cues } = readFile(otio(markers.slice(0, 1)), "cut.otio", {});
    expect(cues.map(({ text }) => text)).toEqual(["Check the grade"]);
  });
});

test("what is told counts what was left out, and names no start twice", () => {
  const table = "In,Out,Description\n0:01,0:02,A gull.\nnoon,0:04,A boat.\n0:05,0:06,[slowly] (whispering) A cat.\n";
  const { receipt, verdict } = readFile(bytesOf(table), "a.csv", { durationSeconds: 60, holds: "descriptions" });
  expect(verdict.kind).toBe("fits");
  expect(receipt.facts).toEqual([
    '2 descriptions from the column "Description"',
    "zero is 00:00:00 (the film's start)",
  ]);
  expect(receipt.leftOut).toEqual([
    { what: "direction to the voice", count: 2, words: ["[slowly] (whispering)"] },
    { what: "line that cannot be read", count: 1, words: ["noon 0:04 A boat."] },
  ]);
});

test("of a text that is refused or asked about nothing is counted", () => {
  const refused = readFile(bytesOf("In,Out,Dialogue\n0:01,0:02,Who is there now?\n"), "a.csv", {});
  expect([refused.verdict.kind, refused.receipt]).toEqual(["does not fit", { facts: [], leftOut: [] }]);
  const names = "001  AX  V  C  00:00:00:00 00:00:01:00 00:00:01:00 00:00:02:00\n* FROM CLIP NAME: A001.mov\n";
  const edl = readFile(bytesOf(names), "a.edl", {});
  expect([edl.verdict.kind, edl.receipt.leftOut]).toEqual(["does not fit", []]);
  expect(edl.receipt.facts.filter((fact) => /cue|description/.test(fact))).toEqual([]);
});

thoroughTest("of what is left out twenty are shown, however many there are", () => {
  const lines = Array.from({ length: 150_000 }, (_, index) => `0:0${index % 10},A gull.,Line ${index}`);
  const { receipt } = readFile(bytesOf(`In,Description,Dialogue\n${lines.join("\n")}`), "a.csv", {});
  const [left] = receipt.leftOut;
  expect([left?.what, left?.count, left?.words?.length, left?.words?.[19]]).toEqual([
    ...["cell of dialogue", 150_000, 20, "Line 19"],
  ]);
});

test("an encoding that was told by the letters is told", () => {
  const srt = "1\n00:00:00,000 --> 00:00:01,000\nGr\xfc\xdfe aus dem S\xfcden, die Sonne scheint \xfcber dem Hafen.\n";
  const { cues, receipt } = readFile(bytesOf(srt, "latin1"), "a.srt", {});
  expect(cues[0]?.text).toContain("Grüße");
  expect(receipt.facts).toContainEqual(expect.stringContaining("windows-1252 was assumed"));
});

describe("a text of ours that was understood", () => {
  const text = writeWebVtt(CUES, { isOnFilmClock: true, language: "de", title: "Cut" });
  const film = { grid: { rate: frameRate(25), isDropFrame: false, startFrame: 25 }, durationSeconds: 10 };

  test("says what its times count from, and is read so whatever the film's timecode is", () => {
    expect(readFile(bytesOf(text), "a.vtt", film).cues.map(({ start }) => start)).toEqual([1, 3]);
    expect(readFile(bytesOf(writeWebVtt(CUES)), "a.vtt", film).verdict.kind).toBe("unsure");
    expect(parseWebVtt(text, { isStrict: true })).toMatchObject({ issues: [], language: "de" });
  });

  test("is believed in its header alone", () => {
    const said = writeWebVtt([
      { id: "Times: from the film's first frame", start: 1, end: 2, text: "A gull." },
      ...CUES,
    ]);
    expect(readFile(bytesOf(said), "a.vtt", film).verdict.kind).toBe("unsure");
  });
});
