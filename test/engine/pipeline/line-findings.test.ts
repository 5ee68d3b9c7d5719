import { expect, test } from "vitest";
import type { FittedCue, UnplacedWithSeconds } from "../../../src/engine/pipeline/fit.ts";
import {
  doubtsOf,
  isSilent,
  lengthFinding,
  silentFinding,
  voicedLength,
  wordingsOf,
} from "../../../src/engine/pipeline/line-findings.ts";

// What is read of a line.
const cue = (id: string, text: string, more: Partial<FittedCue> = {}) => ({ id, text, ...more }) as FittedCue;
const fitting = (...cues: FittedCue[]) => ({ cues, unplaced: [] });
const unplaced = (reason: UnplacedWithSeconds["reason"]) => ({ text: "A boat.", reason }) as UnplacedWithSeconds;

test("the wordings that were not chosen are told of every line that has some", () => {
  const cues = [
    cue("a", "A boat.", { others: [{ text: "Boat.", seconds: 1 }] }),
    cue("b", "A gull."),
    cue("c", "A man.", { others: [{ text: "Man.", seconds: 0.8 }] }),
  ];
  expect(wordingsOf(fitting(...cues))).toEqual([
    { said: "A boat.", others: [{ text: "Boat.", seconds: 1 }] },
    { said: "A man.", others: [{ text: "Man.", seconds: 0.8 }] },
  ]);
  expect(wordingsOf(fitting(cue("a", "A boat.", { others: [] })))).toBeUndefined();
});

test("what its writer was not sure of is told of every line that is spoken, as it is spoken", () => {
  const written = [
    { id: "a", confidence: 0.59, doubt: "It may be a ship." },
    { id: "b", confidence: 0.6, doubt: "A tern?" },
    { id: "c", confidence: 0.1 },
    { id: "d" },
    { id: "e", confidence: 0 },
  ].map((one) => ({ wordings: ["A line."], picture: 1, importance: 1, ...one })) as unknown as Parameters<
    typeof doubtsOf
  >[0]; // what is read of them
  const spoken = fitting(cue("a", "Boat."), cue("b", "A gull."), cue("d", "A dog."), cue("e", "A cat."));
  expect(doubtsOf(written, spoken)).toEqual([
    { said: "Boat.", confidence: 0.59, why: "It may be a ship." },
    { said: "A cat.", confidence: 0, why: "" },
  ]);
  expect(doubtsOf(written.slice(1, 2), spoken)).toBeUndefined();
});

test("a line without sound is told apart from one without room, and fails; a length that is odd fails where it is short", () => {
  const reasons = ["no-sound", "no-room"] as UnplacedWithSeconds["reason"][];
  expect(reasons.map((reason) => isSilent(unplaced(reason)))).toEqual([true, false]);
  expect(silentFinding(unplaced("no-sound"))).toEqual({
    ...{ rule: "no-sound", severity: "fail", message: "“A boat.” is not spoken: the voice gave no sound for it" },
  });
  expect(voicedLength(cue("a", "A boat.", { narrationSeconds: 1.5, rate: 1.1 }))).toEqual({
    ...{ text: "A boat.", seconds: 1.5, rate: 1.1 },
  });
  for (const [kind, severity] of [
    ["short", "fail"],
    ["long", "warn"],
  ] as const) {
    expect(lengthFinding({ text: "A boat.", kind, message: "odd" })).toEqual({
      ...{ rule: "voice-length", severity, message: "odd", said: "A boat." },
    });
  }
});
