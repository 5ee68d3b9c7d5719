import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import fastify from "fastify";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { answerInProcess } from "../../../src/service/http/service-parts.ts";
import { collect, withDeadline } from "../../../src/service/http/team-turns.ts";
import { RecordsAwayError } from "../../../src/service/storage/database.ts";
import { turns } from "../../fakes/set-clock.ts";
import { recordsOf } from "../written-records.ts";
import { IDS, openRoutes } from "./route-server.ts";

// What every route has around it: who is let in, how a body is read, what is counted and logged, how a fault is answered.

let fault: unknown = null;
const counted: {
  method: string;
  route: string;
  status: number;
  seconds: number;
  receivedBytes: number;
  sentBytes: number;
}[] = [];
let read: unknown[] = [];
const job = {
  id: IDS.job,
  mediaId: IDS.media,
  status: "queued",
  stage: null,
  fraction: null,
  startedAt: null,
  cost: null,
};
const routes = await openRoutes(
  {
    jobs: {
      find: async () => {
        if (fault !== null) throw fault;
        return { ...job, createdAt: new Date(0), updatedAt: new Date(0) };
      },
    },
    metrics: { countRequest: (one: (typeof counted)[number]) => counted.push(one) },
    texts: {
      json: async (_team: string, { chunks, sizeBytes }: { chunks: Uint8Array[]; sizeBytes: number }) => {
        read.push(sizeBytes);
        return JSON.parse(Buffer.concat(chunks).toString());
      },
    },
    database: recordsOf([]),
  },
  { desk: { log: { lines: [] } } },
);
afterAll(() => routes.close());
beforeEach(() => {
  fault = null;
  read = [];
  counted.length = 0;
});

const POLL = `get_results?job_id=${IDS.job}`;

describe("an address", () => {
  test("that is none, and a method that it does not take, are told apart for everybody", async () => {
    expect(await routes.ask("GET", "/nowhere", { as: null })).toMatchObject({
      status: 404,
      body: { error: "not_found" },
    });
    for (const [method, url, allowed] of [
      ["POST", "get_results", "GET"],
      ["PUT", `jobs/${IDS.job}`, "DELETE"],
      ["GET", `jobs/${IDS.job}/cancel`, "POST"],
      ["PATCH", "settings", "GET, POST, DELETE"],
      ["POST", "/home/desk/texts/a/b", "GET, PUT, DELETE"],
      ["POST", "/healthz", "GET"],
    ] as const) {
      const reply = await routes.ask(method, url, { as: null });
      expect([url, reply.status, reply.headers["allow"]?.toString().split(", ").sort()]).toEqual([
        url,
        405,
        allowed.split(", ").sort(),
      ]);
      expect(reply.body).toMatchObject({
        error: "method_not_allowed",
        message: expect.stringContaining(`not ${method}.`),
      });
    }
    for (const url of ["jobs//cancel", `jobs/${IDS.job}/cancel/more`, "settings/more"]) {
      expect((await routes.ask("GET", url, { as: null })).status).toBe(404);
    }
  });

  test("has its right asked before anything of the request is read", async () => {
    const reply = await routes.ask("POST", "settings", { as: null, body: { describer: {} } });
    expect([reply.status, read]).toEqual([401, []]);
    expect((await routes.ask("POST", "settings", { as: "program", body: {} })).status).toBe(403);
  });

  test("is answered with what forbids guessing, framing and keeping, and with its own id", async () => {
    const ids = new Set<unknown>();
    for (const url of ["/healthz", "/nowhere", POLL, "/home/desk/log", "/storage/x"]) {
      const { headers } = await routes.ask("GET", url);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      });
      ids.add(headers["x-request-id"]);
    }
    expect(ids.size).toBe(5);
  });

  test("of the interface tells the rate, and for how long a key is known", async () => {
    expect((await routes.ask("GET", POLL)).headers).toMatchObject({
      "x-ratelimit-limit": "100",
      "x-ratelimit-remaining": "99",
      "x-ratelimit-reset": "60",
      "idempotency-key-max-age": "86400",
    });
  });
});

