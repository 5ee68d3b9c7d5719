import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ownCommand } from "../../../src/cli/shell/own-command.ts";
import { neededProgram, wholePath } from "../../../src/engine/isolate/programs.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Where things change a name of the past, or say why it is not used. */
const ABOUT_NPX = /^(?:CHANGELOG\.md|docs\/notes\/|test\/cli\/shell\/own-command\.test\.ts$)/;

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

describe("the command that whoever reads can type", () => {
  const program = "/home/e/aside";
  const started = join(program, "bin/aside.mjs");

  test.each([
    [program, "node bin/aside.mjs"],
    ["/home/e", "node aside/bin/aside.mjs"],
    ["/home/e/films", "node /home/e/aside/bin/aside.mjs"],
  ])("in a checkout, seen from %s, is Node with the program", (cwd, command) => {
    expect(ownCommand({ program, cwd, started, environment: {} })).toBe(command);
  });

  test("where it is installed as a command is its name, and not where npm made it one for a moment", () => {
    const typed = { program, cwd: "/home/e/films", started: "/usr/local/bin/aside" };
    expect(ownCommand({ ...typed, environment: {} })).toBe("aside");
    expect(ownCommand({ ...typed, environment: { npm_command: "exec" } })).toBe("node /home/e/aside/bin/aside.mjs");
  });

  test.each(["../aside-command-line.cmd", "../../MacOS/aside", "../aside.sh"])(
    "in a companion is its launcher: %s",
    async (launcher) => {
      const folder = join(await temporaryFolder(), "My Aside", "inside", "aside");
      await mkdir(folder, { recursive: true });
      await mkdir(join(folder, launcher, ".."), { recursive: true });
      await writeFile(join(folder, launcher), "");
      const command = ownCommand({
        program: folder,
        cwd: "/",
        started: join(folder, "bin/aside.mjs"),
        environment: {},
      });
      expect(command).toBe(`"${join(folder, launcher)}"`);
    },
  );

  test("is the same in a folder whose name has a blank, quoted", () => {
    const spaced = "/home/e/My Aside";
    expect(ownCommand({ program: spaced, cwd: "/", started, environment: {} })).toBe(
      'node "home/e/My Aside/bin/aside.mjs"',
    );
  });
});
