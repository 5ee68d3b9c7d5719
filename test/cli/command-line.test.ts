import { expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/command-line.ts";
import { DESCRIBE_OPTIONS, describeCallFrom } from "../../src/cli/commands/describe/describe-call.ts";
import { revoiceCallFrom } from "../../src/cli/commands/revoice/revoice-call.ts";
import { parseArguments } from "../../src/cli/shell/command.ts";
import { VOICES } from "../../src/contract/choices.ts";
import { asideHere } from "./run-aside.ts";

test("every command is in the help, and meant by whoever leaves out a letter of it", async () => {
  const { stdout } = await asideHere(["--help"]);
  for (const { name, summary } of COMMANDS) {
    expect(stdout).toContain(`  ${name.padEnd(12)}${summary}`);
    const mistyped = `${name.slice(0, 2)}${name.slice(3)}`;
    const { code, stderr } = await asideHere([mistyped]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`there is no command "${mistyped}". Did you mean "`)]);
  }
  expect((await asideHere(["gap"])).stderr).toContain('Did you mean "gaps"?');
});

test("a port is a number of two bytes", async () => {
  for (const port of ["65536", "-1", "1e3"]) {
    const { code, stderr } = await asideHere(["serve", "--port", port]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`--port must be a number from 0 to 65535, not "${port}"`),
    ]);
  }
});

test("every voice of the catalogue may be chosen", async () => {
  for (const { name } of VOICES) {
    const given = parseArguments({ name: "describe", options: DESCRIBE_OPTIONS }, ["film.mp4", "--voice", name]);
    expect((await describeCallFrom(given, {})).settings.voice).toBe(name);
    expect(revoiceCallFrom(given, {}).voice).toBe(name);
  }
});

test("time that holds add is said in percent, up to ten times the film", async () => {
  const shareOf = async (percent: string) => {
    const args = ["film.mp4", "--max-added", percent];
    const given = parseArguments({ name: "describe", options: DESCRIBE_OPTIONS }, args);
    return (await describeCallFrom(given, {})).settings.describing?.maximumAddedShare;
  };
  expect([await shareOf("20"), await shareOf("1000")]).toEqual([0.2, 10]);
});
