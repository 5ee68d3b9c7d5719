import fc from "fast-check";
import { expect, test } from "vitest";
import { type BiblePerson, callsOf, correctedBible, EMPTY_BIBLE, type FilmBible } from "../../src/core/film-bible.ts";

const label = fc.constantFrom("a woman in red", " The  Man", "the man ", "an old house", "A boat", "Kim");
const entries = fc.array(
  label.map((one) => ({ label: one, looks: `looks of ${one}` })),
  { maxLength: 4 },
);
const persons = fc.array(
  fc.record(
    { label, looks: fc.constant("looks"), name: label, alsoCalled: fc.array(label, { maxLength: 2 }) },
    { requiredKeys: ["label", "looks"] },
  ),
  { maxLength: 4 },
) as fc.Arbitrary<BiblePerson[]>;
const bibles: fc.Arbitrary<FilmBible> = fc.record({
  story: fc.constantFrom("", "A story.", "Another."),
  persons,
  places: entries,
  things: entries,
  words: fc.array(fc.constantFrom("sloop", "Kim", "jib: a sail"), { maxLength: 3 }),
});

/** Words as a reader takes them for the same: without capitals, doubled spaces and the article before them. */
const plain = (words: string) =>
  words
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word, at) => at > 0 || !/^(?:the|a|an)$/.test(word))
    .join(" ");
const calls = ({ label: own, name, alsoCalled = [] }: BiblePerson) =>
  [own, name ?? "", ...alsoCalled].map(plain).filter((call) => call !== "");

test("every word of the editor's stands, and what was found adds only what the editor does not speak of", () => {
  fc.assert(
    fc.property(bibles, bibles, (found, editors) => {
      const both = correctedBible(found, editors);
      expect(both.story).toBe(editors.story || found.story);
      for (const kind of ["persons", "places", "things", "words"] as const) {
        expect(both[kind].slice(0, editors[kind].length)).toEqual(editors[kind]);
      }
      for (const kind of ["places", "things"] as const) {
        const known = editors[kind].map((entry) => plain(entry.label));
        expect(both[kind].slice(editors[kind].length)).toEqual(
          found[kind].filter((entry) => !known.includes(plain(entry.label))),
        );
      }
      const called = editors.persons.flatMap(calls);
      expect(both.persons.slice(editors.persons.length)).toEqual(
        found.persons.filter((person) => !calls(person).some((call) => called.includes(call))),
      );
      expect(both.words.slice(editors.words.length)).toEqual(
        found.words.filter((word) => !editors.words.includes(word)),
      );
      for (const person of found.persons) expect(callsOf(person)).toEqual(calls(person));
      expect(correctedBible(found, EMPTY_BIBLE)).toEqual(found);
      expect(correctedBible(EMPTY_BIBLE, editors)).toEqual(editors);
    }),
  );
});

test("a name that is to be used by nobody is no call", () => {
  expect(callsOf({ label: " The Man ", looks: "", name: "" })).toEqual(["man"]);
});
