import { describe, test } from "vitest";
import { READERS } from "./every-reader.ts";

/** Characters of each text below. What took its square of steps would not end within the time a test has. */
const LONG = 60_000;

describe("every reader takes time that grows with the text alone", () => {
  const runs = [
    ..."<>&\"'{}[]()*|;:,.-/ 1a\t\n",
    ...[
      "\r\n",
      "1 ",
      "1:",
      "1,",
      "00:",
      "->",
      "--> ",
      "<i>",
      "</i>",
      "<a ",
      "<a b='",
      "<!--",
      "<![CDATA[",
      "&#1",
      "&amp",
    ],
    ...['""', ',"', '"a""b,', '{"a":', "[1,", "\\", "{\\a", "* COMMENT: a\n", "001 ", "\n\n1\n", "NOTE a\n\n", "<rt>"],
    ...[
      "00:01.000 --> 00:02.000\n",
      "00:01.000 --> 00:02.000 line:1\n\n",
      "0:00:01.0,0:00:02.0\n",
      "|C:",
      "M2 ",
      "[slowly] ",
      "(a. [x ",
      "<break a='' ",
      "<p>",
    ],
  ];
  const frames = [
    ["", ""],
    ["WEBVTT\n\n00:01.000 --> 00:02.000\n", "\n\n"],
    ["1\n00:00:01,000 --> 00:00:02,000\n", " -x->"],
    ["TITLE: a\n001  AX V C 01:00:00:00 01:00:01:00 01:00:00:00 01:00:01:00\n* COMMENT: ", "\n"],
  ] as const;

  test.each(Object.entries(READERS))("%s", { timeout: 10_000 }, (_, read) => {
    for (const run of runs) {
      const long = run.repeat(LONG / run.length);
      for (const [before, behind] of frames) read(before + long + behind);
    }
  });
});
