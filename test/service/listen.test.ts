import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, createApp } from "../../src/service/app.ts";
import { configurationFrom } from "../../src/service/configuration.ts";
import { ServiceStartError } from "../../src/service/storage/database.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { openTestRecords, type TestRecords } from "./records.ts";
import { FAKE_TASKS } from "./service-fixture.ts";

let records: TestRecords;
const open: App[] = [];
beforeAll(async () => {
  records = await openTestRecords();
});
afterAll(async () => {
  for (const app of open) await app.close();
  await records.close();
});

async function app(): Promise<App> {
  const configuration = configurationFrom({}, await temporaryFolder());
  const made = await createApp(configuration, {
    database: records.database,
    tasks: FAKE_TASKS,
    log: { level: "silent" },
  });
  open.push(made);
  return made;
}

/** The status of an answer to a request without a key that calls the service by a name. */
function statusFor(address: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${address}/enterprise/api/get_results`, { headers: { host } }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

test("a service answers under the address that it says, by the names of this computer, and by no other's", async () => {
  const address = await (await app()).listen({ host: "127.0.0.1", port: 0 });
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
  const { port } = new URL(address);
  expect(await statusFor(address, `127.0.0.1:${port}`)).toBe(401);
  expect(await statusFor(address, `localhost:${port}`)).toBe(401);
  expect(await statusFor(address, `films.example:${port}`)).toBe(400);
});

test("a port that another program has is refused with what to do, and the service can listen on another", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo; // listening on TCP
  const made = await app();
  const refusal = await made.listen({ host: "127.0.0.1", port }).catch((error: unknown) => error);
  other.close();
  expect(refusal).toBeInstanceOf(ServiceStartError);
  expect(refusal).toMatchObject({
    code: "address_unusable",
    message: `The service cannot listen on 127.0.0.1, port ${port}. Choose another one with --host and --port.`,
  });
});
