import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { leftOutFindings, scriptCounts, scriptOutcomeWith } from "../../../src/result/script-outcome.ts";
import { scriptOutcome } from "../../../src/workflow/describe/script-outcome.ts";

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
