import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deviationsOf, FETCHES_LOCALLY } from "../../service/conformance-run.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../../service/postgres-server.ts";
import { S3_CREDENTIALS, type S3Server, startS3 } from "../../service/s3-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { aside, startAside } from "../run-aside.ts";

describe.skipIf(!(await hasPostgres()))("processes over one Postgres and one S3-compatible store", () => {
  let postgres: PostgresServer;
  let s3: S3Server;
  beforeAll(async () => {
    [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  }, 120_000);
  afterAll(() => Promise.all([postgres.close(), s3.close()]));

  test("two servers and two workers, each with a folder of its own, pass the conformance suite and end in time", async () => {
    const env = { DATABASE_URL: postgres.url, ASIDE_STORAGE: s3.storage, ...S3_CREDENTIALS };
    const folder = await temporaryFolder();
    const start = async (name: string, ...args: string[]) => {
      const data = join(folder, name);
      await mkdir(data);
      await writeFile(join(data, "aside.json"), JSON.stringify(FETCHES_LOCALLY));
      return startAside([...args, "--data", data], { env });
    };
    const workers = await Promise.all(["worker-1", "worker-2"].map((name) => start(name, "worker")));
    const servers = await Promise.all(
      ["server-1", "server-2"].map((name) => start(name, "serve", "--no-worker", "--port", "0")),
    );
    const [address = ""] = await Promise.all(servers.map(async (one) => (await one.shows(/listens on (\S+)/))[1]));
    await Promise.all(workers.map((one) => one.shows(/works on jobs/)));
    const made = await aside(["keys", "create", "--data", join(folder, "admin"), "--json"], { env });
    const { key }: { key: string } = JSON.parse(made.stdout);
    expect(await deviationsOf(address, key)).toEqual([]);
    for (const { process } of [...servers, ...workers]) process.kill("SIGTERM");
    const ends = await Promise.all([...servers, ...workers].map(({ ended }) => ended));
    // One that took more than its ten seconds would have ended by force, with 130.
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  }, 400_000);
});
