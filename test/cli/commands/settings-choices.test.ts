import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { asideAlone } from "../run-aside.ts";

test("each choice is told with every value that sets it, and every value that it needs", async () => {
  const env = { ASIDE_MODELS: await temporaryFolder(), XDG_DATA_HOME: await temporaryFolder() };
  const { code, stdout } = await asideAlone(["settings", "choices"], env);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^describer +OpenAI +describer\.server=openai describer\.model=… describer\.key=- /m);
  expect(stdout).toMatch(/^dialogue +A transcription server +dialogue\.server=… dialogue\.model=… dialogue\.key=- /m);
  const choices = JSON.parse((await asideAlone(["settings", "choices", "--json"], env)).stdout);
  for (const part of ["describer", "dialogue", "voice"]) {
    for (const { title, values, needs } of choices[part]) {
      const row = stdout.split("\n").find((line) => line.startsWith(part) && line.includes(` ${title} `)) ?? "";
      for (const name of [...Object.keys(values), ...needs]) expect(row).toContain(`${part}.${name}=`);
    }
  }
});

test("a trial says whether it works, and leaves nothing behind", async () => {
  const env = { ASIDE_VISION_URL: "http://127.0.0.1:1/v1", ASIDE_VISION_MODEL: "eyes" };
  const args = ["settings", "test", "describer", "--data", await temporaryFolder()];
  const { code, stdout } = await asideAlone(args, env);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^It does not work\. .*\(\d+\.\d s\)\n$/)]);
  expect((await readdir(tmpdir())).filter((name) => name.startsWith("aside-try-"))).toEqual([]);
});
