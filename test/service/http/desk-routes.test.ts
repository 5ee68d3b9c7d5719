import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { BackupError } from "../../../src/service/admin/backup.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { recordsOf } from "../written-records.ts";
import { IDS, openRoutes, type RouteServer } from "./route-server.ts";

// The page's desk, asked route by route: who may, what is answered, what is written into the records.

const DESK = "/home/desk";
const TEXT = { "content-type": "text/plain" };
const texts = [
  "kept/results/run1.result.json",
  "kept/settings.json",
  "kept/runs/run1.json",
  "kept/results/run2.result.json",
];
const job = (id: string) => ({
  job_id: id,
  media_id: IDS.media,
  kind: "text",
  status: "done",
  created: new Date("2026-01-01T00:00:00Z"),
  finished: id === IDS.job ? new Date("2026-01-01T00:01:00Z") : null,
});
const media = {
  id: IDS.media,
  fileName: "harbour.mov",
  contentType: "video/quicktime",
  durationSeconds: 60,
  frameRate: 25,
  sizeBytes: 10,
  storageKey: "teams/t/media/m/source.mov",
};
let mediaNow: object[] = [media];

const records = recordsOf([
  [/^SELECT path FROM aside.page_text/, texts.map((path) => ({ path }))],
  [/^SELECT content FROM aside.page_text/, ([, path]) => (path === texts[0] ? [{ content: "a word" }] : [])],
  [/^INSERT INTO aside.page_text/, []],
  [/^DELETE FROM aside.page_text/, []],
  [/^SELECT j.id AS job_id.* WHERE j.team_id = \$1 AND j.deleted_at IS NULL/, [job(IDS.job), job("other")]],
  [/^SELECT id, team_id .* FROM aside.media/, () => mediaNow],
  [/^SELECT count\(\*\)::int AS count.* FROM aside.media/, [{ count: 3, bytes: 30 }]],
  [/^SELECT count\(DISTINCT job_id\)/, [{ count: 2, bytes: 20 }]],
]);

const key = (id: string, more: object = {}) => ({
  id,
  team: "north",
  name: `key ${id}`,
  revokedAt: null,
  isAdministrator: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  ...more,
});
const keys = [
  key("k0", { team: "south" }),
  key("k1"),
  key("k2", { revokedAt: "x" }),
  key("k3", { isAdministrator: true }),
];
const revoked: string[] = [];
let backUp: (folder: string) => Promise<object> = async () => ({ objects: 2, bytes: 20 });
const asked: object[] = [];

const folder = await temporaryFolder();
const routes: RouteServer = await openRoutes(
  {
    database: records,
    objects: {
      stat: async (storageKey: string) => (storageKey === media.storageKey ? { sizeBytes: 10 } : null),
      downloadLink: async (storageKey: string, as: object, base: string) => JSON.stringify([storageKey, as, base]),
    },
    settings: { modelsFolder: null, limits: async () => ({ retention: { media_days: 30, result_days: 7 } }) },
  },
  {
    configuration: { dataFolder: folder },
    desk: {
      administration: {
        listKeys: async () => keys,
        revokeKey: async (id: string) => {
          await null;
          revoked.push(id);
          return id !== "k2";
        },
        createKey: async (order: object) => {
          asked.push(order);
          return { key: "secret" };
        },
        backUp: (into: string) => backUp(into),
      },
      newVersion: () => "9.9.9",
      log: { lines: ["one", "two"] },
    },
  },
);
afterAll(() => routes.close());
beforeEach(() => {
  records.statements.length = 0;
  mediaNow = [media];
});

const asAdministrator = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  routes.ask(method, `${DESK}/${path}`, { as: "administrator", body, headers });
const asReviewer = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  routes.ask(method, `${DESK}/${path}`, { as: "reviewer", body, headers });

/** What was written since the test began. */
const written = () => records.statements.filter(({ text }) => !text.startsWith("SELECT")).map(({ values }) => values);

test("every answer of the desk tells what is left of the rate, and none may be kept", async () => {
  const { headers } = await asAdministrator("GET", "log");
  expect(headers).toMatchObject({
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "99",
    "cache-control": "no-store",
  });
});

