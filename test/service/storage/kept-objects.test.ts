import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DiskObjectStore, LinkSigner } from "../../../src/service/storage/disk-object-store.ts";
import { SetClock } from "../../fakes/set-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// Objects of a folder without a service that serves them.

const folder = await temporaryFolder();
const clock = new SetClock();
const store = new DiskObjectStore(
  join(folder, "objects"),
  new LinkSigner("secret"),
  { uploadSeconds: 60, resultSeconds: 90 },
  clock,
);

async function put(key: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "given"), key);
  await store.put(key, join(folder, "given"), "");
}
const there = async (...keys: readonly string[]) =>
  Promise.all(keys.map(async (key) => (await store.stat(key)) !== null));

test("what is removed while a copy is made goes after it, each of it, and never again once it is stored anew", async () => {
  for (const key of ["a", "b"]) await put(key);
  await store.whileKept(async () => {
    for (const key of ["a", "b"]) await store.remove(key);
    expect(await there("a", "b")).toEqual([true, true]);
  });
  expect(await there("a", "b")).toEqual([false, false]);
  await put("a");
  await store.whileKept(async () => undefined);
  expect(await there("a", "b")).toEqual([true, false]);
});

test("a link ends when as many seconds are over as are set for its kind", async () => {
  const expires = (url: string) => Number(new URL(url).searchParams.get("expires")) - clock.now() / 1000;
  const upload = await store.uploadLink("a", "video/mp4", "http://base.test");
  const download = await store.downloadLink("a", { contentType: "video/mp4", fileName: "a" }, "http://base.test");
  expect([upload.url, upload.resumableUrl ?? "", download].map(expires)).toEqual([60, 60, 90]);
});
