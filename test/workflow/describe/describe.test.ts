import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { SubmissionError } from "../../../src/client/errors.ts";
import { STEPS } from "../../../src/workflow/describe/run.ts";
import { JobFailedError, WorkflowError } from "../../../src/workflow/errors.ts";
import { EXTENDED_ELSEWHERE } from "../../../src/workflow/place/narration-clips.ts";
import { json, storageError } from "../../fakes/hosted-server.ts";
import { Killed } from "../../fakes/memory-recovery.ts";
import { silentWav } from "../../fakes/wav.ts";
import { FILE_BYTES, hostedRun } from "../hosted-run.ts";

/** The file as one of ITU-R BS.2088, its sizes in a chunk of their own. */
function bw64(wave: Uint8Array): Uint8Array {
  const sizes = Buffer.alloc(36);
  sizes.write("ds64");
  sizes.writeUInt32LE(28, 4);
  sizes.writeBigUInt64LE(BigInt(wave.length + 28), 8);
  sizes.writeBigUInt64LE(BigInt(wave.length - 44), 16);
  const open = Buffer.alloc(4, 0xff);
  const fromFormat = Buffer.from(wave.subarray(8, 12));
  return Buffer.concat([Buffer.from("BW64"), open, fromFormat, sizes, wave.subarray(12, 40), open, wave.subarray(44)]);
}

/** The file as a server writes it that streams: its sizes are 0. */
function streamed(wave: Uint8Array): Uint8Array {
  const bytes = Buffer.from(wave);
  bytes.writeUInt32LE(0, 4);
  bytes.writeUInt32LE(0, 40);
  return bytes;
}

