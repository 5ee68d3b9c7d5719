import { expect, test } from "vitest";
import { minutesHere } from "../../../src/engine/local/eyes-pace.ts";

test("what a model takes is told in minutes, of which the last is counted whole", () => {
  const told = [1, 60, 61, 600, 3601].map(minutesHere);
  expect(told).toEqual([1, 1, 2, 10, 61].map((minutes) => `about ${minutes} min on this computer`));
});
