import { describe, expect, test } from "vitest";
import { BibleController } from "../../../panel/controllers/review/bible-controller.ts";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import { bibleView } from "../../../panel/views/bible-view.ts";
import { words } from "../../../panel/words/words.ts";
import type { FilmBible } from "../../../src/core/film-bible.ts";
import { readBible, writeBible } from "../../../src/formats/bible-text.ts";
import { elementsOf } from "../../page/page-actions.ts";
import { elementOf, happens, outlineOf, usesOf } from "./drawn.ts";
import { reviewed } from "./reviewed.ts";
import { viewPage } from "./view-page.ts";

const KNOWN: FilmBible = {
  story: "A letter comes.",
  persons: [
    {
      label: "the tall woman",
      looks: "grey coat",
      name: "Ann",
      nameFrom: 12,
      pictureAt: 14,
      alsoCalled: ["a woman", "she"],
    },
    { label: "the man", looks: "hat", name: "" },
    { label: "the child", looks: "" },
  ],
  places: [
    { label: "the harbour", looks: "at night" },
    { label: "the house", looks: "" },
    { label: "the pier", looks: "" },
  ],
  things: [
    { label: "the letter", looks: "yellow" },
    { label: "the key", looks: "" },
  ],
  words: ["Zuiderzee: a sea", "Ann", "Bo"],
};

/** The view of a film's bible, whose controls change it as they do in the panel. */
function shown(bible: FilmBible | null = KNOWN, state: Partial<PanelState> = {}) {
  const text = bible === null ? {} : { bible: { text: writeBible(bible) } };
  const page = viewPage({
    view: "bible",
    review: reviewed(text as never, { pictures: { "14.00": "data:ann" } }),
    ...state,
  });
  const bibleController = new BibleController(page.session, page.actions.reviewController);
  const actions = Object.create(page.actions, { bibleController: { value: bibleController } });
  const known = () => readBible(page.session.state.review?.result.bible?.text ?? "").bible;
  return { ...page, known, draw: () => bibleView(page.session.state, actions) };
}
const type = (page: ReturnType<typeof shown>, id: string, value: string) => {
  happens(page.draw(), id, "input", { target: { value } });
  happens(page.draw(), id, "change", { target: { value } });
  return page.known();
};

