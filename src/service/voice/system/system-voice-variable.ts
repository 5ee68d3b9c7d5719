import { isSet, type Variables } from "../../isolate/environment.ts";
import { FOUND_SYSTEM_VOICE, SYSTEM_VOICE } from "../voice-settings.ts";
import type { SystemSpeech } from "./system-speech.ts";
import { findSystemSpeech } from "./system-voices.ts";

/** How long what was found counts: people install voices now and then, and looking takes seconds. */
const KEPT_MS = 60_000;

let found: { readonly at: number; readonly speech: Promise<SystemSpeech | null> } | null = null;

/** The speech of this computer's system, looked for at most once a minute; `null` where there is none. Never raises. */
export function systemSpeech(environment: Variables): Promise<SystemSpeech | null> {
  if (found === null || performance.now() - found.at > KEPT_MS) {
    found = { at: performance.now(), speech: findSystemSpeech(environment) };
  }
  return found.speech;
}

/** The same variables, with what the system has to speak with where they ask for it: what `voiceConfiguration` reads. */
export async function withSystemVoice(
  environment: Variables,
  find: (environment: Variables) => Promise<SystemSpeech | null> = systemSpeech,
): Promise<Variables> {
  if (!isSet(environment[SYSTEM_VOICE])) return environment;
  const speech = await find(environment);
  if (speech === null) return environment;
  const { command, replaced, voices } = speech;
  return { ...environment, [FOUND_SYSTEM_VOICE]: JSON.stringify({ command, replaced, voices }) };
}
