import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateSpeakingSeconds } from "../../../src/core/speaking-time.ts";
import { leftOutFindings, scriptCounts, scriptOutcomeWith } from "../../../src/result/script-outcome.ts";
import { scriptOutcome } from "../../../src/workflow/describe/given-script.ts";

const labelAt = (seconds: number) => `${seconds.toFixed(1)} s`;
const AROUND = { speech: [{ start: 6, end: 20 }], music: [], durationSeconds: 60, type: "standard", labelAt } as const;
const line = (start: number, text: string, seconds = 2) => ({ id: `${start}`, start, end: start + seconds, text });

describe("what became of a script", () => {
  test("a line is as written, moved or left out; one that lacks room says how much, and what would help", () => {
    const script = [
      line(1, "A door opens."),
      line(7, "He smiles."),
      line(4, "He crosses the long bridge in the cold rain."),
    ];
    const cues = [line(1, "A door opens."), line(20.5, "He smiles.")];
    const leftOut = [
      { text: "He crosses the long bridge in the cold rain.", start: 4, end: 6, seconds: 4.5, reason: "too-long" },
    ] as const;
    const outcome = scriptOutcome(script, { ...AROUND, cues, leftOut });
    expect(scriptCounts(outcome)).toEqual({ given: 3, asWritten: 1, moved: 1, leftOut: 1 });
    expect(outcome.moved).toEqual([{ cueId: "20.5", start: 7, bySeconds: 13.5 }]);
    const [left] = outcome.leftOut;
    // Between the first cue and the speech, with the clearance of both.
    expect(left).toMatchObject({ reason: "too-long", neededSeconds: 4.5, lackingSeconds: expect.closeTo(1.85, 5) });
    const possible = left?.waysOut.filter(({ isPossible }) => isPossible).map(({ kind }) => kind);
    expect(possible).toEqual(["shorten", "move", "extended"]);
    const [finding] = leftOutFindings(outcome, labelAt);
    expect(finding).toMatchObject({
      rule: "script-left-out",
      severity: "fail",
      measured: 4.5,
      range: { start: 4, end: 6 },
    });
    expect(finding?.message).toContain("it needs 4.5 s and lacks 1.8 s");
    expect(finding?.message).toContain("a pause of 37.5 s begins at 22.5 s");
  });

  test("a line that somebody speaks later is left out no more", () => {
    const outcome = scriptOutcome([line(4, "He waits.")], { ...AROUND, cues: [] });
    expect(scriptCounts(scriptOutcomeWith(outcome, [line(30, "He waits.")]))).toMatchObject({ moved: 1, leftOut: 0 });
    expect(scriptOutcomeWith(outcome, [line(30, "Other words.")])).toEqual(outcome);
  });

  test("other words in its place are none of the script's", () => {
    const outcome = scriptOutcome([line(4, "He waits.")], { ...AROUND, cues: [line(4, "Somebody waits.")] });
    expect(outcome.leftOut).toMatchObject([{ reason: "reworded", text: "He waits." }]);
  });

  const leftOutOf = (given: ReturnType<typeof line>, changes: Partial<Parameters<typeof scriptOutcome>[1]> = {}) => {
    const [left] = scriptOutcome([given], { ...AROUND, cues: [], ...changes }).leftOut;
    if (left === undefined) throw new Error("it has a place");
    return left;
  };

  test("why it was left out is said by the service where it speaks of that very line, else by what is seen of it", () => {
    const waits = line(4, "He waits.");
    const of = (start: number, text: string, reason: "crowded" | "too-long") => ({
      start,
      end: start + 2,
      text,
      seconds: 9,
      reason,
    });
    const told = [of(4, "He sleeps.", "crowded"), of(9, "He waits.", "crowded"), of(4.001, "He  waits.", "too-long")];
    expect(leftOutOf(waits, { leftOut: told })).toMatchObject({ reason: "too-long", neededSeconds: 9 });
    expect(leftOutOf(waits, { leftOut: told.slice(0, 2) }).reason).toBe("unknown");
    expect(leftOutOf(waits, { cues: [line(4, "Other words.")] }).reason).toBe("reworded");
    expect([59.9, 60, 70].map((start) => leftOutOf(line(start, "He waits.")).reason)).toEqual([
      "unknown",
      "after-end",
      "after-end",
    ]);
  });

  test("it needs what the service says, else what its words take at the pace of those that are spoken; without words nothing", () => {
    const words = "He crosses the bridge.";
    const [given] = [line(30, words)];
    const estimate = estimateSpeakingSeconds(words);
    expect(leftOutOf(given).neededSeconds).toBeCloseTo(estimate, 9);
    const slow = { ...line(25, "A dog runs."), end: 25 + 3 * estimateSpeakingSeconds("A dog runs.") };
    expect(leftOutOf(given, { cues: [slow] }).neededSeconds).toBeCloseTo(3 * estimate, 9);
    const silent = { start: 30, end: 32, text: "…", seconds: 4, reason: "nothing-to-say" } as const;
    expect(leftOutOf(line(30, "…"), { leftOut: [silent] })).toMatchObject({
      neededSeconds: 0,
      lackingSeconds: 0,
      waysOut: [],
    });
  });

  test("it lacks what the pause at its time is too short by: one far off, and the time behind the end, are no such pause", () => {
    const needs = (start: number, speech: readonly { start: number; end: number }[]) => {
      const told = { start, end: start + 2, text: "He waits.", seconds: 3, reason: "crowded" } as const;
      return leftOutOf(line(start, "He waits."), { speech, leftOut: [told] }).lackingSeconds;
    };
    // From 20.1 s to 22.4 s, and no other.
    const late = [
      { start: 0, end: 20 },
      { start: 22.5, end: 60 },
    ];
    expect(needs(20.2, late)).toBeCloseTo(3 - 2.3, 9);
    expect(needs(9, late)).toBeCloseTo(3 - 2.3, 9);
    expect(needs(33, late)).toBeCloseTo(3 - 2.3, 9);
    expect([needs(7, late), needs(36, late), needs(60, [{ start: 0, end: 50 }])]).toEqual([3, 3, 3]);
    expect(needs(30, [])).toBe(0);
  });

  test("the nearest pause that is long enough is a way out, told by where it begins", () => {
    const speech = [
      { start: 0, end: 2 },
      { start: 6, end: 20 },
      { start: 23, end: 30 },
      { start: 33.5, end: 50 },
    ];
    const move = (start: number, seconds: number, cues: readonly ReturnType<typeof line>[] = []) => {
      const told = { start, end: start + 2, text: "He waits.", seconds, reason: "crowded" } as const;
      const { waysOut } = leftOutOf(line(start, "He waits."), { speech, cues, leftOut: [told] });
      return waysOut.find(({ kind }) => kind === "move");
    };
    expect(move(21, 3.2)).toMatchObject({ isPossible: true, outcome: "a pause of 3.5 s begins at 30.0 s" });
    expect(move(21, 3.5)).toMatchObject({ isPossible: true, outcome: "a pause of 3.5 s begins at 30.0 s" });
    expect(move(21, 3.8)).toMatchObject({ isPossible: true, outcome: "a pause of 4.0 s begins at 2.0 s" });
    expect(move(40, 3.8)).toMatchObject({ isPossible: true, outcome: "a pause of 10.0 s begins at 50.0 s" });
    // What is spoken in a pause takes its time.
    expect(move(21, 3.2, [line(31, "A dog.")])).toMatchObject({ outcome: "a pause of 4.0 s begins at 2.0 s" });
    expect(move(21, 20)).toMatchObject({ isPossible: false, outcome: expect.stringMatching(/^the gap has /) });
    expect(move(51, 3)).toMatchObject({ isPossible: true, outcome: expect.stringMatching(/^begins 0.0 s /) });
  });

  test("the ways out are named in one order, as parts of a sentence; holding the programme is one where it is not held already", () => {
    for (const type of ["standard", "extended"] as const) {
      const text = "He waits in the cold rain for hours.";
      const told = { start: 4, end: 6, text, seconds: 6.2, reason: "too-long" } as const;
      const { waysOut } = leftOutOf(line(4, text), { type, leftOut: [told] });
      expect(waysOut.map(({ kind }) => kind)).toEqual(["shorten", "move", "faster", "duck", "extended"]);
      for (const { outcome } of waysOut) expect(outcome).toMatch(/^[a-z][^A-Z]+$/);
      const possible = waysOut.filter(({ isPossible }) => isPossible).map(({ kind }) => kind);
      const inProgramme = ["shorten", "move"];
      expect(possible).toEqual(type === "standard" ? [...inProgramme, "extended"] : inProgramme);
    }
    const none = leftOutOf(line(10, "He waits."), { speech: [{ start: 0, end: 60 }] });
    expect(none.waysOut.map(({ isPossible }) => isPossible)).toEqual([false, false, false, false, true]);
    expect(none.waysOut[0]?.outcome).toBe("no word would fit");
    expect(leftOutOf(line(4, "He waits."), { cues: [line(4, "Other words.")] }).waysOut).toEqual([]);
  });

  test("a line is where it was within what lists of frames round, and moved from there on", () => {
    const by = (seconds: number) =>
      scriptOutcome([line(4, "He waits.")], { ...AROUND, cues: [line(4 + seconds, "He waits.")] }).moved;
    expect([by(0.04), by(-0.04)]).toEqual([[], []]);
    expect([by(0.06), by(-0.06)].flat().map(({ bySeconds }) => bySeconds.toFixed(2))).toEqual(["0.06", "-0.06"]);
  });

  const texts = fc.array(
    fc.record({ start: fc.integer({ min: 0, max: 70 }), words: fc.constantFrom("A.", "B b.", "C c c.") }),
  );
  test("every line given is counted once, and no cue speaks two of them", () => {
    const law = fc.property(texts, texts, (given, spoken) => {
      const cues = spoken.map(({ start, words }, index) => ({ ...line(start, words), id: `cue-${index}` }));
      const script = given.map(({ start, words }) => line(start, words));
      const { asWritten, moved, leftOut } = scriptCounts(scriptOutcome(script, { ...AROUND, cues }));
      expect(asWritten).toBeGreaterThanOrEqual(0);
      expect(asWritten + moved + leftOut).toBe(given.length);
      expect(asWritten + moved).toBeLessThanOrEqual(spoken.length);
    });
    fc.assert(law);
  });
});
