import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandVoice } from "../../../src/engine/voice/command.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const NAMES = { own: { Kore: "kore-1" }, byGender: { female: ["any"], male: [] }, languages: ["en"] };
const REQUEST = { text: "A woman sits at a desk.", language: "en-US", voice: "Kore", rate: 1 };

/** Puts a script that can be run; gives its path. */
async function program(script: string): Promise<string> {
  const path = join(await temporaryFolder(), "program");
  await writeFile(path, script);
  await chmod(path, 0o755);
  return path;
}

function speaker(path: string, ...args: readonly string[]): CommandVoice {
  return new CommandVoice({ command: [path, ...args], timeoutSeconds: 30, names: NAMES });
}

describe.skipIf(process.platform === "win32")("a program", () => {
  test.each([
    ["500 of its words are all told", "ab ", 497, /: ab c{497}\.$/],
    ["of 501 those behind the first whole one", "ab ", 498, /: c{498}\.$/],
  ])("that ends badly is told by its last words: %s", async (_, first, length, message) => {
    const words = first + "c".repeat(length);
    const path = await program(`#!/bin/sh\nprintf '%s' '${words}' >&2\nexit 3\n`);
    const voice = speaker(path);
    await expect(voice.speak(REQUEST)).rejects.toThrow(message);
  });

  test("whose file is larger than five minutes of the best sound is taken for one that wrote none", async () => {
    const path = await program(`#!/bin/sh\ntruncate -s ${96 * 2 ** 20 + 1} "$1"\n`);
    const voice = speaker(path, "{output}");
    await expect(voice.speak(REQUEST)).rejects.toMatchObject({
      code: "speech_command_failed",
      message: expect.stringContaining("without writing the sound"),
    });
  });

  test("that writes more than five minutes of the best sound is stopped", async () => {
    const path = await program(`#!/bin/sh\nexec head -c ${96 * 2 ** 20 + 1} /dev/zero\n`);
    await expect(speaker(path).speak(REQUEST)).rejects.toThrow("wrote more sound than one line can have");
  });

  test("has a pace that can be measured where any of its arguments is told one", () => {
    expect(speaker("/speak", "--rate", "{rate}").isMeasured).toBe(true);
    expect(speaker("/speak", "-x", "--speed={words_per_minute}", "-y").isMeasured).toBe(true);
    expect(speaker("/speak", "--voice", "{voice}").isMeasured).toBe(false);
  });
});
