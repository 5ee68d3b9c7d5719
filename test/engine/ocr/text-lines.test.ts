import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { agreedLines, linesOf, mayBearOut, mayHoldWords, type ReadLine } from "../../../src/engine/ocr/text-lines.ts";

/** Two readings that both gave these rows. */
const readTwice = (tsv: string) => agreedLines([linesOf(tsv, 1, true), linesOf(tsv, 1, true)]);
const textsOf = (tsv: string) => readTwice(tsv).lines;

/** Words written so far in each line, so that the next stands beside them. */
const written = new Map<number, number>();
beforeEach(() => written.clear());

/** A row of a word as Tesseract writes it: lines stand far below each other. */
function word(line: number, confidence: number, text: string, top = line * 100): string {
  const before = written.get(line) ?? 0;
  written.set(line, before + 1);
  return ["5", "1", "1", "1", line, before, before * 60, top, "50", "20", confidence, text].join("\t");
}

/** A reading with one line, its words parted by spaces, at a height. */
function reading(
  text: string,
  { confidence = 95, isUntreated = true, top = 0, height = 20, left = 0 } = {},
): ReadLine[] {
  const rows = text
    .split(" ")
    .map((part, index) => ["5", "1", "1", "1", "1", index, left + index * 60, top, "50", height, confidence, part]);
  return linesOf(rows.map((row) => row.join("\t")).join("\n"), 1, isUntreated);
}

test("gives lines in reading order, their words with one space between", () => {
  expect(textsOf([word(1, 96, "THE"), word(1, 91, "HARBOUR"), word(2, 88, "1927")].join("\n"))).toEqual([
    "THE HARBOUR",
    "1927",
  ]);
});

test("leaves out a line with a doubtful word as a whole", () => {
  expect(textsOf([word(1, 95, "DOCTOR"), word(1, 40, "HAEEBOLE"), word(2, 95, "presents")].join("\n"))).toEqual([
    "presents",
  ]);
});

test("leaves out lines that are doubtful as a whole, specks, and rows of signs", () => {
  expect(textsOf([word(1, 70, "maybe"), word(1, 60, "this")].join("\n"))).toEqual([]);
  expect(textsOf([word(1, 99, "a"), word(2, 99, "|"), word(3, 99, "=~ab—_-")].join("\n"))).toEqual([]);
});

test("counts no sign between words as a doubtful word", () => {
  expect(textsOf([word(1, 95, "Tom"), word(1, 20, "&"), word(1, 95, "Eve")].join("\n"))).toEqual(["Tom & Eve"]);
});

test("reads nothing out of rows that are no words", () => {
  expect(textsOf("1\t1\t0\t0\t0\t0\t0\t0\t640\t360\t-1\t\n\ngarbage")).toEqual([]);
});

test("tells whether there is more that cannot be trusted, and takes no speck for words", () => {
  const isPartial = (...rows: string[]) => readTwice(rows.join("\n")).isPartial;
  expect(isPartial(word(1, 96, "MEET"), word(1, 93, "ME"))).toBe(false);
  expect(isPartial(word(1, 96, "MEET"), word(2, 89, "AT"), word(2, 26, "MOOH"))).toBe(true);
  expect(isPartial(word(1, 40, "lil"), word(2, 99, "|"), word(3, 30, "~a"))).toBe(false);
});

test("keeps apart what may be text and cannot be trusted, and takes no speck for it", () => {
  const rows = [word(1, 96, "MEET"), word(2, 40, "AT"), word(2, 26, "MOOH"), word(3, 90, "il"), word(4, 12, "leaf")];
  expect(readTwice(rows.join("\n"))).toMatchObject({ lines: ["MEET"], doubtful: ["AT MOOH"], isPartial: true });
});

test("believes a line that two readings agree on, wherever they part its words, and no other", () => {
  const linesFrom = (...readings: ReadLine[][]) => agreedLines(readings).lines;
  expect(linesFrom(reading("OUTER SPACE"))).toEqual([]);
  expect(linesFrom(reading("OUTER SPACE"), reading("OUTER SPACE"))).toEqual(["OUTER SPACE"]);
  expect(linesFrom(reading("DUTER SPACE"), reading("OUTER SPACE"))).toEqual([]);
  expect(linesFrom(reading("£224 today"), reading("£2.24 today"))).toEqual([]);
  expect(linesFrom(reading("It is here", { confidence: 91 }), reading("Itis here", { confidence: 80 }))).toEqual([
    "It is here",
  ]);
});