describe("texts of the page", () => {
  test("are listed, all of them, or those of the film that a reviewer has", async () => {
    expect((await asAdministrator("GET", "texts")).body.paths).toEqual(texts);
    expect((await asReviewer("GET", "texts")).body.paths).toEqual([texts[0], texts[2]]);
    expect(records.statements.every(({ values }) => values[0] === IDS.team)).toBe(true);
  });

  test("are given as they were kept, and are not found otherwise", async () => {
    const found = await asAdministrator("GET", `texts/${texts[0]}`);
    expect([found.status, found.text, found.headers["content-type"]]).toEqual([
      200,
      "a word",
      "text/plain; charset=utf-8",
    ]);
    expect(await asAdministrator("GET", "texts/kept/none")).toMatchObject({
      status: 404,
      body: { error: "not_found" },
    });
  });

  test("are answered when they are kept and when they are gone, and no sooner", async () => {
    expect((await asAdministrator("PUT", "texts/a/b.json", "words", TEXT)).status).toBe(204);
    expect(records.underWay()).toBe(0);
    expect((await asAdministrator("DELETE", "texts/a/b.json")).status).toBe(204);
    expect(records.underWay()).toBe(0);
    expect(written()).toEqual([
      [IDS.team, "a/b.json", "words"],
      [IDS.team, "a/b.json"],
    ]);
  });

  test.each([
    ["x".repeat(200), 204],
    ["x".repeat(201), 400],
    ["a/b/c/d", 204],
    ["a/b/c/d/e", 400],
    [".hidden", 400],
    ["a%20b", 400],
  ])("have the name %s: %i", async (path, status) => {
    expect((await asAdministrator("PUT", `texts/${path}`, "words", TEXT)).status).toBe(status);
    expect(written().length).toBe(status === 204 ? 1 : 0);
  });

  test("are as long as 16 MiB, and no longer", async () => {
    const longest = "x".repeat(16 * 1024 * 1024);
    expect((await asAdministrator("PUT", "texts/long", longest, TEXT)).status).toBe(204);
    expect((await asAdministrator("PUT", "texts/long", `${longest}x`, TEXT)).status).toBe(400);
    expect(written().length).toBe(1);
  });

  test.each([
    ["a\0b", TEXT],
    [{ a: 1 }, {}],
  ])("are plain text, and %j is none", async (body, headers: Record<string, string>) => {
    const reply = await asAdministrator("PUT", "texts/a", body, headers);
    expect(reply).toMatchObject({ status: 400, body: { error: "invalid_input" } });
    expect(written()).toEqual([]);
  });

  test("are not kept where nobody knows whether there is room", async () => {
    const lost = await openRoutes({ database: records }, { configuration: { dataFolder: `${folder}/none` } });
    const reply = await lost.ask("PUT", `${DESK}/texts/a`, { as: "administrator", body: "words", headers: TEXT });
    expect([reply.status, written()]).toEqual([500, []]);
    await lost.close();
  });

  test("of another film are nothing to a reviewer, and a result is not theirs to remove", async () => {
    for (const [method, path] of [
      ["GET", texts[3]],
      ["PUT", texts[3]],
      ["PUT", texts[1]],
      ["DELETE", texts[0]],
    ] as const) {
      const reply = await asReviewer(
        method,
        `texts/${path}`,
        method === "PUT" ? "x" : undefined,
        method === "PUT" ? TEXT : {},
      );
      expect([method, path, reply.status]).toEqual([method, path, 404]);
    }
    expect((await asReviewer("DELETE", `texts/${texts[2]}`)).status).toBe(204);
    expect(written()).toEqual([[IDS.team, texts[2]]]);
  });
});

