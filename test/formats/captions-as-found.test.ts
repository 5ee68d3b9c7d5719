import { describe, expect, test } from "vitest";
import { type CueDocument, parsePlainText, parseSubRip, parseWebVtt } from "../../src/formats/index.ts";

/** Rows, and issues by their code, line and text: all that a reader tells. */
function told({ cues, issues }: CueDocument): string[] {
  return [
    ...cues.map(({ start, end, text }) => `${start}-${end} ${text}`),
    ...issues.map(({ code, line, text }) => `${code}@${line} ${text}`.trim()),
  ];
}

describe("SubRip", () => {
  const ONE = "00:00:01,000 --> 00:00:02,000";
  const TWO = "00:00:03,000 --> 00:00:04,000";
  const BOTH = ["1-2 a", "3-4 b"];

  test.each([
    [`1\n${ONE}\na\n\n2\n${TWO}\nb`, BOTH],
    [`${ONE}\na\n${TWO}\nb`, BOTH],
    [`\n \n1\n${ONE}\na\n\u00a0\n\n 2 \n${TWO}\nb\n\n`, BOTH],
    [`1\n${ONE}\na\n2\n${TWO}\nb`, BOTH],
    // A number is words unless a time follows it, or a blank line stands before it.
    [`1\n${ONE}\n7\n${TWO}\nb`, ["3-4 b", "missing-text@2"]],
    [`1\n${ONE}\na\n7\nc\n\n2\n${TWO}\nb`, ["1-2 a 7 c", "3-4 b"]],
    [`1\n${ONE}\n\n7\n\n2\n${TWO}\nb`, ["3-4 b", "missing-text@2", "missing-timing@4 7"]],
    [`1\n${ONE}\na\n\n7\nc\n\n2\n${TWO}\nb`, [...BOTH, "missing-timing@5 7"]],
    [
      `1\n${ONE}\na\n\nc\n\nd\n\n2\n${TWO}\nb`,
      ["1-2 a c d", "3-4 b", "blank-line-in-text@4 c", "blank-line-in-text@6 d"],
    ],
    [`1\n${ONE}\n\na\n\n2\n${TWO}\nb`, BOTH],
    [`x\ny\n\nz\n1\n${ONE}\na`, ["1-2 a", "missing-timing@1 x"]],
    [`1\n${ONE}\na\n\n5\n`, ["1-2 a", "missing-timing@5 5"]],
    [`1\n${ONE}\na 1 --> b\nc -> 2`, ["1-2 a 1 --> b c -> 2"]],
    [`1\n${ONE}\n1 -> x -> 2 > 3`, ["1-2 1 -> x -> 2 > 3"]],
    [
      "1\n0:1:2 --> 1:99:3\nlost\nmore\n\n2\n00:00:03,000 --> 00:00:04,000\nb",
      ["3-4 b", "bad-timing@2 0:1:2 --> 1:99:3"],
    ],
    [`1\n-${ONE}\na`, ["0-2 a", `before-start@2 a`, `odd-time@2 -${ONE}`]],
    ["1\n1x -> y2\na", ["no-cues@0", "bad-timing@2 1x -> y2"]],
    ["1\n1x -> y > 2\na", ["no-cues@0", "missing-timing@1 1"]],
    ["1\n1.5 -> 2.5\na", ["no-cues@0", "bad-timing@2 1.5 -> 2.5"]],
  ])("%j", (text, expected) => {
    expect(told(parseSubRip(text)).toSorted()).toEqual([...expected].toSorted());
  });

  test.each([
    "00:00:01,000-->00:00:02,000",
    "00:00:01,000 -> 00:00:02,000",
    "00:00:01.000 --> 00:00:02.000",
    "0:00:01,0 --> 0:00:02,00",
    "00:01 --> 00:02",
    " 00:00:01,000 --> 00:00:02,000",
    "00:00:01,000 --> 00:00:02,000 X1:7",
    "00:00:01,000 --> 00:00:02,000 ",
    "00:00:01,000 --- 00:00:02,000".replace("---", "--->"),
  ])("times that are not written to the letter, %j, are read and told", (line) => {
    expect(told(parseSubRip(`1\n${line}\na`))).toEqual(["1-2 a", `odd-time@2 ${line.trimEnd()}`]);
  });

  test("times to the letter are none where a part of them passes its range, or is no number", () => {
    for (const part of [
      "00:60:01,000",
      "00:00:60,000",
      "0a:00:01,000",
      "00:a0:01,000",
      "00:00:0/,000",
      "00:00:01,0:0",
      "00:00:01,00a",
    ]) {
      const line = `${part} --> 00:00:02,000`;
      expect(told(parseSubRip(`1\n${line}\na`)), part).toEqual(["no-cues@0", `bad-timing@2 ${line}`]);
    }
    const last = "99:59:59,999";
    expect(told(parseSubRip(`1\n${last} --> 99:59:59,998\na`))).toEqual([
      expect.stringContaining("359999.999-"),
      "end-before-start@2 a",
    ]);
  });
});

