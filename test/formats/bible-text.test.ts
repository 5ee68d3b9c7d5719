import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { correctedBible, EMPTY_BIBLE, type FilmBible } from "../../src/core/film-bible.ts";
import { completeBible, readBible, writeBible } from "../../src/formats/bible-text.ts";

/** Words as people and models write them, with the signs that mean something in the file. */
const piece = fc.constantFrom(
  ..."Anna,the,man,Story,persons,places,Things,words,name,also,picture,none,from,red coat,Ångström,Łódź,東京,12,(tall)".split(
    ",",
  ),
  ..."- * • # // : = ; , . ' \"".split(" "),
);
const text = fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(" ").trim());
const label = text.filter((words) => /[\p{L}\p{N}]/u.test(words));
const at = fc.integer({ min: 0, max: 3 * 3600 * 1000 }).map((milliseconds) => milliseconds / 1000);
const entry = fc.record({ label, looks: text });
const person = fc.record(
  {
    label,
    looks: text,
    name: text,
    nameFrom: at,
    pictureAt: at,
    alsoCalled: fc.array(label, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ["label", "looks"] },
);
const anyBible: fc.Arbitrary<FilmBible> = fc.record({
  story: text,
  persons: fc.array(person, { maxLength: 3 }),
  places: fc.array(entry, { maxLength: 3 }),
  things: fc.array(entry, { maxLength: 3 }),
  words: fc.array(label, { maxLength: 3 }),
});

/** Words without a sign that the file gives a meaning to. */
const plain = fc
  .array(
    fc.constantFrom("Anna", "the", "man", "red coat", "Ångström", "Łódź", "東京", "12", "(tall)", "Dr.", "o'clock"),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((parts) => parts.join(" "));
const plainEntry = fc.record({ label: plain, looks: fc.oneof(plain, fc.constant("")) });
const plainPerson = fc
  .record(
    {
      ...{ label: plain, looks: plain, name: fc.oneof(plain, fc.constant("")) },
      nameFrom: at,
      pictureAt: at,
      alsoCalled: fc.array(plain, { minLength: 1 }),
    },
    { requiredKeys: ["label", "looks"] },
  )
  // From when a name may be used says something only of a name.
  .map(({ nameFrom, ...rest }) =>
    rest.name === undefined || rest.name === "" || nameFrom === undefined ? rest : { ...rest, nameFrom },
  );
const plainBible: fc.Arbitrary<FilmBible> = fc.record({
  story: fc.oneof(plain, fc.constant("")),
  persons: fc.array(plainPerson),
  places: fc.array(plainEntry),
  things: fc.array(plainEntry),
  words: fc.array(
    fc.oneof(
      plain,
      fc.tuple(plain, plain).map((two) => two.join(": ")),
    ),
  ),
});

describe("a bible as text", () => {
  test("is read back as it was written", () => {
    fc.assert(
      fc.property(plainBible, (bible) => {
        expect(readBible(writeBible(bible))).toEqual({ bible, issues: [] });
      }),
    );
  });

  test("whatever its words are, no entry is lost, and none comes into another section", () => {
    fc.assert(
      fc.property(anyBible, (bible) => {
        const { bible: read } = readBible(writeBible(bible));
        expect(read.persons).toHaveLength(bible.persons.length);
        expect(read.places).toHaveLength(bible.places.length);
        expect(read.things).toHaveLength(bible.things.length);
        expect(read.words).toHaveLength(bible.words.length);
      }),
    );
  });

  test("any text is accepted", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (any) => void readBible(any)));
    expect(readBible("").bible).toEqual(EMPTY_BIBLE);
  });

  test("is read as people write it", () => {
    const typed = [
      "\uFEFF// mine",
      "Argo = the ship",
      "PERSONS:",
      "- the tall man: grey coat",
      "\tName: Karl, from 00:01:02.5",
      "  also: he; the captain",
      "* the woman = in red",
      "  name: none",
      "  picture: 00:12",
      "## places",
      "a harbour",
      "# Story",
      "She hides.",
      "He seeks.",
    ].join("\r\n");
    expect(readBible(typed)).toEqual({
      bible: {
        story: "She hides. He seeks.",
        persons: [
          {
            label: "the tall man",
            looks: "grey coat",
            name: "Karl",
            nameFrom: 62.5,
            alsoCalled: ["he", "the captain"],
          },
          { label: "the woman", looks: "in red", name: "", pictureAt: 12 },
        ],
        places: [{ label: "a harbour", looks: "" }],
        things: [],
        words: ["Argo: the ship"],
      },
      issues: [],
    });
  });

  test("what belongs to no person is named with its line", () => {
    const { bible, issues } = readBible("# Persons\n  name: Karl\nthe man");
    expect(bible.persons).toEqual([{ label: "the man", looks: "" }]);
    expect(issues).toMatchObject([{ line: 2 }]);
  });
});

describe("an editor's bible, completed", () => {
  const typed = "\n # persons\n\n- The man :  tall\n   NAME: Karl\n//note\n# Story\nHe  waits.\n\n\n";

  test("keeps what was typed letter by letter, and adds only what it lacks", () => {
    fc.assert(
      fc.property(fc.oneof(plainBible.map(writeBible), fc.constant(typed), fc.string()), plainBible, (text, found) => {
        const known = readBible(text).bible;
        const whole = correctedBible(found, known);
        const completed = completeBible(text, whole);
        expect(completed.startsWith(text.trimEnd())).toBe(true);
        const { bible } = readBible(completed);
        for (const person of known.persons) expect(bible.persons).toContainEqual(person);
        for (const person of whole.persons) expect(bible.persons.map((one) => one.label)).toContain(person.label);
        expect(bible.story).toBe(whole.story);
      }),
    );
  });

  test("that lacks nothing is the very text", () => {
    fc.assert(
      fc.property(plainBible, (bible) => {
        const text = `${writeBible(bible)}\n\n// mine  `;
        expect(completeBible(text, bible)).toBe(text);
      }),
    );
  });

  test("stays what it is when it is completed again", () => {
    fc.assert(
      fc.property(plainBible, plainBible, (mine, found) => {
        const whole = correctedBible(found, mine);
        const once = completeBible(writeBible(mine), whole);
        expect(completeBible(once, correctedBible(found, readBible(once).bible))).toBe(once);
      }),
    );
  });
});
