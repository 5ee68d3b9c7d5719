import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { aside } from "../run-aside.ts";

/** Variables that would win over what is set. */
const NOTHING_SET = { ASIDE_VISION_URL: "", ASIDE_TRANSCRIPTION_URL: "" };

test("what is set is shown, adds up, and is reset; a key is taken from no argument", async () => {
  const data = await temporaryFolder();
  const settings = (...words: string[]) => aside(["settings", ...words, "--data", data], { env: NOTHING_SET });
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
