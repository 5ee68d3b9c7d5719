import { describe, expect, test } from "vitest";
import { EMPTY_BIBLE } from "../../../../src/core/film-bible.ts";
import type { DescribeRequest } from "../../../../src/engine/describe/describer.ts";
import { know } from "../../../../src/engine/describe/vision/know.ts";
import type { FilmLog } from "../../../../src/engine/describe/vision/look.ts";
import { type StageRules, startDescribingModel } from "../../../fakes/describing-model.ts";
import { describeRequest } from "../describe-request.ts";
import { askerOf } from "./asker-of.ts";
import { eventAt } from "./event-at.ts";

const LOG: FilmLog = {
  events: [
    eventAt(1, 3, "a man waits", { who: ["the tall man"] }),
    eventAt(2, 9, "he leaves", { who: ["a tall man"] }),
  ],
  persons: [
    { label: "a tall man", looks: "grey coat", name: "", at: 3 },
    { label: "a tall man", looks: "coat", name: "Karl", at: 9 },
    { label: "a girl", looks: "in blue", name: "", at: 9 },
  ],
  places: [
    { at: 3, place: "a harbour" },
    { at: 9, place: "a street" },
  ],
};

async function known(
  bible: NonNullable<StageRules["bible"]>,
  more: Partial<DescribeRequest> & { readonly log?: FilmLog } = {},
) {
  const model = await startDescribingModel([], { bible });
  const { log = LOG, ...rest } = more;
  const request = describeRequest(rest);
  const notes: string[] = [];
  const knowledge = await know(request, log, await askerOf(model, request), notes);
  return { model, notes, ...knowledge };
}

const KARL = { label: "the tall man", looks: "a grey coat", name: "Karl", nameFrom: 9, alsoCalled: ["the man"] };

