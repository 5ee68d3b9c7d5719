import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import type { PictureMeasure, ReadFrame } from "../../../src/core/measures.ts";
import { checkPicture } from "../../../src/workflow/check/check-picture.ts";
import { checkQuotations, quotationsIn, quotedStretches } from "../../../src/workflow/check/check-quotations.ts";

const said = (text: string, start = 10): Cue => ({ id: "cue-1", start, end: start + 3, text });
const frame = (at: number, lines: readonly string[], more: Partial<ReadFrame> = {}): ReadFrame => ({
  at,
  lines,
  doubtful: [],
  isPlain: false,
  isTitle: false,
  ...more,
});
const pictureOf = (...read: ReadFrame[]): PictureMeasure => ({ changes: [], light: [], shots: [], read });

describe("texts that a description quotes", () => {
  test.each([
    ['A sign reads "HARBOUR".', ["HARBOUR"]],
    ["A rusty sign above the door says, ‘Don't look’ in red.", ["Don't look"]],
    ["He stops at a poster reading “Night of the Owl”.", ["Night of the Owl"]],
    ["A man holds a card that says 'HELP'.", ["HELP"]],
    ["The banner reads WELCOME HOME.", ["WELCOME HOME"]],
    ["The title “The Harbour” fades in.", ["The Harbour"]],
    ["On screen: THE HARBOUR. A gull flies past.", ["THE HARBOUR"]],
    ["Night. On-screen text: Three years later.", ["Three years later"]],
    ["She nods, and a sign reads “EXIT”; a label reads “3.50”.", ["EXIT", "3.50"]],
  ])("%s", (text, quotations) => {
    expect(quotationsIn(text)).toEqual(quotations);
  });

  test.each([
    'A woman says "Hello".',
    'A man reading a newspaper says "No".',
    'The man with a sign says "Stop".',
    "She reads the letter.",
    "The sign reads backwards.",
    "On screen: a map of the coast.",
    "On screen, she smiles.",
    "A sign swings in the wind.",
    "He writes a letter saying goodbye.",
  ])("%s quotes nothing that stands on screen", (text) => {
    expect(quotationsIn(text)).toEqual([]);
  });
});

