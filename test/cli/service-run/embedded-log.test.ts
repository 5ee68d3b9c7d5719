import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { aside } from "../run-aside.ts";

test("the reason of a job that failed stands in the embedded service's log, without places on this computer", async () => {
  const folder = await temporaryFolder();
  const data = join(folder, "data");
  const film = sharedMedia("containers/sintel-5s.mp4");
  const { code, stderr } = await aside(["describe", film, "--out", join(folder, "out"), "--data", data], {
    env: { ASIDE_VISION_URL: "http://127.0.0.1:9/v1" },
  });
  expect(code).toBe(1);
  expect(stderr).toContain("setup_incomplete");
  const log = await readFile(join(data, "service.log"), "utf8");
  expect(log).toContain("job failed");
  expect(log).toContain("ASIDE_VISION_MODEL");
  expect(log).not.toContain(folder);
}, 120_000);
