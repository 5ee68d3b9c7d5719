import { LANGUAGES } from "../../contract/languages.ts";
import { VOICES, type VoiceGender } from "../../contract/voices.ts";
import type { Voice } from "./voice.ts";
import { VoiceUnavailableError } from "./voice-unavailable-error.ts";

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
