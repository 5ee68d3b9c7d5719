import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChangedSettings } from "../../../src/contract/service-settings.ts";
import { ServiceSettings } from "../../../src/service/settings/service-settings.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

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
    expect((await next.inForce()).describer).toMatchObject({ decided_by: "settings", is_ready: true });
  });

  test("of a part are replaced as a whole: nothing of another choice is left", async () => {
    const { settings } = await settingsIn();
    await settings.change({ voice: { server: "http://127.0.0.1:8880/v1", model: "kokoro" } }, OVER_THE_NETWORK);
    await settings.change({ voice: { languages: "en" } }, OVER_THE_NETWORK);
    expect(await settings.variables()).toEqual({ ASIDE_VOICE_LANGUAGES: "en" });
    await settings.change({ voice: {} }, OVER_THE_NETWORK);
    expect((await settings.inForce()).voice).toMatchObject({ decided_by: "nobody", values: {} });
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
          expect(JSON.stringify(await settings.inForce())).not.toContain("sk-secret");
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
    expect((await elsewhere.inForce()).describer).toMatchObject({ decided_by: "environment", has_key: false });
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
    ["a folder, over the network", { voice: { recordings: "/etc" } }, "setting_of_its_computer"],
  ])("refuse %s, and stay as they were", async (_what, change, code) => {
    const { file, settings } = await settingsIn();
    await settings.change({ dialogue: { server: "off" } }, HERE);
    const before = await kept(file);
    await expect(settings.change(change, OVER_THE_NETWORK)).rejects.toMatchObject({ code });
    expect(await kept(file)).toBe(before);
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
    expect((await settings.inForce()).dialogue.values).toEqual({ server: "off" });
    expect((await settings.inForce()).voice.values).toEqual({ languages: "en" });
  });

  test.each([
    ["torn off", '{"version": 1, "describer": {"ser'],
    ["of a newer version", '{"version": 2}'],
  ])("that are %s are said to be, and neither used nor overwritten", async (_how, text) => {
    const { file, settings } = await settingsIn();
    await writeFile(file, text);
    await expect(settings.variables()).rejects.toMatchObject({ code: "settings_unusable" });
    await expect(settings.change({ describer: { server: "off" } }, HERE)).rejects.toMatchObject({
      code: "settings_unusable",
    });
    expect(await kept(file)).toBe(text);
  });

  test("of many processes are the environment's alone", async () => {
    const settings = new ServiceSettings({ file: null, environment: { ASIDE_VISION_URL: "off" } });
    expect(await settings.variables()).toEqual({ ASIDE_VISION_URL: "off" });
    await expect(settings.change({ voice: {} }, HERE)).rejects.toMatchObject({ code: "decided_by_environment" });
  });
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
    expect((await settings.inForce()).describer.is_ready).toBe(true);
    expect((await settings.inForce()).privacy.decided_by).toBe("environment");
  });
});
