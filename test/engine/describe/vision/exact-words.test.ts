import { describe, expect, test } from "vitest";
import { EMPTY_BIBLE } from "../../../../src/core/film-bible.ts";
import { linesIn, startDescribingModel } from "../../../fakes/describing-model.ts";
import { describeRequest } from "../describe-request.ts";
import { askedFor, description, exact, spokenAt, words } from "./asked-to-fit.ts";
import { askerOf } from "./asker-of.ts";
import { exactWordsAt } from "./at-pace.ts";

describe("exact words", () => {
  test("asks nothing where every line has a place", async () => {
    const both = [description("a", 0, 8), description("b", 5, 8)];
    const { asked, result } = await exact(both, {
      spoken: [spokenAt("a", 0, 4), spokenAt("b", 5, 4)],
      unspoken: [],
    });
    expect(asked).toEqual([]);
    expect(result).toEqual(both);
  });

  test("a line without a place gets the words that fit, behind its own", async () => {
    const alone = description("a", 0, 12, { picture: { start: 0, end: 5 } });
    const { asked, result } = await exact(
      [alone],
      { spoken: [], unspoken: ["a"] },
      () => ({ wordings: [{ line: 1, text: "four words of it" }] }),
      [[0, 4]],
    );
    expect(askedFor(asked)).toHaveLength(1);
    const [[count, text] = [0, ""]] = askedFor(asked);
    expect(text).toBe(alone.wordings[0]);
    expect(count).toBeGreaterThanOrEqual(5);
    expect(count * 0.5).toBeLessThanOrEqual(4);
    expect(result).toEqual([{ ...alone, wordings: [alone.wordings[0], "Four words of it."] }]);
  });

  test("words in another language are asked for again, and not taken", async () => {
    const alone = description("a", 0, 12, { picture: { start: 0, end: 5 } });
    const { asked, result } = await exact(
      [alone],
      { spoken: [], unspoken: ["a"] },
      () => ({ wordings: [{ line: 1, text: "She opens the door." }] }),
      [[0, 4]],
      "de-DE",
    );
    expect(asked[1]?.askedBack[0]).toContain("is not in German (Germany).");
    expect(result).toEqual([alone]);
    // Whichever line they are for.
    const two = [alone, description("b", 20, 12, { picture: { start: 20, end: 25 } })];
    const texts = ["Eine Frau öffnet leise.", "She opens the door."];
    const second = await exact(
      two,
      { spoken: [], unspoken: ["a", "b"] },
      ({ prompt }) => ({ wordings: linesIn(prompt).map(({ line }) => ({ line, text: texts[line - 1] })) }),
      [
        [0, 4],
        [20, 24],
      ],
      "de-DE",
    );
    expect(second.asked[1]?.askedBack[0]).toContain("is not in German (Germany).");
    expect(second.result.map(({ wordings }) => wordings.length)).toEqual([2, 1]);
  });

  test("every line of a long film that has no place is asked for, ten at once, with what is spoken around each", async () => {
    const lines = Array.from({ length: 12 }, (_, index) =>
      description(`l${index}-`, 20 * index, 12, { picture: { start: 20 * index, end: 20 * index + 5 } }),
    );
    const spoken = lines.map((_, index) => spokenAt(`s${index}`, 20 * index + 10, 1));
    const { result, asked } = await exact(
      lines,
      { spoken, unspoken: lines.map(({ id }) => id) },
      ({ prompt }) => ({ wordings: linesIn(prompt).map(({ line }) => ({ line, text: `Line ${line} in few words.` })) }),
      lines.map((_, index) => [20 * index, 20 * index + 4] as const),
    );
    expect(asked.map(({ prompt }) => linesIn(prompt).map(({ text }) => text))).toEqual([
      lines.slice(0, 10).map(({ wordings }) => wordings[0]),
      lines.slice(10).map(({ wordings }) => wordings[0]),
    ]);
    const around = asked.map(({ prompt }) => [...prompt.matchAll(/^ {2}[\d.]+ s: (s\d+)$/gm)].map(([, text]) => text));
    expect(around).toEqual([spoken.slice(0, 10).map(({ id }) => id), spoken.slice(9).map(({ id }) => id)]);
    expect(result.map(({ wordings }) => wordings.at(-1))).toEqual(
      lines.map((_, index) => `Line ${(index % 10) + 1} in few words.`),
    );
  });

  test("at the end of a pause, what may be said shortly before its picture counts as room", async () => {
    const last = description("a", 8, 12, { picture: { start: 8, end: 9 } });
    const { asked } = await exact([last], { spoken: [], unspoken: ["a"] });
    expect(askedFor(asked)).toEqual([[4, last.wordings[0]]]);
  });

  test("tells who is called what, and what is spoken around", async () => {
    const model = await startDescribingModel([]);
    const request = describeRequest({ gaps: [{ start: 0, end: 4, sound: "ambience" }] });
    const bible = { ...EMPTY_BIBLE, story: "She leaves.", persons: [{ label: "the tall woman", looks: "in red" }] };
    const others = {
      spoken: [spokenAt("before", 0.4, 1), spokenAt("after", 5, 1), spokenAt("late", 9, 1)],
      unspoken: ["a"],
    };
    const asker = await askerOf(model, request);
    await exactWordsAt(0.5, [description("a", 2, 12)], others, { request, asker, knowledge: { bible, category: "" } });
    const [{ prompt } = { prompt: "" }] = model.of("wordings");
    expect(prompt).toContain("Person: the tall woman: in red");
    expect(prompt).not.toContain("She leaves.");
    expect(prompt).toContain("Spoken before and after them: <<<\n  0.4 s: before\n  5.0 s: after\n>>>");
  });

  test("fewer words for several things begin later: their last ones still come when what they tell is seen", async () => {
    const moments = [
      { start: 1, end: 2 },
      { start: 4, end: 6 },
    ];
    const both = description("a", 2.5, 12, { picture: { start: 2.5, end: 6 }, moments });
    const fewer = () => ({ wordings: [{ line: 1, text: "four words of it" }] });
    const { result } = await exact([both], { spoken: [], unspoken: ["a"] }, fewer, [[0, 5]]);
    expect(result[0]?.wordings).toHaveLength(2);
    // Four words take 1.45 s; the last third of them tells of what is seen from 4 s on.
    expect(result[0]?.picture).toEqual({ start: expect.closeTo(4 - 1.45 / 3, 2), end: 6 });
  });

  test("what the story fails without gives up fewer words than what is worth telling", async () => {
    const lines = [description("a", 0, 10, { importance: 1 }), description("b", 4, 10, { importance: 0.5 })];
    const { asked } = await exact(lines, { spoken: [spokenAt("a", 0, 6)], unspoken: ["b"] });
    const told = new Map(askedFor(asked).map(([count, text]) => [text.slice(0, 1), count]));
    expect([...told.keys()].sort()).toEqual(["a", "b"]);
    expect(told.get("a")).toBeGreaterThan((told.get("b") ?? 12) + 1);
    expect(((told.get("a") ?? 0) + (told.get("b") ?? 0)) * 0.5).toBeLessThanOrEqual(10);
  });

  test("the lines around it give up words too, all by their length, and together no more than there is room for", async () => {
    const lines = [description("a", 0, 12), description("b", 2, 12), description("c", 4, 6)];
    const { asked, result } = await exact(
      lines,
      { spoken: [spokenAt("a", 0, 6), spokenAt("c", 6.3, 3)], unspoken: ["b"] },
      ({ prompt }) => ({ wordings: linesIn(prompt).map(({ line }) => ({ line, text: `shorter line ${line} now` })) }),
    );
    const told = new Map(askedFor(asked).map(([count, text]) => [text.slice(0, 1), count]));
    expect([...told.keys()].sort()).toEqual(["a", "b"]);
    expect(told.get("a")).toBe(told.get("b"));
    const total = [...told.values()].reduce((sum, count) => sum + count, 0);
    expect((total + 3) * 0.5).toBeLessThanOrEqual(9.3);
    expect(total).toBeGreaterThanOrEqual(8);
    for (const [index, line] of result.entries()) expect(line.wordings[0]).toBe(lines[index]?.wordings[0]);
    expect(result[0]?.wordings).toHaveLength(2);
    expect(result[1]?.wordings).toHaveLength(2);
  });

  test("whoever is near gives up words, before it and behind it", async () => {
    const lines = [description("a", 0, 12), description("b", 2, 12), description("c", 5, 12)];
    const rehearsal = { spoken: [spokenAt("a", 0, 4), spokenAt("c", 5, 4)], unspoken: ["b"] };
    const { asked } = await exact(lines, rehearsal);
    expect(new Set(askedFor(asked).map(([, text]) => text.slice(0, 1)))).toEqual(new Set(["a", "b", "c"]));
  });

  test("near is what is spoken within four seconds; what is spoken farther off keeps its time", async () => {
    const askedAt = async (before: number, after: number) => {
      const lines = [description("a", before, 12), description("b", 10, 12), description("c", after, 12)];
      const spoken = [spokenAt("a", before, 4), spokenAt("c", after, 4)];
      return askedFor((await exact(lines, { spoken, unspoken: ["b"] }, undefined, [[4, 16]])).asked);
    };
    const together = await askedAt(6, 14);
    expect(together.map(([, text]) => text.slice(0, 1)).sort()).toEqual(["a", "b", "c"]);
    const seconds = together.reduce((sum, [count]) => sum + 0.5 * count, 0);
    // From 5.5 s to the end of the pause.
    expect(seconds).toBeLessThanOrEqual(10.5);
    expect(seconds).toBeGreaterThanOrEqual(7);
    // From 10.15 s to 13.85 s.
    expect((await askedAt(5.9, 14.1)).map(([count, text]) => [count, text.slice(0, 1)])).toEqual([[6, "b"]]);
  });

  test("of many that are near, the three before it and the three behind it give up words", async () => {
    const lines = [..."abcdefghi"].map((id, index) => description(id, 6 + index, 12));
    const spoken = lines
      .filter(({ id }) => id !== "e")
      .map(({ id, picture }) => spokenAt(id, picture.start, id === "h" ? 20 : 1));
    const { asked } = await exact(lines, { spoken, unspoken: ["e"] }, undefined, [[0, 40]]);
    expect(askedFor(asked).map(([, text]) => text.slice(0, 1))).toEqual([..."bcdefgh"]);
  });

  test("there is room as long as the last of them takes, though its picture is over", async () => {
    const lines = [description("a", 0, 4), description("b", 3, 12)];
    const { asked } = await exact(lines, { spoken: [spokenAt("a", 0, 2)], unspoken: ["b"] }, undefined, [[0, 8]]);
    const told = askedFor(asked).filter(([, text]) => text.startsWith("b"));
    expect(told).toHaveLength(1);
    expect(told[0]?.[0]).toBeGreaterThanOrEqual(8);
  });

  test("where the film is held, all that found no time is asked for in fewer words, and nothing else", async () => {
    const model = await startDescribingModel([]);
    const gaps = [{ start: 0, end: 4, sound: "ambience" as const }];
    const request = describeRequest({ gaps, type: "extended", maximumAddedShare: 0.1 });
    const lines = [
      ...["a", "b", "c"].map((id, index) => description(id, 2 * index, 12)),
      description("d", 9, 12, { importance: 0.3 }),
    ];
    const rehearsal = { spoken: [spokenAt("a", 0, 4)], unspoken: ["b", "c", "d"] };
    await exactWordsAt(0.5, lines, rehearsal, { request, asker: await askerOf(model, request) });
    // Ten seconds take 20 of the 36 words of what matters.
    expect(askedFor(model.of("wordings"))).toEqual([lines[1], lines[2]].map((line) => [6, line?.wordings[0]]));
  });

  test("what matters little stays unspoken", async () => {
    const { asked } = await exact(
      [description("a", 0, 10), description("b", 2, 10, { importance: 0.3, picture: { start: 2, end: 8 } })],
      {
        spoken: [spokenAt("a", 0, 5)],
        unspoken: ["b"],
      },
    );
    expect(asked).toEqual([]);
  });

  test("a wording that is too long, or has no words, is asked back once and not taken", async () => {
    const lines = [description("a", 0, 12), description("b", 2, 12)];
    const rehearsal = { spoken: [spokenAt("a", 0, 6)], unspoken: ["b"] };
    const { asked, result } = await exact(lines, rehearsal, () => ({
      wordings: [
        { line: 1, text: words(11, "x") },
        { line: 2, text: "..." },
        { line: 9, text: "One." },
      ],
    }));
    expect(asked).toHaveLength(2);
    expect(asked[1]?.askedBack[0]).toMatch(/is longer than \d words/);
    expect(result).toEqual(lines);
  });

  test.each(["I cannot assist.", "Red.", '{"wordings": []}'])("after %s nothing is lost", async (answer) => {
    const lines = [description("a", 0, 12), description("b", 0.5, 12), description("c", 5, 30)];
    const { result, asked } = await exact(
      lines,
      { spoken: [spokenAt("a", 0, 3)], unspoken: ["b", "c"] },
      () => answer,
      [[0, 3]],
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(result).toEqual(lines);
  });

  test("wordings that the pictures do not show are not taken", async () => {
    const model = await startDescribingModel([], {
      wordings: () => ({ wordings: [{ line: 1, text: "Four other words here." }] }),
    });
    const request = describeRequest({ gaps: [{ start: 0, end: 4, sound: "ambience" }] });
    const lines = [description("a", 0, 12, { picture: { start: 0, end: 5 } })];
    const held: unknown[] = [];
    const areShown = async (asked: readonly object[]) => {
      held.push(...asked);
      return asked.map(() => false);
    };
    const asker = await askerOf(model, request);
    const result = await exactWordsAt(0.5, lines, { spoken: [], unspoken: ["a"] }, { request, asker, areShown });
    expect(held).toEqual([{ text: "Four other words here.", moments: [{ start: 0, end: 5 }] }]);
    expect(result).toEqual(lines);
  });

  test("a line that was never meant to be spoken is asked for in the words of a line", async () => {
    const { asked, result } = await exact(
      [description("b", 0, 24), description("a", 12, 30)],
      { spoken: [spokenAt("b", 0, 12), spokenAt("a", 12, 15)], unspoken: [] },
      () => ({ wordings: [{ line: 1, text: words(12, "x") }] }),
    );
    expect(askedFor(asked)).toMatchObject([[12, expect.stringContaining("a29")]]);
    expect(result.map(({ wordings }) => wordings.length)).toEqual([1, 2]);
  });
});
