/** Scripts, by the names that Unicode has for them, of what ISO 15924 names by four letters; others have one name of their own there. */
const SCRIPTS_BY_CODE: Readonly<Record<string, readonly string[]>> = {
  Latn: ["Latin"], Cyrl: ["Cyrillic"], Grek: ["Greek"], Arab: ["Arabic"], Hebr: ["Hebrew"], Deva: ["Devanagari"],
  Beng: ["Bengali"], Gujr: ["Gujarati"], Guru: ["Gurmukhi"], Taml: ["Tamil"], Telu: ["Telugu"], Knda: ["Kannada"],
  Mlym: ["Malayalam"], Thai: ["Thai"], Hans: ["Han"], Hant: ["Han"], Jpan: ["Han", "Hiragana", "Katakana"],
  Kore: ["Hangul", "Han"], Geor: ["Georgian"], Armn: ["Armenian"],
}; // biome-ignore format: a table reads better in rows

const PATTERNS = new Map(
  [...new Set(Object.values(SCRIPTS_BY_CODE).flat())].map((script) => [
    script,
    new RegExp(`\\p{Script_Extensions=${script}}`, "u"),
  ]),
);

/** The scripts that a language is written in, the one that counts first; empty for a language that is not known. Serbian is written in two. */
export function scriptsOf(language: string): readonly string[] {
  const subtag = language.split("-")[0] ?? "";
  try {
    const { script = "" } = new Intl.Locale(subtag === "cmn" ? "zh" : subtag).maximize();
    const scripts = SCRIPTS_BY_CODE[script] ?? [];
    return subtag === "sr" ? [...scripts, "Latin"] : scripts;
  } catch {
    return [];
  }
}

/** How many letters of each script stand in a text. A letter that several scripts share counts for the first. */
export function lettersByScript(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const letter of text.match(/\p{L}/gu) ?? []) {
    const script = scriptOf(letter);
    if (script !== null) counts.set(script, (counts.get(script) ?? 0) + 1);
  }
  return counts;
}

function scriptOf(letter: string): string | null {
  for (const [script, pattern] of PATTERNS) if (pattern.test(letter)) return script;
  return null;
}

/** Letters that languages have beside those of their script that nearly all of these have: a–z, а–ш, and the letters of Arabic. */
const MORE_LETTERS: Readonly<Record<string, string>> = {
  en: "", de: "äöüß", fr: "àâæçéèêëîïôœùûüÿ", es: "áéíñóúü", pt: "áâãàçéêíóôõúü", it: "àèéìíîòóùú", nl: "áéèëíïóöúü",
  da: "æøåé", nb: "æøåéèêóòô", sv: "åäöé", fi: "äöåšž", et: "äöõüšž", hu: "áéíóöőúüű", pl: "ąćęłńóśźż",
  cs: "áčďéěíňóřšťúůýž", sk: "áäčďéíĺľňóôŕšťúýž", sl: "čšž", hr: "čćđšž", ro: "ăâîșțşţ", lt: "ąčęėįšųūž",
  lv: "āčēģīķļņšūž", tr: "çğıöşüâîû", id: "é", sw: "",
  vi: "àáảãạăằắẳẵặâầấẩẫậèéẻẽẹêềếểễệìíỉĩịòóỏõọôồốổỗộơờớởỡợùúủũụưừứửữựỳýỷỹỵđ",
  ru: "йщъыьэюяё", uk: "йщьюяіїєґ", bg: "йщъьюя", sr: "ђјљњћџčćđšž", ar: "", ur: "ٹڈڑںےۓہھۂگچپژکیۃ",
}; // biome-ignore format: a table reads better in rows

/** Letters that the languages of a script have in common. */
const COMMON = /^[a-zа-зик-ш\u0620-\u0652]$/u;

/** Whether a language has a letter, by the first subtag of its code; `null` for one whose alphabet is not known here. */
export function hasLetter(language: string, letter: string): boolean | null {
  const more = MORE_LETTERS[language];
  if (more === undefined) return null;
  const small = letter.toLowerCase().normalize("NFC");
  return COMMON.test(small) || more.includes(small);
}
