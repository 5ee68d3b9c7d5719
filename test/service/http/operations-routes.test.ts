import { afterEach, describe, expect, test, vi } from "vitest";
import { JOB_FAILURES, REQUEST_ERRORS } from "../../../src/contract/error-codes.ts";
import { SERVED_ROUTES, type ServedRouteName } from "../../../src/contract/routes.ts";
import { escapeHtml } from "../../../src/core/text.ts";
import { ENDPOINTS } from "../../../src/service/http/describe-endpoints.ts";
import { Metrics } from "../../../src/service/http/metrics.ts";
import { describeInterface, type Json } from "../../../src/service/http/openapi.ts";
import type { Database } from "../../../src/service/storage/database.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { recordsOf } from "../written-records.ts";
import { openRoutes } from "./route-server.ts";

// What whoever runs the service, and whoever writes a client, asks without a key.

afterEach(() => {
  vi.useRealTimers();
});

const dataFolder = await temporaryFolder();
const answers = { query: async () => [] as object[], stat: async (): Promise<object | null> => null };
const ready = async (parts: Partial<typeof answers> = {}, folder = dataFolder) => {
  const database = { ...recordsOf([]), query: parts.query ?? answers.query };
  const routes = await openRoutes(
    { database, objects: { stat: parts.stat ?? answers.stat } },
    { configuration: { dataFolder: folder } },
  );
  return routes;
};

describe("whether the service is ready", () => {
  const failing = async () => {
    throw new Error("a disk at /data/objects is gone");
  };
  test.each([
    ["everything is there", {}, dataFolder, []],
    ["the records fail", { query: failing }, dataFolder, ["records"]],
    ["the store fails", { stat: failing }, dataFolder, ["storage"]],
    ["the disk cannot be asked", {}, `${dataFolder}/none`, ["disk"]],
    ["all fail at once", { query: failing, stat: failing }, `${dataFolder}/none`, ["records", "storage", "disk"]],
  ])("is told part by part where %s", async (_name, parts, folder, faults: readonly string[]) => {
    const routes = await ready(parts, folder);
    const { status, body, text } = await routes.ask("GET", "/readyz", { as: null });
    const state = (part: string) => (faults.includes(part) ? "failing" : "ready");
    expect(status).toBe(faults.length === 0 ? 200 : 503);
    expect(body).toEqual({
      status: faults.length === 0 ? "ready" : "failing",
      records: state("records"),
      storage: state("storage"),
      disk: state("disk"),
    });
    // Why stands in the log alone, once for each part.
    expect(text).not.toContain("gone");
    const warned = routes.logged.filter((line) => line.includes('"not ready"')).map((line) => JSON.parse(line).check);
    expect(warned.sort()).toEqual([...faults].sort());
    await routes.close();
  });

  test("leaves no timer behind", async () => {
    const routes = await ready();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const before = vi.getTimerCount();
    for (let asked = 0; asked < 20; asked++) await routes.ask("GET", "/readyz", { as: null });
    // What else runs in this process may have begun one of its own.
    expect(vi.getTimerCount() - before).toBeLessThan(20);
    await routes.close();
  });

  test("is awaited for three seconds", async () => {
    const never = new Promise<never>(() => undefined);
    const routes = await ready({ query: () => never });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let answered: number | null = null;
    const asked = routes.ask("GET", "/readyz", { as: null }).then(({ status }) => {
      answered = status;
    });
    for (let turn = 0; turn < 50; turn++) await new Promise((next) => setImmediate(next));
    await vi.advanceTimersByTimeAsync(2_999);
    for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next));
    expect(answered).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    await asked;
    expect(answered).toBe(503);
    await routes.close();
  });
});

