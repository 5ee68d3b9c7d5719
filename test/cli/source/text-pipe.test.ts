import { execFileSync } from "node:child_process";
import { appendFile, open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { readText } from "../../../src/cli/source/text-file.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// A shell's `<(command)`, which speaks when it has something to say.

afterEach(() => vi.useRealTimers());

async function pipe(): Promise<string> {
  const path = join(await temporaryFolder(), "pipe");
  execFileSync("/usr/bin/env", ["mkfifo", path]);
  return path;
}

test.skipIf(process.platform === "win32")(
  "a pipe is read to its end, in pieces, however long ago the program began",
  async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    vi.advanceTimersByTime(60_000);
    const path = await pipe();
    const reading = readText(path);
    const writer = await open(path, "w");
    await appendFile(writer, "WEBVTT\n\n");
    await sleep(60);
    await appendFile(writer, "00:01.000 --> 00:02.000\nA door.\n");
    await writer.close();
    expect((await reading).text).toBe("WEBVTT\n\n00:01.000 --> 00:02.000\nA door.\n");
  },
);

test.skipIf(process.platform === "win32")(
  "a pipe that says nothing for five seconds is given up, not before",
  async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    vi.advanceTimersByTime(60_000);
    const path = await pipe();
    const reading = readText(path);
    const failed = vi.fn();
    reading.catch(failed);
    const writer = await open(path, "w");
    try {
      await sleep(60);
      vi.advanceTimersByTime(4_000);
      await sleep(60);
      await appendFile(writer, "W");
      await sleep(60);
      vi.advanceTimersByTime(4_000);
      await sleep(60);
      expect(failed).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1_100);
      await expect(reading).rejects.toMatchObject({ code: "file_unreadable", message: '"pipe" says nothing' });
    } finally {
      await writer.close();
    }
  },
);
