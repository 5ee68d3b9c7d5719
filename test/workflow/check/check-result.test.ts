import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import type { SoundMeasure } from "../../../src/core/measures.ts";
import { parseProfile } from "../../../src/workflow/check/check-profile.ts";
import { checkResult, type ResultToCheck } from "../../../src/workflow/check/check-result.ts";

test("holds a level against its advice as closely as a meter meets it, and says what to do beside a narration alone", () => {
  const sound = (lufs: number): SoundMeasure => ({
    durationSeconds: 4,
    levels: Array.from({ length: 40 }, () => lufs),
    integratedLufs: lufs,
    truePeakDbtp: -6,
    active: [{ start: 1, end: 3 }],
    heard: { speech: [], music: [{ start: 0, end: 4, confidence: 1 }], silence: [] },
  });
  const cues = [{ id: "a", start: 1, end: 3, text: "A rabbit." }];
  const levels = (lufs: number) =>
    checkResult({ cues, type: "standard", programme: sound(lufs), narration: sound(-23) }).findings.filter(
      ({ rule }) => rule === "level",
    );
  expect(levels(-32.6)).toEqual([]);
  expect(levels(-32.4)).toMatchObject([{ severity: "warn", measured: 9.4 }]);
  expect(levels(-24)[0]).toMatchObject({
    severity: "warn",
    measured: 1,
    message: expect.stringContaining("lower the programme by"),
  });
});

test("a profile of one's own changes what it names, and is refused with a reason", async () => {
  expect(parseProfile('{"pace": {"warn": 100, "fail": 120}}')).toMatchObject({
    name: "own",
    pace: { fail: 120, unit: "words/min" },
  });
  for (const text of ["", "[]", '{"pase": {}}', '{"pace": {"warn": "x"}}'])
    expect(typeof parseProfile(text)).toBe("string");
  expect(JSON.parse(await readFile("src/workflow/check/profiles/default.json", "utf8"))).toHaveProperty("pace");
});

test("a voice that breaks off with its file is found; one that ends before is not", () => {
  const cues = [{ id: "a", start: 8, end: 11, text: "A dog runs along the beach." }];
  const sound = { durationSeconds: 10, levels: [], integratedLufs: null, truePeakDbtp: null };
  const rules = (end: number) =>
    checkResult({
      cues,
      type: "standard",
      programme: { ...sound, active: [], heard: { speech: [], music: [], silence: [] } },
      narration: { ...sound, active: [{ start: 8, end }] },
    }).findings.filter(({ rule }) => rule === "voice-overrun");
  expect(rules(10)).toMatchObject([{ severity: "fail", cueIds: ["a"], measured: 1 }]);
  expect(rules(9.5)).toEqual([]);
});

const cue = (id: string, start: number, end: number, text = "A dog runs."): Cue => ({ id, start, end, text });
const range = (start: number, end: number) => ({ start, end });
/** A sound of a minute in which this is heard, without level. */
const heardAs = (active: readonly [number, number][], changes: Partial<SoundMeasure> = {}): SoundMeasure => ({
  durationSeconds: 60,
  levels: [],
  integratedLufs: null,
  truePeakDbtp: null,
  active: active.map(([start, end]) => range(start, end)),
  ...changes,
});
const checked = (result: Partial<ResultToCheck>) => checkResult({ cues: [], type: "standard", ...result });
const found = (rule: string, result: Partial<ResultToCheck>) =>
  checked(result).findings.filter((finding) => finding.rule === rule);

