import fc from "fast-check";
import { expect, test } from "vitest";
import { parseWebVtt } from "../../../src/formats/webvtt/webvtt.ts";
import { phrasesOf, readTranscript, shownSpeech, webVttOfPhrases } from "../../../src/host/premiere/transcript.ts";

interface Word {
  readonly text: string;
  readonly start?: number;
  readonly duration?: number;
  readonly eos?: boolean;
}

const transcript = (words: readonly Word[]) =>
  JSON.stringify({ language: "en-us", segments: [{ start: 0, duration: 20, words }] });

/** Words of a third of a second that begin at these seconds. */
const at = (starts: Readonly<Record<string, number>>): Word[] =>
  Object.entries(starts).map(([text, start]) => ({ text, start, duration: 0.3 }));

const phrases = (words: readonly Word[]) =>
  phrasesOf(readTranscript(transcript(words))).map(({ start, end, text }) => [start, Number(end.toFixed(3)), text]);

test("a phrase is as long as its words: a pause between them is free for a description", () => {
  expect(phrases(at({ Cast: 1, off: 1.4, "the bow": 1.9, line: 6, now: 6.4 }))).toEqual([
    [1, 2.2, "Cast off the bow"],
    [6, 6.7, "line now"],
  ]);
});

test("a sentence ends its phrase where a pause follows, by its sign or by what the transcript says", () => {
  expect(phrases(at({ Off: 1, "you go.": 1.31, Home: 1.8 })).map(([, , text]) => text)).toEqual([
    "Off you go.",
    "Home",
  ]);
  const eos = [
    { text: "Go", start: 1, duration: 0.3, eos: true },
    { text: "home", start: 1.5, duration: 0.3 },
  ];
  expect(phrases(eos).map(([, , text]) => text)).toEqual(["Go", "home"]);
});

test("signs that stand by themselves belong to the word before them", () => {
  const words = [...at({ Home: 1 }), { text: "!", start: 1.3, duration: 0 }, ...at({ again: 1.4 })];
  expect(phrases(words)).toEqual([[1, 1.7, "Home! again"]]);
});

test("a phrase holds no more than two lines of captions", () => {
  const many = at(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`word${index}`, 1 + index * 0.3])));
  const found = phrases(many);
  expect(found.length).toBeGreaterThan(1);
  for (const [, , text] of found) expect(String(text).length).toBeLessThanOrEqual(84);
  expect(found.map(([, , text]) => text).join(" ")).toBe(many.map(({ text }) => text).join(" "));
});

test("where words have no times, their segment counts whole", () => {
  expect(phrases([{ text: "Cast" }, { text: "off", start: 3, duration: 1 }])).toEqual([[0, 20, "Cast off"]]);
});

test("a clip shows the words whose middle it shows, and no others", () => {
  const spoken = readTranscript(transcript(at({ one: 1, two: 2, three: 3, four: 4 })));
  // From 1.1 s of the source on, for two seconds, at 10 s of the sequence.
  const shown = shownSpeech(spoken, { shown: { start: 10, end: 12 }, sourceStart: 1.1 });
  expect(shown.map(({ text, start, end }) => [text, Number(start.toFixed(3)), Number(end.toFixed(3))])).toEqual([
    ["one", 10, 10.2],
    ["two", 10.9, 11.2],
  ]);
});

test.each(["no JSON", "{}", '{"segments":[{"words":[{"text":"no time"}]}]}', '{"segments":7}', "null"])(
  "what does not look like a transcript is as good as none: %s",
  (json) => {
    expect(readTranscript(json)).toEqual([]);
  },
);

const SEGMENT = { start: 1, duration: 2, words: [{ text: " Cast" }, { text: " " }, { text: "off. " }] };
const read = (...segments: readonly unknown[]) => readTranscript(JSON.stringify({ segments }));

test.each([
  {},
  null,
  7,
  "text",
  [SEGMENT],
  { ...SEGMENT, start: "1" },
  { ...SEGMENT, start: null },
  { ...SEGMENT, duration: undefined },
  { ...SEGMENT, duration: 0 },
  { ...SEGMENT, duration: -1 },
  { ...SEGMENT, words: [] },
  { ...SEGMENT, words: "Cast off" },
])("a transcript leaves out %j, and keeps its neighbours", (odd) => {
  expect(read(SEGMENT)).toMatchObject([{ start: 1, end: 3, text: "Cast off." }]);
  expect(read(SEGMENT, odd, SEGMENT)).toEqual([...read(SEGMENT), ...read(SEGMENT)]);
  expect(read(odd)).toEqual([]);
});

test("captions of it are read back as it was, in order, from the export's beginning on", () => {
  const phrase = fc
    .tuple(
      fc.oneof(fc.integer({ min: 0, max: 400_000 }), fc.integer({ min: 3_590_000, max: 8_000_000 })),
      fc.integer({ min: 1, max: 9_000 }),
      fc.constantFrom("a", "b & c", "<i>", "--> d"),
    )
    .map(([start, length, text]) => ({ start: start / 1000, end: (start + length) / 1000, text, endsSentence: true }));
  fc.assert(
    fc.property(fc.array(phrase, { maxLength: 5 }), fc.nat(300), (said, offset) => {
      const heard = said
        .map(({ start, end, text }) => ({ start: start - offset, end: end - offset, text }))
        .filter(({ end }) => Math.round(end * 1000) > 0)
        .sort((a, b) => a.start - b.start || a.end - b.end);
      const { cues } = parseWebVtt(webVttOfPhrases(said, offset));
      expect(cues.map(({ text }) => text)).toEqual(heard.map(({ text }) => text));
      for (const [index, { start, end }] of heard.entries()) {
        expect(cues[index]?.start).toBeCloseTo(Math.max(0, start), 3);
        expect(cues[index]?.end).toBeCloseTo(end, 3);
      }
    }),
  );
});

