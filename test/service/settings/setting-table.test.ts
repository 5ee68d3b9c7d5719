import { describe, expect, test } from "vitest";
import { NUMBER_PARTS, SETTING_PARTS } from "../../../src/contract/service-settings.ts";
import { configurationFrom } from "../../../src/service/configuration.ts";
import { KeptKeys } from "../../../src/service/settings/kept-keys.ts";
import { KeyStoreError, type UserKeyStore } from "../../../src/service/settings/key-store.ts";
import {
  NUMBERS,
  numberFault,
  numberIn,
  numbersInForce,
  withNumbers,
} from "../../../src/service/settings/number-settings.ts";
import {
  addedTo,
  changed,
  inSettingNames,
  isDecidedBy,
  requireNoneOfItsComputer,
  SETTINGS,
  valuesIn,
} from "../../../src/service/settings/setting-table.ts";
import type { KeptSettings } from "../../../src/service/settings/settings-file.ts";
import { SetClock, turns } from "../../fakes/set-clock.ts";

// What holds for every setting of every part, whichever row of the table it stands in.

const rows = SETTING_PARTS.flatMap((part) =>
  Object.entries(SETTINGS[part]).map(([name, setting]) => ({ part, name, ...setting })),
);

describe("every setting", () => {
  test.each(rows)("$part, $name is told by its variable, and decides its part unless it stands by itself", (row) => {
    const { part, name, variable, isKey, isByItself } = row;
    const environment = { [variable]: "x" };
    expect(valuesIn(environment, part)).toEqual(isKey === true ? {} : { [name]: "x" });
    expect(isDecidedBy(environment, part)).toBe(isByItself !== true);
    expect(isDecidedBy({ [variable]: "" }, part)).toBe(false);
    expect(inSettingNames(`${variable} is wrong`, environment)).toBe(`${variable} is wrong`);
  });

  test("of a sentence is called by its own name, however many there are", () => {
    const said = inSettingNames("ASIDE_VISION_MODEL, ASIDE_TRANSCRIPTION_MODEL and ASIDE_RESULT_DAYS");
    expect(said).toBe("describer.model, dialogue.model and retention.result_days");
  });

  test("of this computer is refused from elsewhere, wherever it stands among others, unless it stays as it is", () => {
    for (const { part, name, isOfThisComputer } of rows) {
      const other = Object.keys(SETTINGS[part]).find((one) => SETTINGS[part][one]?.isOfThisComputer !== true);
      const values = { ...(other === undefined || other === name ? {} : { [other]: "y" }), [name]: "x" };
      const refuse = () => requireNoneOfItsComputer(part, values, {});
      if (isOfThisComputer !== true) expect(refuse).not.toThrow();
      else {
        expect(refuse).toThrow(`"${part}.${name}" names something of the service's own computer`);
        expect(() => requireNoneOfItsComputer(part, values, { [name]: "x" })).not.toThrow();
      }
    }
  });
});

describe("a change", () => {
  const kept: KeptSettings = {
    describer: { server: "https://a.example/v1", model: "m" },
    voice: { system: "on" },
    keys: { describer: { server: "https://a.example/v1", key: "k" } },
  };

  test("of several parts is made in each, and leaves the others; what is empty is not set", () => {
    const next = changed(kept, { retention: { result_days: "9", media_days: "" }, voice: { natural: "off" } });
    expect(next).toMatchObject({
      describer: kept.describer,
      retention: { result_days: "9" },
      voice: { natural: "off" },
    });
    expect(Object.keys(next["retention"] ?? {})).toEqual(["result_days"]);
    expect(next.keys?.describer).toEqual(kept.keys?.describer);
  });

  test("is refused for a name that there is none of, though others before it are known", () => {
    expect(() => changed(kept, { voice: { system: "on" }, describer: { model: "m", mode: "x" } })).toThrow(
      /There is no setting "describer\.mode"\. There are: .*model/,
    );
  });

  test("keeps a key where its server stays, drops it where that is another, and takes a new one without its blanks", () => {
    const key = (values: Record<string, string>) => changed(kept, { describer: values }).keys?.describer;
    expect(key({ server: "https://a.example/v1", model: "n" })).toEqual(kept.keys?.describer);
    expect(key({ server: "https://b.example/v1", model: "n" })).toBeUndefined();
    expect(key({ server: "https://b.example/v1", key: " k2\n" })).toEqual({
      server: "https://b.example/v1",
      key: "k2",
    });
    expect(key({ server: "https://a.example/v1", key: "" })).toBeUndefined();
  });

  test("that adds has what else is set of each part, and names no other part", () => {
    expect(addedTo(kept, { describer: { model: "n" }, voice: { natural: "off" } })).toEqual({
      describer: { server: "https://a.example/v1", model: "n" },
      voice: { system: "on", natural: "off" },
    });
  });
});

