import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { EVERYBODY, PROGRAMS, passedOn } from "../../isolate/passed-variables.ts";
import { findProgram, wholePath } from "../../isolate/programs.ts";
import type { Environment } from "../../outgoing/environment.ts";
import { findMacVoices } from "./mac-voices.ts";
import { findPiperVoices } from "./piper-voices.ts";
import { findRhvoiceVoices } from "./rhvoice-voices.ts";
import type { SearchContext, SystemSpeech } from "./system-speech.ts";
import { findWindowsVoices } from "./windows-voices.ts";

/** A program that lists its voices takes a few seconds at the most, PowerShell on a cold disk longer. */
const LIST_MILLISECONDS = 20_000;

/** Bytes that a list of voices may have: macOS has some 200 voices. */
const LIST_BYTES = 4 * 1024 * 1024;

/**
 * The speech of this computer's system: `say` on macOS, Windows' own, Piper or RHVoice elsewhere; `null` where there is
 * none. Programs that only play, such as `spd-say`, are none. Never raises.
 */
export async function findSystemSpeech(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): Promise<SystemSpeech | null> {
  const context: SearchContext = {
    environment,
    locate: (program) => findProgram(program, { environment, platform }),
    run: (program, args) => run(program, args, environment),
  };
  const searches =
    platform === "darwin"
      ? [findMacVoices]
      : platform === "win32"
        ? [findWindowsVoices]
        : [findPiperVoices, findRhvoiceVoices];
  for (const search of searches) {
    const found = await search(context).catch(() => null);
    if (found === null || found.voices.length === 0) continue;
    return { ...found, voices: [...found.voices].sort((a, b) => b.quality - a.quality || (a.id < b.id ? -1 : 1)) };
  }
  return null;
}

async function run(program: string, args: readonly string[], environment: Environment): Promise<string> {
  const { stdout } = await promisify(execFile)(wholePath(program), [...args], {
    env: passedOn(environment, [...EVERYBODY, ...PROGRAMS]),
    timeout: LIST_MILLISECONDS,
    killSignal: "SIGKILL",
    maxBuffer: LIST_BYTES,
    windowsHide: true,
    encoding: "utf8",
  });
  return stdout;
}