describe("a narration belongs to its descriptions", () => {
  const heard = (cues: readonly Cue[], ...active: [number, number][]) =>
    checked({ cues, narration: heardAs(active) }).heardCues.map(({ start, end }) => [start, end]);

  test("each is heard where its voice is, with its pauses of less than a line's, and without one where it stands", () => {
    expect(heard([cue("a", 10, 12), cue("b", 20, 22)], [10.1, 11.9])).toEqual([
      [10.1, 11.9],
      [20, 22],
    ]);
    expect(heard([cue("a", 10, 12)], [10, 10.5], [11.1, 12.4])).toEqual([[10, 12.4]]);
    // Longer pauses part two lines, both of which are of the cue that they lie under.
    expect(heard([cue("a", 10, 14)], [10, 10.5], [11.2, 13])).toEqual([[10, 13]]);
  });

  test("one line over several has a part for each, up to where the next one begins", () => {
    const cues = [cue("a", 10, 12), cue("b", 12.5, 14), cue("c", 14, 16)];
    expect(heard(cues, [9.8, 16.2])).toEqual([
      [9.8, 12.5],
      [12.5, 14],
      [14, 16.2],
    ]);
    // It begins behind the start of the second one: the first has its own end.
    expect(heard([cue("a", 10, 13), cue("b", 12, 14)], [12.2, 14])).toEqual([
      [12.2, 12],
      [12.2, 14],
    ]);
  });

  test("every description of which nothing is heard is told, and every stretch that is nobody's", () => {
    const cues = [cue("a", 10, 12), cue("b", 20, 22), cue("c", 30, 32)];
    const result = { cues, narration: heardAs([[20, 22], [40, 41], [50, 52]]) }; // biome-ignore format: one narration
    expect(found("narration-missing", result).map(({ cueIds }) => cueIds)).toEqual([["a"], ["c"]]);
    expect(found("narration-stray", result).map(({ range: at }) => at)).toEqual([range(40, 41), range(50, 52)]);
  });

  test("a line under none is of the nearest one that has none, within three seconds", () => {
    const cues = [cue("a", 10, 12), cue("b", 14, 15), cue("c", 30, 32)];
    expect(heard(cues, [10, 12], [12.7, 13.5])).toEqual([
      [10, 12],
      [12.7, 13.5],
      [30, 32],
    ]);
    const { findings, heardCues } = checked({
      cues,
      narration: heardAs([
        [10, 12],
        [14, 15],
        [26.9, 27.4],
      ]),
    });
    expect(heardCues[2]).toEqual(cues[2]);
    expect(findings.filter(({ rule }) => rule === "narration-stray")).toMatchObject([
      { severity: "warn", cueIds: [], range: range(26.9, 27.4), message: expect.stringMatching(/^0\.5 s /) },
    ]);
    expect(findings.filter(({ rule }) => rule === "narration-missing")).toMatchObject([
      { severity: "fail", cueIds: ["c"], source: expect.any(String) },
    ]);
    const near = found("narration-stray", {
      cues,
      narration: heardAs([
        [10, 12],
        [14, 15],
        [27.1, 27.6],
      ]),
    });
    expect(near).toEqual([]);
  });

  test("a sound beside a description that has its own voice is nobody's, before it as behind it", () => {
    for (const at of [8, 13]) {
      const narration = heardAs(
        [
          [10, 12],
          [at, at + 0.5],
        ].sort(([a = 0], [b = 0]) => a - b) as [number, number][],
      );
      const { findings, heardCues } = checked({ cues: [cue("a", 10, 12)], narration });
      expect(heardCues.map(({ start, end }) => [start, end])).toEqual([[10, 12]]);
      const rules = findings.map(({ rule }) => rule).filter((rule) => rule.startsWith("narration"));
      expect(rules).toEqual(["narration-stray"]);
    }
  });

  test("a voice far from its description is told, in either direction, by how far it is", () => {
    const shift = (start: number) =>
      found("narration-shift", { cues: [cue("a", 10, 14)], narration: heardAs([[start, 13]]) });
    for (const by of [0, 0.3, -0.3]) expect(shift(10 + by)).toEqual([]);
    for (const by of [0.4, -0.4]) {
      expect(shift(10 + by)).toMatchObject([
        { severity: "warn", cueIds: ["a"], measured: 0.4, message: expect.stringContaining("0.40 s away") },
      ]);
    }
    expect(shift(10.6)).toMatchObject([{ severity: "fail", measured: 0.6 }]);
    const cues = [cue("a", 10, 14), cue("b", 20, 24), cue("c", 30, 34)];
    const narration = heardAs([[10.4, 13], [20, 24], [30.4, 33]]); // biome-ignore format: one narration
    expect(found("narration-shift", { cues, narration }).flatMap(({ cueIds }) => cueIds)).toEqual(["a", "c"]);
  });

  test("is told by no narration: nothing is missing then, and nothing is heard elsewhere", () => {
    const { findings, heardCues } = checked({ cues: [cue("a", 10, 12)], programme: heardAs([]) });
    expect(findings.map(({ rule }) => rule).filter((rule) => rule.startsWith("narration"))).toEqual([]);
    expect(heardCues).toEqual([cue("a", 10, 12)]);
  });
});

