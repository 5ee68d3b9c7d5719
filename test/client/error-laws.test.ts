import { describe, expect, test } from "vitest";
import {
  DownloadError,
  errorFromReply,
  redact,
  retryAfterSeconds,
  SubmissionError,
  UploadError,
} from "../../src/client/errors.ts";
import { isRequestErrorCode, REQUEST_ERRORS } from "../../src/contract/error-codes.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const errorOf = (status: number, body: unknown, isDeletion = false) =>
  errorFromReply(
    { status, text: typeof body === "string" ? body : JSON.stringify(body), retryAfter: null },
    { secrets: ["secret-key"], nowMs: NOW, isDeletion },
  );

describe("the error of a reply", () => {
  test("has a code by its status where the reply has none", () => {
    const codes = Object.fromEntries(
      [301, 399, 400, 401, 402, 403, 404, 407, 409, 413, 418, 422, 429, 499, 500, 501, 502, 503, 504, 599].map(
        (status) => [status, errorOf(status, "").code],
      ),
    );
    expect(codes).toEqual({
      301: "reply_unreadable", 399: "reply_unreadable", 400: "invalid_input", 401: "unauthorized", 402: codes[402],
      403: "feature_not_available", 404: "not_found", 407: "unauthorized", 409: "upload_not_ready", 413: "file_too_large",
      418: "invalid_input", 422: "invalid_input", 429: "rate_limit_exceeded", 499: "invalid_input", 500: "internal_error",
      501: "internal_error", 502: "service_unavailable", 503: "service_unavailable", 504: "service_unavailable",
      599: "internal_error",
    }); // biome-ignore format: a table reads better in rows
    expect(errorOf(409, "", true).code).toBe("job_not_deletable");
  });

  test("is that of its own word, of today or of an older edition, before its status", () => {
    for (const code of Object.keys(REQUEST_ERRORS).filter(isRequestErrorCode)) {
      expect(errorOf(418, { error: code }).code).toBe(code);
      expect(errorOf(500, { code, error: "prose of it" })).toMatchObject({
        code,
        message: "prose of it",
        foreignCode: undefined,
      });
    }
    expect(errorOf(400, { code: "limit_reached" })).toMatchObject({
      code: "plan_limit_exceeded",
      foreignCode: "limit_reached",
    });
    expect(errorOf(400, { error: "too_many_requests" }).code).toBe("rate_limit_exceeded");
    expect(errorOf(400, { code: "their_word", error: "not_found" }).code).toBe("not_found");
    for (const word of ["toString", "constructor"])
      expect(errorOf(404, { error: word })).toMatchObject({ code: "not_found", foreignCode: word });
    expect(errorOf(404, { error: "two words" }).foreignCode).toBeUndefined();
    expect(errorOf(404, {}).foreignCode).toBeUndefined();
  });

  test("says the reply's own sentence, wherever it stands, else one for its code and status", () => {
    const said = (body: unknown, status = 400) => errorOf(status, body).message;
    expect(said({ message: "It is too long.", error: "other words" })).toBe("It is too long.");
    expect(said({ error: "It is too long." })).toBe("It is too long.");
    expect(said({ error: { message: "Nested words." } })).toBe("Nested words.");
    expect(said({ detail: "A detail." })).toBe("A detail.");
    expect(said({ detail: [{ loc: ["body"], msg: "bad" }] })).toBe('[{"loc":["body"],"msg":"bad"}]');
    expect(said({ error: "invalid_input" })).toBe(`${REQUEST_ERRORS.invalid_input.meaning} (HTTP 400)`);
    expect(said("", 503)).toContain("(HTTP 503)");
    expect(said("", 503)).toMatch(/gateway/);
    for (const status of [300, 302, 399]) expect(said("", status)).toMatch(/redirects/);
    expect(said("", 299)).toMatch(/cannot be understood/);
    expect(said("", 404)).toBe(`${REQUEST_ERRORS.not_found.meaning} (HTTP 404)`);
  });

  test("a conflict over media is a failed upload only where the reply says so", () => {
    expect(errorOf(409, { upload_status: "failed" }).code).toBe("upload_failed");
    expect(errorOf(409, { error: "upload failed" }).code).toBe(errorOf(409, { upload_status: "upload failed" }).code);
    for (const body of [{}, { upload_status: "processing" }, { error: "Media is still processing" }]) {
      expect(errorOf(409, body).code).toBe("upload_not_ready");
    }
  });

  test("a rate limit is known whole or not at all", () => {
    const limit = { limit: 10, remaining: 0, reset: 99 };
    expect(errorOf(429, limit).rateLimit).toEqual(limit);
    for (const name of Object.keys(limit)) expect(errorOf(429, { ...limit, [name]: "x" }).rateLimit).toBeUndefined();
  });

  test("keeps every part of it clean of secrets", () => {
    const body = {
      details: "d secret-key",
      upload_status: "u secret-key",
      feature: "f secret-key",
      plan_name: "p secret-key",
      message: "m secret-key",
      code: "secret-key",
    };
    const error = errorOf(400, body);
    const { details, uploadStatus, feature, planName, message, foreignCode } = error;
    expect([details, uploadStatus, feature, planName, message, foreignCode]).toEqual([
      "d [hidden]", "u [hidden]", "f [hidden]", "p [hidden]", "m [hidden]", "[hidden]",
    ]); // biome-ignore format: a row
  });
});

test("the time to wait is the body's, else the header's, as seconds or a date, else until the window begins anew", () => {
  const wait = (retryAfter: string | null, body: Readonly<Record<string, unknown>> = {}) =>
    retryAfterSeconds({ retryAfter }, body, NOW);
  const reset = { reset: NOW / 1000 + 30 };
  expect([wait("7", { retry_after: 3, ...reset }), wait("7", reset), wait(null, reset)]).toEqual([3, 7, 30]);
  expect([wait("Thu, 01 Jan 2026 00:00:45 GMT"), wait("Wed, 31 Dec 2025 00:00:00 GMT")]).toEqual([45, 0]);
  expect([wait("-5"), wait(null, { retry_after: -5 }), wait(null, { reset: 1 })]).toEqual([0, 0, 0]);
  for (const none of [null, "", "  ", "soon"]) {
    expect(wait(none)).toBeUndefined();
    expect(wait(none, reset)).toBe(30);
  }
});

test("errors keep what they come from, and their code", () => {
  const cause = new Error("cause");
  const errors = [
    new SubmissionError("m", cause),
    new UploadError("upload_refused", "m", { status: 403, storageCode: "c", cause }),
    new DownloadError("result_damaged", "m", { status: null, cause }),
  ];
  expect(errors.map((error) => [error.name, error.code, error.cause])).toEqual([
    ["SubmissionError", "submission_unknown", cause],
    ["UploadError", "upload_refused", cause],
    ["DownloadError", "result_damaged", cause],
  ]);
  expect(errors[1]).toMatchObject({ status: 403, storageCode: "c" });
});

test("what is shown is cut at its limits, never inside a secret", () => {
  expect(redact("x".repeat(500))).toBe("x".repeat(500));
  expect(redact("x".repeat(501))).toBe(`${"x".repeat(499)}…`);
  expect(redact(`  a${"\n".repeat(3)}b  `)).toBe("a b");
  // The cut after eight thousand signs falls into a key: its half goes too.
  const text = `${" ".repeat(7_990)}vsk_0123456789abcdef and more`;
  expect(redact(text)).toBe("");
  expect(redact(`${" ".repeat(7_000)}word ${"y".repeat(2_000)}`)).toBe("word");
});
