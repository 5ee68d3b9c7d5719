import { request } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Clock } from "../../../src/core/ports.ts";
import { createPairingCode, takePairingCode } from "../../../src/service/storage/key-records.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { type Reply, send, startTestService, type TestService } from "../service-fixture.ts";

let service: TestService;
let address = "";
let minutes = 0;
const log: string[] = [];
/** Goes on by a minute with each test, so that none stands in the way of the next. */
const clock: Clock = { ...SYSTEM_CLOCK, now: () => Date.now() + minutes * 60_000 };

beforeAll(async () => {
  const stream = { write: (line: string) => void log.push(line) };
  service = await startTestService({}, { clock, worksOnJobs: false, log: { level: "debug", stream } });
  address = await service.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => service.close());
beforeEach(() => {
  minutes += 2;
});
afterEach(async () => {
  await service.database.query("DELETE FROM aside.pairing_code");
});

const newCode = async (): Promise<string> => (await service.send("POST", "/home/desk/pairing-codes")).body.code;
const pair = (code: unknown): Promise<Reply> => send(service.app, null, "POST", "/home/pair", { code });
/** A code that is none of some. */
const wrong = (...codes: readonly string[]) =>
  ["000001", "000002", "000003"].find((code) => !codes.includes(code)) ?? "";

test("a code gives one panel an ordinary key of its own team, that can be withdrawn", async () => {
  const admin = (await service.app.administration.createKey({ team: "north", isAdministrator: true })).key;
  const { body } = await send(service.app, admin, "POST", "/home/desk/pairing-codes");
  expect(body).toEqual({ code: expect.stringMatching(/^\d{6}$/), expires_seconds: 300 });
  const paired = await pair(` ${body.code.slice(0, 3)} ${body.code.slice(3)}-`);
  expect([paired.status, paired.body.team]).toEqual([200, "north"]);
  const shown = await send(service.app, paired.body.key, "GET", "settings");
  expect([shown.status, shown.body.may_change]).toEqual([200, false]);
  const { keys } = (await send(service.app, admin, "GET", "/home/desk/state")).body;
  expect(keys.map(({ id }: { id: string }) => id)).toContain(paired.body.key_id);
  expect((await pair(body.code)).status).toBe(401);
  await send(service.app, admin, "DELETE", `/home/desk/keys/${paired.body.key_id}`);
  expect((await send(service.app, paired.body.key, "GET", "settings")).status).toBe(401);
});

test("codes are for administrators to ask for, one of a team at a time", async () => {
  const { key } = await service.app.administration.createKey();
  expect((await send(service.app, key, "POST", "/home/desk/pairing-codes")).status).toBe(403);
  expect((await send(service.app, null, "POST", "/home/desk/pairing-codes")).status).toBe(401);
  const [first, second] = [await newCode(), await newCode()];
  if (first !== second) expect((await pair(first)).status).toBe(401);
  expect((await pair(second)).status).toBe(200);
});

test("what is wrong with a code is told to nobody", async () => {
  const used = await newCode();
  await pair(used);
  const old = await newCode();
  await service.database.query("UPDATE aside.pairing_code SET expires_at = now() - interval '1 second'");
  const withoutAny = await pair(old);
  const open = await newCode();
  const replies = [
    withoutAny,
    await pair(used),
    await pair(wrong(open, used)),
    await pair("12345"),
    await pair("１２３４５６"),
  ];
  for (const { status, body } of replies) {
    const { request_id: _, ...said } = body;
    const { request_id: __, ...first } = withoutAny.body;
    expect([status, said]).toEqual([401, first]);
  }
  expect((await pair(open)).status).toBe(200);
});

test("five wrong codes end every open one, whoever sent them and however many at once", async () => {
  const { database } = service;
  for (const guesses of [4, 5, 40]) {
    const [north, south] = [await createPairingCode(database, "north"), await createPairingCode(database, "south")];
    const code = wrong(north, south);
    const tried = await Promise.all(Array.from({ length: guesses }, () => takePairingCode(database, code)));
    expect(tried.every((key) => key === null)).toBe(true);
    const taken = [await takePairingCode(database, north), await takePairingCode(database, south)];
    expect([guesses, ...taken.map((key) => key?.team ?? null)]).toEqual(
      guesses < 5 ? [guesses, "north", "south"] : [guesses, null, null],
    );
  }
});

test("two who send the same code at once get one key", async () => {
  const code = await createPairingCode(service.database, "north");
  const keys = await Promise.all(Array.from({ length: 8 }, () => takePairingCode(service.database, code)));
  expect(keys.filter((key) => key !== null)).toHaveLength(1);
});

test("so many codes a minute are looked at and no more, a right one neither", async () => {
  for (let index = 0; index < 10; index++) expect((await pair("not a code")).status).toBe(401);
  const code = await newCode();
  const late = await pair(code);
  expect([late.status, late.body.error, late.headers.get("retry-after")]).toEqual([429, "unauthorized", "60"]);
  minutes += 1.1;
  expect((await pair(code)).status).toBe(200);
});

test("a web page of somebody else gets nothing, and its tries do not count", async () => {
  const code = await newCode();
  const origin = { Origin: "https://stranger.example" };
  const ask = (method: string, headers: Record<string, string>, body?: string) =>
    fetch(`${address}/home/pair`, {
      method,
      headers: { ...origin, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const preflight = await ask("OPTIONS", { "Access-Control-Request-Method": "POST" });
  expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  expect(preflight.ok).toBe(false);
  // What a page may send without leave.
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
    for (let index = 0; index < 5; index++) {
      const reply = await ask("POST", { "Content-Type": type }, JSON.stringify({ code: wrong(code) }));
      expect([type, reply.ok, reply.headers.get("access-control-allow-origin")]).toEqual([type, false, null]);
    }
  }
  expect((await pair(code)).status).toBe(200);
});

test("a name that the service does not have is refused before the code is looked at", async () => {
  const code = await newCode();
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const { port } = new URL(address);
    const headers = { Host: "stranger.example", "Content-Type": "application/json" };
    const sending = request({ host: "127.0.0.1", port, method: "POST", path: "/home/pair", headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    sending.once("error", reject);
    sending.end(JSON.stringify({ code }));
  });
  expect(status).toBe(400);
  expect((await pair(code)).status).toBe(200);
});

test("no code stands in the log or in the records as it is typed", async () => {
  const code = await newCode();
  const rows = await service.database.query("SELECT * FROM aside.pairing_code");
  await pair(wrong(code));
  await pair({ code });
  await pair(`${code}0`);
  await pair(code);
  expect(JSON.stringify(rows)).not.toContain(code);
  expect(log.join("\n")).toContain("/home/pair");
  expect(log.join("\n").replace(/"(?:time|ms|reqId)":[^,}]+/g, "")).not.toContain(code);
});
