import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../src/contract/languages.ts";
import type { Shot, ShotColour } from "../../../src/core/shot.ts";
import { spokenWords } from "../../../src/core/spoken-words.ts";
import type { DescribeRequest } from "../../../src/service/describe/describer.ts";
import { sketchDescriber } from "../../../src/service/describe/sketch.ts";
import { NOTHING_READ } from "../../../src/service/onscreen-text.ts";

const SHOT: Shot = {
  start: 0,
  end: 4,
  opening: "cut",
  brightness: 0.4,
  contrast: 0.2,
  saturation: 0.4,
  motion: "slow",
  colours: [
    { name: "blue", share: 0.5 },
    { name: "white", share: 0.3 },
  ],
  frozenSeconds: 0,
  titleCard: false,
  keyFrameAt: 2,
};

function shots(...changes: Partial<Shot>[]): Shot[] {
  return changes.map((change, index) => ({ ...SHOT, start: index * 10, end: index * 10 + 10, ...change }));
}

async function sketch(request: Partial<DescribeRequest>) {
  const whole: DescribeRequest = {
    durationSeconds: 60,
    language: "en-US",
    category: "Auto",
    type: "standard",
    instructions: "",
    glossary: [],
    readsAllOnscreenText: false,
    onscreen: NOTHING_READ,
    shots: [],
    gaps: [],
    transcript: [],
    keyFrames: [],
    keyFrameFolder: "",
    ...request,
  };
  return sketchDescriber.describe(whole, new AbortController().signal);
}

