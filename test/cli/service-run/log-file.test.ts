import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { embeddedLog } from "../../../src/cli/service-run/embedded-service.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

test("lines stand in the log in their order, those of an earlier run too", async () => {
  const folder = await temporaryFolder();
  for (const line of ["one\n", "two\n"]) embeddedLog(folder).write(line);
  embeddedLog(folder).write("three\n");
  expect(await readFile(join(folder, "service.log"), "utf8")).toBe("one\ntwo\nthree\n");
});

test("a log that has grown long begins anew, and one that cannot be written is no failure", async () => {
  const folder = await temporaryFolder();
  const log = embeddedLog(folder);
  for (let i = 0; i < 5; i++) log.write(`${"x".repeat(300_000)}\n`);
  expect((await stat(join(folder, "service.log"))).size).toBe(300_001);
  const line = (length: number) => `${"x".repeat(length - 1)}\n`;
  log.write(line(699_999));
  // At a million bytes it is not long yet, one above it is.
  log.write(line(1));
  expect((await stat(join(folder, "service.log"))).size).toBe(1_000_001);
  log.write(line(2));
  expect((await stat(join(folder, "service.log"))).size).toBe(2);
  embeddedLog(join(folder, "none")).write("lost\n");
});