describe("a fault", () => {
  const codes = (code: string, more: object = {}) => Object.assign(new Error("inside"), { code, ...more });
  test.each([
    ["a disk that is full", codes("ENOSPC"), 507, "internal_error"],
    ["records that are away", new RecordsAwayError("away"), 503, "service_unavailable"],
    [
      "what the HTTP layer calls the client's",
      Object.assign(new Error("inside"), { statusCode: 400 }),
      400,
      "invalid_input",
    ],
    ["what it calls its own", Object.assign(new Error("inside"), { statusCode: 500 }), 500, "internal_error"],
    ["a body that is too long", codes("FST_ERR_CTP_BODY_TOO_LARGE"), 400, "invalid_input"],
    ["anything else", new TypeError("inside"), 500, "internal_error"],
    ["what is no error", "inside", 500, "internal_error"],
  ])("that is %s is answered in the words of the interface", async (_name, thrown, status, code) => {
    fault = thrown;
    const before = routes.logged.length;
    const reply = await routes.ask("GET", POLL);
    expect([reply.status, reply.body.error]).toEqual([status, code]);
    expect(reply.text).not.toContain("inside");
    const logged = routes.logged.slice(before).map((line) => JSON.parse(line));
    const told = logged.filter(({ err }) => err !== undefined);
    expect(told.length).toBe(status >= 500 ? 1 : 0);
    if (status === 503) expect([reply.headers["retry-after"], reply.body.retry_after]).toEqual(["2", 2]);
  });
});

describe("the log and the metrics", () => {
  test("have each request by its route, and what is sent in it nowhere; what went well to look at is quiet", async () => {
    const before = routes.logged.length;
    const begun = performance.now();
    await routes.ask("GET", `${POLL}&secret=hidden`);
    await routes.ask("GET", "/nowhere?secret=hidden");
    await routes.ask("POST", "voice_line", { body: { text: "hidden", language: 1 } });
    const lines = routes.logged.slice(before).map((line) => JSON.parse(line));
    const requests = lines.filter(({ msg }) => msg === "request");
    expect(requests.map(({ level, req, res }) => [level, req.method, req.path, res.status])).toEqual([
      [20, "GET", "/enterprise/api/get_results", 200],
      [30, "GET", "/nowhere", 404],
      [30, "POST", "/enterprise/api/voice_line", 400],
    ]);
    expect(JSON.stringify(lines)).not.toContain("hidden");
    expect(counted.map(({ method, route, status }) => [method, route, status])).toEqual([
      ["GET", "/enterprise/api/get_results", 200],
      ["GET", "unknown", 404],
      ["POST", "/enterprise/api/voice_line", 400],
    ]);
    expect(counted[2]?.receivedBytes).toBe(JSON.stringify({ text: "hidden", language: 1 }).length);
    expect(counted[0]?.sentBytes).toBeGreaterThan(100);
    const took = (performance.now() - begun) / 1000;
    expect(counted.every(({ seconds }) => seconds > 0 && seconds < took)).toBe(true);
  });

  test("call a request of status 400 loud", async () => {
    const before = routes.logged.length;
    await routes.ask("GET", "get_results");
    expect(routes.logged.slice(before).map((line) => JSON.parse(line).level)).toEqual([30]);
  });
});

