import type { Language } from "../../contract/choices.ts";
import { VoiceUnavailableError } from "./voice.ts";

/**
 * Who speaks for a name of the catalogue in a language.
 *
 * @throws VoiceUnavailableError where nobody does.
 */
export function espeakSpeaker(language: string, voice: string): { identifier: string; timbre: EspeakTimbre } {
  const entry: EspeakLanguage | undefined = Object.hasOwn(ESPEAK_LANGUAGES, language)
    ? // The guard above makes the key one of the table's own.
      ESPEAK_LANGUAGES[language as keyof typeof ESPEAK_LANGUAGES]
    : undefined;
  if (entry === undefined) throw new VoiceUnavailableError(`The built-in voices do not know the language ${language}.`);
  if ("unavailable" in entry) {
    throw new VoiceUnavailableError(
      `The built-in voices do not speak ${language}: ${entry.unavailable}. Use a speech server or a command for it.`,
    );
  }
  const timbre = Object.hasOwn(ESPEAK_TIMBRES, voice) ? ESPEAK_TIMBRES[voice] : undefined;
  if (timbre === undefined) throw new VoiceUnavailableError(`The built-in voices have none named ${voice}.`);
  return { identifier: entry.identifier, timbre };
}

/** How espeak-ng speaks a language code: with one of its voices, or not at all, and why. */
export type EspeakLanguage = { readonly identifier: string } | { readonly unavailable: string };

const speaks = (identifier: string): EspeakLanguage => ({ identifier });
const lacks = (unavailable: string): EspeakLanguage => ({ unavailable });

/**
 * The voice of espeak-ng behind each language code of the interface. Every entry was tried on a sentence and its phonemes
 * read (`test/engine/voice/espeak-languages.test.ts` repeats it): what is not pronounced as that language is not offered.
 * `en-AU`, `en-IN`, `fr-CA` and `nl-BE` have no voice of their own and take the nearest accent.
 */
export const ESPEAK_LANGUAGES: Readonly<Record<Language, EspeakLanguage>> = {
  "en-US": speaks("gmw/en-US"),
  "en-GB": speaks("gmw/en"),
  "en-AU": speaks("gmw/en"),
  "en-IN": speaks("gmw/en"),
  "es-ES": speaks("roa/es"),
  "es-US": speaks("roa/es-419"),
  "fr-FR": speaks("roa/fr"),
  "fr-CA": speaks("roa/fr"),
  "de-DE": speaks("gmw/de"),
  "it-IT": speaks("roa/it"),
  "pt-BR": speaks("roa/pt-BR"),
  "ja-JP": lacks("it knows kana only and reads each kanji as the English words “Chinese letter”"),
  "ko-KR": speaks("ko"),
  "cmn-CN": speaks("sit/cmn"),
  "ar-XA": lacks("it knows Arabic with all vowel marks only and leaves the vowels out of ordinary writing"),
  "hi-IN": speaks("inc/hi"),
  "bn-IN": speaks("inc/bn"),
  "da-DK": speaks("gmq/da"),
  "fi-FI": speaks("urj/fi"),
  "gu-IN": speaks("inc/gu"),
  "id-ID": speaks("poz/id"),
  "kn-IN": speaks("dra/kn"),
  "ml-IN": speaks("dra/ml"),
  "mr-IN": speaks("inc/mr"),
  "nb-NO": speaks("gmq/nb"),
  "nl-NL": speaks("gmw/nl"),
  "nl-BE": speaks("gmw/nl"),
  "pl-PL": speaks("zlw/pl"),
  "ru-RU": speaks("zle/ru"),
  "sv-SE": speaks("gmq/sv"),
  "sw-KE": speaks("bnt/sw"),
  "ta-IN": speaks("dra/ta"),
  "te-IN": speaks("dra/te"),
  "th-TH": lacks("its rules for Thai spell letters one by one and know neither vowel order nor tones"),
  "tr-TR": speaks("trk/tr"),
  "uk-UA": speaks("zle/uk"),
  "ur-IN": speaks("inc/ur"),
  "vi-VN": speaks("aav/vi"),
  "bg-BG": speaks("zls/bg"),
  "cs-CZ": speaks("zlw/cs"),
  "el-GR": speaks("grk/el"),
  "et-EE": speaks("urj/et"),
  "he-IL": lacks("it leaves the vowels out of Hebrew without points"),
  "hr-HR": speaks("zls/hr"),
  "hu-HU": speaks("urj/hu"),
  "lt-LT": speaks("bat/lt"),
  "lv-LV": speaks("bat/lv"),
  "ro-RO": speaks("roa/ro"),
  "sk-SK": speaks("zlw/sk"),
  "sl-SI": speaks("zls/sl"),
  "sr-RS": speaks("zls/sr"),
  "pa-IN": speaks("inc/pa"),
  "yue-HK": speaks("sit/yue"),
};

/** What makes a catalogue voice sound like itself on espeak-ng: the same in every language. */
export interface EspeakTimbre {
  /** Variant file of espeak-ng; its gender is the catalogue's. */
  readonly variant: string;
  /** 0 to 100; 50 is the variant's own pitch. */
  readonly pitch: number;
  /** Pitch range, 0 (monotone) to 100; 50 is the variant's own. */
  readonly range: number;
}

const timbre = (variant: string, pitch: number, range: number): EspeakTimbre => ({ variant, pitch, range });

/**
 * One timbre for each name of the voice catalogue: stable, and no two alike (mean pitch or brightness differ, measured by
 * `test/engine/voice/espeak-timbres.test.ts`). Variants that clip or distort at normal volume are left out.
 */
export const ESPEAK_TIMBRES: Readonly<Record<string, EspeakTimbre>> = {
  Achernar: timbre("f2", 45, 45),
  Aoede: timbre("f4", 54, 55),
  Autonoe: timbre("f1", 58, 45),
  Callirrhoe: timbre("f3", 42, 50),
  Despina: timbre("linda", 38, 50),
  Erinome: timbre("f5", 40, 45),
  Gacrux: timbre("grandma", 26, 35),
  Kore: timbre("f2", 62, 55),
  Laomedeia: timbre("f3", 60, 60),
  Leda: timbre("Annie", 32, 50),
  Pulcherrima: timbre("shelby", 48, 55),
  Sulafat: timbre("f4", 34, 40),
  Vindemiatrix: timbre("aunty", 42, 40),
  Zephyr: timbre("f1", 70, 60),
  Achird: timbre("m3", 58, 55),
  Algenib: timbre("m8", 50, 50),
  Algieba: timbre("m1", 50, 45),
  Alnilam: timbre("m5", 36, 55),
  Charon: timbre("m4", 26, 45),
  Enceladus: timbre("m2", 52, 45),
  Fenrir: timbre("Michael", 60, 60),
  Iapetus: timbre("m6", 60, 40),
  Orus: timbre("quincy", 58, 50),
  Puck: timbre("m3", 74, 65),
  Rasalgethi: timbre("Diogo", 42, 45),
  Sadachbia: timbre("m5", 68, 60),
  Sadaltager: timbre("Henrique", 54, 50),
  Schedar: timbre("max", 56, 25),
  Umbriel: timbre("victor", 44, 45),
  Zubenelgenubi: timbre("m7", 38, 45),
  Narrator: timbre("Lee", 50, 50),
};
