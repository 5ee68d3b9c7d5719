import { once } from "node:events";
import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { uniqueClip } from "../clips.ts";
import { eventually } from "../eventually.ts";
import { finished, form, send, startTestService, type TestService } from "../service-fixture.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ job_attempts: 1 });
});
afterAll(() => service.close());

const get = (path: string, headers?: Record<string, string>) =>
  service.follow(`http://service.test${path}`, headers === undefined ? {} : { headers });

test("says that it is alive and ready, without a key", async () => {
  expect((await send(service.app, null, "GET", "/healthz")).body).toEqual({ status: "alive" });
  const ready = await send(service.app, null, "GET", "/readyz");
  expect(ready.status).toBe(200);
  expect(ready.body).toEqual({ status: "ready", records: "ready", storage: "ready", disk: "ready" });
});

test("says what is not ready", async () => {
  const broken = await startTestService({}, { worksOnJobs: false });
  await broken.database.close();
  const ready = await send(broken.app, null, "GET", "/readyz");
  expect(ready.status).toBe(503);
  expect(ready.body).toEqual({ status: "failing", records: "failing", storage: "ready", disk: "ready" });
  expect((await send(broken.app, null, "GET", "/healthz")).status).toBe(200);
  const reply = await broken.send("GET", "get_results?job_id=5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1");
  expect(reply.status).toBe(500);
  expect(reply.body.error).toBe("internal_error");
  await broken.close();
});

thoroughTest("a check that fails while another one still waits is told, and ends nothing", async () => {
  const gone = await startTestService({}, { worksOnJobs: false });
  vi.spyOn(gone.database, "query").mockImplementation(() => sleep(100, []));
  await rm(gone.dataFolder, { recursive: true });
  const ready = await send(gone.app, null, "GET", "/readyz");
  // What nobody hears of ends a process, and this test.
  expect(ready).toMatchObject({ status: 503, body: { disk: "failing" } });
  await gone.close();
});

test("counts jobs by state and outcome, stages, real-time factor, queue age, requests and bytes", async () => {
  const { body: media } = await service.send("POST", "upload_media", form(await uniqueClip()));
  const submit = async (custom_instructions: string) => {
    const input = { type: "media_id", media_id: media.media_id };
    const reply = await service.send("POST", "generate_ad_audio", {
      input,
      generation_config: { custom_instructions },
    });
    await finished(service, reply.body.job_id);
  };
  await submit("");
  await submit("fail:content_blocked");
  const text = await eventually(async () => {
    const metrics = await (await get("/metrics", { "X-API-Key": service.key })).text();
    return metrics.includes('outcome="failed"') ? metrics : undefined;
  });
  for (const line of [
    'aside_jobs{state="done"} 1',
    'aside_jobs{state="failed"} 1',
    'aside_jobs{state="queued"} 0',
    "aside_queue_age_seconds 0",
    'aside_jobs_ended_total{kind="audio",outcome="done"} 1',
    'aside_jobs_ended_total{kind="audio",outcome="failed"} 1',
    'aside_stage_seconds_count{stage="probe"} 1',
    'aside_realtime_factor_count{kind="audio"} 1',
    'aside_request_seconds_count{method="POST",route="/enterprise/api/generate_ad_audio",status="200"} 2',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).toMatch(/aside_sent_bytes_total [1-9]/);
  expect(text).toMatch(/process_resident_memory_bytes [1-9]/);
  expect(text).not.toContain(media.media_id);
});

test("shows metrics to who has their key, and to nobody for being on this computer, where a proxy may be", async () => {
  const { key: monitor } = await service.app.administration.createKey({ isForMetrics: true });
  const { key: program } = await service.app.administration.createKey();
  const statusOf = async (headers: Record<string, string>) => (await get("/metrics", headers)).status;
  expect(await statusOf({})).toBe(401);
  expect(await statusOf({ "X-API-Key": monitor })).toBe(200);
  // As Prometheus sends it.
  expect(await statusOf({ Authorization: `Bearer ${monitor}` })).toBe(200);
  expect(await statusOf({ Authorization: "Bearer other" })).toBe(401);
  expect(await statusOf({ "X-API-Key": program })).toBe(403);
  // It opens nothing else, and is no bearer elsewhere.
  for (const path of ["settings", "get_results?job_id=x"]) {
    expect((await send(service.app, monitor, "GET", path)).status).toBe(403);
    expect((await send(service.app, null, "GET", path, undefined, { Authorization: `Bearer ${program}` })).status).toBe(
      401,
    );
  }
});

test("every reply forbids guessing its type, framing it and keeping it, and names its request", async () => {
  for (const path of ["/healthz", "/nowhere", "/enterprise/api/get_results", "/storage/x"]) {
    const { headers } = await get(path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-request-id")).toMatch(/^[-0-9a-f]{36}$/);
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
});

describe("slow clients", () => {
  test.each([
    ["headers", "POST /enterprise/api/generate_ad_text HTTP/1.1\r\nHost: x\r\nX-API-", /^$|408/],
    ["a JSON body", "", /400 Bad Request.*did not arrive within 1 s/s],
  ])("that never finish %s are sent away", async (what, start, answer) => {
    const slow = await startTestService({ slow_client_seconds: 1 });
    const { port } = new URL(await slow.app.listen({ host: "127.0.0.1", port: 0 }));
    const head = `POST /enterprise/api/generate_ad_text HTTP/1.1\r\nHost: x\r\nX-API-Key: ${slow.key}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`;
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(what === "headers" ? start : head);
    let text = "";
    socket
      .on("error", () => undefined)
      .on("data", (bytes) => {
        text += bytes.toString();
      });
    await once(socket, "close");
    expect(text).toMatch(answer);
    await slow.close();
  });
});

test("pages of other origins get no leave to call", async () => {
  const { status, headers } = await service.follow("http://service.test/enterprise/api/get_results", {
    method: "OPTIONS",
    headers: { Origin: "https://example.org", "Access-Control-Request-Method": "GET" },
  });
  expect(status).toBe(405);
  expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});
