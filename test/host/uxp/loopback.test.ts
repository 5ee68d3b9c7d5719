import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Learnt } from "../../../src/host/learnt.ts";
import type { PresetFile } from "../../../src/host/preset-files.ts";
import { uxpContact } from "../../../src/host/uxp/contact-trials.ts";
import { httpFetch } from "../../../src/host/uxp/http-fetch.ts";
import { everyName, keepName, learnLoopback } from "../../../src/host/uxp/loopback.ts";
import { sendRequest } from "../../../src/host/uxp/send-request.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import { SetClock } from "../../fakes/set-clock.ts";
import { makeRequests, type RequestOptions } from "../../fakes/uxp/xml-http-request.ts";

const HEADERS = { headers: {}, signal: new AbortController().signal };

function open(options: Pick<RequestOptions, "deniesName" | "silentName">, learnt = new Learnt()) {
  const sent: string[] = [];
  const Requests = makeRequests({
    ...options,
    domains: "all",
    wire: async ({ method, url }) => {
      sent.push(`${method} ${url}`);
      return { status: 200, headers: {}, body: new Uint8Array() };
    },
  });
  learnLoopback(Requests, learnt);
  return { sent, learnt, Requests, fetch: httpFetch(Requests, new InstantClock()) };
}

describe.each([
  ["127.0.0.1", "localhost"],
  ["localhost", "127.0.0.1"],
] as const)("where the system refuses %s", (refused, works) => {
  test.each([
    ["GET", "deniesName"],
    ["POST", "deniesName"],
    ["GET", "silentName"],
    ["POST", "silentName"],
  ] as const)(
    "a %s reaches this computer by its other name, is sent once, and that name is kept: %s",
    async (method, how) => {
      const { sent, learnt, Requests, fetch } = open({ [how]: refused });
      const address = `http://${refused}:8420`;
      expect((await fetch(`${address}/jobs`, { method, ...HEADERS })).status).toBe(200);
      expect((await fetch(`${address}/jobs/1`, { method: "POST", ...HEADERS })).status).toBe(200);
      expect(sent).toEqual([
        `GET http://${works}:8420/`,
        `${method} http://${works}:8420/jobs`,
        `POST http://${works}:8420/jobs/1`,
      ]);
      expect(learnt.recall("loopback")).toBe(works);
      // Whatever else is sent goes the same way: uploads, and what is fetched.
      await sendRequest(Requests, { method: "PUT", url: `${address}/upload?key=1`, ...HEADERS, replyAs: "bytes" });
      expect(sent.at(-1)).toBe(`PUT http://${works}:8420/upload?key=1`);
    },
  );

  test("what was learnt before is tried first", async () => {
    const learnt = new Learnt();
    learnt.keep("loopback", works);
    const { sent, fetch } = open({ deniesName: refused }, learnt);
    await fetch(`http://${refused}:8420/jobs`, { method: "GET", ...HEADERS });
    expect(sent).toEqual([`GET http://${works}:8420/jobs`]);
  });
});

test("a name that stays silent keeps nobody from learning the other at the first contact", async () => {
  const { learnt, Requests } = open({ silentName: "127.0.0.1" });
  const presets = { list: async () => [] };
  const [loopback] = uxpContact({ Requests, address: async () => "http://127.0.0.1:8420", presets });
  void loopback?.run();
  await expect.poll(() => learnt.recall("loopback")).toBe("localhost");
});

test.each([
  [{}, { outcome: "usual", seen: "by 127.0.0.1 and localhost" }, "127.0.0.1"],
  [{ deniesName: "127.0.0.1" }, { outcome: "differs", seen: "by localhost alone" }, "localhost"],
  [{ deniesName: "localhost" }, { outcome: "differs", seen: "by 127.0.0.1 alone" }, "127.0.0.1"],
] as const)(
  "the first contact tells by which names this computer is reached, and keeps the first: %j",
  async (options, told, kept) => {
    const { learnt, Requests } = open(options);
    const presets = { list: async () => [] };
    const [loopback] = uxpContact({ Requests, address: async () => "http://127.0.0.1:8420", presets });
    expect(await loopback?.run()).toEqual(told);
    expect(learnt.recall("loopback")).toBe(kept);
  },
);

test("the first contact asks by every name, whatever was learnt before, and keeps the first that answers", async () => {
  const learnt = new Learnt();
  learnt.keep("loopback", "localhost");
  const { sent, Requests } = open({}, learnt);
  const presets = { list: async () => [] };
  const [loopback] = uxpContact({ Requests, address: async () => "http://127.0.0.1:8420", presets });
  expect(await loopback?.run()).toMatchObject({ outcome: "usual" });
  expect(sent.sort()).toEqual(["GET http://127.0.0.1:8420/", "GET http://localhost:8420/"]);
  expect(learnt.recall("loopback")).toBe("127.0.0.1");
});

