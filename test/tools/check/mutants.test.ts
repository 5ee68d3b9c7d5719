import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import { thoroughTest } from "../../thorough/thorough-test.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

thoroughTest("faults are put into a file of a room, and counted", { timeout: 300_000 }, async () => {
  const args = ["tools/tool.ts", "mutants", "--every", "4", "core/objects.ts"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  const [, noticed, all] = /^core\/objects\.ts: (\d+) of (\d+) faults noticed/m.exec(stdout) ?? [];
  expect(Number(noticed)).toBeGreaterThan(0);
  expect(Number(all)).toBeGreaterThanOrEqual(Number(noticed));
});
