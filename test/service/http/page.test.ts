import { afterAll, beforeAll, expect, test } from "vitest";
import { uniqueClip } from "../clips.ts";
import { finished, form, type Reply, send, startTestService, type TestService } from "../service-fixture.ts";

const DESK = "/home/desk";

let service: TestService;
let mediaId: string;
beforeAll(async () => {
  service = await startTestService();
  mediaId = (await service.send("POST", "upload_media", form(await uniqueClip()))).body.media_id;
});
afterAll(() => service.close());

async function logIn(token: string): Promise<Reply> {
  return send(service.app, null, "POST", "/home/log-in", { token });
}

const submit = (custom_instructions: string) =>
  service.send("POST", "generate_ad_text", {
    input: { type: "media_id", media_id: mediaId },
    generation_config: { custom_instructions },
  });

test("a link logs in once, as an administrator of its team, with a key that ends by itself", async () => {
  const token = await service.app.administration.createLogInLink({ team: "north" });
  expect(token).toMatch(/^[\w-]{43}$/);
  const { status, body } = await logIn(token);
  expect(status).toBe(200);
  expect((await send(service.app, body.key, "GET", "settings")).body.may_change).toBe(true);
  expect((await logIn(token)).status).toBe(401);
  const kept = await service.database.query<{ hours: number; team: string }>(
    `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours, t.name AS team
     FROM aside.api_key k JOIN aside.team t ON t.id = k.team_id WHERE k.id = $1`,
    [body.key_id],
  );
  expect(kept).toEqual([{ hours: 12, team: "north" }]);
  await service.database.query("UPDATE aside.api_key SET expires_at = now() - interval '1 second' WHERE id = $1", [
    body.key_id,
  ]);
  await expect.poll(async () => (await send(service.app, body.key, "GET", "settings")).status).toBe(401);
  expect((await service.app.administration.listKeys()).map(({ id }) => id)).not.toContain(body.key_id);
});

test("a link that waited too long opens nothing, and no secret is kept", async () => {
  const token = await service.app.administration.createLogInLink();
  const rows = await service.database.query("SELECT * FROM aside.log_in_link");
  expect(JSON.stringify(rows)).not.toContain(token);
  const [life] = await service.database.query(
    "SELECT round(extract(epoch FROM max(expires_at) - now()))::int AS seconds FROM aside.log_in_link",
  );
  expect(life).toEqual({ seconds: 300 });
  await service.database.query("UPDATE aside.log_in_link SET expires_at = now() - interval '1 second'");
  const { status, body } = await logIn(token);
  expect([status, body.error]).toEqual([401, "unauthorized"]);
  expect((await logIn("none")).status).toBe(401);
  expect((await send(service.app, null, "POST", "/home/log-in", { token: "x".repeat(300) })).status).toBe(400);
});