describe("getting to know a film", () => {
  test("reads the whole log: persons, places, what is seen and what is heard", async () => {
    const transcript = [
      { start: 4, end: 5, text: "Karl?", speaker: "ANNA" },
      { start: 6, end: 7, text: "Here." },
    ];
    const { model, bible } = await known(() => ({ story: " He waits. ", persons: [KARL] }), { transcript });
    const [asked] = model.of("bible");
    for (const told of [
      "People as they were seen: <<<\n  a tall man: grey coat (first seen at 3.0 s, in 2 of the looks; called Karl)\n  a girl: in blue (first seen at 9.0 s, in 1 of the looks)\n>>>",
      "Places: <<<\n  3.0 s a harbour\n  9.0 s a street\n>>>",
      "Event 1, 3.0 s to 4.0 s, importance 0.8, sure 0.9: a man waits (the tall man)",
      "Heard: <<<\n  4.0 s to 5.0 s ANNA: Karl?\n  6.0 s to 7.0 s Here.\n>>>",
    ])
      expect(asked?.prompt).toContain(told);
    expect(bible).toMatchObject({ story: "He waits.", persons: [{ ...KARL, pictureAt: 3 }], words: [] });
  });

  test.each([
    ["label, whatever the capitals and the article", { label: "The Tall man", looks: "red" }],
    ["name", { label: "the captain", looks: "red", name: "Karl" }],
    ["other words for them", { label: "the captain", looks: "red", alsoCalled: ["the man"] }],
  ])("what an editor says of a person stands over what was found, told by %s", async (_name, person) => {
    const { bible } = await known(() => ({ story: "Found.", persons: [KARL] }), {
      bible: { ...EMPTY_BIBLE, persons: [person] },
    });
    expect(bible.persons).toEqual([person]);
    expect(bible.story).toBe("Found.");
  });

  test("an editor's story, places, things and words stand, and what was found adds what they lack", async () => {
    const editors = {
      ...EMPTY_BIBLE,
      story: "It is told.",
      places: [{ label: "the harbour", looks: "at night" }],
      words: ["Argo: the ship", "Skiff"],
    };
    const found = {
      story: "Found.",
      persons: [KARL, { label: " " }],
      places: [{ label: "Harbour", looks: "by day" }, { label: "a bar" }],
      things: [{ label: "the key", looks: "brass" }, { label: "" }],
    };
    const { bible, model } = await known(() => found, { bible: editors });
    expect(bible.story).toBe("It is told.");
    expect(bible.places).toEqual([...editors.places, { label: "a bar", looks: "" }]);
    expect(bible.things).toEqual([{ label: "the key", looks: "brass" }]);
    expect(bible.words).toEqual(editors.words);
    expect(bible.persons.map(({ label }) => label)).toEqual([KARL.label]);
    expect(model.of("bible")[0]?.prompt).toContain("The editor says of the film: <<<\n  Story: It is told.");
    expect(model.of("bible")[0]?.prompt).toContain("  Write: Argo: the ship\n  Write: Skiff\n>>>");
  });

  test("of whom no picture is named, the first event is taken that anyone of them is in, whoever else is", async () => {
    const events = [
      eventAt(1, 3, "a man waits", { who: ["the tall man"] }),
      eventAt(2, 9, "they meet", { who: ["a boy", "the captain", "the girl"] }),
      eventAt(3, 15, "she leaves", { who: ["the girl"] }),
    ];
    const persons = [
      { label: "the girl" },
      { label: "the captain", pictureAt: 20 },
      { label: "the old man", alsoCalled: ["the man", "the tall man"] },
      { label: "the dog" },
    ];
    const { bible } = await known(() => ({ persons }), { log: { events, persons: [], places: [] } });
    expect(bible.persons.map(({ pictureAt }) => pictureAt)).toEqual([9, 20, 3, undefined]);
  });

  test("a bible holds the forty persons that are named first, and no more", async () => {
    const persons = Array.from({ length: 42 }, (_, index) => ({ label: `person ${index + 1}` }));
    const { bible } = await known(() => ({ persons: [{ label: " " }, ...persons] }));
    expect(bible.persons.map(({ label }) => label)).toEqual(persons.slice(0, 40).map(({ label }) => label));
  });

  test("the model chooses the category where it may, of those there are, and a note says which", async () => {
    const chosen = await known(() => ({ category: "Documentary" }), { category: "Auto" });
    expect(chosen.category).toBe("Documentary");
    expect(chosen.notes).toEqual(["Described as Documentary, which the model took it for."]);
    expect(chosen.model.of("bible")[0]?.system).toContain('"category": what kind of programme it is, one of:');
    const unknown = await known(() => ({ category: "Opera" }), { category: "Auto" });
    expect(unknown).toMatchObject({ category: "", notes: [] });
    const asked = await known(() => ({ category: "Documentary" }), { category: "News" });
    expect(asked).toMatchObject({ category: "News", notes: [] });
    expect(asked.model.of("bible")[0]?.system).not.toContain("what kind of programme");
  });

  test("a long log is read in parts, each once, with what the parts before it gave", async () => {
    const events = Array.from({ length: 1100 }, (_, index) => eventAt(index + 1, index / 20, `thing ${index + 1}`));
    const transcript = [
      { start: 10, end: 11, text: "Early." },
      { start: 25, end: 26, text: "Late." },
    ];
    const { model, bible } = await known(
      ({ index }) => ({
        story: `Part ${index + 1}.`,
        persons: [{ label: `person ${index + 1}` }, { label: "the dog", looks: "brown" }],
        places: [{ label: "the bar" }, { label: "the harbour", looks: "at night" }],
        things: [{ label: "the key" }, { label: "the box", looks: "open" }],
      }),
      { log: { events, persons: [], places: [] }, transcript },
    );
    const asked = model.of("bible").map(({ prompt }) => prompt);
    const numbers = asked.map((prompt) => [...prompt.matchAll(/Event (\d+),/g)].map(([, number]) => Number(number)));
    expect(numbers.flat()).toEqual(events.map(({ number }) => number));
    expect(numbers.map((part) => part.length)).toEqual([500, 500, 100]);
    expect(asked.map((prompt) => [prompt.includes("Early."), prompt.includes("Late.")])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
    for (const told of [
      "to be completed: <<<\n  Story: Part 1.\n  Person: person 1",
      "  Person: the dog: brown; no name is known\n",
      "  Place: the harbour: at night\n",
      "  Thing: the box: open\n",
    ])
      expect(asked[1]).toContain(told);
    expect(bible.story).toBe("Part 3.");
  });

  test("without a usable answer the film is described by what the editor says, and a note tells", async () => {
    const editors = { ...EMPTY_BIBLE, story: "It is told." };
    const { bible, notes } = await known(() => "I would rather not.", { bible: editors });
    expect(bible).toEqual(editors);
    expect(notes).toEqual([expect.stringContaining("no usable account of the whole film")]);
  });
});
