import type { Language } from "../../contract/languages.ts";

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