test("what is known of a film stands in fields: its story, each person, place, thing and word, and one to add of each", () => {
  expect(outlineOf(shown().draw())).toEqual([
    words.bibleHint,
    `heading “${words.bibleStory}” level=2`,
    `textbox “${words.bibleStory}” #bible-story = A letter comes.`,
    `heading “${words.biblePersons}” level=2`,
    "group “the tall woman”",
    "  the tall woman",
    `  button “${words.pictureShow({ label: "the tall woman" })}” #person-0-show : 00:00:14:00`,
    `  button “${words.bibleRemove}: the tall woman” #remove-person-0 : ${words.bibleRemove}`,
    `  textbox “${words.bibleLabel}: the tall woman” #person-0-label = the tall woman (${words.bibleLabel})`,
    `  textbox “${words.bibleLooks}: the tall woman” #person-0-looks = grey coat (${words.bibleLooks})`,
    `  textbox “Name (“none”: never named): the tall woman” #person-0-name = Ann (${words.bibleName})`,
    `  textbox “${words.bibleNameFrom}: the tall woman” #person-0-from = 00:00:12:00 (${words.bibleNameFrom})`,
    `  textbox “${words.bibleAlso}: the tall woman” #person-0-also = a woman; she (${words.bibleAlso})`,
    "group “the man”",
    "  the man",
    `  button “${words.bibleRemove}: the man” #remove-person-1 : ${words.bibleRemove}`,
    `  textbox “${words.bibleLabel}: the man” #person-1-label = the man (${words.bibleLabel})`,
    `  textbox “${words.bibleLooks}: the man” #person-1-looks = hat (${words.bibleLooks})`,
    `  textbox “Name (“none”: never named): the man” #person-1-name = none (${words.bibleName})`,
    `  textbox “${words.bibleAlso}: the man” #person-1-also =  (${words.bibleAlso})`,
    "group “the child”",
    "  the child",
    `  button “${words.bibleRemove}: the child” #remove-person-2 : ${words.bibleRemove}`,
    `  textbox “${words.bibleLabel}: the child” #person-2-label = the child (${words.bibleLabel})`,
    `  textbox “${words.bibleLooks}: the child” #person-2-looks =  (${words.bibleLooks})`,
    `  textbox “Name (“none”: never named): the child” #person-2-name =  (${words.bibleName})`,
    `  textbox “${words.bibleAlso}: the child” #person-2-also =  (${words.bibleAlso})`,
    `textbox “${words.addPerson}” #add-person = `,
    `heading “${words.bibleLists.places}” level=2`,
    "group “the harbour”",
    `  textbox “${words.bibleLabel}: the harbour” #places-0-label = the harbour (${words.bibleLabel})`,
    `  textbox “${words.bibleLooks}: the harbour” #places-0-looks = at night (${words.bibleLooks})`,
    `  button “${words.bibleRemove}: the harbour” #remove-places-0 : ${words.bibleRemove}`,
    "group “the house”",
    `  textbox “${words.bibleLabel}: the house” #places-1-label = the house (${words.bibleLabel})`,
    `  textbox “${words.bibleLooks}: the house” #places-1-looks =  (${words.bibleLooks})`,
    `  button “${words.bibleRemove}: the house” #remove-places-1 : ${words.bibleRemove}`,
    "group “the pier”",
    `  textbox “${words.bibleLabel}: the pier” #places-2-label = the pier (${words.bibleLabel})`,
    `  textbox “${words.bibleLooks}: the pier” #places-2-looks =  (${words.bibleLooks})`,
    `  button “${words.bibleRemove}: the pier” #remove-places-2 : ${words.bibleRemove}`,
    `textbox “${words.addEntry.places}” #add-places = `,
    `heading “${words.bibleLists.things}” level=2`,
    "group “the letter”",
    `  textbox “${words.bibleLabel}: the letter” #things-0-label = the letter (${words.bibleLabel})`,
    `  textbox “${words.bibleLooks}: the letter” #things-0-looks = yellow (${words.bibleLooks})`,
    `  button “${words.bibleRemove}: the letter” #remove-things-0 : ${words.bibleRemove}`,
    "group “the key”",
    `  textbox “${words.bibleLabel}: the key” #things-1-label = the key (${words.bibleLabel})`,
    `  textbox “${words.bibleLooks}: the key” #things-1-looks =  (${words.bibleLooks})`,
    `  button “${words.bibleRemove}: the key” #remove-things-1 : ${words.bibleRemove}`,
    `textbox “${words.addEntry.things}” #add-things = `,
    `heading “${words.bibleWords}” level=2`,
    `textbox “${words.bibleWord}” #word-0 = Zuiderzee: a sea`,
    `button “${words.bibleRemove}: Zuiderzee: a sea” #remove-word-0 : ${words.bibleRemove}`,
    `textbox “${words.bibleWord}” #word-1 = Ann`,
    `button “${words.bibleRemove}: Ann” #remove-word-1 : ${words.bibleRemove}`,
    `textbox “${words.bibleWord}” #word-2 = Bo`,
    `button “${words.bibleRemove}: Bo” #remove-word-2 : ${words.bibleRemove}`,
    `textbox “${words.addWord}” #add-word = `,
    `button “${words.backToReview}” #bible-back`,
    `button “${words.undo}” #undo-edit disabled`,
    `button “${words.redo}” #redo-edit disabled`,
  ]);
  expect(outlineOf(shown(null).draw())).toEqual([
    words.bibleUnknown,
    `heading “${words.bibleStory}” level=2`,
    `textbox “${words.bibleStory}” #bible-story = `,
    `heading “${words.biblePersons}” level=2`,
    `textbox “${words.addPerson}” #add-person = `,
    `heading “${words.bibleLists.places}” level=2`,
    `textbox “${words.addEntry.places}” #add-places = `,
    `heading “${words.bibleLists.things}” level=2`,
    `textbox “${words.addEntry.things}” #add-things = `,
    `heading “${words.bibleWords}” level=2`,
    `textbox “${words.addWord}” #add-word = `,
    `button “${words.backToReview}” #bible-back`,
    `button “${words.undo}” #undo-edit disabled`,
    `button “${words.redo}” #redo-edit disabled`,
  ]);
  expect(outlineOf(bibleView(viewPage().session.state, viewPage().actions))).toEqual([words.noReview]);
});

test("a person has a picture where one was fetched, and the playhead goes there", async () => {
  const page = shown();
  const pictures = elementsOf(page.draw()).flatMap(({ name, properties }) =>
    name === "img" && properties["src"] !== undefined ? [[properties["src"], properties["alt"]]] : [],
  );
  expect(pictures).toEqual([["data:ann", words.pictureOf({ label: "the tall woman" })]]);
  const { "person-0-show": show, "bible-back": back } = await usesOf(page, page.draw());
  expect({ show, back }).toEqual({
    show: ["reviewController.jump(14)"],
    back: ['panelController.go("review")'],
  });
});

