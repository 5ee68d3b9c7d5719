import { describe, expect, test } from "vitest";
import { Client } from "../../../src/client/client.ts";
import { SubmissionError } from "../../../src/client/errors.ts";
import type { Fetch } from "../../../src/client/request.ts";
import { writeCues } from "../../../src/formats/service-formats.ts";
import { JobFailedError } from "../../../src/workflow/errors.ts";
import { json } from "../../fakes/hosted-server.ts";
import { Killed } from "../../fakes/memory-recovery.ts";
import { turns } from "../../fakes/set-clock.ts";
import { type HostedRun, hostedRun } from "../hosted-run.ts";

const SCRIPT = writeCues([{ id: "1", start: 1, end: 2, text: "A door opens." }], "srt");
const CAPTIONS = { content: "WEBVTT\n\n00:02.000 --> 00:03.000\nWho is there?\n" };
const refused = (message: string, code = "invalid_input", status = 400) => json({ error: code, message }, status);

/** A reply that says which fields were not used. */
const ignoring = (server: HostedRun["server"], ignored: readonly string[]) => {
  server.jobs.set("task_1", { format: "vtt", media: null, polls: 0, end: "" });
  return json({ job_id: "task_1", status: "queued", media_id: "m", ignored });
};

describe("what a person is told of a request", () => {
  test("is which settings the service did not use, by the run that goes on from it too", async () => {
    const { server, run } = await hostedRun();
    server.faults.generateText = [ignoring(server, ["auto_fit", "voice"])];
    server.faults.getResults = Array.from({ length: 4 }, () => json({ error: "unauthorized", message: "no" }, 401));
    await expect(run({ track: "none" })).rejects.toMatchObject({ code: "unauthorized" });
    server.faults.getResults = [];
    const { result } = await run({ track: "none" });
    expect(result.notices).toEqual(["The service did not use: auto_fit, voice."]);
    expect(server.bodies("generateText")).toHaveLength(1);
  });

  test.each([
    ["standard", false, false, ["the timing settings"]],
    ["standard", true, false, ["the timing settings", "the captions"]],
    ["standard", true, true, ["the timing settings", "the captions"]],
    ["extended", false, false, []],
    ["extended", true, false, ["the captions"]],
    ["extended", false, true, ["the reading of all on-screen text"]],
    ["extended", true, true, ["the captions", "the reading of all on-screen text"]],
  ] as const)(
    "is what an older form of text requests leaves out: %s, with captions %s, with all text %s",
    async (type, hasCaptions, readsAllOnscreenText, lost) => {
      const { server, run } = await hostedRun();
      server.refusesNested = "media_id is required";
      const settings = { type, readsAllOnscreenText, ...(hasCaptions ? { captions: CAPTIONS } : {}) };
      const { notices } = (await run({ track: "none", settings })).result;
      const told = `This service takes text requests in an older form only: ${lost.join(" and ")} did not apply.`;
      expect(notices).toEqual(lost.length === 0 ? [] : [told]);
      server.faults.generateText = [refused("media_id is required"), ignoring(server, ["language"])];
      const again = await run({ runId: "run-2", track: "none", settings });
      expect(again.result.notices.at(-1)).toBe("The service did not use: language.");
    },
  );

  test("is in which layout a script went, and what else was left out of it", async () => {
    const { server, run } = await hostedRun();
    server.faults.generateText = [refused("description_content: no"), ignoring(server, ["voice"])];
    const { notices } = (await run({ track: "none", settings: { script: SCRIPT } })).result;
    expect(notices).toEqual([
      "The service did not use: voice.",
      "The service did not take the script in its own layout; it was sent as WebVTT.",
    ]);
  });
});

