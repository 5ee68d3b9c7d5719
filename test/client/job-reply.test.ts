import { describe, expect, test } from "vitest";
import { readJob, readOutput, readSubmission } from "../../src/client/job-reply.ts";
import { JOB_FAILURES } from "../../src/contract/error-codes.ts";

const TIMES = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:01:00Z" };
const FACTS = { job_id: "task_1", media_id: "m", ...TIMES };
const VTT = "WEBVTT\n\n00:00.500 --> 00:03.100\nA woman sits at a desk.\n";

describe("a job's state", () => {
  test.each(["queued", "processing", "weird", "RUNNING", "completed?"])(
    "OPEN-05 OPEN-13 STATE-03: %j counts as running and keeps the server's word",
    (status) => {
      expect(readJob({ ...FACTS, status }, "task_1")).toMatchObject({
        status: "running",
        word: status,
        jobId: "task_1",
      });
    },
  );

  test("RES-02 RES-03 RES-08: a done job gives its text and times", () => {
    const job = readJob({ ...FACTS, status: "done", output: { format: "vtt", content: VTT } }, "task_1");
    expect(job).toMatchObject({
      status: "done",
      jobId: "task_1",
      mediaId: "m",
      text: { format: "vtt", content: VTT },
      createdAt: TIMES.created_at,
      updatedAt: TIMES.updated_at,
    });
  });

  test("RES-04 RES-05 OPEN-02: reads both links wherever they stand, and the older name of the video's", () => {
    const links = { audio_signed_url: "https://s/a?x", video_signed_url: "https://s/v?x" };
    expect(readJob({ ...FACTS, status: "done", ...links }, "t")).toMatchObject({
      audioUrl: "https://s/a?x",
      videoUrl: "https://s/v?x",
      text: null,
    });
    expect(readJob({ ...FACTS, status: "done", result_url: "https://s/old" }, "t")).toMatchObject({
      videoUrl: "https://s/old",
    });
  });

  test("OPEN-02 OPEN-20: keeps fields it does not know", () => {
    expect(readJob({ ...FACTS, status: "done", future: { a: 1 } }, "t")?.raw).toHaveProperty("future", { a: 1 });
  });

  test("takes the asked id where the reply has none, and a number for an id", () => {
    expect(readJob({ status: "queued" }, "asked")?.jobId).toBe("asked");
    expect(readJob({ status: "queued", job_id: 17 }, "asked")?.jobId).toBe("17");
  });

  test("is nothing without a state", () => {
    expect(readJob({ job_id: "x" }, "x")).toBeNull();
    expect(readJob({ status: null }, "x")).toBeNull();
  });

  test("reads what a job has used where the server says so, whatever became of it, and else says nothing", () => {
    const cost = { requests: 3, useless: 1, unpriced: 3, spent: null, reserved: null, ceiling: null };
    for (const status of ["processing", "done", "failed"])
      expect(readJob({ status, cost }, "x")).toMatchObject({ cost });
    for (const none of [undefined, "0.12", {}, { requests: 0 }, { spent: 1 }]) {
      expect(readJob({ status: "failed", cost: none }, "x")).not.toHaveProperty("cost");
    }
  });

  test("reads progress where the server reports it, and ignores what is none", () => {
    const progress = { stage: "speak", fraction: 1.5 };
    expect(readJob({ status: "processing", progress }, "x")).toMatchObject({
      progress: { stage: "speak", fraction: 1 },
    });
    expect(readJob({ status: "processing", progress: "half" }, "x")).not.toHaveProperty("progress");
  });

  test("reads what our own service reports and leaves out what is none of it", () => {
    const report = {
      describer: "text",
      speech: [[1, 2, 0.9], "x", [3]],
      music: 5,
      notes: ["n", 1],
      stage_seconds: { fit: 1, x: "y" },
      mix: {
        channels: 2,
        integrated_lufs: -23.1,
        true_peak_dbtp: null,
        cues: [{ id: "a", narration_lufs: -23, ducked_db: 5 }],
      },
      video: { picture: "copied", duration_seconds: 9, pauses: [{ at: 1, video_time: 1, seconds: 2 }], cues: [] },
    };
    expect(readJob({ status: "done", report }, "x")).toMatchObject({
      report: {
        describer: "text",
        speech: [[1, 2, 0.9]],
        music: [],
        silence: [],
        shots: [],
        notes: ["n"],
        stage_seconds: { fit: 1 },
        mix: {
          channels: 2,
          integrated_lufs: -23.1,
          true_peak_dbtp: null,
          cues: [
            { id: "a", narration_lufs: -23, programme_lufs: null, ducked_db: 5, margin_lu: null, over_music: false },
          ],
        },
        video: { picture: "copied", duration_seconds: 9, pauses: [{ at: 1, video_time: 1, seconds: 2 }], cues: [] },
      },
    });
  });

  test("where a text needs the programme held is read, and half of it is not", () => {
    const held = { duration_seconds: 9, pauses: [{ at: 1, video_time: 1, seconds: 2 }], cues: [] };
    const read = (value: object) =>
      (readJob({ status: "done", report: { describer: "x", held: value } }, "x") as { report: object }).report;
    expect(read(held)).toHaveProperty("held", held);
    expect(read({ ...held, pauses: [{ at: 1 }] })).not.toHaveProperty("held");
  });

  test("pauses that are left to be written are read with the link to their page; one that is not whole is left out", () => {
    const pause = { id: "pause-0001", start: 4, end: 9.2, words: 13, hints: ["dark"], before: "Who is there?" };
    const read = (to_write: unknown) =>
      readJob({ status: "done", worksheet_signed_url: "https://s/w?x", report: { describer: "text", to_write } }, "x");
    const { start: _, ...torn } = pause;
    expect(read([pause, torn, { ...pause, id: "pause-0002", unit: "characters", hints: [1, "cut"] }])).toMatchObject({
      worksheetUrl: "https://s/w?x",
      report: { to_write: [pause, { id: "pause-0002", unit: "characters", hints: ["cut"] }] },
    });
    expect(read([torn])).not.toHaveProperty("report.to_write");
  });

  test("half a clock of a video is none", () => {
    const video = { duration_seconds: 9, pauses: [{ at: 1, seconds: 2 }] };
    const { report } = readJob({ status: "done", report: { describer: "x", video } }, "x") as { report: object };
    expect(report).not.toHaveProperty("video");
  });
});

