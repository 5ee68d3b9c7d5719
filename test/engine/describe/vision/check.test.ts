import { describe, expect, test } from "vitest";
import { EMPTY_BIBLE } from "../../../../src/core/film-bible.ts";
import type { DescribeRequest } from "../../../../src/engine/describe/describer.ts";
import { checkLines, LineChecker, type LineToCheck } from "../../../../src/engine/describe/vision/check.ts";
import { linesIn, type StageRules, startDescribingModel } from "../../../fakes/describing-model.ts";
import { filmRequest, keyFramesAt, SMALL_FILM } from "../describe-request.ts";
import { askerOf } from "./asker-of.ts";

const line = (text: string, start: number, end = start + 1): LineToCheck => ({ text, moments: [{ start, end }] });

async function checked(
  lines: readonly LineToCheck[],
  verdicts: StageRules["verdicts"] = () => undefined,
  pictures = 6,
  language = "en-US",
  keyFrames: DescribeRequest["keyFrames"] = SMALL_FILM.keyFrames,
) {
  const model = await startDescribingModel([], { verdicts: verdicts ?? (() => undefined) });
  const request = { ...(await filmRequest({ ...SMALL_FILM, keyFrames })), language };
  const bible = {
    ...EMPTY_BIBLE,
    story: "She hides.",
    persons: [{ label: "the woman", looks: "in red", name: "Anna", nameFrom: 12 }],
  };
  const asker = await askerOf(model, request, { pictures });
  const result = await checkLines(lines, { request, knowledge: { bible, category: "" }, asker });
  return { result, model, asked: model.of("verdicts") };
}

const RIGHT = { kind: "right", why: "", mended: "" };
const UNSURE = { kind: "unsure", why: "", mended: "" };