describe("a script is sent in another form only where it is its form that was refused", () => {
  test.each([
    ["by the message", refused("description_content: no"), 2],
    ["by the details", json({ error: "invalid_input", message: "no", details: "description_content" }, 400), 2],
    ["with another code", refused("description_content: spent", "plan_limit_exceeded"), 1],
    ["with another status", refused("description_content: no", "invalid_input", 422), 1],
    ["for another field", refused("language: no"), 1],
  ])("%s", async (_name, fault, requests) => {
    const { server, run } = await hostedRun();
    server.faults.generateAudio = [fault];
    const outcome = await run({ settings: { script: SCRIPT } }).catch(() => "refused");
    expect(outcome === "refused").toBe(requests === 1);
    expect(server.bodies("generateAudio")).toHaveLength(requests);
  });

  test("in the layout that was taken last first, which is remembered once", async () => {
    const scripts = (["edl", "vtt", "plaintext"] as const).map((layout) => ({ layout, content: `as ${layout}` }));
    for (const last of [null, "edl", "vtt", "plaintext"] as const) {
      for (const refusals of [0, 1, 2]) {
        const { server, ports, run } = await hostedRun();
        const took: string[] = [];
        const scriptMemory = { last: async () => last, took: async (layout: string) => void took.push(layout) };
        server.faults.generateAudio = Array.from({ length: refusals }, () => refused("description_content: no"));
        const { notices } = (await run({ scripts }, undefined, { ...ports, scriptMemory })).result;
        const sent = server
          .bodies("generateAudio")
          .map(
            (body) => (body as { generation_config: Record<string, string> }).generation_config["description_content"],
          );
        const others = scripts.filter(({ layout }) => layout !== last);
        const order = [...scripts.filter(({ layout }) => layout === last), ...others];
        expect(sent).toEqual(order.slice(0, refusals + 1).map(({ content }) => content));
        const taken = order[refusals]?.layout;
        expect(took).toEqual(taken === last ? [] : [taken]);
        const names = { edl: "an EDL", vtt: "WebVTT", plaintext: "text with times" };
        const before = order.slice(0, refusals).map(({ layout }) => names[layout]);
        const told = `The service did not take the script as ${before.join(" or ")}; it was sent as ${names[taken ?? "edl"]}.`;
        expect(notices).toEqual(refusals === 0 ? [] : [told]);
      }
    }
  });

  test("whose layout is remembered once the job is on record, and before the run goes on", async () => {
    const { server, ports, recovery, run } = await hostedRun();
    const told: unknown[] = [];
    const scriptMemory = {
      last: async () => null,
      took: async () => {
        told.push((await recovery.load("run-1"))?.submission?.state);
        await turns(3);
        told.push(server.seen.at(-1)?.route);
      },
    };
    await run({ scripts: [{ layout: "vtt", content: "as vtt" }] }, undefined, { ...ports, scriptMemory });
    expect(told).toEqual(["accepted", "generateAudio"]);
  });

  test("without a memory of servers in the order given, and without layouts not at all", async () => {
    const { server, run } = await hostedRun();
    await run({ scripts: [{ layout: "vtt", content: "as vtt" }] });
    await run({ runId: "run-2", scripts: [] });
    server.faults.generateAudio = [refused("description_content: no")];
    await expect(run({ runId: "run-3", scripts: [] })).rejects.toMatchObject({ code: "invalid_input" });
    const [first, ...others] = server.bodies("generateAudio");
    expect(first).toHaveProperty("generation_config.description_content", "as vtt");
    expect(others).toHaveLength(2);
    for (const body of others) expect(body).not.toHaveProperty("generation_config.description_content");
  });
});

describe("a request that is on its way when the run is cancelled", () => {
  /** A run whose generation request is answered so many milliseconds after it is cancelled, unless it is given up before. */
  async function cancelled(answersAfterMs: number) {
    const made = await hostedRun();
    const { server, clock, ports } = made;
    const controller = new AbortController();
    const fetch: Fetch = async (address, init) => {
      if (!address.endsWith("generate_ad_audio") || controller.signal.aborted) return server.fetch(address, init);
      controller.abort("stop");
      await clock.sleep(answersAfterMs, init.signal ?? undefined);
      return server.fetch(address, init);
    };
    const client = new Client({ baseUrl: "http://hosted.test", apiKey: server.key, fetch, clock, random: () => 0.5 });
    const run = (signal?: AbortSignal) => made.run({}, signal, { ...ports, client });
    await expect(run(controller.signal)).rejects.toBe("stop");
    return { ...made, run };
  }

  test("has a moment for its answer: what was accepted is known, and is not sent again", async () => {
    const { server, run } = await cancelled(500);
    expect(server.accepted).toBe(1);
    expect((await run()).result.cues).toHaveLength(2);
    expect(server.accepted).toBe(1);
  });

  test("is given up within a second, and then counts as one that may have been accepted", async () => {
    const { server, clock, run } = await cancelled(5000);
    expect(server.accepted).toBe(0);
    expect(clock.passed.at(-1)).toBeLessThan(1000);
    await expect(run()).rejects.toBeInstanceOf(SubmissionError);
    expect(server.bodies("generateAudio")).toEqual([]);
  });
});

