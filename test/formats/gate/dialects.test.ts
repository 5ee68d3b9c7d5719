import { expect, test } from "vitest";
import { IS_THOROUGH } from "../../thorough/thorough-test.ts";
import { dialects, outcomeOf } from "./dialects.ts";

test("no text on the sample is read wrong without a word, whatever its clock, unit and language", () => {
  const cells = [...dialects(IS_THOROUGH)].map((cell) => ({
    cell,
    outcome: outcomeOf(cell),
  }));
  const wrong = cells.filter(({ outcome }) => outcome === "wrong").map(({ cell }) => cell.name);
  expect(wrong).toEqual([]);
  const right = cells.filter(({ outcome }) => outcome === "right").length;
  expect(right / cells.length).toBeGreaterThan(0.85);
});
