import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { correctedBible, EMPTY_BIBLE, type FilmBible } from "../../src/core/film-bible.ts";
import { type BibleChange, changeBible, completeBible, readBible, writeBible } from "../../src/formats/bible-text.ts";

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

describe("one entry of a bible, changed", () => {
  const LISTS = ["persons", "places", "things", "words"] as const;
  const values = { persons: plainPerson, places: plainEntry, things: plainEntry, words: plain };
  const change: fc.Arbitrary<BibleChange> = fc.oneof(
    plain.map((to): BibleChange => ({ part: "story", to })),
    fc.constantFrom(...LISTS).chain((part) =>
      fc
        .record({ at: fc.nat({ max: 4 }), to: fc.oneof(fc.constant(null), values[part]) })
        // Each list with a value of its own kind.
        .map((made) => ({ part, ...made }) as BibleChange),
    ),
  );

  /** The bible as it should be after a change; a place past the end of a list is the next free one. */
  function changedBible(bible: FilmBible, { part, to, ...place }: BibleChange): FilmBible {
    if (part === "story") return { ...bible, story: to };
    const at = "at" in place ? place.at : 0;
    const next: unknown[] = [...bible[part]];
    next.splice(at, 1, ...(to === null ? [] : [to]));
    return { ...bible, [part]: next };
  }

  test("is the bible with that entry, and with every other one as it was", () => {
    fc.assert(
      fc.property(plainBible, fc.array(change, { maxLength: 6 }), (bible, changes) => {
        const after = changes.reduce(changeBible, writeBible(bible));
        expect(readBible(after)).toEqual({ bible: changes.reduce(changedBible, bible), issues: [] });
      }),
    );
  });

  test("leaves every line that is not of it as it was typed", () => {
    const remarks =
      "// mine\n\nfoo  = bar\n # persons\n- The man :  tall\n   NAME: Karl\n//note\n# Things\n\n# Persons\nshe";
    fc.assert(
      fc.property(fc.oneof(fc.constant(remarks), fc.string(), plainBible.map(writeBible)), plain, (text, name) => {
        const before = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
        const at = readBible(text).bible.persons.length;
        const added = changeBible(text, { part: "persons", at, to: { label: name, looks: "" } }).split("\n");
        const lines = added.filter((line) => line.trim() !== "");
        const kept = before.filter((line) => line.trim() !== "");
        // One line came, and a heading where there was none.
        expect(lines.length - kept.length).toBeLessThanOrEqual(2);
        let from = 0;
        for (const line of kept) {
          from = lines.findIndex((one, index) => index >= from && one.trimEnd() === line.trimEnd()) + 1;
          expect(from).toBeGreaterThan(0);
        }
      }),
    );
    expect(changeBible(remarks, { part: "persons", at: 0, to: { label: "The boy", looks: "" } })).toBe(
      remarks.replace("- The man :  tall\n   NAME: Karl", "The boy"),
    );
  });

  test("has a heading of its own put behind all that is there, where there is none", () => {
    const add = { part: "persons", at: 0, to: { label: "Ann", looks: "tall" } } as const;
    expect(changeBible("", add)).toBe("# Persons\nAnn = tall\n");
    expect(changeBible("Argo\n\n", add)).toBe("Argo\n\n# Persons\nAnn = tall\n");
    expect(changeBible("Argo\n# Persons", add)).toBe("Argo\n# Persons\nAnn = tall");
    expect(changeBible("Argo\n# Persons\n\n# Places\na", add)).toBe("Argo\n# Persons\nAnn = tall\n\n# Places\na");
    expect(changeBible("Argo\n", { part: "persons", at: 3, to: null })).toBe("Argo\n");
    expect(changeBible("Argo\n", { part: "story", to: "" })).toBe("Argo\n");
    expect(changeBible("Argo\n", { part: "words", at: 0, to: null })).toBe("");
    expect(changeBible("Argo\nBora\n", { part: "words", at: 0, to: null })).toBe("Bora\n");
  });

  test("is not taken without anything to call it by, and a story that is called as a section is none", () => {
    const text = writeBible({ ...EMPTY_BIBLE, persons: [{ label: "Ann", looks: "" }] });
    expect(changeBible(text, { part: "persons", at: 0, to: { label: " # ", looks: "tall" } })).toBe(text);
    expect(changeBible(text, { part: "words", at: 0, to: "" })).toBe(text);
    const told = readBible(changeBible(text, { part: "story", to: "Places" })).bible;
    expect(told).toMatchObject({ story: "Places.", persons: [{ label: "Ann" }] });
  });
});

