import { access, chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removePageOpener, writePageOpener } from "../../../../src/cli/commands/companion/page-opener.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { aside } from "../../run-aside.ts";

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

/** A home whose browser is a program that notes what it was told to open. */
async function homeWithBrowser() {
  const home = await temporaryFolder();
  const opened = join(home, "opened");
  await mkdir(join(home, "bin"));
  await writeFile(join(home, "bin/xdg-open"), `#!/bin/sh\necho "$1" >> "${opened}"\n`);
  await chmod(join(home, "bin/xdg-open"), 0o755);
  const env = { HOME: home, PATH: `${join(home, "bin")}:${process.env["PATH"]}` };
  return { home, env, opened: () => readFile(opened, "utf8").catch(() => "") };
}

test.skipIf(process.platform !== "linux")(
  "a companion that was opened and cannot start says why in the browser, and one that starts at log-in does not",
  async () => {
    const { home, env, opened } = await homeWithBrowser();
    await writeFile(join(home, "file"), "no folder");
    const data = join(home, "file", "<data>");
    const quiet = await aside(["companion", "--no-page", "--data", data], { env });
    expect([quiet.code, await opened()]).toEqual([1, ""]);
    const ended = await aside(["companion", "--data", data], { env });
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("data_folder_unusable") });
    const page = (await opened()).trim();
    const text = await readFile(page, "utf8");
    expect(text).toContain("Aside could not start");
    expect(text).toContain("The data folder cannot be made or written to.");
    expect((await stat(page)).mode & 0o077).toBe(0);
  },
);