describe("every number", () => {
  const numbers = NUMBER_PARTS.flatMap((part) =>
    Object.entries(NUMBERS[part]).map(([name, setting]) => ({ part, name, ...setting })),
  );
  const configuration = configurationFrom({}, "/");

  test.each(numbers)("$part, $name is taken from its least to its most, and counts", (row) => {
    const { part, name, variable, minimum, maximum, word, isFraction } = row;
    const read = (text: string) => numberIn({ [variable]: text }, part, name);
    expect([read(String(minimum)), read(String(maximum))]).toEqual([minimum, maximum]);
    for (const wrong of [String(minimum - (isFraction === true ? 0.001 : 1)), String(maximum + 1), "x"]) {
      expect(() => read(wrong)).toThrow(`${variable} must be`);
      expect(numberFault(part, { [variable]: wrong })).toContain(`from ${minimum} to ${maximum}`);
    }
    if (word !== undefined) expect(read(word)).toBeNull();
    const laid = withNumbers(configuration, { [variable]: String(minimum) });
    const inForce = numbersInForce(part, laid, { variables: {}, environment: {}, atStart: null });
    const shown = inForce.find((one) => one.name === name);
    expect(inForce.map((one) => one.name)).toEqual(Object.keys(NUMBERS[part]));
    // A ceiling is read by the describer itself, a port by who listens, from their variables.
    if (name !== "cost" && part !== "network") expect(Number(shown?.value)).toBeCloseTo(minimum, 6);
    expect(shown).toMatchObject({ minimum, maximum, word: word ?? null, decided_by: "nobody" });
  });

  test("of an hour is 3600 seconds, and of several all count", () => {
    const laid = withNumbers(configuration, { ASIDE_JOB_HOURS: "2", ASIDE_RESULT_DAYS: "9", ASIDE_QUEUED_JOBS: "7" });
    expect([laid.job_time_limit_seconds, laid.retention.result_days]).toEqual([7_200, 9]);
    expect(numberFault("limits", { ASIDE_CONCURRENT_JOBS: "1", ASIDE_QUEUED_JOBS: "x" })).toContain(
      "ASIDE_QUEUED_JOBS",
    );
  });
});

describe("keys in the store of their user", () => {
  /** A store that takes its time and notes what is asked of it. */
  function storeOf(more: Partial<UserKeyStore> = {}) {
    const secrets = new Map<string, string>();
    const asked: string[] = [];
    const slowly = async (what: string) => {
      asked.push(what);
      await turns(2);
    };
    const store: UserKeyStore = {
      async read(name) {
        await slowly("read");
        return secrets.get(name) ?? null;
      },
      async write(name, secret) {
        await slowly("write");
        secrets.set(name, secret);
      },
      async remove(name) {
        await slowly("remove");
        secrets.delete(name);
      },
      ...more,
    };
    return { store, secrets, asked };
  }
  const keysOf = (...parts: readonly ("describer" | "dialogue" | "voice")[]) =>
    Object.fromEntries(parts.map((part) => [part, { server: `s-${part}`, key: `k-${part}` }])) as NonNullable<
      KeptSettings["keys"]
    >;
  /** Writes settings as a file would take them, slowly. */
  async function written(keys: KeptKeys, before: KeptSettings, next: KeptSettings) {
    const files: KeptSettings[] = [];
    let underWay = 0;
    await keys.write(before, next, async (settings) => {
      underWay++;
      await turns(2);
      underWay--;
      files.push(settings);
    });
    expect(underWay).toBe(0);
    return files;
  }

  test("move there all, each under a name of its own, of which the file knew before", async () => {
    const { store, secrets } = storeOf();
    const keys = new KeptKeys(store);
    const next = { keys: keysOf("describer", "dialogue", "voice") };
    const [first, last] = await written(keys, {}, next);
    const names = Object.values(last?.keys ?? {}).map((one) =>
      one !== undefined && "stored_as" in one ? one.stored_as : "",
    );
    expect([...secrets].sort()).toEqual(names.map((name) => [name, `k-${name.split("-")[0]}`]).sort());
    expect([first?.removed_keys, last?.removed_keys]).toEqual([names, undefined]);
    expect(JSON.stringify(last)).not.toContain("k-");
    for (const kept of Object.values(last?.keys ?? {})) {
      if (kept !== undefined && "stored_as" in kept)
        expect(await keys.open(kept)).toEqual({ key: `k-${kept.stored_as.split("-")[0]}` });
    }
  });

  test("stay in the file with why, each that the store takes and does not have", async () => {
    const { store } = storeOf({ write: async () => undefined });
    const files = await written(new KeptKeys(store), {}, { keys: keysOf("describer", "voice") });
    const last = files.at(-1);
    expect(last?.keys).toEqual({
      describer: { server: "s-describer", key: "k-describer", fault: "lost" },
      voice: { server: "s-voice", key: "k-voice", fault: "lost" },
    });
  });

  test("are forgotten there once the file no longer names them, all of them; those that are not are named still", async () => {
    const { store, secrets } = storeOf();
    const keys = new KeptKeys(store);
    const before = (await written(keys, {}, { keys: keysOf("describer", "voice") })).at(-1) ?? {};
    expect(secrets.size).toBe(2);
    const files = await written(keys, before, { keys: {} });
    expect([secrets.size, files.at(-1)?.removed_keys]).toEqual([0, undefined]);
    expect(files[0]?.removed_keys?.length).toBe(2);
    const stuck = storeOf({ remove: () => Promise.reject(new KeyStoreError("too_long")) });
    const kept = new KeptKeys(stuck.store);
    const there = (await written(kept, {}, { keys: keysOf("describer", "voice") })).at(-1) ?? {};
    expect((await written(kept, there, { keys: {} })).at(-1)?.removed_keys?.length).toBe(2);
  });

  test("are asked for once for all who wait, and a store that failed is left alone for half a minute", async () => {
    const clock = new SetClock(0);
    let reads = 0;
    const { store } = storeOf({
      read: async () => {
        reads++;
        await turns(2);
        throw new KeyStoreError("locked");
      },
    });
    const keys = new KeptKeys(store, () => clock.now());
    const open = () => keys.open({ server: "s", stored_as: "n" });
    expect(await Promise.all([open(), open()])).toEqual([{ fault: "locked" }, { fault: "locked" }]);
    expect(reads).toBe(1);
    await clock.pass(29_999);
    await open();
    expect(reads).toBe(1);
    await clock.pass(1);
    await open();
    expect(reads).toBe(2);
    expect(await new KeptKeys(null).open({ server: "s", stored_as: "n" })).toEqual({ fault: "absent" });
  });
});
