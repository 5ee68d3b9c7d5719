import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Candidate, chooseCandidates, type Spacing } from "../../src/core/candidate-choice.ts";

const SPACING: Spacing = {
  minimumSeconds: 1,
  comfort: [
    { belowSeconds: 3, cost: 2 },
    { belowSeconds: 2, cost: 5 },
  ],
};

/** Price of the distance between two neighbours, straight from the definition; `null` when they are too close. */
function distanceCost(seconds: number, spacing: Spacing): number | null {
  if (seconds < spacing.minimumSeconds) return null;
  const costs = spacing.comfort.filter((step) => seconds < step.belowSeconds).map((step) => step.cost);
  return costs.length === 0 ? 0 : Math.max(...costs);
}

/** Worth of the best chain by trying every combination. */
function bestByExhaustion(items: readonly (readonly Candidate[])[], spacing: Spacing): number {
  const search = (item: number, freeFrom: number): number => {
    if (item === items.length) return 0;
    let best = search(item + 1, freeFrom);
    for (const candidate of items[item] ?? []) {
      const cost = distanceCost(candidate.start - freeFrom, spacing);
      if (candidate.worth > 0 && cost !== null)
        best = Math.max(best, candidate.worth - cost + search(item + 1, candidate.end));
    }
    return best;
  };
  return search(0, Number.NEGATIVE_INFINITY);
}

function worthOfChoice(chosen: readonly (Candidate | null)[], spacing: Spacing): number {
  let worth = 0;
  let freeFrom = Number.NEGATIVE_INFINITY;
  for (const candidate of chosen) {
    if (candidate === null) continue;
    const cost = distanceCost(candidate.start - freeFrom, spacing);
    expect(cost).not.toBeNull();
    worth += candidate.worth - (cost ?? 0);
    freeFrom = candidate.end;
  }
  return worth;
}

const candidate = fc
  .record({
    start: fc.integer({ min: 0, max: 40 }),
    length: fc.integer({ min: 0, max: 6 }),
    worth: fc.integer({ min: -2, max: 20 }),
  })
  .map(({ start, length, worth }): Candidate => ({ start: start / 2, end: (start + length) / 2, worth }));

describe("choosing candidates", () => {
  test("finds the same worth as trying every combination", () => {
    fc.assert(
      fc.property(fc.array(fc.array(candidate, { maxLength: 4 }), { maxLength: 5 }), (items) => {
        const chosen = chooseCandidates(items, SPACING);
        expect(worthOfChoice(chosen, SPACING)).toBe(bestByExhaustion(items, SPACING));
      }),
      { numRuns: 500 },
    );
  });

  test("and so it does where items follow each other, with any distances", () => {
    const followers = fc.array(fc.array(candidate, { maxLength: 4 }), { maxLength: 6 }).map((items) =>
      items.map((all, item) =>
        all.map(({ start, end, worth }) => ({
          start: 4 * item + start / 4,
          end: 4 * item + start / 4 + end - start,
          worth,
        })),
      ),
    );
    const spacings = fc
      .tuple(fc.constantFrom(0, 1, 2.5), fc.uniqueArray(fc.constantFrom(1, 2, 3, 4, 6), { maxLength: 3 }))
      .map(
        ([minimumSeconds, below]): Spacing => ({
          minimumSeconds,
          comfort: below.sort((a, b) => b - a).map((belowSeconds, index) => ({ belowSeconds, cost: 3 * (index + 1) })),
        }),
      );
    fc.assert(
      fc.property(followers, spacings, (items, spacing) => {
        const chosen = chooseCandidates(items, spacing);
        expect(chosen).toHaveLength(items.length);
        expect(worthOfChoice(chosen, spacing)).toBe(bestByExhaustion(items, spacing));
      }),
      { numRuns: 500 },
    );
  });

  test("keeps the order of the items and the smallest distance", () => {
    const items = [
      [{ start: 5, end: 6, worth: 10 }],
      [{ start: 1, end: 2, worth: 5 }],
      [{ start: 6.5, end: 7, worth: 3 }],
    ];
    expect(chooseCandidates(items, SPACING)).toEqual([{ start: 5, end: 6, worth: 10 }, null, null]);
  });

  test("leaves out what is worth nothing", () => {
    expect(chooseCandidates([[{ start: 0, end: 1, worth: 0 }]], SPACING)).toEqual([null]);
  });
});