describe("WebVTT", () => {
  const CUE = "00:01.000 --> 00:02.000\na";
  const vtt = (...blocks: readonly string[]) => ["WEBVTT", ...blocks].join("\n\n");

  test.each([
    [vtt(CUE, "x\n00:03.000 --> 00:04.000\nb\nc"), ["1-2 a", "3-4 b c"]],
    // A cue without words takes the text behind its blank line, and no more than that.
    [
      vtt("00:01.000 --> 00:02.000", "a", "b", "00:03.000 --> 00:04.000\nc"),
      ["1-2 a b", "3-4 c", "blank-line-in-text@4 a", "blank-line-in-text@6 b"],
    ],
    [vtt("00:01.000 --> 00:02.000", "NOTE x", "a"), ["1-2 a", "blank-line-in-text@6 a"]],
    [vtt("00:01.000 --> 00:02.000", "00:03.000 --> 00:04.000\nc"), ["3-4 c", "missing-text@3"]],
    [vtt(CUE, "lost\nmore", CUE), ["1-2 a", "1-2 a", "missing-timing@6 lost"]],
    [vtt("STYLE", CUE), ["1-2 a", "stray-text@3 STYLE"]],
    [vtt("STYLE \nx", "REGION\nid:b", "NOTE", "NOTES", CUE), ["1-2 a", "missing-timing@11 NOTES"]],
    [vtt(CUE, "REGION\nid:b"), ["1-2 a", "stray-text@6 REGION"]],
    [vtt("00:01.000 --> 00:02.000", "STYLE\nx"), ["missing-text@3", "stray-text@5 STYLE", "no-cues@0"]],
    [vtt("00:01.000 -->00:02.000 line:0\na"), ["1-2 a"]],
    [vtt("00:01.000--> 00:02.000\na"), ["1-2 a"]],
    [vtt(" 00:01.000 --> 00:02.000\na"), ["1-2 a"]],
    [vtt("00:01,5 --> 0:02 line:0\na"), ["1.5-2 a", "odd-time@3 00:01,5 --> 0:02 line:0"]],
    [vtt("-0:01 --> 0:02\na"), ["no-cues@0", "bad-timing@3 -0:01 --> 0:02"]],
    [vtt("0:01 --> 0:02x\na"), ["no-cues@0", "bad-timing@3 0:01 --> 0:02x"]],
    [vtt("soon --> 00:02.000\na"), ["no-cues@0", "bad-timing@3 soon --> 00:02.000"]],
    ["WEBVTT\n00:01.000 --> 00:02.000\na", ["1-2 a"]],
    ["webvtt x\n\n00:01.000 --> 00:02.000\na", ["1-2 a", "missing-header@1 webvtt x"]],
    ["\n WebVTT\n00:01.000 --> 00:02.000\na", ["1-2 a", "missing-header@1"]],
    ["WEBVTTx\n00:01.000 --> 00:02.000\na", ["1-2 a", "missing-header@1 WEBVTTx"]],
    ["x WEBVTT\n\n00:01.000 --> 00:02.000\na", ["1-2 a", "missing-header@1 x WEBVTT", "missing-timing@1 x WEBVTT"]],
    ["WEBVTT\n\n00:01.000 --> 00:02.000\na\0b <rt>no</rt>c<rtx>d", ["1-2 a\ufffdb cd"]],
    ["WEBVTT", ["no-cues@0"]],
    ["", ["no-cues@0", "missing-header@1"]],
  ])("%j", (text, expected) => {
    expect(told(parseWebVtt(text)).toSorted()).toEqual(expected.toSorted());
  });

  test("style sheets, regions, notes and what stands behind times are kept as they stand, apart from cues", () => {
    const { entries, asides, language, cues, issues } = parseWebVtt(
      "WEBVTT t\nKind: x\n Language : de-DE \n\nSTYLE\na\nb\n\nREGION \nc\n\nNOTE\n\nNOTE d\ne\n\nNOTE\tf\n\nid 1\n00:01.000 --> 00:02.000  line:0 \n<i>x\ny\n",
    );
    expect(asides).toEqual([
      { kind: "STYLE", text: "a\nb" },
      { kind: "REGION", text: "c" },
      { kind: "NOTE", text: "" },
      { kind: "NOTE", text: "d\ne" },
      { kind: "NOTE", text: "f" },
    ]);
    expect(entries).toEqual([{ id: "id 1", start: 1, end: 2, settings: "line:0", text: "<i>x\ny", line: 20 }]);
    expect([language, cues.length, issues]).toEqual(["de-DE", 1, []]);
    expect(parseWebVtt("WEBVTT\nLanguages: de\n\nLanguage: fr\n").language).toBeUndefined();
  });

  test("to the letter, what the standard's parser drops is dropped", () => {
    const strict = (text: string) => told(parseWebVtt(text, { isStrict: true }));
    expect(strict(vtt("00:01.000 --> 00:02.000", "a"))).toEqual(["no-cues@0", "missing-text@3", "missing-timing@5 a"]);
    expect(strict("webvtt\n\n00:01.000 --> 00:02.000\na")).toEqual(["no-cues@0", "missing-header@1 webvtt"]);
    expect(strict(vtt("0:01 --> 0:02\na"))).toEqual(["no-cues@0", "bad-timing@3 0:01 --> 0:02"]);
  });
});

