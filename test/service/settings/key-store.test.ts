import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { configurationFrom } from "../../../src/service/configuration.ts";
import { KEY_STORE_WORDS, type KeyStoreFault, type UserKeyStore } from "../../../src/service/settings/key-store.ts";
import { ServiceSettings } from "../../../src/service/settings/service-settings.ts";
import { FakeKeyStore } from "../../fakes/key-store.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const CONFIGURATION = configurationFrom({}, "/data");
const HERE = { isOnItsComputer: true };
const OPENAI = { server: "openai", model: "m" };
const FAULTS = ["absent", "locked", "slow", "refused"] as const satisfies readonly KeyStoreFault[];

async function settingsIn(keyStore: UserKeyStore = new FakeKeyStore(), environment: Record<string, string> = {}) {
  const file = join(await temporaryFolder(), "settings.json");
  return { file, settings: new ServiceSettings({ file, environment, keyStore }) };
}

/** The settings as a process that starts now has them. */
const anew = (file: string, keyStore: UserKeyStore) => new ServiceSettings({ file, environment: {}, keyStore });

const keyOf = async (settings: ServiceSettings) => (await settings.variables())["ASIDE_VISION_KEY"];
const describerOf = async (settings: ServiceSettings) => (await settings.inForce(CONFIGURATION)).describer;
const textOf = (file: string) => readFile(file, "utf8");

/** Names in the store that a file knows a key by. */
async function namesIn(file: string): Promise<string[]> {
  return [...(await textOf(file)).matchAll(/"stored_as": "([^"]+)"/g)].map(([, name = ""]) => name).sort();
}

