import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DiskObjectStore, type LinkGrant, LinkSigner } from "../../../src/service/storage/disk-object-store.ts";
import { ensureSecret } from "../../../src/service/storage/private-file.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { describeObjectStore } from "../../suites/object-store.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { startTestService, type TestService } from "../service-fixture.ts";

let service: TestService;
let store: DiskObjectStore;
beforeAll(async () => {
  service = await startTestService();
  const signer = new LinkSigner(await ensureSecret(service.database, "links"));
  const lives = { uploadSeconds: 60, resultSeconds: 60 };
  store = new DiskObjectStore(`${service.dataFolder}/objects`, signer, lives, SYSTEM_CLOCK);
});
afterAll(() => service.close());

describeObjectStore("disk", async () => ({
  store,
  prefix: "teams/suite",
  checksSignatures: true,
  follow: (url, init) => service.follow(url, init),
}));

test.each(["../outside", "a/../../b", "/absolute", "a//b", "", "a/.hidden", "a\\b", "C:/x", "a/\0"])(
  "no key leads out of the folder: %j",
  async (key) => {
    expect(() => store.pathOf(key)).toThrow(RangeError);
    await expect(store.stat(key)).rejects.toThrow(RangeError);
  },
);

describe("what is removed while a copy is made of the store", () => {
  const put = async (key: string) => {
    const path = join(await temporaryFolder(), "file");
    await writeFile(path, key);
    await store.put(key, path, "");
  };
  const isThere = async (key: string) => (await store.stat(key)) !== null;

  test("stays until that is over, of several the last one, and goes then", async () => {
    for (const key of ["kept/a", "kept/b", "kept/c"]) await put(key);
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const copies = [store.whileKept(() => first.promise), store.whileKept(() => second.promise)];
    await store.remove("kept/a");
    first.resolve();
    await copies[0];
    await store.remove("kept/b");
    expect([await isThere("kept/a"), await isThere("kept/b")]).toEqual([true, true]);
    second.resolve();
    await copies[1];
    expect([await isThere("kept/a"), await isThere("kept/b"), await isThere("kept/c")]).toEqual([false, false, true]);
    await store.remove("kept/c");
    expect(await isThere("kept/c")).toBe(false);
  });

  test("goes though the copy fails", async () => {
    await put("kept/d");
    const copy = store.whileKept(async () => {
      await store.remove("kept/d");
      throw new Error("full");
    });
    await expect(copy).rejects.toThrow("full");
    expect(await isThere("kept/d")).toBe(false);
  });
});

describe("a signed link", () => {
  const signer = new LinkSigner("secret");
  const grant: LinkGrant = { purpose: "get", key: "a/b", contentType: "audio/wav", fileName: "a.wav", expires: 1_000 };
  const signature = (of: LinkGrant, by = signer) =>
    new URL(by.sign(of, "http://base.test")).searchParams.get("signature") ?? "";

  test("opens until its last second has come, and not from then on", () => {
    const at = (now: number) => signer.check(grant, signature(grant), now);
    expect([at(0), at(999.999), at(1_000), at(1_000.001)]).toEqual([null, null, "expired", "expired"]);
  });

  test("opens nothing but what it was signed for, and none that another secret signed", () => {
    const others: Partial<LinkGrant>[] = [
      { purpose: "put" },
      { key: "a/c" },
      { contentType: "text/html" },
      { fileName: "b.wav" },
      { expires: 1_001 },
      // The same words, parted elsewhere.
      { contentType: 'audio/wav","', fileName: "a.wav" },
    ];
    for (const other of others) expect(signer.check({ ...grant, ...other }, signature(grant), 0)).toBe("signature");
    expect(signer.check(grant, signature(grant, new LinkSigner("other")), 0)).toBe("signature");
    for (const forged of ["", "x", signature(grant).slice(1), `${signature(grant)}A`]) {
      expect(signer.check(grant, forged, 0)).toBe("signature");
    }
    expect(signer.check(grant, "", 2_000), "one that is forged and old").toBe("signature");
  });
});