describe("jobs and films of the queue", () => {
  test("are listed, a hundred of the caller's team at most, with times in words", async () => {
    const { body } = await asAdministrator("GET", "jobs");
    expect(body.map((one: { job_id: string }) => one.job_id)).toEqual([IDS.job, "other"]);
    expect(body[0]).toMatchObject({ created_at: "2026-01-01T00:00:00.000Z", finished_at: "2026-01-01T00:01:00.000Z" });
    expect(body[1].finished_at).toBeNull();
    expect(records.statements[0]?.values).toEqual([IDS.team, 100]);
  });

  test.each([
    ["video/quicktime", "video/quicktime"],
    ["audio/wav", "audio/wav"],
    ["text/html", "video/mp4"],
    [null, "video/mp4"],
  ])("of a film stated as %s a player is told %s", async (stated, told) => {
    mediaNow = [{ ...media, contentType: stated }];
    const { status, body } = await asReviewer("GET", `media/${IDS.media}`);
    expect([status, body.content_type, body.file_name, body.size_bytes]).toEqual([200, told, "harbour.mov", 10]);
    expect(JSON.parse(body.signed_url).slice(0, 2)).toEqual([
      media.storageKey,
      { contentType: told, fileName: "programme" },
    ]);
    expect(records.statements[0]?.values).toEqual([IDS.media, IDS.team]);
  });

  test("are not there where the record, the bytes or the id is none", async () => {
    mediaNow = [];
    expect((await asAdministrator("GET", `media/${IDS.media}`)).status).toBe(404);
    mediaNow = [{ ...media, storageKey: "gone" }];
    expect((await asAdministrator("GET", `media/${IDS.media}`)).status).toBe(404);
    records.statements.length = 0;
    expect((await asAdministrator("GET", "media/none")).status).toBe(404);
    expect(records.statements).toEqual([]);
  });
});

describe("what whoever runs the service sees and does", () => {
  test("is its state: what is stored, how long it stays, and the team's keys that count", async () => {
    const { body } = await asAdministrator("GET", "state");
    expect(body).toMatchObject({
      new_version: "9.9.9",
      media: { count: 3, bytes: 30 },
      results: { count: 2, bytes: 20 },
      retention: { media_days: 30, result_days: 7 },
    });
    expect(body.free_bytes).toBeGreaterThan(0);
    expect(body.keys.map((one: { id: string; is_administrator: boolean }) => [one.id, one.is_administrator])).toEqual([
      ["k1", false],
      ["k3", true],
    ]);
  });

  test("is a new key of the team alone, by the name that was asked for", async () => {
    expect((await asAdministrator("POST", "keys", { name: "panel" })).body).toEqual({ key: "secret" });
    expect(asked).toEqual([{ team: "north", name: "panel" }]);
    for (const name of ["", "x".repeat(101)])
      expect((await asAdministrator("POST", "keys", { name })).status).toBe(400);
  });

  test("is withdrawing a key of the team, and of no other", async () => {
    expect((await asAdministrator("DELETE", "keys/k3")).status).toBe(204);
    for (const id of ["k0", "k2", "none"]) expect((await asAdministrator("DELETE", `keys/${id}`)).status).toBe(404);
    expect(revoked).toEqual(["k3", "k2"]);
  });

  test("is the log, and a backup beside the data", async () => {
    expect((await asAdministrator("GET", "log")).body).toEqual({ lines: ["one", "two"] });
    expect((await asAdministrator("POST", "backup")).body).toEqual({
      folder: `${folder}-backup`,
      objects: 2,
      bytes: 20,
    });
    backUp = async () => {
      throw new BackupError("backup_impossible", "There is no room.");
    };
    expect(await asAdministrator("POST", "backup")).toMatchObject({
      status: 400,
      body: { message: "There is no room." },
    });
    backUp = async () => {
      throw new Error("a fault of ours");
    };
    const reply = await asAdministrator("POST", "backup");
    expect([reply.status, reply.text.includes("a fault of ours")]).toEqual([500, false]);
    expect(routes.logged.some((line) => line.includes("a fault of ours"))).toBe(true);
  });

  test("is no examination of a service that is part of another program", async () => {
    expect(await asAdministrator("POST", "examine")).toMatchObject({
      status: 403,
      body: { error: "feature_not_available" },
    });
  });

  test("is nothing that a program, a monitor or a reviewer may do", async () => {
    for (const as of ["program", "monitor", "reviewer"] as const) {
      for (const [method, path] of [
        ["GET", "state"],
        ["GET", "jobs"],
        ["POST", "keys"],
        ["DELETE", "keys/k3"],
        ["GET", "log"],
        ["POST", "backup"],
        ["POST", "links"],
      ] as const) {
        const { status } = await routes.ask(method, `${DESK}/${path}`, { as });
        expect([as, path, status]).toEqual([as, path, 403]);
      }
    }
  });
});