describe("the metrics", () => {
  const records = recordsOf([
    [
      /SELECT status AS state/,
      [
        { state: "done", count: 4 },
        { state: "failed", count: 2 },
        { state: "queued", count: 3 },
      ],
    ],
    [/extract\(epoch/, [{ age: 12.5 }]],
    [/FROM aside.unknown_object/, [{ objects: 7, bytes: 70 }]],
  ]);

  test("tell every state of jobs, the queue's age, what nobody knows, each stage, and the bytes of requests", async () => {
    const metrics = new Metrics(records as unknown as Database);
    const job = { jobId: "j", kind: "text", seconds: 30, programmeSeconds: 60 } as const;
    const stageSeconds = { probe: 0.5, voice: 2_000 };
    metrics.countJob({ ...job, type: "done", stageSeconds } as Parameters<Metrics["countJob"]>[0]);
    metrics.countRequest({ method: "GET", route: "/x", status: 200, seconds: 0.02, receivedBytes: 5, sentBytes: 6 });
    for (let times = 0; times < 2; times++) {
      const text = await metrics.read();
      for (const line of [
        'aside_jobs{state="queued"} 3',
        'aside_jobs{state="processing"} 0',
        'aside_jobs{state="done"} 4',
        'aside_jobs{state="failed"} 2',
        "aside_queue_age_seconds 12.5",
        "aside_unknown_objects 7",
        "aside_unknown_object_bytes 70",
        'aside_stage_seconds_count{stage="probe"} 1',
        'aside_stage_seconds_count{stage="voice"} 1',
        'aside_stage_seconds_bucket{le="1000",stage="voice"} 0',
        'aside_stage_seconds_bucket{le="3000",stage="voice"} 1',
        'aside_realtime_factor_bucket{le="0.5",kind="text"} 1',
        "aside_received_bytes_total 5",
        "aside_sent_bytes_total 6",
      ]) {
        expect(text).toContain(line);
      }
    }
  });

  test("are read by a monitor and an administrator, from the networks that are named, and from this computer", async () => {
    const metrics = new Metrics(records as unknown as Database);
    const read = async (networks: readonly string[], as: "monitor" | "program" | "administrator") => {
      const routes = await openRoutes({ metrics }, { configuration: { metrics_networks: [...networks] } });
      const { status } = await routes.ask("GET", "/metrics", { as });
      await routes.close();
      return status;
    };
    expect(await read([], "monitor")).toBe(200);
    expect(await read([], "administrator")).toBe(200);
    expect(await read([], "program")).toBe(403);
    // These requests come from 127.0.0.1.
    expect(await read(["10.0.0.0/8"], "monitor")).toBe(200);
  });
});

describe("the description of the interface", () => {
  const document = describeInterface() as { paths: Record<string, Record<string, Json>> };
  const names = Object.keys(SERVED_ROUTES) as ServedRouteName[];
  const operationOf = (name: ServedRouteName) => {
    const { method, path } = SERVED_ROUTES[name];
    // biome-ignore lint/suspicious/noExplicitAny: a document of JSON, looked through
    return document.paths[path]?.[method.toLowerCase()] as any;
  };

  test("has every route with all that it takes in its address, each parameter by its name", () => {
    for (const name of names) {
      const operation = operationOf(name);
      expect(operation.operationId).toBe(name);
      const inPath = [...SERVED_ROUTES[name].path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one);
      const inQuery = Object.keys(ENDPOINTS[name].query?.def.shape ?? {});
      const told = (place: string) =>
        (operation.parameters ?? []).filter((one: Json) => one["in"] === place).map((one: Json) => one["name"]);
      expect([name, told("path"), told("query")]).toEqual([name, inPath, inQuery]);
    }
  });

  test("tells each body, each reply and each refusal that a route has", () => {
    for (const name of names) {
      const { json, replies, errors } = ENDPOINTS[name];
      const operation = operationOf(name);
      const count = (schema: Json) => (Array.isArray(schema["oneOf"]) ? schema["oneOf"].length : 1);
      const body = operation.requestBody?.content["application/json"]?.schema;
      // A schema that is a choice itself counts once where it stands alone.
      if (json !== undefined && json.length > 1) expect([name, count(body)]).toEqual([name, json.length]);
      const reply = operation.responses[200].content["application/json"].schema;
      if (replies.length > 1) expect([name, count(reply)]).toEqual([name, replies.length]);
      for (const code of errors) {
        const { status, meaning } = REQUEST_ERRORS[code];
        expect(operation.responses[status].description).toContain(`\`${code}\`: ${meaning}`);
      }
      const limited = operation.responses[429].content["application/json"].schema;
      expect(limited.anyOf?.[0]).toEqual({ $ref: "#/components/schemas/RateLimitError" });
    }
  });

  test("is served as it is made, and as a page that has every part of it", async () => {
    const routes = await openRoutes({});
    const served = await routes.ask("GET", "/openapi.json", { as: null });
    expect([served.status, JSON.stringify(served.body)]).toEqual([200, JSON.stringify(document)]);
    const page = await routes.ask("GET", "/docs", { as: null });
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    const [head = "", ...sections] = page.text.split('<h2 id="');
    for (const [at, name] of names.entries()) {
      const { method, path } = SERVED_ROUTES[name];
      expect(head).toContain(`<a href="#${name}"><code><span class="method">${method}</span>${path}</code></a>`);
      const section = sections[at] ?? "";
      expect(section.startsWith(`${name}"><code>${method} ${path}</code></h2>`)).toBe(true);
      const operation = operationOf(name);
      for (const one of operation.parameters ?? []) expect(section).toContain(`<td><code>${one.name}</code></td>`);
      const bodies = Object.values<{ schema: Json }>(operation.requestBody?.content ?? {}).map(({ schema }) => schema);
      const reply = operation.responses[200].content["application/json"].schema;
      for (const field of [...bodies, reply].flatMap((schema) => fieldsOf(schema, ""))) {
        expect([name, field, section.includes(field)]).toEqual([name, field, true]);
      }
      const rows = [...section.matchAll(/<td><code>([\w.]+)<\/code><\/td><td>(.*?)<\/td>/g)];
      for (const [path, count] of [...bodies, reply].flatMap((schema) => alternativesOf(schema, ""))) {
        const told = rows.filter(([, one]) => one === path).map(([, , words = ""]) => words.split(" or ").length);
        expect([name, path, told]).toEqual([name, path, expect.arrayContaining([count])]);
      }
      for (const [status] of Object.entries(operation.responses).filter(([one]) => one !== "200")) {
        expect(section).toContain(`<td>${status}</td>`);
      }
    }
    const errors = sections.at(-1) ?? "";
    for (const [code, { status, meaning }] of Object.entries(REQUEST_ERRORS)) {
      expect(errors).toContain(`<td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(meaning)}</td>`);
    }
    for (const [code, { meaning }] of Object.entries(JOB_FAILURES)) {
      expect(errors).toContain(`<td><code>${code}</code></td><td>${escapeHtml(meaning)}</td>`);
    }
    expect(errors).toContain('<th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th>');
    await routes.close();
  });
});

/** What the page is to have for each field of a schema, and of those inside: its path, and every value it may have. */
function fieldsOf(schema: Json, prefix: string): string[] {
  const variants: readonly Json[] = Array.isArray(schema["oneOf"]) ? schema["oneOf"] : [schema];
  return variants.flatMap((variant) =>
    Object.entries((variant["properties"] ?? {}) as Record<string, Json>).flatMap(([name, property]) => [
      `<td><code>${prefix}${name}</code></td><td>${valuesOf(property)}`,
      ...fieldsOf(property, `${prefix}${name}.`),
    ]),
  );
}

/** How many kinds of value each field may have that has one of several, by its path. */
function alternativesOf(schema: Json, prefix: string): [path: string, count: number][] {
  const variants: readonly Json[] = Array.isArray(schema["oneOf"]) ? schema["oneOf"] : [schema];
  return variants.flatMap((variant) =>
    Object.entries((variant["properties"] ?? {}) as Record<string, Json>).flatMap(([name, property]) => [
      ...(Array.isArray(property["anyOf"]) ? [[`${prefix}${name}`, property["anyOf"].length] as [string, number]] : []),
      ...alternativesOf(property, `${prefix}${name}.`),
    ]),
  );
}

/** The beginning of what is said of a type: all of its values, where it is one of several. */
function valuesOf(property: Json): string {
  const { enum: values, anyOf } = property as { enum?: readonly unknown[]; anyOf?: readonly Json[] };
  if (values !== undefined) return `${values.map((one) => `<code>${escapeHtml(String(one))}</code>`).join(" ")}</td>`;
  if (anyOf?.every((one) => "const" in one || one["type"] === "null")) {
    return `${anyOf.map((one) => ("const" in one ? `<code>${escapeHtml(String(one["const"]))}</code>` : "null")).join(" or ")}</td>`;
  }
  return "";
}
