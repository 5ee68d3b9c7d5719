import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ChangedSettings, NUMBER_PARTS, type SettingPart } from "../../../src/contract/service-settings.ts";
import { configurationFrom, planOfTeam } from "../../../src/service/configuration.ts";
import { NUMBERS } from "../../../src/service/settings/number-settings.ts";
import { ServiceSettings } from "../../../src/service/settings/service-settings.ts";
import { SETTINGS } from "../../../src/service/settings/setting-table.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const CONFIGURATION = configurationFrom({}, "/data");
const HERE = { isOnItsComputer: true };
const OVER_THE_NETWORK = { isOnItsComputer: false };

async function settingsIn(environment: Record<string, string> = {}) {
  const file = join(await temporaryFolder(), "settings.json");
  return { file, settings: new ServiceSettings({ file, environment }) };
}

const kept = (file: string) => readFile(file, "utf8").catch(() => null);

describe("settings of a service", () => {
  test("are the variables that say the same, for whoever opens the file next", async () => {
    const { file, settings } = await settingsIn({ PATH: "/bin" });
    await settings.change({ describer: { server: "ollama", model: "qwen3-vl:4b" } }, OVER_THE_NETWORK);
    await settings.change({ privacy: { local_only: "on" } }, OVER_THE_NETWORK);
    const next = new ServiceSettings({ file, environment: { PATH: "/bin" } });
    expect(await next.variables()).toEqual({
      PATH: "/bin",
      ASIDE_VISION_URL: "ollama",
      ASIDE_VISION_MODEL: "qwen3-vl:4b",
      ASIDE_LOCAL_ONLY: "on",
    });
    expect(await next.isLocalOnly()).toBe(true);
    expect((await next.inForce(CONFIGURATION)).describer).toMatchObject({ decided_by: "settings", is_ready: true });
  });

  test("of a part are replaced as a whole: nothing of another choice is left", async () => {
    const { settings } = await settingsIn();
    await settings.change({ voice: { server: "http://127.0.0.1:8880/v1", model: "kokoro" } }, OVER_THE_NETWORK);
    await settings.change({ voice: { languages: "en" } }, OVER_THE_NETWORK);
    expect(await settings.variables()).toEqual({ ASIDE_VOICE_LANGUAGES: "en" });
    await settings.change({ voice: {} }, OVER_THE_NETWORK);
    expect((await settings.inForce(CONFIGURATION)).voice).toMatchObject({ decided_by: "nobody", values: {} });
  });

  test("never send a key to another server than the one it was given for, nor tell it", async () => {
    const servers = ["openai", "mistral", "https://api.example.com/v1", "http://127.0.0.1:1234/v1"];
    const step = fc.record({
      server: fc.constantFrom(...servers),
      key: fc.option(fc.constantFrom("sk-secret-1", "sk-secret-2", ""), { nil: undefined }),
      part: fc.constantFrom("describer" as const, "dialogue" as const, "voice" as const),
    });
    const variable = { describer: "ASIDE_VISION", dialogue: "ASIDE_TRANSCRIPTION", voice: "ASIDE_VOICE" };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { settings } = await settingsIn();
        const given = new Map<string, { server: string; key: string }>();
        for (const { server, key, part } of steps) {
          const address = part === "describer" || server.startsWith("http") ? server : `https://${server}.example/v1`;
          const values = { server: address, model: "any", ...(key === undefined ? {} : { key }) };
          await settings.change({ [part]: values }, OVER_THE_NETWORK).then(
            () => {
              if (key !== undefined) given.set(part, { server: address, key });
              else if (given.get(part)?.server !== address) given.delete(part);
            },
            () => undefined,
          );
          const variables = await settings.variables();
          for (const [name, prefix] of Object.entries(variable)) {
            const sent = variables[`${prefix}_KEY`] ?? "";
            const mine = given.get(name);
            expect(sent).toBe(mine !== undefined && mine.server === variables[`${prefix}_URL`] ? mine.key : "");
          }
          expect(JSON.stringify(await settings.inForce(CONFIGURATION))).not.toContain("sk-secret");
        }
      }),
      { numRuns: 40 },
    );
  });

  test("give way to the environment, part by part, with their key", async () => {
    const { file, settings } = await settingsIn();
    await settings.change({ describer: { server: "openai", model: "m", key: "sk-of-openai" } }, OVER_THE_NETWORK);
    const over = (environment: Record<string, string>) => new ServiceSettings({ file, environment });
    const elsewhere = over({ ASIDE_VISION_URL: "https://other.example/v1", ASIDE_VISION_MODEL: "x" });
    expect(await elsewhere.variables()).toEqual({
      ASIDE_VISION_URL: "https://other.example/v1",
      ASIDE_VISION_MODEL: "x",
    });
    expect((await elsewhere.inForce(CONFIGURATION)).describer).toMatchObject({
      decided_by: "environment",
      has_key: false,
    });
    await expect(elsewhere.change({ describer: { server: "off" } }, HERE)).rejects.toMatchObject({
      code: "decided_by_environment",
    });
    // A limit alone says nothing about who is asked.
    expect(await over({ ASIDE_VISION_TIMEOUT: "60" }).variables()).toMatchObject({
      ASIDE_VISION_URL: "openai",
      ASIDE_VISION_KEY: "sk-of-openai",
      ASIDE_VISION_TIMEOUT: "60",
    });
  });

  test.each<[string, ChangedSettings, string]>([
    ["a model without a server", { describer: { model: "m" } }, "setting_refused"],
    ["a provider without its key", { describer: { server: "mistral", model: "m" } }, "setting_refused"],
    ["a name that is none", { describer: { sever: "openai" } }, "setting_unknown"],
    ["a price that is none", { describer: { price: "cheap" } }, "setting_refused"],
    ["neither on nor off", { privacy: { local_only: "maybe" } }, "setting_refused"],
    ["one good part and one bad one", { describer: { server: "off" }, voice: { timeout: "never" } }, "setting_refused"],
    ["a program, over the network", { voice: { command: '["sh"]' } }, "setting_of_its_computer"],
    ["a program behind a good part", { dialogue: {}, voice: { command: '["sh"]' } }, "setting_of_its_computer"],
    ["a folder, over the network", { voice: { recordings: "/etc" } }, "setting_of_its_computer"],
  ])("refuse %s, and stay as they were", async (_what, change, code) => {
    const { file, settings } = await settingsIn();
    await settings.change({ dialogue: { server: "off" } }, HERE);
    const before = await kept(file);
    await expect(settings.change(change, OVER_THE_NETWORK)).rejects.toMatchObject({ code });
    expect(await kept(file)).toBe(before);
  });

  test("are told one by one with their source, every one of them, and a key without its value", async () => {
    const { file, settings } = await settingsIn();
    const server = "https://models.example/v1";
    await settings.change({ describer: { server, model: "m", key: "sk-1", timeout: "60" } }, HERE);
    await settings.change({ voice: { languages: "en" }, retention: { result_days: "5", media_days: "6" } }, HERE);
    const next = new ServiceSettings({ file, environment: { ASIDE_MEDIA_DAYS: "9" } });
    const told = await next.valuesWithSource(["describer", "dialogue", "voice", "retention"]);
    const found = told.map(({ setting, value, source }) => [setting, value, source]);
    expect(found.sort(([a], [b]) => ((a ?? "") < (b ?? "") ? -1 : 1))).toEqual([
      ["describer.key", null, "settings"],
      ["describer.model", "m", "settings"],
      ["describer.server", server, "settings"],
      ["describer.timeout", "60", "settings"],
      ["retention.media_days", "9", "environment"],
      ["retention.result_days", "5", "settings"],
      ["voice.languages", "en", "settings"],
    ]);
    for (const { setting, variable } of told) {
      const [part = "", name = ""] = setting.split(".");
      expect([setting, SETTINGS[part as SettingPart][name]?.variable]).toEqual([setting, variable]);
    }
  });

  test("speak of settings, not of variables, to whoever set them", async () => {
    const { settings } = await settingsIn();
    await expect(settings.change({ describer: { model: "m" } }, HERE)).rejects.toThrow(/describer\.server/);
  });

  test("take a program from somebody at the service's computer, and leave it to changes over the network", async () => {
    const { settings } = await settingsIn();
    await settings.change({ voice: { command: '["say-it"]' } }, HERE);
    const same = { voice: { command: '["say-it"]', timeout: "90" } };
    await settings.change(same, OVER_THE_NETWORK);
    expect(await settings.variables()).toMatchObject({ ASIDE_VOICE_COMMAND: '["say-it"]', ASIDE_VOICE_TIMEOUT: "90" });
    await expect(settings.trial({ voice: { command: '["sh"]' } }, OVER_THE_NETWORK)).rejects.toThrow();
  });

  test("stand in a file for their owner's eyes alone, whole or as it was", async () => {
    const { file, settings } = await settingsIn();
    await settings.change({ describer: { server: "openai", model: "m", key: "sk-1" } }, HERE);
    if (process.platform !== "win32") expect((await stat(file)).mode & 0o077).toBe(0);
    await Promise.all([
      settings.change({ voice: { languages: "en" } }, HERE),
      settings.change({ dialogue: { server: "off" } }, HERE),
    ]);
    expect((await settings.inForce(CONFIGURATION)).dialogue.values).toEqual({ server: "off" });
    expect((await settings.inForce(CONFIGURATION)).voice.values).toEqual({ languages: "en" });
  });

  test.each([
    ["torn off", '{"version": 1, "describer": {"ser'],
    ["of a newer version", '{"version": 9}'],
  ])("that are %s are said to be, and neither used nor overwritten", async (_how, text) => {
    const { file, settings } = await settingsIn();
    await writeFile(file, text);
    await expect(settings.variables()).rejects.toMatchObject({ code: "settings_damaged" });
    await expect(settings.change({ describer: { server: "off" } }, HERE)).rejects.toMatchObject({
      code: "settings_damaged",
    });
    expect(await kept(file)).toBe(text);
  });

  test("of many processes are the environment's alone", async () => {
    const settings = new ServiceSettings({ file: null, environment: { ASIDE_VISION_URL: "off" } });
    expect(await settings.variables()).toEqual({ ASIDE_VISION_URL: "off" });
    await expect(settings.change({ voice: {} }, HERE)).rejects.toMatchObject({ code: "decided_by_environment" });
  });
});

