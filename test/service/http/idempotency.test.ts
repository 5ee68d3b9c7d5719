import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Client } from "../../../src/client/client.ts";
import { SubmissionError } from "../../../src/client/errors.ts";
import type { Fetch } from "../../../src/client/request.ts";
import { type App, createApp } from "../../../src/service/app.ts";
import { configurationFrom } from "../../../src/service/configuration.ts";
import { layFreshRecords } from "../../../src/service/fresh-records.ts";
import { dataFolders } from "../../../src/service/storage/data-folders.ts";
import { openEmbeddedDatabase } from "../../../src/service/storage/pglite-database.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { uniqueClip } from "../clips.ts";
import {
  FAKE_TASKS,
  finished,
  form,
  type Reply,
  send,
  startTestService,
  type TestService,
} from "../service-fixture.ts";
import { startWebHost, type WebHost } from "../web-host.ts";

let service: TestService;
let host: WebHost;
let mediaId = "";
beforeAll(async () => {
  host = await startWebHost();
  const url_input = { allowed_networks: ["127.0.0.0/8"], ports: null };
  service = await startTestService(
    { url_input, plans: { small: { queued_jobs: 1 } }, teams: { small: { plan: "small" } } },
    { worksOnJobs: false },
  );
  mediaId = (await service.send("POST", "upload_media", form(await uniqueClip()))).body.media_id;
});
afterAll(async () => {
  await service.close();
  await host.close();
});

let keys = 0;
const freshKey = () => `key ${++keys}`;
const withKey = (key: string) => ({ "Idempotency-Key": key });
const nested = (generation_config: object = {}) => ({
  input: { type: "media_id", media_id: mediaId },
  generation_config,
});

/** Jobs and reservations of the service. */
async function books(of: Pick<TestService, "database"> = service): Promise<{ jobs: number; reservations: number }> {
  const [row] = await of.database.query<{ jobs: number; reservations: number }>(
    `SELECT (SELECT count(*)::int FROM aside.job) AS jobs, (SELECT count(*)::int FROM aside.usage) AS reservations`,
  );
  return row ?? { jobs: -1, reservations: -1 };
}

async function addedBy(work: () => Promise<unknown>): Promise<{ jobs: number; reservations: number }> {
  const before = await books();
  await work();
  const after = await books();
  return { jobs: after.jobs - before.jobs, reservations: after.reservations - before.reservations };
}

function expectRefusal(reply: Reply, message: RegExp): void {
  expect(reply.status).toBe(400);
  expect(reply.body).toEqual({ error: "invalid_input", message: expect.stringMatching(message) });
}