test("a run that has its answer waits for none when it is cancelled afterwards", async () => {
  const { clock, run } = await hostedRun();
  const controller = new AbortController();
  await run({}, controller.signal);
  const before = clock.passed.length;
  controller.abort("too late");
  await clock.sleep(5000);
  expect(clock.passed.slice(before)).toEqual([5000]);
});

describe("what a run knows already", () => {
  test("is not asked for again: not the media of a request that was refused, nor anything of a job whose text is here", async () => {
    const { server, run } = await hostedRun();
    server.faults.generateAudio = [refused("spent", "plan_limit_exceeded", 429)];
    await expect(run()).rejects.toMatchObject({ code: "plan_limit_exceeded" });
    const first = await run();
    expect(server.seen.filter(({ route }) => route === "notifyUploadComplete")).toHaveLength(1);
    const before = server.seen.length;
    const again = await run();
    expect(server.seen).toHaveLength(before);
    expect(again.result).toEqual(first.result);
    expect(again.raw).toEqual(first.raw);
  });

  test("is the verified upload alone where the service loses it: another fault is no reason to send it again", async () => {
    const { server, recovery, run } = await hostedRun();
    recovery.killAfter = 3;
    await expect(run()).rejects.toBeInstanceOf(Killed);
    recovery.killAfter = Number.POSITIVE_INFINITY;
    server.faults.generateAudio = [refused("spent", "plan_limit_exceeded", 429)];
    await expect(run()).rejects.toMatchObject({ code: "plan_limit_exceeded" });
    expect(server.stored.size).toBe(1);
    expect(await recovery.load("run-1")).toHaveProperty("media");
  });

  test("is no media where it was sent a moment ago: a service that does not find it is not sent it again", async () => {
    const { server, run } = await hostedRun();
    server.faults.generateAudio = [refused("no such media", "not_found", 404)];
    await expect(run()).rejects.toMatchObject({ code: "not_found" });
    expect(server.stored.size).toBe(1);
    expect(server.bodies("generateAudio")).toHaveLength(1);
  });

  test("is a job that the service has lost: asked for once, and with its upload made again where it may be", async () => {
    const { server, recovery, run } = await hostedRun();
    server.faults.getResults = [refused("no such job", "not_found", 404)];
    await expect(run()).rejects.toMatchObject({ code: "not_found" });
    expect(server.seen.filter(({ route }) => route === "getResults")).toHaveLength(1);
    expect(await recovery.load("run-1")).toMatchObject({ submission: { state: "accepted" } });
    server.faults.getResults = [refused("no such job", "not_found", 404)];
    await run({ sendsAgain: true });
    expect([server.accepted, server.stored.size]).toEqual([2, 2]);
  });

  test("is what the service could not use once: a failed check of an upload that was reported is not tried again", async () => {
    const { server, run } = await hostedRun();
    const conflict = { error: "upload_failed", message: "Broken.", upload_status: "failed" };
    server.faults.generateAudio = [json(conflict, 409)];
    await expect(run()).rejects.toMatchObject({ code: "upload_failed" });
    expect(server.stored.size).toBe(1);
  });
});

describe("how a job ends", () => {
  test.each([
    ["brand_new", "internal_error", "brand_new"],
    ["content_blocked", "content_blocked", undefined],
  ])("as %s is told with the job and the word that the service has for it", async (end, code, foreignCode) => {
    const { server, recovery, run } = await hostedRun();
    server.jobEnd = end;
    const error = await run().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(JobFailedError);
    expect(error).toMatchObject({ code, foreignCode, message: "It went wrong.", jobId: [...server.jobs.keys()][0] });
    expect(await recovery.load("run-1")).not.toHaveProperty("submission");
  });

  test("without a text is a reply that cannot be read where text was asked for, and no text where sound was", async () => {
    const { server, run } = await hostedRun();
    const done = (link: object) => json({ status: "done", job_id: "j", ...link });
    server.faults.getResults = [done({})];
    await expect(run({ track: "none" })).rejects.toMatchObject({ code: "reply_unreadable", status: 200 });
    server.faults.getResults = [
      done({ audio_signed_url: "http://hosted.test/storage/results/j.wav?X-Goog-Signature=s" }),
    ];
    const { result, raw, audio } = await run({ runId: "run-2" });
    expect([result.cues, raw.content, audio?.durationSeconds]).toEqual([[], "", 6]);
  });
});