describe("numbers", () => {
  const all = NUMBER_PARTS.flatMap((part) =>
    Object.entries(NUMBERS[part]).map(([name, number]) => [`${part}.${name}`, part, name, number] as const),
  );

  test.each(all)(
    "%s: both ends of its range are taken and come back, what is beyond is refused with the range",
    async (setting, part, name, number) => {
      const { file, settings } = await settingsIn();
      const { minimum, maximum, word } = number;
      const shown = async () => (await settings.inForce(CONFIGURATION))[part].numbers.find((one) => one.name === name);
      expect(await shown()).toMatchObject({ decided_by: "nobody", minimum, maximum, word: word ?? null });
      for (const value of [minimum, maximum]) {
        await settings.change({ [part]: { [name]: String(value) } }, OVER_THE_NETWORK);
        expect(await shown()).toMatchObject({ decided_by: "settings", value: String(value) });
        const laid = number.in(await settings.over(CONFIGURATION));
        if (name !== "cost" && name !== "port") expect(laid).toBeCloseTo(value, 9);
      }
      const before = await kept(file);
      for (const value of [
        String(minimum / 2 - 0.01),
        String(maximum + 1),
        "-1",
        "1e3",
        "many",
        "0x10",
        "NaN",
        "Infinity",
      ]) {
        const refused = await settings.change({ [part]: { [name]: value } }, OVER_THE_NETWORK).catch((error) => error);
        expect([value, refused.code]).toEqual([value, "setting_refused"]);
        expect(refused.message).toContain(`${setting} must be`);
        expect(refused.message).toContain(`from ${minimum} to ${maximum}`);
      }
      expect(await kept(file)).toBe(before);
      if (word === undefined) return;
      await settings.change({ [part]: { [name]: word } }, OVER_THE_NETWORK);
      expect(number.in(await settings.over(CONFIGURATION))).toBeNull();
      expect(await shown()).toMatchObject({ value: word });
    },
  );

  test("count over the configuration file, for teams of its default plan", async () => {
    const { settings } = await settingsIn();
    const configuration = configurationFrom(
      {
        concurrent_jobs: 2,
        retention: { result_days: 7 },
        plans: { default: { queued_jobs: 5, minutes_per_month: 60 }, small: { queued_jobs: 3 } },
        teams: { north: { plan: "small" } },
      },
      "/data",
    );
    expect((await settings.inForce(configuration)).limits.numbers).toContainEqual(
      expect.objectContaining({ name: "concurrent_jobs", value: "2", decided_by: "nobody" }),
    );
    await settings.change({ limits: { queued_jobs: "9" }, retention: { media_days: "forever" } }, HERE);
    const laid = await settings.over(configuration);
    expect(laid).toMatchObject({ concurrent_jobs: 2, retention: { result_days: 7, media_days: null } });
    expect(planOfTeam(laid, "anyone")).toMatchObject({ queued_jobs: 9, minutes_per_month: 60 });
    expect(planOfTeam(laid, "north").queued_jobs).toBe(3);
  });

  test("are hours, gigabytes and days as everybody counts them, and are all told in the sentence of their part", async () => {
    const { settings } = await settingsIn();
    await settings.change({ limits: { job_hours: "2", programme_hours: "1.5", file_gigabytes: "3" } }, HERE);
    const laid = await settings.over(CONFIGURATION);
    expect(laid.job_time_limit_seconds).toBe(7_200);
    expect(planOfTeam(laid, "anyone")).toMatchObject({ maximum_duration_seconds: 5_400, maximum_file_bytes: 3e9 });
    const { state } = (await settings.inForce(CONFIGURATION)).limits;
    expect(state).toBe("Time of a job, in hours: 2. Longest film, in hours: 1.5. Largest file, in GB: 3.");
  });

  test("of the environment win, one by one, are shown as such and cannot be set", async () => {
    const { file, settings: before } = await settingsIn();
    await before.change({ retention: { result_days: "5", media_days: "6" } }, HERE);
    const settings = new ServiceSettings({ file, environment: { ASIDE_RESULT_DAYS: "90" } });
    expect((await settings.over(CONFIGURATION)).retention).toMatchObject({ result_days: 90, media_days: 6 });
    const { numbers } = (await settings.inForce(CONFIGURATION)).retention;
    expect(numbers.slice(0, 2)).toMatchObject([
      { name: "result_days", value: "90", decided_by: "environment" },
      { name: "media_days", value: "6", decided_by: "settings" },
    ]);
    const refused = settings.change({ retention: { result_days: "8" } }, HERE);
    await expect(refused).rejects.toMatchObject({ code: "decided_by_environment" });
    await expect(refused).rejects.toThrow(/ASIDE_RESULT_DAYS/);
    // Beside what may be set as well.
    const both = settings.change({ retention: { media_days: "8", result_days: "8" } }, HERE);
    await expect(both).rejects.toThrow(/ASIDE_RESULT_DAYS/);
    const added = { ...HERE, isAddition: true };
    await settings.change({ retention: { media_days: "8" } }, added);
    expect(JSON.parse((await kept(file)) ?? "").retention).toEqual({ result_days: "5", media_days: "8" });
  });

  test("that are none, in a variable or by hand, stop what would act on them with their range", async () => {
    const { file } = await settingsIn();
    const ofEnvironment = new ServiceSettings({ file, environment: { ASIDE_MEDIA_DAYS: "soon" } });
    await expect(ofEnvironment.start()).rejects.toThrow(/ASIDE_MEDIA_DAYS must be .* from 1 to 36500/);
    await writeFile(file, JSON.stringify({ version: 1, retention: { media_days: "forevr" } }));
    const byHand = new ServiceSettings({ file, environment: {} });
    await expect(byHand.over(CONFIGURATION)).rejects.toMatchObject({ code: "setting_refused" });
    expect(await byHand.limits(CONFIGURATION)).toBe(CONFIGURATION);
    expect((await byHand.inForce(CONFIGURATION)).retention.is_ready).toBe(false);
    // Whoever has no terminal is told on the page: the service has to start.
    for (const text of ['{"version": 1, "network": {"port": "soon"}}', "{", '{"version": 9}']) {
      await writeFile(file, text);
      const settings = new ServiceSettings({ file, environment: {} });
      await settings.start();
      expect(await settings.port()).toBeNull();
    }
  });

  test("a port counts from the next start, says so, and is none that browsers refuse", async () => {
    const { file, settings } = await settingsIn();
    const port = async (of: ServiceSettings) => (await of.inForce(CONFIGURATION)).network.numbers[0];
    expect(await settings.port()).toBeNull();
    await settings.start();
    await settings.change({ network: { port: "8500" } }, OVER_THE_NETWORK);
    expect(await port(settings)).toMatchObject({ value: "8500", waits_for_start: true });
    const next = new ServiceSettings({ file, environment: {} });
    await next.start();
    expect([await next.port(), (await port(next))?.waits_for_start]).toEqual([8500, false]);
    await expect(settings.change({ network: { port: "6000" } }, HERE)).rejects.toThrow(/browsers refuse/);
  });

  test("a ceiling of the cost needs a price where a model is paid, and none where it runs here", async () => {
    const { settings } = await settingsIn();
    await settings.change({ limits: { cost: "3.5" } }, HERE);
    const paid = { server: "openai", model: "m", key: "sk-1" };
    await expect(settings.change({ describer: paid }, HERE)).rejects.toThrow(/limits\.cost needs the price/);
    await settings.change({ describer: { ...paid, price: "2/10" } }, HERE);
    expect(await settings.variables()).toMatchObject({ ASIDE_VISION_CEILING: "3.5" });
    await settings.change({ describer: { server: "ollama", model: "m" } }, HERE);
    expect((await settings.inForce(CONFIGURATION)).describer.is_ready).toBe(true);
  });
});

