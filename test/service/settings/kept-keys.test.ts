import { describe, expect, test, vi } from "vitest";
import { KeptKeys } from "../../../src/service/settings/kept-keys.ts";
import type { KeptSettings } from "../../../src/service/settings/settings-file.ts";
import { FakeKeyStore } from "../../fakes/key-store.ts";
import { SlowPorts } from "../records.ts";

const OPENAI = { server: "openai", model: "m" };

describe("a key in a store", () => {
  test("is asked for once, and a store that failed is left alone for a while", async () => {
    const store = new FakeKeyStore();
    store.kept.set("describer-1", "sk-1");
    let now = 0;
    const keys = new KeptKeys(store, () => now);
    const kept = { server: "openai", stored_as: "describer-1" };
    store.fault = "locked";
    expect(await Promise.all([keys.open(kept), keys.open(kept)])).toEqual([{ fault: "locked" }, { fault: "locked" }]);
    store.fault = null;
    now = 29_999;
    expect([await keys.open(kept), store.asked]).toEqual([{ fault: "locked" }, 1]);
    now = 30_000;
    expect([await keys.open(kept), await keys.open(kept), store.asked]).toEqual([{ key: "sk-1" }, { key: "sk-1" }, 2]);
    // What was had once is known for good, under its own name alone.
    now = 1e9;
    store.kept.set("sk-1", "another");
    expect([await keys.open(kept), store.asked]).toEqual([{ key: "sk-1" }, 2]);
    expect(await keys.open({ ...kept, stored_as: "sk-1" })).toEqual({ key: "another" });
  });

  test("is asked for again half a minute after its store failed, by the computer's clock where no other is given", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const store = new FakeKeyStore();
      store.fault = "locked";
      const keys = new KeptKeys(store);
      const kept = { server: "openai", stored_as: "describer-1" };
      for (const passed of [0, 29_999, 1]) {
        vi.advanceTimersByTime(passed);
        expect(await keys.open(kept)).toEqual({ fault: "locked" });
        expect([passed, store.asked]).toEqual([passed, passed === 1 ? 2 : 1]);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  test("of every part is where it is said to be once a change is done, and somewhere whatever fails on the way", async () => {
    const parts = ["describer", "dialogue", "voice"] as const;
    const keysOf = (more: string) =>
      Object.fromEntries(parts.map((part) => [part, { server: "openai", key: `sk-${part}-${more}` }]));
    const tried = async (failing: number) => {
      const [store, ports] = [new FakeKeyStore(), new SlowPorts()];
      let file: KeptSettings = { keys: {} };
      const disk = {
        async write(settings: KeptSettings) {
          file = settings;
        },
      };
      const first = new KeptKeys(store);
      await first.write({}, { keys: keysOf("old") }, disk.write);
      ports.failing = failing;
      const keys = new KeptKeys(ports.wrap(store));
      const { write } = ports.wrap(disk);
      const outcome = await keys.write(file, { keys: keysOf("new") }, write).then(
        () => "new",
        () => "old",
      );
      expect([failing, ports.underWay]).toEqual([failing, 0]);
      const had = await Promise.all(
        parts.map(async (part) => {
          const kept = file.keys?.[part];
          return kept === undefined ? null : await new KeptKeys(store).open(kept);
        }),
      );
      expect([failing, had]).toEqual([failing, parts.map((part) => ({ key: `sk-${part}-${outcome}` }))]);
      return { asked: ports.asked, names: [...store.kept.keys()], file };
    };
    const { asked, names, file } = await tried(-1);
    expect(file.removed_keys).toBeUndefined();
    expect(names).toHaveLength(parts.length);
    for (let failing = 0; failing < asked; failing++) await tried(failing);
  });

  test("is had after any break of a change, and the next change clears the store", async () => {
    const before: KeptSettings = { describer: OPENAI, keys: { describer: { server: "openai", key: "sk-1" } } };
    const broken = { broken: true };
    for (const breaksAt of [1, 2, 3]) {
      const store = new FakeKeyStore();
      let file = before;
      let writes = 0;
      const write = async (settings: KeptSettings) => {
        writes++;
        if (writes === breaksAt) throw broken;
        file = settings;
      };
      const next: KeptSettings = { ...before, keys: { describer: { server: "openai", key: "sk-2" } } };
      const end = await new KeptKeys(store).write(before, next, write).catch((error: unknown) => error);
      // The last write tells what is gone already, and the first is followed by nothing.
      expect([breaksAt, end === broken]).toEqual([breaksAt, breaksAt < 3]);
      const had = file.keys?.describer;
      if (had === undefined) throw new Error("the key is lost");
      expect(await new KeptKeys(store).open(had)).toEqual({ key: breaksAt < 3 ? "sk-1" : "sk-2" });
      writes = 3;
      await new KeptKeys(store).write(file, file, write);
      const names = Object.values(file.keys ?? {}).map((key) =>
        key !== undefined && "stored_as" in key ? key.stored_as : "",
      );
      expect([[...store.kept.keys()], file.removed_keys]).toEqual([names, undefined]);
    }
  });
});
