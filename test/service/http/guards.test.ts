import { mkdir, readdir } from "node:fs/promises";
import type { FastifyRequest } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { configurationFrom, planOfTeam } from "../../../src/service/configuration.ts";
import { Authenticator, type Caller } from "../../../src/service/http/authenticate.ts";
import { TextThreads } from "../../../src/service/http/text-threads.ts";
import { ValidationSlots } from "../../../src/service/http/validation-slots.ts";
import { type DataFolders, dataFolders } from "../../../src/service/storage/data-folders.ts";
import type { Database } from "../../../src/service/storage/database.ts";
import { turns } from "../../fakes/set-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { recordsOf } from "../written-records.ts";
import { IDS, openRoutes, type RouteServer } from "./route-server.ts";

// Who is let in, how many at once, and how often: over records that a test writes.

afterEach(() => {
  vi.useRealTimers();
});

const plan = { ...planOfTeam(configurationFrom({}, "/"), "north"), concurrent_validations: 2 };
const team: Caller = { id: IDS.team, name: "north", role: "program", plan };

describe("a key", () => {
  let isKnown = true;
  let lookedUp = 0;
  const records = recordsOf([
    [
      /FROM aside.api_key/,
      ([hashes]) => {
        lookedUp++;
        const [hash] = hashes as readonly string[];
        return isKnown ? [{ id: IDS.team, name: "north", isAdministrator: true, isForMetrics: false, hash }] : [];
      },
    ],
    [/FROM aside.review_link/, []],
  ]);
  const identify = (who: Authenticator, headers: object, takesBearer?: boolean) =>
    who.identify({ headers } as unknown as FastifyRequest, takesBearer === undefined ? {} : { takesBearer });

  test("is looked up once in two seconds, and again when it was forgotten", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const who = new Authenticator(records, async () => plan);
    const look = () => identify(who, { "x-api-key": "k" });
    lookedUp = 0;
    expect(await look()).toMatchObject({ id: IDS.team, plan });
    vi.advanceTimersByTime(1_999);
    await look();
    expect(lookedUp).toBe(1);
    vi.advanceTimersByTime(1);
    await look();
    expect(lookedUp).toBe(2);
    who.forget();
    await look();
    expect(lookedUp).toBe(3);
    isKnown = false;
    await look();
    who.forget();
    await expect(look()).rejects.toMatchObject({ code: "unauthorized", status: 401 });
    isKnown = true;
  });

  test("of ten thousand is remembered, and of one more all are looked up again", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    let plans = 0;
    const who = new Authenticator(recordsOf([]), async () => {
      plans++;
      return plan;
    });
    const look = async (key: string) => {
      who.addProcessKey(key, { id: IDS.team, name: "n", role: "program" });
      await identify(who, { "x-api-key": key });
    };
    for (let index = 0; index < 10_000; index++) await look(`k${index}`);
    await look("k0");
    expect(plans).toBe(10_000);
    await look("more");
    await look("k0");
    expect(plans).toBe(10_002);
  });

  test("is a bearer where that is taken alone, and none at all without a word", async () => {
    const who = new Authenticator(records, async () => plan);
    expect(await identify(who, { authorization: "Bearer k" }, true)).toMatchObject({ id: IDS.team });
    for (const headers of [{}, { "x-api-key": "" }, { authorization: "Bearer k" }, { "x-api-key": ["a", "b"] }]) {
      await expect(identify(who, headers)).rejects.toMatchObject({ code: "unauthorized" });
    }
  });
});