test("the first contact tells that nothing answers, and how many presets are Premiere's own", async () => {
  const Requests = makeRequests({ domains: "all", wire: () => Promise.reject(new Error("ECONNREFUSED")) });
  const learnt = new Learnt();
  learnLoopback(Requests, learnt);
  const preset = (origin: PresetFile["origin"]): PresetFile => ({
    name: "a",
    path: `/${origin}.epr`,
    origin,
    isProven: true,
  });
  const contactOf = (...origins: readonly PresetFile["origin"][]) => {
    const presets = { list: async () => origins.map(preset) };
    return uxpContact({ Requests, address: async () => "http://127.0.0.1:8420", presets });
  };
  const [loopback, some] = contactOf("system", "user", "system");
  expect(await loopback?.run()).toMatchObject({ outcome: "open" });
  expect(learnt.recall("loopback")).toBeUndefined();
  expect(await some?.run()).toEqual({ outcome: "usual", seen: "2 of Premiere's own" });
  expect(await contactOf("user", "ours")[1]?.run()).toMatchObject({ outcome: "differs" });
});

test("an answer that is only slow is waited for, and asked for once", async () => {
  const sent: string[] = [];
  let answer = (): void => undefined;
  const Requests = makeRequests({
    domains: "all",
    wire: async ({ url }) => {
      sent.push(url);
      if (url.endsWith("/jobs")) await new Promise<void>((resolve) => (answer = resolve));
      return { status: 200, headers: {}, body: new Uint8Array() };
    },
  });
  const reply = httpFetch(Requests, new InstantClock())("http://127.0.0.1:8420/jobs", { method: "GET", ...HEADERS });
  await expect.poll(() => sent).toEqual(["http://127.0.0.1:8420/jobs", "http://127.0.0.1:8420/"]);
  answer();
  expect((await reply).status).toBe(200);
  expect(sent).toHaveLength(2);
});

test.each(["GET", "POST"])("a name that stays silent for two seconds to a %s is asked no longer", async (method) => {
  const clock = new SetClock();
  const sent: string[] = [];
  const Requests = makeRequests({
    domains: "all",
    silentName: "127.0.0.1",
    wire: async ({ url }) => {
      sent.push(url);
      return { status: 200, headers: {}, body: new Uint8Array() };
    },
  });
  learnLoopback(Requests, new Learnt());
  const reply = httpFetch(Requests, clock)("http://127.0.0.1:8420/jobs", { method, ...HEADERS });
  // A request that may be sent twice is; then its other name is found, past the first one's silence.
  await clock.pass(method === "GET" ? 3_999 : 1_999);
  expect(sent).toEqual([]);
  await clock.pass(1);
  expect((await reply).status).toBe(200);
  expect(sent).toEqual(["http://localhost:8420/", "http://localhost:8420/jobs"]);
  expect(clock.sleeping).toBe(0);
});

test("an address elsewhere has one name, and its requests are left alone", async () => {
  expect(everyName("https://api.example.com/localhost:1/")).toEqual(["https://api.example.com/localhost:1/"]);
  expect(everyName("http://localhost.example.com/")).toEqual(["http://localhost.example.com/"]);
  expect(everyName("http://127.0.0.1:8420/a?b")).toEqual(["http://127.0.0.1:8420/a?b", "http://localhost:8420/a?b"]);
  const learnt = new Learnt();
  learnt.keep("loopback", "localhost");
  const { sent, fetch } = open({}, learnt);
  await fetch("https://api.example.com/127.0.0.1:1/", { method: "GET", ...HEADERS });
  expect(sent).toEqual(["GET https://api.example.com/127.0.0.1:1/"]);
});

test("a slow answer from elsewhere, or of an address that has answered, is waited for and nothing else is asked", async () => {
  const sent: string[] = [];
  const Requests = makeRequests({
    domains: "all",
    wire: async ({ method, url }) => {
      sent.push(`${method} ${url}`);
      if (url.endsWith("/slow")) for (let turn = 0; turn < 50; turn++) await setImmediate();
      return { status: 200, headers: {}, body: new Uint8Array() };
    },
  });
  learnLoopback(Requests, new Learnt());
  const fetch = httpFetch(Requests, new InstantClock());
  for (const [method, address] of [
    ["GET", "https://api.example.com/slow"],
    ["GET", "http://127.0.0.1:8420/quick"],
    ["GET", "http://127.0.0.1:8420/slow"],
    ["POST", "http://127.0.0.1:8420/slow"],
  ] as const) {
    await fetch(address, { method, ...HEADERS });
    expect(sent.splice(0)).toEqual([`${method} ${address}`]);
  }
});

test("a name is kept of this computer's addresses alone", () => {
  const { Requests, learnt } = open({});
  keepName(Requests, "https://api.example.com/");
  keepName(Requests, "http://127.0.0.1.example.com/");
  expect(learnt.recall("loopback")).toBeUndefined();
  keepName(Requests, "http://LOCALHOST:8420/");
  expect(learnt.recall("loopback")).toBeUndefined();
  keepName(Requests, "http://localhost:8420");
  expect(learnt.recall("loopback")).toBe("localhost");
});

test("where neither name answers, the request tells that nothing does", async () => {
  const Requests = makeRequests({ domains: "all", wire: () => Promise.reject(new Error("ECONNREFUSED")) });
  const fetch = httpFetch(Requests, new InstantClock());
  for (const method of ["GET", "POST"]) {
    await expect(fetch("http://127.0.0.1:1/", { method, ...HEADERS })).rejects.toMatchObject({
      code: "connection_failed",
    });
  }
});