describe("the sketch describer", () => {
  test("tells light, colour and movement of the first picture, longest wording first", async () => {
    const { descriptions } = await sketch({ shots: shots({ brightness: 0.1, motion: "still", frozenSeconds: 10 }) });
    expect(descriptions[0]?.wordings).toEqual([
      "At first, dark, mostly blue and white. Nothing moves.",
      "At first, dark, mostly blue and white.",
      "Dark, mostly blue and white.",
    ]);
  });

  test.each(["ja-JP", "cmn-CN"])("puts no space between sentences of %s", async (language) => {
    const { descriptions } = await sketch({
      shots: shots({ brightness: 0.1, motion: "still", frozenSeconds: 10 }),
      language,
    });
    expect(descriptions[0]?.wordings[0]).toMatch(/。.+。$/);
    expect(descriptions[0]?.wordings.join("")).not.toContain(" ");
  });

  test("tells where the view goes, in place of how much moves", async () => {
    const { descriptions } = await sketch({
      shots: shots({ camera: "right" }, { colours: [{ name: "red", share: 0.8 }] }),
    });
    expect(descriptions[0]?.wordings).toEqual([
      "At first, mostly blue and white. The view moves to the right.",
      "At first, mostly blue and white.",
      "Mostly blue and white.",
    ]);
    const several = shots({}, ...Array.from({ length: 3 }, () => ({ camera: "left" as const })));
    const quick = several.map((shot, index) => ({ ...shot, start: 10 + index, end: 11 + index, brightness: 0.9 }));
    const together = await sketch({ shots: [{ ...SHOT, end: 10 }, ...quick] });
    expect(together.descriptions.flatMap(({ wordings }) => wordings).join(" ")).not.toContain("view");
  });

  test("says that nothing moves only where not even a detail does", async () => {
    const { descriptions } = await sketch({ shots: shots({ motion: "still", frozenSeconds: 1 }) });
    expect(descriptions[0]?.wordings[0]).toBe("At first, mostly blue and white.");
  });

  test("names colours only where they cover most of the picture, else light or movement", async () => {
    const colours = [{ name: "blue", share: 0.2 } as const];
    const { descriptions } = await sketch({ shots: shots({ colours, brightness: 0.7 }, { colours, motion: "fast" }) });
    expect(descriptions.map(({ wordings }) => wordings[0])).toEqual([
      "At first, bright.",
      "Darker now, fast movement.",
    ]);
  });

  test("calls a programme black and white once, and only when none of it has colour", async () => {
    const grey = { saturation: 0.004, colours: [{ name: "grey", share: 0.9 } as const] };
    const told = async (...changes: Partial<Shot>[]) =>
      (await sketch({ shots: shots(...changes) })).descriptions.map(({ wordings }) => wordings.at(-1));
    expect(await told(grey, { ...grey, brightness: 0.9 })).toEqual(["In black and white.", "Bright, mostly grey."]);
    expect(await told(grey, {})).toEqual(["Mostly grey.", "Mostly blue and white."]);
  });

  test("tells what lies above and below, and a bright middle, where that is beyond doubt", async () => {
    const meadow = { above: "blue", below: "green" } as const;
    const lamp = { colours: [], brightness: 0.15, isLitInTheMiddle: true };
    const { descriptions } = await sketch({ shots: shots(meadow, lamp, { above: "red", below: "red" }) });
    expect(descriptions.map(({ wordings }) => wordings[0])).toEqual([
      "At first, blue above, green below.",
      "Now dark, bright in the middle.",
      "Brighter now, mostly blue and white.",
    ]);
  });

  test("does not begin every sentence with the same word, nor say a sentence twice in a row", async () => {
    const look = (name: ShotColour["name"]) => ({ colours: [{ name, share: 0.9 }] });
    const { descriptions } = await sketch({ shots: shots(look("blue"), look("red"), look("green"), look("brown")) });
    expect(descriptions.map(({ wordings }) => wordings[0])).toEqual([
      "At first, mostly blue.",
      "Now mostly red.",
      "Mostly green.",
      "Mostly brown.",
    ]);
    const cards = shots({}, { titleCard: true }, { titleCard: true });
    expect((await sketch({ shots: cards })).descriptions).toHaveLength(2);
  });

  test("leaves small changes out where something was told a moment before", async () => {
    const close = (change: Partial<Shot>) => [
      SHOT,
      { ...SHOT, start: 4, end: 12, ...change },
      { ...SHOT, start: 12, end: 16 },
    ];
    expect((await sketch({ shots: close({ brightness: 0.8 }) })).descriptions).toHaveLength(1);
    const other = { brightness: 0.8, colours: [{ name: "red", share: 0.8 } as const] };
    expect((await sketch({ shots: close(other) })).descriptions).toHaveLength(2);
  });

  test("says nothing where nothing changed", async () => {
    const { descriptions } = await sketch({ shots: shots({}, {}, {}) });
    expect(descriptions).toHaveLength(1);
  });

  test("does not tell a look again to which the picture comes back", async () => {
    const other = { colours: [{ name: "red", share: 0.8 } as const], brightness: 0.8 };
    const { descriptions } = await sketch({ shots: shots({}, other, {}, other) });
    expect(descriptions).toHaveLength(2);
    const late = { start: 60, end: 64 };
    expect((await sketch({ shots: shots({}, other, late) })).descriptions).toHaveLength(3);
  });

  test("leaves out a shot that is over before it could be told", async () => {
    const flash = { colours: [{ name: "red", share: 0.8 } as const], end: 10.5 };
    expect((await sketch({ shots: shots({}, flash, {}) })).descriptions).toHaveLength(1);
  });

  test("says what was said before in other measured words, and leaves out what has none", async () => {
    const meadow = { above: "blue", below: "green", motion: "still" } as const;
    const night = { colours: [{ name: "black", share: 0.9 } as const], brightness: 0.1 };
    const scenes = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? night : meadow)).map((scene, index) => ({
      ...SHOT,
      ...scene,
      start: index * 40,
      end: index * 40 + 40,
    }));
    const { descriptions } = await sketch({ shots: scenes, durationSeconds: 800 });
    expect(descriptions.map(({ wordings }) => wordings[0])).toEqual([
      "At first, dark, mostly black.",
      "Brighter now, blue above, green below.",
      "Now dark, mostly black.",
      "Brighter now, mostly blue and white.",
      "Now dark, mostly black. Slow movement.",
      "Brighter now, mostly blue.",
      "Now mostly black. Slow movement.",
      "Blue above, green below.",
      "Now mostly black.",
      "Mostly blue and white.",
      "Dark, mostly black.",
      "Mostly blue.",
      "Slow movement. Dark, mostly black.",
      "Slow movement. Mostly black.",
      "Mostly black.",
    ]);
  });

  test("tells the same text on screen once, and again only where every word is asked for", async () => {
    const sign = (start: number) => ({ start, end: start + 3, lines: ["HARBOUR"] });
    const onscreen = { isRead: true, texts: [sign(1), sign(41)], notes: [] };
    const red = { start: 20, end: 60, colours: [{ name: "red", share: 0.8 } as const] };
    const timesTold = async (readsAllOnscreenText: boolean) => {
      const { descriptions } = await sketch({ shots: shots({ end: 20 }, red), onscreen, readsAllOnscreenText });
      return descriptions.filter(({ wordings }) => wordings[0] === "On screen: HARBOUR.").length;
    };
    expect([await timesTold(false), await timesTold(true)]).toEqual([1, 2]);
  });

  test.each(LANGUAGES)("never says the same twice in %s, whichever wordings are fitted", async (language) => {
    const colours = (["blue", "green", "brown"] as const).map((name) => ({ colours: [{ name, share: 0.8 }] }));
    const pictures = colours.flatMap((look) => [look, { ...look, brightness: 0.8, motion: "fast" as const }]);
    const many = Array.from({ length: 24 }, (_, index) => ({
      ...SHOT,
      ...pictures[index % pictures.length],
      start: index * 40,
      end: index * 40 + 40,
    }));
    const { descriptions } = await sketch({ shots: many, durationSeconds: 960, language });
    const said = descriptions.flatMap(({ wordings }) => wordings.map(spokenWords));
    expect(new Set(said).size).toBe(said.length);
    expect(descriptions.length).toBeGreaterThan(pictures.length);
    for (const { wordings } of descriptions) {
      expect(wordings).toEqual([...wordings].sort((a, b) => b.length - a.length));
    }
  });

  test("compares with what it told before", async () => {
    const dusk = { brightness: 0.3, colours: [{ name: "red", share: 0.6 } as const] };
    const { descriptions } = await sketch({ shots: shots({ brightness: 0.55 }, dusk) });
    expect(descriptions[1]?.wordings[0]).toBe("Darker now, mostly red.");
  });

  test("tells quick shots together", async () => {
    const quick = Array.from({ length: 5 }, (_, index) => ({
      ...SHOT,
      start: 4 + index,
      end: 5 + index,
      colours: [{ name: "red", share: 0.8 } as const],
      motion: "fast" as const,
    }));
    const { descriptions } = await sketch({ shots: [SHOT, ...quick] });
    expect(descriptions[1]?.wordings[0]).toBe("Several quick shots: mostly red. Fast movement.");
    expect(descriptions[1]?.picture).toEqual({ start: 4, end: 9 });
  });

  test("calls black only what is black and lasts", async () => {
    const black = { brightness: 0.01, contrast: 0.005, saturation: 0, colours: [] };
    const { descriptions } = await sketch({ shots: shots({}, black, {}) });
    expect(descriptions[1]?.wordings).toEqual(["The picture goes black."]);
    expect((await sketch({ shots: shots({}, { ...black, end: 10.3 }) })).descriptions).toHaveLength(1);
  });

  test("puts titles before looks in a lecture, and looks before titles in a story", async () => {
    const input = shots({}, { titleCard: true }, { colours: [{ name: "green", share: 0.9 }] });
    const importanceOf = async (category: string, index: number) =>
      (await sketch({ shots: input, category })).descriptions[index]?.importance ?? 0;
    expect(await importanceOf("Educational Lecture", 2)).toBeLessThan(await importanceOf("Narrative Story", 2));
    expect(await importanceOf("Educational Lecture", 1)).toBeGreaterThan(await importanceOf("Narrative Story", 1));
  });

  test("tells what stands on a title card in place of the card, and in less time only its first lines", async () => {
    const texts = [{ start: 10, end: 20, lines: ["THE HARBOUR", "a film by N. N."] }];
    const { descriptions } = await sketch({
      shots: shots({}, { titleCard: true }, { brightness: 0.8 }),
      onscreen: { isRead: true, texts, notes: [] },
    });
    expect(descriptions.map(({ id, picture }) => [id, picture.start])).toEqual([
      ["cue-0001", 0],
      ["cue-0002", 10],
      ["cue-0003", 20],
    ]);
    expect(descriptions[1]?.wordings).toEqual(["On screen: THE HARBOUR, a film by N. N.", "On screen: THE HARBOUR."]);
  });

  test("GEN-19: tells every word on screen where all are asked for, and the first of many otherwise", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `Line ${index} of the long credits`);
    const onscreen = { isRead: true, texts: [{ start: 1, end: 3, lines }], notes: [] };
    const wordingsOf = async (readsAllOnscreenText: boolean) =>
      (await sketch({ shots: shots({}), type: "extended", onscreen, readsAllOnscreenText })).descriptions[1]?.wordings;
    const [all, ...none] = (await wordingsOf(true)) ?? [];
    expect(none).toEqual([]);
    for (const line of lines) expect(all).toContain(line);
    const some = (await wordingsOf(false)) ?? [];
    expect(some[0]).toContain("Line 4");
    expect(some[0]).not.toContain("Line 6");
    expect(some.at(-1)).toBe("On screen: Line 0 of the long credits.");
  });

  test("keeps the title card where nothing on it could be read, and says why", async () => {
    const onscreen = { isRead: false, texts: [], notes: ["Text on screen was not read."] };
    const { descriptions, notes } = await sketch({ shots: shots({}, { titleCard: true }), onscreen });
    expect(descriptions[1]?.wordings[0]).toContain("A title card");
    expect(notes).toContain("Text on screen was not read.");
  });

  test("says in a note that instructions need a model", async () => {
    const { notes } = await sketch({ shots: shots({}), instructions: "Name the ship." });
    expect(notes.join(" ")).toContain("instructions");
  });

  test.each(LANGUAGES)(
    "GEN-07: writes whole sentences in %s, without placeholders and unlike English",
    async (language) => {
      const title = { titleCard: true, colours: [{ name: "red", share: 0.5 } as const] };
      const { descriptions } = await sketch({ shots: shots({}, title, { brightness: 0.8 }), language });
      const text = descriptions.flatMap(({ wordings }) => wordings).join("\n");
      expect(text).not.toMatch(/[{}]|undefined/);
      if (!language.startsWith("en")) expect(text).not.toMatch(/\b(mostly|title card|now)\b/i);
    },
  );
});
