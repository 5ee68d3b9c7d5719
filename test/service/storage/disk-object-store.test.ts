import { afterAll, beforeAll, expect, test } from "vitest";
import { DiskObjectStore, LinkSigner } from "../../../src/service/storage/disk-object-store.ts";
import { ensureSecret } from "../../../src/service/storage/private-file.ts";
import { SYSTEM_CLOCK } from "../../../src/service/system-clock.ts";
import { describeObjectStore } from "../../suites/object-store.ts";
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
