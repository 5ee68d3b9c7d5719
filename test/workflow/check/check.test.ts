import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import { type CheckInput, checkCues } from "../../../src/workflow/check/check.ts";

const cue = (id: string, start: number, end: number, text = "One two."): Cue => ({ id, start, end, text });

function rulesOf(input: Partial<CheckInput>) {
  const findings = checkCues({ cues: [], durationSeconds: 60, type: "standard", ...input });
  return findings.map(({ rule, severity, cueIds, measured, limit }) => [
    rule,
    severity,
    cueIds.join(),
    measured,
    limit,
  ]);
}

describe("narration over speech", () => {
  const speech = [{ start: 10, end: 20 }];
  test("warns for any, fails above 0.2 s, and names what was measured against which limit", () => {
    expect(rulesOf({ cues: [cue("a", 8, 10.1)], speech })).toContainEqual(["speech-overlap", "warn", "a", 0.1, 0]);
    expect(rulesOf({ cues: [cue("a", 8, 10.3)], speech })).toContainEqual(["speech-overlap", "fail", "a", 0.3, 0.2]);
  });

  test("counts speech once that is listed twice", () => {
    const twice = [...speech, { start: 9.9, end: 11 }];
    expect(rulesOf({ cues: [cue("a", 8, 10.1)], speech: twice })).toContainEqual([
      "speech-overlap",
      "warn",
      "a",
      0.2,
      0,
    ]);
  });

  test("only warns over what may be speech, says how sure it is, and fails for what is certain beside it", () => {
    const doubtful = [{ start: 10, end: 20, confidence: 0.25 }];
    const findings = checkCues({ cues: [cue("a", 8, 12)], durationSeconds: 60, type: "standard", speech: doubtful });
    expect(findings).toMatchObject([{ rule: "speech-overlap", severity: "warn", measured: 2 }]);
    expect(findings[0]?.message).toContain("what may be speech (25 % sure) for 2.00 s");
    expect(rulesOf({ cues: [cue("a", 8, 9.95)], speech: doubtful })).toEqual([]);
    const both = [...doubtful, { start: 11, end: 14, confidence: 0.8 }];
    expect(rulesOf({ cues: [cue("a", 8, 12)], speech: both })).toEqual([["speech-overlap", "fail", "a", 1, 0.2]]);
  });

  test("says of speech that is doubtful how sure the surest of it is that lies under the description, each second once", () => {
    const speech = [
      { start: 0, end: 8, confidence: 0.45 },
      { start: 9, end: 10, confidence: 0.2 },
      { start: 9.5, end: 11, confidence: 0.3 },
      { start: 12, end: 14, confidence: 0.4 },
    ];
    const input = { cues: [cue("a", 8, 12)], durationSeconds: 60, type: "standard" } as const;
    const [found, ...others] = checkCues({ ...input, speech });
    expect(found).toMatchObject({ severity: "warn", cueIds: ["a"], measured: 2 });
    expect(found?.message).toContain("(30 % sure) for 2.00 s");
    expect(others).toEqual([]);
    const half = [{ start: 9, end: 10, confidence: 0.5 }];
    expect(checkCues({ ...input, speech: half })).toMatchObject([{ severity: "fail", measured: 1 }]);
  });

  test("is not judged where nobody has listened, nor for extended descriptions, which lie in pauses", () => {
    expect(rulesOf({ cues: [cue("a", 8, 15)] })).toEqual([]);
    expect(rulesOf({ cues: [cue("a", 8, 15)], speech, type: "extended" })).toEqual([]);
  });
});

test("clearance before the next line: under 0.35 s warns, under 0.1 s fails, touching an end does not count as one", () => {
  const speech = [{ start: 10, end: 20 }];
  expect(rulesOf({ cues: [cue("a", 8, 9.7)], speech })).toEqual([["clearance", "warn", "a", 0.3, 0.35]]);
  expect(rulesOf({ cues: [cue("a", 8, 9.95)], speech })).toEqual([["clearance", "fail", "a", 0.05, 0.1]]);
  expect(rulesOf({ cues: [cue("a", 8, 9.6)], speech })).toEqual([]);
  expect(rulesOf({ cues: [cue("a", 20, 22)], speech })).toEqual([]);
});

