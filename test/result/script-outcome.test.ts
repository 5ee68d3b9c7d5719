import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type LeftOutScriptLine,
  leftOutFindings,
  type ScriptOutcome,
  scriptCounts,
  scriptOutcomeWith,
} from "../../src/result/script-outcome.ts";

const WORDS = ["A dog.", "A cat.", "Rain falls.", "Night."];
const leftOutLine = (text: string, start: number, more: Partial<LeftOutScriptLine> = {}): LeftOutScriptLine => ({
  text,
  start,
  end: start + 2,
  reason: "too-long",
  neededSeconds: 3,
  lackingSeconds: 1.25,
  waysOut: [],
  ...more,
});
const moved = (start: number) => ({ cueId: `moved-${start}`, start, bySeconds: 1 });

const outcomes = fc
  .tuple(
    fc.uniqueArray(fc.tuple(fc.constantFrom(...WORDS), fc.nat(50)), { selector: ([text]) => text }),
    fc.array(fc.nat(50)),
    fc.nat(9),
  )
  .map(
    ([lines, moves, asWritten]): ScriptOutcome => ({
      given: asWritten + lines.length + moves.length,
      moved: moves.sort((a, b) => a - b).map(moved),
      leftOut: lines.map(([text, start]) => leftOutLine(text, start)),
    }),
  );
const cues = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...WORDS, "Others."), fc.nat(50)), { selector: ([text]) => text })
  .map((list) => list.map(([text, start], index) => ({ id: `c${index}`, start, end: start + 1, text: ` ${text}\n` })));

describe("what became of a script once cues were changed", () => {
  test("every line is counted once, and those that are said now have moved to where they are said", () => {
    fc.assert(
      fc.property(outcomes, cues, (outcome, now) => {
        const later = scriptOutcomeWith(outcome, now);
        const counts = scriptCounts(later);
        expect(counts.asWritten + counts.moved + counts.leftOut).toBe(outcome.given);
        expect(counts).toEqual({
          given: outcome.given,
          asWritten: scriptCounts(outcome).asWritten,
          moved: later.moved.length,
          leftOut: later.leftOut.length,
        });
        expect(later.moved.map(({ start }) => start)).toEqual(
          later.moved.map(({ start }) => start).sort((a, b) => a - b),
        );
        for (const line of outcome.leftOut) {
          const cue = now.find(({ text }) => text.trim() === line.text);
          expect(later.leftOut.includes(line)).toBe(cue === undefined);
          if (cue === undefined) continue;
          expect(later.moved).toContainEqual({
            cueId: cue.id,
            start: line.start,
            bySeconds: cue.start - line.start,
          });
        }
        for (const one of outcome.moved) expect(later.moved).toContain(one);
        expect(scriptOutcomeWith(later, now)).toBe(later);
      }),
    );
  });
});

describe("the finding of a line that is not spoken", () => {
  const findingOf = (more: Partial<LeftOutScriptLine>) =>
    leftOutFindings({ given: 1, moved: [], leftOut: [leftOutLine("A dog.", 4, more)] }, (at) => `at ${at}`)[0];

  test("says when, why, how much it lacks, and the ways out that there are", () => {
    const waysOut = [
      { kind: "shorten", isPossible: true, outcome: "four words less" },
      { kind: "move", isPossible: false, outcome: "no pause near" },
      { kind: "extended", isPossible: true, outcome: "a hold of 3 s" },
    ] as const;
    expect(findingOf({ waysOut })).toEqual({
      rule: "script-left-out",
      severity: "fail",
      cueIds: [],
      message:
        "“A dog.” at at 4 is not spoken: no pause near it is long enough; it needs 3.0 s and lacks 1.3 s. Ways out: four words less; a hold of 3 s",
      range: { start: 4, end: 6 },
      measured: 3,
      limit: 1.75,
      unit: "s",
      source: "a person's script is spoken as it is",
    });
  });

  test("is there for every line that is left out, whichever it is", () => {
    fc.assert(
      fc.property(outcomes, (outcome) => {
        expect(leftOutFindings(outcome, String).map(({ range }) => range)).toEqual(
          outcome.leftOut.map(({ start, end }) => ({ start, end })),
        );
      }),
    );
  });

  test("says no more than is known", () => {
    expect(findingOf({ lackingSeconds: 0, reason: "unknown" })?.message).toBe(
      "“A dog.” at at 4 is not spoken: it needs 3.0 s",
    );
    const wordless = { lackingSeconds: 0, neededSeconds: 0 };
    expect(findingOf({ ...wordless, reason: "crowded" })?.message).toBe(
      "“A dog.” at at 4 is not spoken: other descriptions have its place",
    );
    expect(findingOf({ ...wordless, reason: "unknown" })?.message).toBe("“A dog.” at at 4 is not spoken");
    expect(findingOf({ lackingSeconds: 5 })?.limit).toBe(0);
  });
});
