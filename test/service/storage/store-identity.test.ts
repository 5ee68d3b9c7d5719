import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { DiskObjectStore, LinkSigner } from "../../../src/service/storage/disk-object-store.ts";
import { claimStore } from "../../../src/service/storage/object-store.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";
import { uniqueClip } from "../clips.ts";
import { form, startTestService } from "../service-fixture.ts";

/** The store of a folder, as a service of any records would open it. */
function storeOf(folder: string): DiskObjectStore {
  const lives = { uploadSeconds: 1, resultSeconds: 1 };
  return new DiskObjectStore(join(folder, "objects"), new LinkSigner("any"), lives, SYSTEM_CLOCK);
}

thoroughTest("records claim an empty store, and work with it again", async () => {
  const service = await startTestService();
  const store = storeOf(service.dataFolder);
  const workFolder = join(service.dataFolder, "work");
  const identity = await readFile(store.pathOf("aside-records"), "utf8");
  await claimStore(store, service.database, { workFolder });
  expect(await readFile(store.pathOf("aside-records"), "utf8")).toBe(identity);
  await service.close();
});

test("fresh records refuse a store that has others' objects, with or without their name; adopting it is said aloud", async () => {
  const before = await startTestService();
  await before.send("POST", "upload_media", form(await uniqueClip()));
  const fresh = await startTestService();
  const store = storeOf(before.dataFolder);
  const claim = { workFolder: await temporaryFolder() };
  await expect(claimStore(store, fresh.database, claim)).rejects.toMatchObject({ code: "store_of_other_records" });
  await rm(store.pathOf("aside-records"));
  await expect(claimStore(store, fresh.database, claim)).rejects.toThrow(/--adopt-store/);
  await claimStore(store, fresh.database, { ...claim, adopts: true });
  await expect(claimStore(store, before.database, claim)).rejects.toMatchObject({ code: "store_of_other_records" });
  await before.close();
  await fresh.close();
});

test("a store from before identities is taken by records that know something of it", async () => {
  const service = await startTestService();
  await service.send("POST", "upload_media", form(await uniqueClip()));
  const store = storeOf(service.dataFolder);
  await rm(store.pathOf("aside-records"));
  const stray = store.pathOf("teams/a/media/b/source.mp4");
  await mkdir(dirname(stray), { recursive: true });
  await writeFile(stray, "of nobody");
  await claimStore(store, service.database, { workFolder: await temporaryFolder() });
  expect(await store.stat("aside-records")).not.toBeNull();
  await service.close();
});