test("a word list keeps its colons and equalities apart, entry by entry", () => {
  const words = ["gaffer", "the Old Man: the captain", "10:30 train", "a = b", "x: y: z"];
  expect(readBible(writeBible({ ...EMPTY_BIBLE, words })).bible.words).toEqual(
    words.map((word) => word.replace("a = b", "a: b")),
  );
});

test("what a person is called is kept, though it looks like something else in the file", () => {
  const linesOf = (label: string, looks = "") =>
    writeBible({ ...EMPTY_BIBLE, persons: [{ label, looks }] })
      .split("# Persons\n")[1]
      ?.split("\n")[0];
  for (const [label, line, kept] of [
    ["Ann", "Ann", "Ann"],
    ["Ann: the cook", "Ann: the cook =", "Ann: the cook"],
    ["Ann:the cook", "Ann:the cook", "Ann:the cook"],
    ["a = b", "a - b =".replace(" =", ""), "a - b"],
    ["Name: Karl", "Name - Karl", "Name - Karl"],
    ["also  :x", "also -x", "also -x"],
    ["picture:", "picture -", "picture -"],
    ["the name: Karl", "the name: Karl =", "the name: Karl"],
    ["renamed: x", "renamed: x =", "renamed: x"],
    ["Places", "Places =", "Places"],
    ["# Words:", "Words: =", "Words:"],
    ["- Ann", "Ann", "Ann"],
    ["-Ann", "-Ann", "-Ann"],
    ["// * ## Ann", "Ann", "Ann"],
  ] as const) {
    expect(linesOf(label)).toBe(line);
    expect(linesOf(label, "tall")).toBe(`${line.replace(/ =$/, "")} = tall`);
    expect(readBible(writeBible({ ...EMPTY_BIBLE, persons: [{ label, looks: "" }] })).bible.persons).toEqual([
      { label: kept, looks: "" },
    ]);
  }
});

test("what is said of a person is read as it is written", () => {
  const personOf = (...details: readonly string[]) =>
    readBible(["# Persons", "Ann", ...details].join("\n")).bible.persons[0];
  const ann = { label: "Ann", looks: "" };
  expect(personOf("name: Karl")).toEqual({ ...ann, name: "Karl" });
  expect(personOf("Name :Karl from Ulm")).toEqual({ ...ann, name: "Karl from Ulm" });
  expect(personOf("name: Karl from 1:02")).toEqual({ ...ann, name: "Karl", nameFrom: 62 });
  expect(personOf("name: Karl,  FROM  00:01:02.5")).toEqual({ ...ann, name: "Karl", nameFrom: 62.5 });
  expect(personOf("name: Karl, from 1:99")).toEqual({ ...ann, name: "Karl" });
  for (const none of ["", "none", "NEVER", "-"]) expect(personOf(`name: ${none}`), none).toEqual({ ...ann, name: "" });
  expect(personOf("name: nonesuch")).toEqual({ ...ann, name: "nonesuch" });
  expect(personOf("also: a ;b; ;")).toEqual({ ...ann, alsoCalled: ["a", "b"] });
  expect(personOf("picture: 0:12")).toEqual({ ...ann, pictureAt: 12 });
  expect([personOf("picture: soon"), personOf("picture: -0:12")]).toEqual([ann, ann]);
  expect(personOf("name: Karl", "also: he", "picture: 0:00")).toEqual({
    ...ann,
    name: "Karl",
    alsoCalled: ["he"],
    pictureAt: 0,
  });
});

test("sections are known by their names, however they are set off", () => {
  const sectionOf = (heading: string) => {
    const { bible } = readBible(`${heading}\nAnn`);
    return (["story", "persons", "places", "things", "words"] as const).find((part) => bible[part].length > 0);
  };
  for (const heading of ["# Places", "##places:", "PLACES:", "places", " # Places : ", "- Places"])
    expect(sectionOf(heading), heading).toBe("places");
  for (const heading of ["Places of it", "# Places x", "Place", "Places =", "x # Places"])
    expect(sectionOf(heading), heading).toBe("words");
  expect(["# Story", "# Persons", "# Things", "# Words"].map(sectionOf)).toEqual([
    "story",
    "persons",
    "things",
    "words",
  ]);
});