const word = (text: string, start: number, more: { readonly end?: number; readonly endsSentence?: boolean } = {}) => ({
  text,
  start,
  end: start + 1,
  endsSentence: false,
  ...more,
});
const textsOf = (...words: readonly ReturnType<typeof word>[]) => phrasesOf(words).map(({ text }) => text);

test("phrases are in the order of time, whatever order their words come in", () => {
  const words = fc.shuffledSubarray([word("a", 1), word("b", 2.1), word("c", 9), word("d", 9, { end: 9.5 })], {
    minLength: 4,
  });
  fc.assert(
    fc.property(words, (said) => {
      // Of two that begin together the one that ends first is first, and the longer one is the phrase's end.
      expect(phrasesOf(said).map(({ start, end, text }) => [start, end, text])).toEqual([
        [1, 3.1, "a b"],
        [9, 10, "d c"],
      ]);
    }),
  );
});

test("a phrase ends where the pause is longer than most, or where a sentence ends before a short one", () => {
  expect(textsOf(word("a", 1, { end: 1.75 }), word("b", 2))).toEqual(["a b"]);
  expect(textsOf(word("a", 1, { end: 1.625 }), word("b", 2))).toEqual(["a", "b"]);
  // Pauses of 0.3 and of 0.15 s, as near as numbers come.
  expect(textsOf(word("a", -1, { end: 0 }), word("b", 0.3))).toEqual(["a b"]);
  expect(textsOf(word("a", -1, { end: 0, endsSentence: true }), word("b", 0.15))).toEqual(["a", "b"]);
  expect(textsOf(word("a", -1, { end: 0, endsSentence: true }), word("b", 0.125))).toEqual(["a b"]);
  // Whether it ends a sentence, the last word says.
  expect(textsOf(word("a", 0, { endsSentence: true }), word("b", 1), word("c", 2.2))).toEqual(["a b c"]);
});

test("a phrase holds 84 characters, and not one more", () => {
  const [most, more] = [80, 81].map((length) => "x".repeat(length));
  expect(textsOf(word(most ?? "", 0), word("abc", 1))).toHaveLength(1);
  expect(textsOf(word(more ?? "", 0), word("abc", 1))).toHaveLength(2);
});

test("signs are a word's, not a phrase's; one that ends a sentence ends it for its word", () => {
  const shown = (...words: readonly Word[]) =>
    readTranscript(transcript(words)).map(({ text, endsSentence }) => [text, endsSentence]);
  const timed = (text: string, start: number, more = {}): Word => ({ text, start, duration: 0.3, ...more });
  expect(shown(timed("Home", 1), { text: "." }, timed("again", 2))).toEqual([
    ["Home.", true],
    ["again", false],
  ]);
  expect(shown(timed("Home", 1, { eos: true }), { text: "," })).toEqual([["Home,", true]]);
  expect(shown(timed("Home", 1), { text: "»" })).toEqual([["Home»", false]]);
  expect(shown(timed('"Home!"', 1), timed("x.y", 2), timed("Home!?)”", 3))).toEqual([
    ['"Home!"', true],
    ["x.y", false],
    ["Home!?)”", true],
  ]);
  // Before any word they are one themselves.
  expect(shown(timed("…", 1), timed("  ", 2), timed("Home", 3))).toEqual([
    ["…", true],
    ["Home", false],
  ]);
});

test("a segment that counts whole is heard where any of it is shown, and ends its sentence", () => {
  const [whole] = readTranscript(transcript([{ text: "Cast" }, { text: "off" }]));
  expect(whole).toEqual({ start: 0, end: 20, text: "Cast off", endsSentence: true });
  const shownIn = (start: number, end: number, sourceStart: number) =>
    shownSpeech(whole === undefined ? [] : [whole], { shown: { start, end }, sourceStart }).map((one) => [
      one.start,
      one.end,
    ]);
  expect(shownIn(100, 101, 19)).toEqual([[100, 101]]);
  expect(shownIn(100, 101, 20)).toEqual([]);
  expect(shownIn(100, 101, -1)).toEqual([]);
  expect(shownIn(100, 103, -1)).toEqual([[101, 103]]);
  expect(shownIn(100, 140, 5)).toEqual([[100, 115]]);
});

test("a word is shown where its middle is: at the first instant of a clip, and not at its end", () => {
  const one = { text: "one", start: 1, end: 2, endsSentence: false };
  const isShown = (sourceStart: number, length: number) =>
    shownSpeech([one], { shown: { start: 50, end: 50 + length }, sourceStart }).length === 1;
  expect([isShown(1.5, 1), isShown(1.501, 1), isShown(0.5, 1), isShown(0.499, 1), isShown(0.501, 1)]).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
});
