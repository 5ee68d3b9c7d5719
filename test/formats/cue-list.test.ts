import { describe, expect, test } from "vitest";
import { CueListBuilder } from "../../src/formats/cue-list.ts";
import { IssueList } from "../../src/formats/parse-issue.ts";

type Given = readonly [id: string, start: number, end: number | null, text: string];

function listOf(...given: readonly Given[]) {
  const issues = new IssueList();
  const builder = new CueListBuilder(issues);
  for (const [index, [id, start, end, text]] of given.entries()) builder.add(id, start, end, text, index + 1);
  const cues = builder.finish();
  return { cues, told: issues.finish().map(({ code, line, text }) => `${code}@${line} ${text}`.trim()) };
}

const idsOf = (...ids: readonly string[]) =>
  listOf(...ids.map((id, index): Given => [id, index, index + 1, "x"])).cues.map(({ id }) => id);

describe("ids", () => {
  test.each([
    [
      ["a", "b", "c"],
      ["a", "b", "c"],
    ],
    [
      ["c", "b", "a"],
      ["c", "b", "a"],
    ],
    [
      ["9", "10", "11"],
      ["9", "10", "11"],
    ],
    [
      ["a", "a", "a"],
      ["a", "a-2", "a-3"],
    ],
    [
      ["b", "a", "b"],
      ["b", "a", "b-3"],
    ],
    [
      ["a", "b", "b", "b-3", "b"],
      ["a", "b", "b-3", "b-3-4", "b-5"],
    ],
    [
      ["", ""],
      ["cue-0001", "cue-0002"],
    ],
    [
      ["", "b", ""],
      ["cue-0001", "b", "cue-0003"],
    ],
    [
      ["cue-0002", "", "a"],
      ["cue-0002", "cue-0002-2", "a"],
    ],
    [
      ["cue-0003", "x", "", "cue-0003-3"],
      ["cue-0003", "x", "cue-0003-4", "cue-0003-3"],
    ],
    [
      ["", "a", "a", ""],
      ["cue-0001", "a", "a-2", "cue-0004"],
    ],
    [
      ["a\nb", " a  b ", "a\u2028c"],
      ["a b", " a  b ", "a c"],
    ],
    [["\n"], ["cue-0001"]],
  ])("%j become %j", (given, expected) => {
    expect(idsOf(...given)).toEqual(expected);
  });

  test("that are used again are told, those that are made up are not", () => {
    expect(listOf(["a", 0, 1, "x"], ["a", 1, 2, "y"], ["", 2, 3, "z"]).told).toEqual(["duplicate-id@2 a"]);
  });
});

describe("times", () => {
  test("without a usable end last as long as their words, up to the next cue, half a second at least", () => {
    const words = "Eleven words take four seconds to say at the usual pace.";
    expect(listOf(["", 1, null, words], ["", 9, 9, words], ["", 10, 8, "x"]).cues.map(({ end }) => end)).toEqual([
      5, 10, 10.5,
    ]);
    expect(listOf(["", 1, null, words], ["", 1, null, words]).cues.map(({ end }) => end)).toEqual([5, 5]);
    expect(listOf(["", 5, null, words], ["", 1, 2, "x"], ["", 6, 7, "x"]).cues.map(({ end }) => end)).toEqual([
      2, 6, 7,
    ]);
    expect(listOf(["", 1, null, words], ["", 1, 1, "y"]).told).toEqual([
      `missing-end@1 ${words}`,
      "end-before-start@2 y",
    ]);
  });

  test("before the start become it, and are told", () => {
    expect(listOf(["", -1, 2, "x"], ["", -3, -2, "y"])).toMatchObject({
      cues: [
        { start: 0, end: 2 },
        { start: 0, end: 0.5 },
      ],
      told: ["before-start@1 x", "before-start@2 y", "end-before-start@2 y"],
    });
  });

  test("out of order are ordered, which is told once", () => {
    const { cues, told } = listOf(["", 5, 6, "a"], ["", 3, 4, "b"], ["", 7, 8, "c"], ["", 1, 2, "d"]);
    expect([cues.map(({ text }) => text).join(""), told]).toEqual(["dbac", ["out-of-order@2 b"]]);
    expect(listOf(["", 5, 6, "a"], ["", 5, 6, "b"]).told).toEqual([]);
  });

  test("that no double tells apart are dropped", () => {
    expect(
      listOf(
        ["", 1e10, null, "a"],
        ["", 1, 1e10, "b"],
        ["", 1.1e10, 2e10, "c"],
        ["", -1.1e10, 1, "d"],
        ["", 1, 1.1e10, "e"],
        ["", Number.NaN, 1, "f"],
      ).told,
    ).toEqual([
      "missing-end@1 a",
      "out-of-order@2 b",
      ..."cdef".split("").map((text, index) => `bad-timing@${index + 3} ${text}`),
    ]);
  });
});

test("a cue without words, or with those of a pause that is still to be written, is left out", () => {
  const { cues, told } = listOf(["a", 1, 2, ""], ["b", 3, 4, "To write: 13 words, 5.2 s"]);
  expect([cues, told]).toEqual([[], ["no-cues@0", "missing-text@1", "missing-text@2"]]);
  expect(listOf().told).toEqual(["no-cues@0"]);
});

describe("issues", () => {
  test("come in order of line, those of one line as they were added, a thousand of them, and the rest is counted", () => {
    const issues = new IssueList();
    issues.add("odd-time", 7, "b");
    issues.add("bad-timing", 2);
    issues.add("overlap", 7, "a", "by much");
    expect(issues.finish()).toEqual([
      expect.objectContaining({
        code: "bad-timing",
        effect: "dropped",
        line: 2,
        text: "",
        message: "the times cannot be read",
      }),
      expect.objectContaining({ code: "odd-time", effect: "repaired", line: 7, text: "b" }),
      expect.objectContaining({
        code: "overlap",
        effect: "note",
        line: 7,
        text: "a",
        message: "it begins while another is shown: by much",
      }),
    ]);
    for (let count = 3; count < 1000; count++) issues.add("odd-time", 8);
    expect(issues.finish()).toHaveLength(1000);
    issues.add("odd-time", 1);
    issues.add("odd-time", 1);
    expect(issues.finish()).toHaveLength(1001);
    expect(issues.finish().at(-1)).toMatchObject({
      code: "more-issues",
      effect: "note",
      line: 0,
      text: "",
      message: expect.stringContaining(": 2 more"),
    });
  });

  test("show 120 characters of a text at most", () => {
    const issues = new IssueList();
    issues.add("odd-time", 1, "x".repeat(120));
    issues.add("odd-time", 1, "x".repeat(121));
    expect(issues.finish().map(({ text }) => text)).toEqual(["x".repeat(120), `${"x".repeat(119)}…`]);
  });
});

test("directions to the voice are kept with the words and told; alone they are no description", () => {
  const { cues, told } = listOf(
    ["", 1, 2, "[slowly] A door opens. (beat)"],
    ["", 3, 4, "{pause}"],
    ["", 5, 6, "[On a sign: slow]"],
  );
  expect(cues.map(({ text }) => text)).toEqual(["[slowly] A door opens. (beat)", "[On a sign: slow]"]);
  expect(told).toEqual(["direction@0 [slowly] (beat)", "missing-text@2 {pause}"]);
});
