import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startModelServer } from "../../fakes/model-server.ts";
import { kokoro, speakingStore } from "../../fakes/speaking-models.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { asideAlone } from "../run-aside.ts";
import { storeWith } from "./installed-models.ts";

const OFF = { ASIDE_VISION_URL: "off" };

test("GEN-11: aside voices lists 31 names with what they speak, and narrows to a language", async () => {
  const all = await asideAlone(["voices", "--all"]);
  expect(all.stdout.trim().split("\n")).toHaveLength(32);
  expect(all.stdout).toMatch(/^Achernar +female +\d+ languages$/m);
  expect(all.stdout).toMatch(/^Kore \* +female/m);
  const german = JSON.parse((await asideAlone(["voices", "--language", "de-DE", "--json"])).stdout);
  expect(german[0]).toMatchObject({
    name: "Achernar",
    isConfirmed: true,
    languages: expect.arrayContaining(["de-DE"]),
  });
  expect((await asideAlone(["voices", "--language", "xx-QQ"])).stdout).toBe("No voice speaks xx-QQ.\n");
});

test("nothing is listed that makes no difference: of the built-in voice a woman and a man, and where natural ones are to be had", async () => {
  const { stdout, stderr } = await asideAlone(["voices"]);
  const [head, ...rows] = stdout.trim().split("\n");
  expect(head).toMatch(/^NAME +HEARD AS +GENDER +SPEAKS$/);
  expect(rows).toEqual([
    expect.stringMatching(/^Achernar +Built in +female +\d+ languages$/),
    expect.stringMatching(/^Achird +Built in +male +\d+ languages$/),
  ]);
  expect(stderr).toContain("Other names of the catalogue sound like one of these: --all lists them.");
  expect(stderr).toContain("Natural voices to download, free and without a server: aside models.");
});

test("a natural voice that is named is listed by who is heard for each name, and needs no service", async () => {
  const { environment } = await speakingStore(await temporaryFolder(), [kokoro()]);
  const set = { ASIDE_MODELS: environment.ASIDE_MODELS, ASIDE_VOICE_NATURAL: "kokoro-en" };
  const { stdout } = await asideAlone(["voices", "--all", "--data", await temporaryFolder()], set);
  expect(stdout).toMatch(
    /^NAME +GENDER +SPEAKS +HEARD AS\nAchernar +female +en-US, en-GB, en-AU, en-IN +Kokoro English, /,
  );
  const british = await asideAlone(["voices", "--all", "--language", "en-GB", "--data", await temporaryFolder()], set);
  expect(british.stdout).toMatch(/^Charon \* +male +.* +Kokoro English, George$/m);
});

test("a voice that is configured by halves is named", async () => {
  const { code, stderr } = await asideAlone(["voices"], { ASIDE_VOICE_URL: "http://127.0.0.1:9" });
  expect(code).toBe(2);
  expect(stderr).toContain("ASIDE_VOICE_MODEL");
});

test("aside describers lists what can write, in the order of choice", async () => {
  const { stdout } = await asideAlone(["describers"], OFF);
  expect(stdout).toMatch(
    /^NAME +READY +WHAT\nscript +ready .*\nvision +no +switched off.*\ntext +ready .*\nscreen text +ready .*\beng\b/,
  );
  const states = JSON.parse((await asideAlone(["describers", "--json"], OFF)).stdout);
  expect(states.map(({ name }: { name: string }) => name)).toEqual(["script", "vision", "text", "screen text"]);
  const unread = await asideAlone(["describers"], { ...OFF, ASIDE_OCR_DATA: "off" });
  expect(unread.stdout).toMatch(/^screen text +no +switched off/m);
});

test("what is set counts for the lists, the environment wins, and each value is told with its source", async () => {
  const data = await temporaryFolder();
  const server = await startModelServer(() => undefined);
  const run = (words: string[], env: Record<string, string> = {}) => asideAlone([...words, "--data", data], env);
  const voice = { server: `${server.origin}/v1`, model: "m", languages: "de-DE" };
  const set = { version: 1, describer: { server: "off" }, voice };
  await writeFile(join(data, "settings.json"), JSON.stringify(set));
  const voices = await run(["voices", "--json"], { ASIDE_VOICE_TIMEOUT: "7" });
  expect(JSON.parse(voices.stdout)[0].languages).toEqual(["de-DE"]);
  expect(voices.stderr).toContain(`voice.server=${server.origin}/v1 by aside settings`);
  expect(voices.stderr).toContain("ASIDE_VOICE_TIMEOUT=7 by the environment");
  const describers = await run(["describers"]);
  expect(describers.stdout).toMatch(/^vision +no +switched off by describer\.server=off$/m);
  expect(describers.stderr).toBe("Set: describer.server=off by aside settings.\n");
  const withPassword = server.origin.replace("//", "//me:word@");
  const won = await run(["describers"], { ASIDE_VISION_URL: withPassword, ASIDE_VISION_KEY: "sk-secret-of-mine" });
  expect(won.stdout).toMatch(/^vision +no +.*ASIDE_VISION_MODEL/m);
  expect(won.stderr).toBe(
    `Set: ASIDE_VISION_URL=${server.origin} by the environment, ASIDE_VISION_KEY=(kept) by the environment.\n`,
  );
  expect((await asideAlone(["voices"])).stderr).toMatch(/^Nothing is set, in aside settings or in the environment.\n/);
});

test("six languages of a voice are named and seven are counted, and natural voices are offered to whoever has none", async () => {
  const data = await temporaryFolder();
  const server = await startModelServer(() => undefined);
  const all = ["de-DE", "en-GB", "en-US", "es-ES", "fr-FR", "it-IT", "nl-NL"];
  for (const count of [6, 7]) {
    const voice = { server: `${server.origin}/v1`, model: "m", languages: all.slice(0, count).join(",") };
    await writeFile(join(data, "settings.json"), JSON.stringify({ version: 1, voice }));
    const models = await storeWith("ced-mini", ...(count === 6 ? [] : ["supertonic-3" as const]));
    const { stdout, stderr } = await asideAlone(["voices", "--data", data], { ASIDE_MODELS: models });
    expect(stdout).toMatch(count === 6 ? / male +(?:\w\w-\w\w, ){5}\w\w-\w\w$/m : / male +7 languages$/m);
    expect(stderr.includes("Natural voices to download")).toBe(count === 6);
  }
});
