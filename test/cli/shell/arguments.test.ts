import { describe, expect, test } from "vitest";
import { choiceOf, knownOf, numberOf, serviceFrom, textOf, volumeFrom } from "../../../src/cli/shell/arguments.ts";
import { type Arguments, actionOf, parseArguments } from "../../../src/cli/shell/command.ts";
import { didYouMean, issueLines, tableOf } from "../../../src/cli/shell/output.ts";
import { IssueList } from "../../../src/formats/parse-issue.ts";

const COMMAND = {
  name: "any",
  options: { level: { value: "N", help: "" }, name: { value: "TEXT", help: "" }, json: { help: "" } },
};
const given = (values: Arguments["values"], ...positionals: string[]): Arguments => ({ values, positionals });

describe("a number", () => {
  const bounds = { minimum: -6, maximum: 0.5 };
  test.each([
    ["-6", -6],
    ["0.5", 0.5],
    ["0", 0],
    ["-0.0", -0],
    [" 0.25 ", 0.25],
  ])("%j is %d", (value, number) => {
    expect(numberOf(given({ level: value }), "level", bounds)).toBe(number);
  });

  test.each(["-6.01", "0.51", "", " ", "x", "1e9", "NaN", "Infinity", "-Infinity", "0,5", "5 dB"])(
    "%j is refused, and the bounds are named",
    (value) => {
      expect(() => numberOf(given({ level: value }), "level", bounds)).toThrow(
        value === "" ? /is empty/ : /from -6 to 0.5/,
      );
    },
  );

  test("that is not given is none", () => {
    expect(numberOf(given({}), "level", bounds)).toBeUndefined();
  });

  test("below zero is the value of the option before it, and a switch takes none", () => {
    expect(parseArguments(COMMAND, ["--level", "-6", "a", "--json", "b"])).toEqual({
      values: { level: "-6", json: true },
      positionals: ["a", "b"],
    });
    expect(parseArguments(COMMAND, ["--level", "-.5"]).values).toEqual({ level: "-.5" });
    // A word with a dash is an option, and none is taken for a value.
    expect(() => parseArguments(COMMAND, ["--name", "-x"])).toThrow(/any --help/);
    expect(() => parseArguments(COMMAND, ["--levle", "1"])).toThrow(/Did you mean "--level"\?/);
    expect(() => parseArguments(COMMAND, ["--nothing-like-it"])).toThrow(/Unknown option(?!.*Did you mean)/);
    expect(() => parseArguments(COMMAND, ["--json=yes"])).toThrow(/any --help/);
  });
});

test("a word of a list is taken in any case, and another one refused with all of them", () => {
  const choices = ["auto", "max", "Low"] as const;
  expect(choiceOf(given({ name: "LOW" }), "name", choices)).toBe("Low");
  expect(choiceOf(given({ name: "max" }), "name", choices)).toBe("max");
  expect(choiceOf(given({}), "name", choices)).toBeUndefined();
  expect(() => choiceOf(given({ name: "ma" }), "name", choices)).toThrow('choose one of "auto", "max", "Low"');
  expect(() => textOf(given({ name: "" }), "name")).toThrow(/--name is empty/);
});

test("a name has to be known to the embedded service alone", () => {
  const known = ["Kore", "Achernar"];
  expect(knownOf(given({ voice: "Achernar" }), "voice", known)).toBe("Achernar");
  expect(() => knownOf(given({ voice: "Koer" }), "voice", known)).toThrow(/Did you mean "Kore"/);
  expect(knownOf(given({ voice: "New", server: "https://a.b" }), "voice", known)).toBe("New");
});

test("a level counts together with the option that takes one alone", () => {
  expect(volumeFrom(given({ volume: "max", "volume-level-db": "-3" }))).toEqual({ option: "max", levelDbfs: -3 });
  expect(volumeFrom(given({ volume: "auto" }))).toEqual({ option: "auto" });
  expect(volumeFrom(given({}))).toBeUndefined();
  for (const values of [{ "volume-level-db": "-3" }, { volume: "auto", "volume-level-db": "-3" }]) {
    expect(() => volumeFrom(given(values))).toThrow(/only together with --volume max/);
  }
});

test("a service elsewhere needs its key from the environment, and has no data folder here", () => {
  const server = "https://a.b";
  expect(serviceFrom(given({ server }), { ASIDE_API_KEY: " k " })).toEqual({ server: { url: server, apiKey: "k" } });
  expect(serviceFrom(given({ data: "d" }), { ASIDE_API_KEY: "k" })).toEqual({ dataFolder: "d" });
  expect(serviceFrom(given({}), { ASIDE_API_KEY: "k" })).toEqual({});
  for (const env of [{}, { ASIDE_API_KEY: "" }, { ASIDE_API_KEY: "  " }]) {
    expect(() => serviceFrom(given({ server }), env)).toThrow(/ASIDE_API_KEY/);
  }
  expect(() => serviceFrom(given({ server, data: "d" }), { ASIDE_API_KEY: "k" })).toThrow(/--data belongs/);
});

test("an action takes a name where it needs one, and nothing more", () => {
  const of = (...words: string[]) => actionOf({ name: "keys" }, given({}, ...words), ["list", "revoke"], ["revoke"]);
  expect([of("list"), of("revoke", "k1")]).toEqual([
    { action: "list", id: "" },
    { action: "revoke", id: "k1" },
  ]);
  expect(() => of()).toThrow(/keys list\|revoke$/);
  expect(() => of("show")).toThrow(/not "show"/);
  expect(() => of("revoke")).toThrow(/keys revoke ID/);
  expect(() => of("revoke", "k1", "k2")).toThrow(/takes no "k2"/);
  expect(() => of("list", "k1")).toThrow(/takes no "k1"/);
});

test("the nearest word is meant, where it is near: one letter in three may differ, two at most", () => {
  const meant = (word: string) => didYouMean(word, ["serve", "describe", "describers", "keys"]);
  expect([meant("descirbe"), meant("DESCRIBE"), meant("serv"), meant("kes")]).toEqual(
    ["describe", "describe", "serve", "keys"].map((word) => ` Did you mean "${word}"?`),
  );
  expect([meant("descxyzbe"), meant("ks"), meant("")]).toEqual(["", "", ""]);
});

test("a table is as wide as its widest cells, with no blanks at the ends of its lines", () => {
  expect(
    tableOf(
      ["A", "LONG", "C"],
      [
        ["wide", "b", ""],
        ["x", "", "last one"],
      ],
    ).split("\n"),
  ).toEqual(["A     LONG  C", "wide  b", "x           last one"]);
});

test("twenty issues are told, and of more how many there are", () => {
  const issues = (count: number) => {
    const list = new IssueList();
    for (let line = 1; line <= count; line++) list.add("bad-timing", line, `text ${line}`);
    return issueLines(list.finish());
  };
  expect(issues(20)).toHaveLength(20);
  expect(issues(20)[0]).toMatch(/^line 1: .*: text 1$/);
  expect(issues(22)).toHaveLength(21);
  expect(issues(22).at(-1)).toMatch(/^\.\.\. and 2 more/);
});