test("pace: over 175 words per minute warns, over 180 fails", () => {
  const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");
  expect(rulesOf({ cues: [cue("a", 0, 6, words(17))] })).toEqual([]);
  expect(rulesOf({ cues: [cue("a", 0, 6, words(18))] })).toEqual([["pace", "warn", "a", 180, 175]]);
  expect(rulesOf({ cues: [cue("a", 0, 6, words(19))] })).toEqual([["pace", "fail", "a", 190, 180]]);
});

test("pace: a cue that holds the programme has as long as it is heard in the video", () => {
  const cues = [cue("a", 10, 11, "One two three four five six.")];
  expect(rulesOf({ cues, type: "extended" })).toContainEqual(["pace", "fail", "a", 360, 180]);
  expect(rulesOf({ cues, type: "extended", heardInVideo: [{ id: "a", start: 12, end: 15 }] })).toEqual([]);
});

test("pace: every cue has the length that it is heard for in the video", () => {
  const cues = ["a", "b", "c"].map((id, index) => cue(id, 10 * index, 10 * index + 0.001, "One two three four."));
  const heard = (...lengths: readonly number[]) =>
    lengths.map((length, index) => ({ id: "abc"[index] ?? "", start: 20 * index, end: 20 * index + length }));
  expect(rulesOf({ cues, type: "extended", heardInVideo: heard(2, 2, 2) })).toEqual([]);
  expect(rulesOf({ cues, type: "extended", heardInVideo: heard(2, 0.5, 0.5) }).map(([, , id]) => id)).toEqual([
    "b",
    "c",
  ]);
});

test("cues over each other are found, also behind a long one that others follow", () => {
  const cues = [cue("a", 0, 10), cue("b", 1, 2), cue("c", 9.9, 12), cue("d", 12, 13)];
  expect(rulesOf({ cues })).toEqual([
    ["cue-overlap", "fail", "a,b", 1, 0.2],
    ["cue-overlap", "warn", "a,c", 0.1, 0],
  ]);
});

test("an extended description that takes programme time shares it with others as any other, by as much as both have", () => {
  const cues = [cue("a", 0, 2), cue("b", 1, 1.5), cue("c", 1.7, 4), cue("d", 1.8, 1.801)];
  for (const type of ["standard", "extended"] as const) {
    const shared = rulesOf({ cues, type }).filter(([rule]) => rule === "cue-overlap");
    expect(shared.slice(0, 2)).toEqual([
      ["cue-overlap", "fail", "a,b", 0.5, 0.2],
      ["cue-overlap", "fail", "a,c", 0.3, 0.2],
    ]);
    expect(shared.slice(2)).toEqual(type === "standard" ? [["cue-overlap", "warn", "c,d", 0.001, 0]] : []);
  }
  // Two that touch share nothing.
  expect(rulesOf({ cues: [cue("a", 0, 2), cue("b", 2, 3)] })).toEqual([]);
});

test("OPEN-34: a cue past the programme's end is found", () => {
  expect(rulesOf({ cues: [cue("a", 58, 60.1), cue("b", 60.1, 62)] })).toEqual([
    ["past-end", "warn", "a", 0.1, 0],
    ["past-end", "fail", "b", 2, 0.2],
  ]);
});

test("narration of another length than the programme is found, a frame more or less is not", () => {
  expect(rulesOf({ narrationSeconds: 60.04 })).toEqual([]);
  expect(rulesOf({ narrationSeconds: 59.5 })).toEqual([["narration-length", "warn", "", 0.5, 0.042]]);
  expect(rulesOf({ narrationSeconds: 63 })).toEqual([["narration-length", "fail", "", 3, 2]]);
  const message = (narrationSeconds: number) =>
    checkCues({ cues: [], durationSeconds: 60, type: "standard", narrationSeconds })[0]?.message;
  expect([message(63), message(57)]).toEqual([
    "the sound file is 3.00 s longer than the programme",
    "the sound file is 3.00 s shorter than the programme",
  ]);
});

