import { getEventListeners } from "node:events";
import { readdirSync } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { parseS3Location, S3ObjectStore } from "../../../src/service/storage/s3-object-store.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { openFiles } from "../open-files.ts";
import { S3_CREDENTIALS } from "../s3-server.ts";
import { startWebHost, type WebHost } from "../web-host.ts";

// What a store that breaks off, or refuses, leaves on this computer: nothing.

const OBJECT = "/media/a/film";

let host: WebHost;
let folder: string;
/** Where objects are lent; not there before the first one. */
let borrowed: string;
let store: S3ObjectStore;
beforeAll(async () => {
  host = await startWebHost();
  for (const [name, value] of Object.entries(S3_CREDENTIALS)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await host.close();
});
beforeEach(async () => {
  folder = await temporaryFolder();
  borrowed = join(folder, "borrowed");
  const location = parseS3Location(`s3://media/a?endpoint=${encodeURIComponent(host.url)}`);
  store = new S3ObjectStore(location, { uploadSeconds: 60, resultSeconds: 60 }, borrowed);
});

const signal = new AbortController().signal;
const refuse = (status: number) =>
  host.pages.set(OBJECT, (request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/xml" }).end("<Error><Code>AccessDenied</Code></Error>");
  });

test("of an object that breaks off half way nothing is left when that is said", async () => {
  host.pages.set(OBJECT, (_request, response) => {
    response.writeHead(200, { "content-length": 200_000 });
    response.write(Buffer.alloc(100_000), () => response.destroy());
  });
  await expect(store.borrow("film", signal)).rejects.toThrow();
  expect(readdirSync(borrowed)).toEqual([]);
});

test("an object is whole when it is lent, and gone when it is given back", async () => {
  host.pages.set(OBJECT, (_request, response) => response.end(Buffer.alloc(300_000, 1)));
  const one = await store.borrow("film", signal);
  expect(readdirSync(borrowed)).toHaveLength(1);
  const other = await store.borrow("film", signal);
  expect(other.path).not.toBe(one.path);
  await one.release();
  expect(readdirSync(borrowed).map((name) => join(borrowed, name))).toEqual([other.path]);
  await other.release();
  expect(readdirSync(borrowed)).toEqual([]);
});

test("that an object cannot be removed is said", async () => {
  refuse(403);
  await expect(store.remove("film")).rejects.toThrow();
});

test.runIf(process.platform === "linux").each([
  ["that the store refuses", false],
  ["whose upload is cancelled", true],
])("a file %s is not held open, and its cancelling is listened to no more", async (_name, isCancelled) => {
  const file = join(folder, "film.mp4");
  await writeFile(file, "");
  // Of more than is sent at once, so that it is not read to its end.
  await truncate(file, 60_000_000);
  const stop = new AbortController();
  if (isCancelled) host.pages.set(OBJECT, () => stop.abort(new Error("enough")));
  else refuse(403);
  const put = store.put("film", file, "video/mp4", stop.signal);
  await expect(put).rejects.toThrow(isCancelled ? "enough" : /./);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  await vi.waitFor(() => expect(openFiles()).not.toContain(file));
});
