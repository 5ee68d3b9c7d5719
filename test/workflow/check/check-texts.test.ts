import { expect, test } from "vitest";
import { DEFAULT_PROFILE, parseProfile, profileFrom } from "../../../src/workflow/check/check-profile.ts";
import { checkOrder, checkTexts, type IntroducedName } from "../../../src/workflow/check/check-script.ts";

const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");
const cuesOf = (...texts: string[]) =>
  texts.map((text, index) => ({ id: `c${index}`, start: 10 * index, end: 10 * index + 5, text }));

/** What is found in the words of some cues, but for its source, which each finding has. */
function found(texts: readonly string[], names: readonly IntroducedName[] = []) {
  return checkTexts(cuesOf(...texts), DEFAULT_PROFILE, names).map(({ source, ...finding }) => {
    expect(source).toMatch(/\w{3}/);
    return finding;
  });
}

test("the longest sentence of a description counts, wherever it ends", () => {
  for (const end of [". ", "! ", "? ", "… ", "...", "。", "！"]) {
    expect(found([`${words(30)}${end}${words(30)}`])).toEqual([]);
    expect(found([`${words(5)}${end}${words(41)}${end}${words(3)}.`])).toMatchObject([
      { rule: "sentence-length", severity: "warn", cueIds: ["c0"], measured: 41, limit: 40, unit: "words" },
    ]);
  }
  expect(found([`${words(61)}.`])).toMatchObject([{ severity: "fail", message: "one sentence has 61 words" }]);
});

test("a phrase of the profile is found as words, however it is set, and not inside of others", () => {
  expect(found(["At dawn WE  see, far off, a boat."])).toEqual([
    { rule: "phrase", severity: "warn", cueIds: ["c0"], message: "the description says “we see”" },
  ]);
  expect(found(["We seek him.", "They owe seeds."])).toEqual([]);
  expect(found(["Cut to a boat, where we hear gulls."]).map(({ message }) => message)).toEqual([
    "the description says “we hear”",
    "the description says “cut to”",
  ]);
});

test("words that come again name both descriptions, the first one each time", () => {
  const same = { rule: "repeated", severity: "warn", message: "it says the same as an earlier description" };
  expect(found(["He waits.", "A dog.", "he  waits", "He waits!"])).toEqual([
    { ...same, cueIds: ["c0", "c2"] },
    { ...same, cueIds: ["c0", "c3"] },
  ]);
});

test("a name is early in each description before the programme gives it, and from then on in none", () => {
  const names = [{ name: "Ann Lee", from: 20 }];
  expect(found(["Ann Lee runs.", "She meets ann lee.", "Ann Lee waits."], names)).toEqual([
    { rule: "name-early", severity: "warn", cueIds: ["c0"], message: expect.stringMatching(/“Ann Lee”.* 20\.0 s /) },
    { rule: "name-early", severity: "warn", cueIds: ["c1"], message: expect.stringMatching(/“Ann Lee”.* 10\.0 s /) },
  ]);
  expect(found(["Joann Leeds runs.", "Ann runs."], names)).toEqual([]);
});

test("numbers of a script are told apart by what stands before them, and a number that comes again is out of order", () => {
  const orderOf = (...ids: string[]) =>
    checkOrder(ids.map((id, at) => ({ id, start: at, end: at + 1, text: "x" }))).map(({ cueIds, message }) => [
      cueIds,
      message,
    ]);
  expect(orderOf("a-10", "b-1", "a-11", "b-2", "12", "c", "2a")).toEqual([]);
  expect(orderOf("a-9", "a-10", "a-1")).toEqual([[["a-1"], "number 1 of the script stands behind number 10"]]);
  expect(orderOf("1", "2", "2", "3")).toHaveLength(1);
  expect(orderOf("5", "1", "2")).toEqual([[["5"], "number 5 of the script stands before lower numbers"]]);
  // The nearest one that it stands behind is named.
  expect(orderOf("1", "3", "4", "5", "6", "2")).toEqual([[["2"], "number 2 of the script stands behind number 6"]]);
  expect(orderOf("1", "6", "7", "8", "2", "3", "4", "5", "9")).toMatchObject([
    [["6"], "number 6 of the script stands before lower numbers"],
    [["7"], expect.any(String)],
    [["8"], expect.any(String)],
  ]);
});

test("a profile of one's own is the default one but for what it says, and what it cannot say is named", () => {
  const own = { ...DEFAULT_PROFILE, name: "own", title: "A profile of one's own" };
  expect(parseProfile("{}")).toEqual(own);
  const { pace } = DEFAULT_PROFILE;
  expect(parseProfile('{"pace": {"warn": 1, "fail": 2}, "forbiddenPhrases": ["a"], "title": "Mine"}')).toEqual({
    ...own,
    pace: { ...pace, warn: 1, fail: 2 },
    forbiddenPhrases: ["a"],
    title: "Mine",
  });
  const source = { warn: 1, fail: 2, unit: "syllables/min", source: "me" };
  expect(profileFrom({ pace: source }, DEFAULT_PROFILE)).toEqual({ ...DEFAULT_PROFILE, pace: source });
  expect(parseProfile("{")).toBe("it is no JSON");
  for (const text of ["[]", "null", "1"]) expect(parseProfile(text)).toBe("it is no JSON object");
  expect(parseProfile('{"pase": {}}')).toBe('there is no "pase" in a profile');
  const limits = { warn: 1, fail: 2 };
  for (const given of [
    ...[1, null, [], "x", {}, { warn: 1 }, { fail: 1 }, { warn: "1", fail: 2 }, { warn: 1, fail: "2" }].map((pace) => ({
      pace,
    })),
    ...["a", ["a", 1], {}, null].map((forbiddenPhrases) => ({ forbiddenPhrases })),
    ...[1, ["a"], null].map((title) => ({ title })),
  ]) {
    const [key] = Object.keys(given);
    expect(profileFrom({ ...given, clearance: limits }, DEFAULT_PROFILE)).toMatch(
      new RegExp(`^"${key}" cannot be used`),
    );
  }
});
