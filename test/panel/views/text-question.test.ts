import { describe, expect, test } from "vitest";
import type { TextQuestion } from "../../../panel/state/given-text.ts";
import { givenText, questionView } from "../../../panel/views/text-question.ts";
import { words } from "../../../panel/words/words.ts";
import type { Reading, Receipt } from "../../../src/core/verdict.ts";
import { elementsOf } from "../../page/page-actions.ts";
import { elementOf, outlineOf, usesOf } from "./drawn.ts";
import { viewPage } from "./view-page.ts";

const reading = (label: string, change: Partial<Reading> = {}): Reading => ({
  label,
  choice: { unit: "ms" },
  fit: 1,
  fitting: 3,
  lines: 3,
  preview: [1, 2, 3].map((at) => ({
    id: `${label}-${at}`,
    start: 10 * at,
    end: 10 * at + 5,
    text: `Line ${at} of ${label}`,
  })),
  ...change,
});
const READINGS = [
  reading("times in milliseconds"),
  reading("times in frames", { choice: { unit: "frames" }, fitting: 1 }),
  reading("times in seconds", { choice: { unit: "s" }, fitting: 2 }),
];
const RECEIPT: Receipt = {
  facts: ["three lines", "the sheet “A”", "column B"],
  leftOut: [
    { what: "row", count: 2 },
    { what: "cell", count: 1 },
  ],
  choices: { column: "column B" },
};

function asked(
  change: Partial<TextQuestion> = {},
  {
    kind = "script" as "script" | "captions",
    readings = READINGS,
    question = "What do its numbers count?",
    receipt = undefined as Receipt | undefined,
  } = {},
) {
  const verdict = readings.length === 0 ? { kind: "fits" } : { kind: "unsure", question, readings };
  const text = { kind, picked: { name: "a.csv" }, choice: {}, understood: { verdict, receipt } };
  const made = {
    text,
    film: { durationSeconds: 60, speech: [{ start: 20, end: 30 }] },
    byHand: "unit",
    handDraft: "",
    isAsked: false,
    ...change,
  } as unknown as TextQuestion;
  const page = viewPage();
  return { ...page, draw: () => questionView(made, [], page.actions) };
}

