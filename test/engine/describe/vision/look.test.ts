import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DescribeRequest } from "../../../../src/engine/describe/describer.ts";
import { look, mostShown, planLooks } from "../../../../src/engine/describe/vision/look.ts";
import { type Shown, type StageRules, startDescribingModel } from "../../../fakes/describing-model.ts";
import { filmRequest, keyFramesAt, SMALL_FILM, shot } from "../describe-request.ts";
import { askerOf } from "./asker-of.ts";

/** Looks at a film that shows these. */
async function looked(
  shown: readonly Shown[],
  { rules = {}, pictures = 6, ...more }: Partial<DescribeRequest> & { rules?: StageRules; pictures?: number } = {},
) {
  const model = await startDescribingModel(shown, rules);
  const request = await filmRequest({ ...SMALL_FILM, ...more });
  const asker = await askerOf(model, request, { pictures });
  const notes: string[] = [];
  const done: number[] = [];
  const log = await look(request, asker, { notes, onDone: (share) => done.push(share) });
  return { model, request, asker, notes, done, log };
}

describe("sharing pictures out", () => {
  const film = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 }).map((counts) => {
    let at = 0;
    const shots = counts.map((count) => {
      const start = at;
      at += count;
      return shot(start, at);
    });
    const times = Array.from({ length: at }, (_, second) => second + 0.5);
    return { shots, keyFrames: keyFramesAt(times, shots) };
  });

  test("every key frame is logged in one request, every request has a picture and at most the limit", () => {
    fc.assert(
      fc.property(film, fc.integer({ min: 1, max: 9 }), ({ shots, keyFrames }, most) => {
        const plans = planLooks(shots, keyFrames, most);
        const logged = plans.flatMap(({ pictures, context }) => pictures.slice(context).map(({ frame }) => frame));
        expect(logged).toEqual(keyFrames);
        for (const { pictures, context } of plans) {
          expect(pictures.length).toBeGreaterThan(context);
          expect(pictures.length).toBeLessThanOrEqual(most);
        }
      }),
    );
  });

  test("a shot goes on in the next request with its last picture once more, and no other picture comes twice", () => {
    fc.assert(
      fc.property(film, fc.integer({ min: 2, max: 9 }), ({ shots, keyFrames }, most) => {
        const plans = planLooks(shots, keyFrames, most);
        for (const [index, { pictures, context }] of plans.entries()) {
          const last = plans[index - 1]?.pictures.at(-1);
          const goesOn = last !== undefined && last.shot === pictures[context]?.shot;
          expect(context).toBe(goesOn ? 1 : 0);
          if (goesOn) expect(pictures[0]).toEqual(last);
        }
      }),
    );
  });

  test("whole shots stay together where two thirds of a request are filled without them", () => {
    const shots = [shot(0, 4), shot(4, 8), shot(8, 12)];
    const frames = keyFramesAt(
      Array.from({ length: 12 }, (_, second) => second + 0.5),
      shots,
    );
    const sizes = (most: number) => planLooks(shots, frames, most).map(({ pictures }) => pictures.length);
    expect(sizes(6)).toEqual([4, 4, 4]);
    expect(sizes(8)).toEqual([8, 4]);
    expect(sizes(12)).toEqual([12]);
    const uneven = [shot(0, 1), shot(1, 7)];
    const times = Array.from({ length: 7 }, (_, second) => second + 0.5);
    const filled = planLooks(uneven, keyFramesAt(times, uneven), 6).map(({ pictures }) => pictures.length);
    expect(filled).toEqual([6, 2]);
  });

  test("all of a film of half an hour is looked at, and of a longer one at least a picture every other second", () => {
    for (const minutes of [1, 5, 30]) expect(mostShown(60 * minutes)).toBeGreaterThanOrEqual(90 * minutes);
    for (const hours of [1, 2, 4]) {
      expect(mostShown(3600 * hours)).toBeGreaterThan(1800 * hours);
      expect(mostShown(3600 * hours)).toBeLessThan(4000 * hours);
    }
  });

  test("of a film in which so much moves that not all is looked at, what is least new is not looked at, and every shot is", async () => {
    const shots = Array.from({ length: 20 }, (_, index) => shot(5 * index, 5 * index + 5));
    const times = Array.from({ length: 2000 }, (_, index) => index / 20 + 0.01);
    const frames = keyFramesAt(times, shots).map((frame, index) =>
      frame.novelty === 1 ? frame : { ...frame, novelty: index % 2 === 1 ? 0.01 : 0.4 },
    );
    const { model } = await looked([], { durationSeconds: 100, shots, keyFrames: frames, pictures: 16 });
    const seen = new Set(model.of("log").flatMap(({ pictures }) => pictures.map(({ file }) => file)));
    expect(seen.size).toBe(mostShown(100));
    expect(frames.filter(({ file, novelty }) => novelty > 0.01 && !seen.has(file))).toEqual([]);
  });

  test("a film without pictures takes no request", () => {
    expect(planLooks([shot(0, 4)], [], 6)).toEqual([]);
  });
});