test("every finding says where its limit comes from", () => {
  const cues = [cue("a", 0, 2, "one two three four five six seven eight nine ten"), cue("b", 1, 70)];
  const findings = checkCues({
    cues,
    durationSeconds: 60,
    type: "standard",
    speech: [{ start: 2.05, end: 3 }],
    narrationSeconds: 1,
  });
  expect(new Set(findings.map(({ rule }) => rule)).size).toBe(6);
  for (const { source, unit, message } of findings) {
    expect(source).toMatch(/\w{3}/);
    expect(unit).toMatch(/^(s|words\/min)$/);
    expect(message).toMatch(/\d/);
  }
});

test("stays fast for a day of cues", () => {
  const cues = Array.from({ length: 20_000 }, (_, index) => cue(`c${index}`, index * 4, index * 4 + 3));
  const speech = cues.map(({ end }) => ({ start: end + 0.2, end: end + 0.9 }));
  expect(checkCues({ cues, durationSeconds: 86_400, type: "standard", speech })).toHaveLength(20_000);
});

test("an extended cue that takes no programme time has no pace and shares no time: formats write an instant as short as they can", () => {
  const cues = [cue("a", 10, 10.001, "One two three four."), cue("b", 10, 10.001, "Five six seven eight.")];
  expect(rulesOf({ cues, type: "extended" })).toEqual([]);
  expect(rulesOf({ cues, type: "standard" }).map(([rule]) => rule)).toContain("pace");
  const heardInVideo = [{ id: "a", start: 10, end: 10.5 }];
  expect(rulesOf({ cues, type: "extended", heardInVideo })).toContainEqual(["pace", "fail", "a", 480, 180]);
});

describe("a voice that is longer than its cue", () => {
  const voices = (seconds: number) => new Map([["a", seconds]]);
  const rule = "voice-overrun";

  test("is found where it goes on into speech, into the next cue, or past the end, and nowhere else", () => {
    const [first, second] = [cue("a", 8, 10), cue("b", 12, 13)];
    expect(rulesOf({ cues: [first, second], voices: voices(3.9) })).toEqual([]);
    expect(rulesOf({ cues: [first, second], voices: voices(4.1) })).toEqual([[rule, "warn", "a,b", 0.1, 0.04]]);
    expect(rulesOf({ cues: [first, second], voices: voices(5) })).toEqual([[rule, "fail", "a,b", 1, 0.2]]);
    const three = { cues: [first, second, cue("c", 14, 15)], voices: new Map([["b", 3], ["c", 46.5]]) }; // biome-ignore format: one input
    expect(rulesOf(three).map(([name, , ids]) => [name, ids])).toEqual([
      [rule, "b,c"],
      [rule, "c"],
    ]);
    const speech = [{ start: 10.5, end: 11 }];
    expect(rulesOf({ cues: [first], voices: voices(2.5), speech })).toEqual([]);
    expect(rulesOf({ cues: [first], voices: voices(2.75), speech })).toEqual([[rule, "fail", "a", 0.25, 0.2]]);
    expect(rulesOf({ cues: [first], voices: voices(3.5), durationSeconds: 11 })).toEqual([
      [rule, "fail", "a", 0.5, 0.2],
    ]);
    const all = { cues: [first, second], durationSeconds: 13, type: "standard", voices: voices(5.5) } as const;
    expect(checkCues({ ...all, speech }).map(({ message }) => message)).toEqual([
      "its voice goes on for 0.50 s after the programme's end",
      "its voice goes on for 0.50 s into speech",
      "its voice goes on for 1.50 s into the next description",
    ]);
  });

  test("says nothing of what its cue says already, of a voice that ends with its cue, or of speech in extended AD", () => {
    const speech = [{ start: 9, end: 11 }];
    const over = { cues: [cue("a", 8, 10)], speech };
    expect(rulesOf({ ...over, voices: voices(2) })).toEqual(rulesOf(over));
    expect(rulesOf({ cues: [cue("a", 58, 61)], voices: voices(3) })).toEqual(rulesOf({ cues: [cue("a", 58, 61)] }));
    expect(rulesOf({ ...over, voices: voices(2.8), type: "extended" })).toEqual([]);
  });
});
