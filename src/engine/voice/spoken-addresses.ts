/** Words for what stands in addresses, numbers and ranges, in one language. */
export interface MarkWords {
  readonly dot: string;
  readonly slash: string;
  readonly at: string;
  readonly hashtag: string;
  readonly plus: string;
  /** Between the ends of a range of numbers. */
  readonly to: string;
}

/** By first part of the language code; languages that are not here keep the marks. */
export const MARK_WORDS: Readonly<Record<string, MarkWords>> = {
  en: { dot: "dot", slash: "slash", at: "at", hashtag: "hashtag", plus: "plus", to: "to" },
  de: { dot: "Punkt", slash: "Schrägstrich", at: "at", hashtag: "Hashtag", plus: "plus", to: "bis" },
  fr: { dot: "point", slash: "slash", at: "arobase", hashtag: "hashtag", plus: "plus", to: "à" },
  es: { dot: "punto", slash: "barra", at: "arroba", hashtag: "hashtag", plus: "más", to: "a" },
  it: { dot: "punto", slash: "barra", at: "chiocciola", hashtag: "hashtag", plus: "più", to: "a" },
  pt: { dot: "ponto", slash: "barra", at: "arroba", hashtag: "hashtag", plus: "mais", to: "a" },
  nl: { dot: "punt", slash: "slash", at: "apenstaartje", hashtag: "hashtag", plus: "plus", to: "tot" },
};

const DOMAIN =
  "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?(?:\\.[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?)+";
const WEB_ADDRESS = new RegExp(
  `(?:https?:\\/\\/|(?<![\\p{L}\\p{N}@.])www\\.)(${DOMAIN})((?:[/?#][^\\s,;"'()<>]*)?)`,
  "giu",
);
const MAIL_ADDRESS = new RegExp(`(?<![\\p{L}\\p{N}])([\\p{L}\\p{N}._+-]+)@(${DOMAIN})`, "gu");
const HASHTAG = /(?<![\p{L}\p{N}&#])#(?=[\p{L}_]*\p{L})([\p{L}\p{N}_]+)/gu;

/** Addresses of pages and of mail, and hashtags, in the words that people read them out with. */
export function spellAddresses(text: string, words: MarkWords): string {
  const dotted = (name: string) => name.split(".").join(` ${words.dot} `);
  return text
    .replace(MAIL_ADDRESS, (_, name: string, domain: string) => `${dotted(name)} ${words.at} ${dotted(domain)}`)
    .replace(WEB_ADDRESS, (found: string, domain: string, rest: string) => {
      const www = /^(?:https?:\/\/)?www\./i.test(found) && !/^www\./i.test(domain) ? `www ${words.dot} ` : "";
      // A point at its end is the sentence's; nobody reads out what a page is asked.
      const end = /[.!?:]+$/.exec(rest)?.[0].replace(/[^.!?]/g, "") ?? "";
      const path = rest.replace(/[?#].*$/, "").replace(/[.!?:]+$/, "");
      const parts = path.split("/").filter((part) => part !== "");
      return `${www}${dotted(domain)}${parts.map((part) => ` ${words.slash} ${dotted(part)}`).join("")}${end}`;
    })
    .replace(
      HASHTAG,
      (_, tag: string) => `${words.hashtag} ${tag.replaceAll("_", " ").replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")}`,
    );
}

/** Numbers of telephones: with a country's code, in brackets, after a word that says so, or as films make them up. */
const TELEPHONE = [
  /(?<![\p{L}\d+.,])\+\d{1,3}(?:[ -]?\(?\d{1,5}\)?){2,6}(?![\d,.]\d|\d)/gu,
  /(?<![\d-])(?:1-)?(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\d-])/g,
  /(?<![\d-])555-\d{4}(?![\d-])/g,
  /(?<=\b(?:call|dial|phone|ring|tel|telephone|Telefon|Tel)[.:]? )\d{2,5}(?:[ /-]\d{2,8})+(?!\d)/giu,
  /(?<![\d.,:/-])0\d{2,4}[ /-]\d{3,8}(?:[ -]\d{3,8})*(?![\d.,:/-]\d|\d)/g,
];

/** Telephone numbers digit by digit, with a rest between their groups. */
export function spellTelephones(text: string, words: MarkWords): string {
  return TELEPHONE.reduce(
    (spoken, pattern) =>
      spoken.replace(pattern, (number) => {
        const groups = number.match(/\d+/g) ?? [];
        const said = groups.map((group) => [...group].join(" ")).join(", ");
        return number.startsWith("+") ? `${words.plus} ${said}` : said;
      }),
    text,
  );
}
