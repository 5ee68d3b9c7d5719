import { describe, expect, test } from "vitest";
import { CLIENT_ERROR_CODES, ServiceError } from "../../src/client/errors.ts";
import { JOB_FAILURES, REQUEST_ERRORS } from "../../src/contract/error-codes.ts";
import { AudioDescriptionError, ConnectionError } from "../../src/core/error.ts";
import { HOST_ERROR_CODES, HostError } from "../../src/host/host-error.ts";
import { JobFailedError, saysSettingsDamaged, WORKFLOW_ERROR_CODES } from "../../src/workflow/errors.ts";
import { explain } from "../../src/workflow/explain.ts";
import { explainedCodes } from "../explained-codes.ts";

/** An error of this project with any code. */
class Other extends AudioDescriptionError<string> {}

describe("the sentence for every code", () => {
  const rows = explainedCodes();

  test("PANEL-18: every code of the service, of jobs, client, host and workflow has one, and no other code has", () => {
    const codesOf = (origin: string) => rows.filter((row) => row.origin === origin).map(({ code }) => code);
    expect(codesOf("service")).toEqual(Object.keys(REQUEST_ERRORS));
    expect(codesOf("job")).toEqual(Object.keys(JOB_FAILURES));
    expect(codesOf("client")).toEqual([...CLIENT_ERROR_CODES]);
    expect(codesOf("host")).toEqual([...HOST_ERROR_CODES]);
    expect(codesOf("workflow")).toEqual([...WORKFLOW_ERROR_CODES]);
    expect(rows).toHaveLength(new Set(rows.map(({ origin, code }) => `${origin} ${code}`)).size);
  });

  test("PANEL-18: says in whole sentences what happened and what to do, and no two say the same", () => {
    for (const { sentence, next } of rows) {
      expect(sentence).toMatch(/^[A-Z].{12,}\.$/);
      expect(next).toMatch(/^[A-Z].{8,}\.$/);
    }
    expect(new Set(rows.map(({ sentence }) => sentence)).size).toBe(rows.length);
  });

  test("ERR-25: no pause offers both cures", () => {
    const { next } = explain(new JobFailedError("standard_ad_not_enough_gaps", "m", { jobId: "j" }));
    expect(next).toMatch(/auto fit off.*Extended AD/);
  });

  test("ERR-26 ERR-27: what a repeat meets again does not offer one", () => {
    for (const code of ["content_blocked", "no_video_stream"] as const) {
      expect(explain(new JobFailedError(code, "m", { jobId: "j" })).next).not.toMatch(/try again/i);
    }
    expect(explain(new JobFailedError("internal_error", "m", { jobId: "j" })).next).toMatch(/^Try again/);
  });

  test("VER-03: the five failure codes of the interface keep their names, and others come after them", () => {
    expect(Object.keys(JOB_FAILURES).slice(0, 5)).toEqual([
      "standard_ad_not_enough_gaps",
      "content_blocked",
      "no_video_stream",
      "voice_unavailable",
      "internal_error",
    ]);
  });
});

describe("an error in words", () => {
  test("ERR-04 ERR-14: shows what the server says where that says more", () => {
    const error = new ServiceError("invalid_input", "language: xx-QQ is not supported", { status: 400 });
    expect(explain(error)).toMatchObject({
      code: "invalid_input",
      sentence: "The service refused something in the request. Language: xx-QQ is not supported.",
    });
  });

  test("OPEN-23 ERR-08: names feature and plan", () => {
    const context = { status: 403, feature: "allow_standard_ad", planName: "Basic" };
    expect(explain(new ServiceError("feature_not_available", "no", context)).sentence).toMatch(
      /Feature: allow_standard_ad\. Plan: Basic\.$/,
    );
  });

  test("ERR-23: says how long to wait", () => {
    const error = new ServiceError("rate_limit_exceeded", "m", { status: 429, retryAfterSeconds: 36.2 });
    expect(explain(error).next).toBe("Try again in 37 s.");
  });

  test("of each code is its sentence and what to do about it, with its own words where these say more", () => {
    for (const { origin, code, sentence, next } of explainedCodes()) {
      // Each code is one of its origin's.
      const error =
        origin === "job"
          ? new JobFailedError(code as never, "one thing", { jobId: "j" })
          : origin === "host"
            ? new HostError(code as never, "one thing", { operation: "o", state: "s" })
            : origin === "service"
              ? new ServiceError(code as never, "one thing", { status: 400 })
              : new Other(code, "one thing");
      const said = explain(error);
      expect([said.code, said.next]).toEqual([code, next]);
      const told = origin === "host" ? ["One thing."] : [sentence, `${sentence} One thing.`];
      expect(told).toContain(said.sentence);
    }
    const quoted = explain(new ServiceError("unauthorized", "one thing", { status: 401 }));
    expect(quoted.sentence).not.toContain("One thing");
  });

  test("that nobody has words for says its own, as a sentence", () => {
    for (const [message, sentence] of [
      [" one thing ", "One thing."],
      ["is it?", "Is it?"],
      ["It is…", "It is…"],
      ["no! ", "No!"],
    ] as const) {
      expect(explain(new Other("odd", message))).toEqual({ code: "odd", sentence, next: "" });
    }
    expect(explain(new Other("toString", "one thing")).sentence).toBe("One thing.");
    expect(explain(new TypeError("x")).next).toMatch(/report/);
  });

  test("settings that a service cannot read are told by its own word for them", () => {
    const of = (foreignCode?: string) =>
      new ServiceError("internal_error", "m", { status: 500, ...(foreignCode === undefined ? {} : { foreignCode }) });
    expect([of("settings_damaged"), of("other"), of()].map(saysSettingsDamaged)).toEqual([true, false, false]);
    expect(saysSettingsDamaged({ foreignCode: "settings_damaged" })).toBe(false);
    expect(saysSettingsDamaged(null)).toBe(false);
  });

  test("tells a failed job from a refused request of the same name", () => {
    const job = explain(new JobFailedError("no_video_stream", "m", { jobId: "j" }));
    const request = explain(new ServiceError("no_video_stream", "m", { status: 415 }));
    expect(job.sentence).not.toBe(request.sentence);
  });

  test("lets a host speak for itself", () => {
    const error = new HostError("disk_full", 'there is no room for "a.wav"', { operation: "o", state: "s" });
    expect(explain(error).sentence).toBe('There is no room for "a.wav".');
  });

  test("a lost connection says what failed", () => {
    const error = new ConnectionError("a.b cannot be reached (ECONNREFUSED)", { mayHaveArrived: false });
    expect(explain(error).sentence).toContain("A.b cannot be reached (ECONNREFUSED).");
  });

  test("what nobody foresaw is called by its own message", () => {
    expect(explain(new TypeError("x is not a function"))).toMatchObject({ code: "internal_error" });
    expect(explain("text")).toMatchObject({ sentence: "Something unexpected happened: text" });
  });
});
