import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DESCRIBE_OPTIONS, describeCallFrom } from "../../../../src/cli/commands/describe/describe-call.ts";
import { parseArguments } from "../../../../src/cli/shell/command.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

async function settingsOf(...args: string[]) {
  const given = parseArguments({ name: "describe", options: DESCRIBE_OPTIONS }, ["film.mp4", ...args]);
  return (await describeCallFrom(given, {})).settings;
}

test("options say how a model is to go about it", async () => {
  const file = join(await temporaryFolder(), "mine.md");
  await writeFile(file, "\uFEFF# Story\nShe hides.\n");
  expect((await settingsOf("--bible", file, "--max-added", "20", "--max-cost", "1.5")).describing).toEqual({
    bible: expect.stringMatching(/# Story\nShe hides\.\n$/),
    maximumAddedShare: 0.2,
    maximumCost: 1.5,
  });
  expect((await settingsOf("--max-cost", "0")).describing).toEqual({ maximumCost: 0 });
  expect(await settingsOf()).not.toHaveProperty("describing");
});

test.each([
  [["--max-added", "-1"], "--max-added must be a number from 0 to 1000"],
  [["--max-added", "1001"], "--max-added"],
  [["--max-cost", "cheap"], "--max-cost must be a number"],
  [["--bible", "/nowhere/mine.md"], "mine.md"],
])("what cannot be meant is named: %j", async (args, words) => {
  await expect(settingsOf(...args)).rejects.toThrow(words);
});
