import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import type { PictureMeasure } from "../../../src/core/measures.ts";
import { checkPicture } from "../../../src/workflow/check/check-picture.ts";
import { checkOrder } from "../../../src/workflow/check/check-script.ts";

const said = (text: string, start = 10): Cue => ({ id: "cue-1", start, end: start + 3, text });
const evenly = (light: number): PictureMeasure => ({ changes: [], light: Array(80).fill(light), shots: [] });

describe("what is said of the picture's light", () => {
  test.each([
    ["The picture fades to black.", 0.4, 0.05],
    ["The screen goes black.", 0.4, 0.05],
    ["They sit in complete darkness.", 0.6, 0.2],
    ["It is pitch-black.", 0.6, 0.1],
    ["Fade to white.", 0.3, 0.9],
    ["She walks in bright daylight.", 0.05, 0.5],
  ])("%s is contradicted by a mean luma of %d, and not by %d", (text, wrong, right) => {
    expect(checkPicture([said(text)], evenly(wrong), "en-GB")).toMatchObject([
      { rule: "picture-contradicts", severity: "warn", cueIds: ["cue-1"], measured: wrong },
    ]);
    expect(checkPicture([said(text)], evenly(right), "en-GB")).toEqual([]);
  });

  test.each([
    "A black dog walks by.",
    "She wears black and white.",
    "The sky turns black.",
    "A dark-haired man stands in the dark.",
    "A white van. A black screen hangs on the wall.",
    "The horse goes black with mud.",
    "A light flashes white.",
  ])("%s is about something in the picture, and no light contradicts it", (text) => {
    for (const light of [0.02, 0.3, 0.6, 0.95]) expect(checkPicture([said(text)], evenly(light), "en-US")).toEqual([]);
  });

  test("a fade that lies some seconds behind its description is enough; another language is not judged", () => {
    const light = Array<number | null>(80).fill(0.5);
    light[40] = 0.02;
    const picture = { changes: [], light, shots: [] };
    expect(checkPicture([said("Fade to black.", 12)], picture, "en-US")).toEqual([]);
    expect(checkPicture([said("Fade to black.", 30)], picture, "en-US")).toHaveLength(1);
    expect(checkPicture([said("Fade to black.", 30)], picture, "de-DE")).toEqual([]);
    expect(checkPicture([said("Fade to black.", 300)], picture, "en-US")).toEqual([]);
    expect(checkPicture([said("Fade to black.", 30)], picture, "en")).toHaveLength(1);
    for (const other of ["enx", "de-en"])
      expect(checkPicture([said("Fade to black.", 30)], picture, other)).toEqual([]);
  });

  test("the half seconds from five seconds before a description to ten behind it count, and those without a frame do not", () => {
    const at = (half: number, value: number | null) => {
      const light = Array<number | null>(80).fill(0.5);
      light[half] = value;
      return checkPicture([said("Fade to black.", 15)], { changes: [], light, shots: [] }, "en-US").length;
    };
    // From 10 s to 28 s.
    expect([at(19, 0), at(20, 0), at(55, 0), at(56, 0), at(30, null)]).toEqual([1, 0, 0, 1, 1]);
    const bright = Array<number | null>(80).fill(0.2);
    bright[30] = 0.8;
    expect(checkPicture([said("Fade to white.", 15)], { changes: [], light: bright, shots: [] }, "en-US")).toEqual([]);
    const none = { changes: [], light: Array<null>(80).fill(null), shots: [] };
    expect(checkPicture([said("Fade to black.", 15)], none, "en-US")).toEqual([]);
  });
});