describe("one description from the hosted service", () => {
  test("BASE-06 AUDIO-06 SIGN-05 SIGN-06 PANEL-08 PANEL-17: goes through the signed flow and one audio job to cues and sound", async () => {
    const { server, run, folder } = await hostedRun();
    const description = await run();
    expect(server.seen.map(({ route, method }) => `${method} ${route}`)).toEqual([
      "POST uploadMedia",
      "PUT storage",
      "POST notifyUploadComplete",
      "GET getUploadStatus",
      "GET getUploadStatus",
      "POST generateAudio",
      "GET getResults",
      "GET getResults",
      "GET getResults",
      "GET storage",
    ]);
    expect([...server.stored.values()]).toEqual([FILE_BYTES]);
    expect(description.result.cues.map(({ start, end, text }) => ({ start, end, text }))).toEqual([
      { start: 1, end: 2.5, text: "A woman sits at a desk." },
      { start: 4, end: 5, text: "She opens a letter." },
    ]);
    expect(description.audio).toMatchObject({ durationSeconds: 6, format: { channels: 2, sampleRate: 48_000 } });
    expect(new Uint8Array(await readFile(`${folder}/narration.wav`))).toEqual(new Uint8Array(silentWav(6)));
    expect(description.raw).toEqual({ format: "vtt", content: server.vtt });
  });

  test("SIGN-07 OPEN-29: puts the file with the agreed content type and without the key", async () => {
    const { server, run } = await hostedRun();
    await run();
    const put = server.seen.find(({ method }) => method === "PUT");
    expect(put?.headers.get("content-type")).toBe("video/mp4");
    expect(put?.headers.get("x-api-key")).toBeNull();
  });

  test("reports its steps in order, each begun and done, with the time each took", async () => {
    const { run, progress } = await hostedRun();
    const { stepSeconds } = await run();
    expect(progress.filter(({ state }) => state === "done").map(({ step }) => step)).toEqual([...STEPS]);
    expect(progress.find(({ step, state }) => step === "wait" && state === "under-way")?.detail).toBe("queued");
    expect(stepSeconds.wait).toBe(5);
  });

  test("OPEN-10 PANEL-11: generates with the canonical id", async () => {
    const { server, run } = await hostedRun();
    server.canonicalId = "11111111-2222-4333-8444-555555555555";
    await run();
    expect(server.bodies("generateAudio")[0]).toMatchObject({ input: { media_id: server.canonicalId } });
  });

  test("OPEN-09 PANEL-11: without a status endpoint waits until generation stops answering `upload_not_ready`", async () => {
    const { server, run } = await hostedRun();
    server.hasStatusEndpoint = false;
    const notReady = json({ error: "Media is processing", code: "upload_not_ready", upload_status: "processing" }, 409);
    server.faults.generateAudio = [notReady, notReady];
    await run();
    expect(server.accepted).toBe(1);
  });

  test("OPEN-05 STATE-03: waits through states nobody knows", async () => {
    const { server, run } = await hostedRun();
    server.jobStates = ["processing", "weird", "almost there"];
    expect((await run()).result.cues).toHaveLength(2);
  });

  test.each([true, false])(
    "OPEN-15: reads the same cues from JSON as segments (%s) or as content",
    async (sendsSegments) => {
      const { server, run } = await hostedRun();
      server.sendsSegments = sendsSegments;
      const {
        result: { cues },
        raw,
      } = await run({ track: "none", settings: { format: "json" } });
      expect(raw.format).toBe("json");
      expect(cues.map(({ start, end, text }) => [start, end, text])).toEqual([
        [1, 2.5, "A woman sits at a desk."],
        [4, 5, "She opens a letter."],
      ]);
    },
  );

  test("PANEL-23: keeps the raw reply and the readable cues of a damaged text", async () => {
    const { server, run } = await hostedRun();
    server.vtt =
      "WEBVTT\n\n00:01.000 --> 00:02.500\nGood.\n\n00:xx --> 00:05.000\nBad.\n\n00:04.000 --> 00:05.000\nGood too.\n";
    const {
      result: { cues, issues },
      raw,
    } = await run({ track: "none" });
    expect(cues.map(({ text }) => text)).toEqual(["Good.", "Good too."]);
    expect(issues).toMatchObject([{ code: "bad-timing", line: 6 }]);
    expect(raw.content).toBe(server.vtt);
  });

  test("PANEL-26: holds cues against given captions where the service reports no speech of its own", async () => {
    const { run } = await hostedRun();
    const captions = { content: "WEBVTT\n\n00:02.000 --> 00:03.000\nWho is there?\n" };
    const {
      result: { findings, dialogue },
    } = await run({ settings: { captions } });
    expect(findings[0]).toMatchObject({ rule: "speech-overlap", severity: "fail", measured: 0.5 });
    expect(dialogue).toEqual([{ start: 2, end: 3, text: "Who is there?" }]);
  });

  test("keeps where the programme is held for extended descriptions, and says why no narration is laid", async () => {
    const { server, run } = await hostedRun();
    const cues = [{ id: "cue-0001", start: 1, end: 3.5 }];
    server.report = {
      describer: "text",
      held: { duration_seconds: 62.5, pauses: [{ at: 1, video_time: 1, seconds: 2.5 }], cues },
    };
    const { result } = await run({ track: "none", settings: { type: "extended" } });
    const [first] = result.cues;
    expect(result.held?.holds).toMatchObject([{ at: 1, seconds: 2.5 }]);
    expect(result.held?.heard[first?.id ?? ""]).toMatchObject({ start: 1, end: 3.5 });
    expect(result.notices).toContain(EXTENDED_ELSEWHERE);
    const standard = await run({ runId: "standard", track: "none" });
    expect(standard.result).not.toHaveProperty("held");
  });

  test("lists what is said as the service knows it, before the captions that were given", async () => {
    const { server, run } = await hostedRun();
    const said = { start: 7, end: 8, text: "Nobody.", speaker: "A" };
    server.report = { describer: "text", dialogue: [said, { start: 9, text: "no end" }] };
    const captions = { content: "WEBVTT\n\n00:02.000 --> 00:03.000\nWho is there?\n" };
    expect((await run({ settings: { captions } })).result.dialogue).toEqual([said]);
    expect((await run({ runId: "other" })).result.dialogue).toEqual([said]);
  });
});

