import { VOICES } from "../../contract/voices.ts";
import { VoiceUnavailableError } from "./voice-unavailable-error.ts";

/** Which of an engine's own voices speak, and in which languages. */
export interface VoiceNames {
  /** The engine's voice for catalogue names; others take one of `byGender`. */
  readonly own: Readonly<Record<string, string>>;
  /** The engine's voices for names that have none of their own, in turn. */
  readonly byGender: { readonly female: readonly string[]; readonly male: readonly string[] };
  /** Codes (`en-US`) or families (`en`) that the engine speaks; `null`: whatever it is asked. */
  readonly languages: readonly string[] | null;
}

/** Voices of OpenAI's own speech models, which compatible servers map to theirs. */
export const OPENAI_VOICES = {
  female: ["nova", "shimmer", "coral", "sage", "alloy"],
  male: ["onyx", "echo", "ash", "fable", "ballad", "verse"],
} as const;

/**
 * The engine's voice behind a catalogue name: the same one every time, and for names of one gender each of the engine's
 * voices as seldom as possible.
 *
 * @throws VoiceUnavailableError when the engine does not speak the language, or has no voice for the name.
 */
export function engineVoice(names: VoiceNames, language: string, voice: string, engine: string): string {
  if (names.languages !== null && !names.languages.some((known) => isWithin(language, known))) {
    throw new VoiceUnavailableError(`${engine} is not set up to speak ${language}.`);
  }
  if (Object.hasOwn(names.own, voice)) return names.own[voice] ?? voice;
  const entry = VOICES.find(({ name }) => name === voice);
  const candidates = entry === undefined ? [] : names.byGender[entry.gender];
  const index = VOICES.filter(({ gender }) => gender === entry?.gender).findIndex(({ name }) => name === voice);
  const chosen = candidates[index % candidates.length];
  if (chosen === undefined) throw new VoiceUnavailableError(`${engine} has no voice for ${voice}.`);
  return chosen;
}

function isWithin(language: string, known: string): boolean {
  const [code, wanted] = [language.toLowerCase(), known.toLowerCase()];
  return code === wanted || code.startsWith(`${wanted}-`);
}
