import { once } from "node:events";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { withoutNetwork } from "../../../src/engine/isolate/cage.ts";
import { spokenSeconds } from "../../../src/engine/spoken-line.ts";
import { CommandVoice } from "../../../src/engine/voice/command.ts";
import { voiceSuite } from "../../suites/voice.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const PROGRAM = fileURLToPath(new URL("../../fakes/speaking-program.ts", import.meta.url));
const NAMES = { own: { Kore: "kore-1" }, byGender: { female: ["any"], male: [] }, languages: ["en"] };
const REQUEST = { text: "A woman sits at a desk.", language: "en-US", voice: "Kore", rate: 1 };

/** Puts a script that can be run; gives its path. */
async function program(path: string, script: string): Promise<string> {
  await writeFile(path, script);
  await chmod(path, 0o755);
  return path;
}

function speaker(args: readonly string[], timeoutSeconds = 30): CommandVoice {
  return new CommandVoice({ command: [process.execPath, PROGRAM, ...args], timeoutSeconds, names: NAMES });
}

const speaks = { language: "en-US", voice: "Kore" };
const lacks = { language: "de-DE", voice: "Kore" };
voiceSuite("a command that writes to standard output", {
  open: async () => speaker(["--rate", "{rate}"]),
  speaks,
  lacks,
});
voiceSuite("a command that reads and writes files, without a setting for its pace", {
  open: async () => speaker(["--text", "{text_file}", "--output", "{output}"]),
  speaks,
  lacks: { language: "en-US", voice: "Charon" },
});

describe("a speech command", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    vi.stubEnv("TMPDIR", folder);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
  });

  test("has no network where nothing may leave the computer", async ({ skip }) => {
    if ((await withoutNetwork()).length === 0) skip("this system does not take a program's network away");
    const server = createServer((_request, reply) => void reply.end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo; // a server on TCP has a port
    const asks = `await fetch("http://127.0.0.1:${port}"); await import(${JSON.stringify(PROGRAM)})`;
    const command = [process.execPath, "--input-type=module", "-e", asks] as const;
    const open = { command, timeoutSeconds: 30, names: NAMES };
    try {
      expect(spokenSeconds(await new CommandVoice(open).speak(REQUEST))).toBeGreaterThan(0.5);
      await expect(new CommandVoice({ ...open, staysHere: true }).speak(REQUEST)).rejects.toThrow(/ended with code/);
    } finally {
      server.close();
    }
  });

  test("is never taken from the current folder, where other people's files may be", async () => {
    const planted = await program(join(folder, "speaks-well"), "#!/bin/sh\nexit 0\n");
    const here = process.cwd();
    process.chdir(folder);
    vi.stubEnv("PATH", `.:${join(folder, "nothing")}::`);
    try {
      for (const named of ["speaks-well", "./speaks-well"]) {
        const voice = new CommandVoice({ command: [named], timeoutSeconds: 30, names: NAMES });
        await expect(voice.speak(REQUEST)).rejects.toMatchObject({
          code: "speech_command_failed",
          message: expect.stringContaining("Write its whole path"),
        });
      }
      // By its whole path it runs, and says nothing.
      const voice = new CommandVoice({ command: [planted], timeoutSeconds: 30, names: NAMES });
      await expect(voice.speak(REQUEST)).rejects.toThrow(/no sound that can be read/);
    } finally {
      process.chdir(here);
    }
  });

  test("never sees a text as an argument, and no shell sees it at all", async () => {
    const text = '"; touch $(id) `ls` {output} --output /tmp/x \n $HOME';
    const line = await speaker(["--rate", "{rate}"]).speak({ ...REQUEST, text });
    expect(spokenSeconds(line)).toBeGreaterThan(1);
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([
    ["fail", "speech_command_failed", /code 3: no such model/],
    ["noise", "speech_unreadable", /no sound that can be read/],
    ["hang", "speech_command_failed", /longer than 1 s/],
  ])("that does %s ends with %s", async (mode, code, message) => {
    const run = speaker(["--mode", mode], mode === "hang" ? 1 : 30).speak(REQUEST);
    await expect(run).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(await readdir(folder)).toEqual([]);
  });

  test("that cannot be started, or writes no file, says so", async () => {
    const missing = new CommandVoice({ command: ["/no/such/program"], timeoutSeconds: 5, names: NAMES });
    await expect(missing.speak(REQUEST)).rejects.toMatchObject({ code: "speech_command_failed" });
    await expect(speaker(["--mode", "noise", "--output", "{output}"]).speak(REQUEST)).rejects.toMatchObject({
      code: "speech_command_failed",
    });
  });

  test("is gone with everything it started once cancelled", async () => {
    const pidFile = join(folder, "pid");
    const cancel = new AbortController();
    const run = speaker(["--mode", "child", "--output", pidFile]).speak(REQUEST, cancel.signal);
    await vi.waitFor(async () => expect(await readFile(pidFile, "utf8")).toMatch(/^\d+$/), { timeout: 20_000 });
    const reason = new Error("cancelled");
    cancel.abort(reason);
    await expect(run).rejects.toBe(reason);
    const pid = Number(await readFile(pidFile, "utf8"));
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/), { timeout: 20_000 });
  });

  test("has another identity with another command", () => {
    expect(speaker(["a"]).id).not.toBe(speaker(["b"]).id);
    expect(speaker(["a"]).id).toBe(speaker(["a"]).id);
  });
});