describe("text requests", () => {
  test("PANEL-13 PANEL-14 PANEL-15 OPEN-12: are nested, with format and timing, and without the default length", async () => {
    const { server, run } = await hostedRun();
    for (const format of ["vtt", "srt", "json", "edl"] as const) {
      await run({ runId: format, track: "none", settings: { format } });
    }
    const bodies = server.bodies("generateText");
    expect(bodies).toHaveLength(4);
    for (const [index, format] of ["vtt", "srt", "json", "edl"].entries()) {
      expect(bodies[index]).toMatchObject({
        input: { type: "media_id" },
        generation_config: { format, ad_type: "standard_ad", auto_fit: true, allow_descriptions_over_music: true },
      });
      expect(bodies[index]).not.toHaveProperty("generation_config.standard_ad_min_cue_length");
      expect(bodies[index]).not.toHaveProperty("generation_config.voice");
    }
    await run({ runId: "changed", track: "none", settings: { minimumCueSeconds: 2 } });
    expect(server.bodies("generateText")[4]).toMatchObject({ generation_config: { standard_ad_min_cue_length: 2 } });
  });

  test("PANEL-16 OPEN-11: are sent once more flat when a timing field is refused, and the user is told", async () => {
    const { server, run } = await hostedRun();
    server.refusesNested = "Unknown field: auto_fit";
    const {
      result: { notices, cues },
    } = await run({ track: "none", settings: { format: "srt", language: "de-DE" } });
    expect(server.bodies("generateText")).toHaveLength(2);
    expect(server.bodies("generateText")[1]).toMatchObject({
      format: "vtt",
      language: "de-DE",
      ad_type: "standard_ad",
    });
    expect(notices).toEqual([expect.stringContaining("the timing settings did not apply")]);
    expect(cues).toHaveLength(2);
  });

  test("PANEL-16: are never sent a third time", async () => {
    const { server, run } = await hostedRun();
    const refusal = json({ error: "invalid_input", message: "auto_fit: unknown" }, 400);
    server.faults.generateText = [refusal, refusal];
    await expect(run({ track: "none" })).rejects.toMatchObject({ code: "invalid_input" });
    expect(server.bodies("generateText")).toHaveLength(2);
  });

  test("are not sent flat for another fault, nor with a script that the flat form would lose", async () => {
    const other = await hostedRun();
    other.server.refusesNested = '"generation_config.language" is not supported';
    await expect(other.run({ track: "none" })).rejects.toMatchObject({ code: "invalid_input" });
    expect(other.server.bodies("generateText")).toHaveLength(1);
    const scripted = await hostedRun();
    scripted.server.refusesNested = "auto_fit: unknown";
    const script = "WEBVTT\n\n00:01.000 --> 00:02.000\nMine.\n";
    await expect(scripted.run({ track: "none", settings: { script } })).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect(scripted.server.bodies("generateText")).toHaveLength(1);
  });
});

describe("a script of one's own", () => {
  const script = "00:00:01.000 A door opens.\n00:00:04.000 It closes.\n";

  test("OPEN-26: goes as it is, and as WebVTT when its layout is refused", async () => {
    const { server, run } = await hostedRun();
    server.faults.generateAudio = [json({ error: "invalid_input", message: "description_content: not an EDL" }, 400)];
    const {
      result: { notices },
    } = await run({ settings: { script } });
    const sent = server
      .bodies("generateAudio")
      .map((body) => (body as { generation_config: object }).generation_config);
    expect(sent[0]).toMatchObject({ description_content: script });
    expect(sent[1]).toMatchObject({ description_content: expect.stringMatching(/^WEBVTT\n\n[\s\S]*A door opens\./) });
    expect(notices).toEqual([expect.stringContaining("sent as WebVTT")]);
    expect(server.accepted).toBe(1);
  });

  test("OPEN-26: is not tried a third time, nor when it is WebVTT already, nor for another fault", async () => {
    const refusal = json({ error: "invalid_input", message: "description_content: no" }, 400);
    const other = json({ error: "invalid_input", message: "language: no" }, 400);
    for (const [text, faults, requests] of [
      [script, [refusal, refusal], 2],
      ["WEBVTT\n\n00:01.000 --> 00:02.000\nA.\n", [refusal], 1],
      [script, [other], 1],
    ] as const) {
      const { server, run } = await hostedRun();
      server.faults.generateAudio = [...faults];
      await expect(run({ settings: { script: text } })).rejects.toMatchObject({ code: "invalid_input" });
      expect(server.bodies("generateAudio")).toHaveLength(requests);
    }
  });
});

describe("what is refused before anything is sent", () => {
  test.each([
    ["captions", { captions: { content: "no times here", filename: "a.vtt" } }, "captions_unreadable"],
    ["an empty caption file", { captions: { content: "" } }, "captions_unreadable"],
    ["a script", { script: "just words" }, "script_unreadable"],
  ])("unreadable %s", async (_name, settings, code) => {
    const { server, run } = await hostedRun();
    const error = await run({ settings }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WorkflowError);
    expect(error).toMatchObject({ code });
    expect(server.seen).toEqual([]);
  });
});

