import { expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { detectFormat, readDocument } from "../../../src/formats/index.ts";

const FILM = { grid: { rate: frameRate(25), isDropFrame: false, startFrame: 0 } };
const read = (text: string) => readDocument(text, { filename: "a.stl", ...FILM });

test("entries are cues; settings and comments are none, style goes, bars part lines, commas are words", () => {
  const text =
    "//Subtitles\n$FontName = Arial\n00:00:05:10 , 00:00:08:00 , A ^Iboat^I lands | at noon, late.\n$HorzAlign = Left\n// 00:00:09:00,00:00:10:00,gone\n00:00:20:12,00:00:22:12,// Two slashes.\n";
  expect(detectFormat(text, "a.txt")?.format).toBe("spruce-stl");
  expect(read(text).cues.map(({ start, end, text: words }) => [start, end, words])).toEqual([
    [5.4, 8, "A boat lands at noon, late."],
    [20.48, 22.48, "// Two slashes."],
  ]);
});

test("entries that name pictures hold no words, and the first is named", () => {
  const { cues, verdict } = read("$SetFilePathToken = <<P>>\n00:00:05:00, 00:00:06:00, <<P>>one.tif\n");
  expect(cues).toEqual([]);
  expect(verdict).toEqual({ kind: "does not fit", why: "its subtitles are pictures (one.tif): it holds no words" });
});

test("a table of labels and words is a table", () => {
  expect(detectFormat("00:00:05:00,00:00:06:00,A boat.\n00:00:07:00,00:00:08:00,A gull.\n")?.format).not.toBe(
    "spruce-stl",
  );
});
