/** Signs by their names. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ["quot", '"'],
  ["amp", "&"],
  ["apos", "'"],
  ["lt", "<"],
  ["gt", ">"],
  ["nbsp", "\u00a0"],
  ["iexcl", "¡"],
  ["cent", "¢"],
  ["pound", "£"],
  ["yen", "¥"],
  ["sect", "§"],
  ["copy", "©"],
  ["ordf", "ª"],
  ["laquo", "«"],
  ["shy", "\u00ad"],
  ["reg", "®"],
  ["deg", "°"],
  ["sup2", "²"],
  ["sup3", "³"],
  ["para", "¶"],
  ["middot", "·"],
  ["sup1", "¹"],
  ["ordm", "º"],
  ["raquo", "»"],
  ["frac14", "¼"],
  ["frac12", "½"],
  ["frac34", "¾"],
  ["iquest", "¿"],
  ["AElig", "Æ"],
  ["ETH", "Ð"],
  ["times", "×"],
  ["Oslash", "Ø"],
  ["THORN", "Þ"],
  ["szlig", "ß"],
  ["aelig", "æ"],
  ["eth", "ð"],
  ["divide", "÷"],
  ["oslash", "ø"],
  ["thorn", "þ"],
  ["OElig", "Œ"],
  ["oelig", "œ"],
  ["thinsp", "\u2009"],
  ["zwnj", "\u200c"],
  ["zwj", "\u200d"],
  ["lrm", "\u200e"],
  ["rlm", "\u200f"],
  ["ndash", "–"],
  ["mdash", "—"],
  ["lsquo", "‘"],
  ["rsquo", "’"],
  ["sbquo", "‚"],
  ["ldquo", "“"],
  ["rdquo", "”"],
  ["bdquo", "„"],
  ["bull", "•"],
  ["hellip", "…"],
  ["prime", "′"],
  ["Prime", "″"],
  ["lsaquo", "‹"],
  ["rsaquo", "›"],
  ["euro", "€"],
  ["trade", "™"],
  ["larr", "←"],
  ["rarr", "→"],
  ["minus", "−"],
]);

/** Names of accents behind a letter's, each with the combining accent. */
const ACCENTS: ReadonlyMap<string, string> = new Map([
  ["grave", "\u0300"],
  ["acute", "\u0301"],
  ["circ", "\u0302"],
  ["tilde", "\u0303"],
  ["uml", "\u0308"],
  ["ring", "\u030a"],
  ["caron", "\u030c"],
  ["cedil", "\u0327"],
]);

const ACCENTED = /^([A-Za-z])([a-z]+)$/;

/**
 * The character a name of HTML (without `&` and `;`) stands for: letters with accents and the signs that occur in captions.
 * The whole list of HTML is ten times as long.
 */
export function commonCharacter(name: string): string | undefined {
  const sign = SIGNS.get(name);
  if (sign !== undefined) return sign;
  const [, letter = "", accentName = ""] = ACCENTED.exec(name) ?? [];
  const accent = ACCENTS.get(accentName);
  const composed = `${letter}${accent}`.normalize("NFC");
  return accent === undefined || composed.length > 1 ? undefined : composed;
}
