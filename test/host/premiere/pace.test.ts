import { expect, test } from "vitest";
import { batchesOf, SAFE_PACE, slowed } from "../../../src/host/premiere/pace.ts";

test("a Premiere that crashes under fast changes gets half of each, five clips at most, at four times the distance", () => {
  expect(slowed(SAFE_PACE)).toEqual({
    ...SAFE_PACE,
    clipsPerRemoval: 12,
    clipsPerTransaction: 5,
    parametersPerTransaction: 5,
    pauseMs: 1600,
    commitsInARow: 6,
    restMs: 6000,
  });
  const { clipsPerTransaction, clipsPerRemoval } = slowed({ ...SAFE_PACE, clipsPerTransaction: 8, clipsPerRemoval: 1 });
  expect([clipsPerTransaction, clipsPerRemoval]).toEqual([4, 1]);
});

test.each<[readonly number[], number, readonly (readonly number[])[]]>([
  [[], 3, []],
  [[1, 1, 1, 1], 3, [[1, 1, 1], [1]]],
  [[2, 2, 1], 3, [[2], [2, 1]]],
  [[5, 1, 5], 3, [[5], [1], [5]]],
])("%j is cut into runs of at most %i: %j", (entries, limit, runs) => {
  expect(batchesOf(entries, limit, (cost) => cost)).toEqual(runs);
});