describe("the second look", () => {
  test("shows every line with the pictures of its moment, and one of shortly before", async () => {
    const lines = [line("A dog runs.", 5, 7.5), line("The woman drops it.", 13), line("She waves.", 33, 36)];
    const { asked, result } = await checked(lines, undefined, 16);
    expect(result).toEqual([RIGHT, RIGHT, RIGHT]);
    expect(asked.map(({ pictures }) => pictures.map(({ at }) => at))).toEqual([[3, 5, 7, 11, 13, 31, 33, 35]]);
    expect(linesIn(asked[0]?.prompt ?? "").map(({ head, text }) => [head, text])).toEqual([
      ["Line 1, told of 5.0 s to 7.5 s", "A dog runs."],
      ["Line 2, told of 13.0 s to 14.0 s", "The woman drops it."],
      ["Line 3, told of 33.0 s to 36.0 s", "She waves."],
    ]);
  });

  test("of a line of several moments is from before the first of them, in whatever order they are told", async () => {
    const moments = [
      { start: 13, end: 14 },
      { start: 5, end: 6 },
    ];
    const { asked } = await checked([{ text: "A dog runs, and the woman drops it.", moments }], undefined, 16);
    expect(asked.map(({ pictures }) => pictures.map(({ at }) => at))).toEqual([[3, 5, 13]]);
    expect(linesIn(asked[0]?.prompt ?? "").map(({ head }) => head)).toEqual(["Line 1, told of 5.0 s to 14.0 s"]);
    const inOrder = await checked([{ text: "A dog runs.", moments: moments.toReversed() }], undefined, 16);
    expect(inOrder.asked[0]?.prompt).toContain("Line 1, told of 5.0 s to 14.0 s: A dog runs.");
  });

  /** The times of the pictures that a line is shown with, of a film of which there are pictures of these times. */
  async function shownOf(moments: LineToCheck["moments"], times: readonly number[]) {
    const { asked } = await checked([{ text: "He runs.", moments }], undefined, 16, "en-US", keyFramesAt(times));
    return asked.flatMap(({ pictures }) => pictures.map(({ at }) => at));
  }

  test.each([
    ["two seconds before it", [8, 10], [8, 10]],
    ["longer before it", [7.9, 10], [10]],
    ["four seconds after it begins", [10, 14], [10, 14]],
    ["later", [10, 14.1], [10]],
  ])("takes a picture of %s for one of its moment, or not", async (_name, times, shown) => {
    expect(await shownOf([{ start: 10, end: 19 }], times)).toEqual(shown);
  });

  test("shows three pictures of a moment at the most, and six of a line", async () => {
    const dense = Array.from({ length: 100 }, (_, index) => index / 5);
    const [first, ...more] = await shownOf([{ start: 10, end: 19 }], dense);
    expect(first).toBe(9.8);
    expect(more).toEqual([10, expect.any(Number), 14]);
    const several = [3, 8, 13].map((start) => ({ start, end: start + 3 }));
    expect(await shownOf(several, dense)).toHaveLength(6);
  });

  test("keeps to the pictures of a request, and shows each line its own all the same", async () => {
    const lines = Array.from({ length: 19 }, (_, index) => line(`Line of ${2 * index + 1}.`, 2 * index + 1));
    for (const most of [1, 2, 3, 6, 16]) {
      const { asked } = await checked(lines, undefined, most);
      const told = asked.flatMap(({ prompt, pictures }) => {
        expect(pictures.length).toBeLessThanOrEqual(most);
        expect(linesIn(prompt).length).toBeLessThanOrEqual(8);
        return linesIn(prompt).map(({ text }) => {
          expect(pictures.map(({ at }) => `Line of ${at}.`)).toContain(text);
          return text;
        });
      });
      expect(told).toEqual(lines.map(({ text }) => text));
    }
  });

  test("tells who the persons are and when they may be named, and nothing of the story", async () => {
    const { asked } = await checked([line("Anna runs.", 5)]);
    expect(asked[0]?.prompt).toContain("Person: the woman: in red; name Anna, not before 12.0 s");
    expect(asked[0]?.prompt).not.toContain("She hides");
  });

  test("gives each line the verdict on it, whatever the order", async () => {
    const { result } = await checked([line("One.", 1), line("Two.", 3)], () => ({
      lines: [
        { line: 2, verdict: "unsure", why: " too dark " },
        { line: 1, verdict: "wrong", why: "no dog", mended: " A man. " },
      ],
    }));
    expect(result).toEqual([
      { kind: "wrong", why: "no dog", mended: "A man." },
      { kind: "unsure", why: "too dark", mended: "" },
    ]);
  });

  test("names the language, asks again for a mended line in another one, and takes none", async () => {
    const answered = (mended: string) => ({ lines: [{ line: 1, verdict: "wrong", why: "her coat is blue", mended }] });
    const [wrong, right] = ["A woman crosses the square.", "一个女人走过广场。"];
    const chinese = [line("一个穿红大衣的女人走过广场。", 5)];
    const mended = await checked(
      chinese,
      ({ askedBack }) => answered(askedBack.length === 0 ? wrong : right),
      6,
      "cmn-CN",
    );
    expect(mended.asked[0]?.system).toContain("Write in Chinese (China) (cmn-CN).");
    expect(mended.asked[1]?.askedBack[0]).toContain("is not in Chinese (China).");
    expect(mended.result).toEqual([{ kind: "wrong", why: "her coat is blue", mended: right }]);
    const stubborn = await checked(chinese, () => answered(wrong), 6, "cmn-CN");
    expect(stubborn.asked).toHaveLength(2);
    expect(stubborn.result).toEqual([{ kind: "wrong", why: "her coat is blue", mended: "" }]);
    const second = await checked(
      [...chinese, ...chinese],
      () => ({ lines: [...answered(right).lines, { ...answered(wrong).lines[0], line: 2 }] }),
      6,
      "cmn-CN",
    );
    expect(second.asked[1]?.askedBack[0]).toContain("is not in Chinese (China).");
    expect(second.result.map(({ mended: rest }) => rest)).toEqual([right, ""]);
  });

  test("asks back for a verdict that is missing; without one a line is unsure", async () => {
    const { result, asked } = await checked([line("One.", 1), line("Two.", 3)], () => ({
      lines: [{ line: 1, verdict: "right" }],
    }));
    expect(asked[1]?.askedBack[0]).toContain("There is no verdict on line 2.");
    expect(asked).toHaveLength(2);
    expect(result).toEqual([RIGHT, UNSURE]);
  });

  test.each(["I cannot assist.", "All right.", '{"lines": [{"line": 1, "verdict": "perhaps"}]}'])(
    "after %s every line is unsure",
    async (words) => {
      expect((await checked([line("One.", 1), line("Two.", 3)], () => words)).result).toEqual([UNSURE, UNSURE]);
    },
  );

  test("asks nothing where there is no line", async () => {
    expect((await checked([])).asked).toEqual([]);
  });
});

describe("lines that come one after the other", () => {
  test("share a request, whenever they come, and the last ones go at the end", async () => {
    const model = await startDescribingModel([]);
    const request = await filmRequest(SMALL_FILM);
    const asker = await askerOf(model, request, { pictures: 6 });
    const checker = new LineChecker({ request, knowledge: { bible: EMPTY_BIBLE, category: "" }, asker });
    const first = checker.verdictOn(line("A dog runs.", 5));
    const second = checker.verdictOn(line("It barks.", 7));
    const third = checker.verdictOn(line("She waves.", 33, 39));
    expect(await Promise.all([first, second])).toEqual([RIGHT, RIGHT]);
    expect(model.of("verdicts").map(({ prompt }) => linesIn(prompt).length)).toEqual([2]);
    checker.end();
    expect(await third).toEqual(RIGHT);
    expect(model.of("verdicts").map(({ prompt }) => linesIn(prompt).length)).toEqual([2, 1]);
  });
});
