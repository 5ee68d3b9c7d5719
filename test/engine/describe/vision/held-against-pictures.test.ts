import { describe, expect, test } from "vitest";
import type { WrittenDescription } from "../../../../src/engine/describe/describer.ts";
import { beatsIn, type DescribingModel, linesIn, type StageRules } from "../../../fakes/describing-model.ts";
import { SMALL_FILM_SHOWS } from "../describe-request.ts";
import { described, LONG, LONG_SHOWS, SENTENCES, sentence, textsOf } from "./described-film.ts";

describe("what is spoken was held against its pictures", () => {
  /** Judges the line that tells this so, and finds all others right. */
  const judging = (words: string, verdict: object): StageRules => ({
    verdicts: (asked) => ({
      lines: linesIn(asked.prompt).map(({ line, text }) =>
        text.includes(words) ? { line, ...verdict } : { line, verdict: "right" },
      ),
    }),
  });

  /** Every wording has a verdict, by pictures of the time at which it is seen. */
  function expectChecked(descriptions: readonly WrittenDescription[], model: DescribingModel) {
    const checked = model
      .of("verdicts")
      .flatMap(({ prompt, pictures }) =>
        linesIn(prompt).map(({ text }) => ({ text, times: pictures.map(({ at }) => at) })),
      );
    for (const { wordings, picture } of descriptions) {
      for (const wording of wordings) {
        const times = checked.filter(({ text }) => text === wording).flatMap((one) => one.times);
        expect(times.some((at) => at >= picture.start - 0.01 && at <= picture.end + 0.01)).toBe(true);
      }
    }
  }

  test("what is left of a line of several things waits until all of them are seen", async () => {
    const { descriptions, model } = await described({
      rules: {
        lines: ({ prompt }) => ({
          lines: beatsIn(prompt).flatMap(({ events }) => {
            const [first, second] = events;
            if (first?.start !== 13 || second === undefined) return [];
            const text = "The woman drops her suitcase and a boy climbs over the fence.";
            return [{ events: [first.number, second.number], text, importance: 1, confidence: 1 }];
          }),
        }),
        ...judging("suitcase", { verdict: "wrong", mended: "A boy climbs over the fence" }),
      },
    });
    expect(descriptions).toMatchObject([{ wordings: ["A boy climbs over the fence."], picture: { start: 17 } }]);
    // It is held against the pictures of all that the line told.
    const [held] = model.of("verdicts").filter(({ prompt }) => prompt.includes(": A boy climbs over the fence."));
    expect(held?.pictures.map(({ at }) => at)).toEqual([11, 13, 17]);
  });

  test("every sentence, also what was mended, fitted or changed in the end", async () => {
    const shown = SMALL_FILM_SHOWS.map((one, index) => ({
      ...one,
      what: index === 1 ? "a small brown dog runs out into the deep snow there" : one.what,
    }));
    const gaps = [
      { start: 0, end: 5.5, sound: "ambience" as const },
      { start: 12, end: 24, sound: "ambience" as const },
      { start: 26, end: 40, sound: "ambience" as const },
    ];
    const { descriptions, model } = await described({
      shown,
      film: { gaps },
      rules: {
        ...judging("suitcase", { verdict: "wrong", why: "no suitcase", mended: "The woman drops it" }),
        lines: ({ prompt }) => ({
          lines: beatsIn(prompt).flatMap(({ events }) =>
            events.map(({ number, what }) => ({ events: [number], text: what, importance: 0.9, confidence: 0.9 })),
          ),
        }),
        wordings: ({ prompt }) => ({
          wordings: linesIn(prompt).map(({ line }) => ({ line, text: `Dog number ${line} runs` })),
        }),
        changes: ({ prompt }) => ({
          changes: linesIn(prompt)
            .filter(({ text }) => text.includes("boat"))
            .map(({ line }) => ({ line, text: "She waves at a boat." })),
        }),
      },
    });
    expect(textsOf(descriptions)).toEqual(expect.arrayContaining(["The woman drops it.", "She waves at a boat."]));
    expect(model.of("wordings")).not.toEqual([]);
    expectChecked(descriptions, model);
  });

  test("a wrong line goes, with a note that says why", async () => {
    const { descriptions, notes } = await described({
      rules: judging("suitcase", { verdict: "wrong", why: "no suitcase" }),
    });
    expect(textsOf(descriptions)).toEqual(SENTENCES.filter((text) => !text.includes("suitcase")));
    expect(notes).toContain(
      'Dropped, because the pictures do not show it (no suitcase): "The woman drops her brown suitcase."',
    );
  });

  test("of a line that is wrong in part the rest stays, with a note", async () => {
    const { descriptions, notes } = await described({
      rules: judging("suitcase", { verdict: "wrong", why: "no suitcase", mended: "the woman drops something" }),
    });
    expect(textsOf(descriptions)[2]).toBe("The woman drops something.");
    expect(notes).toContain(
      'Changed, because the pictures do not show all of it (no suitcase): "The woman drops her brown suitcase." to "The woman drops something."',
    );
  });

  test("of every line that is wrong in part the rest stays, where the pictures show that, whatever became of the others", async () => {
    const rests = [
      ["dog runs", "the dog runs", "right"],
      ["suitcase", "the woman drops it", "wrong"],
      ["fence", "he climbs", "right"],
    ] as const;
    const verdicts: NonNullable<StageRules["verdicts"]> = ({ prompt }) => ({
      lines: linesIn(prompt).map(({ line, text }) => {
        const rest = rests.find(([, mended]) => text === sentence(mended));
        if (rest !== undefined) return { line, verdict: rest[2] };
        const found = rests.find(([words]) => text.includes(words));
        return found === undefined ? { line, verdict: "right" } : { line, verdict: "wrong", mended: found[1] };
      }),
    });
    const { descriptions } = await described({ rules: { verdicts } });
    const kept = SENTENCES.with(1, "The dog runs.").with(3, "He climbs.").toSpliced(2, 1);
    expect(textsOf(descriptions)).toEqual(kept);
  });

  test("a line of several things is held against the pictures of all of them", async () => {
    const text = "A woman opens the door to a dog.";
    const { model } = await described({
      rules: { lines: () => ({ lines: [{ events: [1, 2], text, importance: 1, confidence: 1 }] }) },
    });
    const checked = model.of("verdicts").flatMap(({ pictures }) => pictures.map(({ at }) => at));
    expect(checked).toEqual(expect.arrayContaining([1, 5]));
  });

  /** Tells at first only what is not about these, and then whatever is asked for. */
  const firstWithout =
    (words: RegExp): NonNullable<StageRules["lines"]> =>
    ({ prompt }) => ({
      lines: beatsIn(prompt).flatMap(({ events }) => {
        const others = events.filter(({ what }) => !words.test(what));
        return (others.length > 0 ? others : events).map(({ number, what }) => ({
          ...{ events: [number], text: what, importance: 0.8, confidence: 0.9 },
        }));
      }),
    });

  test("in every beat whose line was wrong, and in no other, what was left untold there is told instead", async () => {
    const gulls = [3, 15, 35].map((at) => ({ at, what: `a gull lands at ${at}` }));
    const { descriptions } = await described({
      shown: [...SMALL_FILM_SHOWS.filter(({ at }) => [1, 17, 27, 33].includes(at)), ...gulls],
      rules: {
        lines: firstWithout(/gull/),
        verdicts: ({ prompt }) => ({
          lines: linesIn(prompt).map(({ line, text }) => {
            return { line, verdict: /door|fence/.test(text) ? "wrong" : "right" };
          }),
        }),
      },
    });
    expect(textsOf(descriptions)).toEqual(["A gull lands at 3.", "A gull lands at 15.", SENTENCES[4], SENTENCES[5]]);
  });

  test.each([
    ["only what nobody has told of the beat is told instead", 0.9, ["a leaf falls", "a gull lands on it"]],
    ["what hardly matters is not told instead either", 0.4, []],
  ])("of a beat of which a later line was wrong, %s", async (_name, importance, told) => {
    const shown = [
      ...SMALL_FILM_SHOWS.filter(({ at }) => at < 20),
      { at: 15, what: "a leaf falls", importance: 0.2 },
      { at: 17, what: "a gull lands on it", importance },
    ];
    const rules = { lines: firstWithout(/leaf|gull/), ...judging("fence", { verdict: "wrong" }) };
    const { model, descriptions } = await described({ shown, rules });
    const again = model
      .of("lines")
      .slice(1)
      .flatMap(({ prompt }) => beatsIn(prompt));
    expect(again.flatMap(({ events }) => events.map(({ what }) => what))).toEqual(told);
    expect(textsOf(descriptions)).toEqual([...SENTENCES.slice(0, 3), ...told.map(sentence)]);
  });

  test("what is told instead is written with all lines before it and around it in mind, and without the wrong one", async () => {
    const gull = { at: 163, what: "a gull lands on the boat" };
    const { model, descriptions } = await described({
      shown: [...LONG_SHOWS, gull],
      film: LONG,
      rules: { lines: firstWithout(/gull/), ...judging("number 17.", { verdict: "wrong" }) },
    });
    const before = /Spoken before: <<<\n([\s\S]*?)\n>>>/.exec(model.of("lines").at(-1)?.prompt ?? "")?.[1];
    const others = LONG_SHOWS.map(({ what }) => sentence(what)).toSpliced(16, 1);
    expect(before?.split("\n").map((text) => text.trim())).toEqual(others);
    expect(textsOf(descriptions)).toEqual([...others.slice(0, 16), sentence(gull.what), ...others.slice(16)]);
  });

  test.each(["The woman drops the heavy brown suitcase.", "Woman.", "...", "The woman drops a suitcase."])(
    "what says more, or next to nothing, or is wrong itself is no rest of a line: %s",
    async (mended) => {
      const { descriptions, notes } = await described({ rules: judging("suitcase", { verdict: "wrong", mended }) });
      expect(textsOf(descriptions)).toEqual(SENTENCES.filter((text) => !text.includes("suitcase")));
      expect(notes).toContain('Dropped, because the pictures do not show it: "The woman drops her brown suitcase."');
    },
  );

  test("a line that pictures cannot tell is marked, and told all the same", async () => {
    const { descriptions } = await described({ rules: judging("suitcase", { verdict: "unsure", why: "too dark" }) });
    expect(textsOf(descriptions)).toEqual(SENTENCES);
    expect(descriptions[2]).toMatchObject({ confidence: 0.5, doubt: "too dark" });
    for (const [index, one] of descriptions.entries()) if (index !== 2) expect(one.doubt).toBeUndefined();
    const silent = await described({ rules: { verdicts: () => "I cannot assist." } });
    for (const one of silent.descriptions)
      expect(one).toMatchObject({ confidence: 0.5, doubt: "the pictures cannot tell" });
  });

  test("other words that the pictures do not show are not taken, and all others are", async () => {
    const { descriptions, notes } = await described({
      rules: {
        ...judging("parrot", { verdict: "wrong" }),
        changes: () => ({
          changes: [
            { line: 6, text: "She waves at the boat." },
            { line: 1, text: "A woman opens a parrot." },
            { line: 2, text: "A parrot runs into the snow." },
            { line: 4, text: "A boy climbs over it.", why: "clear" },
          ],
        }),
      },
    });
    expect(textsOf(descriptions)).toEqual(SENTENCES.with(5, "She waves at the boat.").with(3, "A boy climbs over it."));
    expect(notes.slice(-2)).toEqual([
      `Changed at the last reading: "${SENTENCES[5]}" to "She waves at the boat."`,
      `Changed at the last reading (clear): "${SENTENCES[3]}" to "A boy climbs over it."`,
    ]);
  });
});