describe("the question how a text is to be read", () => {
  test("has each reading with its first lines, how many of them fit, and one click to take it; the first is the likeliest", async () => {
    const page = asked({}, { receipt: RECEIPT });
    expect(outlineOf(page.draw())).toEqual([
      "heading “What do its numbers count?” #text-question-heading takesFocus level=2",
      `${words.textQuestion({ name: "a.csv" })} ${words.textCompare}`,
      `list “${words.textKinds.script}”`,
      "  listitem",
      `    Times in milliseconds ${words.textFits({ fitting: 3, lines: 3 })}`,
      `    img “${words.textStripLabel({ label: "times in milliseconds" })}” #reading-strip-0 : ${words.textLanes.dialogue} ${words.textLanes.lines}`,
      "    00:00:10.000 “Line 1 of times in milliseconds” 00:00:20.000 “Line 2 of times in milliseconds” 00:00:30.000 “Line 3 of times in milliseconds”",
      `    ${words.textWhy.script.all}`,
      `    button “${words.textUse}: times in milliseconds” #use-reading-0 : ${words.textUse}`,
      "  listitem",
      `    Times in frames ${words.textFits({ fitting: 1, lines: 3 })}`,
      `    img “${words.textStripLabel({ label: "times in frames" })}” #reading-strip-1 : ${words.textLanes.dialogue} ${words.textLanes.lines}`,
      "    00:00:10.000 “Line 1 of times in frames” 00:00:20.000 “Line 2 of times in frames” 00:00:30.000 “Line 3 of times in frames”",
      `    ${words.textWhy.script.some({ count: 2 })}`,
      `    button “${words.textUse}: times in frames” #use-reading-1 : ${words.textUse}`,
      "  listitem",
      `    Times in seconds ${words.textFits({ fitting: 2, lines: 3 })}`,
      `    img “${words.textStripLabel({ label: "times in seconds" })}” #reading-strip-2 : ${words.textLanes.dialogue} ${words.textLanes.lines}`,
      "    00:00:10.000 “Line 1 of times in seconds” 00:00:20.000 “Line 2 of times in seconds” 00:00:30.000 “Line 3 of times in seconds”",
      `    ${words.textWhy.script.some({ count: 1 })}`,
      `    button “${words.textUse}: times in seconds” #use-reading-2 : ${words.textUse}`,
      words.textByHand,
      `textbox “${words.textHand.unit.name}” #text-by-hand =  (${words.textHand.unit.hint})`,
      `button “${words.textHandUse}” #use-by-hand disabled`,
      `${words.textReceipt} Three lines The sheet “A” Words Column B Left out 2 rows, 1 cell`,
      words.textNothingSpoken,
      `button “${words.cancel}” #leave-text`,
    ]);
    expect(await usesOf(page, page.draw())).toEqual({
      "use-reading-0": ['textController.choose({"unit":"ms"})'],
      "use-reading-1": ['textController.choose({"unit":"frames"})'],
      "use-reading-2": ['textController.choose({"unit":"s"})'],
      "text-by-hand": ['textController.typeByHand("typed")'],
      "leave-text": ["textController.leave()"],
    });
    const classes = elementsOf(page.draw()).flatMap(({ properties }) =>
      properties["role"] === "listitem" ? [properties["class"]] : [],
    );
    expect(classes).toEqual(["card chosen", "card", "card"]);
  });

  test("is compared with the dialogue only where that was heard; what does not fit is said of film, captions or script", () => {
    const why = (page: ReturnType<typeof asked>) =>
      outlineOf(page.draw())
        .filter((line) => /Every line|No line|its lines in|lines? overlaps?|lines? (?:is|are) /.test(line))
        .map((line) => line.trim());
    expect(why(asked())).toEqual([
      `img “${words.textStripLabel({ label: "times in milliseconds" })}” #reading-strip-0 : ${words.textLanes.dialogue} ${words.textLanes.lines}`,
      words.textWhy.script.all,
      `img “${words.textStripLabel({ label: "times in frames" })}” #reading-strip-1 : ${words.textLanes.dialogue} ${words.textLanes.lines}`,
      words.textWhy.script.some({ count: 2 }),
      `img “${words.textStripLabel({ label: "times in seconds" })}” #reading-strip-2 : ${words.textLanes.dialogue} ${words.textLanes.lines}`,
      words.textWhy.script.some({ count: 1 }),
    ]);
    expect(why(asked({}, { kind: "captions" }))).toEqual([
      `img “${words.textStripLabel({ label: "times in milliseconds" })}” #reading-strip-0 : ${words.textLanes.dialogue} ${words.textLanes.lines}`,
      words.textWhy.captions.all,
      `img “${words.textStripLabel({ label: "times in frames" })}” #reading-strip-1 : ${words.textLanes.dialogue} ${words.textLanes.lines}`,
      words.textWhy.captions.some({ count: 2 }),
      `img “${words.textStripLabel({ label: "times in seconds" })}” #reading-strip-2 : ${words.textLanes.dialogue} ${words.textLanes.lines}`,
      words.textWhy.captions.some({ count: 1 }),
    ]);
    expect(why(asked({ film: { durationSeconds: 60 } }))).toEqual([
      `img “${words.textStripLabel({ label: "times in milliseconds" })}” #reading-strip-0 : ${words.textLanes.lines}`,
      words.textWhy.film.all,
      `img “${words.textStripLabel({ label: "times in frames" })}” #reading-strip-1 : ${words.textLanes.lines}`,
      words.textWhy.film.some({ count: 2 }),
      `img “${words.textStripLabel({ label: "times in seconds" })}” #reading-strip-2 : ${words.textLanes.lines}`,
      words.textWhy.film.some({ count: 1 }),
    ]);
    expect(outlineOf(asked({ film: { durationSeconds: 60 } }).draw())[1]).toEqual(
      words.textQuestion({ name: "a.csv" }),
    );
    expect(outlineOf(asked({}, { kind: "captions" }).draw()).at(-2)).toBe(words.textNotUsed);
  });

  test("that a person has opened, or that has no readings, is how it is to be read; what is typed settles it", async () => {
    const opened = asked({ isAsked: true, byHand: "start", handDraft: "10:00:00:00" });
    expect(outlineOf(opened.draw()).slice(0, 2)).toEqual([
      "heading “What do its numbers count?” #text-question-heading takesFocus level=2",
      `${words.textOtherwise({ name: "a.csv" })} ${words.textCompare}`,
    ]);
    const none = asked({ byHand: "rate", handDraft: " " }, { readings: [] });
    expect(outlineOf(none.draw())).toEqual([
      `heading “${words.textOtherwise({ name: "a.csv" })}” #text-question-heading takesFocus level=2`,
      `list “${words.textKinds.script}”`,
      `textbox “${words.textHand.rate.name}” #text-by-hand =   (${words.textHand.rate.hint})`,
      `button “${words.textHandUse}” #use-by-hand disabled`,
      words.textNothingSpoken,
      `button “${words.cancel}” #leave-text`,
    ]);
    const { "use-by-hand": use, "text-by-hand": type, "leave-text": leave } = await usesOf(opened, opened.draw());
    expect({ use, type, leave }).toEqual({
      use: ["textController.useByHand()"],
      type: ['textController.typeByHand("typed")'],
      leave: ["textController.leave()"],
    });
  });

  test("draws where its lines lie, under the dialogue, where the film's length is known; lines outside it are not drawn", () => {
    const strips = (page: ReturnType<typeof asked>) =>
      outlineOf(page.draw()).filter((line) => line.includes("reading-strip"));
    expect(strips(asked())).toHaveLength(3);
    expect(strips(asked({ film: { speech: [] } }))).toEqual([]);
    const lanes = (page: ReturnType<typeof asked>) =>
      elementsOf(elementOf(page.draw(), "reading-strip-0")).flatMap(({ properties }) =>
        /^(lane|piece)/.test(String(properties["class"]))
          ? [`${properties["class"]} ${properties["style"] ?? ""}`.trim()]
          : [],
      );
    expect(lanes(asked())).toEqual([
      "lane speech-lane",
      "piece left: 33.33%; width: 16.67%",
      "lane-name",
      "lane cue-lane",
      "piece left: 16.67%; width: 8.33%",
      "piece left: 33.33%; width: 8.33%",
      "piece left: 50.00%; width: 8.33%",
      "lane-name",
    ]);
    const outside = [-9, 55, 61].map((start, index) => ({ id: `${index}`, start, end: start + 6, text: "x" }));
    expect(lanes(asked({ film: { durationSeconds: 60 } }, { readings: [reading("x", { preview: outside })] }))).toEqual(
      ["lane cue-lane", "piece left: 91.67%; width: 8.33%", "lane-name"],
    );
  });
});

