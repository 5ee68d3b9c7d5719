import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { neededProgram, wholePath } from "../../src/engine/isolate/programs.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Where things change a name of the past, or say why it is not used. */
const ABOUT_NPX = /^(?:CHANGELOG\.md|docs\/notes\/|test\/project\/own-name\.test\.ts$)/;

test("nothing that is read names a command by which npm could run a stranger's package", async () => {
  const options = { cwd: ROOT, encoding: "utf8" } as const;
  const files = execFileSync(wholePath(await neededProgram("git")), ["ls-files", "-z"], options).split("\0");
  const read = files.filter((file) => /\.(?:md|ts|mjs|js|json|yaml|html|txt)$/.test(file) && !ABOUT_NPX.test(file));
  expect(read.length).toBeGreaterThan(1_000);
  const names = read.filter((file) => /npx\s+(?:--?[\w-]+\s+)*aside\b/.test(readFileSync(join(ROOT, file), "utf8")));
  expect(names).toEqual([]);
  const { name, bin } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect([name, Object.keys(bin)]).toEqual(["aside-ad", ["aside"]]);
});