test("the page tells a stranger nothing, loads from itself alone, and sends no other file of the program", async () => {
  const reply = await service.follow("http://service.test/home", { headers: { Forwarded: "for=192.0.2.1" } });
  const page = await reply.text();
  const policy = reply.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect(page).not.toMatch(/https?:|<script(?! defer src="home\/files\/)/);
  const paths = [...page.matchAll(/(?:src|href)="(home\/files\/[^"]+)"/g)].map(([, path]) => path ?? "");
  expect(paths.map((path) => path.replace(/\.[0-9a-f]{20}\./, "."))).toEqual([
    "home/files/page.css",
    "home/files/main.js",
  ]);
  for (const path of paths) {
    const file = await service.follow(`http://service.test/${path}`);
    expect(file.headers.get("content-type")).toMatch(/^text\/(?:css|javascript); charset=utf-8$/);
    expect(file.headers.get("cache-control")).toContain("immutable");
    const map = /sourceMappingURL=([^\s*]+)/.exec(await file.text())?.[1];
    expect((await service.follow(`http://service.test/home/files/${map}`)).status).toBe(200);
  }
  for (const other of ["index.html", "main.js", "package.json", "..%2f..%2fpackage.json", "%2e%2e/package.json", ""]) {
    expect((await service.follow(`http://service.test/home/files/${other}`)).status, other).toBe(404);
  }
  expect((await service.follow("http://service.test/")).status).toBe(404);
});

test("the desk answers administrators alone, and each about their own team alone", async () => {
  const { key } = await service.app.administration.createKey();
  const stranger = (await service.app.administration.createKey({ team: "south", isAdministrator: true })).key;
  const { body: job } = await submit("");
  await finished(service, job.job_id);
  const requests = [
    ["GET", "/jobs"],
    ["GET", `/jobs/${job.job_id}/order`],
    ["GET", `/media/${mediaId}`],
    ["GET", "/state"],
    ["GET", "/texts"],
    ["PUT", "/texts/kept/a.json"],
    ["GET", "/log"],
    ["POST", "/links"],
    ["POST", "/keys"],
    ["POST", "/examine"],
    ["POST", "/backup"],
  ] as const;
  for (const [method, path] of requests) {
    expect([path, (await send(service.app, null, method, DESK + path)).status]).toEqual([path, 401]);
    expect([path, (await send(service.app, key, method, DESK + path)).status]).toEqual([path, 403]);
  }
  expect((await service.send("GET", `${DESK}/jobs`)).body.map(({ job_id }: { job_id: string }) => job_id)).toContain(
    job.job_id,
  );
  expect((await send(service.app, stranger, "GET", `${DESK}/jobs`)).body).toEqual([]);
  for (const [method, path] of requests.slice(1, 3)) {
    expect([path, (await send(service.app, stranger, method, DESK + path)).status]).toEqual([path, 404]);
  }
  const order = (await service.send("GET", `${DESK}/jobs/${job.job_id}/order`)).body;
  expect(order).toMatchObject({ kind: "text", settings: { format: "json", type: "extended" } });
});

test("keeps texts of a team as they are, under plain names", async () => {
  const put = (path: string, text: string, key = service.key) =>
    send(service.app, key, "PUT", `${DESK}/texts/${path}`, text, { "content-type": "text/plain; charset=utf-8" });
  const read = async (path: string) =>
    (
      await service.follow(`http://service.test${DESK}/texts/${path}`, { headers: { "X-API-Key": service.key } })
    ).text();
  const words = "Grüße,\r\n„schöne“ 女 🎬 \u0001";
  expect((await put("kept/results/a.result.json", words)).status).toBe(204);
  expect(await read("kept/results/a.result.json")).toBe(words);
  const long = "é".repeat(3_000_000);
  expect((await put("kept/results/a.result.json", long)).status).toBe(204);
  expect(await read("kept/results/a.result.json")).toBe(long);
  expect((await service.send("GET", `${DESK}/texts`)).body.paths).toEqual(["kept/results/a.result.json"]);
  const other = (await service.app.administration.createKey({ team: "west", isAdministrator: true })).key;
  expect((await send(service.app, other, "GET", `${DESK}/texts`)).body.paths).toEqual([]);
  for (const path of ["a%2F..%2Fb", ".hidden", "a//b", "a%00b", `${"a/".repeat(9)}b`]) {
    expect([path, (await put(path, "")).status]).not.toEqual([path, 204]);
  }
  expect((await put("nul", "a\0b")).status).toBe(400);
  expect((await service.send("DELETE", `${DESK}/texts/kept/results/a.result.json`)).status).toBe(204);
  expect((await service.send("GET", `${DESK}/texts/kept/results/a.result.json`)).status).toBe(404);
});

test("withdraws the one key of its own team that is named, and no other, least of all another team's", async () => {
  const { administration } = service.app;
  const made = async (team: string, isAdministrator: boolean) => administration.createKey({ team, isAdministrator });
  const [own, kept, foreign] = [await made("north", true), await made("north", false), await made("east", false)];
  const withdraw = async (id: string) => (await send(service.app, own.key, "DELETE", `${DESK}/keys/${id}`)).status;
  const counts = async () =>
    Promise.all([own, kept, foreign].map(async ({ key }) => (await send(service.app, key, "GET", "settings")).status));
  const shown = async () => (await send(service.app, own.key, "GET", `${DESK}/state`)).body.keys;
  const ids = async () => (await shown()).map(({ id }: { id: string }) => id).toSorted();
  expect(await ids()).toEqual([own.id, kept.id].toSorted());
  expect([await withdraw(foreign.id), await withdraw("none")]).toEqual([404, 404]);
  expect(await counts()).toEqual([200, 200, 200]);
  expect(await withdraw(kept.id)).toBe(204);
  expect(await counts()).toEqual([200, 401, 200]);
  expect(await ids()).toEqual([own.id]);
});

test("gives its player the programme by a signed link, and makes and withdraws keys of its team", async () => {
  const { body } = await service.send("GET", `${DESK}/media/${mediaId}`);
  expect(body).toMatchObject({ duration_seconds: expect.any(Number), frame_rate: expect.any(Number) });
  // Whatever an uploader calls it, it is never sent as a page.
  await service.database.query("UPDATE aside.media SET content_type = 'text/html' WHERE id = $1", [mediaId]);
  expect((await service.send("GET", `${DESK}/media/${mediaId}`)).body.content_type).toBe("video/mp4");
  expect((await service.send("GET", `${DESK}/media/none`)).status).toBe(404);
  const part = await service.follow(body.signed_url, { headers: { range: "bytes=0-9" } });
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);
  const made = (await service.send("POST", `${DESK}/keys`, { name: "edit suite 3" })).body.key;
  expect((await send(service.app, made, "GET", "settings")).body.may_change).toBe(false);
  const { keys, retention, media } = (await service.send("GET", `${DESK}/state`)).body;
  expect(retention).toEqual({ media_days: 30, result_days: 30 });
  expect(media.bytes).toBeGreaterThan(1000);
  const key = keys.find(({ name }: { name: string }) => name === "edit suite 3");
  expect((await service.send("DELETE", `${DESK}/keys/${key.id}`)).status).toBe(204);
  expect((await send(service.app, made, "GET", "settings")).status).toBe(401);
  expect((await service.send("DELETE", `${DESK}/keys/${key.id}`)).status).toBe(404);
});
