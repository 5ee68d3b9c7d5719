import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { EVERYBODY, isSet, PROGRAMS, passedOn } from "../../isolate/cage.ts";
import { findProgram, wholePath } from "../../isolate/programs.ts";
import type { Environment } from "../../outgoing/local-only.ts";
import { FOUND_SYSTEM_VOICE, isVoiceChosen, SYSTEM_VOICE } from "../voice-settings.ts";
import {
  findMacVoices,
  findPiperVoices,
  findRhvoiceVoices,
  findWindowsVoices,
  type SearchContext,
  type SystemSpeech,
} from "./found-voices.ts";

/** A program that lists its voices takes a few seconds at the most, PowerShell on a cold disk longer. */
const LIST_MILLISECONDS = 20_000;

/** Bytes that a list of voices may have: macOS has some 200 voices. */
const LIST_BYTES = 4 * 1024 * 1024;

/**
 * The speech of this computer's system: `say` on macOS and Windows' own, both with Piper's voices where there are some; Piper or
 * RHVoice elsewhere; `null` where there is none. Programs that only play, such as `spd-say`, are none. Never raises.
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
  const system = { darwin: findMacVoices, win32: findWindowsVoices }[String(platform)];
  const searches = [system ?? findPiperVoices, system === undefined ? findRhvoiceVoices : findPiperVoices];
  const found = await Promise.all(searches.map((search) => search(context).catch(() => null)));
  const [first, second] = found.filter((speech) => speech !== null && speech.voices.length > 0);
  if (first === null || first === undefined) return null;
  // Beside a system's own voices Piper's are heard too; elsewhere one program speaks.
  return inOrder(system === undefined || second === null || second === undefined ? first : withOthers(first, second));
}

/** How much better than a system's usual voice one of Piper's is: not as good as those that are fetched for it. */
const PIPER_QUALITY = 0.5;

function withOthers(system: SystemSpeech, { title, command, voices }: SystemSpeech): SystemSpeech {
  const others = voices.map((voice) => ({ ...voice, command, quality: PIPER_QUALITY }));
  return { ...system, title: `${system.title} and ${title}`, voices: [...system.voices, ...others] };
}

function inOrder(speech: SystemSpeech): SystemSpeech {
  return { ...speech, voices: [...speech.voices].sort((a, b) => b.quality - a.quality || (a.id < b.id ? -1 : 1)) };
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

let found: Promise<SystemSpeech | null> | null = null;

/**
 * The speech of this computer's system; `null` where there is none. Looked for once, because that takes seconds and lines wait
 * for it. Never raises.
 */
function systemSpeech(environment: Environment): Promise<SystemSpeech | null> {
  found ??= findSystemSpeech(environment);
  return found;
}

/** The same, looked for anew: people install voices now and then, and look what there is. What is found counts from then on. */
export function findSystemSpeechAnew(environment: Environment): Promise<SystemSpeech | null> {
  found = findSystemSpeech(environment);
  return found;
}

/**
 * The same variables, with what the system has to speak with: what `voiceConfiguration` reads. It is looked for where they ask
 * for it, and on systems that come with good voices where nobody is chosen.
 */
export async function withSystemVoice(
  environment: Environment,
  find: (environment: Environment) => Promise<SystemSpeech | null> = systemSpeech,
  platform: NodeJS.Platform = process.platform,
): Promise<Environment> {
  const isOff = /^\s*off\s*$/i.test(environment[SYSTEM_VOICE] ?? "");
  const isDefault = ["darwin", "win32"].includes(platform) && !isOff && !isVoiceChosen(environment);
  if (!isDefault && (isOff || !isSet(environment[SYSTEM_VOICE]))) return environment;
  const speech = await find(environment);
  if (speech === null) return environment;
  const { command, replaced, voices } = speech;
  return { ...environment, [FOUND_SYSTEM_VOICE]: JSON.stringify({ command, replaced, voices }) };
}
