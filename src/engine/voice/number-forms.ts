/** What a language says for fractions. */
interface FractionWords {
  /** `1/2`, `1/3`, `2/3`, `1/4`, `3/4`. */
  readonly fractions: readonly [string, string, string, string, string];
  /** A half behind a whole number: `2 ½`. */
  readonly andHalf: string;
}

/** What a language says for all numbers that are written with marks. */
interface NumberWords extends FractionWords {
  /** One and many of each. */
  readonly currencies: Readonly<Record<string, readonly [one: string, many: string]>>;
  readonly months: readonly string[];
  /** A day of a month in a year. */
  readonly date: (day: number, month: string, year: string) => string;
}

const ROMANCE_DATE = (day: number, month: string, year: string) => `${day} de ${month} de ${year}`;

/** English has forms of its own for all else (`english-forms.ts`). */
const ENGLISH_FRACTIONS: FractionWords = {
  fractions: ["one half", "one third", "two thirds", "one quarter", "three quarters"],
  andHalf: "and a half",
};

/** By first part of the language code. */
const NUMBER_WORDS: Readonly<Record<string, NumberWords>> = {
  de: {
    fractions: ["ein halb", "ein Drittel", "zwei Drittel", "ein Viertel", "drei Viertel"],
    andHalf: "einhalb",
    currencies: { "€": ["Euro", "Euro"], $: ["Dollar", "Dollar"], "£": ["Pfund", "Pfund"], "¥": ["Yen", "Yen"] },
    months: ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"],
    date: (day, month, year) => `${day}. ${month} ${year}`,
  },
  fr: {
    fractions: ["un demi", "un tiers", "deux tiers", "un quart", "trois quarts"],
    andHalf: "et demi",
    currencies: { "€": ["euro", "euros"], $: ["dollar", "dollars"], "£": ["livre", "livres"], "¥": ["yen", "yens"] },
    months: ["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"],
    date: (day, month, year) => `${day === 1 ? "premier" : day} ${month} ${year}`,
  },
  es: {
    fractions: ["un medio", "un tercio", "dos tercios", "un cuarto", "tres cuartos"],
    andHalf: "y medio",
    currencies: { "€": ["euro", "euros"], $: ["dólar", "dólares"], "£": ["libra", "libras"], "¥": ["yen", "yenes"] },
    months: ["enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"],
    date: ROMANCE_DATE,
  },
  it: {
    fractions: ["un mezzo", "un terzo", "due terzi", "un quarto", "tre quarti"],
    andHalf: "e mezzo",
    currencies: { "€": ["euro", "euro"], $: ["dollaro", "dollari"], "£": ["sterlina", "sterline"], "¥": ["yen", "yen"] },
    months: ["gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre"],
    date: (day, month, year) => `${day === 1 ? "primo" : day} ${month} ${year}`,
  },
  pt: {
    fractions: ["um meio", "um terço", "dois terços", "um quarto", "três quartos"],
    andHalf: "e meio",
    currencies: { "€": ["euro", "euros"], $: ["dólar", "dólares"], "£": ["libra", "libras"], "¥": ["iene", "ienes"] },
    months: ["janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"],
    date: ROMANCE_DATE,
  },
  nl: {
    fractions: ["een half", "een derde", "twee derde", "een kwart", "drie kwart"],
    andHalf: "en een half",
    currencies: { "€": ["euro", "euro"], $: ["dollar", "dollar"], "£": ["pond", "pond"], "¥": ["yen", "yen"] },
    months: ["januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober", "november", "december"],
    date: (day, month, year) => `${day} ${month} ${year}`,
  },
}; // biome-ignore format: a table reads better in rows

const FRACTIONS = ["1/2", "1/3", "2/3", "1/4", "3/4"];
const FRACTION_SIGNS = "½⅓⅔¼¾";

/**
 * Fractions, money, dates in figures and ranges as the language says them; text in another language comes back as it was.
 *
 * @param to The word between the ends of a range.
 */
export function spellNumberForms(text: string, family: string, to: string): string {
  if (family === "en") return spellFractions(text, ENGLISH_FRACTIONS);
  const words = NUMBER_WORDS[family];
  if (words === undefined) return text;
  const spoken = spellDates(spellMoney(spellFractions(text, words), words), words);
  return spoken.replace(/(?<=\d)\s*[-–—]\s*(?=\d)/g, ` ${to} `);
}

function spellFractions(text: string, { fractions, andHalf }: FractionWords): string {
  return text
    .replace(/(?<=(?<![\d.,])\d{1,3}) ?½|(?<=(?<![\d.,])\d{1,3}) 1\/2(?![\d/])/g, ` ${andHalf}`)
    .replace(/[½⅓⅔¼¾]/g, (sign) => ` ${fractions[FRACTION_SIGNS.indexOf(sign)] ?? sign} `)
    .replace(/(?<![\d/.,]|\d )([123]\/[234])(?![\d/])/g, (found) => fractions[FRACTIONS.indexOf(found)] ?? found);
}

const AMOUNT = "(\\d{1,3}(?:\\.\\d{3})+|\\d+)(?:,(\\d{1,2}))?";

function spellMoney(text: string, { currencies }: NumberWords): string {
  const signs = Object.keys(currencies).join("");
  const said = (sign: string, whole: string, decimals = "") => {
    const [one, many] = currencies[sign] ?? ["", ""];
    if (decimals.length === 1) return `${whole},${decimals} ${many}`;
    const name = whole === "1" ? one : many;
    return Number(decimals) === 0 ? `${whole} ${name}` : `${whole} ${name} ${Number(decimals)}`;
  };
  return text
    .replace(new RegExp(`([${signs}]) ?${AMOUNT}(?!\\d)`, "g"), (_, sign, whole, decimals) =>
      said(sign, whole, decimals),
    )
    .replace(new RegExp(`(?<![\\d.,])${AMOUNT}[ \\u00a0\\u202f]?([${signs}])`, "g"), (_, whole, decimals, sign) =>
      said(sign, whole, decimals),
    )
    .replace(
      new RegExp(`[ \\u00a0\\u202f]?([${signs}])`, "g"),
      (_, sign: string) => ` ${currencies[sign]?.[1] ?? sign} `,
    );
}

function spellDates(text: string, { months, date }: NumberWords): string {
  const said = (written: string, day: string, month: string, year: string) => {
    const name = months[Number(month) - 1];
    return name === undefined || Number(day) < 1 || Number(day) > 31 ? written : date(Number(day), name, year);
  };
  return text
    .replace(/(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])/g, (written, year, month, day) =>
      said(written, day, month, year),
    )
    .replace(/(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?![\d/-])/g, (written, day, _, month, year) =>
      said(written, day, month, year),
    );
}

/** Value of a Roman numeral up to 39. */
export function arabic(roman: string): number {
  const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10 };
  let sum = 0;
  for (const [index, letter] of [...roman].entries()) {
    const value = values[letter] ?? 0;
    const next = values[roman[index + 1] ?? ""] ?? 0;
    sum += value < next ? -value : value;
  }
  return sum;
}

/** 1 to 39 in Roman letters, as a part of a pattern. */
export const ROMAN = "(?:X{1,3}(?:IX|IV|V?I{0,3})|IX|IV|VI{0,3}|I{1,3})";