test("gives another place no voice, nor a reading that is itself in doubt", () => {
  const far = reading("OUTER SPACE", { top: 300 });
  expect(agreedLines([reading("OUTER SPACE"), far]).lines).toEqual([]);
  expect(agreedLines([reading("OUTER SPACE"), reading("OUTER SPACE", { confidence: 50 })]).lines).toEqual([]);
});

test("believes lettering alone where it is sure twice, unless the picture as it is says something else for sure", () => {
  const alone = (text: string, confidence = 96) => reading(text, { confidence, isUntreated: false });
  expect(agreedLines([alone("THE END"), alone("THE END")]).lines).toEqual(["THE END"]);
  expect(agreedLines([alone("HARBQUR", 90), alone("HARBQUR", 90)]).lines).toEqual([]);
  expect(agreedLines([reading("meet you"), alone("meet vou"), alone("meet vou")]).lines).toEqual([]);
});

test("leaves out a line of which more was read that cannot be believed", () => {
  const whole = reading("A film by Anna", { confidence: 70 });
  const part = () => reading("A film");
  const { lines, isPartial } = agreedLines([part(), part(), whole]);
  expect(lines).toEqual([]);
  expect(isPartial).toBe(true);
});

test("makes one line of a sentence that a card breaks, and none of entries of a list, other sizes, or what stands apart", () => {
  const cardOf = (first: string, second: string, place = {}) => {
    const once = () => [...reading(first), ...reading(second, { top: 30, ...place })];
    return agreedLines([once(), once()]).lines;
  };
  expect(cardOf("It is a pleasure", "to meet you at last.")).toEqual(["It is a pleasure to meet you at last."]);
  expect(cardOf("MEET ME", "AT NOON")).toEqual(["MEET ME AT NOON"]);
  expect(cardOf("Sinbad", "the Sailor")).toEqual(["Sinbad the Sailor"]);
  expect(cardOf("Directed by Jane Doe", "Written by John Smith")).toEqual([
    "Directed by Jane Doe",
    "Written by John Smith",
  ]);
  expect(cardOf("THE HARBOUR", "A SAMPLE", { height: 9 })).toEqual(["THE HARBOUR", "A SAMPLE"]);
  expect(cardOf("MEET ME", "AT NOON", { top: 90 })).toEqual(["MEET ME", "AT NOON"]);
  expect(cardOf("Come here.", "now or never")).toEqual(["Come here.", "now or never"]);
});

test("tells no burnt-in timecode and no counter, but times and prices", () => {
  const twice = (text: string) => agreedLines([reading(text), reading(text)]).lines;
  for (const counter of ["00:00:05:12", "01:00:02.480", "00:00:05;12", "125.000"]) expect(twice(counter)).toEqual([]);
  for (const text of ["10:30", "£2.24", "1984", "14.3.1987 Berlin"]) expect(twice(text)).toEqual([text]);
});

test("readings of which none may bear out another are believed in nothing, and are still worth a look at the whole", () => {
  const doubtful = fc.record({ confidence: fc.integer({ min: 50, max: 59 }), isUntreated: fc.boolean() });
  fc.assert(
    fc.property(fc.array(doubtful, { minLength: 2, maxLength: 4 }), (given) => {
      const readings = given.map((one) => reading("MEET ME AT NOON", one));
      expect(readings.map(mayHoldWords)).toEqual(given.map(() => true));
      expect(readings.some(mayBearOut)).toBe(false);
      expect(agreedLines(readings).lines).toEqual([]);
    }),
  );
  expect(mayBearOut(reading("MEET ME", { confidence: 60 }))).toBe(true);
});

test.each([
  [[96, 55], true],
  [[96, 54], false],
  [[75, 75], true],
  [[75, 74], false],
  [[90, 58], false],
])("words that are sure to %j are believed: %s", (confidences, isBelieved) => {
  const rows = confidences.map((confidence, at) => word(1, confidence, ["MEET", "NOON"][at] ?? ""));
  expect(textsOf(rows.join("\n"))).toEqual(isBelieved ? ["MEET NOON"] : []);
});

test("what is certain to be there, and what may be, is told from 80 and from 25 on", () => {
  const beside = (first: number, second: number) =>
    readTwice([word(1, 96, "MEET"), word(2, first, "AT"), word(2, second, "MOOH")].join("\n"));
  expect(beside(80, 26).isPartial).toBe(true);
  written.clear();
  expect(beside(79, 26).isPartial).toBe(false);
  written.clear();
  expect(beside(40, 25).doubtful).toEqual(["AT MOOH"]);
  written.clear();
  expect(beside(40, 24).doubtful).toEqual([]);
});

