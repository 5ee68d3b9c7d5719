import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../../src/service/storage/database.ts";
import { MIGRATIONS, migrate } from "../../../src/service/storage/migrations.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { freshDatabase } from "../records.ts";

let database: Database;
beforeAll(async () => {
  // A database that is laid is there at once; what is in it goes before each test.
  database = await freshDatabase(join(await temporaryFolder(), "records"));
});
beforeEach(() => database.query("DROP SCHEMA IF EXISTS aside CASCADE"));
afterAll(async () => {
  await database.close();
});

const versions = async () =>
  (await database.query<{ version: number }>("SELECT version FROM aside.schema_version ORDER BY version")).map(
    ({ version }) => version,
  );

test("versions are numbered without holes, in order", () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

test("brings records to the newest shape, several starters at once and again", async () => {
  await Promise.all([migrate(database), migrate(database)]);
  await migrate(database);
  expect(await versions()).toEqual(MIGRATIONS.map(({ version }) => version));
});

test("a step that fails leaves the records as they were", async () => {
  await migrate(database);
  const next = MIGRATIONS.length + 1;
  const broken = { version: next, statements: ["CREATE TABLE aside.half (id int)", "SELECT nonsense"] };
  await expect(migrate(database, [...MIGRATIONS, broken])).rejects.toThrow();
  expect(await versions()).toEqual(MIGRATIONS.map(({ version }) => version));
  expect(await database.query("SELECT to_regclass('aside.half') AS found")).toEqual([{ found: null }]);
  await migrate(database, [...MIGRATIONS, { version: next, statements: ["CREATE TABLE aside.half (id int)"] }]);
  expect(await versions()).toContain(next);
});

test("records of a newer program are refused, not touched", async () => {
  const next = MIGRATIONS.length + 1;
  await migrate(database, [...MIGRATIONS, { version: next, statements: ["CREATE TABLE aside.newer (id int)"] }]);
  await expect(migrate(database)).rejects.toMatchObject({
    code: "records_too_new",
    message: expect.stringContaining("Update the program"),
  });
  expect((await versions()).at(-1)).toBe(next);
});

test("a failed statement inside a script does not poison the connection", async () => {
  await expect(database.script("BEGIN; SELECT nonsense; COMMIT")).rejects.toThrow();
  expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("a transaction that rejects leaves nothing behind", async () => {
  await migrate(database);
  await expect(
    database.transaction(async (queries) => {
      await queries.query("CREATE TABLE aside.gone (id int)");
      throw new Error("changed my mind");
    }),
  ).rejects.toThrow("changed my mind");
  expect(await database.query("SELECT to_regclass('aside.gone') AS found")).toEqual([{ found: null }]);
});