describe("a quotation held against what was read", () => {
  const harbour = pictureOf(frame(8, ["THE HARBOUR", "1927"]), frame(9, ["THE HARBOUR", "1927"]));
  const messages = (text: string, picture: PictureMeasure) =>
    checkQuotations([said(text)], picture).map(({ message }) => message);

  test("is found where another text stands, with both texts", () => {
    expect(checkQuotations([said('A sign reads "STATION".')], harbour)).toMatchObject([
      {
        rule: "picture-contradicts",
        severity: "warn",
        cueIds: ["cue-1"],
        message: "it quotes “STATION”, and on screen near it stands “THE HARBOUR / 1927”",
      },
    ]);
  });

  test("is found in every description, every time it quotes", () => {
    const cues = [
      said('A sign reads "THE HARBOUR".'),
      { ...said('A sign reads "STATION"; a label reads “1927”, and a poster says "TICKETS".'), id: "cue-2" },
      { ...said('A banner reads "WELCOME HOME".'), id: "cue-3" },
    ];
    expect(checkQuotations(cues, harbour).map(({ cueIds, message }) => [cueIds, message.slice(0, 24)])).toEqual([
      [["cue-2"], "it quotes “STATION”, and"],
      [["cue-2"], "it quotes “TICKETS”, and"],
      [["cue-3"], "it quotes “WELCOME HOME”"],
    ]);
  });

  test("is held against every line of every picture near it, set in one line or in several", () => {
    const quoted = (...read: ReadFrame[]) => messages("On screen: The Old Harbour Inn.", pictureOf(...read));
    const other = [8, 9].map((at) => frame(at, ["STATION"]));
    expect(quoted(...other)).toHaveLength(1);
    expect(quoted(...other, frame(10, ["STATION", "THE OLD HARBOUR INN"]))).toEqual([]);
    expect(quoted(...other, frame(10, ["THE OLD", "HARBOUR INN"]))).toEqual([]);
    expect(quoted(...other, frame(10, [], { doubtful: ["vw", "OLD HARB"] }))).toEqual([]);
    expect(quoted(...other, frame(10, [], { doubtful: ["vw", "xk"] }))).toHaveLength(1);
  });

  test.each([
    'A sign reads "The Harbour".',
    'A sign reads "harbor".',
    'A sign reads "THE HARBOUR, 1927".',
    "On screen: Harbour.",
    "On screen: The harbour, nineteen twenty-seven.",
    "On screen: Nineteen hundred.",
  ])("%s is what stands there, or may be", (text) => {
    expect(messages(text, harbour)).toEqual([]);
  });

  test("is not judged where something near it could not be read for certain, or nothing was read", () => {
    const text = 'A sign reads "STATION".';
    const card = [8, 9].map((at) => frame(at, ["THE HARBOUR"]));
    expect(messages(text, pictureOf(...card))).toHaveLength(1);
    // The same title, fading in.
    expect(messages(text, pictureOf(frame(7, [], { doubtful: ["THE HARB0"] }), ...card))).toHaveLength(1);
    expect(messages(text, pictureOf(...card, frame(10, [], { doubtful: ["STATJOM"] })))).toEqual([]);
    expect(messages(text, pictureOf(...card, frame(10, [], { doubtful: ["Vwqm kell"] })))).toEqual([]);
    expect(messages(text, pictureOf(...card, frame(10, [], { isTitle: true })))).toEqual([]);
    expect(messages(text, pictureOf(frame(8, ["Dap"]), frame(9, [])))).toEqual([]);
    expect(messages(text, pictureOf())).toEqual([]);
    expect(messages(text, pictureOf(frame(40, ["THE HARBOUR"]), frame(41, ["THE HARBOUR"])))).toEqual([]);
  });

  test("is judged by what is read from five seconds before it to ten behind it", () => {
    const text = 'A sign reads "STATION".';
    const at = (...times: number[]) => messages(text, pictureOf(...times.map((time) => frame(time, ["THE HARBOUR"]))));
    expect([at(5, 10), at(10, 22.9)].map(({ length }) => length)).toEqual([1, 1]);
    expect([at(4.9, 10), at(10, 23)]).toEqual([[], []]);
    expect(quotedStretches([said("A door."), said(text), said(text, 2), said(text, 60)], "en")).toEqual([
      { start: 0, end: 23 },
      { start: 55, end: 73 },
    ]);
    for (const language of ["en", "EN-US", "en-GB"]) expect(quotedStretches([said(text)], language)).toHaveLength(1);
    for (const language of ["enx", "de-en", "sven"]) expect(quotedStretches([said(text)], language)).toEqual([]);
  });

  test("is told with the texts that stand there, four of them at most", () => {
    const lines = ["ALPHA STREET", "BRAVO HOUSE", "CHARLIE INN", "DELTA BANK", "ECHO CINEMA"];
    const told = (count: number) =>
      messages(
        'A sign reads "STATION".',
        pictureOf(frame(8, lines.slice(0, count)), frame(9, lines.slice(0, count))),
      )[0];
    expect(told(4)).toMatch(/“ALPHA STREET \/ BRAVO HOUSE \/ CHARLIE INN \/ DELTA BANK”$/);
    expect(told(5)).toMatch(/“ALPHA STREET \/ BRAVO HOUSE \/ CHARLIE INN \/ DELTA BANK \/ …”$/);
  });

  test("is contradicted though something small was doubtful, and not where that may be the quotation, or a card that was read in part", () => {
    const card = [8, 9].map((at) => frame(at, ["THE HARBOUR"]));
    const doubt = (doubtful: string, more: Partial<ReadFrame> = {}) =>
      messages('A sign reads "STATION".', pictureOf(...card, frame(10, [], { doubtful: [doubtful], ...more })));
    expect(["vw", "xkq", "HARB"].map((text) => doubt(text).length)).toEqual([1, 1, 1]);
    expect(["TAT", "STATI", "vwkl"].map((text) => doubt(text).length)).toEqual([0, 0, 0]);
    expect(doubt("xkq", { isTitle: true })).toHaveLength(1);
    expect(
      messages('A sign reads "STATION".', pictureOf(...card, frame(10, ["THE HARBOUR"], { isTitle: true }))),
    ).toHaveLength(1);
  });

  test("is contradicted where a doubtful piece of it is certain a moment before, whichever line that is", () => {
    const card = [8, 9].map((at) => frame(at, ["THE HARBOUR", "PATIO BAR AND GARDEN"]));
    const half = frame(7, [], { doubtful: ["ATIO"] });
    expect(messages('A sign reads "STATION".', pictureOf(half, ...card))).toHaveLength(1);
    expect(messages('A sign reads "STATION".', pictureOf(half, frame(8, ["THE HARBOUR"]), frame(9, ["THE HARBOUR"])))).toEqual([]); // biome-ignore format: one step
  });

  test("is found where the picture is empty all around it", () => {
    const empty = [5, 10, 15].map((at) => frame(at, [], { isPlain: true }));
    expect(messages("On screen: The end.", pictureOf(...empty))).toEqual([
      "it quotes “The end”, and the picture near it is empty",
    ]);
    expect(messages("On screen: The end.", pictureOf(...empty, frame(16, [])))).toEqual([]);
  });

  test("is told as unread where there is nothing to read with, and not judged in another language", () => {
    const unread: PictureMeasure = { changes: [], light: [], shots: [] };
    expect(checkPicture([said("On screen: The end.")], unread, "en-GB")).toMatchObject([
      { rule: "picture-unread", severity: "note" },
    ]);
    expect(checkPicture([said("A door.")], unread, "en-GB")).toEqual([]);
    expect(checkPicture([said("On screen: The end.")], unread, "de-DE")).toEqual([]);
    expect(quotedStretches([said("On screen: The end.")], "de-DE")).toEqual([]);
  });
});