describe("the pauses of a programme", () => {
  const speech = [range(0, 10), range(20, 21.5), range(30, 60)];
  const programme = heardAs([]);
  const speechOf = (...of: [number, number, number][]) => ({
    speech: of.map(([start, end, confidence]) => ({ start, end, confidence })),
    music: [],
    silence: [],
  });

  test("are where nobody speaks, long enough for words; what of them descriptions use is told as a share", () => {
    const result = checked({ cues: [cue("a", 12, 14.5), cue("b", 24, 27)], programme, speech });
    expect(result.gaps).toEqual([range(10, 20), range(21.5, 30)]);
    expect(result.coverage).toBeCloseTo(5.5 / 18.5, 9);
    expect(result.durationSeconds).toBe(60);
    const twice = checked({ cues: [cue("a", 0, 60), cue("b", 0, 60)], programme, speech });
    expect(twice.coverage).toBe(1);
    const short = checked({ programme, speech: [range(0, 30), range(31.9, 60)] });
    expect([short.gaps, short.coverage]).toEqual([[], null]);
    // Music is no speech: it stays a part of its pause.
    const music = [{ start: 12, end: 16, confidence: 1 }];
    const loud = { ...programme, heard: { speech: [], music, silence: [] } };
    expect(checked({ programme: loud, speech }).gaps).toEqual([range(10, 20), range(21.5, 30)]);
  });

  test("are known by captions, else by listening; where nobody did either, none is judged", () => {
    const listened = { ...programme, heard: speechOf([0, 10, 0.9]) };
    expect(checked({ programme: listened, speech }).speech).toEqual(speech);
    expect(checked({ programme: listened }).speech).toEqual(listened.heard.speech);
    const deaf = checked({ cues: [cue("a", 12, 14)], programme });
    expect([deaf.speech, deaf.gaps, deaf.coverage, deaf.findings]).toEqual([[], [], null, []]);
    expect(checked({ programme: listened }).gaps).toEqual([range(10, 60)]);
  });

  test("that are short are told of the descriptions in them, but not where one begins over speech or lies in time that is held", () => {
    const short = (seconds: number, start = 10) => ({
      cues: [cue("a", start, start + 0.7)],
      programme,
      speech: [range(0, 10), range(10 + seconds, 60)],
    });
    expect(found("gap-short", short(1.5))).toMatchObject([
      { severity: "warn", cueIds: ["a"], measured: 1.5, message: expect.stringContaining("1.50 s") },
    ]);
    expect(found("gap-short", short(0.7))).toMatchObject([{ severity: "fail" }]);
    expect(found("gap-short", short(2))).toEqual([]);
    expect(found("gap-short", short(1.5, 9.9))).toEqual([]);
    expect(found("gap-short", short(1.5, 11.5))).toEqual([]);
    expect(found("gap-short", { ...short(1.5), type: "extended" })).toEqual([]);
    const three = [range(0, 10), range(11.5, 20), range(30, 40), range(41.5, 60)];
    const cues = [cue("a", 10.2, 11), cue("b", 22, 23), cue("c", 40.2, 41)];
    expect(found("gap-short", { cues, programme, speech: three }).flatMap(({ cueIds }) => cueIds)).toEqual(["a", "c"]);
  });

  test("that are long and empty are noted, with the changes of the picture in them", () => {
    const picture = (...changes: number[]) => ({ changes, light: [], shots: [] });
    const unused = (changes: Partial<ResultToCheck> = {}) => found("gap-unused", { programme, speech, ...changes });
    const [first, second, ...others] = unused();
    expect(others).toEqual([]);
    expect([first?.range, second?.range]).toEqual([range(10, 20), range(21.5, 30)]);
    expect(first).toMatchObject({ severity: "note", cueIds: [], measured: 10, limit: 6, unit: "s" });
    expect(first?.message).toBe("a pause of 10.0 s has no description");
    expect(unused({ cues: [cue("a", 12, 13)] }).map((one) => one.range)).toEqual([range(21.5, 30)]);
    const told = unused({ picture: picture(9.9, 10, 20, 22, 23, 29.9, 30) }).map(({ message }) => message);
    expect(told).toEqual([
      "a pause of 10.0 s has no description; the picture changes once in it",
      "a pause of 8.5 s has no description; the picture changes 3 times in it",
    ]);
    expect(unused({ picture: picture() })[0]?.message).toContain("changes 0 times");
    expect(unused({ type: "extended" })).toEqual([]);
    expect(unused({ speech: [range(0, 10), range(15.9, 60)] })).toEqual([]);
    expect(unused({ speech: [range(0, 10), range(16, 60)] })).toHaveLength(1);
  });

  test("are those of speech that is certain: what may be speech leaves a description in a pause as long as it is", () => {
    const doubtful = { ...programme, heard: speechOf([0, 10, 0.9], [11, 12, 0.2], [20, 60, 0.9]) };
    expect(found("gap-short", { cues: [cue("a", 10.1, 10.9)], programme: doubtful })).toEqual([]);
    const certain = { ...programme, heard: speechOf([0, 10, 0.9], [11, 12, 0.9], [20, 60, 0.9]) };
    expect(found("gap-short", { cues: [cue("a", 10.1, 10.9)], programme: certain })).toHaveLength(1);
  });
});

