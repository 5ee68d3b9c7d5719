import { describe, expect, test } from "vitest";
import type { DescribeRequest, WrittenDescription } from "../../../../src/engine/describe/describer.ts";
import { beatsIn, linesIn, type StageRules } from "../../../fakes/describing-model.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { atPace, keyFramesAt, SMALL_FILM_SHOWS, shot } from "../describe-request.ts";
import { described, describing, LONG, LONG_SHOWS, SENTENCES, sentence, textsOf } from "./described-film.ts";

/** A rehearsal in which some words never find a place; of what has others, the first of them are spoken. */
function rehearsalWithout(text: string): DescribeRequest["rehearse"] {
  return async (descriptions) => ({
    spoken: descriptions.flatMap(({ id, wordings, picture }) => {
      const said = wordings.find((wording) => wording !== text);
      return said === undefined ? [] : [{ id, ...picture, text: said }];
    }),
    unspoken: descriptions.filter(({ wordings }) => wordings.every((wording) => wording === text)).map(({ id }) => id),
  });
}

describe("a whole run", () => {
  test("tells what is seen where there is room, each at its moment, with what it learned and what it took", async () => {
    const { descriptions, bible, notes, model } = await described({
      rules: { bible: () => ({ story: "She leaves.", category: "Documentary" }) },
    });
    expect(descriptions.map(({ id, wordings, picture }) => [id, wordings, picture.start])).toEqual(
      SMALL_FILM_SHOWS.map(({ what, at }, index) => [`cue-000${index + 1}`, [sentence(what)], at]),
    );
    expect(bible?.story).toBe("She leaves.");
    const requests = model.asked.length;
    expect(notes).toEqual([
      `Written by the vision model eyes-7b at ${new URL(model.url).host}: ${requests} requests, ${9000 * requests} tokens in, ${20 * requests} out. Review it against the picture.`,
      "Described as Documentary, which the model took it for.",
    ]);
    expect(model.of("lines")[0]?.system).toContain("This is a documentary.");
  });

  test("looks at everything before it writes, and reads everything in the end", async () => {
    const { model } = await described({ shown: LONG_SHOWS, film: LONG });
    const stages = model.asked.map(({ stage }) => stage);
    expect(stages.lastIndexOf("log")).toBeLessThan(stages.indexOf("bible"));
    expect(stages.lastIndexOf("bible")).toBeLessThan(stages.indexOf("lines"));
    expect(model.of("lines").length).toBeGreaterThan(1);
    expect(stages.at(-1)).toBe("changes");
  });

  test("tells nothing before it is seen", async () => {
    const { descriptions, request } = await described({ film: { gaps: [{ start: 0, end: 8, sound: "ambience" }] } });
    const { spoken } = await request.rehearse(descriptions, new AbortController().signal);
    expect(spoken.length).toBeGreaterThan(1);
    for (const { id, start } of spoken) {
      const { picture } = descriptions.find((one) => one.id === id) ?? {};
      expect(start).toBeGreaterThanOrEqual(picture?.start ?? Number.POSITIVE_INFINITY);
    }
  });

  test("gives a slower voice fewer words for the same pause", async () => {
    const { model, request, run } = await describing();
    await run(undefined, atPace(2, request));
    await run(undefined, atPace(1, request));
    const [slow = [], normal = []] = model.of("lines").map(({ prompt }) => beatsIn(prompt).map(({ words }) => words));
    const sum = (words: readonly number[]) => words.reduce((total, one) => total + one, 0);
    expect(sum(slow)).toBeGreaterThan(0);
    expect(sum(slow)).toBeLessThan(0.6 * sum(normal));
  });

  test("tells the writer of a scene the lines before it that found a place, and no others", async () => {
    const film = await describing({ shown: LONG_SHOWS, film: LONG });
    const spoken = ({ wordings }: WrittenDescription) => !wordings[0]?.endsWith("number 3.");
    await film.run(undefined, {
      ...film.request,
      rehearse: async (descriptions) => ({
        spoken: descriptions
          .filter(spoken)
          .map(({ id, wordings, picture }) => ({ id, ...picture, text: wordings[0] ?? "" })),
        unspoken: descriptions.filter((one) => !spoken(one)).map(({ id }) => id),
      }),
    });
    const [first, second] = film.model
      .of("lines")
      .map(({ prompt }) => /Spoken before: <<<\n([\s\S]*?)\n>>>/.exec(prompt)?.[1]);
    expect(first).toBeUndefined();
    expect(second).toContain(
      "  The sailor lifts box number 1.\n  The sailor lifts box number 2.\n  The sailor lifts box number 4.",
    );
    expect(second).not.toContain("number 3.");
  });

  thoroughTest(
    "writes an hour in reels side by side, each told its own lines, as one script that says nothing twice",
    async () => {
      const shown = Array.from({ length: 180 }, (_, index) => ({
        at: 20 * index + 1,
        what: index % 60 === 7 ? "the sailor hides behind the barrels" : `the sailor lifts box number ${index + 1}`,
      }));
      const shots = shown.map(({ at }) => shot(at - 1, at + 19));
      const film: Partial<DescribeRequest> = {
        durationSeconds: 3600,
        shots,
        keyFrames: keyFramesAt(
          shown.map(({ at }) => at),
          shots,
        ),
        transcript: [],
        gaps: [{ start: 0, end: 3600, sound: "ambience" }],
      };
      const { model, descriptions, notes } = await described({ shown, film, settings: { parallel: 4 } });
      const begun = model.of("lines").slice(0, 4);
      const quarters = begun.map(({ prompt }) => Math.floor((beatsIn(prompt)[0]?.start ?? 0) / 880));
      expect([...quarters].sort()).toEqual([0, 1, 2, 3]);
      for (const { prompt } of begun) expect(prompt).not.toContain("Spoken before");
      expect(model.of("lines").filter(({ prompt }) => prompt.includes("Spoken before")).length).toBeGreaterThan(30);
      expect(descriptions.map(({ id, picture }) => [id, picture.start])).toEqual(
        shown
          .filter((_, index) => index % 60 !== 7 || index === 7)
          .map(({ at }, index) => [`cue-${String(index + 1).padStart(4, "0")}`, at]),
      );
      expect(notes.filter((note) => note.startsWith("Said before"))).toHaveLength(2);
    },
  );

  test("what is written side by side says nothing twice either, whichever line of another reel it is", async () => {
    const shown = Array.from({ length: 19 }, (_, index) => ({
      at: 100 * index + 1,
      what: index === 2 || index === 15 ? "the sailor hides" : `the sailor lifts box number ${(index % 17) + 1}`,
    }));
    const shots = shown.map(({ at }) => shot(at - 1, at + 99));
    const keyFrames = keyFramesAt(
      shown.map(({ at }) => at),
      shots,
    );
    const gaps = [{ start: 0, end: 1900, sound: "ambience" as const }];
    const film = { durationSeconds: 1900, shots, keyFrames, transcript: [], gaps };
    const { descriptions, notes } = await described({ shown, film, settings: { parallel: 2 } });
    const first = shown.filter(({ what }, index) => shown.findIndex((one) => one.what === what) === index);
    expect(first).toHaveLength(16);
    expect(textsOf(descriptions)).toEqual(first.map(({ what }) => sentence(what)));
    expect(notes.filter((note) => note.startsWith("Said before"))).toEqual(
      ["hides", "lifts box number 1", "lifts box number 2"].map((what) => {
        return `Said before, and left out: "The sailor ${what}."`;
      }),
    );
  });

  test("says nothing twice in the same words, and tells of it in a note", async () => {
    const shown = [
      { at: 1, what: "the dog barks at him" },
      { at: 13, what: "a boy laughs out loud" },
      { at: 27, what: "a boy laughs out loud" },
      { at: 33, what: "the dog barks at him" },
    ];
    const { descriptions, notes } = await described({ shown });
    expect(textsOf(descriptions)).toEqual(["The dog barks at him.", "A boy laughs out loud."]);
    expect(notes).toContain('Said before, and left out: "A boy laughs out loud."');
    expect(notes).toContain('Said before, and left out: "The dog barks at him."');
  });

  test("in extended AD, fewer words are asked for only where the time that may be added is too short for all", async () => {
    const long = SMALL_FILM_SHOWS.map((one) => ({ ...one, what: `${one.what} and looks back at it` }));
    const extended = { type: "extended" } as const;
    const { model, descriptions } = await described({ shown: long, film: extended });
    expect(descriptions).toHaveLength(SMALL_FILM_SHOWS.length);
    expect(model.of("wordings")).toEqual([]);
    const wordings: StageRules["wordings"] = ({ prompt }) => ({
      wordings: linesIn(prompt).map(({ line }) => ({ line, text: "She runs from it." })),
    });
    const speech = [0, 10, 20, 30].map((start) => ({ start, end: start + 9.5, text: "She sails tonight." }));
    const short = { gaps: [], transcript: speech, maximumAddedShare: 0.2 };
    const held = await described({ shown: long, rules: { wordings }, film: { ...extended, ...short } });
    const asked = held.model.of("wordings").flatMap(({ prompt }) => linesIn(prompt));
    expect(asked.length).toBeGreaterThan(0);
    for (const { head, text } of asked) {
      const most = Number(/at most (\d+) words/.exec(head)?.[1]);
      expect(most).toBeGreaterThanOrEqual(4);
      expect(most).toBeLessThanOrEqual(0.75 * text.split(" ").length);
    }
    expect(held.descriptions.filter(({ wordings: all }) => all.length > 1)).toHaveLength(asked.length);
  });
});