describe("faults on the way", () => {
  test("PANEL-10: a spent upload address, a cut line and an unwell storage end in one upload", async () => {
    const { server, run } = await hostedRun();
    server.faults.put = [storageError("ExpiredToken", 400), "break", { status: 503, body: "" }];
    await run();
    expect(server.seen.filter(({ route }) => route === "uploadMedia")).toHaveLength(2);
    expect(server.accepted).toBe(1);
  });

  test("PANEL-12 ERR-19: a refused upload is sent once more, then the sentence says so", async () => {
    const { server, run } = await hostedRun();
    server.uploadEnd = "failed";
    await expect(run()).rejects.toMatchObject({ code: "upload_failed" });
    expect(server.stored.size).toBe(2);
    expect(server.accepted).toBe(0);
  });

  test("ERR-19: `upload_failed` at generation means one more upload", async () => {
    const { server, run } = await hostedRun();
    server.hasStatusEndpoint = false;
    server.faults.generateAudio = [json({ error: "Verification failed", code: "upload_failed" }, 409)];
    await run();
    expect(server.stored.size).toBe(2);
    expect(server.accepted).toBe(1);
  });

  test("ERR-15: a reason that another upload would meet ends the run", async () => {
    const { server, run } = await hostedRun();
    server.uploadStates = [];
    server.faults.getUploadStatus = [
      json({ upload_status: "failed", error: "no_video_stream", message: "Sound only." }),
    ];
    await expect(run()).rejects.toMatchObject({ code: "no_video_stream", message: "Sound only." });
    expect(server.stored.size).toBe(1);
  });

  test.each([
    "standard_ad_not_enough_gaps",
    "content_blocked",
    "no_video_stream",
    "voice_unavailable",
    "internal_error",
    "brand_new",
  ])(
    "ERR-30 STATE-04: a job that fails with %s is raised with its code, and the upload serves the next job",
    async (code) => {
      const { server, run } = await hostedRun();
      server.jobEnd = code;
      const error = await run().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(JobFailedError);
      expect(error).toMatchObject({ code: code === "brand_new" ? "internal_error" : code });
      server.jobEnd = "done";
      await run();
      expect(server.stored.size).toBe(1);
      expect(server.accepted).toBe(2);
    },
  );

  test("PANEL-21 OPEN-28: an expired link is renewed by a poll", async () => {
    const { server, run } = await hostedRun();
    server.faults.get = [storageError("ExpiredToken", 400)];
    expect((await run()).audio?.durationSeconds).toBe(6);
    const links = server.seen.filter(({ method, route }) => method === "GET" && route === "storage");
    expect(new Set(links.map(({ query }) => query.get("X-Goog-Signature"))).size).toBe(2);
  });

  test.each([
    ["a page", "<html>Sign in</html>"],
    ["a file that is cut off", silentWav(6).subarray(0, 1000)],
    ["an empty file", ""],
  ])(
    "PANEL-22 OPEN-27: %s in place of the sound is fetched again, and rejected the second time",
    async (_name, body) => {
      const { server, run } = await hostedRun();
      server.faults.get = [{ status: 200, body }];
      expect((await run()).audio?.durationSeconds).toBe(6);
      const twice = await hostedRun();
      twice.server.faults.get = [
        { status: 200, body },
        { status: 200, body },
      ];
      await expect(twice.run()).rejects.toMatchObject({ code: "result_damaged" });
    },
  );

  test.each([
    ["a BW64 file", bw64(silentWav(6))],
    ["a file whose length was left open", streamed(silentWav(6))],
  ])("%s is taken as the sound", async (_name, wave) => {
    const { server, run } = await hostedRun();
    server.wav = wave;
    const {
      audio,
      result: { findings },
    } = await run();
    expect(audio?.durationSeconds).toBe(6);
    expect(findings.map(({ rule }) => rule)).not.toContain("narration-length");
  });

  test("PANEL-22: sound of another length is used and reported", async () => {
    const { server, run } = await hostedRun();
    server.wav = silentWav(9);
    expect((await run()).result.findings.at(-1)).toMatchObject({
      rule: "narration-length",
      severity: "fail",
      measured: 3,
    });
  });

  test("a plan's refusal ends the run with feature and plan", async () => {
    const { server, run } = await hostedRun();
    const refusal = { error: "feature_not_available", message: "m", feature: "allow_standard_ad", plan_name: "Basic" };
    server.faults.generateAudio = [json(refusal, 403)];
    await expect(run()).rejects.toMatchObject({ feature: "allow_standard_ad", planName: "Basic" });
  });
});

