import { access, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removePageOpener, writePageOpener } from "../../../../src/cli/commands/companion/page-opener.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

test("leads a browser to the page by a file that its user alone can read, and that goes", async () => {
  const path = join(await temporaryFolder(), "aside-page.html");
  const address = 'http://127.0.0.1:8420/home#secret"&<b>';
  expect(await writePageOpener(address, path)).toBe(path);
  if (process.platform !== "win32") expect((await stat(path)).mode & 0o077).toBe(0);
  const text = await readFile(path, "utf8");
  expect(text).toContain('content="0; url=http://127.0.0.1:8420/home#secret&quot;&amp;&lt;b&gt;"');
  await removePageOpener(path);
  await expect(access(path)).rejects.toThrow();
  await removePageOpener(path);
});
