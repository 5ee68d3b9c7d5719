import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { GenerationInput } from "../../src/client/request.ts";
import { LANGUAGES, LISTED_LANGUAGES, SUGGESTED_LANGUAGES, VOICES } from "../../src/contract/choices.ts";
import { INTERFACE_VERSION } from "../../src/contract/routes.ts";
import { audioConfigFromSettings, textConfigFromSettings } from "../../src/contract/settings-on-wire.ts";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";
import { startTestService, type TestService } from "../service/service-fixture.ts";
import { clientOf, clipFile, ended, refusal } from "./service-client.ts";

let service: TestService;
/** A service that accepts jobs and runs none. */
let held: TestService;
let client: Client;
let heldClient: Client;
let media: GenerationInput & { readonly type: "media_id" };
let heldMedia: GenerationInput & { readonly type: "media_id" };
beforeAll(async () => {
  service = await startTestService();
  held = await startTestService({}, { worksOnJobs: false });
  client = clientOf(service.app, service.key);
  heldClient = clientOf(held.app, held.key);
  media = { type: "media_id", media_id: (await client.uploadMediaFile(await clipFile())).mediaId };
  heldMedia = { type: "media_id", media_id: (await heldClient.uploadMediaFile(await clipFile())).mediaId };
});
afterAll(async () => {
  await service.close();
  await held.close();
});

/** What reached the describer's side of the service: the fake pipeline hands its settings back as text. */
async function received(jobId: string): Promise<{ settings: Record<string, unknown>; track: string; kind: string }> {
  const job = await ended(client, jobId);
  if (job.status !== "done" || job.text === null) throw new Error(`the job ended as ${job.status}`);
  return JSON.parse(job.text.content);
}

describe("settings arrive as they were sent", () => {
  test("GEN-01 GEN-03 GEN-06 GEN-08 GEN-10 GEN-15 GEN-20 GEN-24 GEN-28 GEN-33 GEN-41 GEN-45 GEN-48 GEN-51 AUDIO-01: defaults of audio", async () => {
    const { jobId } = await client.generateAudio(media);
    const { settings, track, kind } = await received(jobId);
    expect({ ...settings, track, kind }).toEqual({ ...DEFAULT_SETTINGS, track: "mixed", kind: "audio" });
  });

  test("GEN-13 GEN-17 VIDEO-01: defaults of video are those of extended descriptions", async () => {
    const { settings, kind } = await received((await client.generateVideo(media)).jobId);
    expect({ ...settings, kind }).toEqual({ ...DEFAULT_SETTINGS, type: "extended", kind: "video" });
  });

  test("TEXT-01 TEXT-03 OPEN-11: defaults of text, nested and flat", async () => {
    for (const submission of [
      await client.generateText(media),
      await client.generateTextFlat({ media_id: media.media_id }),
    ]) {
      const { settings, kind } = await received(submission.jobId);
      expect({ ...settings, kind }).toMatchObject({
        format: "json",
        language: "en-US",
        category: "Auto",
        type: "extended",
        kind: "text",
      });
    }
  });

  test("GEN-12 GEN-35 GEN-37 GEN-39 GEN-42 GEN-46 GEN-49 AUDIO-05: every setting of this project's own words comes back unchanged", async () => {
    const settings = {
      ...DEFAULT_SETTINGS,
      format: "edl",
      language: "de-DE",
      category: "Government Meeting",
      instructions: "Name no brands.",
      autoFit: false,
      allowsOverMusic: false,
      minimumCueSeconds: 2.5,
      voice: "Kore",
      volume: { option: "max", levelDbfs: -6 },
      captions: { content: "1\n00:00:00,100 --> 00:00:00,900\nHello.\n", format: "srt", filename: "a.srt" },
      script: "00:00:01.000 A door opens.",
    } as const;
    const { jobId } = await client.generateAudio(media, audioConfigFromSettings(settings, "ad_only"));
    const arrived = await received(jobId);
    expect(arrived).toEqual({ settings, track: "ad_only", kind: "audio" });
    const { voice: _voice, volume: _volume, ...text } = settings;
    const nested = await received((await client.generateText(media, textConfigFromSettings(text))).jobId);
    expect(nested.settings).toMatchObject(text);
  });

  test("OPEN-12 PANEL-15: a text request in its defaults holds no length of the shortest cue, no voice and no volume", () => {
    const config = textConfigFromSettings(DEFAULT_SETTINGS);
    expect(Object.keys(config).sort()).toEqual([
      "ad_type",
      "allow_descriptions_over_music",
      "auto_fit",
      "format",
      "language",
      "video_category",
    ]);
  });
});