test("what is added to a part leaves the rest of it, and takes nothing of the environment along", async () => {
  const { file, settings: first } = await settingsIn();
  await first.change({ describer: { server: "openai", model: "m", key: "sk-1" } }, HERE);
  const settings = new ServiceSettings({ file, environment: { ASIDE_VISION_TIMEOUT: "60" } });
  await settings.change({ describer: { price: "2/10" } }, { ...HERE, isAddition: true });
  expect(JSON.parse((await kept(file)) ?? "")).toMatchObject({
    describer: { server: "openai", model: "m", price: "2/10" },
    keys: { describer: { server: "openai", key: "sk-1" } },
  });
  expect((await kept(file)) ?? "").not.toContain("60");
  await settings.change({ describer: { price: "" } }, { ...HERE, isAddition: true });
  expect(JSON.parse((await kept(file)) ?? "").describer).toEqual({ server: "openai", model: "m" });
});

test("an address is told without its password and its query", async () => {
  const { settings } = await settingsIn();
  const server = "https://me:of-mine@models.example/v1?code=of-mine";
  await settings.change({ describer: { server, model: "m" } }, HERE);
  const told = JSON.stringify(await settings.inForce(CONFIGURATION));
  expect(told).toContain("https://models.example/v1");
  expect(told).not.toContain("of-mine");
  expect((await settings.variables())["ASIDE_VISION_URL"]).toBe(server);
});

