import { isSet } from "../../isolate/passed-variables.ts";
import type { Environment } from "../../outgoing/environment.ts";
import { FOUND_SYSTEM_VOICE, SYSTEM_VOICE } from "../voice-settings.ts";
import type { SystemSpeech } from "./system-speech.ts";
import { findSystemSpeech } from "./system-voices.ts";

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

/** The same variables, with what the system has to speak with where they ask for it: what `voiceConfiguration` reads. */
export async function withSystemVoice(
  environment: Environment,
  find: (environment: Environment) => Promise<SystemSpeech | null> = systemSpeech,
): Promise<Environment> {
  if (!isSet(environment[SYSTEM_VOICE])) return environment;
  const speech = await find(environment);
  if (speech === null) return environment;
  const { command, replaced, voices } = speech;
  return { ...environment, [FOUND_SYSTEM_VOICE]: JSON.stringify({ command, replaced, voices }) };
}
