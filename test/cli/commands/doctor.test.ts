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
