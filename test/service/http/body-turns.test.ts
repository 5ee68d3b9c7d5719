import { once } from "node:events";
import { type ClientRequest, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API, startTestService, type TestService } from "../service-fixture.ts";

let service: TestService;
let url = "";
let otherKey = "";
beforeAll(async () => {
  service = await startTestService({ slow_client_seconds: 20 }, { worksOnJobs: false });
  url = `${await service.app.listen({ host: "127.0.0.1", port: 0 })}${API}/generate_ad_text`;
  ({ key: otherKey } = await service.app.administration.createKey({ team: "other" }));
});
afterAll(() => service.close());

const LONG = JSON.stringify({ input: "x".repeat(20_000) });

interface Begun {
  readonly sent: ClientRequest;
  readonly status: Promise<number>;
}

/** Begins a request with a long body, of which as much is sent as is said; resolves once the service has its head. */
async function begin(body: string, key = service.key): Promise<Begun> {
  const headers = { "X-API-Key": key, "Content-Type": "application/json", "Content-Length": LONG.length };
  const sent = request(url, { method: "POST", headers: { ...headers, Expect: "100-continue" }, agent: false });
  const status = once(sent, "response").then(async ([reply]) => {
    await text(reply);
    return reply.statusCode;
  });
  status.catch(() => undefined);
  sent.flushHeaders();
  await once(sent, "continue");
  sent.write(body);
  return { sent, status };
}

/** Resolves once what came before has gone the same way: a short body is answered at once. */
async function pass(): Promise<void> {
  const headers = { "X-API-Key": service.key, "Content-Type": "application/json" };
  expect((await fetch(url, { method: "POST", headers, body: "{}" })).status).toBe(400);
}

test("a team's third long body is read once one of two was answered, or its sender is gone; others wait for none", async () => {
  const first = await begin("{");
  const second = await begin("{");
  await pass();
  const answered: string[] = [];
  const [third, fourth] = [await begin(LONG), await begin(LONG)];
  for (const { status } of [third, fourth]) void status.then(() => answered.push("early"));
  await pass();
  expect(await (await begin(LONG, otherKey)).status).toBe(400);
  expect(answered).toEqual([]);
  first.sent.end(LONG.slice(1));
  expect(await first.status).toBe(400);
  expect([await third.status, await fourth.status]).toEqual([400, 400]);

  const again = await begin("{");
  await pass();
  const last = await begin(LONG);
  second.sent.destroy();
  expect(await last.status).toBe(400);
  again.sent.end(LONG.slice(1));
  expect(await again.status).toBe(400);
});