test("a result is as long as its programme, else as its mix, but no shorter than its descriptions", () => {
  const cues = [cue("a", 61, 62), cue("b", 63, 65), cue("c", 64, 64.5)];
  expect(checked({ cues, programme: heardAs([]), mix: heardAs([], { durationSeconds: 90 }) }).durationSeconds).toBe(60);
  expect(checked({ cues, mix: heardAs([], { durationSeconds: 90 }) }).durationSeconds).toBe(90);
  expect(checked({ cues, mix: heardAs([]) }).durationSeconds).toBe(65);
  expect(checked({ cues }).durationSeconds).toBe(65);
});

test("the file that is delivered is held against the programme: the narration, else the mix, and nothing without a programme", () => {
  const [longer, shorter] = [heardAs([], { durationSeconds: 63 }), heardAs([], { durationSeconds: 57 })];
  const lengths = (result: Partial<ResultToCheck>) => found("narration-length", result).map(({ message }) => message);
  const programme = heardAs([]);
  expect(lengths({ programme, narration: longer, mix: shorter })).toEqual([expect.stringContaining("longer")]);
  expect(lengths({ programme, mix: shorter })).toEqual([expect.stringContaining("shorter")]);
  expect(lengths({ programme })).toEqual([]);
  expect(lengths({ narration: longer })).toEqual([]);
});

test("the highest peak is that of the mix, else that of the narration", () => {
  const [loud, soft, silent] = [-0.5, -6, null].map((truePeakDbtp) => heardAs([], { truePeakDbtp }));
  const peaks = (result: Partial<ResultToCheck>) =>
    found("true-peak", result).map(({ severity, message, cueIds }) => [severity, message, cueIds]);
  const said = [["fail", "the true peak is -0.5 dBTP", []]];
  expect(peaks({ mix: loud as SoundMeasure, narration: soft as SoundMeasure })).toEqual(said);
  expect(peaks({ mix: soft as SoundMeasure, narration: loud as SoundMeasure })).toEqual([]);
  expect(peaks({ narration: loud as SoundMeasure })).toEqual(said);
  expect(peaks({ mix: silent as SoundMeasure })).toEqual([]);
  expect(peaks({ programme: loud as SoundMeasure })).toEqual([]);
});

test("what is not given is not checked, and what is given is checked in its language", () => {
  const picture = { changes: [], light: Array(40).fill(0.9), shots: [] };
  const cues = [cue("a", 5, 8, "Fade to black, says Ann.")];
  const rules = (result: Partial<ResultToCheck>) => checked({ cues, ...result }).findings.map(({ rule }) => rule);
  expect(rules({})).toEqual([]);
  expect(rules({ picture })).toEqual(["picture-contradicts"]);
  expect(rules({ picture, language: "de-DE" })).toEqual([]);
  expect(rules({ names: [{ name: "Ann", from: 9 }] })).toEqual(["name-early"]);
});

test("a film whose sound cannot be read does not pass without captions, and has no pause that was left empty there", () => {
  const programme: SoundMeasure = {
    ...{ durationSeconds: 60, levels: [], integratedLufs: null, truePeakDbtp: null, active: [] },
    heard: { speech: [], music: [], silence: [], unknown: [{ start: 0, end: 60 }] },
  };
  const cues = [{ id: "a", start: 1, end: 3, text: "A rabbit." }];
  const { findings, gaps } = checkResult({ cues, type: "standard", programme });
  expect(findings.filter(({ rule }) => rule === "sound-unknown")).toMatchObject([{ severity: "fail" }]);
  expect(gaps).toEqual([]);
  const told = checkResult({ cues, type: "standard", programme, speech: [{ start: 10, end: 20 }] });
  expect(told.findings.filter(({ rule }) => rule === "sound-unknown")).toEqual([]);
  expect(told.gaps.length).toBeGreaterThan(0);
});
