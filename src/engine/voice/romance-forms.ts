import { arabic, ROMAN } from "./number-forms.ts";

const FRENCH_ORDINALS = [
  ...["", "premier", "deuxième", "troisième", "quatrième", "cinquième", "sixième", "septième", "huitième", "neuvième"],
  ...["dixième", "onzième", "douzième", "treizième", "quatorzième", "quinzième", "seizième", "dix-septième"],
  ...["dix-huitième", "dix-neuvième", "vingtième", "vingt et unième"],
];

/** A number in order; in figures where it is rarely written so. */
function frenchOrdinal(number: number): string {
  return FRENCH_ORDINALS[number] ?? `${number}ème`;
}

const FRENCH_RULERS =
  "Alexandre|Benoît|Catherine|Charles|Édouard|Edouard|Élisabeth|Elisabeth|François|Frédéric|Georges|Guillaume|Henri|Jacques|Jean|Jean-Paul|Léon|Louis|Napoléon|Nicolas|Paul|Philippe|Pie|Ramsès|Richard";
const FRENCH_FIRST = new RegExp(`(?<=(?<!\\p{L})(?:${FRENCH_RULERS}) )I(er|re|ère)(?!\\p{L})`, "gu");
const FRENCH_REGNAL = new RegExp(`(?<=(?<!\\p{L})(?:${FRENCH_RULERS}) )(${ROMAN})(?!\\p{L})`, "gu");
const FRENCH_NUMBERED = new RegExp(
  `(?<=(?<!\\p{L})(?:acte|chapitre|épisode|livre|partie|scène|tome|volume) )(${ROMAN})(?!\\p{L})`,
  "giu",
);
const FRENCH_CENTURY = new RegExp(`(?<!\\p{L})(${ROMAN})(?:e|er|ème|è)(?= siècles?)`, "gu");

/** Writes out what French says differently from how it is written: hours, ordinals, Roman numerals. */
export function spellFrenchForms(text: string): string {
  return text
    .replace(/(?<![\d,.:])0?(\d{1,2}) ?h(?: ?(\d{2}))?(?![\p{L}\d/])/gu, (_, hour: string, minute?: string) => {
      const hours = `${hour} ${hour === "1" ? "heure" : "heures"}`;
      return minute === undefined || Number(minute) === 0 ? hours : `${hours} ${Number(minute)}`;
    })
    .replace(FRENCH_FIRST, (_, ending: string) => (ending === "er" ? "premier" : "première"))
    .replace(FRENCH_CENTURY, (_, roman: string) => frenchOrdinal(arabic(roman)))
    .replace(FRENCH_REGNAL, (_, roman: string) => (roman === "I" ? "premier" : String(arabic(roman))))
    .replace(FRENCH_NUMBERED, (_, roman: string) => String(arabic(roman)))
    .replace(/(?<![\p{L}\d])([1-9]\d?)(?:e|è|ème)(?=\s)/gu, (_, number: string) => frenchOrdinal(Number(number)));
}

const SPANISH_ORDINALS = [
  "",
  "primer",
  "segund",
  "tercer",
  "cuart",
  "quint",
  "sext",
  "séptim",
  "octav",
  "noven",
  "décim",
];
const KINGS =
  "Alfonso|Benedicto|Carlos|Enrique|Felipe|Fernando|Jaime|Jorge|Juan|Juan Carlos|Juan Pablo|León|Luis|Napoleón|Pablo|Pedro|Pío|Ramsés|Ricardo|Sancho";
const QUEENS = "Catalina|Isabel|María";
const SPANISH_REGNAL = new RegExp(`(?<!\\p{L})(?:(${KINGS})|(${QUEENS})) (${ROMAN})(?!\\p{L})`, "gu");
const SPANISH_NUMBERED = new RegExp(
  `(?<=(?<!\\p{L})(?:acto|capítulo|episodio|escena|libro|parte|siglo|tomo|volumen) )(${ROMAN})(?!\\p{L})`,
  "giu",
);

/** Writes out what Spanish says differently from how it is written: ordinals, Roman numerals, streets. */
export function spellSpanishForms(text: string): string {
  return text
    .replace(/(?<!\d)([13])\.?º(?= \p{Ll})/gu, (_, number: string) => (number === "1" ? "primer" : "tercer"))
    .replace(/(?<!\d)(\d{1,2})\.?([ºª])(?!\p{L})/gu, (written, number: string, sign: string) => {
      const stem = SPANISH_ORDINALS[Number(number)] ?? "";
      return stem === "" ? written.replace(".", "") : `${stem}${sign === "ª" ? "a" : "o"}`;
    })
    .replace(/(?<!\p{L})[Cc]\/ ?(?=\p{Lu})/gu, "calle ")
    .replace(SPANISH_REGNAL, (_, king: string | undefined, queen: string | undefined, roman: string) => {
      const number = arabic(roman);
      const stem = SPANISH_ORDINALS[number] ?? "";
      return `${king ?? queen} ${stem === "" ? number : `${stem}${king === undefined ? "a" : "o"}`}`;
    })
    .replace(SPANISH_NUMBERED, (_, roman: string) => String(arabic(roman)));
}