describe("a generation request", () => {
  const clip = uniqueClip();
  const requests: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    ["flat text", "generate_ad_text", async () => ({ media_id: mediaId, voice: "x" })],
    ["nested text", "generate_ad_text", async () => nested()],
    ["audio", "generate_ad_audio", async () => nested({ format: "srt" })],
    ["video", "generate_ad_video", async () => nested()],
    ["a file", "generate_ad_audio", async () => form(await clip, { generation_config: { format: "srt" } })],
    [
      "an address",
      "generate_ad_text_from_url",
      async () => {
        const bytes = await clip;
        host.pages.set("/clip.mp4", (_request, response) => response.end(bytes));
        return { source_url: `${host.url}/clip.mp4` };
      },
    ],
  ];
  test.each(requests)("sent again with its key makes no second job: %s", async (_name, path, bodyOf) => {
    const key = freshKey();
    const replies: Reply[] = [];
    const added = await addedBy(async () => {
      for (let time = 0; time < 3; time++) {
        replies.push(await service.send("POST", path, await bodyOf(), withKey(time === 2 ? `"${key}"` : key)));
      }
    });
    expect(replies[0]?.status).toBe(200);
    for (const { status, body } of replies) expect({ status, body }).toEqual({ status: 200, body: replies[0]?.body });
    expect(added).toEqual({ jobs: 1, reservations: 1 });
    expect(await addedBy(async () => service.send("POST", path, await bodyOf()))).toEqual({ jobs: 1, reservations: 1 });
  });

  test("sent several times at once with its key makes one job", async () => {
    const key = freshKey();
    let replies: Reply[] = [];
    const added = await addedBy(async () => {
      replies = await Promise.all(
        Array.from({ length: 8 }, () => service.send("POST", "generate_ad_audio", nested(), withKey(key))),
      );
    });
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.job_id}`)).size).toBe(1);
    expect(added).toEqual({ jobs: 1, reservations: 1 });
  });

  test("with a key that came with another request is refused", async () => {
    const key = freshKey();
    await service.send("POST", "generate_ad_audio", nested(), withKey(key));
    const added = await addedBy(async () => {
      const other = await service.send("POST", "generate_ad_audio", nested({ format: "srt" }), withKey(key));
      expectRefusal(other, /"Idempotency-Key" came with another request/);
      const file = await service.send("POST", "generate_ad_audio", form(await clip), withKey(key));
      expectRefusal(file, /"Idempotency-Key" came with another request/);
    });
    expect(added).toEqual({ jobs: 0, reservations: 0 });
  });

  test("of a file is the same only with the same bytes, name and configuration; it is told what nobody knows of it", async () => {
    const bytes = await uniqueClip();
    const sent = (key: string, file: Uint8Array<ArrayBuffer>, config: object, name?: string) =>
      service.send("POST", "generate_ad_audio", form(file, { generation_config: config }, name), withKey(key));
    const key = freshKey();
    const first = await sent(key, bytes, { format: "srt", colour: 1 });
    expect(first.body.ignored).toEqual(["generation_config.colour"]);
    const added = await addedBy(async () => {
      expectRefusal(await sent(key, await uniqueClip(), { format: "srt", colour: 1 }), /another request/);
      expectRefusal(await sent(key, bytes, { format: "edl", colour: 1 }), /another request/);
      expectRefusal(await sent(key, bytes, { format: "srt", colour: 1 }, "other.mp4"), /another request/);
      expect((await sent(key, bytes, { format: "srt", colour: 1 })).body).toEqual(first.body);
    });
    expect(added).toEqual({ jobs: 0, reservations: 0 });
  });

  test("with the key of another endpoint or team is another request", async () => {
    const key = freshKey();
    const first = await service.send("POST", "generate_ad_audio", nested(), withKey(key));
    const second = await service.send("POST", "generate_ad_video", nested(), withKey(key));
    expect(second.status).toBe(200);
    expect(second.body.job_id).not.toBe(first.body.job_id);
    const { key: neighbour } = await service.app.administration.createKey({ team: "neighbours" });
    const foreign = await send(service.app, neighbour, "POST", "generate_ad_audio", nested(), withKey(key));
    expect(foreign.status).toBe(404);
  });

  test("that is refused keeps nothing, and one that was accepted is answered where a new one would be refused", async () => {
    const { key: apiKey } = await service.app.administration.createKey({ team: "small" });
    const ask = (path: string, body: unknown, key: string) =>
      send(service.app, apiKey, "POST", path, body, withKey(key));
    const { body: media } = await ask("upload_media", form(await clip), freshKey());
    const [accepted, refused] = [freshKey(), freshKey()];
    const body = { media_id: media.media_id };
    const first = await ask("generate_ad_text", body, accepted);
    expect(first.status).toBe(200);
    expect((await ask("generate_ad_text", body, refused)).body.error).toBe("queue_limit_exceeded");
    expect((await ask("generate_ad_text", body, accepted)).body).toEqual(first.body);
    await service.database.query("UPDATE aside.job SET status = 'failed' WHERE id = $1", [first.body.job_id]);
    expect((await ask("generate_ad_text", body, refused)).status).toBe(200);
  });

  test("is forgotten after 24 hours", async () => {
    const key = freshKey();
    const first = await service.send("POST", "generate_ad_audio", nested(), withKey(key));
    const age = (hours: number) =>
      service.database.query(
        "UPDATE aside.answered_request SET created_at = now() - make_interval(hours => $2) WHERE key = $1",
        [key, hours],
      );
    await age(23);
    expect((await service.send("POST", "generate_ad_audio", nested(), withKey(key))).body).toEqual(first.body);
    await age(25);
    const later = await service.send("POST", "generate_ad_audio", nested({ format: "srt" }), withKey(key));
    expect(later.status).toBe(200);
    expect(later.body.job_id).not.toBe(first.body.job_id);
  });

  thoroughTest("is forgotten with its job", async () => {
    const working = await startTestService();
    try {
      const { body } = await working.send("POST", "upload_media", form(await clip));
      const ask = () => working.send("POST", "generate_ad_text", { media_id: body.media_id }, withKey("k"));
      const first = await ask();
      await finished(working, first.body.job_id);
      expect((await ask()).body).toEqual(first.body);
      await working.send("DELETE", `jobs/${first.body.job_id}`);
      expect((await ask()).body.job_id).not.toBe(first.body.job_id);
      await finished(working, (await ask()).body.job_id);
      await working.database.query("UPDATE aside.job SET finished_at = now() - interval '90 days'");
      expect(await working.app.administration.purgeJobs(60)).toBe(2);
      expect(await working.database.query("SELECT key FROM aside.answered_request")).toEqual([]);
    } finally {
      await working.close();
    }
  });
});

test("a key has 1 to 255 visible characters", async () => {
  for (const key of ["x".repeat(255), `"${"x".repeat(255)}"`, "'; DROP TABLE aside.job; --"]) {
    expect((await service.send("POST", "generate_ad_audio", nested(), withKey(key))).status).toBe(200);
  }
  for (const key of ["", '""', "x".repeat(256), `"${"x".repeat(256)}"`, "\u00e9", 'a"b']) {
    expectRefusal(
      await service.send("POST", "generate_ad_audio", nested(), withKey(key)),
      /"Idempotency-Key" must have/,
    );
    expectRefusal(
      await service.send("POST", "upload_media", { input: { type: "signed_url" } }, withKey(key)),
      /"Idempotency-Key" must have/,
    );
  }
});

describe("an upload sent again with its key brings the same media", () => {
  const signed = (filename: string) => ({ input: { type: "signed_url", filename, content_type: "video/mp4" } });

  test("by signed address, which is fresh", async () => {
    const key = freshKey();
    const first = await service.send("POST", "upload_media", signed("a.mp4"), withKey(key));
    const second = await service.send("POST", "upload_media", signed("a.mp4"), withKey(key));
    expect(second.body).toMatchObject({
      media_id: first.body.media_id,
      gcs_path: first.body.gcs_path,
      status: "pending_upload",
    });
    const init = { method: "PUT", headers: { "Content-Type": second.body.content_type }, body: await uniqueClip() };
    expect((await service.follow(second.body.upload_url, init)).status).toBe(200);
    expectRefusal(await service.send("POST", "upload_media", signed("b.mp4"), withKey(key)), /another request/);
    const other = await service.send("POST", "upload_media", signed("a.mp4"), withKey(freshKey()));
    expect(other.body.media_id).not.toBe(first.body.media_id);
  });

  test("by multipart, with the same words", async () => {
    const [key, clip] = [freshKey(), await uniqueClip()];
    const first = await service.send("POST", "upload_media", form(clip), withKey(key));
    expect(first.body.status).toBe("created");
    expect((await service.send("POST", "upload_media", form(clip), withKey(key))).body).toEqual(first.body);
    expect((await service.send("POST", "upload_media", form(clip), withKey(freshKey()))).body.status).toBe("existing");
    expectRefusal(
      await service.send("POST", "upload_media", form(await uniqueClip()), withKey(key)),
      /another request/,
    );
  });

  test.each(["upload_media", "upload_from_url"])("by address, which is asked once: %s", async (path) => {
    const [key, clip] = [freshKey(), await uniqueClip()];
    host.pages.set("/once.mp4", (_request, response) => response.end(clip));
    const url = `${host.url}/once.mp4`;
    const body = path === "upload_media" ? { input: { type: "url", url } } : { source_url: url };
    const asked = host.asked.length;
    const first = await service.send("POST", path, body, withKey(key));
    expect(first.body.status).toBe("created");
    expect((await service.send("POST", path, body, withKey(key))).body).toEqual(first.body);
    expect(host.asked.length).toBe(asked + 1);
  });
});

test("a key is known after a restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), "aside-service-"));
  const { records } = dataFolders(folder);
  await layFreshRecords(records);
  const open = async () => {
    const database = await openEmbeddedDatabase(records);
    const ports = { database, tasks: FAKE_TASKS, log: { level: "silent" as const }, worksOnJobs: false };
    const app = await createApp(configurationFrom({}, folder), ports);
    return { app, database, key: await app.processKey() };
  };
  const ask = ({ app, key }: { app: App; key: string }, media: string) =>
    send(app, key, "POST", "generate_ad_text", { media_id: media }, withKey("k"));
  try {
    const before = await open();
    const uploaded = await send(before.app, before.key, "POST", "upload_media", form(await uniqueClip()));
    const first = await ask(before, uploaded.body.media_id);
    expect(first.status).toBe(200);
    await before.app.close();
    const after = await open();
    expect((await ask(after, uploaded.body.media_id)).body).toEqual(first.body);
    expect(await books(after)).toEqual({ jobs: 1, reservations: 1 });
    await after.app.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

describe("our client", () => {
  /** A client whose connection breaks after the service answered, as often as told; `strip` hides that it knows keys. */
  function clientOf(options: { readonly strip?: boolean } = {}) {
    const state = { breaks: 0, keys: [] as string[] };
    const fetch: Fetch = async (address, init) => {
      const { signal, ...rest } = init;
      const reply = await service.app.handle(new Request(address, { ...rest, signal } as RequestInit));
      const text = await reply.text();
      state.keys.push(new Headers(init.headers).get("idempotency-key") ?? "");
      if (state.breaks > 0) {
        state.breaks--;
        throw new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
      }
      if (options.strip === true) reply.headers.delete("idempotency-key-max-age");
      return { status: reply.status, headers: reply.headers, text: async () => text };
    };
    const client = new Client({
      baseUrl: "http://service.test",
      apiKey: service.key,
      fetch,
      clock: new InstantClock(),
    });
    return { client, state };
  }

  test("has one job of a request whose reply was lost, where the service knows keys", async () => {
    const { client, state } = clientOf();
    await client.requestSignedUpload({ filename: "a.mp4", contentType: "video/mp4" });
    state.keys.length = 0;
    state.breaks = 2;
    let jobId = "";
    const added = await addedBy(async () => {
      ({ jobId } = await client.generateAudio({ type: "media_id", media_id: mediaId }));
    });
    expect(jobId).not.toBe("");
    expect(added).toEqual({ jobs: 1, reservations: 1 });
    expect(state.keys).toHaveLength(3);
    expect(new Set(state.keys).size).toBe(1);
    expect(state.keys[0]).toMatch(/^"[\w-]{20,60}"$/);
    await client.generateAudio({ type: "media_id", media_id: mediaId });
    expect(state.keys[3]).not.toBe(state.keys[0]);
  });

  test("has one media of an upload whose reply was lost", async () => {
    const { client, state } = clientOf();
    const count = async () => (await service.database.query("SELECT id FROM aside.media")).length;
    const before = await count();
    state.breaks = 1;
    await client.requestSignedUpload({ filename: "a.mp4", contentType: "video/mp4" });
    expect(await count()).toBe(before + 1);
  });

  test("sends nothing twice to a service that may not know keys", async () => {
    const { client, state } = clientOf({ strip: true });
    await client.requestSignedUpload({ filename: "a.mp4", contentType: "video/mp4" });
    state.breaks = 1;
    const added = await addedBy(async () => {
      const lost = client.generateAudio({ type: "media_id", media_id: mediaId });
      await expect(lost).rejects.toBeInstanceOf(SubmissionError);
    });
    expect(added).toEqual({ jobs: 1, reservations: 1 });
  });
});