describe("what is typed into a field changes that alone", () => {
  const CHANGES: readonly (readonly [string, string, (known: FilmBible) => unknown, unknown])[] = [
    ["bible-story", "Another.", ({ story }) => story, "Another."],
    ["person-1-label", "the old man", ({ persons }) => persons[1]?.label, "the old man"],
    ["person-1-looks", "beard", ({ persons }) => persons[1]?.looks, "beard"],
    ["person-2-name", "Bo", ({ persons }) => persons[2]?.name, "Bo"],
    ["person-0-name", "", ({ persons }) => persons[0]?.name, undefined],
    ["person-0-also", "they; ; the one", ({ persons }) => persons[0]?.alsoCalled, ["they", "the one"]],
    ["person-0-also", " ; ", ({ persons }) => persons[0]?.alsoCalled, undefined],
    ["places-1-label", "the hut", ({ places }) => places[1]?.label, "the hut"],
    ["places-2-looks", "long", ({ places }) => places[2]?.looks, "long"],
    ["things-1-looks", "rusty", ({ things }) => things[1]?.looks, "rusty"],
    ["word-1", "Anne", ({ words: known }) => known, ["Zuiderzee: a sea", "Anne", "Bo"]],
    [
      "add-person",
      "the dog",
      ({ persons }) => persons.map(({ label }) => label),
      [...KNOWN.persons.map(({ label }) => label), "the dog"],
    ],
    [
      "add-places",
      "the sea",
      ({ places }) => places.map(({ label }) => label),
      [...KNOWN.places.map(({ label }) => label), "the sea"],
    ],
    [
      "add-things",
      "a boat",
      ({ things }) => things.map(({ label }) => label),
      [...KNOWN.things.map(({ label }) => label), "a boat"],
    ],
    ["add-word", "Urk", ({ words: known }) => known, [...KNOWN.words, "Urk"]],
  ];
  test.each(CHANGES)("%s: %s", (id, typed, read, wanted) => {
    const page = shown();
    const before = page.known();
    const now = type(page, id, typed);
    expect(read(now)).toEqual(wanted);
    // Of all else nothing is different.
    const differing = (Object.keys(KNOWN) as (keyof FilmBible)[]).filter(
      (part) => JSON.stringify(before[part]) !== JSON.stringify(now[part]),
    );
    expect(differing).toHaveLength(1);
    expect(page.session.state.typedFact).toBeNull();
    expect(page.session.state.review?.past.map(({ action }) => action)).toEqual(["notes"]);
  });

  test("a field shows what is typed into it, and no other does", () => {
    const page = shown();
    happens(page.draw(), "places-0-label", "input", { target: { value: "the ha" } });
    const values = elementsOf(page.draw())
      .filter(({ properties }) => properties["value"] === "the ha")
      .map(({ properties }) => properties["id"]);
    expect(values).toEqual(["places-0-label"]);
  });

  test.each([
    ["20:00", 20],
    ["", undefined],
    ["-99:00", 0],
  ])("the time from which a name may be used is taken as %j", (typed, nameFrom) => {
    const page = shown();
    happens(page.draw(), "person-0-from", "change", { target: { value: typed } });
    expect(page.known().persons[0]?.nameFrom).toBe(nameFrom);
    expect(page.session.state.message).toBeNull();
  });

  test("a time that is none is said, and changes nothing", () => {
    const page = shown();
    happens(page.draw(), "person-0-from", "change", { target: { value: "soon" } });
    expect([page.session.state.message?.text, page.session.state.message?.isFault]).toEqual([
      words.badTimecode({ text: "soon" }),
      true,
    ]);
    expect(page.known()).toEqual(shown().known());
  });
});

test.each([
  ["person-1", ({ persons }: FilmBible) => persons.map(({ label }) => label), ["the tall woman", "the child"]],
  ["places-0", ({ places }: FilmBible) => places.map(({ label }) => label), ["the house", "the pier"]],
  ["things-1", ({ things }: FilmBible) => things.map(({ label }) => label), ["the letter"]],
  ["word-2", ({ words: known }: FilmBible) => known, ["Zuiderzee: a sea", "Ann"]],
] as const)("the button of %s removes it alone, and that is said", (id, read, left) => {
  const page = shown();
  happens(page.draw(), `remove-${id}`, "click");
  expect(read(page.known())).toEqual(left);
  expect(page.said).toEqual([words.heard.removed]);
  expect(elementOf(page.draw(), `remove-word-0`).properties["aria-label"]).toContain("Zuiderzee");
});