describe("slots of validation over shared records", () => {
  const shared = (rows: object[]) => {
    const records = recordsOf([
      [/^SELECT id FROM aside.team WHERE id = \$1 FOR UPDATE$/, []],
      [/^DELETE FROM aside.validation WHERE team_id = \$1 AND expires_at < now\(\)$/, []],
      [/^INSERT INTO aside.validation .* FROM aside.validation WHERE team_id = \$2\) < \$3 RETURNING id$/, () => rows],
      [/^UPDATE aside.validation SET expires_at = .* WHERE id = ANY\(\$1::uuid\[\]\)$/, []],
      [/^DELETE FROM aside.validation WHERE id = \$1$/, []],
    ]);
    return { records, slots: new ValidationSlots({ ...records, kind: "server" } as unknown as Database) };
  };

  test("are taken under the team's lock, by its limit and for half a minute, and given back before the answer", async () => {
    const { records, slots } = shared([{ id: "x" }]);
    expect(await slots.with(team, async () => "done")).toBe("done");
    expect(records.underWay()).toBe(0);
    const [lock, swept, taken, given] = records.statements;
    expect([lock?.isInside, swept?.isInside, taken?.isInside, given?.isInside]).toEqual([true, true, true, false]);
    expect([lock?.values, swept?.values]).toEqual([[IDS.team], [IDS.team]]);
    expect(taken?.values.slice(1)).toEqual([IDS.team, 2, 30]);
    expect(given?.values).toEqual([taken?.values[0]]);
  });

  test("are asked for in order: nothing is under way beside the statement that takes one", async () => {
    const { records, slots } = shared([{ id: "x" }]);
    const seen: number[] = [];
    await slots.with(team, async () => {
      seen.push(records.underWay());
    });
    expect(seen).toEqual([0]);
  });

  test("are refused where none is left, and the work is not begun", async () => {
    const { slots } = shared([]);
    await expect(slots.with(team, () => expect.unreachable())).rejects.toMatchObject({
      code: "concurrency_limit_exceeded",
      fields: { headers: { "retry-after": "1" } },
    });
  });

  test("are renewed every ten seconds, all that are held, and not once they are given back", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { records, slots } = shared([{ id: "x" }]);
    const open = Promise.withResolvers<void>();
    const other = { ...team, id: IDS.job };
    const working = [team, other].map((one) => slots.with(one, () => open.promise));
    // Three statements for each, which take a turn each.
    await turns(20);
    expect(records.statements.length).toBe(6);
    records.statements.length = 0;
    vi.advanceTimersByTime(9_999);
    expect(records.statements).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(records.statements.map(({ values }) => [(values[0] as unknown[]).length, values[1]])).toEqual([[2, 30]]);
    open.resolve();
    await Promise.all(working);
    vi.advanceTimersByTime(10_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("pairing codes", () => {
  test("are looked at ten times a minute, whoever sends them, and again when that is over", async () => {
    const records = recordsOf([[/./, []]]);
    const routes = await openRoutes({ database: records });
    const pair = (code: string) => routes.ask("POST", "/home/pair", { as: null, body: { code } });
    for (let times = 0; times < 5; times++) expect((await pair("12345")).status).toBe(401);
    expect(records.statements).toEqual([]);
    await routes.clock.pass(30_000);
    for (let times = 0; times < 5; times++) expect((await pair("123 4-56")).status).toBe(401);
    expect(records.statements.length).toBeGreaterThan(0);
    const before = records.statements.length;
    const refused = await pair("123456");
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "60"]);
    await routes.clock.pass(29_999);
    expect((await pair("123456")).status).toBe(429);
    expect(records.statements.length).toBe(before);
    // The first five are a minute old now; the others are not.
    await routes.clock.pass(1);
    for (let times = 0; times < 5; times++) expect((await pair("1")).status).toBe(401);
    expect((await pair("1")).status).toBe(429);
    await routes.close();
  });
});

describe("a form with a file", () => {
  const boundary = "line";
  const part = (name: string, content: string, more = "") =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
  const file = (content = "bytes") => part("file", content, '; filename="a.mp4"');
  const input = part("input", '{"type":"file"}');
  let folders: DataFolders;
  let routes: RouteServer;
  const threads = new TextThreads();
  beforeAll(async () => {
    folders = dataFolders(await temporaryFolder());
    routes = await openRoutes({ folders, texts: threads });
  });
  afterAll(async () => {
    await routes.close();
    await threads.close();
  });

  async function send(...given: readonly string[]) {
    await mkdir(folders.incoming, { recursive: true });
    const reply = await routes.ask("POST", "upload_media", {
      body: `${given.join("")}--${boundary}--\r\n`,
      headers: { "content-type": `multipart/form-data; boundary=${boundary}`, "idempotency-key": "x".repeat(256) },
    });
    const left = await readdir(folders.incoming);
    return { status: reply.status, message: String(reply.body.message), left };
  }

  // A key that is none is refused as soon as the form was taken: what comes after is not of these laws.
  const TAKEN = /Idempotency-Key/;
  test.each([
    ["its parts in any order", [file(), input], TAKEN],
    ["parts that nobody knows", [part("other", "x"), input, file(), part("more", "y")], TAKEN],
    ["twenty parts", [...Array.from({ length: 18 }, (_, index) => part(`p${index}`, "x")), input, file()], TAKEN],
    [
      "twenty-one parts",
      [...Array.from({ length: 19 }, (_, index) => part(`p${index}`, "x")), input, file()],
      /malformed/,
    ],
    ["long texts", [part("generation_config", `"${"x".repeat(9_000)}"`), input, file()], TAKEN],
    ["no file", [input], /"file" is required/],
    ["an empty file", [input, file("")], /"file" is empty/],
    ["two files", [input, file(), file()], /more than once/],
    [
      "a configuration that is no JSON",
      [input, file(), part("generation_config", "{")],
      /"generation_config" is not valid JSON/,
    ],
  ] as const)("of %s is taken or refused, and leaves no file behind", async (_name, given, message) => {
    const reply = await send(...given);
    expect(reply).toEqual({ status: 400, message: expect.stringMatching(message), left: [] });
  });
});