test("LANG-01 LANG-03: 38 codes are listed, 15 more are marked as not confirmed", () => {
  expect(LISTED_LANGUAGES).toHaveLength(38);
  expect(SUGGESTED_LANGUAGES).toHaveLength(15);
  expect(new Set(LANGUAGES).size).toBe(53);
});

test("GEN-11 OPEN-03: 31 voices, one of them confirmed", () => {
  expect(VOICES).toHaveLength(31);
  expect(VOICES.filter(({ isConfirmed }) => isConfirmed).map(({ name }) => name)).toEqual(["Achernar"]);
});

test("VER-01: follows version 1.0.0 of the interface", () => {
  expect(INTERFACE_VERSION).toBe("1.0.0");
});

describe("jobs from the client's side", () => {
  test("BASE-06 RES-02 RES-03 RES-08 DEL-01 STATE-03: upload, generate, poll, delete is one chain", async () => {
    const { mediaId } = await client.uploadMediaFile(await clipFile());
    const { jobId } = await client.generateText({ type: "media_id", media_id: mediaId }, { format: "vtt" });
    const job = await ended(client, jobId);
    expect(job).toMatchObject({ status: "done", jobId, mediaId, text: { format: "vtt" } });
    expect(Date.parse(job.updatedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(job.createdAt ?? "x"));
    await client.deleteJob(jobId);
    expect(await refusal(client.getResults(jobId))).toMatchObject({ code: "not_found", status: 404 });
  });

  test("RES-04 RES-05 DEL-02: audio and video jobs bring a link, text jobs none; each can be deleted", async () => {
    const jobs = {
      text: await ended(client, (await client.generateText(media)).jobId),
      audio: await ended(client, (await client.generateAudio(media)).jobId),
      video: await ended(client, (await client.generateVideo(media)).jobId),
    };
    const links = Object.values(jobs).map((job) => (job.status === "done" ? [job.audioUrl, job.videoUrl] : null));
    expect(links).toEqual([
      [undefined, undefined],
      [expect.stringMatching(/^http/), undefined],
      [undefined, expect.stringMatching(/^http/)],
    ]);
    for (const job of Object.values(jobs)) await client.deleteJob(job.jobId);
  });

  test("BASE-05 VIDEO-06 VIDEO-07 VIDEO-08 OPEN-11: a file sent with the request needs no upload before", async () => {
    const file = { type: "file", file: await clipFile() } as const;
    for (const submission of [
      await client.generateText(file, { format: "srt" }),
      await client.generateAudio(file),
      await client.generateVideo(file, { ad_type: "standard_ad" }),
    ]) {
      expect((await ended(client, submission.jobId)).status).toBe("done");
    }
  });

  test("OPEN-13: a job that has not begun is running, with its times", async () => {
    const { jobId } = await heldClient.generateText(heldMedia);
    expect(await heldClient.getResults(jobId)).toMatchObject({
      status: "running",
      word: "queued",
      jobId,
      mediaId: heldMedia.media_id,
      createdAt: expect.stringMatching(/^\d{4}-/),
    });
  });

  test("DEL-06 DEL-08 OPEN-17: jobs in progress and failed ones cannot be deleted", async () => {
    const { jobId } = await heldClient.generateText(heldMedia);
    expect(await refusal(heldClient.deleteJob(jobId))).toMatchObject({ code: "job_not_deletable", status: 409 });
    const failing = await client.generateText(media, { custom_instructions: "fail:content_blocked" });
    await ended(client, failing.jobId);
    expect(await refusal(client.deleteJob(failing.jobId))).toMatchObject({ code: "job_not_deletable" });
    expect(await client.getResults(failing.jobId)).toMatchObject({ status: "failed" });
  });

  test("RES-01 RES-09 ERR-09: ids of any form reach the service whole", async () => {
    for (const id of ["no-such-job", "a b/c?d=e&f#g", "ü", "%2F"]) {
      expect(await refusal(client.getResults(id))).toMatchObject({ code: "not_found" });
      expect(await refusal(client.deleteJob(id))).toMatchObject({ code: "not_found" });
    }
    expect(await refusal(client.getResults(""))).toMatchObject({ code: "invalid_input" });
  });
});
