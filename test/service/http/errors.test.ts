import { afterAll, beforeAll, expect, test } from "vitest";
import { soundOnlyClip, uniqueClip } from "../clips.ts";
import { finished, form, type Reply, startTestService, type TestService } from "../service-fixture.ts";

const NOBODY = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";

let service: TestService;
let replies: Reply[] = [];

beforeAll(async () => {
  service = await startTestService({ teams: { local: { without: ["generate_video"] } } });
  const { body: media } = await service.send("POST", "upload_media", form(await uniqueClip()));
  const { body: pending } = await service.send("POST", "upload_media", { input: { type: "signed_url" } });
  const input = (media_id: string) => ({ input: { type: "media_id", media_id } });
  const failing = { ...input(media.media_id), generation_config: { custom_instructions: "fail:content_blocked" } };
  const { body: job } = await service.send("POST", "generate_ad_audio", failing);
  await finished(service, job.job_id);
  replies = [
    await service.send("GET", "get_results?job_id=x", undefined, { "X-API-Key": "wrong" }),
    await service.send("POST", "generate_ad_text", {}),
    await service.send("POST", "generate_ad_text", "{"),
    await service.send("POST", "generate_ad_video", input(media.media_id)),
    await service.send("GET", `get_results?job_id=${NOBODY}`),
    await service.send("PATCH", "get_results"),
    await service.send("DELETE", `jobs/${job.job_id}`),
    await service.send("POST", "generate_ad_audio", input(pending.media_id)),
    await service.send("POST", "upload_media", form(await soundOnlyClip())),
  ];
});
afterAll(() => service.close());

test("ERR-01 ERR-04 ERR-05: every error has a text in error, a sentence for people, and details only where there are any", () => {
  expect(replies.map(({ status }) => status)).toEqual([401, 400, 400, 403, 404, 405, 409, 409, 415]);
  for (const { body } of replies) {
    expect(body.error).toMatch(/\S/);
    expect(body.message).toMatch(/^\S.* .*[.]$/);
    expect(body).not.toHaveProperty("details");
  }
});

test("ERR-04: no error repeats a key, a signature or a path of this machine", () => {
  for (const { body } of replies) {
    const text = JSON.stringify(body);
    for (const secret of [service.key, "wrong", service.dataFolder, "signature=", "/src/", "node_modules"]) {
      expect(text).not.toContain(secret);
    }
  }
});
