import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDirectionAlone, partDirections, spokenText } from "../../src/core/direction.ts";
import { estimateSpeakingSeconds, spokenWords } from "../../src/core/speaking-time.ts";

describe("what is said to the voice is not heard", () => {
  test.each([
    ["[slowly] A door opens.", "A door opens.", ["[slowly]"]],
    ["[fast, under music] A door opens.", "A door opens.", ["[fast, under music]"]],
    ["A door opens. [pick up pace]", "A door opens.", ["[pick up pace]"]],
    [
      "A door opens. {pause 2s} A cat looks in. (beat) It goes.",
      "A door opens. A cat looks in. It goes.",
      ["{pause 2s}", "(beat)"],
    ],
    ["(V.O.) (cont’d) A door opens. (whispered)", "A door opens.", ["(V.O.)", "(cont’d)", "(whispered)"]],
    ["A man (in a coat) waits. [slowly] He goes.", "A man (in a coat) waits. He goes.", ["[slowly]"]],
    ["(Paris.) A sign (in red) glows. {pause} [quick]", "(Paris.) A sign (in red) glows.", ["{pause}", "[quick]"]],
    ["AD: A door opens.", "A door opens.", ["AD:"]],
    ["NARRATOR (V.O.): A door opens.", "A door opens.", ["NARRATOR (V.O.):"]],
    ["(zügig) Eine Tür geht auf.", "Eine Tür geht auf.", ["(zügig)"]],
    ["[plus lentement] Une porte s'ouvre.", "Une porte s'ouvre.", ["[plus lentement]"]],
    ["【ゆっくり】夜になる。", "夜になる。", ["【ゆっくり】"]],
    ['A door <break time="500ms"/> opens.', "A door opens.", ['<break time="500ms"/>']],
    ["A <emphasis>door</emphasis> opens.", "A door opens.", ["<emphasis>", "</emphasis>"]],
    ["[music only]", "", ["[music only]"]],
  ])("%s", (text, spoken, directions) => {
    expect(partDirections(text)).toEqual({ spoken, directions });
  });
});

test.each([
  "[On screen: Paris, 1944.]",
  "A sign (in red) says [SLOW] in brackets of its own.",
  "A man (tall, in a grey coat) waits.",
  "She writes: Meet me (pause) at noon.",
  "[DOOR SLAMS]",
  "(sighs) I told you.",
  "[music]",
  "[Up]",
  "A sign reads <EXIT>.",
  "Press <break> now.",
  "5 < 6 <b> and <voice>",
  "Sprecher: Hans Maier.",
  "12:30: the train leaves.",
  "[slow [fast]] A door opens.",
])("%j stays as it is, and is heard", (text) => {
  expect(partDirections(text)).toEqual({ spoken: text, directions: [] });
});

test("what is heard has no direction any more, and takes no time", () => {
  const pieces = fc.constantFrom(
    "[slowly]",
    "(beat)",
    "{pause}",
    "A door opens.",
    "and",
    "[red]",
    "AD:",
    "<mark/>",
    "(V.O.)",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
      const text = parts.join(" ");
      const spoken = spokenText(text);
      expect(estimateSpeakingSeconds(text)).toBe(estimateSpeakingSeconds(spoken));
      expect(spokenWords(text)).toBe(spokenWords(spoken));
    }),
  );
  expect(spokenText("[slowly] A door opens.")).toBe(spokenText("A door opens. (beat)"));
  // However many stand behind each other.
  expect(spokenText("[slowly] AD: AD: AD: AD: [slowly]")).toBe("");
});

test("a direction stands up to fifteen blanks behind a sentence, or behind the beginning", () => {
  const heard = (before: string, blanks: number) => spokenText(`${before}${" ".repeat(blanks)}[slowly]`);
  for (const before of ["A door opens.", ""]) {
    expect([heard(before, 15), heard(before, 16).trim()]).toEqual([
      before,
      `${before}${before && " ".repeat(16)}[slowly]`,
    ]);
  }
});

test("thirty-two speakers behind each other are looked for", () => {
  expect(spokenText(`${"AD: ".repeat(32)}A door opens.`)).toBe("A door opens.");
  expect(spokenText(`${"AD: ".repeat(33)}A door opens.`)).toBe("AD: A door opens.");
});

test("entries of three words are known, and what says how much of it stands around one alone", () => {
  expect(partDirections("[voce fuori campo] [sous le dialogue] Sì.").spoken).toBe("Sì.");
  expect(partDirections("[sur la musique, plus lentement] Oui.").spoken).toBe("Oui.");
  expect(spokenText("[a bit very slowly, now] Yes.")).toBe("Yes.");
  expect(spokenText("[a bit very, now] Yes.")).toBe("[a bit very, now] Yes.");
});

test("a cell is a direction alone up to sixty characters, with brackets or without", () => {
  const of = (length: number) => `quick${" ".repeat(length - 10)}, now`;
  expect(isDirectionAlone("quick, under music")).toBe(true);
  expect(isDirectionAlone("[quick] (under music)")).toBe(true);
  expect([of(60), of(61)].map(isDirectionAlone)).toEqual([true, false]);
  expect(isDirectionAlone("quick, a dog runs")).toBe(false);
});
