import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { neededProgram, wholePath } from "../../src/engine/isolate/programs.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What keys look like: ours, and those of the services that projects of this kind use. */
const KEYS = [
  /\baside_[\w-]{43}\b/,
  /\bsk-[A-Za-z0-9]{20,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36}\b/,
  /\bAIza[\w-]{35}\b/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
];

test("AUTH-05: no key stands in any file of the repository", async () => {
  const files = execFileSync(wholePath(await neededProgram("git")), ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" })
    .split("\0")
    .filter(Boolean);
  expect(files.length).toBeGreaterThan(100);
  const found = files.filter((file) => {
    const text = readFileSync(join(ROOT, file), "latin1");
    return KEYS.some((key) => key.test(text));
  });
  expect(found).toEqual([]);
});
