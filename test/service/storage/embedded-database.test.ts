import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../src/service/storage/database.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { freshDatabase } from "../records.ts";

let database: Database;
beforeAll(async () => {
  database = await freshDatabase(`${await temporaryFolder()}/records`);
  // Twice the same number is found out at the commit alone.
  await database.script("CREATE TABLE kept (number integer UNIQUE DEFERRABLE INITIALLY DEFERRED)");
});
afterAll(() => database.close());
beforeEach(() => database.query("DELETE FROM kept"));

const numbers = async () =>
  (await database.query<{ number: number }>("SELECT number FROM kept ORDER BY number")).map(({ number }) => number);
const insert = (number: number) => [`INSERT INTO kept VALUES ($1)`, [number]] as const;

describe("a transaction of the embedded records", () => {
  test("is all there when it resolves, and nothing of it when its work fails", async () => {
    await database.transaction(async (queries) => {
      await queries.query(...insert(1));
      await queries.query(...insert(2));
    });
    await expect(
      database.transaction(async (queries) => {
        await queries.query(...insert(3));
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    expect(await numbers()).toEqual([1, 2]);
  });

  test("that fails at its commit is rolled back, and the next one is not in its way", async () => {
    await database.query(...insert(1));
    await expect(
      database.transaction(async (queries) => {
        await queries.query(...insert(4));
        await queries.query(...insert(1));
      }),
    ).rejects.toMatchObject({ code: "23505" });
    await database.transaction((queries) => queries.query(...insert(5)));
    expect(await numbers()).toEqual([1, 5]);
  });

  test("in which a statement failed is not taken for committed, though its work went on", async () => {
    await expect(
      database.transaction(async (queries) => {
        await queries.query(...insert(6));
        await queries.query("INSERT INTO nowhere VALUES (1)").catch(() => undefined);
      }),
    ).rejects.toThrow();
    expect(await numbers()).not.toContain(6);
    await database.query("SELECT 1");
  });

  test("has its statements for itself: none of another comes in between", async () => {
    const seen: number[] = [];
    await Promise.all(
      [10, 20].map((first) =>
        database.transaction(async (queries) => {
          for (const number of [first, first + 1]) {
            seen.push(number);
            await queries.query(...insert(number));
          }
        }),
      ),
    );
    expect(seen).toEqual([10, 11, 20, 21]);
  });
});

test("a script that fails in a transaction of its own leaves nothing of it, and later statements are answered", async () => {
  const before = await numbers();
  await expect(
    database.script("BEGIN; INSERT INTO kept VALUES (100); INSERT INTO nowhere VALUES (1); COMMIT"),
  ).rejects.toThrow(/nowhere/);
  expect(await numbers()).toEqual(before);
});