describe("a key in the system's key store", () => {
  test("is nowhere else, is there for the next process, and goes with its setting", async () => {
    const store = new FakeKeyStore();
    const { file, settings } = await settingsIn(store);
    await settings.change({ describer: { ...OPENAI, key: "sk-mine" } }, HERE);
    expect(await textOf(file)).not.toContain("sk-mine");
    expect([...store.kept.values()]).toEqual(["sk-mine"]);
    const next = anew(file, store);
    expect(await keyOf(next)).toBe("sk-mine");
    expect(await describerOf(next)).toMatchObject({ has_key: true, is_ready: true });
    expect((await describerOf(next)).state).not.toContain("key");
    await next.change({ describer: { ...OPENAI, key: "sk-other" } }, HERE);
    expect([...store.kept.values()]).toEqual(["sk-other"]);
    // This process knows the one of before: what is set elsewhere counts all the same.
    expect(await keyOf(settings)).toBe("sk-other");
    await next.change({ describer: {} }, HERE);
    expect([store.kept.size, await textOf(file)]).toEqual([0, expect.not.stringContaining("describer-")]);
  });

  test("of a file of before works, and moves there when something else is set", async () => {
    const store = new FakeKeyStore();
    const { file, settings } = await settingsIn(store);
    const before = { version: 1, describer: OPENAI, keys: { describer: { server: "openai", key: "sk-old" } } };
    await writeFile(file, JSON.stringify(before));
    expect(await keyOf(settings)).toBe("sk-old");
    expect((await describerOf(settings)).state).toContain("moves into the system's key store with the next change");
    await settings.change({ dialogue: { server: "off" } }, HERE);
    expect(await textOf(file)).not.toContain("sk-old");
    // An earlier version is to see that it is not its own any more.
    expect(JSON.parse(await textOf(file))).toMatchObject({ version: 2 });
    expect([...store.kept.values()]).toEqual(["sk-old"]);
    expect(await keyOf(anew(file, store))).toBe("sk-old");
  });

  test("is no other file's: one that is removed leaves the other", async () => {
    const store = new FakeKeyStore();
    const [north, south] = [await settingsIn(store), await settingsIn(store)];
    for (const { settings } of [north, south]) await settings.change({ describer: { ...OPENAI, key: "sk-1" } }, HERE);
    expect(store.kept.size).toBe(2);
    await north.settings.change({ describer: {} }, HERE);
    expect(await keyOf(anew(south.file, store))).toBe("sk-1");
  });

  test("gives way to the environment, and the store is not even asked", async () => {
    const store = new FakeKeyStore();
    const { file, settings } = await settingsIn(store);
    await settings.change({ describer: { ...OPENAI, key: "sk-1" } }, HERE);
    store.fault = "locked";
    store.asked = 0;
    const environment = { ASIDE_VISION_URL: "mistral", ASIDE_VISION_MODEL: "m", ASIDE_VISION_KEY: "sk-env" };
    const over = new ServiceSettings({ file, environment, keyStore: store });
    expect(await keyOf(over)).toBe("sk-env");
    expect([(await describerOf(over)).is_ready, store.asked]).toEqual([true, 0]);
  });

  test("that was given for another server is not asked for", async () => {
    const store = new FakeKeyStore();
    const { file, settings } = await settingsIn(store);
    await settings.change({ describer: { ...OPENAI, key: "sk-1" } }, HERE);
    const text = (await textOf(file)).replace('"server": "openai",\n    "model"', '"server": "mistral",\n    "model"');
    await writeFile(file, text);
    store.asked = 0;
    expect([await keyOf(anew(file, store)), store.asked]).toEqual([undefined, 0]);
  });

  test.each(FAULTS)("stands in the file where the store is %s, which is said, until it is better", async (fault) => {
    const store = new FakeKeyStore();
    const { file, settings } = await settingsIn(store);
    store.fault = fault;
    await settings.change({ describer: { ...OPENAI, key: "sk-1" } }, HERE);
    const next = anew(file, store);
    expect(await keyOf(next)).toBe("sk-1");
    expect(await describerOf(next)).toMatchObject({ has_key: true, is_ready: true });
    expect((await describerOf(next)).state).toContain(`not in the system's key store: ${KEY_STORE_WORDS[fault]}.`);
    store.fault = null;
    await next.change({ dialogue: { server: "off" } }, HERE);
    expect(await textOf(file)).not.toContain("sk-1");
    // What a slow one took after all is not left there.
    expect([...store.kept]).toEqual([[(await namesIn(file))[0], "sk-1"]]);
    expect((await describerOf(next)).state).not.toContain("key store");
  });

  test.each<[string, string, (store: FakeKeyStore) => void, KeyStoreFault]>([
    ["is too long for it", "k".repeat(1_281), () => undefined, "too_long"],
    ["is not found there afterwards", "sk-1", (store) => Object.assign(store, { isForgetful: true }), "lost"],
  ])("that %s stands in the file", async (_what, key, worsen, fault) => {
    const store = new FakeKeyStore();
    worsen(store);
    const { file, settings } = await settingsIn(store);
    await settings.change({ describer: { ...OPENAI, key } }, HERE);
    expect([store.kept.size, await keyOf(anew(file, store))]).toEqual([0, key]);
    expect((await describerOf(settings)).state).toContain(KEY_STORE_WORDS[fault]);
  });

  test("comes back into the file when the store fails later and this process knows it", async () => {
    const store = new FakeKeyStore();
    const { file, settings } = await settingsIn(store);
    await settings.change({ describer: { ...OPENAI, key: "sk-1" } }, HERE);
    store.kept.clear();
    await settings.change({ dialogue: { server: "off" } }, HERE);
    expect(await keyOf(anew(file, store))).toBe("sk-1");
    expect((await describerOf(settings)).state).toContain(KEY_STORE_WORDS.lost);
  });

  test("that cannot be had is said, keeps no other work back, and is there again with the store", async () => {
    const store = new FakeKeyStore();
    const { file, settings: before } = await settingsIn(store);
    await before.change({ describer: { ...OPENAI, key: "sk-1" } }, HERE);
    store.fault = "locked";
    const settings = anew(file, store);
    await expect(settings.variables()).rejects.toMatchObject({ code: "key_store_unusable" });
    await expect(settings.variables()).rejects.toThrow(/"describer" is in the system's key store.*locked.*Unlock/);
    expect(await settings.variables(["ASIDE_VOICE_KEY"])).not.toHaveProperty("ASIDE_VISION_KEY");
    const shown = await describerOf(settings);
    expect(shown).toMatchObject({ has_key: true, is_ready: false });
    expect(shown.state).toMatch(/its key is in the system's key store and cannot be read: it is locked/i);
    await settings.change({ voice: { languages: "en" } }, HERE);
    store.fault = null;
    expect(await keyOf(anew(file, store))).toBe("sk-1");
    store.fault = "locked";
    await settings.change({ describer: { ...OPENAI, key: "sk-2" } }, HERE);
    expect(await keyOf(settings)).toBe("sk-2");
    store.fault = null;
    await settings.change({ voice: {} }, HERE);
    expect([...store.kept.values()]).toEqual(["sk-2"]);
  });

  test("of every part waits once for a store that is slow", async () => {
    const store = new FakeKeyStore();
    const { settings } = await settingsIn(store);
    store.fault = "slow";
    const part = { server: "https://s.example/v1", model: "m", key: "sk-1" };
    await settings.change({ describer: part, dialogue: part, voice: part }, HERE);
    expect(store.asked).toBe(1);
  });

  test("is never lost and never left behind, whatever fails and whenever a process starts anew", async () => {
    const step = fc.oneof(
      fc.record({ part: fc.constantFrom("describer", "dialogue", "voice"), key: fc.constantFrom("sk-a", "sk-b", "") }),
      fc.record({ fault: fc.constantFrom(null, ...FAULTS) }),
      fc.constant("start" as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const store = new FakeKeyStore();
        const { file, settings: first } = await settingsIn(store);
        let settings = first;
        const given = new Map<string, string>();
        for (const one of steps) {
          if (one === "start") settings = anew(file, store);
          else if ("fault" in one) store.fault = one.fault;
          else {
            const { part, key } = one;
            await settings.change({ [part]: { server: "https://s.example/v1", model: "m", key } }, HERE);
            given.set(part, key);
          }
        }
        store.fault = null;
        const keys = { describer: "ASIDE_VISION_KEY", dialogue: "ASIDE_TRANSCRIPTION_KEY", voice: "ASIDE_VOICE_KEY" };
        const expected = Object.entries(keys).map(([part, variable]) => [variable, given.get(part) || undefined]);
        const had = async () => {
          const variables = await anew(file, store).variables();
          return Object.values(keys).map((variable) => [variable, variables[variable]]);
        };
        expect(await had()).toEqual(expected);
        await anew(file, store).change({ privacy: {} }, HERE);
        expect(await had()).toEqual(expected);
        expect(await textOf(file)).not.toContain("sk-");
        expect([...store.kept.keys()].sort()).toEqual(await namesIn(file));
      }),
      { numRuns: 60 },
    );
  });
});

test("a file that holds the keys itself says nothing of a store, and no key of it is told", async () => {
  const file = join(await temporaryFolder(), "settings.json");
  const settings = new ServiceSettings({ file, environment: {} });
  await settings.change({ describer: { ...OPENAI, key: "sk-1" } }, HERE);
  expect((await describerOf(settings)).state).toBe("m, OpenAI at api.openai.com");
  expect(JSON.stringify(await settings.inForce(CONFIGURATION))).not.toContain("sk-1");
});
