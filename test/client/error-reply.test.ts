import { describe, expect, test } from "vitest";
import { errorFromReply } from "../../src/client/errors.ts";
import { isRequestErrorCode, REQUEST_ERRORS } from "../../src/contract/error-codes.ts";

function errorOf(status: number, body: unknown, isDeletion = false) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return errorFromReply({ status, text, retryAfter: null }, { secrets: ["key-1"], nowMs: 0, isDeletion });
}

describe("the code of an error reply", () => {
  test.each(Object.keys(REQUEST_ERRORS).filter(isRequestErrorCode))("ERR-01: is %s when `error` says so", (code) => {
    expect(errorOf(REQUEST_ERRORS[code].status, { error: code, message: "m" })).toMatchObject({ code, message: "m" });
  });

  test("ERR-02 ERR-10 ERR-18: is read from `code` before prose in `error`, which becomes the message", () => {
    const error = errorOf(409, {
      error: "Media is not ready yet",
      code: "upload_not_ready",
      upload_status: "processing",
    });
    expect(error).toMatchObject({
      code: "upload_not_ready",
      message: "Media is not ready yet",
      uploadStatus: "processing",
    });
  });

  test.each([
    [{ error: "The media is still being processed" }, "upload_not_ready"],
    [{ error: "Verification failed for this media" }, "upload_failed"],
    [{ error: "Conflict here", upload_status: "rejected" }, "upload_failed"],
    [{}, "upload_not_ready"],
  ])("ERR-02 ERR-03: is told from the media's state when %j is all a conflict says", (body, code) => {
    expect(errorOf(409, body).code).toBe(code);
  });

  test("OPEN-17: is about the job when a deletion is refused with 409", () => {
    expect(errorOf(409, { error: "Job is still running" }, true).code).toBe("job_not_deletable");
  });

  test.each([
    [400, "invalid_input"],
    [401, "unauthorized"],
    [403, "feature_not_available"],
    [404, "not_found"],
    [405, "method_not_allowed"],
    [413, "file_too_large"],
    [415, "no_video_stream"],
    [422, "invalid_input"],
    [429, "rate_limit_exceeded"],
    [500, "internal_error"],
    [502, "service_unavailable"],
    [503, "service_unavailable"],
    [504, "service_unavailable"],
    [418, "invalid_input"],
    [301, "reply_unreadable"],
  ])("OPEN-30 OPEN-33: follows status %i where the body says nothing known", (status, code) => {
    for (const body of [
      "",
      "<html><h1>Oops</h1></html>",
      '{"error": "something_new"}',
      "[1]",
      "null",
      '{"error": {}}',
    ]) {
      expect(errorOf(status, body).code).toBe(code);
    }
  });

  test("keeps a code it does not know beside the one it counts as", () => {
    expect(errorOf(403, { error: "region_blocked" })).toMatchObject({
      code: "feature_not_available",
      foreignCode: "region_blocked",
    });
  });

  test("reads the older name of a spent allowance", () => {
    expect(errorOf(403, { error: "limit_reached", message: "spent" }).code).toBe("plan_limit_exceeded");
  });
});

describe("what else an error reply says", () => {
  test("ERR-05: keeps details, and has none where none were sent", () => {
    expect(errorOf(400, { error: "invalid_input", message: "m", details: "more" }).details).toBe("more");
    expect(errorOf(400, { error: "invalid_input", message: "m" }).details).toBeUndefined();
  });

  test("OPEN-23: names the feature and the plan that lacks it", () => {
    expect(
      errorOf(403, { error: "feature_not_available", message: "m", feature: "allow_standard_ad", plan_name: "Basic" }),
    ).toMatchObject({ feature: "allow_standard_ad", planName: "Basic" });
  });

  test("ERR-23: reads the six fields of a rate limit", () => {
    const body = {
      error: "rate_limit_exceeded",
      message: "m",
      limit: 60,
      remaining: 0,
      reset: 1700000000,
      retry_after: 3,
    };
    expect(errorOf(429, body)).toMatchObject({
      code: "rate_limit_exceeded",
      message: "m",
      retryAfterSeconds: 3,
      rateLimit: { limit: 60, remaining: 0, reset: 1700000000 },
    });
  });

  test("takes the start of the next window where no wait is given", () => {
    expect(errorOf(429, { error: "rate_limit_exceeded", reset: 25 }).retryAfterSeconds).toBe(25);
  });

  test("ERR-04 ERR-14: repeats the server's message, without keys or the queries of addresses", () => {
    const message = "source_url https://u:p@example.com/v.mp4?X-Goog-Signature=abc is private, key-1 or vsk_abcdefghij";
    expect(errorOf(400, { error: "invalid_input", message }).message).toBe(
      "source_url https://example.com/v.mp4?[hidden] is private, [hidden] or [hidden]",
    );
  });

  test("has a sentence of its own where the server sends none", () => {
    for (const status of [300, 400, 401, 403, 404, 409, 415, 429, 500, 502]) {
      expect(errorOf(status, "").message).toMatch(/\w+ \w+.*\(HTTP \d+\)/);
    }
  });

  test("reads the errors of frameworks that a service may be built with", () => {
    expect(errorOf(422, { detail: [{ loc: ["body", "media_id"], msg: "field required" }] }).message).toContain(
      "media_id",
    );
    expect(errorOf(400, { error: { code: 7, message: "inner" } }).message).toBe("inner");
  });

  test("cuts a message that is too long for a person", () => {
    expect(errorOf(400, { error: "invalid_input", message: "x".repeat(9000) }).message).toHaveLength(500);
  });
});
