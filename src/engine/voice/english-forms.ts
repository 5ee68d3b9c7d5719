import { arabic, ROMAN } from "./number-forms.ts";

/** Names of rulers and popes after which a Roman numeral is an ordinal. */
const REGNAL =
  "Alexander|Benedict|Catherine|Charles|Edward|Elizabeth|Frederick|George|Gregory|Henry|Ivan|James|John|John Paul|Leo|Louis|Napoleon|Nicholas|Paul|Philip|Pius|Ramses|Richard|William";

/** What is numbered in Roman letters, even by a single one. */
const NUMBERED = "Act|Book|Chapter|Episode|Part|Phase|Scene|Volume|World War";

const CURRENCIES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  $: ["dollar", "dollars"],
  "£": ["pound", "pounds"],
  "€": ["euro", "euros"],
  "¥": ["yen", "yen"],
};

/** Hundredths of a currency, where less than one is said in them. */
const CENTS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  $: ["cent", "cents"],
  "£": ["penny", "pence"],
  "€": ["cent", "cents"],
};

/** Letters that stand for a scale behind money. */
const SCALES: Readonly<Record<string, string>> = {
  k: "thousand",
  m: "million",
  mn: "million",
  b: "billion",
  bn: "billion",
  tn: "trillion",
};

const MONTHS = [
  "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
  "December",
] as const; // biome-ignore format: a table reads better in rows

/** Words after which four digits are a year. */
const BEFORE_YEARS = `in|since|from|until|till|by|circa|around|before|after|during|early|late|${MONTHS.join("|")}`;

const YEAR_AFTER_WORD = new RegExp(`\\b(${BEFORE_YEARS}) (1[1-9])([1-9]\\d)(?![\\d.,]\\d|\\d)`, "gi");
const NUMBERED_ROMAN = new RegExp(`\\b(${NUMBERED}) (${ROMAN})\\b`, "g");
const REGNAL_ROMAN = new RegExp(`\\b(${REGNAL}) (${ROMAN})\\b`, "g");
const ROMAN_AFTER_NAME = new RegExp(`(?<=\\p{Lu}\\p{Ll}+ )(?=[IVX]{2})${ROMAN}\\b`, "gu");

/**
 * Writes out what English says differently from how it is written: money, years, dates, times of day, ranges, scores,
 * titles, Roman numerals. Whole and decimal numbers and ordinals stay as they are: every engine reads them.
 */
export function spellEnglishForms(text: string, isAmerican: boolean): string {
  return text
    .replace(/(?<![\w/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\w/])/g, (written, a, b, year) =>
      spokenDate(written, Number(isAmerican ? a : b), Number(isAmerican ? b : a), year, isAmerican),
    )
    .replace(/(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])/g, (written, year, month, day) =>
      spokenDate(written, Number(month), Number(day), year, isAmerican),
    )
    .replace(/(?<=[$£€¥]\d[\d,.]*) ?(k|mn?|bn?|tn)\b/gi, (_, scale: string) => ` ${SCALES[scale.toLowerCase()]}`)
    .replace(
      /([$£€¥])(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(?!\d)( (?:hundred|thousand|million|billion|trillion)\b)?/g,
      spokenMoney,
    )
    .replace(/(?<!\d)24\/7(?![\d/])/g, "24 7")
    .replace(/(?<![\d/])9\/11(?![\d/])/g, "9 11")
    .replace(/(?<![\d:.])(\d{1,2})\.(\d{2}) ?([ap])\.?m\b/gi, "$1:$2 $3m")
    .replace(/(?<![\d:.])(\d{1,2}):00(?![\d:])(?= ?[ap]\.?m\b| ?A M| ?P M)/gi, "$1")
    .replace(/(?<![\d:.])0?([1-9]|1[0-2]):00(?![\d:])/g, "$1 o'clock")
    .replace(/(?<![\d:.])(\d{1,2}):0([1-9])(?![\d:])/g, "$1 oh $2")
    .replace(/(?<!\d)(1[1-9])00s(?!\w)/g, "$1 hundreds")
    .replace(/(?<!\d)(1[1-9])(\d0)s(?!\w)/g, (_, century, decade) => `${century} ${decadeName(decade)}`)
    .replace(/(?<=\d)\s*[-–—]\s*(?=\d)/g, " to ")
    .replace(YEAR_AFTER_WORD, "$1 $2 $3")
    .replace(/(?<=\b1[1-9] [1-9]\d (?:to|and|or) )(1[1-9])([1-9]\d)(?![\d.,]\d|\d)/g, "$1 $2")
    .replace(/(?<![\d:])(\d{1,2}):(\d)(?![\d:])/g, "$1 to $2")
    .replace(/\bN[oO]\. ?(?=\d)/g, "number ")
    .replace(/(?<=\b(?:feet|foot) \d{1,2}) ?in\b\.?/g, " inches")
    .replace(/#(?=\d)/g, "number ")
    .replace(/\bSt\. (?=\p{Lu})/gu, "Saint ")
    .replace(/(?<=\p{Lu}\p{Ll}+ )St\./gu, "Street")
    .replace(/\bDr\. (?=\p{Lu})/gu, "Doctor ")
    .replace(/(?<=\p{Lu}\p{Ll}+ )Dr\./gu, "Drive")
    .replace(REGNAL_ROMAN, (_, name, roman) => `${name} the ${ordinal(arabic(roman))}`)
    .replace(NUMBERED_ROMAN, (_, kind, roman) => `${kind} ${arabic(roman)}`)
    .replace(ROMAN_AFTER_NAME, (roman) => String(arabic(roman)));
}

function spokenMoney(_: string, sign: string, whole: string, decimals = "", scale = ""): string {
  const [one, many] = CURRENCIES[sign] ?? ["", ""];
  if (scale !== "" || (decimals !== "" && decimals.length !== 2)) {
    return `${whole}${decimals === "" ? "" : `.${decimals}`}${scale} ${many}`;
  }
  const hundredths = CENTS[sign];
  if (whole === "0" && Number(decimals) > 0 && hundredths !== undefined) {
    return `${Number(decimals)} ${hundredths[Number(decimals) === 1 ? 0 : 1]}`;
  }
  const spoken = `${whole} ${whole === "1" ? one : many}`;
  return Number(decimals) === 0 ? spoken : `${spoken} ${Number(decimals)}`;
}

function spokenDate(written: string, month: number, day: number, year: string, isAmerican: boolean): string {
  const name = MONTHS[month - 1];
  if (name === undefined || day < 1 || day > 31) return written.replaceAll("/", " ");
  return isAmerican ? `${name} ${ordinal(day)}, ${year}` : `the ${ordinal(day)} of ${name}, ${year}`;
}

function decadeName(decade: string): string {
  const names = ["tens", "twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"];
  return names[Number(decade) / 10 - 1] ?? decade;
}

/** A day, or the number of a king: below 100. */
function ordinal(number: number): string {
  const suffix = number >= 11 && number <= 13 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${suffix}`;
}
