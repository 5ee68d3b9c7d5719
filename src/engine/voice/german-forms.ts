import { arabic, ROMAN } from "./number-forms.ts";

const ONES = ["", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"];
const TENS = ["", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"];

/** 1 to 99 in words. */
function cardinal(number: number): string {
  if (number <= 12) return ONES[number] ?? "";
  if (number < 20) return `${["drei", "vier", "fünf", "sech", "sieb", "acht", "neun"][number - 13] ?? ""}zehn`;
  const [ten, one] = [TENS[Math.floor(number / 10)] ?? "", ONES[number % 10] ?? ""];
  return one === "" ? ten : `${one}und${ten}`;
}

/** 1 to 99 in order, without its ending: `dritt`, `achtzehnt`, `zwanzigst`. */
function ordinalStem(number: number): string {
  const odd: Readonly<Record<number, string>> = { 1: "erst", 3: "dritt", 7: "siebt", 8: "acht" };
  return odd[number] ?? `${cardinal(number)}${number < 20 ? "t" : "st"}`;
}

const MONTHS = "Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember";
/** What is counted with an ordinal, by gender. */
const MASCULINE = `${MONTHS}|Advent|Akt|Gang|Geburtstag|Rang|Platz|Stock|Tag|Teil|Weltkrieg`;
const FEMININE = "Etage|Halbzeit|Klasse|Reihe|Runde|Stufe|Szene|Woche";
const NEUTER = "Bild|Jahrhundert|Kapitel|Mal|Stockwerk";

const ORDINAL = new RegExp(
  `(?:(?<=(?<!\\p{L})(am|beim|dem|den|des|im|vom|zum|zur)\\s)|(?<=(?<!\\p{L})(das|der|die)\\s)|(?<![\\d.,]))(\\d{1,2})\\. (?=(?:(${FEMININE})|(${NEUTER})|(?:${MASCULINE}))(?!\\p{L}))`,
  "giu",
);

const YEAR = new RegExp(
  `(?<=(?<!\\p{L})(?:Jahr|Jahre|Jahren|Jahres|seit|anno|ab|bis|von|vor|nach|um|und|Anfang|Mitte|Ende|Frühjahr|Frühling|Sommer|Herbst|Winter|${MONTHS})\\s)(1[1-9])(\\d{2})(?![\\d.,:]\\d|\\d)`,
  "giu",
);

const RULERS =
  "Albrecht|Alexander|August|Benedikt|Eduard|Ferdinand|Franz|Friedrich|Friedrich Wilhelm|Georg|Heinrich|Iwan|Jakob|Johannes Paul|Joseph|Karl|Leo|Leopold|Ludwig|Maximilian|Napoleon|Nikolaus|Otto|Paul|Philipp|Pius|Ramses|Richard|Rudolf|Wilhelm";
const QUEENS = "Elisabeth|Katharina|Margarethe|Maria";
const REGNAL = new RegExp(`(?<!\\p{L})(?:(${RULERS})|(${QUEENS})) (${ROMAN})(?!\\p{L})(\\.?)`, "gu");
const NUMBERED = new RegExp(`(?<!\\p{L})(Akt|Band|Buch|Kapitel|Szene|Teil) (${ROMAN})(?!\\p{L})`, "gu");

/** Writes out what German says differently from how it is written: times of day, ordinals, years, Roman numerals. */
export function spellGermanForms(text: string): string {
  return text
    .replace(/(?<![\d:.])0?(\d{1,2})[:.](\d{2}) ?Uhr(?!\p{L})/gu, (_, hour: string, minute: string) =>
      Number(minute) === 0 ? `${hour} Uhr` : `${hour} Uhr ${Number(minute)}`,
    )
    .replace(ORDINAL, (_, oblique?: string, direct?: string, number = "", feminine?: string, neuter?: string) => {
      const bare = feminine !== undefined ? "e" : neuter !== undefined ? "es" : "er";
      return `${ordinalStem(Number(number))}${oblique !== undefined ? "en" : direct !== undefined ? "e" : bare} `;
    })
    .replace(/(?<!\d)(1[1-9])(\d0)er(n?)(?!\p{L})/gu, (_, century, decade, n) => `${year(century, decade)}er${n}`)
    .replace(YEAR, (_, century: string, rest: string) => year(century, rest))
    .replace(
      REGNAL,
      (_, king: string | undefined, queen: string | undefined, roman: string, point: string, ...more) => {
        const stem = ordinalStem(arabic(roman));
        const title = `${stem.charAt(0).toUpperCase()}${stem.slice(1)}e`;
        // The point belongs to the number, and where the text ends there, to the sentence too.
        const [at, whole] = more.filter((one) => typeof one !== "object") as [number, string];
        const isEnd = point !== "" && whole.slice(at).trimEnd().endsWith(`${roman}.`);
        return `${king ?? queen} ${king === undefined ? "die" : "der"} ${title}${isEnd ? "." : ""}`;
      },
    )
    .replace(NUMBERED, (_, kind: string, roman: string) => `${kind} ${arabic(roman)}`)
    .replace(/(?<=\p{Ll}{2})str\.(?=\s|$)/gu, "straße");
}

function year(century: string, rest: string): string {
  return `${cardinal(Number(century))}hundert${cardinal(Number(rest))}`;
}
