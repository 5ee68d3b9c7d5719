import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { layFreshRecords } from "../../src/service/fresh-records.ts";
import { WorkQueue } from "../../src/service/jobs/work-queue.ts";
import { unpackFolder } from "../../src/service/storage/data-folders.ts";
import type { Database } from "../../src/service/storage/database.ts";
import { migrate } from "../../src/service/storage/migrations.ts";
import { openEmbeddedDatabase } from "../../src/service/storage/pglite-database.ts";
import { temporaryFolder } from "../temporary-folder.ts";

// initdb takes 5 s of a processor, and runs up to three times in one test.
vi.setConfig({ testTimeout: 180_000 });

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** A data folder of its own. */
async function dataFolder(): Promise<string> {
  return mkdtemp(join(folder, "data-"));
}

/** What a Postgres holds: how it is set up, and every column and index of every table. */
async function shapeOf(database: Database): Promise<unknown> {
  return {
    set: await database.query(`SELECT datname, encoding, datcollate, datctype, datlocprovider, datcollversion
      FROM pg_database WHERE datname = current_database()`),
    settings: await database.query(
      "SELECT name, setting FROM pg_settings WHERE name NOT LIKE 'plpgsql.%' ORDER BY name",
    ),
    columns: await database.query(`SELECT table_schema, table_name, column_name, data_type, column_default, is_nullable
      FROM information_schema.columns WHERE table_schema IN ('aside', 'pgboss') ORDER BY 1, 2, 3`),
    indexes: await database.query("SELECT indexdef FROM pg_indexes WHERE schemaname IN ('aside', 'pgboss') ORDER BY 1"),
    queues: await database.query("SELECT name, policy, retry_limit, heartbeat_seconds FROM pgboss.queue ORDER BY 1"),
    versions: await database.query("SELECT version FROM aside.schema_version ORDER BY 1"),
  };
}

/** Brings records up to date and looks at them, as a service does that starts on them. */
async function opened(records: string): Promise<unknown> {
  const database = await openEmbeddedDatabase(records);
  try {
    await migrate(database);
    const queue = new WorkQueue(database, () => undefined);
    await queue.start();
    await queue.stop();
    return await shapeOf(database);
  } finally {
    await database.close();
  }
}

test("lays the records that initdb and the migrations would make", async () => {
  const [plain, laid] = [join(await dataFolder(), "records"), join(await dataFolder(), "records")];
  await layFreshRecords(laid);
  expect(await opened(laid)).toEqual(await opened(plain));
  for (const name of ["PG_VERSION", "postgresql.conf", "pg_hba.conf"]) {
    expect(await readFile(join(laid, name), "utf8")).toBe(await readFile(join(plain, name), "utf8"));
  }
});

test("lays them without a secret, a key or a team", async () => {
  const records = join(await dataFolder(), "records");
  await layFreshRecords(records);
  const database = await openEmbeddedDatabase(records);
  for (const table of ["secret", "team", "api_key", "media", "job"]) {
    expect(await database.query(`SELECT * FROM aside.${table}`)).toEqual([]);
  }
  await database.close();
});

test("keeps what it made when several begin at once, and makes it again where it is damaged", async () => {
  const cache = join(folder, "cache-of-several");
  const places = await Promise.all([dataFolder(), dataFolder()]);
  await Promise.all(places.map((place) => layFreshRecords(join(place, "records"), cache)));
  const [kept = "", ...others] = await readdir(cache);
  expect(others).toEqual([]);
  await truncate(join(cache, kept), (await readFile(join(cache, kept))).length - 100);
  const third = await dataFolder();
  await layFreshRecords(join(third, "records"), cache);
  expect(await readdir(cache)).toEqual([kept]);
  for (const place of [...places, third]) {
    expect(await readdir(place)).toEqual(["records"]);
    await opened(join(place, "records"));
  }
  await unpackFolder(await readFile(join(cache, kept)), join(await dataFolder(), "whole"));
});

test("makes them where nothing can be kept", async () => {
  const cache = join(folder, "cache-that-is-a-file");
  await writeFile(cache, "");
  const place = await dataFolder();
  await layFreshRecords(join(place, "records"), cache);
  expect(await readdir(place)).toEqual(["records"]);
  await opened(join(place, "records"));
});

test("leaves a folder alone that holds anything, and one that cannot be written", async () => {
  const place = await dataFolder();
  await mkdir(join(place, "records"));
  await writeFile(join(place, "records", "PG_VERSION"), "18\n");
  await layFreshRecords(join(place, "records"));
  expect(await readdir(join(place, "records"))).toEqual(["PG_VERSION"]);
  const file = join(place, "file");
  await writeFile(file, "");
  await expect(layFreshRecords(join(file, "records"))).resolves.toBeUndefined();
});

test("leaves no half of them where its process is killed over it, and nothing behind the next time", async () => {
  const place = await dataFolder();
  const program = `
    const { layFreshRecords } = await import(${JSON.stringify(new URL("../../src/service/fresh-records.ts", import.meta.url).href)});
    console.log("begun");
    await layFreshRecords(${JSON.stringify(join(place, "records"))}, ${JSON.stringify(join(folder, "cache-of-killed"))});`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  await expect.poll(() => readdir(place)).not.toEqual([]);
  child.kill("SIGKILL");
  await once(child, "close");
  expect(await readdir(place)).not.toContain("records");
  await layFreshRecords(join(place, "records"));
  expect(await readdir(place)).toEqual(["records"]);
  await opened(join(place, "records"));
});
