import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SERVED_ROUTES } from "../../../src/contract/routes.ts";
import { IS_THOROUGH } from "../../thorough/thorough-test.ts";
import { uniqueClip } from "../clips.ts";
import { fromSchema, type Schema } from "../schema-arbitrary.ts";
import { finished, form, type Reply, send, startTestService, type TestService } from "../service-fixture.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

/** Requests of each operation, in each of the two kinds. */
const RUNS = IS_THOROUGH ? 60 : 10;

/** Those of operations that start a process for most of their requests; in a thorough run as many as of the others. */
const RUNS_OF_SLOW = IS_THOROUGH ? RUNS : 5;
const SLOW: readonly string[] = ["testSettings", "voiceLine", "generateTextFromUrl", "generateVideoFromUrl"];

let service: TestService;
let description: { info: { version: string }; paths: Record<string, Record<string, Operation>> };
let mediaId = "";
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const validators = new Map<string, ValidateFunction>();

beforeAll(async () => {
  service = await startTestService({ plans: { default: { queued_jobs: 1_000_000 } } }, { worksOnJobs: false });
  const reply = await send(service.app, null, "GET", "/openapi.json");
  description = reply.body;
  mediaId = (await service.send("POST", "upload_media", form(await uniqueClip()))).body.media_id;
});
afterAll(() => service.close());

/** Holds a reply against what the description says of it. */
function expectDocumented(operation: Operation, { status, body }: Reply): void {
  const response = operation.responses[String(status)];
  if (response === undefined) throw new Error(`${operation.operationId} answered ${status}, which is not documented`);
  const name = `${operation.operationId} ${status}`;
  let validate = validators.get(name);
  if (validate === undefined) {
    const schema = response.content["application/json"]?.schema ?? {};
    const components = JSON.parse(JSON.stringify(description))["components"];
    validate = ajv.compile({ ...schema, components });
    validators.set(name, validate);
  }
  if (!validate(body)) throw new Error(`${name}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`);
}

test("VER-01: is OpenAPI 3.1 of version 1.0.0, by a validator that is not ours", async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(description)));
  expect(result).toMatchObject({ valid: true });
  expect(description.info.version).toBe("1.0.0");
});

test("OPEN-14 OPEN-18 OPEN-20: has no pushed events, no other parameter of get_results and no choice of a version", async () => {
  const text = JSON.stringify(description);
  for (const word of ["webhook", "callback", "deprecated"]) expect(text).not.toContain(word);
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  const named = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters.map(({ name }) => [operationId, name]),
  );
  expect(named.filter(([operation]) => operation === "getResults")).toEqual([["getResults", "job_id"]]);
  expect(named.filter(([, name]) => /version/i.test(name ?? ""))).toEqual([]);
  const asked = { media_id: mediaId, callback_url: "https://example.org/done", version: "2" };
  const reply = await service.send("POST", "generate_ad_text", asked);
  expect(reply.body).toMatchObject({ status: "queued", ignored: ["callback_url", "version"] });
  const poll = `get_results?job_id=${reply.body.job_id}`;
  const plain = await service.send("GET", poll);
  expect(await service.send("GET", `${poll}&version=2&format=vtt`)).toMatchObject({ status: 200, body: plain.body });
});

test("has every endpoint that is served, and no other", () => {
  const described = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(
    Object.values(SERVED_ROUTES)
      .map(({ method, path }) => `${method} ${path}`)
      .sort(),
  );
});

test("names the idempotency key where media or a job is made, and nowhere else", () => {
  const keyed = Object.values(description.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === "Idempotency-Key"))
    .map(({ operationId }) => operationId);
  expect(keyed.sort()).toEqual([
    "generateAudio",
    "generateText",
    "generateTextFromUrl",
    "generateVideo",
    "generateVideoFromUrl",
    "uploadFromUrl",
    "uploadMedia",
  ]);
});

test("is also a page for people, which needs no script", async () => {
  const reply = await service.follow("http://service.test/docs");
  expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const page = await reply.text();
  for (const { path } of Object.values(SERVED_ROUTES)) expect(page).toContain(path);
  for (const word of ["standard_ad_min_cue_length", "0.75 to 5", "upload_not_ready", "voice_unavailable"]) {
    expect(page).toContain(word);
  }
  expect(page).not.toContain("<script");
});

describe("calls made from the description", () => {
  test.each(Object.entries(SERVED_ROUTES))(
    "%s answers as documented, and never with 500",
    async (name, { method, path }) => {
      const operation = description.paths[path]?.[method.toLowerCase()];
      if (operation === undefined) throw new Error(`${name} is not described`);
      const body = operation.requestBody?.content["application/json"]?.schema;
      const parameters = operation.parameters ?? [];
      for (const isValid of [true, false]) {
        const requests = fc.record({
          body: body === undefined ? fc.constant(undefined) : fromSchema(body, isValid),
          values: fc.record(Object.fromEntries(parameters.map((one) => [one.name, fromSchema(one.schema, isValid)]))),
        });
        await fc.assert(
          fc.asyncProperty(requests, async (request) => {
            const values: Record<string, unknown> = request.values;
            let target: string = path;
            const query = new URLSearchParams();
            for (const parameter of parameters) {
              const value = String(values[parameter.name]);
              if (parameter.in === "path")
                target = target.replace(`{${parameter.name}}`, encodeURIComponent(value) || "-");
              else query.set(parameter.name, value);
            }
            const sent = withKnownMedia(request.body);
            const reply = await service.send(method, `${target}?${query}`, sent);
            expect(reply.status).not.toBe(500);
            expectDocumented(operation, reply);
          }),
          { numRuns: SLOW.includes(name) ? RUNS_OF_SLOW : RUNS, seed: 7 },
        );
      }
    },
  );

  test("replies that need real media and jobs are as documented too", async () => {
    const running = await startTestService();
    try {
      const operationOf = (id: string) => {
        for (const operations of Object.values(description.paths)) {
          for (const operation of Object.values(operations)) if (operation.operationId === id) return operation;
        }
        throw new Error(`no operation ${id}`);
      };
      const { body: media } = await running.send("POST", "upload_media", form(await uniqueClip()));
      const input = { type: "media_id", media_id: media.media_id };
      for (const [kind, words] of [
        ["audio", ""],
        ["video", ""],
        ["text", "fail:content_blocked"],
      ]) {
        const submitted = await running.send("POST", `generate_ad_${kind}`, {
          input,
          generation_config: { custom_instructions: words, colour: "red" },
        });
        expectDocumented(operationOf("generateText"), submitted);
        await finished(running, submitted.body.job_id);
        const polled = await running.send("GET", `get_results?job_id=${submitted.body.job_id}`);
        expectDocumented(operationOf("getResults"), polled);
        expectDocumented(operationOf("deleteJob"), await running.send("DELETE", `jobs/${submitted.body.job_id}`));
      }
    } finally {
      await running.close();
    }
  });
});

/** Puts a media that exists in place of every other made-up one, so that requests get past the first check. */
function withKnownMedia(body: unknown): unknown {
  const text = JSON.stringify(body);
  if (text === undefined) return undefined;
  let count = 0;
  return JSON.parse(
    text.replace(/"media_id":"[-0-9a-f]{36}"/g, (found) => (count++ % 2 === 0 ? `"media_id":"${mediaId}"` : found)),
  );
}
