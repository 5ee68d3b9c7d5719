import { execFileSync } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { neededProgram, wholePath } from "../../../src/engine/isolate/programs.ts";
import { keepPanelVersion, nextPanelVersion } from "../../../tools/build/panel-version.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** A checkout whose project has a version, with as many commits since it was set as asked for. */
async function checkout(version: string, commits: number) {
  const folder = await temporaryFolder();
  const program = await neededProgram("git");
  const git = (...args: string[]) =>
    execFileSync(wholePath(program), ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: folder,
      stdio: "pipe",
    });
  const commit = (name: string) => git("commit", "--quiet", "--allow-empty", "-m", name);
  const set = (value: string) => writeFile(join(folder, "package.json"), `{\n  "version": "${value}",\n  "a": 1\n}\n`);
  git("init", "--quiet");
  await set(version);
  git("add", ".");
  commit("set");
  for (let made = 0; made < commits; made++) commit(`change ${made}`);
  return { folder, set, commit: () => commit("more"), add: () => git("add", ".") };
}

test("a panel's version rises with each build, with each commit, and with the project's version", async () => {
  const { folder, set, commit, add } = await checkout("0.3.0", 4);
  expect(await nextPanelVersion(folder)).toBe("0.3.4");
  await keepPanelVersion("0.3.4", folder);
  expect(await nextPanelVersion(folder)).toBe("0.3.5");
  await keepPanelVersion("0.3.5", folder);
  // Another checkout of the same commits, without what was built here, is behind by that alone.
  for (let made = 0; made < 4; made++) commit();
  expect(await nextPanelVersion(folder)).toBe("0.3.8");
  await set("0.4.0");
  add();
  commit();
  expect(await nextPanelVersion(folder)).toBe("0.4.0");
});

test("where git tells nothing, builds are counted alone; more than a version can count are refused", async () => {
  const { folder } = await checkout("1.2.3", 1);
  await rm(join(folder, ".git"), { recursive: true });
  expect(await nextPanelVersion(folder)).toBe("1.2.0");
  await keepPanelVersion("1.2.998", folder);
  expect(await nextPanelVersion(folder)).toBe("1.2.999");
  await keepPanelVersion("1.2.999", folder);
  await expect(nextPanelVersion(folder)).rejects.toThrow("raise the version in package.json");
});
