import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildPanel } from "../../../tools/build/build-panel.ts";
import { uxpLimitsSuite } from "../../suites/uxp-limits.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// The panel as it is built, but not made small, which takes most of the time; `package.test.ts` has the package that is handed out.
const files: Record<string, Uint8Array> = {};
beforeAll(async () => {
  const folder = await temporaryFolder();
  await buildPanel(folder, { minify: false });
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) files[entry.name] = await readFile(join(entry.parentPath, entry.name));
  }
}, 120_000);

// Of the package of hashes.
uxpLimitsSuite(files, ["TextEncoder"]);

test("it asks for the permissions it needs and no others, and brings nothing that reads schemas", () => {
  const text = (name: string) => Buffer.from(files[name] ?? []).toString();
  expect(Object.keys(JSON.parse(text("manifest.json")).requiredPermissions)).toEqual([
    "network",
    "localFileSystem",
    "clipboard",
    "launchProcess",
  ]);
  expect(text("NOTICES.txt")).not.toMatch(/\bzod\b/i);
});
