import type { FastifyRequest } from "fastify";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { API_KEY_HEADER, SERVED_ROUTES } from "../../../src/contract/routes.ts";
import { configurationFrom, planOfTeam } from "../../../src/service/configuration.ts";
import { Authenticator } from "../../../src/service/http/authenticate.ts";
import { type Reply, send, startTestService, type TestService } from "../service-fixture.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const ANY_ID = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";

/** A request to every endpoint that this service offers; what else is wrong with it does not matter here. */
const REQUESTS = Object.values(SERVED_ROUTES).map(
  ({ method, path }) => [method, path.replace("{job_id}", ANY_ID), method === "POST" ? {} : undefined] as const,
);

test.each(REQUESTS)("AUTH-02 ERR-07 BASE-04: refuses %s %s without a key and with a wrong one", async (...request) => {
  for (const key of [null, "wrong", "aside_wrong"]) {
    const reply = await send(service.app, key, ...request);
    expect(reply.status).toBe(401);
    expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
    expect(reply.body).toEqual({ error: "unauthorized", message: expect.stringContaining("API key") });
  }
});

test.each(REQUESTS)("AUTH-01: lets %s %s through with a good key in X-API-Key", async (...request) => {
  const reply = await service.send(...request);
  expect([200, 400, 404]).toContain(reply.status);
  expect(reply.body.error).not.toBe("unauthorized");
});

test("AUTH-03: takes a key as an opaque string", async () => {
  for (const key of ["0", "a b", "ä".normalize("NFC"), "x".repeat(4_000)]) {
    expect((await poll(key)).status).toBe(401);
  }
  const { key } = await service.app.administration.createKey();
  expect((await poll(key)).status).toBe(404);
});

test("AUTH-06 AUTH-07: several keys of a team work side by side, and a withdrawn one does not", async () => {
  const first = await service.app.administration.createKey({ name: "edit suite" });
  const second = await service.app.administration.createKey({ name: "test" });
  expect((await poll(first.key)).status).toBe(404);
  expect((await poll(second.key)).status).toBe(404);
  expect(await service.app.administration.revokeKey(first.id)).toBe(true);
  expect((await poll(first.key)).status).toBe(401);
  expect((await poll(second.key)).status).toBe(404);
  expect(await service.app.administration.revokeKey(first.id)).toBe(false);
});

test("a key that another process withdrew counts for two seconds at the most, and another key of then is not touched", async () => {
  const [first, second] = [await service.app.administration.createKey(), await service.app.administration.createKey()];
  // A process of its own, which nobody tells.
  const elsewhere = new Authenticator(service.database, async (team) => planOfTeam(configurationFrom({}, "/"), team));
  const isKnown = (key: string) =>
    elsewhere.identify({ headers: { [API_KEY_HEADER.toLowerCase()]: key } } as unknown as FastifyRequest).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ code: "unauthorized" });
        return false;
      },
    );
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    expect([await isKnown(first.key), await isKnown(second.key)]).toEqual([true, true]);
    await service.app.administration.revokeKey(first.id);
    vi.advanceTimersByTime(1_999);
    expect([await isKnown(first.key), await isKnown(second.key)]).toEqual([true, true]);
    vi.advanceTimersByTime(1);
    expect([await isKnown(first.key), await isKnown(second.key)]).toEqual([false, true]);
    // What was found withdrawn is not remembered as valid.
    expect(await isKnown(first.key)).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test("keeps no key, only its hash", async () => {
  const { key, id } = await service.app.administration.createKey({ name: "kept nowhere" });
  const rows = await service.database.query("SELECT * FROM aside.api_key WHERE id = $1", [id]);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(key.slice("aside_".length));
  const listed = (await service.app.administration.listKeys()).find((record) => record.id === id);
  expect(listed).toMatchObject({ team: "local", name: "kept nowhere", revokedAt: null });
  expect(JSON.stringify(listed)).not.toContain(key.slice("aside_".length));
});

test("BASE-02 BASE-04: a path without the prefix, and any other unknown one, is 404 in JSON", async () => {
  for (const path of ["/get_results", "/", "/enterprise/api", "/enterprise/api/unknown", "/enterprise/api/jobs/a/b"]) {
    const reply = await service.send("GET", path);
    expect(reply.status).toBe(404);
    expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
    expect(reply.body).toEqual({ error: "not_found", message: expect.any(String) });
  }
});

test("answers a method that a path does not take with 405 and the ones it takes", async () => {
  const reply = await service.send("POST", "/enterprise/api/get_results", {});
  expect(reply.status).toBe(405);
  expect(reply.headers.get("allow")).toBe("GET");
  expect(reply.body).toEqual({ error: "method_not_allowed", message: expect.stringContaining("GET") });
});

test("BASE-02 VER-02: every path begins with the prefix and carries no version", () => {
  for (const { path } of Object.values(SERVED_ROUTES)) {
    expect(path).toMatch(/^\/enterprise\/api\//);
    expect(path).not.toMatch(/\/v\d/);
  }
});

function poll(key: string): Promise<Reply> {
  return send(service.app, key, "GET", `get_results?job_id=${ANY_ID}`);
}
