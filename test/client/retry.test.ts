import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Failure, REFUSAL_BUDGET_MS, type Repeat, retryDelayMs } from "../../src/client/retry.ts";
import { isRequestErrorCode, REQUEST_ERRORS } from "../../src/contract/error-codes.ts";
import { numbersBetween } from "../numbers-between.ts";

const middle = () => 0.5;
const answer = (status: number, code: string, retryAfterSeconds?: number): Failure => ({
  kind: "answer",
  status,
  code,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});
const silence = (mayHaveArrived: boolean): Failure => ({ kind: "no-answer", mayHaveArrived });

describe("the decision to send again", () => {
  test.each<[string, Failure, Repeat, number | null]>([
    ["silence, safe to repeat", silence(true), "safe", 500],
    ["silence after a generation request", silence(true), "only-if-refused", null],
    ["a generation request that never left", silence(false), "only-if-refused", 500],
    ["a server fault, safe to repeat", answer(500, "internal_error"), "safe", 500],
    ["a server fault after a generation request", answer(500, "internal_error"), "only-if-refused", null],
    ["a gateway after a generation request", answer(502, "service_unavailable"), "only-if-refused", null],
    ["silence after a keyed request", silence(true), "keyed", 500],
    ["a gateway after a keyed request", answer(502, "service_unavailable"), "keyed", 500],
    ["half a reply to a keyed request", answer(200, "reply_unreadable"), "keyed", 500],
    ["a server fault after a keyed request", answer(500, "internal_error"), "keyed", null],
    ["a refusal of a keyed request", answer(400, "invalid_input"), "keyed", null],
    ["a page in place of JSON", answer(200, "reply_unreadable"), "safe", 500],
    ["a service that is away and says for how long", answer(503, "service_unavailable", 7), "safe", 7000],
    ["the same, of a keyed request", answer(503, "service_unavailable", 7), "keyed", 7000],
    ["the same, of a request that may have been done", answer(503, "service_unavailable", 7), "only-if-refused", null],
    ["a service that is away and gives no pause", answer(503, "service_unavailable", 0), "safe", 500],
    ["a redirect", answer(302, "reply_unreadable"), "safe", null],
    ["a refusal", answer(400, "invalid_input"), "safe", null],
    ["a code that never was", answer(400, "toString"), "safe", null],
  ])("after %s", (_name, failure, repeat, expected) => {
    expect(retryDelayMs({ failure, repeat, attempts: 1, waitedMs: 0 }, middle)).toBe(expected);
  });

  test.each(Object.keys(REQUEST_ERRORS).filter(isRequestErrorCode))(
    "ERR-12 ERR-13: after %s follows the table for generation requests",
    (code) => {
      const failure = answer(REQUEST_ERRORS[code].status, code);
      const delay = retryDelayMs({ failure, repeat: "only-if-refused", attempts: 1, waitedMs: 0 }, middle);
      expect(delay).toBe(REQUEST_ERRORS[code].retry === "after-delay" ? 2000 : null);
    },
  );

  test("ERR-24: the server's time wins and gets no jitter", () => {
    for (const random of [0, 0.3, 0.99]) {
      const failure = answer(429, "rate_limit_exceeded", 7.25);
      expect(retryDelayMs({ failure, repeat: "safe", attempts: 3, waitedMs: 0 }, () => random)).toBe(7250);
    }
  });

  test("delays of our own stay within a quarter of their step, and never above 15 s and a quarter", () => {
    fc.assert(
      fc.property(numbersBetween(0, 1), fc.integer({ min: 1, max: 3 }), (random, attempts) => {
        const delay = retryDelayMs({ failure: silence(true), repeat: "safe", attempts, waitedMs: 0 }, () => random);
        const step = 500 * 2 ** (attempts - 1);
        expect(delay).toBeGreaterThanOrEqual(step * 0.75 - 1);
        expect(delay).toBeLessThanOrEqual(step * 1.25 + 1);
      }),
    );
    const late = { failure: answer(409, "upload_not_ready"), repeat: "safe" as const, attempts: 40, waitedMs: 0 };
    expect(retryDelayMs(late, () => 1)).toBe(18_750);
  });

  test("stops after four attempts, or as many as a transfer is allowed", () => {
    const at = (attempts: number, maxAttempts?: number) =>
      retryDelayMs(
        {
          failure: silence(true),
          repeat: "safe",
          attempts,
          waitedMs: 0,
          ...(maxAttempts === undefined ? {} : { maxAttempts }),
        },
        middle,
      );
    expect([at(3), at(4), at(7, 8), at(8, 8)]).toEqual([2000, null, 15_000, null]);
  });

  test.each([
    ["reply_unreadable", [200, 299, 408, 500, 599], [199, 300, 407, 409, 499]],
    ["invalid_input", [408, 500, 599], [200, 299, 407, 409, 499]],
  ])("of answers with %s, faults may be gone a moment later, and no others", (code, faults, others) => {
    const delayAfter = (status: number) =>
      retryDelayMs({ failure: answer(status, code), repeat: "safe", attempts: 1, waitedMs: 0 }, middle);
    expect(faults.map(delayAfter)).toEqual(faults.map(() => 500));
    expect(others.map(delayAfter)).toEqual(others.map(() => null));
  });

  test("waits for as long as the budget, to the last millisecond", () => {
    const failure = answer(429, "rate_limit_exceeded", 7);
    const delayAfter = (waitedMs: number) => retryDelayMs({ failure, repeat: "safe", attempts: 9, waitedMs }, middle);
    expect(REFUSAL_BUDGET_MS).toBe(900_000);
    expect([delayAfter(893_000), delayAfter(893_001)]).toEqual([7000, null]);
  });

  test("stops when waiting would go beyond the budget", () => {
    const failure = answer(409, "upload_not_ready");
    expect(retryDelayMs({ failure, repeat: "safe", attempts: 99, waitedMs: REFUSAL_BUDGET_MS - 1 }, middle)).toBeNull();
  });
});