describe("a text of the form", () => {
  const given = (receipt?: Receipt, isPicked = true, kind: "script" | "captions" = "script", hasFile = true) => {
    const page = viewPage();
    const texts = isPicked ? { [kind]: { picked: { name: "picked.xlsx" } } as never } : {};
    const file = hasFile
      ? { filename: "kept.vtt", content: "", ...(receipt === undefined ? {} : { receipt }) }
      : undefined;
    return { ...page, draw: () => givenText(kind, file, { texts, openSections: [] }, page.actions) };
  };

  test("has its name, what was read of it, and what can be changed; each button does its own", async () => {
    const page = given(RECEIPT);
    expect(outlineOf(page.draw())).toEqual([
      "picked.xlsx",
      `button “${words.textKinds.script}: ${words.chooseFile}” #choose-script : ${words.chooseFile}`,
      `button “${words.textKinds.script}: ${words.dropScript}” #drop-script : ${words.dropScript}`,
      words.textReceipt,
      "Three lines",
      "The sheet “A”",
      "Words Column B",
      `button “${words.textKinds.script}, ${words.textReceiptRows.column}: ${words.textChange}” #change-script-column : ${words.textChange}`,
      "Left out 2 rows, 1 cell",
    ]);
    expect(await usesOf(page, page.draw())).toEqual({
      "choose-script": ['textController.pick("script")'],
      "drop-script": ['textController.drop("script")'],
      "change-script-column": ['textController.ask("script", "column")'],
    });
    const plain = given({ facts: ["three lines"], leftOut: [] }, true, "captions");
    expect(outlineOf(plain.draw())).toEqual([
      "picked.xlsx",
      `button “${words.textKinds.captions}: ${words.chooseFile}” #choose-captions : ${words.chooseFile}`,
      `button “${words.textChange}” #change-captions`,
      `button “${words.textKinds.captions}: ${words.dropScript}” #drop-captions : ${words.dropScript}`,
      `${words.textReceipt} Three lines`,
    ]);
    expect(await usesOf(plain, plain.draw())).toEqual({
      "choose-captions": ['textController.pick("captions")'],
      "change-captions": ['textController.ask("captions")'],
      "drop-captions": ['textController.drop("captions")'],
    });
  });

  test("of an earlier session has its kept name, and cannot be read otherwise; without one, that is said", () => {
    expect(outlineOf(given(RECEIPT, false).draw())).toEqual([
      "kept.vtt",
      `button “${words.textKinds.script}: ${words.chooseFile}” #choose-script : ${words.chooseFile}`,
      `button “${words.textKinds.script}: ${words.dropScript}” #drop-script : ${words.dropScript}`,
      `${words.textReceipt} Three lines The sheet “A” Words Column B Left out 2 rows, 1 cell`,
    ]);
    expect(outlineOf(given(undefined, false, "captions", false).draw())).toEqual([
      words.noFile,
      `button “${words.textKinds.captions}: ${words.chooseFile}” #choose-captions : ${words.chooseFile}`,
    ]);
    expect(outlineOf(given(undefined, false, "script", false).draw())[0]).toBe(words.noScript);
  });
});
