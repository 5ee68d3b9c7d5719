import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Database, type Queries, RecordsAwayError } from "../../../src/service/storage/database.ts";
import { openPostgresDatabase } from "../../../src/service/storage/postgres-database.ts";
import { startWireServer, type WireServer } from "../../fakes/postgres-wire.ts";

let server: WireServer;
let database: Database;
beforeEach(async () => {
  server = await startWireServer();
  database = openPostgresDatabase(server.url, () => undefined);
});
afterEach(async () => {
  await database.close();
  await server.close();
});

/** Until what the server sent was taken note of: what nobody listens to ends this process, and the test with it. */
async function heard(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise((next) => setImmediate(next));
}

describe.each(["terminate", "breakOff"] as const)("a Postgres server whose connections end (%s)", (end) => {
  test("between two statements of a transaction: the transaction fails, and the next one has a new connection", async () => {
    const failing = database.transaction(async (queries) => {
      await queries.query("SELECT 1");
      server[end]();
      await heard();
      await queries.query("SELECT 2");
    });
    await expect(failing).rejects.toBeInstanceOf(RecordsAwayError);
    await expect(database.transaction((queries) => queries.query("SELECT 3"))).resolves.toEqual([]);
    expect(server.connections()).toBe(2);
  });

  test("while work goes on under a lock, which says nothing to the server: the process lives, and so does the work", async () => {
    const done = database.exclusively(1, async () => {
      server[end]();
      await heard();
      return "listed";
    });
    await expect(done).resolves.toBe("listed");
    await expect(database.query("SELECT 1")).resolves.toEqual([]);
  });

  test("while nobody uses them: the next statement has a new one", async () => {
    await database.query("SELECT 1");
    server[end]();
    await heard();
    await expect(database.query("SELECT 1")).resolves.toEqual([]);
    expect(server.connections()).toBe(2);
  });
});

describe("a transaction on a Postgres server", () => {
  const insert = (queries: Queries) => queries.query("INSERT 1");
  const ends = () => server.statements.filter((statement) => /^(?:BEGIN|INSERT|COMMIT|ROLLBACK)/.test(statement));

  test("is committed when its work is done, before that is told", async () => {
    expect(await database.transaction(async (queries) => (await insert(queries)).length)).toBe(0);
    expect(ends()).toEqual(["BEGIN", "INSERT 1", "COMMIT"]);
  });

  test("is rolled back when its work fails, and committed never", async () => {
    const fault = new Error("no");
    await expect(
      database.transaction(async (queries) => {
        await insert(queries);
        throw fault;
      }),
    ).rejects.toBe(fault);
    expect(ends()).toEqual(["BEGIN", "INSERT 1", "ROLLBACK"]);
  });

  test.each(["INSERT", "COMMIT"])("that fails at %s is rolled back, and its connection serves the next", async (at) => {
    server.refuseAt(new RegExp(at));
    await expect(database.transaction(insert)).rejects.toMatchObject({ code: "23505" });
    expect(ends().at(-1)).toBe("ROLLBACK");
    await database.transaction(insert);
    expect(ends().slice(-3)).toEqual(["BEGIN", "INSERT 1", "COMMIT"]);
    expect(server.connections()).toBe(1);
  });

  test("that cannot be rolled back leaves its connection to nobody", async () => {
    server.terminateAt(/ROLLBACK/);
    await expect(database.transaction(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await database.transaction(insert);
    expect(server.connections()).toBe(2);
  });

  test("in which a statement failed is not taken for committed, though its work went on", async () => {
    server.refuseAt(/INSERT/);
    const work = database.transaction((queries) => insert(queries).catch(() => "went on"));
    await expect(work).rejects.toThrow(/rolled back/);
  });
});

test("a lock on a Postgres server is given back on the same connection, whatever became of the work", async () => {
  await database.exclusively(7, async () => "done");
  await expect(database.exclusively(7, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const lock = "SELECT pg_advisory_lock($1)";
  const unlock = "SELECT pg_advisory_unlock($1)";
  expect(server.statements.filter((statement) => statement.includes("advisory"))).toEqual([lock, unlock, lock, unlock]);
  expect(server.connections()).toBe(1);
});

describe("a Postgres server that is away", () => {
  test.each(["starting", "none"] as const)("(%s) is told from one that refuses a statement", async (how) => {
    server.refuse(how);
    const asks = [
      () => database.query("SELECT 1"),
      () => database.script("SELECT 1"),
      () => database.transaction((queries) => queries.query("SELECT 1")),
      () => database.exclusively(1, async () => 1),
    ];
    for (const ask of asks) await expect(ask()).rejects.toBeInstanceOf(RecordsAwayError);
    server.refuse(null);
    for (const ask of asks) await expect(ask()).resolves.toBeDefined();
  });

  test.each(["BEGIN", "SELECT 7", "COMMIT"])(
    "with the connection of %s is no fault of who asked",
    async (statement) => {
      server.terminateAt(new RegExp(statement));
      const asked = database.transaction((queries) => queries.query("SELECT 7"));
      await expect(asked).rejects.toBeInstanceOf(RecordsAwayError);
      await expect(database.transaction((queries) => queries.query("SELECT 7"))).resolves.toEqual([]);
    },
  );

  test("is no reason for what the work itself raises", async () => {
    const fault = Object.assign(new Error("no such file"), { code: "ENOENT" });
    await expect(database.transaction(() => Promise.reject(fault))).rejects.toBe(fault);
  });
});
