/** ISO 639-2/T codes of the interface's languages, by the first subtag of their BCP-47 codes. */
const BY_SUBTAG: Readonly<Record<string, string>> = {
  ar: "ara", bg: "bul", bn: "ben", cmn: "zho", cs: "ces", da: "dan", de: "deu", el: "ell", en: "eng", es: "spa",
  et: "est", fi: "fin", fr: "fra", gu: "guj", he: "heb", hi: "hin", hr: "hrv", hu: "hun", id: "ind", it: "ita",
  ja: "jpn", kn: "kan", ko: "kor", lt: "lit", lv: "lav", ml: "mal", mr: "mar", nb: "nob", nl: "nld", pa: "pan",
  pl: "pol", pt: "por", ro: "ron", ru: "rus", sk: "slk", sl: "slv", sr: "srp", sv: "swe", sw: "swa", ta: "tam",
  te: "tel", th: "tha", tr: "tur", uk: "ukr", ur: "urd", vi: "vie", yue: "zho",
}; // biome-ignore format: a table reads better in rows

/** The three-letter code by which media files name a track's language; `und` for one that is not known here. */
export function trackLanguage(bcp47: string): string {
  return BY_SUBTAG[bcp47.split("-")[0] ?? ""] ?? "und";
}
