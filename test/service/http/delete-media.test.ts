import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { uniqueClip } from "../clips.ts";
import {
  finished,
  form,
  openGate,
  send,
  startTestService,
  type TestService,
  uploadSigned,
  verified,
} from "../service-fixture.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const files = async () =>
  (await readdir(join(service.dataFolder, "objects"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .join("\n");
const upload = async (clip?: Uint8Array<ArrayBuffer>) =>
  (await service.send("POST", "upload_media", form(clip ?? (await uniqueClip())))).body.media_id;

test("removes the bytes and all that stands for them; results stay, and the file can come again", async () => {
  const clip = await uniqueClip();
  const id = await upload(clip);
  const repeat = await uploadSigned(service, clip);
  await verified(service, repeat);
  const { body } = await service.send("POST", "generate_ad_text", { input: { type: "media_id", media_id: id } });
  await finished(service, body.job_id);
  expect(await service.send("DELETE", `media/${id}`)).toMatchObject({ status: 200, body: { status: "success" } });
  expect(await files()).not.toContain(id);
  expect(await files()).not.toContain(repeat.media_id);
  for (const gone of [id, repeat.media_id]) {
    expect(
      (await service.send("POST", "generate_ad_text", { input: { type: "media_id", media_id: gone } })).status,
    ).toBe(404);
  }
  expect((await service.send("GET", `get_results?job_id=${body.job_id}`)).body.status).toBe("done");
  expect((await service.send("DELETE", `media/${id}`)).status).toBe(404);
  expect(await upload(clip)).not.toBe(id);
});

test("waits for no job: media that is worked on is refused", async () => {
  const id = await upload();
  const { body } = await service.send("POST", "generate_ad_text", {
    input: { type: "media_id", media_id: id },
    generation_config: { custom_instructions: "gate" },
  });
  expect(await service.send("DELETE", `media/${id}`)).toMatchObject({
    status: 409,
    body: { error: "job_not_deletable" },
  });
  await openGate(service.dataFolder, body.job_id);
  expect((await finished(service, body.job_id)).status).toBe("done");
  expect((await service.send("DELETE", `media/${id}`)).status).toBe(200);
});

test("another team's media is unknown, as is what is no id", async () => {
  const id = await upload();
  const { key } = await service.app.administration.createKey({ team: "other" });
  expect((await send(service.app, key, "DELETE", `media/${id}`)).status).toBe(404);
  expect((await service.send("DELETE", "media/..%2F..")).status).toBe(404);
  await writeFile(join(service.dataFolder, "objects", "untouched"), "");
  expect(await files()).toContain(id);
});
