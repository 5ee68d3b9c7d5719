import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateText, ModelBudget } from "../../../src/engine/models/model-budget.ts";
import { PRESETS, presetNamed } from "../../../src/engine/models/presets.ts";
import { VisionError } from "../../../src/engine/models/refusal.ts";
import { numbersBetween } from "../../numbers-between.ts";

const FREE = { baseUrl: "http://127.0.0.1:9/v1", model: "m", apiKey: "k", timeoutSeconds: 1 };
const PRICED = { ...FREE, pricePerMillion: { input: 2, output: 10 } };
const ONE = { requests: 1, pictures: 4, textTokens: 1000, answerTokens: 500 };

test("adds up requests, tokens and cost", () => {
  const budget = new ModelBudget(PRICED);
  budget.add({ inputTokens: 1_000_000, outputTokens: 100_000 });
  budget.add({ inputTokens: 500_000, outputTokens: 0 });
  expect(budget).toMatchObject({ requests: 2, inputTokens: 1_500_000, outputTokens: 100_000 });
  expect(budget.cost).toBeCloseTo(4);
  expect(new ModelBudget(FREE).cost).toBeNull();
  expect(new ModelBudget(FREE).estimate(ONE).cost).toBeNull();
});

test.each(PRESETS.map(({ name }) => name))(
  "an estimate for %s counts its pictures, its words and its answers",
  (name) => {
    const preset = presetNamed(name);
    const estimate = new ModelBudget({ ...PRICED, ...(preset === undefined ? {} : { preset }) }).estimate(ONE);
    const input = 1000 + 4 * (preset?.tokensPerPicture ?? 0);
    expect(estimate).toEqual({ requests: 1, inputTokens: input, outputTokens: 500, cost: (input * 2 + 5000) / 1e6 });
  },
);

test.each([
  [900, 99, null, "about 7 requests, 1 thousand tokens"],
  [1_000, 1, null, "about 7 requests, 2 thousand tokens"],
  [999_000, 0, 3.1, "about 7 requests, 999 thousand tokens, cost 3.10"],
  [999_000, 1_000, 0, "about 7 requests, 1.0 million tokens, cost 0.00"],
])("%i tokens in and %i out are told in words", (inputTokens, outputTokens, cost, words) => {
  expect(estimateText({ requests: 7, inputTokens, outputTokens, cost })).toBe(words);
});

test("whatever is asked, and however many at once, no more is spent than the ceiling where answers keep to the estimate", () => {
  const work = fc.record({
    requests: fc.constant(1),
    pictures: fc.nat(16),
    textTokens: fc.nat(5000),
    answerTokens: fc.nat(3000),
  });
  fc.assert(
    fc.property(fc.array(work, { minLength: 1 }), numbersBetween(0, 0.2), (works, ceiling) => {
      const budget = new ModelBudget(PRICED, ceiling);
      const underWay: (() => void)[] = [];
      try {
        for (const [index, next] of works.entries()) {
          const release = budget.requireRoom(next);
          underWay.push(() => {
            budget.add(budget.estimate(next));
            release();
          });
          if (index % 3 === 2) for (const done of underWay.splice(0)) done();
        }
      } catch (error) {
        expect(error).toBeInstanceOf(VisionError);
      }
      for (const done of underWay) done();
      expect(budget.cost).toBeLessThanOrEqual(ceiling + 1e-9);
    }),
  );
});

test("before the ceiling is passed a sentence says what was done and how to continue", () => {
  const { cost } = new ModelBudget(PRICED).estimate(ONE);
  const budget = new ModelBudget(PRICED, (cost ?? 0) * 1.5);
  const release = budget.requireRoom(ONE);
  expect(() => budget.requireRoom(ONE)).toThrow(VisionError);
  release();
  release();
  budget.requireRoom(ONE)();
  budget.add({ inputTokens: 6000, outputTokens: 500 });
  expect(() => budget.requireRoom(ONE)).toThrow(
    /^The ceiling of [\d.]+ is reached after 1 request, .*Answers so far are kept; raise --max-cost to continue\.$/,
  );
  expect(() => budget.requireRoom(ONE)).toThrow(expect.objectContaining({ code: "vision_ceiling" }));
});

test("a ceiling without a price is refused", () => {
  expect(() => new ModelBudget(FREE, 1)).toThrow(expect.objectContaining({ code: "vision_incomplete" }));
  expect(() => new ModelBudget(FREE, 1)).toThrow("ASIDE_VISION_PRICE");
  expect(() => new ModelBudget(FREE).requireRoom(ONE)).not.toThrow();
});

test("the lower of two ceilings counts, the one of every job and the one of this, and is named as what to raise", () => {
  const settings = { ...PRICED, costCeiling: 0.01 };
  const dear = { ...ONE, answerTokens: 5_000 };
  expect(() => new ModelBudget(settings).requireRoom(dear)).toThrow(/ceiling of 0\.01 .*limits\.cost/);
  expect(() => new ModelBudget(settings, 5).requireRoom(dear)).toThrow(/ceiling of 0\.01 .*limits\.cost/);
  expect(() => new ModelBudget(settings, 0.001).requireRoom(dear)).toThrow(/ceiling of 0\.001 .*--max-cost/);
  expect(() => new ModelBudget({ ...settings, costCeiling: 5 }).requireRoom(dear)()).not.toThrow();
  // What costs nothing has no ceiling.
  expect(() => new ModelBudget({ ...FREE, costCeiling: 0.01 }).requireRoom(dear)()).not.toThrow();
});
