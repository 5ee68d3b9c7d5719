import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../src/service/storage/synced-folder.ts";
import { sharedMedia } from "../shared-media.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { IS_THOROUGH } from "../thorough/thorough-test.ts";
import { aside, asideHere } from "./run-aside.ts";

const FILM = sharedMedia("containers/sintel-5s.mp4");

test.runIf(process.platform === "linux").each([
  ["describe", FILM, "--out", "/proc/x/y"],
  ["batch", FILM, "--out", "/proc/x"],
])("%s ends with a sentence where no folder can be made", { timeout: 10_000 }, async (...args) => {
  const { code, stderr } = await asideHere(args);
  expect(code).toBe(1);
  expect(stderr).toMatch(/he system does not allow access to "[xy]"\. \(permission_denied\)/);
});

test.runIf(IS_THOROUGH && process.platform !== "win32")(
  "a pipe that nobody writes to is told of; one that is written to is read",
  { timeout: 15_000 },
  async () => {
    const folder = await temporaryFolder();
    const pipe = join(folder, "pipe");
    await aside([], { shell: `mkfifo ${pipe}` });
    const silent = await aside(["convert", pipe, join(folder, "a.srt")]);
    expect(silent).toMatchObject({ code: 1, stderr: expect.stringContaining('"pipe" says nothing') });
    const shell = `"$@" <(printf 'WEBVTT\\n\\n00:01.000 --> 00:02.000\\nRain.\\n') ${join(folder, "b.srt")}`;
    expect(await aside(["convert"], { shell })).toMatchObject({ code: 0 });
  },
);

test("makes a folder with those above it, and says which one it made first", async () => {
  const folder = await temporaryFolder();
  expect(await makeFolder(join(folder, "a", "b", "c"))).toBe(join(folder, "a"));
  expect(await makeFolder(join(folder, "a", "b"))).toBeUndefined();
  expect((await stat(join(folder, "a", "b", "c"))).isDirectory()).toBe(true);
});
