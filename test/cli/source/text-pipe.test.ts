import { execFileSync } from "node:child_process";
import { appendFile, open, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readText } from "../../../src/cli/source/text-file.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// A shell's `<(command)`, which speaks when it has something to say.

afterEach(() => vi.useRealTimers());

/** A pipe that is read by a program which has run for a minute, and the end that is written to. */
async function readPipe() {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.advanceTimersByTime(60_000);
  const path = join(await temporaryFolder(), "pipe");
  execFileSync("/usr/bin/env", ["mkfifo", path]);
  const reading = readText(path);
  return { path, reading, writer: await open(path, "w") };
}

/** How often this process has a file open, where the system tells. */
async function held(path: string): Promise<number> {
  const open = await readdir("/proc/self/fd").catch(() => []);
  const paths = await Promise.all(open.map((one) => readlink(`/proc/self/fd/${one}`).catch(() => "")));
  return paths.filter((one) => one === path).length;
}

describe.skipIf(process.platform === "win32")("a pipe", () => {
  test("is read to its end, in pieces, however long ago the program began", async () => {
    const { path, reading, writer } = await readPipe();
    await appendFile(writer, "WEBVTT\n\n");
    await sleep(60);
    await appendFile(writer, "00:01.000 --> 00:02.000\nA door.\n");
    await writer.close();
    expect((await reading).text).toBe("WEBVTT\n\n00:01.000 --> 00:02.000\nA door.\n");
    expect(await held(path)).toBe(0);
  });

  test("that says nothing for five seconds is given up, not before", async () => {
    const { path, reading, writer } = await readPipe();
    const failed = vi.fn();
    reading.catch(failed);
    try {
      await sleep(60);
      vi.advanceTimersByTime(4_000);
      await sleep(60);
      await appendFile(writer, "W");
      await sleep(60);
      vi.advanceTimersByTime(5_000);
      await sleep(60);
      expect(failed).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      await expect(reading).rejects.toMatchObject({ code: "file_unreadable", message: '"pipe" says nothing' });
    } finally {
      await writer.close();
    }
    expect(await held(path)).toBe(0);
  });
});
