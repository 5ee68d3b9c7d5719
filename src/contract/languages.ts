/** The 38 language codes the interface lists. */
export const LISTED_LANGUAGES = [
  "en-US", "en-GB", "en-AU", "en-IN", "es-ES", "es-US", "fr-FR", "fr-CA", "de-DE", "it-IT", "pt-BR", "ja-JP", "ko-KR",
  "cmn-CN", "ar-XA", "hi-IN", "bn-IN", "da-DK", "fi-FI", "gu-IN", "id-ID", "kn-IN", "ml-IN", "mr-IN", "nb-NO", "nl-NL",
  "nl-BE", "pl-PL", "ru-RU", "sv-SE", "sw-KE", "ta-IN", "te-IN", "th-TH", "tr-TR", "uk-UA", "ur-IN", "vi-VN",
] as const; // biome-ignore format: a table reads better in rows

/**
 * The 15 codes that the interface counts (53 in all) but does not name. Unconfirmed: inferred from the vendor whose
 * voices carry the default voice's name. Taken by our service; shown as suggestions by clients.
 */
export const SUGGESTED_LANGUAGES = [
  "bg-BG", "cs-CZ", "el-GR", "et-EE", "he-IL", "hr-HR", "hu-HU", "lt-LT", "lv-LV", "ro-RO", "sk-SK", "sl-SI", "sr-RS",
  "pa-IN", "yue-HK",
] as const; // biome-ignore format: a table reads better in rows

/** All 53 language codes. */
export const LANGUAGES = [...LISTED_LANGUAGES, ...SUGGESTED_LANGUAGES] as const;

/** A language code our service takes. */
export type Language = (typeof LANGUAGES)[number];

/** The default of every endpoint. */
export const DEFAULT_LANGUAGE = "en-US" satisfies Language;
