/** What people call the languages of the interface, by BCP-47 code. */
const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  "ar-XA": "Arabic",
  "bg-BG": "Bulgarian",
  "bn-IN": "Bengali (India)",
  "cmn-CN": "Chinese (Mandarin)",
  "cs-CZ": "Czech",
  "da-DK": "Danish",
  "de-DE": "German",
  "el-GR": "Greek",
  "en-AU": "English (Australia)",
  "en-GB": "English (United Kingdom)",
  "en-IN": "English (India)",
  "en-US": "English (United States)",
  "es-ES": "Spanish (Spain)",
  "es-US": "Spanish (United States)",
  "et-EE": "Estonian",
  "fi-FI": "Finnish",
  "fr-CA": "French (Canada)",
  "fr-FR": "French (France)",
  "gu-IN": "Gujarati",
  "he-IL": "Hebrew",
  "hi-IN": "Hindi",
  "hr-HR": "Croatian",
  "hu-HU": "Hungarian",
  "id-ID": "Indonesian",
  "it-IT": "Italian",
  "ja-JP": "Japanese",
  "kn-IN": "Kannada",
  "ko-KR": "Korean",
  "lt-LT": "Lithuanian",
  "lv-LV": "Latvian",
  "ml-IN": "Malayalam",
  "mr-IN": "Marathi",
  "nb-NO": "Norwegian (Bokmål)",
  "nl-BE": "Dutch (Belgium)",
  "nl-NL": "Dutch (Netherlands)",
  "pa-IN": "Punjabi (India)",
  "pl-PL": "Polish",
  "pt-BR": "Portuguese (Brazil)",
  "ro-RO": "Romanian",
  "ru-RU": "Russian",
  "sk-SK": "Slovak",
  "sl-SI": "Slovenian",
  "sr-RS": "Serbian",
  "sv-SE": "Swedish",
  "sw-KE": "Swahili (Kenya)",
  "ta-IN": "Tamil (India)",
  "te-IN": "Telugu",
  "th-TH": "Thai",
  "tr-TR": "Turkish",
  "uk-UA": "Ukrainian",
  "ur-IN": "Urdu (India)",
  "vi-VN": "Vietnamese",
  "yue-HK": "Chinese (Cantonese)",
};

/** What people call languages that only voices of this computer speak. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ca: "Catalan",
  cy: "Welsh",
  fa: "Persian",
  is: "Icelandic",
  ka: "Georgian",
  kk: "Kazakh",
  ne: "Nepali",
};

/** What people call a language; its code where none is known. */
export function languageName(code: string): string {
  if (LANGUAGE_NAMES[code] !== undefined || code.includes("-")) return LANGUAGE_NAMES[code] ?? code;
  // A language alone is called as it is without the places where it is spoken.
  const spoken = Object.keys(LANGUAGE_NAMES).find((one) => one.split("-")[0] === (OTHER_CODES[code] ?? code));
  return spoken === undefined ? (OTHER_NAMES[code] ?? code) : (LANGUAGE_NAMES[spoken] ?? code).replace(/ \(.*\)$/, "");
}

/** Codes of languages that the interface calls otherwise. */
const OTHER_CODES: Readonly<Record<string, string>> = { zh: "cmn", no: "nb" };
