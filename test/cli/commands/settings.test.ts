import { mkdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";
import { aside, asideAlone } from "../run-aside.ts";

/** Variables that would win over what is set. */
const NOTHING_SET = { ASIDE_VISION_URL: "", ASIDE_TRANSCRIPTION_URL: "" };

thoroughTest("what is set is shown, adds up, and is reset; a key is taken from no argument", async () => {
  const data = await temporaryFolder();
  const settings = (...words: string[]) => asideAlone(["settings", ...words, "--data", data], NOTHING_SET);
  const set = await settings("set", "describer.server=ollama", "describer.model=qwen3-vl:4b");
  expect(set.stdout).toMatch(
    /^describer +set +server=ollama model=qwen3-vl:4b +qwen3-vl:4b, Ollama on this computer$/m,
  );
  await settings("set", "describer.timeout=60");
  expect((await settings()).stdout).toContain("server=ollama model=qwen3-vl:4b timeout=60");
  if (process.platform !== "win32") expect((await stat(join(data, "settings.json"))).mode & 0o077).toBe(0);
  const before = await readFile(join(data, "settings.json"), "utf8");
  const refused = await settings("set", "describer.server=mistral", "describer.key=sk-secret-of-mine");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("a key comes from standard input")]);
  const half = await settings("set", "describer.server=mistral");
  expect([half.code, half.stderr]).toEqual([1, expect.stringContaining("needs a key in describer.key")]);
  expect(await readFile(join(data, "settings.json"), "utf8")).toBe(before);
  expect((await settings("reset", "describer")).stdout).toMatch(/^describer +default/m);
});

thoroughTest(
  "a password in an address is not shown, and what the environment says is not written into the file",
  async () => {
    const data = await temporaryFolder();
    const env = { ...NOTHING_SET, ASIDE_VISION_TIMEOUT: "77", ASIDE_RESULT_DAYS: "45" };
    const settings = (...words: string[]) => asideAlone(["settings", ...words, "--data", data], env);
    await settings("set", "describer.server=http://me:of-mine@127.0.0.1:1/v1", "describer.model=m");
    const shown = await settings("set", "describer.price=1/2", "retention.media_days=10");
    expect(shown.stdout).toContain("server=http://127.0.0.1:1/v1 model=m price=1/2 timeout=77");
    expect(shown.stdout).toMatch(/^retention\.result_days +environment +45 +1 to 36500, forever /m);
    expect(shown.stdout).toMatch(/^retention\.media_days +set +10 /m);
    expect(`${shown.stdout}${shown.stderr}${(await settings("--json")).stdout}`).not.toContain("of-mine");
    const { version: _, keys: __, ...kept } = JSON.parse(await readFile(join(data, "settings.json"), "utf8"));
    expect(kept).toEqual({
      describer: { server: "http://me:of-mine@127.0.0.1:1/v1", model: "m", price: "1/2" },
      retention: { media_days: "10" },
    });
    const refused = await settings("set", "limits.concurrent_jobs=0");
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("from 1 to 64")]);
    const bound = await settings("set", "retention.result_days=9");
    expect([bound.code, bound.stderr]).toEqual([1, expect.stringContaining("ASIDE_RESULT_DAYS")]);
  },
);

test.runIf(process.platform === "linux")(
  "where no key store is, a key of the user's own stands in the file, and that is said",
  async () => {
    const home = await temporaryFolder();
    const env = { ...NOTHING_SET, XDG_DATA_HOME: home, DBUS_SESSION_BUS_ADDRESS: "" };
    const words = ["describer.server=mistral", "describer.model=m", "describer.key=-"];
    const set = await aside(["settings", "set", ...words], { env, shell: 'echo sk-secret-of-mine | "$@"' });
    expect(set.stdout).toContain(
      "Its key stands in settings.json, which its owner alone may read, and not in the system's",
    );
    expect(set.stdout + set.stderr).not.toContain("sk-secret-of-mine");
    expect(await readFile(join(home, "aside", "settings.json"), "utf8")).toContain('"key": "sk-secret-of-mine"');
  },
);

thoroughTest("damaged settings are put aside by a command, and never those that can be read", async () => {
  const data = await temporaryFolder();
  const settings = (...words: string[]) => asideAlone(["settings", ...words, "--data", data], NOTHING_SET);
  await writeFile(join(data, "settings.json"), "{ half of it");
  const refused = await settings();
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("aside settings start-over")]);
  const anew = await settings("start-over");
  expect([anew.code, anew.stdout]).toEqual([0, expect.stringMatching(/^describer +default/m)]);
  const [, name = ""] = /called (settings-damaged-\S+\.json) now/.exec(anew.stderr) ?? [];
  expect(await readFile(join(data, name), "utf8")).toBe("{ half of it");
  await settings("set", "retention.media_days=10");
  expect((await settings("start-over")).code).toBe(1);
  expect((await settings()).stdout).toMatch(/^retention\.media_days +set +10 /m);
});

test.runIf(IS_THOROUGH && process.platform === "linux")(
  "data that an earlier version moved to another disk is opened there, and its setting stays in the file",
  async () => {
    const [home, disk] = [await temporaryFolder(), await temporaryFolder()];
    const env = { ...NOTHING_SET, XDG_DATA_HOME: home, DBUS_SESSION_BUS_ADDRESS: "", ASIDE_DATA_PLACE: "" };
    const [data, moved] = [join(home, "aside", "server"), join(disk, "Aside data", "server")];
    const made = await asideAlone(["keys", "create", "--name", "of before", "--data", moved], env);
    expect(made.code).toBe(0);
    await mkdir(join(home, "aside"));
    await symlink(moved, data);
    const file = join(home, "aside", "settings.json");
    const before = { version: 2, places: { data: disk } };
    await writeFile(file, JSON.stringify(before));
    expect((await asideAlone(["keys", "list"], env)).stdout).toContain("of before");
    const shown = await asideAlone(["settings"], env);
    expect([shown.code, shown.stdout]).toEqual([0, expect.not.stringContaining("places")]);
    expect(await readFile(file, "utf8")).toBe(JSON.stringify(before));
    await asideAlone(["settings", "set", "voice.languages=fr"], env);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ ...before, voice: { languages: "fr" } });
    expect(await readlink(data)).toBe(moved);
    for (const words of [
      ["set", "places.data=/mnt"],
      ["reset", "places"],
    ]) {
      const refused = await asideAlone(["settings", ...words], env);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("no longer a setting")]);
    }
  },
);