describe("plain text", () => {
  test.each([
    ["0:01 - 0:05 a\nb\n\n\nc\n0:05 - 0:06 d", ["1-5 a b c", "5-6 d"]],
    ["t\nu\n\nv\n0:01 - 0:02 a", ["1-2 a", "missing-timing@1 t", "missing-timing@4 v"]],
    ["0:01 - 0:02 a\n[0:99] x\nlost\nmore\n\nb", ["1-2 a b", "bad-timing@2 [0:99] x", "missing-timing@3 lost"]],
    ["[0:99] x\n[0:98] y\n0:01 - 0:02 a", ["1-2 a", "bad-timing@1 [0:99] x", "bad-timing@2 [0:98] y"]],
    ["1.0 2.0 7\n2.0 3.0 8", ["unknown-format@0 1.0 2.0 7\n2.0 3.0 8", "no-cues@0"]],
    ["1.0 2.0 7\n2.0 3.0 b", ["1-2 7", "2-3 b"]],
    ["[1.0 - 2.0] 7", ["1-2 7"]],
    ["0:01 - 0:02 7", ["1-2 7"]],
  ])("%j", (text, expected) => {
    expect(told(parsePlainText(text))).toEqual(expected);
  });

  test.each([
    ["[0:01 - 0:02] a", "", "a"],
    ["{0:01 - 0:02} a", "", "a"],
    ["(0:01) - (0:02): a", "", "a"],
    ["<0:01 | 0:02> a", "", "a"],
    ["[ 0:01 ] a", "", "a"],
    ["[0:01]a", "", "a"],
    ["0:01 ~ 0:02 a", "", "a"],
    ["0:01;0:02 a", "", "a"],
    ["0:01/0:02 a", "", "a"],
    ["0:01 -> 0:02 | a", "", "a"],
    ["0:01 0:02.5 a", "", "0:02.5 a"],
    ["0:01.0 0:02.5 a", "", "a"],
    ["0:01,0 0:02.5 a", "", "a"],
    ["1.5s 2.5s a", "", "a"],
    ["[1.5s] a", "", "a"],
    ["12. 0:01 0:02 a", "12", "a"],
    ["12) 0:01 0:02 a", "12", "a"],
    ["ad_7 0:01 0:02 a", "ad_7", "a"],
    ['f1 1.0 2.0 "a \\"b\\""', "f1", 'a "b"'],
    ['1.0 2.0 f1 "a "b""', "f1", '"a "b""'],
    ['1.0 2.0 "a"', "", '"a"'],
    ['[1.0 2.0] f1 "a"', "", 'f1 "a"'],
  ])("the row %j is the cue %j with the words %j", (line, id, words) => {
    const [cue] = parsePlainText(line).cues;
    expect([cue?.id.replace("cue-0001", ""), cue?.text]).toEqual([id, words]);
  });

  test.each(["1.5 a", "4 3:30 pm trains", "0:01a", "0:01.5x b", "x 0:01 a", "1 2 a", "0:1 a", "12 a"])(
    "%j has no time",
    (line) => {
      expect(parsePlainText(line).cues).toEqual([]);
    },
  );
});