describe("a failed job", () => {
  test.each(Object.keys(JOB_FAILURES))(
    "RES-06 STATE-04 ERR-25 ERR-26 ERR-27 ERR-28 ERR-29: keeps its code %s",
    (code) => {
      const job = readJob({ ...FACTS, status: "failed", error: code, message: "why" }, "x");
      expect(job).toMatchObject({ status: "failed", code, message: "why" });
      expect(job).not.toHaveProperty("foreignCode");
    },
  );

  test("ERR-30: counts as internal_error with a code nobody knows, and shows the message", () => {
    expect(readJob({ status: "failed", error: "brand_new", message: "why" }, "x")).toMatchObject({
      code: "internal_error",
      foreignCode: "brand_new",
      message: "why",
    });
  });

  test("ERR-30: shows prose in `error` as the message", () => {
    expect(readJob({ status: "failed", error: "The video could not be read" }, "x")).toMatchObject({
      code: "internal_error",
      message: "The video could not be read",
    });
  });

  test("says so when no reason was given", () => {
    expect(readJob({ status: "failed" }, "x")).toMatchObject({
      code: "internal_error",
      message: "the service gave no reason",
    });
  });

  test("keeps secrets out of its message", () => {
    const job = readJob({ status: "failed", error: "internal_error", message: "GET https://s/a?sig=1 with k-9" }, "x", [
      "k-9",
    ]);
    expect(job).toMatchObject({ message: "GET https://s/a?[hidden] with [hidden]" });
  });
});

describe("a job's text", () => {
  const cues = [{ start_time: 0.5, end_time: 3.1, description: "A woman sits at a desk." }];
  test.each([
    ["content as text", { format: "json", content: JSON.stringify(cues) }, "json", JSON.stringify(cues)],
    ["content as an array", { format: "json", content: cues }, "json", JSON.stringify(cues)],
    ["segments", { format: "json", segments: cues }, "json", JSON.stringify(cues)],
    [
      "items with vtt",
      { language: "en-US", ad_type: "extended_ad", items: cues, vtt: VTT },
      "json",
      JSON.stringify(cues),
    ],
    ["vtt alone", { vtt: VTT }, "vtt", VTT],
    ["WebVTT content", { format: "vtt", content: VTT }, "vtt", VTT],
    ["a bare text", VTT, null, VTT],
    ["a bare array", cues, "json", JSON.stringify(cues)],
    ["an unknown format", { format: "xml", content: "<x/>" }, null, "<x/>"],
    ["empty content", { format: "vtt", content: "" }, "vtt", ""],
  ])("RES-03 OPEN-15: is read from %s", (_name, output, format, content) => {
    expect(readOutput(output)).toEqual({ format, content });
  });

  test.each([[undefined], [null], [7], [{}], [""], [{ format: "vtt" }]])("is nothing in %j", (output) => {
    expect(readOutput(output)).toBeNull();
  });
});

test("TEXT-01 VIDEO-01: reads an accepted request, and needs nothing of it but the job's id", () => {
  expect(readSubmission({ job_id: "j", status: "queued", media_id: "m" })).toEqual({
    jobId: "j",
    mediaId: "m",
    ignored: [],
  });
  expect(readSubmission({ job_id: "j", ignored: ["voice", 3] })).toEqual({ jobId: "j", ignored: ["voice"] });
  expect(readSubmission({ status: "queued" })).toBeNull();
});