describe("a computer that nothing leaves", () => {
  test.each<[string, ChangedSettings]>([
    ["a model", { describer: { server: "https://models.example/v1", model: "m" } }],
    ["a transcription server", { dialogue: { server: "https://words.example/v1", model: "m" } }],
    ["a speech server", { voice: { server: "https://speech.example/v1", model: "m" } }],
    ["a neighbour", { describer: { server: "http://192.168.1.20:11434/v1", model: "m" } }],
  ])("asks no %s elsewhere", async (_what, change) => {
    const { settings } = await settingsIn();
    await settings.change({ privacy: { local_only: "on" } }, HERE);
    await expect(settings.change(change, HERE)).rejects.toThrow(/privacy\.local_only lets nothing leave this computer/);
  });

  test("may ask its own", async () => {
    const { settings } = await settingsIn({ ASIDE_LOCAL_ONLY: "on" });
    await settings.change({ describer: { server: "http://127.0.0.1:1234/v1", model: "m" } }, HERE);
    expect((await settings.inForce(CONFIGURATION)).describer.is_ready).toBe(true);
    expect((await settings.inForce(CONFIGURATION)).privacy.decided_by).toBe("environment");
  });
});

test("a place for data, which an earlier version could set, stays in the file, moves nothing and stops nothing", async () => {
  const before = { version: 2, places: { data: "/Volumes/Media" }, voice: { languages: "en" } };
  const { settings, file } = await settingsIn();
  await writeFile(file, JSON.stringify(before));
  expect(await settings.variables()).toEqual({ ASIDE_VOICE_LANGUAGES: "en" });
  expect(Object.keys(await settings.inForce(CONFIGURATION))).not.toContain("places");
  await settings.change({ voice: { languages: "fr" } }, HERE);
  expect(JSON.parse((await kept(file)) ?? "")).toMatchObject({ ...before, voice: { languages: "fr" } });
});
