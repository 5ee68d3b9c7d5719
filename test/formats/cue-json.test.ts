import { expect, test } from "vitest";
import { parseCueJson, readCues, writeCueJson } from "../../src/formats/index.ts";

const entry = { start_time: 0.5, end_time: 3.1, description: "A woman sits at a desk." };
const expected = [[0.5, 3.1, "A woman sits at a desk."]];
const rows = (input: unknown) => parseCueJson(input).cues.map((cue) => [cue.start, cue.end, cue.text]);

const SHAPES: Record<string, unknown> = {
  "content as text": { output: { format: "json", content: JSON.stringify([entry]) } },
  "content as array": { output: { format: "json", content: [entry] } },
  segments: { output: { format: "json", segments: [{ id: 1, ...entry }] } },
  "segments in content text": { output: { format: "json", content: JSON.stringify({ segments: [entry] }) } },
  items: {
    output: {
      language: "en-US",
      ad_type: "extended_ad",
      items: [{ start: 0.5, end: 3.1, text: "A woman sits at a desk." }],
      vtt: "WEBVTT\n",
    },
  },
  "vtt alone": { output: { language: "en-US", vtt: "WEBVTT\n\n00:00.500 --> 00:03.100\nA woman sits at a desk.\n" } },
  "bare array": [entry],
  "times as text": [{ start: "00:00:00.500", end: "0:03.1", text: "A woman sits at a desk." }],
  "start and duration": [{ start: 0.5, duration: 2.6, text: "A woman sits at a desk." }],
};

test.each(Object.keys(SHAPES))("OPEN-15: reads the shape %s, parsed and as text", (name) => {
  expect(rows(SHAPES[name])).toEqual(expected);
  expect(rows(JSON.stringify(SHAPES[name]))).toEqual(expected);
});

test("keeps the language a reply states", () => {
  expect(parseCueJson(SHAPES["items"]).language).toBe("en-US");
});

test("reads times with frame numbers on the given grid", () => {
  const grid = { rate: { numerator: 25, denominator: 1 }, isDropFrame: false, startFrame: 0 };
  const { cues } = parseCueJson([{ start: "00:00:01:05", end: "00:00:02:10", text: "x" }], { grid });
  expect([cues[0]?.start, cues[0]?.end]).toEqual([1.2, 2.4]);
});

test("reports entries that are no cue, and keeps the others", () => {
  const { cues, issues } = parseCueJson([entry, 7, { start_time: 1 }, { description: "no time" }, null]);
  expect(cues).toHaveLength(1);
  expect(issues.map((issue) => [issue.code, issue.message.split(": ")[1]])).toEqual([
    ["bad-entry", "entry 2"],
    ["bad-entry", "entry 3"],
    ["bad-entry", "entry 4"],
    ["bad-entry", "entry 5"],
  ]);
});

test.each(["{", "[1,", '"text"', "", "nul"])("never throws on %j", (text) => {
  expect(parseCueJson(text).cues).toEqual([]);
});

test("says that a text is not JSON", () => {
  expect(parseCueJson("{").issues.map((issue) => issue.code)).toContain("bad-json");
});

test("FMT-01: writes an array of entries with times in seconds and the text", () => {
  const text = writeCueJson([{ id: "cue-0001", start: 1 / 3, end: 2, text: 'He says "no".' }]);
  expect(JSON.parse(text)).toEqual([{ id: "cue-0001", start_time: 0.333, end_time: 2, description: 'He says "no".' }]);
  expect(readCues(text).format).toBe("json");
  expect(JSON.parse(writeCueJson([]))).toEqual([]);
});

test("values of an entry have other names too, the first one that says something counts", () => {
  const one = (more: object) => parseCueJson([{ start: 1, end: 2, text: "x", ...more }]).cues[0];
  for (const name of ["start_time", "start", "begin", "in", "startTime", "time", "timestamp"]) {
    expect(rows([{ [name]: "0:01.5", end: 2, text: "x" }]), name).toEqual([[1.5, 2, "x"]]);
  }
  for (const name of ["end_time", "end", "out", "endTime"]) {
    expect(rows([{ start: 1, [name]: 2, text: "x" }]), name).toEqual([[1, 2, "x"]]);
  }
  for (const name of ["duration", "dur"]) {
    expect(rows([{ start: 1, [name]: "1.5 s", text: "x" }]), name).toEqual([[1, 2.5, "x"]]);
  }
  for (const name of ["description", "text", "content", "lines", "payload", "comment"]) {
    expect(rows([{ start: 1, end: 2, [name]: ["x", 7, "y"] }]), name).toEqual([[1, 2, "x y"]]);
  }
  for (const name of ["id", "cue_id", "identifier"]) expect(one({ [name]: " k  9 " })?.id, name).toBe("k 9");
  expect([one({ id: 7 })?.id, one({ id: true })?.id, one({ id: null, cue_id: "k" })?.id]).toEqual([
    "7",
    "cue-0001",
    "k",
  ]);
  expect(one({ start_time: null, end_time: 1.5, description: " a\nb " })).toMatchObject({
    start: 1,
    end: 1.5,
    text: "a b",
  });
});

