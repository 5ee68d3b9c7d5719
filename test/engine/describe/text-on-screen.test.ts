import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../src/contract/choices.ts";
import type { Shot } from "../../../src/core/shot.ts";
import type { DescribeRequest } from "../../../src/engine/describe/describer.ts";
import { textDescriber } from "../../../src/engine/describe/text-on-screen.ts";
import type { OnscreenText } from "../../../src/engine/onscreen-text.ts";
import { describeRequest } from "./describe-request.ts";

/** A picture of which much could be said: none of it is words on screen. */
const BRIGHT_RED: Shot = {
  start: 0,
  end: 60,
  opening: "fade",
  brightness: 0.9,
  contrast: 0.2,
  saturation: 0.9,
  motion: "fast",
  colours: [{ name: "red", share: 0.9 }],
  frozenSeconds: 0,
  titleCard: true,
  keyFrameAt: 2,
};

function tell(request: Partial<DescribeRequest>) {
  const whole = describeRequest({ shots: [BRIGHT_RED], gaps: [], transcript: [], keyFrames: [], ...request });
  return textDescriber.describe(whole, new AbortController().signal);
}

const read = (...texts: OnscreenText[]) => ({ isRead: true, texts, notes: [], unread: [] });

describe("the describer without a model", () => {
  test("says nothing of what is only measured, and leaves the pauses to a person", async () => {
    expect(await tell({})).toEqual({ descriptions: [], notes: [], findings: [], leavesRest: true });
  });

  test("tells what stands on screen while it stands there, and in less time only its first lines", async () => {
    const onscreen = read({ start: 10, end: 20, lines: ["THE HARBOUR", "a film by N. N.", "1962"] });
    const { descriptions } = await tell({ onscreen });
    expect(descriptions).toMatchObject([{ id: "cue-0001", picture: { start: 10, end: 20 } }]);
    expect(descriptions[0]?.wordings).toEqual([
      "On screen: THE HARBOUR, a film by N. N. 1962.",
      "On screen: THE HARBOUR, a film by N. N.",
      "On screen: THE HARBOUR.",
    ]);
  });

  test("tells the same text once, whichever wording is fitted, and again only where every word is asked for", async () => {
    const onscreen = read(
      { start: 1, end: 3, lines: ["HARBOUR", "NORTH"] },
      { start: 20, end: 23, lines: ["Harbour"] },
      { start: 41, end: 43, lines: ["HARBOUR", "NORTH"] },
    );
    expect((await tell({ onscreen })).descriptions).toHaveLength(1);
    expect((await tell({ onscreen, readsAllOnscreenText: true })).descriptions).toHaveLength(3);
  });

  test("GEN-19: tells every word on screen where all are asked for, and the first of many otherwise", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `Line ${index} of the long credits`);
    const onscreen = read({ start: 1, end: 3, lines });
    const all = (await tell({ onscreen, type: "extended", readsAllOnscreenText: true })).descriptions[0]?.wordings;
    expect(all).toHaveLength(1);
    for (const line of lines) expect(all?.[0]).toContain(line);
    const some = (await tell({ onscreen, type: "extended" })).descriptions[0]?.wordings ?? [];
    expect(some[0]).toContain("Line 4");
    expect(some[0]).not.toContain("Line 6");
    expect(some.at(-1)).toBe("On screen: Line 0 of the long credits.");
  });

  test.each([30, 31])(
    "of %i words in four lines, tells all where they are thirty at the most, else whole lines",
    async (words) => {
      const line = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`).join(" ");
      const lines = [line(10, "a"), line(10, "b"), line(5, "c"), line(words - 25, "d")];
      const { descriptions } = await tell({ onscreen: read({ start: 1, end: 3, lines }) });
      const told = words === 30 ? lines : lines.slice(0, 3);
      expect(descriptions[0]?.wordings[0]).toBe(`On screen: ${told.join(", ")}.`);
    },
  );

  test("says in notes what could not be read, and that instructions need a model", async () => {
    const onscreen = { isRead: false, texts: [], notes: ["Text on screen was not read."], unread: [] };
    const { notes } = await tell({ onscreen, instructions: "Name the ship." });
    expect(notes).toEqual(["Text on screen was not read.", expect.stringContaining("instructions")]);
  });

  test("finds each text that could not be read where it stands, and speaks none of it", async () => {
    const message = "Text on screen in Greek letters cannot be read here";
    const places = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ start: at, end: at + 1, letters: null, message }));
    const unread = (count: number) => tell({ onscreen: { isRead: true, texts: [], notes: [], unread: places(count) } });
    const one = await unread(1);
    expect(one.descriptions).toEqual([]);
    expect(one.findings).toEqual([{ rule: "text-not-read", severity: "warn", message, start: 0, end: 1 }]);
    const many = (await unread(45)).findings ?? [];
    expect(many).toHaveLength(21);
    expect(many.at(-1)?.message).toBe("Text on screen stands unread in 25 more places");
  });

  test.each(LANGUAGES)("GEN-07: tells text on screen in %s, in words of its own", async (language) => {
    const { descriptions } = await tell({ language, onscreen: read({ start: 1, end: 4, lines: ["EXIT", "A"] }) });
    const wordings = descriptions[0]?.wordings ?? [];
    expect(wordings).toHaveLength(2);
    for (const wording of wordings) expect(wording).toMatch(/^[^{}]+EXIT[^{}]*$/);
    expect(wordings[0]?.startsWith("On screen")).toBe(language.startsWith("en"));
  });

  test.each([
    ["ja-JP", "画面の文字、出口、東。"],
    ["hi-IN", "स्क्रीन पर लिखा है: 出口, 東।"],
    ["th-TH", "บนจอเขียนว่า 出口 東"],
  ])("parts and ends a sentence as %s does", async (language, sentence) => {
    const { descriptions } = await tell({ language, onscreen: read({ start: 1, end: 4, lines: ["出口", "東"] }) });
    expect(descriptions[0]?.wordings[0]).toBe(sentence);
  });
});
