import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { ServiceSettings } from "../../../src/service/settings/service-settings.ts";
import { SettingsError } from "../../../src/service/settings/settings-file.ts";
import { dataFolders } from "../../../src/service/storage/data-folders.ts";
import { turns } from "../../fakes/set-clock.ts";
import { startVisionServer } from "../../fakes/vision-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { recordsOf } from "../written-records.ts";
import { IDS, openRoutes } from "./route-server.ts";

// What an administrator sets over the interface: real settings in a file, a catalog of no models, an engine that the test writes.

const KEY = "sk-secret-of-the-test";
/** What settings raise that cannot be used. */
let raised: SettingsError | null = null;
const fails = () => Promise.reject(raised);
const broken = await openRoutes({
  settings: { modelsFolder: null, inForce: fails, change: fails, beginAnew: fails, trial: fails, variables: fails },
});
const orders: Record<string, unknown>[] = [];
/** Milliseconds that the engine took for a line. */
let spokenMs = 0;
const folder = await temporaryFolder();
const file = join(folder, "settings.json");
const computer = { system: "linux", processor: "x64", memoryBytes: 8e9, cores: 4 };

const routes = await openRoutes({
  settings: new ServiceSettings({ file, environment: {} }),
  folders: dataFolders("/data"),
  database: recordsOf([[/FROM aside.job/, []]]),
  engine: {
    voiceLine: async (order: Record<string, unknown>) => {
      orders.push(order);
      const began = performance.now();
      await turns(3);
      spokenMs = performance.now() - began;
      return { wave: Buffer.from("RIFF"), seconds: 1.5, rate: 1, fits: true };
    },
  },
  models: { catalog: [], engineFor: () => null, computer: async () => computer },
});
afterAll(() => Promise.all([routes.close(), broken.close()]));
beforeEach(async () => {
  orders.length = 0;
  await rm(file, { force: true });
});

const ask = (method: string, path: string, body?: unknown) =>
  routes.ask(method, path, { as: "administrator", ...(body === undefined ? {} : { body }) });

describe("settings", () => {
  const change = { describer: { server: "https://models.example.org/v1", model: "m", key: KEY } };

  test("are in force when their change is answered, and their key is told to nobody", async () => {
    const { status, body, text } = await ask("POST", "settings", change);
    expect([status, body.may_change, body.describer.has_key]).toEqual([200, true, true]);
    expect(body.describer.values).toMatchObject({ server: "https://models.example.org/v1", model: "m" });
    const read = await ask("GET", "settings");
    expect(read.body.describer).toEqual(body.describer);
    expect(text + read.text + routes.logged.join("")).not.toContain(KEY);
  });

  test("are seen by a program without their values", async () => {
    await ask("POST", "settings", change);
    const { body, text } = await routes.ask("GET", "settings");
    expect(body.may_change).toBe(false);
    for (const part of ["describer", "dialogue", "voice", "privacy", "models", "limits", "retention", "network"]) {
      expect([part, body[part].values, body[part].has_key, body[part].numbers]).toEqual([part, {}, false, []]);
    }
    expect(text).not.toContain(KEY);
  });

  test.each([
    [{ describer: { sever: "x" } }, 400],
    [{ describer: { server: "nowhere" } }, 400],
    [{ other: {} }, 400],
  ])("%j are refused, and nothing is changed", async (wrong, status) => {
    const before = (await ask("GET", "settings")).body;
    const reply = await ask("POST", "settings", wrong);
    expect([reply.status, reply.body.error]).toEqual([status, "invalid_input"]);
    expect((await ask("GET", "settings")).body).toEqual(before);
  });

  test.each([
    ["settings_unusable", 500],
    ["key_store_unusable", 500],
    ["settings_damaged", 409],
    ["setting_refused", 400],
  ] as const)("that are %s are answered with %i, by that code", async (code, status) => {
    raised = new SettingsError(code, "They cannot be used.");
    for (const [method, path, body] of [
      ["GET", "settings", undefined],
      ["POST", "settings", {}],
      ["DELETE", "settings", undefined],
      ["POST", "settings/test", { part: "voice" }],
      ["GET", "settings/estimate?duration_seconds=60", undefined],
      ["GET", "settings/models", undefined],
    ] as const) {
      const reply = await broken.ask(method, path, { as: "administrator", ...(body === undefined ? {} : { body }) });
      expect([path, reply.status, reply.body.code]).toEqual([path, status, code]);
    }
  });

  test("begin anew once they are damaged, when that is answered", async () => {
    await writeFile(file, "{");
    expect((await ask("GET", "settings")).status).toBe(409);
    const anew = await ask("DELETE", "settings");
    expect([anew.status, anew.body.may_change]).toEqual([200, true]);
    expect((await readdir(folder)).some((name) => name.includes("damaged"))).toBe(true);
  });
});

