import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spokenForm } from "../../../src/engine/voice/spoken-form.ts";

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
    ["worth $5m or £2.5m, 5m away", "worth 5 million dollars or 2.5 million pounds, 5 metres away"],
    ["In 1984; the 1990s; the 1800s; 1,984 people", "In 19 84; the 19 nineties; the 18 hundreds; 1,984 people"],
    [
      "the 1910s, 1920s, 1930s, 1940s, 1950s, 1960s, 1970s and 1980s",
      "the 19 tens, 19 twenties, 19 thirties, 19 forties, 19 fifties, 19 sixties, 19 seventies and 19 eighties",
    ],
    ["from 1914–1918", "from 19 14 to 19 18"],
    ["10-12 people", "10 to 12 people"],
    ["on 5/3/2024", "on May 3rd, 2024"],
    ["on 31/12/2024", "on 31 12 2024"],
    ["on 12/31/2024, 12/32/2024", "on December 31st, 2024, 12 32 2024"],
    ["on 1/11/2024, 1/12/2024, 1/13/2024", "on January 11th, 2024, January 12th, 2024, January 13th, 2024"],
    ["on 1/10/2024, 1/14/2024, 1/21/2024", "on January 10th, 2024, January 14th, 2024, January 21st, 2024"],
    ["100 km/h, 20°C, 5 min. later", "100 kilometres per hour, 20 degrees Celsius, 5 minutes later"],
    ["16:9 at 10:45", "16 to 9 at 10:45"],
    ["at 10:00, 10:05, 9:00 a.m. and 10.30pm", "at 10 o'clock, 10 oh 5, 9 A M and 10:30 pm"],
    ["3/4 of it, 2½ cups, 1 1/2 miles, 24/7", "three quarters of it, 2 and a half cups, 1 and a half miles, 24 7"],
    ["Call 555-1234 or +1 (555) 123-4567.", "Call 5 5 5, 1 2 3 4 or plus 1, 5 5 5, 1 2 3, 4 5 6 7."],
    ["The note: 020 7946 0958", "The note: 0 2 0, 7 9 4 6, 0 9 5 8"],
    ["On 2024-05-01; from 100-1500 people", "On May 1st, 2024; from 100 to 1500 people"],
    [
      "See https://www.example.com/new-page?id=5. Or www.aside.org/a/b!",
      "See www dot example dot com slash new-page. Or www dot aside dot org slash a slash b!",
    ],
    ["Write to jo.lee@example.com, #MeToo", "Write to jo dot lee at example dot com, hashtag Me Too"],
    ["$5M, €3.5bn, $0.99, £0.01, ¥500", "5 million dollars, 3.5 billion euros, 99 cents, 1 penny, 500 yen"],
    ["1 km, 11 km, 0.1 km, 6 ft 2 in", "1 kilometre, 11 kilometres, 0.1 kilometres, 6 feet 2 inches"],
    ["World War I, Vol. 2, pp. 3-4, Mt. Hood, NO. 5", "World War 1, volume 2, pages 3 to 4, Mount Hood, number 5"],
    ["He says no. Five go. See p. Lee", "He says no. Five go. See p. Lee"],
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
    expect(spokenForm("10-12", "fi-FI")).toBe("10-12");
  });

  test.each([
    ["Um 10:30 Uhr, um 9.05 Uhr, um 12:00 Uhr", "Um 10 Uhr 30, um 9 Uhr 5, um 12 Uhr"],
    ["10–12 Leute, 3,50 €, €5, 1 €", "10 bis 12 Leute, 3 Euro 50, 5 Euro, 1 Euro"],
    [
      "Im Jahr 1984, seit 1815; die 1990er",
      "Im Jahr neunzehnhundertvierundachtzig, seit achtzehnhundertfünfzehn; die neunzehnhundertneunziger",
    ],
    ["1984 Leute", "1984 Leute"],
    ["am 3. Mai, der 21. Juni, 7. Juli", "am dritten Mai, der einundzwanzigste Juni, siebter Juli"],
    ["im 2. Stock, 1. Klasse, das 8. Kapitel", "im zweiten Stock, erste Klasse, das achte Kapitel"],
    ["Er zählt bis 5. Dann geht er.", "Er zählt bis 5. Dann geht er."],
    ["am 03.05.2024", "am dritten Mai 2024"],
    ["31.12.2024, 32.12.2024", "einunddreißigster Dezember 2024, 32.12.2024"],
    ["am 12. Mai, 13. Mai, 19. Mai, 20. Mai", "am zwölften Mai, dreizehnter Mai, neunzehnter Mai, zwanzigster Mai"],
    ["Heinrich VIII. steht auf. Elisabeth II.", "Heinrich der Achte steht auf. Elisabeth die Zweite."],
    ["Kapitel IV, S. 12, 5 Mio. Menschen, 1 Min.", "Kapitel 4, Seite 12, 5 Millionen Menschen, 1 Minute"],
    ["3/4 der Goethestr. 5, 1,5 l", "drei Viertel der Goethestraße 5, 1,5 Liter"],
    ["#MeToo auf www.beispiel.de, 030 1234567", "Hashtag Me Too auf www Punkt beispiel Punkt de, 0 3 0, 1 2 3 4 5 6 7"],
  ])("says %j as %j in German", (written, spoken) => {
    expect(spokenForm(written, "de-DE")).toBe(spoken);
  });

  test.each([
    ["À 10h30, à 1 h, à 9 h 05, à 80 km/h", "À 10 heures 30, à 1 heure, à 9 heures 5, à 80 kilomètres à l'heure"],
    ["Louis XIV, François Ier, Élisabeth Ire", "Louis 14, François premier, Élisabeth première"],
    ["au XIXe siècle, le 2e étage, chapitre IV", "au dix-neuvième siècle, le deuxième étage, chapitre 4"],
    ["MM. Dupont et Mmes Curie, 3,50 €, 5 min", "Messieurs Dupont et Mesdames Curie, 3 euros 50, 5 minutes"],
    ["3/4 de 10-12 m, p. 5, le 01/05/2024", "trois quarts de 10 à 12 mètres, page 5, le premier mai 2024"],
    ["Tél. 01 23 45 67 89", "téléphone 01 23 45 67 89"],
  ])("says %j as %j in French", (written, spoken) => {
    expect(spokenForm(written, "fr-FR")).toBe(spoken);
  });

  test.each([
    ["Felipe VI, Alfonso XIII, Isabel II, siglo XIX", "Felipe sexto, Alfonso 13, Isabel segunda, siglo 19"],
    [
      "el 1.º piso, el 1.º, la 2.ª puerta, 5° norte, 20 °C",
      "el primer piso, el primero, la segunda puerta, 5° norte, 20 grados centígrados",
    ],
    ["C/ Mayor 5, Av. de América, pág. 3", "calle Mayor 5, avenida de América, página 3"],
    ["1/2, $5, 3,50 €, 10-12", "un medio, 5 dólares, 3 euros 50, 10 a 12"],
  ])("says %j as %j in Spanish", (written, spoken) => {
    expect(spokenForm(written, "es-ES")).toBe(spoken);
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

test("no voice, program or server is given control codes, NUL or marks of direction, not from a lexicon either", () => {
  const hostile = "Open\u0000 the\u001b[2J door\u009b\u202e now\u2066.\u0007";
  const lexicon = [{ written: "door", spoken: "do\u0000or\u001b[0m", language: "" }];
  for (const language of ["en-US", "de-DE", "ja-JP"]) {
    expect(spokenForm(hostile, language, lexicon)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
  }
});
