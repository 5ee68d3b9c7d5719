/** Codes of the interface that the runtime knows by another one. */
const KNOWN_AS: Readonly<Record<string, string>> = { "cmn-CN": "zh-CN", cmn: "zh", "ar-XA": "ar" };

/** What a language is called in English; the code itself where the runtime knows no name. */
export function languageName(code: string): string {
  return new Intl.DisplayNames(["en"], { type: "language" }).of(KNOWN_AS[code] ?? code) ?? code;
}

/** In which language, or in which letters, a text is that is not in the one ordered, see `otherLanguage`. */
export function otherLanguageName(other: string): string {
  return /^[A-Z]/.test(other) ? lettersName(other) : languageName(other);
}

/** What the letters of a script are called. */
export function lettersName(script: string): string {
  return script === "Han" ? "Chinese characters" : `${script} letters`;
}