test("an end that is none is made up, from the length where that is one", () => {
  const labelled = { start: "00:00:01:05", duration: 2, text: "x" };
  const codes = (entry: object) => parseCueJson([entry]).issues.map(({ code }) => code);
  expect(codes({ start: 1, text: "x" })).toEqual(["missing-end"]);
  // A length may be a clock time beside a label, or a label beside a number.
  for (const entry of [{ start: 1, duration: "00:00:01:05", text: "x" }, labelled])
    expect(codes(entry)).toEqual(["assumed-rate"]);
  expect(parseCueJson([{ start: 1, duration: "00:00:01:12", text: "x" }]).cues[0]?.end).toBe(2.5);
  expect(parseCueJson([labelled]).cues[0]?.end).toBeCloseTo(1 + 5 / 24 + 2, 9);
  for (const start of [Number.NaN, Number.POSITIVE_INFINITY, true, "soon"]) {
    expect(codes({ start, end: 2, text: "x" }), String(start)).toEqual(["bad-entry", "no-cues"]);
  }
  expect(codes({ start: 1, end: 2, text: { a: 1 } })).toEqual(["bad-entry", "no-cues"]);
});

test("an entry that is no cue is told by what it is, or by the names in it", () => {
  expect(parseCueJson([7, { a: 1, b: 2 }, [3, 4]]).issues.map(({ code, text, line }) => [code, text, line])).toEqual([
    ["bad-entry", "7", 0],
    ["bad-entry", "{ a, b }", 0],
    ["bad-entry", "3,4", 0],
    ["no-cues", "", 0],
  ]);
});

const LISTS = ["segments", "items", "cues", "descriptions", "fragments", "captions", "content", "output", "result"];

test.each(LISTS)(
  "a list is found under %s, at any depth up to eight, one that holds something before one that does not",
  (name) => {
    const inside = (depth: number, value: unknown): unknown =>
      depth === 0 ? value : { [name]: inside(depth - 1, value) };
    expect(rows(inside(1, [entry]))).toEqual(expected);
    expect(rows(inside(8, [entry]))).toEqual(expected);
    expect(rows(inside(9, [entry]))).toEqual([]);
    expect(rows({ [name]: JSON.stringify([entry]) })).toEqual(expected);
    expect(rows({ [name]: " words" })).toEqual([]);
    expect(rows({ [name]: "[ broken" })).toEqual([]);
    for (const other of LISTS) if (other !== name) expect(rows({ [other]: [], [name]: [entry] })).toEqual(expected);
  },
);

test("WebVTT stands in where there are no entries, and a language at any depth", () => {
  const vtt = "WEBVTT\nLanguage: fr\n\n00:00.500 --> 00:03.100\nA woman sits at a desk.\n";
  const outputs = (depth: number, value: object): object =>
    depth === 0 ? value : { output: outputs(depth - 1, value) };
  for (const name of ["vtt", "content"]) {
    expect(rows({ [name]: vtt })).toEqual(expected);
    expect(rows({ [name]: `\ufeff${vtt}` })).toEqual(expected);
    expect(rows({ [name]: `x${vtt}` })).toEqual([]);
    expect(rows(outputs(8, { [name]: vtt }))).toEqual(expected);
    expect(rows(outputs(9, { [name]: vtt }))).toEqual([]);
  }
  expect(rows({ vtt, items: [{ ...entry, description: "own" }] })).toEqual([[0.5, 3.1, "own"]]);
  const languageOf = (value: unknown) => parseCueJson(value).language;
  expect([languageOf({ vtt }), languageOf({ vtt, language: "de" }), languageOf({ vtt, language: "" })]).toEqual([
    "fr",
    "de",
    "fr",
  ]);
  expect([
    languageOf(outputs(8, { language: "de" })),
    languageOf(outputs(9, { language: "de" })),
    languageOf({ language: 7 }),
  ]).toEqual(["de", undefined, undefined]);
});

test("a byte order mark before JSON is none of it; what is wrong is told", () => {
  expect(rows(`\ufeff${JSON.stringify([entry])}`)).toEqual(expected);
  expect(
    parseCueJson("{").issues.map(({ code, line, text, message }) => [code, line, text, message.includes("JSON")]),
  ).toEqual([
    ["bad-json", 0, "{", true],
    ["no-cues", 0, "", false],
  ]);
});

test("is written an entry a line, each cue a millisecond long at least", () => {
  const cues = [
    { id: "a", start: 1, end: 1, text: "x" },
    { id: "b", start: 2, end: 3.0004, text: "y" },
  ];
  expect(writeCueJson(cues)).toBe(
    '[\n  {"id":"a","start_time":1,"end_time":1.001,"description":"x"},\n  {"id":"b","start_time":2,"end_time":3,"description":"y"}\n]\n',
  );
  expect(writeCueJson([])).toBe("[]\n");
});

test("a description stands without its directions, and beside it as it was typed, until somebody changes it", () => {
  const text = "[slowly] A door opens.";
  const written = writeCueJson([{ id: "a", start: 1, end: 2, text }]);
  expect(JSON.parse(written)).toEqual([
    { id: "a", start_time: 1, end_time: 2, description: "A door opens.", as_typed: text },
  ]);
  expect(parseCueJson(written).cues.map((cue) => cue.text)).toEqual([text]);
  const changed = written.replace('"A door opens."', '"A door shuts."');
  expect(parseCueJson(changed).cues.map((cue) => cue.text)).toEqual(["A door shuts."]);
});
