import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ownCommand } from "../../../src/cli/shell/own-command.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

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