describe("a body", () => {
  const most = 8 * 1024 * 1024;
  const json = (bytes: number) => JSON.stringify("x".repeat(bytes - 2));

  test("of the interface has up to eight MiB, announced or not", async () => {
    const send = (bytes: number) =>
      routes.ask("POST", "voice_line", { body: json(bytes), headers: { "content-type": "application/json" } });
    expect((await send(most)).body.message).toContain("must be an object");
    expect((await send(most + 1)).body.message).toContain("too large");
    expect(read).toEqual([most]);
  });

  test("of the page has up to 64 KiB", async () => {
    const send = (bytes: number) =>
      routes.ask("POST", "/home/log-in", {
        as: null,
        body: json(bytes),
        headers: { "content-type": "application/json" },
      });
    expect((await send(65_536)).body.message).toContain("must be an object");
    expect((await send(65_537)).body.message).toContain("too large");
    const broken = await routes.ask("POST", "/home/log-in", {
      as: null,
      body: "{",
      headers: { "content-type": "application/json" },
    });
    expect(broken.body).toMatchObject({ error: "invalid_input", message: "The request body is no JSON." });
  });

  test("in another type is refused, and outside of the interface nobody reads one", async () => {
    const as = { body: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } };
    expect((await routes.ask("POST", "voice_line", as)).body.message).toContain("Content-Type");
    expect((await routes.ask("POST", "/readyz", { as: null, body: {} })).status).toBe(405);
    const headers = { "content-type": "application/json" };
    for (const [url, body, status] of [
      ["/readyz", "{", 405],
      ["/docs", "x".repeat(most + 1), 405],
      ["/nowhere", "{", 404],
    ] as const) {
      expect([url, (await routes.ask("POST", url, { as: null, body, headers })).status]).toEqual([url, status]);
    }
  });

  test("is collected whole, up to its limit and not a byte more", async () => {
    const chunks = Array.from({ length: 5 }, () => Buffer.alloc(40_000, 1));
    const { sizeBytes, chunks: got } = (await collect(Readable.from(chunks), 200_000)) ?? { sizeBytes: 0, chunks: [] };
    expect([sizeBytes, Buffer.concat(got as Buffer[]).length]).toEqual([200_000, 200_000]);
    expect(await collect(Readable.from(chunks), 199_999)).toBeNull();
  });

  test("of the interface that stops half way is answered after as many seconds as are set for slow clients, not before", async () => {
    const arrived = Promise.withResolvers<void>();
    const take = async () => {
      arrived.resolve();
      return { limit: 100, remaining: 99, reset: 60 };
    };
    const slow = await openRoutes({ rate: { take } }, { configuration: { slow_client_seconds: 7 } });
    const socket = connect(await slow.listen(), "127.0.0.1");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      let answer = "";
      socket.on("data", (part) => {
        answer += part;
      });
      socket.on("error", () => undefined);
      socket.write(
        "POST /enterprise/api/voice_line HTTP/1.1\r\nHost: localhost\r\nX-API-Key: program\r\n" +
          "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
      );
      await arrived.promise;
      await turns(20);
      await vi.advanceTimersByTimeAsync(6_999);
      await turns(20);
      expect(answer).toBe("");
      await vi.advanceTimersByTimeAsync(1);
      while (!answer.includes("within 7 s")) await once(socket, "data");
      expect(answer).toContain("HTTP/1.1 400 ");
    } finally {
      vi.useRealTimers();
      socket.destroy();
      await slow.close();
    }
  });

  test("that stops half way fails when its time is up; one that came whole does not", async () => {
    const slow = new Readable({ read: () => undefined });
    slow.push("a");
    const body = withDeadline(slow, 20);
    await expect(body.toArray()).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("0.02 s"),
    });
    slow.destroy();
    expect(Buffer.concat(await withDeadline(Readable.from([Buffer.from("ab")]), 1_000).toArray()).toString()).toBe(
      "ab",
    );
  });
});

describe("a service that is asked in its own process", () => {
  test("answers with status, every header of a name, and body; sent and got in pieces", async () => {
    const app = fastify();
    app.post("/echo", async (request, reply) =>
      reply.code(201).header("set-cookie", ["a=1", "b=2"]).header("x-one", "1").send(request.body),
    );
    app.get("/none", async (_request, reply) => reply.code(204).send());
    const echo = new Request("http://host.test/echo", {
      method: "POST",
      body: '{"a":1}',
      headers: { "content-type": "application/json" },
    });
    const reply = await answerInProcess(app, echo);
    expect([reply.status, await reply.json(), reply.headers.get("x-one")]).toEqual([201, { a: 1 }, "1"]);
    expect(reply.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    const none = await answerInProcess(app, new Request("http://host.test/none"));
    expect([none.status, none.body]).toEqual([204, null]);
    await app.close();
  });
});