/** A reading with one line of several words, each as sure as is said. */
function unsure(words: Readonly<Record<string, number>>, top = 0): ReadLine[] {
  const rows = Object.entries(words).map(([text, confidence], index) =>
    ["5", "1", "1", "1", "1", index, index * 60, top, "50", "20", confidence, text].join("\t"),
  );
  return linesOf(rows.join("\n"), 1, true);
}

test("a line that comes out the same three times is believed where each word is sure in one reading or another", () => {
  const other = () => reading("Far below", { top: 300 });
  const readings = [
    [...other(), ...unsure({ MEET: 50, NOON: 88 })],
    [...other(), ...unsure({ MEET: 88, NOON: 50 })],
    [...other(), ...unsure({ MEET: 70, NOON: 50 })],
  ];
  expect(agreedLines(readings).lines).toEqual(["MEET NOON", "Far below"]);
  expect(agreedLines(readings.slice(0, 2)).lines).toEqual(["Far below"]);
  const never = [...readings.slice(0, 1), ...readings.slice(2), unsure({ MEET: 87, NOON: 50 })];
  expect(agreedLines(never).lines).not.toContain("MEET NOON");
});

test("any other reading bears a line out, the same in any of its lines or its words in several", () => {
  const line = reading("MEET ME NOON");
  const nothing = reading("Far below", { top: 300 });
  const among = [...reading("IIEET", { top: 2 }), ...reading("MEET ME NOON", { top: 1 })];
  expect(agreedLines([line, nothing, among]).lines).toEqual(["MEET ME NOON"]);
  const parts = [...reading("so MEET", { left: -60 }), ...reading("ME NOON", { left: 60, top: 1 })];
  expect(agreedLines([line, nothing, parts]).lines).toContain("MEET ME NOON");
});

test("where readings say more and less, the most that two agree on is told", () => {
  const [short, long] = [() => reading("A film"), () => reading("A film by Anna")];
  expect(agreedLines([short(), short(), long(), long()]).lines).toEqual(["A film by Anna"]);
  expect(agreedLines([long(), short(), short(), long()]).lines).toEqual(["A film by Anna"]);
});

test("a line of the picture as it is contradicts lettering alone, be there others before it", () => {
  const far = reading("Far below", { top: 300 });
  const alone = () => reading("meet vou", { confidence: 96, isUntreated: false });
  expect(agreedLines([far, reading("meet you"), alone(), alone()]).lines).toEqual([]);
});

test("all lines that may be text are told, wherever their words are", () => {
  const doubtful = [...unsure({ AT: 20, MOOH: 30 }), ...unsure({ il: 20, LEEF: 40 }, 100)];
  expect(agreedLines([doubtful]).doubtful).toEqual(["AT MOOH", "il LEEF"]);
  expect(agreedLines([[...unsure({ il: 90 }), ...unsure({ il: 20, LEEF: 81 }, 100)]]).isPartial).toBe(true);
});

test("a reading is worth another for any of its words", () => {
  const late = [...unsure({ il: 90 }), ...unsure({ a: 90, LEEF: 50 }, 100)];
  expect([mayHoldWords(late), mayBearOut(late)]).toEqual([true, false]);
  expect(mayBearOut([...unsure({ il: 90 }), ...unsure({ a: 90, LEEF: 60 }, 100)])).toBe(true);
  expect(mayHoldWords(unsure({ il: 90, LEEF: 49 }))).toBe(false);
});

test("what stands within eight heights beside a line belongs to it, unless another line has it", () => {
  const line = () => reading("MEET");
  const beside = (pixels: number, confidence = 70) => reading("HAEEBOLE", { left: 50 + pixels, confidence });
  expect(agreedLines([line(), line(), beside(160)]).lines).toEqual([]);
  expect(agreedLines([line(), line(), beside(161)]).lines).toEqual(["MEET"]);
  const other = () => reading("DOCTOR", { left: 210 });
  expect(agreedLines([[...line(), ...other()], [...line(), ...other()], beside(160)]).lines).toEqual([
    "MEET",
    "DOCTOR",
  ]);
});

test("one sign of Chinese counts for three letters, and two are certain to be text", () => {
  expect(agreedLines([reading("茶", { confidence: 60 }), reading("茶", { confidence: 60 })]).lines).toEqual([]);
  expect(agreedLines([reading("茶"), reading("茶")]).lines).toEqual(["茶"]);
  expect(agreedLines([reading("茶", { confidence: 85 })]).isPartial).toBe(false);
  expect(agreedLines([reading("茶屋", { confidence: 85 })]).isPartial).toBe(true);
});
