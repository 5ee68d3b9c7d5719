import { LANGUAGES, VOICES, type VoiceGender } from "../../contract/choices.ts";
import { type Voice, VoiceUnavailableError } from "./voice.ts";

/** Which of an engine's own voices speak, and in which languages. */
export interface VoiceNames {
  /** The engine's voice for catalogue names; others take one of `byGender`. */
  readonly own: Readonly<Record<string, string>>;
  /** The engine's voices for names that have none of their own, in turn. */
  readonly byGender: { readonly female: readonly string[]; readonly male: readonly string[] };
  /** Codes (`en-US`) or families (`en`) that the engine speaks; `null`: whatever it is asked. */
  readonly languages: readonly string[] | null;
  /** Where each voice of the engine speaks one language: all of them, the best first. They stand in place of `byGender`. */
  readonly byLanguage?: readonly LanguageVoice[];
}

/** A voice that speaks one language. */
interface LanguageVoice {
  readonly id: string;
  /** What a person knows it by; absent where its id is all there is. */
  readonly name?: string;
  /** BCP-47 code; a language alone where no more is known. */
  readonly language: string;
  /** `null` where nobody says. */
  readonly gender: "female" | "male" | null;
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
  const isNone = names.byLanguage?.every((one) => familyOf(one.language) !== familyOf(language)) === true;
  if (isNone) throw new VoiceUnavailableError(`${engine} has no voice for ${language}.`);
  if (names.languages !== null && !names.languages.some((known) => isWithin(language, known))) {
    throw new VoiceUnavailableError(`${engine} is not set up to speak ${language}.`);
  }
  if (Object.hasOwn(names.own, voice)) return names.own[voice] ?? voice;
  const entry = VOICES.find(({ name }) => name === voice);
  const candidates = entry === undefined ? [] : candidatesOf(names, language, entry.gender);
  const index = VOICES.filter(({ gender }) => gender === entry?.gender).findIndex(({ name }) => name === voice);
  const chosen = candidates[index % candidates.length];
  if (chosen === undefined) throw new VoiceUnavailableError(`${engine} has no voice for ${voice}.`);
  return chosen;
}

/** The engine's voices of a gender in a language. A name keeps its voice as long as none is installed or removed. */
function candidatesOf(names: VoiceNames, language: string, gender: "female" | "male"): readonly string[] {
  if (names.byLanguage === undefined) return names.byGender[gender];
  const exact = names.byLanguage.filter((voice) => systemCode(voice.language) === systemCode(language));
  const family = names.byLanguage.filter((voice) => familyOf(voice.language) === familyOf(language));
  const speaking = exact.length > 0 ? exact : family;
  const fitting = speaking.filter((voice) => voice.gender === gender);
  const known = fitting.length > 0 ? fitting : speaking.filter((voice) => voice.gender === null);
  return (known.length > 0 ? known : speaking).map(({ id }) => id);
}

/** Codes of the interface that systems write otherwise. */
const SYSTEM_CODES: Readonly<Record<string, string>> = {
  "cmn-cn": "zh-cn",
  "yue-hk": "zh-hk",
  "nb-no": "no-no",
};

function systemCode(language: string): string {
  const code = language.toLowerCase();
  return SYSTEM_CODES[code] ?? code;
}

function familyOf(language: string): string {
  return systemCode(language).split("-")[0] ?? "";
}

function isWithin(language: string, known: string): boolean {
  const [code, wanted] = [language.toLowerCase(), known.toLowerCase()];
  return code === wanted || code.startsWith(`${wanted}-`);
}

/** A name of the voice catalogue with what it speaks on the configured voice. */
export interface CatalogueVoice {
  readonly name: string;
  readonly gender: VoiceGender;
  /** `false` for names that no source confirms to exist on the hosted service. */
  readonly isConfirmed: boolean;
  /** Language codes it speaks, in the interface's order. */
  readonly languages: readonly string[];
}

/** Every name of the catalogue, with the languages in which the voice speaks it. */
export function voiceCatalogue(voice: Voice): CatalogueVoice[] {
  return VOICES.map(({ name, gender, isConfirmed }) => ({
    name,
    gender,
    isConfirmed,
    languages: LANGUAGES.filter((language) => speaks(voice, language, name)),
  }));
}

function speaks(voice: Voice, language: string, name: string): boolean {
  try {
    voice.check(language, name);
    return true;
  } catch (error) {
    if (error instanceof VoiceUnavailableError) return false;
    throw error;
  }
}