describe("what is said of colour, cuts and stillness", () => {
  const shot = (start: number, end: number, name: "blue" | "green", frozenSeconds = 0) => ({
    start,
    end,
    motion: "fast" as const,
    colours: [{ name, share: 0.6 }],
    frozenSeconds,
  });
  const picture = (shots: PictureMeasure["shots"]): PictureMeasure => ({
    changes: shots.slice(1).map(({ start }) => start),
    light: [],
    shots,
  });
  const uncut = picture([shot(0, 18, "blue")]);
  const cut = picture([shot(0, 6, "green"), shot(6, 11, "blue", 1), shot(11, 12, "blue"), shot(12, 30, "green")]);

  test.each([
    ["Mostly green.", "no picture near it is"],
    ["Brighter now, mostly green and grey.", "no picture near it is"],
    ["The screen turns completely red.", "no picture near it is"],
    ["Cut to a harbour.", "does not change"],
    ["Rapid cuts: faces, hands.", "changes not once"],
    ["A freeze-frame of her face.", "no picture near it does"],
  ])("%s is contradicted where nothing of it is measured, and not where it is", (text, message) => {
    const [found, ...more] = checkPicture([said(text, 5)], uncut, "en-US");
    expect(found).toMatchObject({ rule: "picture-contradicts", message: expect.stringContaining(message) });
    expect(more).toEqual([]);
    if (!text.includes("red")) expect(checkPicture([said(text, 9)], cut, "en-US")).toEqual([]);
  });

  test("every description is judged, and each thing that it says", () => {
    const colours = "The picture is mostly green. The screen turns completely red.";
    const texts = [`Rapid cuts. ${colours}`, "A dog runs.", "Cut to a harbour."];
    const cues = texts.map((text, index) => ({ ...said(text, 5), id: `cue-${index}` }));
    const found = checkPicture(cues, uncut, "en-US");
    expect(found.map(({ cueIds }) => cueIds)).toEqual([["cue-0"], ["cue-0"], ["cue-0"], ["cue-2"]]);
  });

  test("one unbroken take is contradicted by two cuts under it", () => {
    expect(checkPicture([said("All in one unbroken take.", 10)], cut, "en-US")).toHaveLength(1);
    expect(checkPicture([said("All in one unbroken take.", 14)], cut, "en-US")).toEqual([]);
  });

  test.each([
    "She wears mostly green.",
    "A red car stands still.",
    "He cuts to the left.",
    "They cut to size.",
    "A green screen hangs on the wall.",
    "A quick smile.",
  ])("%s is about something in the picture, and is not judged", (text) => {
    expect(checkPicture([said(text, 5)], uncut, "en-US")).toEqual([]);
  });

  test("is judged by the shots from five seconds before it to ten behind it, and named by its cue", () => {
    const shots = picture([shot(0, 10, "green", 1), shot(10, 23, "blue"), shot(23, 40, "green", 1)]);
    const found = (text: string, start: number) => checkPicture([said(text, start)], shots, "en-US");
    // From 10 s to 28 s: none of the first shot, which ends where the reach of the description begins.
    expect(found("Mostly green.", 15)).toEqual([]);
    expect(
      checkPicture([said("Mostly green.", 15)], picture([shot(0, 10, "green"), shot(10, 28, "blue")]), "en-US"),
    ).toMatchObject([{ rule: "picture-contradicts", severity: "warn", cueIds: ["cue-1"], source: expect.any(String) }]);
    expect(
      checkPicture([said("Mostly green.", 5)], picture([shot(0, 18, "blue"), shot(18, 30, "green")]), "en-US"),
    ).toHaveLength(1);
    expect(checkPicture([said("Mostly green.", 300)], shots, "en-US")).toEqual([]);
  });

  test("fast cuts are two and more within its reach; under one take are none but one", () => {
    const cuts = (...at: number[]) =>
      picture([0, ...at].map((start, index) => shot(start, [...at, 60][index] ?? 60, "blue")));
    const rapid = (...at: number[]) =>
      checkPicture([said("Rapid cuts.", 20)], cuts(...at), "en-US").map(({ message }) => message);
    expect(rapid(14.9, 33)).toEqual([expect.stringContaining("changes not once")]);
    expect(rapid(15)).toEqual([expect.stringContaining("changes once")]);
    expect(rapid(15, 32.9)).toEqual([]);
    const take = (...at: number[]) =>
      checkPicture([said("One long take.", 20)], cuts(...at), "en-US").map(({ message }) => message);
    expect([take(), take(21), take(19.9, 21), take(22, 23)]).toEqual([[], [], [], []]);
    expect(take(20, 21, 22.9)).toEqual([expect.stringContaining("changes 3 times")]);
  });

  test("of several colours each counts that is among a picture's own; a still shot is judged however long it is", () => {
    const both = {
      ...shot(0, 18, "blue"),
      colours: [
        { name: "blue", share: 0.5 },
        { name: "green", share: 0.4 },
      ],
    } as const;
    expect(checkPicture([said("Mostly GREEN.", 5)], picture([both]), "en-US")).toEqual([]);
    const still = { ...shot(0, 60, "blue"), motion: "still" as const };
    expect(checkPicture([said("Mostly Green.", 5)], picture([still]), "en-US")).toMatchObject([
      { message: "it says that the picture is mostly green, and no picture near it is" },
    ]);
    expect(checkPicture([said("Mostly green.", 5)], picture([still, shot(0, 21, "blue")]), "en-US")).toEqual([]);
  });

  test("a long moving shot may be of a colour in a part of it: it is not judged", () => {
    expect(checkPicture([said("Mostly green.", 5)], picture([shot(0, 60, "blue")]), "en-US")).toEqual([]);
  });
});

describe("the order of numbers", () => {
  const cues = (...ids: string[]): Cue[] => ids.map((id, at) => ({ id, start: at, end: at + 1, text: "x" }));

  test("rises in a good script, with gaps, copies and names that are no numbers", () => {
    expect(checkOrder(cues("cue-0001", "cue-0003", "cue-0003-2", "intro", "cue-0010"))).toEqual([]);
    expect(checkOrder([])).toEqual([]);
  });

  test("names the one that was moved, not those around it", () => {
    const found = checkOrder(cues("1", "2", "7", "3", "4", "5", "6", "8"));
    expect(found).toMatchObject([{ rule: "order", severity: "warn", cueIds: ["7"] }]);
    const back = checkOrder(cues("1", "2", "4", "5", "6", "3"));
    expect(back).toMatchObject([{ cueIds: ["3"], message: "number 3 of the script stands behind number 6" }]);
  });
});