describe("going on after an end in the middle", () => {
  test("PANEL-36 OPEN-31: killed after any save, goes on to the same result with one accepted request", async () => {
    const whole = await hostedRun();
    const expected = await whole.run();
    expect(whole.recovery.saves).toBeGreaterThan(6);
    for (let killAfter = 1; killAfter <= whole.recovery.saves; killAfter++) {
      const { server, recovery, run } = await hostedRun();
      recovery.killAfter = killAfter;
      await expect(run()).rejects.toBeInstanceOf(Killed);
      recovery.killAfter = Number.POSITIVE_INFINITY;
      const isUnknown = recovery.texts.get("run-1")?.includes('"sending"') === true;
      if (isUnknown) {
        // Nobody can tell whether the request left before the kill: it is not sent without being told to.
        await expect(run()).rejects.toBeInstanceOf(SubmissionError);
        expect(server.accepted).toBe(0);
      }
      const { result } = await run({ sendsAgain: isUnknown });
      expect(result.cues).toEqual(expected.result.cues);
      expect(server.accepted).toBe(1);
      expect(server.stored.size).toBe(1);
    }
  });

  test("OPEN-31: a lost answer to the request is not followed by a second request", async () => {
    const { server, run } = await hostedRun();
    server.faults.generateAudio = ["break"];
    await expect(run()).rejects.toBeInstanceOf(SubmissionError);
    await expect(run()).rejects.toBeInstanceOf(SubmissionError);
    expect(server.seen.filter(({ route }) => route === "generateAudio")).toHaveLength(1);
    await run({ sendsAgain: true });
    expect(server.accepted).toBe(1);
  });

  test("a refused request is sent again by the next run without being told to", async () => {
    const { server, run } = await hostedRun();
    server.faults.generateAudio = [json({ error: "plan_limit_exceeded", message: "spent" }, 429)];
    await expect(run()).rejects.toMatchObject({ code: "plan_limit_exceeded" });
    await run();
    expect(server.stored.size).toBe(1);
    expect(server.accepted).toBe(1);
  });

  test("cancelled between two tries of a refused request, it is not taken for one that may have been accepted", async () => {
    const { server, run, clock } = await hostedRun();
    const controller = new AbortController();
    const busy = json({ error: "queue_limit_exceeded", message: "later" }, 429);
    server.faults.generateAudio = [busy, busy, busy];
    const stop = setInterval(() => clock.passed.includes(3000) && controller.abort("stop"), 0);
    await expect(run({}, controller.signal)).rejects.toBe("stop");
    clearInterval(stop);
    server.faults.generateAudio = [];
    await run();
    expect(server.accepted).toBe(1);
  });

  test("PANEL-20: cancelled while waiting, it fetches the result of the same job later", async () => {
    const { server, run, progress } = await hostedRun();
    const controller = new AbortController();
    server.jobStates = Array.from({ length: 1000 }, () => "processing");
    const watch = setInterval(() => progress.some(({ step }) => step === "wait") && controller.abort("stop"), 0);
    await expect(run({}, controller.signal)).rejects.toBe("stop");
    clearInterval(watch);
    server.jobStates = [];
    expect((await run()).result.cues).toHaveLength(2);
    expect(server.accepted).toBe(1);
  });

  test("a service that has forgotten the upload gets it again", async () => {
    const { server, run, recovery } = await hostedRun();
    recovery.killAfter = 3;
    await expect(run()).rejects.toBeInstanceOf(Killed);
    recovery.killAfter = Number.POSITIVE_INFINITY;
    server.faults.generateAudio = [json({ error: "not_found", message: "no such media" }, 404)];
    await run();
    expect(server.stored.size).toBe(2);
    expect(server.accepted).toBe(1);
  });

  test("a job that the service has forgotten is not paid for again unless told to", async () => {
    const { server, run } = await hostedRun();
    server.faults.getResults = Array.from({ length: 4 }, () =>
      json({ error: "unauthorized", message: "rotated" }, 401),
    );
    await expect(run()).rejects.toMatchObject({ code: "unauthorized" });
    server.faults.getResults = [];
    server.jobs.clear();
    await expect(run()).rejects.toMatchObject({ code: "not_found" });
    expect(server.accepted).toBe(0);
    await run({ sendsAgain: true });
    expect(server.accepted).toBe(1);
  });

  test("keeps neither key nor signed address in what it saves", async () => {
    const { server, run, recovery } = await hostedRun();
    await run();
    const saved = [...recovery.texts.values()].join();
    expect(saved).toContain("task_");
    expect(saved).not.toMatch(/X-Goog|http:/);
    expect(saved).not.toContain(server.key);
  });
});
