import { chmod, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { asideAlone } from "../run-aside.ts";

test("looks at every part of a service, and finds nothing bad on a fresh folder", async () => {
  const data = join(await temporaryFolder(), "data");
  const { code, stdout } = await asideAlone(["doctor", "--data", data, "--json"], { ASIDE_VISION_URL: "off" });
  const findings: { name: string; state: string; detail: string }[] = JSON.parse(stdout);
  expect(findings.map(({ name }) => name)).toEqual([
    "configuration",
    "records",
    "storage",
    "stored objects",
    "privacy",
    "disk",
    "ffmpeg",
    "voice",
    "describer",
    "screen text",
  ]);
  expect(findings.filter(({ state }) => state === "bad")).toEqual([]);
  expect(findings.find(({ name }) => name === "records")?.detail).toContain("aside keys create");
  expect(code).toBe(0);
});

test("warns of a data folder that other users may read, and closes what is inside", async () => {
  const data = await temporaryFolder();
  await mkdir(join(data, "objects"));
  await chmod(join(data, "objects"), 0o755);
  // Everybody's, as /tmp is.
  await chmod(data, 0o1777);
  const env = { ASIDE_VISION_URL: "off" };
  const { stdout } = await asideAlone(["doctor", "--data", data], env);
  expect(stdout).toMatch(/^privacy +warning +other users of this computer may read/m);
  expect((await stat(join(data, "objects"))).mode & 0o077).toBe(0);
});

test("says what does not work, without a password, and ends with 1", async () => {
  const env = {
    DATABASE_URL: "postgres://aside:secret@127.0.0.1:1/none",
    ASIDE_STORAGE: "s3://none?endpoint=http%3A%2F%2F127.0.0.1%3A1",
    ASIDE_VISION_URL: "http://127.0.0.1:1/v1",
    ASIDE_VISION_MODEL: "eyes",
    ASIDE_VOICE_COMMAND: "no list",
  };
  const { code, stdout } = await asideAlone(["doctor", "--data", await temporaryFolder()], env);
  expect(code).toBe(1);
  for (const line of [
    /^records +bad +.*DATABASE_URL/m,
    /^storage +bad +/m,
    /^voice +bad +ASIDE_VOICE_COMMAND/m,
    /^describer +bad +eyes at 127.0.0.1:1, which does not answer/m,
    /^ffmpeg +good /m,
  ])
    expect(stdout).toMatch(line);
  expect(stdout).not.toContain("secret");
});
