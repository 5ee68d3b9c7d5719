import { expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { parsePlainText, readCues, writePlainText } from "../../src/formats/index.ts";
import { corpusText } from "../corpus/corpus-files.ts";

const rowsOf = (text: string) => parsePlainText(text).cues.map((cue) => [cue.start, cue.end, cue.text]);

test.each([
  ["[00:01.500] Hello", [1.5, "Hello"]],
  ["[1:02:03] Hello", [3723, "Hello"]],
  ["00:00:05 Hello", [5, "Hello"]],
  ["00:00:05 - A man", [5, "A man"]],
  ["(0:05): Hello", [5, "Hello"]],
  ["0:05\tHello", [5, "Hello"]],
  ["01:02:03,500 Hello", [3723.5, "Hello"]],
  ["75:12 Hello", [4512, "Hello"]],
])("reads the head of %j", (line, [start, text]) => {
  const cue = parsePlainText(line).cues[0];
  expect([cue?.start, cue?.text]).toEqual([start, text]);
});

test.each([
  "00:01 - 00:03 Hello",
  "00:00:01 --> 00:00:03 Hello",
  "[00:01 - 00:03] Hello",
  "[00:01] - [00:03] Hello",
  "00:00:01.0\t00:00:03.0\tHello",
  "1.0 3.0 Hello",
  "1.0\t3.0\tHello",
  "7 00:01 00:03 Hello",
  "00:01–00:03: Hello",
  "00:01 to 00:03 Hello",
  'f000001 1.000 3.000 "Hello"',
  '1.000 3.000 f000001 "Hello"',
])("reads in and out of %j", (line) => {
  expect(rowsOf(line)).toEqual([[1, 3, "Hello"]]);
});

test("takes lines without a time as more of the row above", () => {
  expect(rowsOf("0:01\nOne\n\nmore\n0:09\nTwo at 3:30 pm\n").map((row) => [row[0], row[2]])).toEqual([
    [1, "One more"],
    [9, "Two at 3:30 pm"],
  ]);
});

test("estimates an end that is not given, never past the next start, and says so", () => {
  const { cues, issues } = parsePlainText("[00:01] A long line of text that takes a while to say\n[00:02] Next\n");
  expect(cues.map((cue) => cue.end)).toEqual([2, 2.5]);
  expect(issues.map((issue) => issue.code)).toEqual(["missing-end", "missing-end"]);
});

test("reads rows with frame numbers on the given grid", () => {
  const grid = { rate: { numerator: 25, denominator: 1 }, isDropFrame: false, startFrame: 90000 };
  const { cues } = parsePlainText("01:00:01:05\t01:00:02:10\tHello", { grid });
  expect(cues).toEqual([{ id: "cue-0001", start: 1.2, end: 2.4, text: "Hello" }]);
});

test("reports text before the first time", () => {
  expect(parsePlainText("A title\n\n[00:01 - 00:02] x").issues.map((issue) => [issue.code, issue.line])).toEqual([
    ["missing-timing", 1],
  ]);
});

test("GEN-36 GEN-38: the same lines as WebVTT, SubRip and plain text give the same cues, with and without a hint", () => {
  const names = ["srt", "vtt", "txt", "txth", "ssv", "aud", "audh"];
  const read = names.map((name) => readCues(corpusText(`srt/same-content/sonnet001.${name}`)));
  expect(read.map((one) => one.format)).toEqual(["srt", "vtt", ...Array<string>(5).fill("plaintext")]);
  const first = read[0]?.cues.map((cue) => [cue.start, cue.end, cue.text]);
  expect(first).toHaveLength(15);
  for (const one of read) expect(one.cues.map((cue) => [cue.start, cue.end, cue.text])).toEqual(first);
  const hinted = readCues(corpusText("srt/same-content/sonnet001.txt"), { format: "plaintext" });
  expect(hinted.cues.map((cue) => [cue.start, cue.end, cue.text])).toEqual(first);
});

test("GEN-40: unordered, hour-less, tagged captions become ordered and plain", () => {
  const { cues, issues } = readCues(
    "WEBVTT\n\n00:05.000 --> 00:06.000\n<v Bob>Later</v>\n\n00:01.000 --> 00:02.000\n<i>First</i>\n",
  );
  expect(cues.map((cue) => [cue.start, cue.text])).toEqual([
    [1, "First"],
    [5, "Later"],
  ]);
  expect(issues.map((issue) => issue.code)).toEqual(["out-of-order"]);
});

test.each(["12:30 lunch", "- dash", ": colon", '"quoted"', "a <b> c", 'f1 "x"', "[br] y"])(
  "writes %j such that it reads back",
  (text) => {
    expect(rowsOf(writePlainText([{ id: "a", start: 1, end: 2.5, text }]))).toEqual([[1, 2.5, text]]);
  },
);

test.each([
  ["00:12:5 She sits."],
  ["[00:61] She sits."],
  ["0:00:05:33:00 She sits."],
  ["00h12m05s She sits."],
  ["(1:2) She sits."],
  ["12 . 5 : 3 She sits."],
])("a line that looks timed and is not, %j, is told and not spoken, nor is what goes on from it", (line) => {
  const text = `00:00:01 A woman comes.\nShe smiles.\n${line}\nShe rises.\n00:00:20 She goes.\n`;
  const { cues, issues } = parsePlainText(text);
  expect(cues.map((cue) => cue.text)).toEqual(["A woman comes. She smiles.", "She goes."]);
  expect(issues.filter(({ effect }) => effect === "dropped")).toEqual([
    expect.objectContaining({ code: "bad-timing", line: 3, text: line }),
    expect.objectContaining({ code: "missing-timing", line: 4, text: "She rises." }),
  ]);
});

test("numbers at the head of prose are words", () => {
  for (const line of ["4:3 picture.", "1984 is on the cover.", "3, 2, 1.", "12 men wait.", "No. 4: a door."]) {
    expect(parsePlainText(`00:00:01 A card:\n${line}`).cues[0]?.text).toBe(`A card: ${line}`);
  }
});

test("byte pairs of captions are no words", () => {
  const { cues, issues } = parsePlainText("00:00:00:22\t9425 9425 94ad 94ad 9470 9470\n", {
    grid: { rate: frameRate(25), isDropFrame: false, startFrame: 0 },
  });
  expect(cues).toEqual([]);
  expect(issues).toContainEqual(expect.objectContaining({ code: "bad-timing", effect: "dropped", line: 1 }));
});
