import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spokenForm } from "../../../src/service/voice/spoken-form.ts";

describe("spokenForm", () => {
  test.each([
    ["Mr. Lee meets Mrs. Jones.", "Mister Lee meets Missis Jones."],
    ["Dr. Ames leaves Mulholland Dr. at dawn.", "Doctor Ames leaves Mulholland Drive at dawn."],
    ["Baker St. near St. Paul’s", "Baker Street near Saint Paul's"],
    [
      "$5.50, $1, $1.05, $3 million and £1,250",
      "5 dollars 50, 1 dollar, 1 dollar 5, 3 million dollars and 1,250 pounds",
    ],
    ["a $2.5 million house", "a 2.5 million dollars house"],
    ["In 1984; the 1990s; the 1800s; 1,984 people", "In 19 84; the 19 nineties; the 18 hundreds; 1,984 people"],
    ["from 1914–1918", "from 19 14 to 19 18"],
    ["10-12 people", "10 to 12 people"],
    ["on 5/3/2024", "on May 3rd, 2024"],
    ["on 31/12/2024", "on 31 12 2024"],
    ["100 km/h, 20°C, 5 min. later", "100 kilometres per hour, 20 degrees Celsius, 5 minutes later"],
    ["16:9 at 10:45", "16 to 9 at 10:45"],
    ["Henry VIII, Louis XIV and Rocky II", "Henry the 8th, Louis the 14th and Rocky 2"],
    ["World War II, Part IV. Plan X", "World War 2, Part 4. Plan X"],
    ["No. 7, house #12", "number 7, house number 12"],
    ["U.S. Army. Made in the U.S.A.", "U S Army. Made in the U S A."],
    ["Tom & Jerry", "Tom and Jerry"],
    ["He stops—then runs.", "He stops, then runs."],
    ["She reads: *Stop* [sign] <b>now</b> 😀", "She reads: Stop sign now"],
    ["“Hi,” she says…", '"Hi," she says...'],
  ])("says %j as %j in American English", (written, spoken) => {
    expect(spokenForm(written, "en-US")).toBe(spoken);
  });

  test("reads a date in the order of the country", () => {
    expect(spokenForm("5/3/2024", "en-GB")).toBe("the 5th of March, 2024");
  });

  test("writes out the abbreviations of other languages, and their units", () => {
    expect(spokenForm("Hr. Meier fährt 100 km/h, z. B. nach St. Gallen", "de-DE")).toBe(
      "Herr Meier fährt 100 Kilometer pro Stunde, zum Beispiel nach Sankt Gallen",
    );
    expect(spokenForm("M. Dupont & Mme Curie", "fr-CA")).toBe("Monsieur Dupont et Madame Curie");
    expect(spokenForm("el Sr. Díaz a 5 km", "es-US")).toBe("el Señor Díaz a 5 kilómetros");
    expect(spokenForm("10-12", "de-DE")).toBe("10-12");
  });

  test("leaves text alone that needs nothing", () => {
    for (const text of ["A woman sits at a desk.", "क्ष न्‍ह", "一个女人坐在桌子旁。", "Ο άντρας ανοίγει την πόρτα."]) {
      expect(spokenForm(text, "en-US")).toBe(text.normalize("NFC"));
    }
  });

  test("lets the user's lexicon win over every rule, and says its words as they are", () => {
    const lexicon = [
      { written: "Dr.", spoken: "Dr. No" },
      { written: "1984", spoken: "nineteen eighty-four <3", language: "en" },
      { written: "GUI", spoken: "gooey" },
      { written: "desk", spoken: "Tisch", language: "de" },
    ];
    expect(spokenForm("Dr. Who, in 1984, at a desk with a GUI", "en-US", lexicon)).toBe(
      "Dr. No Who, in nineteen eighty-four <3, at a desk with a gooey",
    );
  });

  test("keeps no control character and no mark that an engine could take for a command", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 60 }),
        fc.constantFrom("en-US", "de-DE", "hi-IN"),
        (text, language) => {
          const spoken = spokenForm(text, language);
          expect(spoken).not.toMatch(/[\p{Cc}\p{Co}<>[\]{}|\\]/u);
          expect(spokenForm(spoken, language).length).toBeLessThanOrEqual(spoken.length + 60);
        },
      ),
    );
  });
});