describe("a trial of a voice", () => {
  test("speaks into the folder of the team, as it would be set", async () => {
    const began = performance.now();
    const { body } = await ask("POST", "settings/test", { part: "voice", language: "de-DE" });
    const wholeMs = performance.now() - began;
    expect(body).toMatchObject({
      works: true,
      message: "It spoke for 1.5 s.",
      audio: Buffer.from("RIFF").toString("base64"),
    });
    expect(1000 * body.seconds).toBeGreaterThanOrEqual(spokenMs);
    expect(1000 * body.seconds).toBeLessThanOrEqual(wholeMs);
    expect(orders).toEqual([
      expect.objectContaining({
        text: "Eine Frau öffnet den Brief und lächelt.",
        language: "de-DE",
        narrationFolder: join(dataFolders("/data").narration, IDS.team),
      }),
    ]);
  });

  test("of a language without a sentence speaks numbers, and of values that are none says so", async () => {
    await ask("POST", "settings/test", { part: "voice", language: "fi-FI" });
    expect(orders[0]).toMatchObject({ text: "1, 2, 3." });
    expect((await ask("POST", "settings/test", { part: "voice", values: { sever: "x" } })).status).toBe(400);
  });
});

describe("a trial of a model", () => {
  test("tells what it said of a red picture, what was read and written for that, and what it costs by the price", async () => {
    const server = await startVisionServer([{ words: '{"sentence": "It is red."}' }]);
    const trial = async (more: object) => {
      const values = { server: server.url, model: "seer", ...more };
      return (await ask("POST", "settings/test", { part: "describer", values })).body;
    };
    const free = await trial({});
    expect([free.works, free.cost]).toEqual([true, undefined]);
    expect(free.message).toContain("seer was shown a red picture and said: “It is red.”");
    // Whatever is read and written costs a millionth of the price of a million.
    const same = await trial({ price: "3/3" });
    expect(same.tokens).toBeGreaterThan(0);
    expect(same.cost).toBeCloseTo((3 * same.tokens) / 1_000_000, 12);
    const [read, written] = [(await trial({ price: "3/0" })).cost, (await trial({ price: "0/3" })).cost];
    expect(read + written).toBeCloseTo(same.cost, 12);
    expect(read).toBeGreaterThan(written);
    await server.close();
  });
});

describe("the models of this computer", () => {
  test("are told, and what is no model is neither fetched, checked nor removed", async () => {
    const models = await ask("GET", "settings/models");
    expect(models.body).toMatchObject({ models: [], download: null });
    for (const [method, path, body] of [
      ["POST", "settings/models", { model: "none" }],
      ["DELETE", "settings/models/none", undefined],
      ["POST", "settings/models/none/check", undefined],
    ] as const) {
      const reply = await ask(method, path, body);
      expect([path, reply.status, reply.body.error]).toEqual([path, 400, "invalid_input"]);
      expect(reply.body.code).toMatch(/^model_/);
    }
    expect((await ask("DELETE", "settings/models")).body).toMatchObject({ download: null });
  });
});