describe("the last reading", () => {
  const changing = (text: string): StageRules => ({
    changes: () => ({ changes: [{ line: 3, text, why: "told twice" }] }),
  });

  test("takes out what is told again, with a note", async () => {
    const { descriptions, notes } = await described({ rules: changing("") });
    expect(textsOf(descriptions)).toEqual(SENTENCES.toSpliced(2, 1));
    expect(notes).toContain('Left out at the last reading (told twice): "The woman drops her brown suitcase."');
  });

  test("is of a script of two lines too, and of none that is shorter", async () => {
    for (const count of [1, 2]) {
      const { model } = await described({ shown: SMALL_FILM_SHOWS.slice(0, count) });
      expect(model.of("changes")).toHaveLength(count - 1);
    }
  });

  const mending = (fault: string, text: string): StageRules => ({
    changes: () => ({ changes: [{ line: 3, fault, text, why: "who?" }] }),
  });

  test("changes words: those of before are not spoken any more, for they mislead", async () => {
    const mended = "In the snow, the woman drops her suitcase.";
    const { descriptions, notes } = await described({ rules: mending("unclear", mended) });
    expect(textsOf(descriptions)).toEqual(SENTENCES.with(2, mended));
    expect(descriptions[2]?.wordings).toEqual([mended]);
    expect(notes).toContain(`Changed at the last reading (who?): "${SENTENCES[2]}" to "${mended}"`);
  });

  test("leaves the words of before where only a place was missing and there is no room for it, and says so", async () => {
    const mended = "In the snow, the woman drops her suitcase.";
    const { descriptions } = await described({ rules: mending("place", mended) });
    expect(descriptions[2]?.wordings).toEqual([mended, SENTENCES[2]]);
    const { notes } = await described({
      rules: mending("place", mended),
      film: { rehearse: rehearsalWithout(mended) },
    });
    expect(notes).toContain(`Kept, for want of room for "${mended}" (who?): "${SENTENCES[2]}"`);
  });

  test("takes no words that are much longer", async () => {
    const tooLong = "In the deep snow, the woman drops her old brown leather suitcase.";
    expect(textsOf((await described({ rules: mending("unclear", tooLong) })).descriptions)).toEqual(SENTENCES);
  });
});

