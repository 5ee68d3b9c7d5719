import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import type { PictureMeasure } from "../../../src/core/picture-measure.ts";
import { checkOrder } from "../../../src/workflow/check/check-order.ts";
import { checkPicture } from "../../../src/workflow/check/check-picture.ts";

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
