import { afterAll, beforeAll, expect, test } from "vitest";
import { Client } from "../../../src/client/client.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { clientOf } from "../../end-to-end/service-client.ts";
import { HostedServer } from "../../fakes/hosted-server.ts";
import { uniqueClip } from "../clips.ts";
import { generate, startServiceHere, upload } from "../real-service.ts";
import { type Reply, send, type TestService } from "../service-fixture.ts";

let service: TestService;
let jobId: string;
beforeAll(async () => {
  service = await startServiceHere();
  ({ jobId } = await describedClip());
}, 180_000);
afterAll(() => service.close());

/** A clip of its own, and a text job that is done with it. */
async function describedClip(): Promise<{ readonly mediaId: string; readonly jobId: string }> {
  const mediaId = await upload(service, await uniqueClip());
  const content = "WEBVTT\n\n00:00.100 --> 00:01.000\nA test card.\n";
  const settings = { description_content: content, ad_type: "standard_ad" };
  return { mediaId, jobId: (await generate(service, "text", mediaId, settings)).job_id };
}

const ask = (at: unknown, id = jobId, key = service.key): Promise<Reply> =>
  send(service.app, key, "POST", `jobs/${id}/pictures`, { at });

/** Width and height as the JPEG itself says them (ITU-T T.81, B.2.2). */
function sizeOf(jpeg: Buffer): readonly [number, number] {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)];
}

test("a text job's programme is shown at any time, each picture with its own", async () => {
  const { status, body } = await ask([1.5, 0, 1.5, 500]);
  expect(status).toBe(200);
  expect(body.pictures.map(({ at }: { at: number }) => at)).toEqual([1.5, 0, 1.5, 500]);
  for (const { at, time, width, height, jpeg } of body.pictures) {
    expect(time).toBeLessThanOrEqual(Math.max(at, 0.5));
    expect(sizeOf(Buffer.from(jpeg, "base64"))).toEqual([width, height]);
    expect([width, height]).toEqual([160, 90]);
  }
  expect(body.pictures[0]).toEqual(body.pictures[2]);
  expect(body.pictures[1].jpeg).not.toBe(body.pictures[3].jpeg);
});

test("the client asks for as many as a film has, in requests of a bounded length", async () => {
  const at = Array.from({ length: 120 }, (_, index) => index / 60);
  const found = await clientOf(service.app, service.key).moments(jobId, at);
  expect(found?.map((moment) => moment.at)).toEqual(at);
  expect(await clientOf(service.app, service.key).moments(jobId, [])).toEqual([]);
});

test.each([
  ["no times", []],
  ["more than are taken at once", new Array(51).fill(1)],
  ["a time before the programme", [-1]],
  ["no numbers", ["1"]],
  ["no list", 1],
])("%s is refused", async (_what, at) => {
  const { status, body } = await ask(at);
  expect([status, body.error]).toEqual([400, "invalid_input"]);
});

test.each([
  ["an id that is too long to be one", "x".repeat(2_001)],
  ["an address that is none", "%zz"],
])("%s is refused as everything is", async (_what, id) => {
  const { status, body, headers } = await ask([1], id);
  expect([status, body.error]).toEqual([400, "invalid_input"]);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-request-id")).toBeTruthy();
});

test("another team's job, and one that is none, have no pictures", async () => {
  const { key } = await service.app.administration.createKey({ team: "south" });
  expect((await ask([1], jobId, key)).status).toBe(404);
  expect((await ask([1], "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1")).status).toBe(404);
  expect(await clientOf(service.app, key).moments(jobId, [1])).toBeNull();
});

test("a service that keeps no pictures is asked once, and has none", async () => {
  const server = new HostedServer();
  const { address, close } = await server.listen();
  try {
    const client = new Client({ baseUrl: address, apiKey: server.key, fetch, clock: SYSTEM_CLOCK });
    expect(await client.moments("job", new Array(80).fill(1))).toBeNull();
    expect(server.seen).toHaveLength(1);
  } finally {
    await close();
  }
});

test("they go with the media, and say so", async () => {
  const own = await describedClip();
  expect((await service.send("DELETE", `media/${own.mediaId}`)).status).toBe(200);
  expect(await ask([1], own.jobId)).toMatchObject({ status: 404, body: { error: "not_found", code: "pictures_gone" } });
});