describe("asking a model", () => {
  test("asks no paid question twice: a second run uses the answers kept, and says so", async () => {
    const { run, model, fractions } = await describing();
    const first = await run();
    const asked = model.asked.length;
    const again = await run();
    expect(model.asked).toHaveLength(asked);
    expect(again.descriptions).toEqual(first.descriptions);
    expect(again.notes[0]).toContain(
      `: 0 requests, 0 tokens in, 0 out. Answers of an earlier run were used again: ${asked} requests, ${9000 * asked} tokens in, ${20 * asked} out.`,
    );
    expect(fractions.filter((done) => done === 1)).toHaveLength(2);
  });

  test("tells how far it is, always further", async () => {
    const { fractions } = await described({ shown: LONG_SHOWS, film: LONG });
    expect(fractions.length).toBeGreaterThan(10);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
  });

  test("says what it cost, and that a model was found without anybody having named one", async () => {
    const { notes, model } = await described({
      settings: { pricePerMillion: { input: 5, output: 20 } },
      foundLocally: true,
    });
    const cost = (model.asked.length * (9000 * 5 + 20 * 20)) / 1e6;
    expect(notes[0]).toContain("(found on this computer, nothing was configured)");
    expect(notes[0]).toContain(`, cost ${cost.toFixed(4)}.`);
  });

  test("asks for an unusable answer again the next time, and for nothing else", async () => {
    let isBroken = true;
    const { run, model } = await describing({
      rules: { log: ({ pictures }) => (isBroken && pictures.some(({ at }) => at === 17) ? "{}" : undefined) },
    });
    const first = await run();
    expect(first.notes.join()).toContain("no usable answer for the pictures");
    const before = model.of("log").length;
    isBroken = false;
    const { descriptions, notes } = await run();
    expect(model.of("log")).toHaveLength(before + 1);
    expect(notes.join()).not.toContain("no usable answer");
    expect(descriptions.length).toBeGreaterThan(first.descriptions.length);
  });

  test("ERR-26: fails with content_blocked where all was refused, and goes on where something was told", async () => {
    const refused = "I'm sorry, but I can't help with that.";
    const { run } = await describing({ rules: { log: () => refused } });
    await expect(run()).rejects.toMatchObject({ code: "content_blocked" });
    const { descriptions } = await described({ rules: { log: ({ index }) => (index === 0 ? refused : undefined) } });
    expect(descriptions.length).toBeGreaterThan(0);
  });

  test("fails rather than to tell nothing when no answer at all can be used", async () => {
    const { run } = await describing({ rules: { log: () => "{}" } });
    await expect(run()).rejects.toMatchObject({ code: "vision_unusable" });
  });

  test("sends the key in its header alone, and never repeats it", async () => {
    const { model, notes } = await described();
    expect(model.asked[0]?.headers.authorization).toBe("Bearer secret-key");
    expect(JSON.stringify([notes, model.asked.map(({ body }) => body)])).not.toContain("secret-key");
    const { run } = await describing({
      rules: { log: () => ({ reply: { status: 401, body: { error: { message: "Incorrect key: secret-key" } } } }) },
    });
    const failure = run();
    await expect(failure).rejects.toThrow(/eyes-7b .* status 401.*Check ASIDE_VISION_KEY/);
    await expect(failure).rejects.not.toThrow(/secret-key/);
  });

  test("says what was paid for before it failed", async () => {
    const gone = { reply: { status: 404, body: { error: { message: "gone" } } } };
    const { run, fractions } = await describing({ rules: { bible: () => gone } });
    const failure = run();
    await expect(failure).rejects.toMatchObject({ code: "vision_refused" });
    await expect(failure).rejects.toThrow(/kept for the next run: \d requests, \d+ tokens in, \d+ out\./);
    expect(Math.max(...fractions)).toBeLessThan(0.6);
  });

  test("stops at what it may cost, and goes on from there when it may cost more", async () => {
    const { run, request, model } = await describing({ settings: { pricePerMillion: { input: 5, output: 20 } } });
    await expect(run(undefined, { ...request, maximumCost: 0.15 })).rejects.toMatchObject({ code: "vision_ceiling" });
    const paid = model.asked.length;
    expect(paid).toBeGreaterThan(0);
    const { notes } = await run();
    expect(notes[0]).toContain(`Answers of an earlier run were used again: ${paid} requests`);
  });

  test("says which host gave no answer in time", async () => {
    const { run } = await describing({
      rules: { log: () => ({ reply: { delayMs: 1000 } }) },
      settings: { timeoutSeconds: 0.05 },
    });
    const failure = run();
    await expect(failure).rejects.toMatchObject({ code: "vision_unreachable" });
    await expect(failure).rejects.toThrow(/within 0.05 s/);
  });

  test.each(["log", "bible", "lines", "verdicts", "changes"] as const)(
    "stops at once when the job is cancelled, also in the middle of %s",
    async (stage) => {
      const stop = new AbortController();
      const { run, model } = await describing({
        rules: {
          [stage]: () => {
            stop.abort(new Error("cancelled by the user"));
            return { reply: { delayMs: 30_000 } };
          },
        },
      });
      const before = performance.now();
      await expect(run(stop.signal)).rejects.toThrow("cancelled by the user");
      expect(performance.now() - before).toBeLessThan(25_000);
      expect(model.of(stage)).toHaveLength(1);
    },
  );

  test("passes on words that are written in another language's signs", async () => {
    const shown = [{ at: 1, what: "一个男人沿着港口走着" }];
    const { descriptions } = await described({
      shown,
      film: { language: "cmn-CN" },
      rules: { lines: () => ({ lines: [{ events: [1], text: shown[0]?.what }] }) },
    });
    expect(textsOf(descriptions)).toEqual(["一个男人沿着港口走着。"]);
  });

  test("an empty film, in which nothing is seen, is described by nothing", async () => {
    const { descriptions, model } = await described({ shown: [] });
    expect(descriptions).toEqual([]);
    expect(model.of("lines")).toEqual([]);
  });
});