describe("the first look", () => {
  test("takes the first picture up to the last that shows a thing, where its own time is no picture's, and asks nothing", async () => {
    const said = (at: number, until: number) => ({ at, until, what: `from ${at}`, importance: 0.8, confidence: 0.9 });
    const events = [said(5, 7), said(5.4, 9), said(7.4, 7), said(0.2, 1)];
    const rules: StageRules = { log: ({ index }) => (index > 0 ? undefined : { events }) };
    const { log, model, notes } = await looked([], { rules });
    expect(model.of("log").flatMap(({ askedBack }) => askedBack)).toEqual([]);
    expect(notes).toEqual([]);
    expect(log.events.map(({ what, seen }) => [what, seen.start])).toEqual([
      ["from 0.2", 1],
      ["from 5", 5],
      ["from 5.4", 7],
      ["from 7.4", 7],
    ]);
  });

  test("sends each picture under its number, its shot and its time", async () => {
    const { model, request } = await looked([]);
    const asked = model.of("log");
    const files = new Set(asked.flatMap(({ pictures }) => pictures.map(({ file }) => file)));
    expect([...files]).toEqual(request.keyFrames.map(({ file }) => file));
    for (const { pictures } of asked) {
      expect(pictures.length).toBeLessThanOrEqual(6);
      for (const [index, { label, file, at }] of pictures.entries()) {
        expect(Number.parseFloat(file)).toBe(at);
        expect(label).toBe(`Picture ${index + 1}, shot ${Math.floor(at / 10) + 1}, ${at.toFixed(1)} s:`);
      }
    }
  });

  test("logs what is seen under speech too, from its first picture half-way to the next one, or to the cut", async () => {
    const { log } = await looked([
      { at: 9, what: "the woman turns away" },
      { at: 13, until: 15, what: "the boy reads a letter" },
    ]);
    expect(log.events).toMatchObject([
      { number: 1, seen: { start: 9, end: 10 }, what: "the woman turns away" },
      { number: 2, seen: { start: 13, end: 16 }, what: "the boy reads a letter" },
    ]);
  });

  test("tells the model what is heard around the pictures and what stood on screen, and of both nothing else", async () => {
    const texts = [
      { start: 2, end: 3, lines: ["Harbour Master", "No entry"] },
      { start: 4, end: 6, lines: ["Closed"] },
      { start: 38, end: 39, lines: ["The end"] },
    ];
    const { model } = await looked([], { onscreen: { isRead: true, texts, notes: [], unread: [] } });
    const [first] = model.of("log");
    expect(first?.prompt).toContain("Heard: <<<\n  8.0 s to 12.0 s ANNA: She sails tonight.\n>>>");
    expect(first?.prompt).toContain(
      "On screen, as a machine read it: <<<\n  2.0 s Harbour Master / No entry\n  4.0 s Closed\n>>>",
    );
    expect(first?.prompt).not.toContain("Surprise!");
    expect(first?.prompt).not.toContain("The end");
    expect(model.of("log").at(-1)?.prompt).toContain("On screen, as a machine read it: <<<\n  38.0 s The end\n>>>");
  });

  test("tells everything that is heard from eight seconds before the pictures to eight seconds behind them", async () => {
    const said = (start: number, end: number) => ({ start, end, text: `From ${start} to ${end}.` });
    const transcript = [said(1, 2), said(1.5, 3.5), said(14, 15), said(16, 17), said(28.9, 30), said(29, 30)];
    const { model } = await looked([], { transcript, keyFrames: keyFramesAt([11, 13, 17, 21]), shots: [] });
    const heard = /Heard: <<<\n([\s\S]*?)\n>>>/.exec(model.of("log")[0]?.prompt ?? "")?.[1]?.split("\n");
    expect(heard?.map((line) => line.replace(/^.* s /, ""))).toEqual(
      [said(1.5, 3.5), said(14, 15), said(16, 17), said(28.9, 30)].map(({ text }) => text),
    );
  });

  test("asks back once for a time at which no picture was taken, and takes the second answer", async () => {
    const log = (asked: { askedBack: readonly string[]; index: number }) =>
      asked.index > 0 ? undefined : { events: [{ at: asked.askedBack.length === 0 ? 2.9 : 3, what: "a door opens" }] };
    const { model, log: found, notes } = await looked([], { rules: { log } });
    expect(model.of("log").filter(({ index }) => index === 0)).toHaveLength(2);
    expect(model.of("log")[1]?.askedBack[0]).toMatch(
      /No picture was taken at 2\.9 s .*1\.0, 3\.0, 5\.0.* Answer again/,
    );
    expect(found.events).toMatchObject([{ seen: { start: 3 }, what: "a door opens" }]);
    expect(notes).toEqual([]);
  });

  test("a time that stays wrong is dropped with a note, never moved to a picture", async () => {
    const events = [
      { at: 2.9, what: "a door opens" },
      { at: 3, what: "a dog barks" },
    ];
    const log = ({ index }: { index: number }) => (index > 0 ? undefined : { events });
    const { log: found, notes, model } = await looked([], { rules: { log } });
    expect(model.of("log").filter(({ index }) => index === 0)).toHaveLength(2);
    expect(found.events.map(({ what, seen }) => [what, seen.start])).toEqual([["a dog barks", 3]]);
    expect(notes).toEqual([expect.stringMatching(/^Dropped, because no picture was taken at .*2\.9 s.*a door opens/)]);
  });

  test("a time that the second answer spoils is that of the first", async () => {
    const log = ({ index, askedBack }: { index: number; askedBack: readonly string[] }) => {
      if (index > 0) return undefined;
      const [door, dog, boat] = askedBack.length === 0 ? [1, 2.9, 7] : [1.4, 5, 7.4];
      return {
        events: [
          { at: door, what: "a door opens" },
          { at: dog, what: "a dog barks" },
          { at: boat, what: "a boat leaves" },
        ],
      };
    };
    const { log: found } = await looked([], { rules: { log } });
    expect(found.events.map(({ seen, what }) => [seen.start, what])).toEqual([
      [1, "a door opens"],
      [5, "a dog barks"],
      [7, "a boat leaves"],
    ]);
  });

  test("what a leading picture alone shows is not logged twice; what goes on in the next one is", async () => {
    const shots = [shot(0, 40, "start")];
    const keyFrames = keyFramesAt(
      SMALL_FILM.keyFrames.map(({ at }) => at),
      shots,
    );
    const rules: StageRules = {
      log: ({ pictures, prompt, index }) => {
        const [first, second] = pictures;
        expect(prompt.includes("The first was logged before")).toBe(index > 0);
        if (first === undefined || second === undefined) return undefined;
        const told = index === 0 ? "the door is red" : `again the picture before request ${index}`;
        return {
          events: [
            { at: first.at, until: first.at, what: told },
            { at: first.at, until: second.at, what: `something moves in request ${index}` },
          ],
        };
      },
    };
    const { log } = await looked([], { shots, keyFrames, rules });
    const told = log.events.map(({ what }) => what);
    expect(told.filter((what) => what.startsWith("again"))).toEqual([]);
    expect(told).toContain("the door is red");
    expect(told).toContain("something moves in request 1");
  });

  test("the same words of touching times are one event, and of times apart two", async () => {
    const { log } = await looked([
      { at: 9, what: "The dog sleeps" },
      { at: 11, what: "the dog sleeps" },
      { at: 31, what: "the dog sleeps" },
    ]);
    expect(log.events.map(({ number, seen }) => [number, seen.start, seen.end])).toEqual([
      [1, 9, 12],
      [2, 31, 32],
    ]);
    // Up to two seconds behind its end.
    const endingAt = async (end: number) => {
      const shown = [1, 5].map((at) => ({ at, until: at === 1 ? end : 5, what: "the dog sleeps" }));
      const film = { keyFrames: keyFramesAt([1, 2.7, 2.9, 3.1, 5]), shots: [] };
      return (await looked(shown, film)).log.events.map(({ seen }) => [seen.start, seen.end]);
    };
    expect(await endingAt(2.7)).toHaveLength(2);
    expect(await endingAt(2.9)).toEqual([[1, 40]]);
  });

  test("notes everyone who does a thing, by words without blanks around them", async () => {
    const { log } = await looked([{ at: 5, what: "they wave", who: [" a man ", "", "a girl", "a boy"] }]);
    expect(log.events.map(({ who }) => who)).toEqual([["a man", "a girl", "a boy"]]);
  });

  test("what the model hardly believes itself, and what has no words, is not logged", async () => {
    const { log } = await looked([
      { at: 1, what: "a ghost walks by", confidence: 0.2 },
      { at: 3, what: "  " },
      { at: 5, what: "a  dog\nbarks", confidence: 7, importance: -1, kind: "thought" },
    ]);
    expect(log.events).toMatchObject([{ what: "a dog barks", confidence: 1, importance: 0, kind: "action" }]);
  });

  test("a refused look is tried in two halves; what is refused again leaves the rest of the film told, with a note", async () => {
    const rules: StageRules = {
      log: ({ pictures }) =>
        pictures.some(({ at }) => at === 3) ? "I'm sorry, but I can't help with that." : undefined,
    };
    const shown = [
      { at: 3, what: "a door opens" },
      { at: 9, what: "a dog barks" },
      { at: 33, what: "a boat leaves" },
    ];
    const { log, notes, done, asker } = await looked(shown, { rules });
    expect(log.events.map(({ what }) => what)).toEqual(["a dog barks", "a boat leaves"]);
    expect(notes).toEqual(["The model refused to look at the pictures from 1.0 s to 5.0 s."]);
    expect(done.at(-1)).toBe(1);
    expect(() => asker.requireAnswers()).not.toThrow();
  });

  test("what is nonsense in whole and in its first half is the end of the model", async () => {
    const rules: StageRules = { log: ({ pictures }) => (pictures[0]?.at === 1 ? "The door is red." : undefined) };
    await expect(looked([], { rules })).rejects.toMatchObject({ code: "vision_unusable" });
  });

  test("takes persons and places with the time from which they were seen", async () => {
    const rules: StageRules = {
      log: ({ index }) => {
        const man = { label: " a man ", looks: "tall", name: index === 0 ? null : "Karl" };
        const people = [man, { label: "" }, { label: "a girl", looks: " in blue " }];
        return { place: index === 0 ? " a harbour " : "", people, events: [] };
      },
    };
    const { log } = await looked([], { rules, pictures: 16 });
    expect(log.places).toEqual([{ at: 1, place: "a harbour" }]);
    expect(log.persons.map(({ label, looks, name }) => [label, looks, name])).toEqual([
      ["a man", "tall", ""],
      ["a girl", "in blue", ""],
      ["a man", "tall", "Karl"],
      ["a girl", "in blue", ""],
    ]);
    expect(log.persons[0]?.at).toBe(1);
  });
});
