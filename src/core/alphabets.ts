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
